"""Entry kernels: solve a range of groups. One call runs without the interpreter lock."""

from __future__ import annotations

from typing import Any

from crownbase.jit import kernel
from crownbase.retro.rows.group import solve_group
from crownbase.retro.rows.lone import solve_lone_group
from crownbase.retro.rows.storage import group_number
from crownbase.retro.rows.words import load32, turn32


@kernel
def comes_later(ctx: int, om: int, pm: int) -> int:
    """In a slice that is its own mirror: whether the group's mirror image is solved instead."""
    return group_number(ctx, turn32(pm), turn32(om)) < group_number(ctx, om, pm)


@kernel
def run_groups(
    ctx: int,
    rules: Any,
    sides: int,
    side_bytes: int,
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
        om = load32(oms, i)
        pm = load32(pms, i)
        if own_mirror and comes_later(ctx, om, pm):
            continue
        positions += solve_group(ctx, rules, sides, side_bytes, om, pm, k, b, own_mirror)
    return positions


@kernel
def run_lone_groups(
    ctx: int, rules: Any, side: int, oms: int, pms: int, first: int, last: int, k: int
) -> int:
    """Groups in which the side with the men *oms* has no kings and the other has *k*."""
    positions = 0
    for i in range(first, last):
        positions += solve_lone_group(ctx, rules, side, load32(oms, i), load32(pms, i), k)
    return positions
