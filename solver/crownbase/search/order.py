"""Which move to try first, which cut-offs to remember, and whether a position came before."""

from __future__ import annotations

from crownbase.board.bits import popcount
from crownbase.board.moves import (
    CAPTURED,
    FIELDS,
    FROM,
    KING_AFTER,
    KING_BEFORE,
    MAX_MOVES,
    TO,
)
from crownbase.jit import kernel
from crownbase.search.work import (
    FRAME,
    FRAMES,
    HISTORY,
    HISTORY_SIDE,
    KEY,
    KILLERS,
    LINE,
    LINES,
    ORDER,
    PAST,
    PATH,
    REPEATS,
    REVERSIBLE,
    Work,
)

_FROM_CACHE, _CAPTURE, _CROWNS, _KILLER = 1 << 40, 1 << 30, 1 << 29, 1 << 28
_HISTORY_LIMIT = 1 << 24


@kernel
def quiet_slot(w: Work, ply: int, i: int) -> int:
    """A number for the squares of move i: start * 64 + end."""
    return w.moves[ply][i * FIELDS + FROM] * 64 + w.moves[ply][i * FIELDS + TO]


@kernel
def order_moves(w: Work, ply: int, n: int, cached: int) -> None:
    """Give each of the n moves of this ply a rank; *cached*: the cache's move, -1 = none."""
    d = w.data
    base = ORDER + ply * MAX_MOVES
    killers = KILLERS + 2 * ply
    side = HISTORY + HISTORY_SIDE * (ply & 1)
    for i in range(n):
        at = i * FIELDS
        captured = w.moves[ply][at + CAPTURED]
        slot = quiet_slot(w, ply, i)
        rank = d[side + slot]
        if i == cached:
            rank = _FROM_CACHE
        elif captured != 0:
            rank = _CAPTURE + popcount(captured)
        elif w.moves[ply][at + KING_AFTER] != w.moves[ply][at + KING_BEFORE]:
            rank = _CROWNS
        elif d[killers] == slot + 1:
            rank = _KILLER + 1
        elif d[killers + 1] == slot + 1:
            rank = _KILLER
        d[base + i] = rank


@kernel
def next_move(w: Work, ply: int, n: int) -> int:
    """The move of the highest rank that was not yet taken, and take it."""
    d = w.data
    base = ORDER + ply * MAX_MOVES
    best = 0
    for i in range(1, n):
        if d[base + i] > d[base + best]:
            best = i
    d[base + best] = -1
    return best


@kernel
def remember_cut(w: Work, ply: int, i: int, depth: int) -> None:
    """Note that quiet move i refuted the position before it."""
    d = w.data
    if w.moves[ply][i * FIELDS + CAPTURED] != 0:
        return
    slot = quiet_slot(w, ply, i)
    killers = KILLERS + 2 * ply
    if d[killers] != slot + 1:
        d[killers + 1] = d[killers]
        d[killers] = slot + 1
    side = HISTORY + HISTORY_SIDE * (ply & 1)
    d[side + slot] += depth * depth
    if d[side + slot] > _HISTORY_LIMIT:
        for j in range(HISTORY_SIDE):
            d[side + j] >>= 1


@kernel
def came_before(w: Work, ply: int) -> bool:
    """Whether the position of this ply counts as a draw by repetition.

    Once before within the search, or as often before in the game (mostly twice) as the draw rules
    say: REPEATS.
    """
    d = w.data
    at = FRAMES + ply * FRAME
    key = d[at + KEY]
    root = PATH + d[PAST]
    here = root + ply
    seen = 0
    for back in range(4, d[at + REVERSIBLE] + 1, 2):
        if here - back < PATH:
            break
        if d[here - back] == key:
            seen += 1
            if ply - back >= 0 or seen == d[REPEATS]:
                return True
    return False


@kernel
def keep_line(w: Work, ply: int, i: int) -> None:
    """The best line from this ply: move i, then the best line from the next ply."""
    d = w.data
    here = LINES + ply * LINE
    below = here + LINE
    length = d[below]
    at = i * FIELDS
    d[here + 1] = w.moves[ply][at + FROM]
    d[here + 2] = w.moves[ply][at + TO]
    d[here + 3] = w.moves[ply][at + CAPTURED]
    for j in range(3 * length):
        d[here + 4 + j] = d[below + 1 + j]
    d[here] = length + 1
