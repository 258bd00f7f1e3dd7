"""What the king moves of a row reach in the other side's block, one plane (see score_rounds.py)."""

from __future__ import annotations

from typing import Any

from crownbase.jit import Address, kernel
from crownbase.retro.rows.landing import ALL
from crownbase.retro.rows.rowops import row_containing, row_words_of
from crownbase.retro.rows.tables import RAY_START
from crownbase.retro.rows.vectors import vand, vandnot, vfill, vload, vor
from crownbase.retro.rows.words import load, load32


@kernel
def reached_vector(
    ctx: Address, rules: Any, men: int, k: int, r: int, b: int, plane: int, w: int
) -> Any:
    """Union of what king moves of row *r* reach in the block at *plane*, from word *w* on.

    Flying kings as in `group.fly_vector`: the running set loses the opposing kings passed.
    """
    size = row_words_of(ctx, b) * 8
    start = load(ctx.step_start, k)
    target = load(ctx.step_target, k)
    square = load(ctx.step_square, k)
    reached = vfill(0)
    run = vfill(-1)
    shut = False
    for i in range(load32(start, r), load32(start, r + 1)):
        there = vload(plane + load32(target, i) * size, w)
        if rules.flying_kings:
            mark = load32(square, i)
            t = mark & (RAY_START - 1)
            if mark >= RAY_START:
                run = vfill(-1)
                shut = False
            if shut or (men >> t) & 1:
                shut = True
                continue
            there = vand(there, run)
            run = vandnot(run, vload(row_containing(ctx, b, t), w))
        reached = vor(reached, there)
    return reached


@kernel
def score_king_rows(
    ctx: Address, rules: Any, side: Address, men: int, k: int, r: int, b: int, plane: int, w: int
) -> Any:
    """`reached_vector` where king moves count."""
    quiet = vload(side.quiet + r * row_words_of(ctx, b) * 8, w)
    return vand(reached_vector(ctx, rules, men, k, r, b, plane, w), quiet)


@kernel
def reached_board(ctx: Address, rules: Any, men: int, k: int, r: int, plane: int) -> int:
    """`reached_vector` for b = 1."""
    start = load(ctx.step_start, k)
    target = load(ctx.step_target, k)
    square = load(ctx.step_square, k)
    reached = 0
    run = ALL
    shut = False
    for i in range(load32(start, r), load32(start, r + 1)):
        there = load32(plane, load32(target, i))
        if rules.flying_kings:
            mark = load32(square, i)
            t = mark & (RAY_START - 1)
            if mark >= RAY_START:
                run = ALL
                shut = False
            if shut or (men >> t) & 1:
                shut = True
                continue
            there &= run
            run &= ~(1 << t)
        reached |= there
    return reached
