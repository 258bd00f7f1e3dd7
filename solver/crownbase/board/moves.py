"""Legal moves, in kernels.

A position is four bit boards in the MOVER'S FRAME: own men, own kings, the opponent's men and the
opponent's kings (``om, ok, pm, pk``), turned so that the side to move goes up, towards square 0.
White to move: the board as it is. Black to move: half a turn with the colours swapped.

Moves are written into a flat buffer, ``FIELDS`` numbers a move. Two ways of taking the same
pieces between the same squares are one move.
"""

from __future__ import annotations

from typing import Any

from crownbase.board.bits import lowest, reverse64
from crownbase.jit import kernel

FROM, TO, CAPTURED, KING_BEFORE, KING_AFTER = 0, 1, 2, 3, 4
FIELDS = 5
MAX_MOVES = 768
"""Moves that a buffer holds; more distinct captures than that are reported as an overflow."""

BEST, COUNT, OVERFLOW = 0, 1, 2
"""Slots of the search state beside the buffer: best capture key, moves found, buffer too small."""

_BECOMES_KING, _STOP = 1, 0  # codes of ``rules.promotion``
_PIECE, _WITH_KING, _KING = 1 << 40, 1 << 39, 1 << 32  # digits of a capture key, see capture_key


@kernel
def full_board(rules: Any) -> int:
    """All squares of the board."""
    return -1 if rules.n_squares == 64 else (1 << rules.n_squares) - 1


@kernel
def turn_board(rules: Any, board: int) -> int:
    """The board after half a turn: square s goes to n - 1 - s."""
    return (reverse64(board) >> (64 - rules.n_squares)) & full_board(rules)


@kernel
def first_piece(rules: Any, s: int, d: int, occupied: int, far: bool) -> int:
    """The first occupied square from s in direction d, -1 if none; only the next one if not far."""
    t = rules.neighbour[s * 4 + d]
    if far:
        while t >= 0 and not (occupied >> t) & 1:
            t = rules.neighbour[t * 4 + d]
    elif t >= 0 and not (occupied >> t) & 1:
        t = -1
    return t


@kernel
def victim(
    rules: Any, s: int, d: int, king: bool, occupied: int, pm: int, pk: int, last: int
) -> int:
    """The square of the piece that can be taken from s in direction d, -1 if there is none.

    ``pm``, ``pk``: opponents that may still be taken. ``last``: direction of the hop before, -1
    at the start.
    """
    if not rules.about_turn and last >= 0 and d == 3 - last:
        return -1
    t = first_piece(rules, s, d, occupied, rules.flying_kings and king)
    if t < 0 or not ((pm | pk) >> t) & 1:
        return -1
    if not rules.men_capture_kings and not king and (pk >> t) & 1:
        return -1
    land = rules.neighbour[t * 4 + d]
    if land < 0 or (occupied >> land) & 1:
        return -1
    return t


@kernel
def can_capture_from(
    rules: Any, s: int, king: bool, occupied: int, pm: int, pk: int, last: int
) -> bool:
    """Whether a man or king on s can take something."""
    for d in range(4 if king else rules.man_captures):
        if victim(rules, s, d, king, occupied, pm, pk, last) >= 0:
            return True
    return False


@kernel
def has_capture(rules: Any, om: int, ok: int, pm: int, pk: int) -> bool:
    """Whether the side to move can capture."""
    occupied = om | ok | pm | pk
    rest = om
    while rest != 0:
        s = lowest(rest)
        rest &= rest - 1
        if can_capture_from(rules, s, False, occupied, pm, pk, -1):
            return True
    rest = ok
    while rest != 0:
        s = lowest(rest)
        rest &= rest - 1
        if can_capture_from(rules, s, True, occupied, pm, pk, -1):
            return True
    return False


@kernel
def first_key(rules: Any, king: bool) -> int:
    """The key of a capture before its first piece, see ``capture_key``.

    What counts is the piece that begins: a man that is crowned on the way captured as a man.
    """
    return _WITH_KING if rules.with_king and king else 0


@kernel
def capture_key(rules: Any, key: int, takes_king: bool) -> int:
    """The key of a capture after one more piece; the legal captures are those with the highest.

    One integer, the criteria of ``Rules.capture_choice`` as digits from high to low: pieces taken,
    taken with a king, kings taken, then one bit a piece in the order of taking, 1 = king.
    """
    if rules.most_pieces:
        key += _PIECE
    if rules.most_kings and takes_king:
        key += _KING
    if rules.kings_first:
        order = (key & (_KING - 1)) * 2 + (1 if takes_king else 0)
        key = (key & ~(_KING - 1)) | (order & (_KING - 1))
    return key


@kernel
def record_capture(
    start: int, s: int, taken: int, was_king: bool, king: bool, key: int, buffer: Any, state: Any
) -> None:
    """Add a finished capture to the buffer unless a better one or the same one is there."""
    if key < state[BEST]:
        return
    if key > state[BEST]:
        state[BEST] = key
        state[COUNT] = 0
    n = state[COUNT]
    for i in range(n):
        at = i * FIELDS
        if buffer[at + FROM] == start and buffer[at + TO] == s and buffer[at + CAPTURED] == taken:
            return
    if n == MAX_MOVES:
        state[OVERFLOW] = 1
        return
    at = n * FIELDS
    buffer[at + FROM] = start
    buffer[at + TO] = s
    buffer[at + CAPTURED] = taken
    buffer[at + KING_BEFORE] = 1 if was_king else 0
    buffer[at + KING_AFTER] = 1 if king else 0
    state[COUNT] = n + 1


@kernel
def extend_capture(
    rules: Any,
    begun: tuple[int, bool],
    s: int,
    king: bool,
    last: int,
    left: tuple[int, int, int],
    got: tuple[int, int],
    found_moves: tuple[Any, Any],
) -> None:
    """Follow a capture from square s to all its ends.

    Args:
        rules: the rule set.
        begun: the square where the piece began, and whether it was a king there.
        s, king: where it is now, and whether it is a king.
        last: direction of the hop before, -1 at the start.
        left: bit boards of what is on the board, without the moving piece: all of it, and the
            opponent's men and kings that may still be taken.
        got: bit board of the pieces taken, and the capture key.
        found_moves: the buffer and the search state.
    """
    start, was_king = begun
    occupied, pm, pk = left
    taken, key = got
    buffer, state = found_moves
    found = False
    for d in range(4 if king else rules.man_captures):
        t = victim(rules, s, d, king, occupied, pm, pk, last)
        if t < 0:
            continue
        found = True
        bit = 1 << t
        pm2 = pm & ~bit
        pk2 = pk & ~bit
        taken2 = taken | bit
        occupied2 = occupied & ~bit if rules.leave_at_once else occupied
        key2 = capture_key(rules, key, (pk >> t) & 1 != 0)
        left2, got2 = (occupied2, pm2, pk2), (taken2, key2)
        land = rules.neighbour[t * 4 + d]
        if rules.flying_kings and king:
            must_go_on = False
            if not rules.free_landing:
                u = land
                while u >= 0 and not (occupied >> u) & 1:
                    if can_capture_from(rules, u, True, occupied2, pm2, pk2, d):
                        must_go_on = True
                        break
                    u = rules.neighbour[u * 4 + d]
            u = land
            while u >= 0 and not (occupied >> u) & 1:
                goes_on = can_capture_from(rules, u, True, occupied2, pm2, pk2, d)
                if goes_on:
                    extend_capture(rules, begun, u, king, d, left2, got2, found_moves)
                elif not must_go_on:
                    record_capture(start, u, taken2, was_king, True, key2, buffer, state)
                u = rules.neighbour[u * 4 + d]
        else:
            last_row = not king and land < rules.width
            if last_row and rules.promotion == _STOP:
                record_capture(start, land, taken2, was_king, True, key2, buffer, state)
            else:
                crowned = king or (last_row and rules.promotion == _BECOMES_KING)
                extend_capture(rules, begun, land, crowned, d, left2, got2, found_moves)
    if not found and taken != 0:
        record_capture(start, s, taken, was_king, king or s < rules.width, key, buffer, state)


@kernel
def captures(rules: Any, om: int, ok: int, pm: int, pk: int, buffer: Any, state: Any) -> int:
    """Write all legal captures into *buffer*; their number. ``state``: int64[3], cleared here."""
    state[BEST] = 0
    state[COUNT] = 0
    state[OVERFLOW] = 0
    # A recursive kernel must not be called with literals: it is then compiled for the literal's
    # type, calls itself with another one, and what the cache holds does not link (Numba 0.68).
    none = state[COUNT]
    occupied = om | ok | pm | pk
    rest = om | ok
    while rest != 0:
        s = lowest(rest)
        rest &= rest - 1
        king = (ok >> s) & 1 != 0
        if can_capture_from(rules, s, king, occupied, pm, pk, -1):
            left = (occupied & ~(1 << s), pm, pk)
            got = (none, none + first_key(rules, king))
            extend_capture(rules, (s, king), s, king, none - 1, left, got, (buffer, state))
    return state[COUNT]


@kernel
def quiet_moves(rules: Any, om: int, ok: int, pm: int, pk: int, buffer: Any, n: int) -> int:
    """Append all quiet moves to the n moves in *buffer*; the new number of moves."""
    empty = full_board(rules) & ~(om | ok | pm | pk)
    rest = om | ok
    while rest != 0:
        s = lowest(rest)
        rest &= rest - 1
        king = (ok >> s) & 1 != 0
        for d in range(4 if king else rules.man_moves):
            t = rules.neighbour[s * 4 + d]
            while t >= 0 and (empty >> t) & 1 and n < MAX_MOVES:
                at = n * FIELDS
                buffer[at + FROM] = s
                buffer[at + TO] = t
                buffer[at + CAPTURED] = 0
                buffer[at + KING_BEFORE] = 1 if king else 0
                buffer[at + KING_AFTER] = 1 if king or t < rules.width else 0
                n += 1
                t = rules.neighbour[t * 4 + d] if king and rules.flying_kings else -1
    return n


@kernel
def legal_moves(rules: Any, om: int, ok: int, pm: int, pk: int, buffer: Any, state: Any) -> int:
    """Write all legal moves into *buffer*: int64[MAX_MOVES * FIELDS]; their number.

    By the rules of movement alone: a position that is drawn at once has its moves, too.
    """
    n = captures(rules, om, ok, pm, pk, buffer, state)
    if n == 0 or not rules.captures_mandatory:
        n = quiet_moves(rules, om, ok, pm, pk, buffer, n)
    return n


@kernel
def play(
    rules: Any, om: int, ok: int, pm: int, pk: int, buffer: Any, i: int
) -> tuple[int, int, int, int]:
    """The position after move i of *buffer*, in the frame of the other side."""
    at = i * FIELDS
    keep = ~buffer[at + CAPTURED]
    start = ~(1 << buffer[at + FROM])
    end = 1 << buffer[at + TO]
    om &= start
    ok &= start
    if buffer[at + KING_AFTER] != 0:
        ok |= end
    else:
        om |= end
    return (
        turn_board(rules, pm & keep),
        turn_board(rules, pk & keep),
        turn_board(rules, om),
        turn_board(rules, ok),
    )


@kernel
def count_nodes(
    rules: Any, om: int, ok: int, pm: int, pk: int, depth: int, buffers: Any, state: Any
) -> int:
    """Perft: legal move sequences of *depth* plies. ``buffers``: int64[depth, ...], one a ply."""
    buffer = buffers[depth - 1]
    n = legal_moves(rules, om, ok, pm, pk, buffer, state)
    if depth == 1:
        return n
    total = 0
    for i in range(n):
        om2, ok2, pm2, pk2 = play(rules, om, ok, pm, pk, buffer, i)
        total += count_nodes(rules, om2, ok2, pm2, pk2, depth - 1, buffers, state)
    return total
