"""Captures over rows: all placements of the opposing kings at once.

A capture is searched from one own piece, which is lifted off the board (it is in neither `om`
nor `ok`). What varies is the set of placements of the opposing kings for which the jumps so far
are possible. A man as victim narrows that set (the landing square must be free of kings); a
king as victim on v moves the search to the domain of one king less, "the others", because v is
now known. So there are three searches, by the number n of opposing kings left:

* n = 0: `capture_bits`, nothing varies;
* n = 1: `capture_board`, the set is a board in a register;
* n >= 2: `capture_row`, the set is a row in scratch memory.

Each returns, or adds to its slot, two sets: W, placements from which a capture reaches a
position that the opponent loses, and N, those from which it reaches one that he does not win.
In registers the two are a *pair*: W in bits 0-31, N in bits 32-63.

A slot holds four rows: the set itself, and the sets of its placements where the capture goes
on (JUMPED), W and N. Results of a smaller domain are expanded by v into the larger one.
"""

from __future__ import annotations

from typing import Any

from crownbase.board.bits import popcount
from crownbase.jit import Address, kernel
from crownbase.retro.rows.landing import (
    ALL,
    CROWN_ROW_END,
    PAIR,
    far,
    jump_directions,
    landing_captures,
    lands_clear,
    near,
)
from crownbase.retro.rows.rowops import (
    add_row,
    clear_row,
    expand,
    expand_board,
    row_words_of,
    without_square,
    without_squares,
)
from crownbase.retro.rows.storage import (
    bit_pair,
    block,
    kingless_bit,
    rank_few,
    word_pair,
)
from crownbase.retro.rows.tables import WALL
from crownbase.retro.rows.vectors import vand, vandnot, vany, vfill, vload, vor, vstore
from crownbase.retro.rows.words import shift_right


@kernel
def capture_bits(
    ctx: Address, rules: Any, om: int, ok: int, pm: int, square: int, is_king: int
) -> int:
    """Pair (bits 0 and 32) for a capture going on at *square*, no opposing kings left."""
    pair = 0
    jumped = False
    occupied = om | ok | pm | WALL
    if is_king or square >= CROWN_ROW_END:
        for d in range(jump_directions(rules, is_king)):
            t = far(ctx, square, d)
            v = near(ctx, square, d)
            if (occupied >> t) & 1 == 0 and (pm >> v) & 1:
                jumped = True
                pair |= capture_bits(ctx, rules, om, ok, pm & ~(1 << v), t, is_king)
    if jumped:
        return pair
    if pm == 0:
        return PAIR
    if is_king or square < CROWN_ROW_END:
        return bit_pair(ctx, kingless_bit(ctx, om, ok | (1 << square), pm))
    return bit_pair(ctx, kingless_bit(ctx, om | (1 << square), ok, pm))


@kernel
def capture_board(
    ctx: Address, rules: Any, om: int, ok: int, pm: int, square: int, is_king: int, kings: int
) -> int:
    """Pair over the squares of the one opposing king, which may stand on any of *kings*."""
    goes_on = 0
    pair = 0
    occupied = om | ok | pm | WALL
    if is_king or square >= CROWN_ROW_END:
        for d in range(jump_directions(rules, is_king)):
            t = far(ctx, square, d)
            if (occupied >> t) & 1:
                continue
            v = near(ctx, square, d)
            if (pm >> v) & 1:
                left = kings & ~(1 << t)
                if left:
                    goes_on |= left
                    pair |= capture_board(ctx, rules, om, ok, pm & ~(1 << v), t, is_king, left)
            elif (kings >> v) & 1 and (is_king or rules.men_capture_kings):
                goes_on |= 1 << v
                pair |= take_last_king(ctx, rules, om, ok, pm, t, is_king) << v
    ends = kings & ~goes_on
    if ends:
        if is_king or square < CROWN_ROW_END:
            ok |= 1 << square
        else:
            om |= 1 << square
        offset = block(ctx, om, pm, popcount(ok), 1)
        pair |= word_pair(ctx, offset, rank_few(ok)) & (ends | ends << 32)
    return pair


@kernel
def take_last_king(
    ctx: Address, rules: Any, om: int, ok: int, pm: int, square: int, is_king: int
) -> int:
    """Pair for a capture that has taken the last opposing king and landed on *square*."""
    if is_king and pm == ctx.base_pm and (ctx.king_jumpers >> square) & 1 == 0:
        if pm == 0:
            return PAIR
        return bit_pair(ctx, kingless_bit(ctx, om, ok | (1 << square), pm))
    return capture_bits(ctx, rules, om, ok, pm, square, is_king)


@kernel
def slot(ctx: Address, depth: int) -> int:
    """Address of a slot of the search."""
    return ctx.slots + depth * ctx.slot_bytes


@kernel
def open_row(ctx: Address, kings: int) -> int:
    """Address of the row of opposing kings that avoid all other pieces of the current row."""
    return ctx.open_rows + kings * ctx.slot_bytes


@kernel
def add_results(here: int, size: int, there: int, rows: int) -> None:
    """Add W and N of slot *there* to slot *here* (rows of the same domain)."""
    add_row(here + 2 * size, there + 2 * size, rows)
    add_row(here + 3 * size, there + 3 * size, rows)


@kernel
def end_capture(ctx: Address, here: int, om: int, ok: int, pm: int, n: int) -> None:
    """Add the results of captures that end here: the set of the slot without JUMPED."""
    words = row_words_of(ctx, n)
    size = words * 8
    jumped = here + size
    seen = vfill(0)
    for w in range(0, words, 8):
        ends = vandnot(vload(here, w), vload(jumped, w))
        seen = vor(seen, ends)
        vstore(jumped, w, ends)
    if not vany(seen):
        return
    offset = block(ctx, om, pm, popcount(ok), n) + rank_few(ok) * size
    loses = ctx.loses + offset
    holds = ctx.holds + offset
    won = here + 2 * size
    held = here + 3 * size
    for w in range(0, words, 8):
        ends = vload(jumped, w)
        vstore(won, w, vor(vload(won, w), vand(ends, vload(loses, w))))
        vstore(held, w, vor(vload(held, w), vand(ends, vload(holds, w))))


@kernel
def take_king_of_two(
    ctx: Address,
    rules: Any,
    here: int,
    om: int,
    ok: int,
    pm: int,
    v: int,
    t: int,
    is_king: int,
    others: int,
    direct: int,
) -> None:
    """n = 2: a king on v is taken; *others* = squares of the other one. Adds to slot *here*."""
    if direct:
        pair = landing_captures(ctx, om, ok, pm, t, others)
    else:
        pair = capture_board(ctx, rules, om, ok, pm, t, is_king, others)
    expand_board(ctx, here + 64, others, v)
    if pair & ALL:
        expand_board(ctx, here + 128, pair & ALL, v)
    if shift_right(pair, 32):
        expand_board(ctx, here + 192, shift_right(pair, 32), v)


@kernel
def capture_row(
    ctx: Address,
    rules: Any,
    depth: int,
    om: int,
    ok: int,
    pm: int,
    n: int,
    square: int,
    is_king: int,
    blocked: int,
) -> None:
    """Captures of the piece lifted from or landed on *square*, n >= 2 opposing kings left.

    The set is in slot *depth*; the results are added to that slot. At depth 0 the piece has not
    moved yet: it need not capture, so nothing ends, and the slot collects the results of all
    own pieces. *blocked*: squares where no opposing king can stand or be taken any more.
    """
    words = row_words_of(ctx, n)
    size = words * 8
    here = slot(ctx, depth)
    child = slot(ctx, depth + 1)
    if depth > 0:
        clear_row(here + size, 3 * words)
    occupied = om | ok | pm | WALL
    if is_king or square >= CROWN_ROW_END:
        for d in range(jump_directions(rules, is_king)):
            t = far(ctx, square, d)
            if (occupied >> t) & 1:
                continue
            v = near(ctx, square, d)
            if (pm >> v) & 1:
                if without_square(ctx, child, here, n, t):
                    add_row(here + size, child, words)
                    rest = pm & ~(1 << v)
                    now = blocked | (1 << t)
                    capture_row(ctx, rules, depth + 1, om, ok, rest, n, t, is_king, now)
                    add_results(here, size, child, words)
            elif (blocked >> v) & 1 == 0 and (is_king or rules.men_capture_kings):
                now = blocked | (1 << t) | (1 << v)
                if n == 2:
                    direct = depth == 0 and is_king and lands_clear(ctx, t, occupied)
                    take_king_of_two(
                        ctx, rules, here, om, ok, pm, v, t, is_king, ALL & ~now, direct
                    )
                else:
                    fresh = now & ~ctx.start_occupied
                    without_squares(ctx, child, open_row(ctx, n - 1), n - 1, fresh)
                    capture_row(ctx, rules, depth + 1, om, ok, pm, n - 1, t, is_king, now)
                    smaller = row_words_of(ctx, n - 1) * 8
                    expand(ctx, here + size, child, n, v)
                    expand(ctx, here + 2 * size, child + 2 * smaller, n, v)
                    expand(ctx, here + 3 * size, child + 3 * smaller, n, v)
    if depth > 0:
        if is_king or square < CROWN_ROW_END:
            ok |= 1 << square
        else:
            om |= 1 << square
        end_capture(ctx, here, om, ok, pm, n)
