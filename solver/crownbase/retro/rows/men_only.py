"""Groups without kings: one position for each side to move, one bit each in the planes.

A group's own bit lies next to those of other groups in the same word, so bits are set by an
operation that other threads do not disturb.
"""

from __future__ import annotations

from typing import Any

from crownbase.board.bits import lowest
from crownbase.jit import Address, kernel
from crownbase.retro.rows.captures import capture_bits, slot
from crownbase.retro.rows.general import capture_board_general
from crownbase.retro.rows.keys import quarter
from crownbase.retro.rows.landing import (
    MAN,
    NO_KINGS,
    NO_PIECE,
    ONE_KING,
    far,
    jump_directions,
    near,
)
from crownbase.retro.rows.rowops import board_at, turn
from crownbase.retro.rows.storage import (
    bit_pair,
    group_among,
    group_offsets_of,
    kingless_bit,
    slice_base,
)
from crownbase.retro.rows.tables import WALL
from crownbase.retro.rows.words import load, set_bits, shift_left

HELD = 1 << 32
CAPTURED = 1 << 1
"""Mark in a pair that is not used by its two bits: the mover can capture."""


@kernel
def man_captures_of(ctx: Address, rules: Any, om: int, pm: int, s: int) -> int:
    """Pair (bits 0 and 32) over the captures of the man on *s*; 0 also if there are none."""
    occupied = om | pm | WALL
    left = om & ~(1 << s)
    pair = 0
    for d in range(jump_directions(rules, False)):
        t = far(ctx, s, d)
        v = near(ctx, s, d)
        if (pm >> v) & 1 and (occupied >> t) & 1 == 0:
            pair |= CAPTURED | capture_bits(ctx, rules, left, NO_PIECE, pm & ~(1 << v), t, MAN)
    return pair


@kernel
def next_to(ctx: Address, om: int, pm: int) -> bool:
    """Whether any of the men om stands next to one of the men pm."""
    rest = om
    while rest:
        if load(ctx.near_sets, lowest(rest)) & pm:
            return True
        rest &= rest - 1
    return False


@kernel
def man_moves(ctx: Address, rules: Any, base: int, offsets: int, om: int, pm: int) -> int:
    """The pair over all moves of the men om against the men pm (and CAPTURED if they can).

    *base*, *offsets*: where the slice with om having just moved lies, and its groups' numbers.
    """
    occupied = om | pm | WALL
    pair = 0
    rest = 0 if rules.general else om
    if rules.general and next_to(ctx, om, pm):
        pair = capture_board_general(ctx, rules, om, NO_PIECE, pm, NO_KINGS, ONE_KING)
        if load(slot(ctx, 0) + quarter(ctx), 0):
            pair |= CAPTURED
    while rest:
        s = lowest(rest)
        rest &= rest - 1
        if load(ctx.near_sets, s) & pm:
            pair |= man_captures_of(ctx, rules, om, pm, s)
    if pair and rules.captures_mandatory:
        return pair
    rest = om
    while rest:
        s = lowest(rest)
        rest &= rest - 1
        left = om & ~(1 << s)
        for d in range(2):
            t = near(ctx, s, d)
            if (occupied >> t) & 1:
                continue
            if t < ctx.width:
                pair |= bit_pair(ctx, kingless_bit(ctx, left, 1 << t, pm))
            else:
                pair |= bit_pair(ctx, base + group_among(ctx, offsets, left | (1 << t), pm))
    return pair


@kernel
def set_men_bits(ctx: Address, target: int, pair: int) -> None:
    """Set the plane bits number *target* of a position whose moves give *pair*."""
    bit = shift_left(1, target & 63)
    if pair & 1 == 0:
        set_bits(ctx.holds, target >> 6, bit)
    if pair & HELD == 0:
        set_bits(ctx.loses, target >> 6, bit)


@kernel
def solve_men_group(
    ctx: Address, rules: Any, om: int, pm: int, bits: int, mirror_bits: int, own_mirror: int
) -> int:
    """Solve a group whose bits are clear, for both sides to move; returns the positions.

    *bits*, *mirror_bits*: where the bits of its slice and of the slice's mirror begin.
    *own_mirror*: they are the same; then a group is left out if its mirror image comes first.
    """
    turned_om = turn(ctx, pm)
    turned_pm = turn(ctx, om)
    offsets = group_offsets_of(ctx, om, pm)
    mirror_offsets = group_offsets_of(ctx, turned_om, turned_pm)
    here = group_among(ctx, offsets, om, pm)
    there = group_among(ctx, mirror_offsets, turned_om, turned_pm)
    if own_mirror and there < here:
        return 0
    pair = man_moves(ctx, rules, bits, offsets, om, pm)
    set_men_bits(ctx, mirror_bits + there, pair)
    if own_mirror and there == here:
        return 1
    pair = man_moves(ctx, rules, mirror_bits, mirror_offsets, turned_om, turned_pm)
    set_men_bits(ctx, bits + here, pair)
    return 2


@kernel
def run_men_groups(
    ctx: Address, rules: Any, oms: int, pms: int, first: int, last: int, own_mirror: int
) -> int:
    """Solve a range of groups for both sides to move; returns the number of positions."""
    if first == last:
        return 0
    om = board_at(ctx, oms, first)
    pm = board_at(ctx, pms, first)
    bits = slice_base(ctx, om, 0, pm, 0) * 8
    mirror_bits = slice_base(ctx, pm, 0, om, 0) * 8
    positions = 0
    for i in range(first, last):
        om = board_at(ctx, oms, i)
        pm = board_at(ctx, pms, i)
        positions += solve_men_group(ctx, rules, om, pm, bits, mirror_bits, own_mirror)
    return positions
