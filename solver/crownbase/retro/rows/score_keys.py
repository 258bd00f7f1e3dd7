"""Scores collected by capture key, for the general search (see general.py and keys.py).

Each key has a row of scores over all opposing kings, raised wherever a capture with it ends. When
all own pieces are done, a placement gets the score of the best key that it has.
"""

from __future__ import annotations

from crownbase.board.bits import lowest, popcount
from crownbase.jit import Address, kernel
from crownbase.retro.rows.byte_vectors import bequal, bmax, bspread
from crownbase.retro.rows.context import MAX_KEYS
from crownbase.retro.rows.rowops import clear_row, row_words_of
from crownbase.retro.rows.scores import (
    WIN_NOW,
    joined_rank,
    kingless_score,
    merge,
    raise_byte,
    scores_in_row,
)
from crownbase.retro.rows.storage import block, rank_few
from crownbase.retro.rows.vectors import vand, vload, vstore
from crownbase.retro.rows.words import load, load8, load32, store


@kernel
def find_key_scores(ctx: Address, key: int) -> int:
    """Address of the row of scores of a key, a clear one if it is new."""
    keys = ctx.keys
    count = ctx.key_count
    rows = ctx.score_keys
    size = ctx.score_slot_bytes
    for i in range(count):
        if load(keys, i) == key:
            return rows + i * size
    store(keys, count, key)
    ctx.key_count = min(count + 1, MAX_KEYS - 1)
    clear_row(rows + count * size, 8 * row_words_of(ctx, ctx.full_kings))
    return rows + count * size


@kernel
def rank_with(ctx: Address, n: int, rank: int, squares: int) -> int:
    """The rank of a set of *n* kings, given by its rank, with kings on all *squares* added."""
    while squares:
        n += 1
        rank = load32(joined_rank(ctx, n, lowest(squares)), rank)
        squares &= squares - 1
    return rank


@kernel
def end_scores(
    ctx: Address, ends: int, om: int, ok: int, pm: int, n: int, taken: int, key: int
) -> None:
    """A capture ends for the placements *ends* of n kings; *taken*: squares of the others."""
    scores = find_key_scores(ctx, key)
    if n == 0:
        found = WIN_NOW if pm == 0 else kingless_score(ctx, om, ok, pm)
        raise_byte(scores, rank_with(ctx, 0, 0, taken), found)
        return
    row = block(ctx, om, pm, popcount(ok), n) + rank_few(ok) * scores_in_row(ctx, n)
    for w in range(row_words_of(ctx, n)):
        bits = load(ends, w)
        if taken == 0 and bits:
            merge(scores + w * 64, row + w * 64, bits)
            continue
        while bits:
            r = w * 64 + lowest(bits)
            bits &= bits - 1
            raise_byte(scores, rank_with(ctx, n, r, taken), load8(row, r))


@kernel
def resolve_scores(ctx: Address, n: int, scores: int) -> None:
    """Raise the clear row *scores* to what the best key of each placement says."""
    keys = ctx.keys
    for _ in range(ctx.key_count):
        best = 0
        for i in range(1, ctx.key_count):
            if load(keys, i) > load(keys, best):
                best = i
        store(keys, best, -1)
        row = ctx.score_keys + best * ctx.score_slot_bytes
        for w in range(0, 8 * row_words_of(ctx, n), 8):
            before = vload(scores, w)
            fresh = vand(vload(row, w), bspread(bequal(before, 0)))
            vstore(scores, w, bmax(before, fresh))
    ctx.key_count = 0
