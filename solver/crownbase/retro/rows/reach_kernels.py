"""Solving some of a slice's groups, and reading values of those that are solved."""

from __future__ import annotations

from typing import Any, NamedTuple

from crownbase.board.bits import popcount
from crownbase.jit import Address, kernel
from crownbase.retro.rows.dense import place_bit, value_of
from crownbase.retro.rows.group import solve_group
from crownbase.retro.rows.lone import solve_lone_group
from crownbase.retro.rows.men_only import solve_men_group
from crownbase.retro.rows.records import ContextWords
from crownbase.retro.rows.rowops import is_stopped, row_bits, turn
from crownbase.retro.rows.storage import COUNT_BASE, group_number, rank_few, slice_base
from crownbase.retro.rows.tables import PACKED_BOARD
from crownbase.retro.rows.words import load, load8, store8

NOT_SOLVED = 2
"""What `solved_value` says of a position in a group that is not solved."""
NOTHING_SOLVED = Address(0, PACKED_BOARD, ContextWords)
"""The context of nobody, where nothing is solved; it must not be read."""
ADVANCED, OWN, POSITIONS, GROUPS, GIVEN_UP, OWN_MEN, OPP_MEN = range(7)
"""Slots of a cursor: rows advanced by the own men, their placement among those; work so far;
whether a group was given up (`is_stopped`), and its men."""
CURSOR = 8


class MenSets(NamedTuple):
    """Placements of one side's men by rows advanced: those with r rows are men[first[r]:..]."""

    men: Any  # int64[n]
    first: Any  # int64[rows + 1]


@kernel
def solved_place(ctx: Address, om: int, k: int, pm: int, b: int) -> int:
    """Address of the byte that tells whether a group, own having just moved, is solved.

    0 if its slice is not among those that can be.
    """
    men = (popcount(om) * COUNT_BASE + k) * COUNT_BASE + popcount(pm)
    base = load(ctx.solved_base, men * COUNT_BASE + b)
    return 0 if base < 0 else ctx.solved + base + group_number(ctx, om, pm)


@kernel
def solve_one(
    ctx: Address,
    rules: Any,
    one: Address,
    two: Address,
    om: int,
    pm: int,
    k: int,
    b: int,
    mirror: int,
) -> int:
    """Solve a group of any kind with the work planes for its kings; returns the positions."""
    if k > 0 and b > 0:
        return solve_group(ctx, rules, one, two, om, pm, k, b, mirror)
    if b > 0:
        return solve_lone_group(ctx, rules, one, om, pm, b)
    if k > 0:
        return solve_lone_group(ctx, rules, one, turn(ctx, pm), turn(ctx, om), k)
    bits = slice_base(ctx, om, 0, pm, 0) * 8
    mirror_bits = slice_base(ctx, pm, 0, om, 0) * 8
    return solve_men_group(ctx, rules, om, pm, bits, mirror_bits, 0)


@kernel
def solve_level(
    ctx: Address,
    rules: Any,
    one: Address,
    two: Address,
    own: MenSets,
    opp: MenSets,
    k: int,
    b: int,
    mirror: int,
    level: int,
    most: int,
    cursor: Any,
) -> bool:
    """Solve the groups whose men have advanced *level* rows in all; whether that is done.

    Returns after about *most* positions, or when it is stopped, to go on where *cursor*
    (int64[CURSOR]) says. *mirror*: the slice is its own colour mirror.
    """
    last = len(own.first) - 2
    until = cursor[POSITIONS] + most
    while cursor[ADVANCED] <= last:
        rows = cursor[ADVANCED]
        if 0 <= level - rows < len(opp.first) - 1:
            while own.first[rows] + cursor[OWN] < own.first[rows + 1]:
                om = own.men[own.first[rows] + cursor[OWN]]
                cursor[OWN] += 1
                for j in range(opp.first[level - rows], opp.first[level - rows + 1]):
                    pm = opp.men[j]
                    if om & pm:
                        continue
                    place = solved_place(ctx, om, k, pm, b)
                    if load8(place, 0):
                        continue
                    positions = solve_one(ctx, rules, one, two, om, pm, k, b, mirror)
                    if is_stopped(ctx):
                        cursor[OWN] -= 1
                        cursor[GIVEN_UP], cursor[OWN_MEN], cursor[OPP_MEN] = 1, om, pm
                        return False
                    cursor[POSITIONS] += positions
                    cursor[GROUPS] += 1
                    store8(place, 0, 1)
                    store8(solved_place(ctx, turn(ctx, pm), b, turn(ctx, om), k), 0, 1)
                if cursor[POSITIONS] >= until:
                    return False
        cursor[ADVANCED] += 1
        cursor[OWN] = 0
    return True


@kernel
def count_unsolved(ctx: Address, own: MenSets, opp: MenSets, k: int, b: int, sample: int) -> int:
    """How many groups of a slice are not solved, from *sample* placements of each side's men."""
    own_step = len(own.men) // sample + 1
    opp_step = len(opp.men) // sample + 1
    count = 0
    for i in range(own_step >> 1, len(own.men), own_step):
        for j in range(opp_step >> 1, len(opp.men), opp_step):
            om, pm = own.men[i], opp.men[j]
            if om & pm == 0 and load8(solved_place(ctx, om, k, pm, b), 0) == 0:
                count += 1
    return count * own_step * opp_step


@kernel
def solved_value(ctx: Address, om: int, ok: int, pm: int, pk: int) -> int:
    """-1 / 0 / +1 for the side to move, or ``NOT_SOLVED``; for a position of any kind."""
    k, b = popcount(ok), popcount(pk)
    place = solved_place(ctx, turn(ctx, pm), b, turn(ctx, om), k)
    if place == 0 or load8(place, 0) == 0:
        return NOT_SOLVED
    bit = place_bit(ctx, om, pm, k, b)
    if k == 0:
        bit += rank_few(pk)
    else:
        bit += rank_few(turn(ctx, pk)) * row_bits(ctx, k) + rank_few(turn(ctx, ok))
    return value_of(ctx.loses, ctx.holds, bit)
