"""Captures of a side with kings against men only, over rows of its OWN kings.

The frame is that of lone.py: the side without kings ("they": men om) moves towards square 0;
the moving side has men pm, which move the other way and are crowned on squares 28-31, and kings
that the rows range over. As in captures.py there are three searches, by the number n of kings
that do not move: `drop_bits` (0), `drop_board` (1), `drop_row` (2 and more). Their results are
pairs or slots of W and N, over the kings that do not move.
"""

from __future__ import annotations

from typing import Any

from crownbase.jit import Address, kernel
from crownbase.retro.rows.captures import add_results, slot
from crownbase.retro.rows.landing import PAIR, far, near
from crownbase.retro.rows.rowops import (
    add_row,
    clear_row,
    compress,
    compress_board,
    copy_row,
    row_words_of,
    turn,
    without_square,
)
from crownbase.retro.rows.storage import block
from crownbase.retro.rows.tables import WALL
from crownbase.retro.rows.vectors import vand, vandnot, vany, vfill, vload, vor, vstore
from crownbase.retro.rows.words import load32, shift_right

CROWN_ROW_START = 28
"""Squares from this one on are the last row of the men pm."""


@kernel
def their_row(ctx: Address, om: int, pm: int, kings: int) -> int:
    """Byte offset of the row over *kings* kings with the side without kings to move."""
    return block(ctx, turn(ctx, pm), turn(ctx, om), kings, 0)


@kernel
def their_pair(ctx: Address, om: int, pm: int) -> int:
    """The pair of `their_row` for one king: a board each."""
    offset = their_row(ctx, om, pm, 1)
    return load32(ctx.loses + offset, 0) | load32(ctx.holds + offset, 0) << 32


@kernel
def crowned_pair(ctx: Address, om: int, pm: int, square: int) -> int:
    """The pair over one king, a second king standing on *square*."""
    offset = their_row(ctx, om, pm, 2)
    won = compress_board(ctx, ctx.loses + offset, square)
    return won | compress_board(ctx, ctx.holds + offset, square) << 32


@kernel
def first_direction(rules: Any, is_king: int) -> int:
    """Directions for a capture are from here to 3; the downward ones come last."""
    return 0 if is_king or rules.man_captures == 4 else 2


@kernel
def drop_bits(ctx: Address, rules: Any, om: int, pm: int, square: int) -> int:
    """Pair (bits 0 and 32) for the only king, capturing on from *square*."""
    if om == 0:
        return PAIR
    occupied = om | pm | WALL
    jumped = False
    pair = 0
    for d in range(4):
        t = far(ctx, square, d)
        v = near(ctx, square, d)
        if (om >> v) & 1 and (occupied >> t) & 1 == 0:
            jumped = True
            pair |= drop_bits(ctx, rules, om & ~(1 << v), pm, t)
    if jumped:
        return pair
    return shift_right(their_pair(ctx, om, pm), square) & PAIR


@kernel
def drop_board(
    ctx: Address, rules: Any, om: int, pm: int, square: int, is_king: int, kings: int
) -> int:
    """Pair over the one king that does not move and may stand on any of *kings*."""
    if om == 0:
        return kings | kings << 32
    occupied = om | pm | WALL
    goes_on = 0
    pair = 0
    if is_king or square < CROWN_ROW_START:
        for d in range(first_direction(rules, is_king), 4):
            t = far(ctx, square, d)
            v = near(ctx, square, d)
            left = kings & ~(1 << t)
            if (om >> v) & 1 and (occupied >> t) & 1 == 0 and left:
                goes_on |= left
                pair |= drop_board(ctx, rules, om & ~(1 << v), pm, t, is_king, left)
    ends = kings & ~goes_on
    if ends:
        if is_king or square >= CROWN_ROW_START:
            found = crowned_pair(ctx, om, pm, square)
        else:
            found = their_pair(ctx, om, pm | (1 << square))
        pair |= found & (ends | ends << 32)
    return pair


@kernel
def drop_row(
    ctx: Address, rules: Any, depth: int, om: int, pm: int, square: int, is_king: int, n: int
) -> None:
    """Captures going on at *square*; the set of the n >= 2 other kings is in slot *depth*."""
    words = row_words_of(ctx, n)
    size = words * 8
    here = slot(ctx, depth)
    if om == 0:
        copy_row(here + 2 * size, here, words)
        copy_row(here + 3 * size, here, words)
        return
    child = slot(ctx, depth + 1)
    clear_row(here + size, 3 * words)
    occupied = om | pm | WALL
    if is_king or square < CROWN_ROW_START:
        for d in range(first_direction(rules, is_king), 4):
            t = far(ctx, square, d)
            v = near(ctx, square, d)
            if (om >> v) & 1 and (occupied >> t) & 1 == 0:
                if without_square(ctx, child, here, n, t):
                    add_row(here + size, child, words)
                    drop_row(ctx, rules, depth + 1, om & ~(1 << v), pm, t, is_king, n)
                    add_results(here, size, child, words)
    end_drop(ctx, here, om, pm, square, is_king, n)


@kernel
def end_drop(ctx: Address, here: int, om: int, pm: int, square: int, is_king: int, n: int) -> None:
    """Add the results of captures that end on *square* to the slot *here*."""
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
    if is_king or square >= CROWN_ROW_START:
        offset = their_row(ctx, om, pm, n + 1)
        loses = ctx.row_a
        holds = ctx.row_b
        compress(ctx, loses, ctx.loses + offset, n + 1, square)
        compress(ctx, holds, ctx.holds + offset, n + 1, square)
    else:
        offset = their_row(ctx, om, pm | (1 << square), n)
        loses = ctx.loses + offset
        holds = ctx.holds + offset
    won = here + 2 * size
    held = here + 3 * size
    for w in range(0, words, 8):
        ends = vload(jumped, w)
        vstore(won, w, vor(vload(won, w), vand(ends, vload(loses, w))))
        vstore(held, w, vor(vload(held, w), vand(ends, vload(holds, w))))
