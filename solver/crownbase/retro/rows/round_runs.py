"""Entry kernels for distances: solve a range of groups and write their value codes."""

from __future__ import annotations

from typing import Any

from crownbase.board.bits import lowest
from crownbase.jit import Address, kernel
from crownbase.retro.rows.clock import curse_group, curse_lone_group, cursed_men_code
from crownbase.retro.rows.landing import near
from crownbase.retro.rows.men_only import CAPTURED, HELD, man_moves, set_men_bits
from crownbase.retro.rows.round_lone import time_lone_group
from crownbase.retro.rows.rounds import time_group
from crownbase.retro.rows.rowops import (
    board_at,
    full_row,
    row_bits,
    row_words_of,
    set_of_rank,
    sets_of,
    turn,
    without_squares,
)
from crownbase.retro.rows.storage import group_among, group_offsets_of, slice_base
from crownbase.retro.rows.tables import WALL
from crownbase.retro.rows.words import load, load16, load32, store16, store32
from crownbase.retro.values import UNLIMITED


@kernel
def write_side(ctx: Address, side: Address, men: int, k: int, b: int, out: int, first: int) -> None:
    """Write CODES of one side from out[first] on: opposing kings slowest, own kings fastest."""
    codes = side.codes
    width = row_bits(ctx, b)
    open_own = ctx.group_rows
    allowed = ctx.row_a
    full_row(ctx, open_own, k)
    without_squares(ctx, open_own, open_own, k, men)
    for c in range(sets_of(ctx, b)):
        pk = set_of_rank(ctx, b, c)
        if pk & men:
            continue
        without_squares(ctx, allowed, open_own, k, pk)
        # For b = 1 the bit is the king's square, which is its rank.
        for w in range(row_words_of(ctx, k)):
            rest = load(allowed, w)
            while rest:
                r = w * 64 + lowest(rest)
                rest &= rest - 1
                store16(out, first, load16(codes, r * width + c))
                first += 1


@kernel
def time_groups(
    ctx: Address, rules: Any, one: Address, two: Address, oms: int, pms: int, first: int, last: int,
    k: int, b: int, own_mirror: int, size: int, numbers: int, out: int, mirror_numbers: int,
    mirror_out: int, full: Address, clock: Address,
) -> int:  # fmt: skip
    """Groups with kings on both sides; returns the last round of the longest.

    *numbers*[group number] is the group's number in dense order, *out* takes the codes of the
    slice, *size* for each group; the `mirror` ones are those of the other side to move.
    *full*, *clock*: see clock.py; without a clock its limit is 0.
    """
    longest = 0
    limit = clock.limit if clock.limit else UNLIMITED
    offsets = group_offsets_of(ctx, board_at(ctx, oms, first), board_at(ctx, pms, first))
    mirror_offsets = group_offsets_of(ctx, board_at(ctx, pms, first), board_at(ctx, oms, first))
    for i in range(first, last):
        om = board_at(ctx, oms, i)
        pm = board_at(ctx, pms, i)
        here = group_among(ctx, offsets, om, pm)
        there = group_among(ctx, mirror_offsets, turn(ctx, pm), turn(ctx, om))
        if own_mirror and there < here:
            continue
        alone = 1 if own_mirror and there == here else 0
        last_round = time_group(ctx, rules, one, two, om, pm, k, b, alone, limit)
        longest = max(longest, last_round)
        if clock.limit:
            curse_group(full, clock, rules, one, two, om, pm, k, b, alone, last_round)
        write_side(ctx, one, om | pm, k, b, out, load32(numbers, here) * size)
        if alone == 0:
            men = turn(ctx, om | pm)
            place = load32(mirror_numbers, there) * size
            write_side(ctx, two, men, b, k, mirror_out, place)
    return longest


@kernel
def time_lone_groups(
    ctx: Address, rules: Any, side: Address, oms: int, pms: int, first: int, last: int, k: int,
    size: int, numbers: int, out: int, king_numbers: int, king_out: int, full: Address,
    clock: Address,
) -> int:  # fmt: skip
    """Groups in which the side with the men *oms* has no kings; its codes go to *out*."""
    offsets = group_offsets_of(ctx, board_at(ctx, oms, first), board_at(ctx, pms, first))
    king_offsets = group_offsets_of(ctx, board_at(ctx, pms, first), board_at(ctx, oms, first))
    for i in range(first, last):
        om = board_at(ctx, oms, i)
        pm = board_at(ctx, pms, i)
        place = load32(numbers, group_among(ctx, offsets, om, pm)) * size
        there = group_among(ctx, king_offsets, turn(ctx, pm), turn(ctx, om))
        king_place = load32(king_numbers, there) * size
        time_lone_group(ctx, rules, side, om, pm, k, out, place, king_out, king_place)
        if clock.limit:
            curse_lone_group(full, clock, rules, side, om, pm, k, out, place, king_out, king_place)
    return 2


@kernel
def men_code(ctx: Address, om: int, pm: int, pair: int) -> int:
    """The value code of men om to move against men pm: all moves are conversions."""
    if pair & 1:
        return 1
    if pair & HELD:
        return 0
    if pair & CAPTURED:
        return ~1
    occupied = om | pm | WALL
    rest = om
    while rest:
        s = lowest(rest)
        rest &= rest - 1
        if (occupied >> near(ctx, s, 0)) & (occupied >> near(ctx, s, 1)) & 1 == 0:
            return ~1
    return ~0


@kernel
def time_men(
    ctx: Address, rules: Any, base: int, offsets: int, om: int, pm: int, target: int, full: Address,
    clock: Address,
) -> int:  # fmt: skip
    """Solve men om to move against men pm: set the bits number *target*, return the code."""
    pair = man_moves(ctx, rules, base, offsets, om, pm)
    set_men_bits(ctx, target, pair)
    code = men_code(ctx, om, pm, pair)
    return (
        cursed_men_code(full, rules, base, offsets, om, pm, target, code) if clock.limit else code
    )


@kernel
def time_men_groups(
    ctx: Address, rules: Any, oms: int, pms: int, first: int, last: int, own_mirror: int,
    numbers: int, out: int, mirror_numbers: int, mirror_out: int, full: Address, clock: Address,
) -> int:  # fmt: skip
    """Groups without kings, both sides to move; returns the longest distance."""
    om = board_at(ctx, oms, first)
    pm = board_at(ctx, pms, first)
    base = slice_base(ctx, om, 0, pm, 0) * 8
    offsets = group_offsets_of(ctx, om, pm)
    mirror_base = slice_base(ctx, pm, 0, om, 0) * 8
    mirror_offsets = group_offsets_of(ctx, pm, om)
    for i in range(first, last):
        om = board_at(ctx, oms, i)
        pm = board_at(ctx, pms, i)
        turned_om = turn(ctx, pm)
        turned_pm = turn(ctx, om)
        here = group_among(ctx, offsets, om, pm)
        there = group_among(ctx, mirror_offsets, turned_om, turned_pm)
        if own_mirror and there < here:
            continue
        code = time_men(ctx, rules, base, offsets, om, pm, mirror_base + there, full, clock)
        store16(out, load32(numbers, here), code)
        if own_mirror and there == here:
            continue
        code = time_men(
            ctx, rules, mirror_base, mirror_offsets, turned_om, turned_pm, base + here, full, clock
        )
        store16(mirror_out, load32(mirror_numbers, there), code)
    return 1


@kernel
def number_groups(ctx: Address, oms: int, pms: int, count: int, numbers: int) -> None:
    """numbers[group number] = i for the groups in the order of the arrays (dense order)."""
    offsets = group_offsets_of(ctx, board_at(ctx, oms, 0), board_at(ctx, pms, 0))
    for i in range(count):
        number = group_among(ctx, offsets, board_at(ctx, oms, i), board_at(ctx, pms, i))
        store32(numbers, number, i)
