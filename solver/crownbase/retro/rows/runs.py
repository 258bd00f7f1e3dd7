"""Entry kernels: solve a range of groups. One call runs without the interpreter lock."""

from __future__ import annotations

from typing import Any

from crownbase.jit import Address, kernel
from crownbase.retro.rows.group import solve_group
from crownbase.retro.rows.lone import solve_lone_group
from crownbase.retro.rows.rowops import board_at, turn
from crownbase.retro.rows.storage import group_number


@kernel
def comes_later(ctx: Address, om: int, pm: int) -> int:
    """In a slice that is its own mirror: whether the group's mirror image is solved instead."""
    return group_number(ctx, turn(ctx, pm), turn(ctx, om)) < group_number(ctx, om, pm)


@kernel
def run_groups(
    ctx: Address,
    rules: Any,
    one: Address,
    two: Address,
    oms: int,
    pms: int,
    first: int,
    last: int,
    k: int,
    b: int,
    own_mirror: int,
) -> int:
    """Groups with kings on both sides; returns the number of positions."""
    positions = 0
    for i in range(first, last):
        om = board_at(ctx, oms, i)
        pm = board_at(ctx, pms, i)
        if own_mirror and comes_later(ctx, om, pm):
            continue
        positions += solve_group(ctx, rules, one, two, om, pm, k, b, own_mirror)
    return positions


@kernel
def run_lone_groups(
    ctx: Address, rules: Any, side: Address, oms: int, pms: int, first: int, last: int, k: int
) -> int:
    """Groups in which the side with the men *oms* has no kings and the other has *k*."""
    positions = 0
    for i in range(first, last):
        positions += solve_lone_group(
            ctx, rules, side, board_at(ctx, oms, i), board_at(ctx, pms, i), k
        )
    return positions
