"""Groups without kings: one position for each side to move, one bit each in the planes.

A group's own bit lies next to those of other groups in the same word, so slices without kings
are solved by one thread.
"""

from __future__ import annotations

from typing import Any

from crownbase.board.bits import lowest
from crownbase.jit import kernel
from crownbase.retro.rows.captures import capture_bits
from crownbase.retro.rows.context import HOLDS, LOSES
from crownbase.retro.rows.landing import MAN, NO_PIECE, PAIR, far, jump_directions, near
from crownbase.retro.rows.storage import bit_pair, group_number, kingless_bit, slice_base
from crownbase.retro.rows.tables import WALL
from crownbase.retro.rows.words import load, shift_left, store, turn32


@kernel
def man_moves(ctx: int, rules: Any, om: int, pm: int) -> int:
    """The pair (bits 0 and 32) over all moves of the own men against men only."""
    occupied = om | pm | WALL
    pair = 0
    jumped = False
    rest = om
    while rest:
        s = lowest(rest)
        rest &= rest - 1
        for d in range(jump_directions(rules, False)):
            t = far(ctx, s, d)
            v = near(ctx, s, d)
            if (pm >> v) & 1 and (occupied >> t) & 1 == 0:
                jumped = True
                left = om & ~(1 << s)
                pair |= capture_bits(ctx, rules, left, NO_PIECE, pm & ~(1 << v), t, MAN)
    if jumped and rules.captures_mandatory:
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
            if t < 4:
                pair |= bit_pair(ctx, kingless_bit(ctx, left, 1 << t, pm))
            else:
                pair |= bit_pair(ctx, kingless_bit(ctx, left | (1 << t), NO_PIECE, pm))
    return pair


@kernel
def set_plane_bit(plane: int, bit: int) -> None:
    """Set one bit of a plane."""
    word = bit >> 6
    store(plane, word, load(plane, word) | shift_left(1, bit & 63))


@kernel
def solve_men_side(ctx: int, rules: Any, om: int, pm: int) -> None:
    """Solve one position: the men om to move against pm."""
    pair = man_moves(ctx, rules, om, pm)
    mover, other = turn32(pm), turn32(om)
    bit = slice_base(ctx, mover, 0, other, 0) * 8 + group_number(ctx, mover, other)
    if pair & 1 == 0:
        set_plane_bit(load(ctx, HOLDS), bit)
    if pair & (PAIR ^ 1) == 0:
        set_plane_bit(load(ctx, LOSES), bit)


@kernel
def solve_men_group(ctx: int, rules: Any, om: int, pm: int) -> int:
    """Solve the group for both sides to move; returns the number of positions."""
    solve_men_side(ctx, rules, om, pm)
    if om == turn32(pm):
        return 1
    solve_men_side(ctx, rules, turn32(pm), turn32(om))
    return 2
