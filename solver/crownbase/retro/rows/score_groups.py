"""One group with kings on both sides: scores from the opening to the planes."""

from __future__ import annotations

from typing import Any

from crownbase.board.bits import lowest
from crownbase.jit import Address, kernel
from crownbase.retro.rows.byte_vectors import babove, bpass, bspread
from crownbase.retro.rows.landing import ALL
from crownbase.retro.rows.rowops import row_words_of, sets_of
from crownbase.retro.rows.score_opening import open_scores
from crownbase.retro.rows.score_rounds import run_score_rounds
from crownbase.retro.rows.scores import DRAW, TOO_FAR, block_bytes, put_score, scores_in_row
from crownbase.retro.rows.storage import block
from crownbase.retro.rows.vectors import vand, vandnot, vload, vor, vstore
from crownbase.retro.rows.words import load, load8, load32, store8, turn32


@kernel
def finish_scores(side: Address, at: int, unwon: int, lost: int, real: int) -> int:
    """Make 64 scores final and pass them on, in place; returns which of *real* are positions."""
    scores = side.scores + at
    put_score(scores, DRAW, unwon & ~lost)
    exists = (unwon | babove(vload(scores, 0), DRAW)) & real
    chosen = bspread(exists)
    passed = vand(bpass(vload(scores, 0)), chosen)
    vstore(scores, 0, vor(vandnot(vload(scores, 0), chosen), passed))
    return exists


@kernel
def scatter_scores(scores: int, bits: int, target: int, turned: int, first: int, size: int) -> None:
    """target[turned[first + i] * size] = scores[i] for every i of *bits*."""
    while bits:
        i = lowest(bits)
        bits &= bits - 1
        store8(target, load32(turned, first + i) * size, load8(scores, i))


@kernel
def keep_scores(ctx: Address, side: Address, k: int, b: int, target: int) -> None:
    """Write the scores of one side to the block at *target*, where rows and bytes change places.

    As transpose.py does with bits: block[turned[j]][turned[r]] = scores[r][j].
    """
    size = scores_in_row(ctx, k)
    turned_k = load(ctx.turned, k)
    turned_b = load(ctx.turned, b)
    words = row_words_of(ctx, b)
    for r in range(sets_of(ctx, k)):
        place = target + load32(turned_k, r)
        if b == 1:
            unwon = load32(side.unwon, r)
            exists = finish_scores(side, r * 32, unwon, load32(side.lost, r), ALL)
            scatter_scores(side.scores + r * 32, exists, place, turned_b, 0, size)
            continue
        for w in range(words):
            at = r * words + w
            unwon = load(side.unwon, at)
            exists = finish_scores(side, at * 64, unwon, load(side.lost, at), -1)
            scatter_scores(side.scores + at * 64, exists, place, turned_b, w * 64, size)


@kernel
def score_group(
    ctx: Address,
    rules: Any,
    one: Address,
    two: Address,
    om: int,
    pm: int,
    k: int,
    b: int,
    alone: int,
) -> int:
    """Solve one group, k >= 1 and b >= 1; returns the last round, TOO_FAR if too long.

    *alone*: the group is its own mirror, there is only the first side.
    """
    here = 0
    there = 0 if alone else block_bytes(ctx, k, b) >> 3
    open_scores(ctx, rules, one, om, pm, k, b)
    if alone == 0:
        open_scores(ctx, rules, two, turn32(pm), turn32(om), b, k)
    last = run_score_rounds(ctx, rules, one, two, om | pm, k, b, here, there, alone)
    if last != TOO_FAR:
        keep_scores(ctx, one, k, b, block(ctx, turn32(pm), turn32(om), b, k))
        if alone == 0:
            keep_scores(ctx, two, b, k, block(ctx, om, pm, k, b))
    return last
