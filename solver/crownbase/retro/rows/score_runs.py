"""Entry kernels for scores: solve a range of groups, and copy them from and to value codes."""

from __future__ import annotations

from typing import Any

from crownbase.board.bits import lowest
from crownbase.jit import Address, kernel
from crownbase.retro.rows.rowops import (
    full_row,
    row_words_of,
    set_of_rank,
    sets_of,
    without_squares,
)
from crownbase.retro.rows.score_groups import score_group
from crownbase.retro.rows.score_lone import passed, score_lone_group, score_men
from crownbase.retro.rows.scores import DRAW, TOO_FAR, TOO_LONG, WIN_NOW, scores_in_row
from crownbase.retro.rows.storage import block, group_among, group_offsets_of
from crownbase.retro.rows.words import load, load8, load16, load32, store8, store16, turn32


@kernel
def score_of_code(code: int) -> int:
    """The score of a move to a position with this value code, which is short enough."""
    if code == 0:
        return DRAW
    return WIN_NOW - (~code >> 1) if code < 0 else (code + 1) >> 1


@kernel
def code_of_score(score: int) -> int:
    """The value code of a position, from the score of the moves that lead to it."""
    if score == DRAW:
        return 0
    return ~(2 * (WIN_NOW - score)) if score > DRAW else 2 * score - 1


@kernel
def copy_code(place: int, codes: int, at: int, inward: int) -> None:
    """One position between its byte of score and its code."""
    if inward:
        store8(place, 0, score_of_code(load16(codes, at)))
    else:
        store16(codes, at, code_of_score(load8(place, 0)))


@kernel
def copy_score_group(
    ctx: Address, om: int, pm: int, k: int, b: int, codes: int, at: int, inward: int
) -> None:
    """One group between the planes and the codes from codes[at] on, in dense order.

    The opposing kings vary slowest, the own kings fastest (see dense.py); *om*, *pm*: the men
    seen from the mover.
    """
    men = om | pm
    first = block(ctx, turn32(pm), turn32(om), b, k)
    if k == 0:
        # The one row of a side without kings is in the mover's frame.
        for r in range(sets_of(ctx, b)):
            if set_of_rank(ctx, b, r) & men == 0:
                copy_code(first + r, codes, at, inward)
                at += 1
        return
    turned_b = load(ctx.turned, b)
    turned_k = load(ctx.turned, k)
    size = scores_in_row(ctx, k)
    open_own = ctx.group_rows
    allowed = ctx.row_a
    full_row(ctx, open_own, k)
    without_squares(ctx, open_own, open_own, k, men)
    for r in range(sets_of(ctx, b)):
        pk = set_of_rank(ctx, b, r)
        if pk & men:
            continue
        row = first + load32(turned_b, r) * size
        without_squares(ctx, allowed, open_own, k, pk)
        for w in range(row_words_of(ctx, k)):
            rest = load(allowed, w)
            while rest:
                place = row + load32(turned_k, w * 64 + lowest(rest))
                rest &= rest - 1
                copy_code(place, codes, at, inward)
                at += 1


@kernel
def copy_score_groups(
    ctx: Address, oms: int, pms: int, first: int, last: int, k: int, b: int, size: int, codes: int,
    inward: int,
) -> int:  # fmt: skip
    """A range of groups in dense order, of *size* positions each."""
    for i in range(first, last):
        copy_score_group(ctx, load32(oms, i), load32(pms, i), k, b, codes, i * size, inward)
    return 0


@kernel
def score_groups(
    ctx: Address, rules: Any, one: Address, two: Address, oms: int, pms: int, first: int, last: int,
    k: int, b: int, own_mirror: int,
) -> int:  # fmt: skip
    """Groups with kings on both sides; returns 0, TOO_FAR if a distance is too long."""
    offsets = group_offsets_of(ctx, load32(oms, first), load32(pms, first))
    for i in range(first, last):
        om = load32(oms, i)
        pm = load32(pms, i)
        alone = 0
        if own_mirror:
            here = group_among(ctx, offsets, om, pm)
            there = group_among(ctx, offsets, turn32(pm), turn32(om))
            if there < here:
                continue
            alone = 1 if there == here else 0
        if score_group(ctx, rules, one, two, om, pm, k, b, alone) == TOO_FAR:
            return TOO_FAR
    return 0


@kernel
def score_lone_groups(
    ctx: Address, rules: Any, side: Address, oms: int, pms: int, first: int, last: int, k: int
) -> int:
    """Groups in which the side with the men *oms* has no kings; returns as `score_groups`."""
    for i in range(first, last):
        failed = score_lone_group(ctx, rules, side, load32(oms, i), load32(pms, i), k)
        if failed:
            return failed
    return 0


@kernel
def score_men_group(ctx: Address, rules: Any, om: int, pm: int) -> int:
    """One position of men only, those of *om* to move; returns as `score_groups`."""
    score = score_men(ctx, rules, om, pm)
    store8(block(ctx, turn32(pm), turn32(om), 0, 0), 0, passed(score))
    return TOO_FAR if score == TOO_LONG else 0


@kernel
def score_men_groups(
    ctx: Address, rules: Any, oms: int, pms: int, first: int, last: int, own_mirror: int
) -> int:
    """Groups of men, both sides to move (if *own_mirror*, the other side is a group as well)."""
    failed = 0
    for i in range(first, last):
        om = load32(oms, i)
        pm = load32(pms, i)
        failed |= score_men_group(ctx, rules, om, pm)
        if own_mirror == 0:
            failed |= score_men_group(ctx, rules, turn32(pm), turn32(om))
    return failed
