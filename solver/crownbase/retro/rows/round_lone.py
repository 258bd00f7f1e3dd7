"""Distances where one side has no kings (see lone.py): known without rounds.

The side without kings makes conversions only: its wins take 1 ply, its losses 1, or 0 if it
cannot move. The side with kings wins in 1 by a conversion or by a king move to a position lost
in 0, else in 2; it loses in 2 if it has a king move, in 1 if it has conversions only, else in 0.
"""

from __future__ import annotations

from typing import Any

from crownbase.board.bits import lowest
from crownbase.jit import Address, kernel
from crownbase.retro.rows.captures import slot
from crownbase.retro.rows.landing import ALL, near
from crownbase.retro.rows.lone import (
    board_captures,
    man_board_steps,
    man_row_steps,
    solve_lone_group,
)
from crownbase.retro.rows.openings import list_advances
from crownbase.retro.rows.rowops import (
    clear_row,
    is_row,
    row_words_of,
    set_of_rank,
    sets_of,
)
from crownbase.retro.rows.storage import block, rank_few
from crownbase.retro.rows.tables import OFF_BOARD, WALL
from crownbase.retro.rows.vectors import vand, vandnot, vload, vor, vstore
from crownbase.retro.rows.words import load, load32, shift_right, store, store16, store32

# Rows of slot 2, side by side.
JUMPING = 0
"""The side with kings can capture."""
CONVERTING = 1
"""It wins by a conversion."""
STUCK = 2
"""The side without kings, to move, cannot move."""


@kernel
def bit_of(row: int, bit: int) -> int:
    """One bit of a row."""
    return shift_right(load(row, bit >> 6), bit & 63) & 1


@kernel
def prepare_board(ctx: Address, rules: Any, side: Address, om: int, pm: int) -> None:
    """Fill the rows of slot 2 for one king on a packed board (the low halves of three words)."""
    rows = slot(ctx, 2)
    exists = ALL & ~(om | pm)
    captured, jumping = board_captures(ctx, rules, om, pm)
    quiet = exists & ~jumping if rules.captures_mandatory else exists
    moved = man_board_steps(ctx, om, pm) & quiet
    store(rows, JUMPING, jumping)
    store(rows, CONVERTING, (captured | moved) & ALL)
    store(rows, STUCK, load32(side.lost, 0) & ~load32(side.movable, 0))


@kernel
def prepare_rows(ctx: Address, rules: Any, side: Address, om: int, pm: int, k: int) -> None:
    """Fill the rows of slot 2 for rows of k kings, from what `king_side_row` left in slot 0."""
    words = row_words_of(ctx, k)
    size = words * 8
    here = slot(ctx, 0)
    moved = slot(ctx, 1)
    rows = slot(ctx, 2)
    clear_row(moved, 2 * words)
    man_row_steps(ctx, om, pm, moved, moved + size, k)
    for w in range(0, words, 8):
        jumping = vload(here + size, w)
        won = vload(here + 2 * size, w)
        exists = vload(here, w)
        quiet = vandnot(exists, jumping) if rules.captures_mandatory else exists
        vstore(rows + JUMPING * size, w, jumping)
        vstore(rows + CONVERTING * size, w, vor(won, vand(quiet, vload(moved, w))))
        stuck = vandnot(vload(side.lost, w), vload(side.movable, w))
        vstore(rows + STUCK * size, w, stuck)


@kernel
def add_advances(ctx: Address, side: Address, om: int, pm: int, k: int) -> None:
    """Add the quiet moves of the side without kings to its row MOVABLE, which has captures."""
    none = 0
    advances = list_advances(ctx, om, pm, none, k)
    listed = ctx.advances
    targets = 0
    for j in range(advances):
        targets |= 1 << load(listed, 2 * j + 1)
    movable = side.movable
    if not is_row(ctx, k):
        able = load32(side.quiet, 0)
        more = able if targets & (targets - 1) else able & ~targets
        store32(movable, 0, load32(movable, 0) | (more if targets else 0))
        return
    for w in range(row_words_of(ctx, k)):
        rest = load(side.quiet, w) & ~load(movable, w)
        while rest:
            i = lowest(rest)
            rest &= rest - 1
            if targets & ~set_of_rank(ctx, k, w * 64 + i):
                store(movable, w, load(movable, w) | 1 << i)


@kernel
def king_steps_from(ctx: Address, kings: int, men: int) -> int:
    """Whether any of the kings can make a quiet move."""
    empty = ~(kings | men)
    rest = kings
    while rest:
        if load(ctx.near_sets, lowest(rest)) & empty:
            return 1
        rest &= rest - 1
    return 0


@kernel
def man_steps_from(ctx: Address, kings: int, om: int, pm: int) -> int:
    """Whether a man of the side with kings can make a quiet move."""
    occupied = kings | om | pm | WALL
    rest = pm
    while rest:
        s = lowest(rest)
        rest &= rest - 1
        for d in range(2, 4):
            if (occupied >> near(ctx, s, d)) & 1 == 0:
                return 1
    return 0


@kernel
def steps_into(ctx: Address, rules: Any, kings: int, men: int, row: int) -> int:
    """Whether a king move leads to a position of a row."""
    occupied = kings | men | WALL
    rest = kings
    while rest:
        s = lowest(rest)
        rest &= rest - 1
        for d in range(4):
            t = near(ctx, s, d)
            while (occupied >> t) & 1 == 0:
                if bit_of(row, rank_few((kings & ~(1 << s)) | (1 << t))):
                    return 1
                t = near(ctx, t, d) if rules.flying_kings else OFF_BOARD
    return 0


@kernel
def king_side_code(
    ctx: Address, rules: Any, om: int, pm: int, kings: int, bit: int, size: int, offset: int
) -> int:
    """The value code of the side with kings, bit *bit* of the rows at *offset*."""
    rows = slot(ctx, 2)
    men = om | pm
    if bit_of(ctx.holds + offset, bit) == 0:
        if bit_of(rows + CONVERTING * size, bit):
            return 1
        jumping = bit_of(rows + JUMPING * size, bit) and rules.captures_mandatory
        if not jumping and steps_into(ctx, rules, kings, men, rows + STUCK * size):
            return 1
        return 2
    if bit_of(ctx.loses + offset, bit) == 0:
        return 0
    jumping = bit_of(rows + JUMPING * size, bit)
    if jumping and rules.captures_mandatory:
        return ~1
    if king_steps_from(ctx, kings, men):
        return ~2
    return ~1 if jumping or man_steps_from(ctx, kings, om, pm) else ~0


@kernel
def write_king_side(
    ctx: Address, rules: Any, om: int, pm: int, k: int, out: int, first: int
) -> None:
    """Write the codes of the side with kings from out[first] on, in the order of its frame."""
    size = row_words_of(ctx, k) * 8
    offset = block(ctx, om, pm, 0, k)
    turned = load(ctx.turned, k)
    for r in range(sets_of(ctx, k)):
        bit = load32(turned, r)
        kings = set_of_rank(ctx, k, bit)
        if kings & (om | pm) == 0:
            store16(out, first, king_side_code(ctx, rules, om, pm, kings, bit, size, offset))
            first += 1


@kernel
def write_kingless_side(
    ctx: Address, side: Address, men: int, k: int, out: int, first: int
) -> None:
    """Write the codes of the side without kings from out[first] on."""
    for r in range(sets_of(ctx, k)):
        if set_of_rank(ctx, k, r) & men:
            continue
        code = 0
        if bit_of(side.unwon, r) == 0:
            code = 1
        elif bit_of(side.lost, r):
            code = ~bit_of(side.movable, r)
        store16(out, first, code)
        first += 1


@kernel
def time_lone_group(
    ctx: Address, rules: Any, side: Address, om: int, pm: int, k: int, out: int, first: int,
    king_out: int, king_first: int,
) -> None:  # fmt: skip
    """Solve a group and write its codes: *out* takes those with the men om to move."""
    solve_lone_group(ctx, rules, side, om, pm, k)
    add_advances(ctx, side, om, pm, k)
    if not is_row(ctx, k):
        prepare_board(ctx, rules, side, om, pm)
    else:
        prepare_rows(ctx, rules, side, om, pm, k)
    write_kingless_side(ctx, side, om | pm, k, out, first)
    write_king_side(ctx, rules, om, pm, k, king_out, king_first)
