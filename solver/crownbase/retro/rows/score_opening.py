"""The opening of a group for scores: the best move that leaves the group, for every position.

As openings.py, for one side of a group: the row of scores of each placement of own kings gets
the best of captures, moves of men and promotions, 0 where there is none. UNWON becomes the set
of all positions, LOST is empty; QUIET are the positions where king moves count. PRESENT says by
score which rows have it, so that a round looks only where something can begin.
"""

from __future__ import annotations

from typing import Any

from crownbase.board.bits import lowest
from crownbase.jit import Address, kernel
from crownbase.retro.rows.byte_vectors import bequal
from crownbase.retro.rows.captures import slot
from crownbase.retro.rows.general import search_all
from crownbase.retro.rows.landing import ALL, CROWN_ROW_END, ONE_KING, note_jumpers
from crownbase.retro.rows.openings import fill_group_rows, fill_open_rows, list_advances
from crownbase.retro.rows.rowops import clear_row, row_words_of, set_of_rank, sets_of
from crownbase.retro.rows.score_captures import score_captures, score_captures_of_board
from crownbase.retro.rows.score_keys import resolve_scores
from crownbase.retro.rows.scores import ALL_SCORES, DRAW, merge
from crownbase.retro.rows.storage import rank_few
from crownbase.retro.rows.vectors import vload
from crownbase.retro.rows.words import load, load8, store, store8, store32


@kernel
def note_scores(side: Address, r: int, scores: int, exists: int) -> None:
    """Let PRESENT know the 64 scores of row *r*: those that are not draws, where moves are."""
    found = vload(scores, 0)
    decided = exists & ~(bequal(found, 0) | bequal(found, DRAW))
    flags = side.present + (r >> 3)
    step = side.present_bytes
    flag = 1 << (r & 7)
    while decided:
        score = load8(scores, lowest(decided))
        # All that have the same score at once: in a row there are few different ones.
        decided &= ~bequal(found, score)
        place = score * step
        store8(flags, place, load8(flags, place) | flag)


@kernel
def score_man_moves(
    ctx: Address, scores: int, able: int, ok: int, row: int, size: int, shift: int, advances: int
) -> None:
    """Raise 64 scores to those of the group's listed man moves, where *able* has a bit.

    *row*: number of the row, of *size* bytes; *shift*: where in it the 64 scores are.
    """
    listed = ctx.advances
    for j in range(advances):
        t = load(listed, 2 * j + 1)
        place = row
        if t < CROWN_ROW_END:
            if (ok >> t) & 1:
                continue
            place = rank_few(ok | (1 << t))
        merge(scores, load(listed, 2 * j) + place * size + shift, able)


@kernel
def open_score_board(
    ctx: Address, rules: Any, side: Address, r: int, om: int, ok: int, pm: int, advances: int
) -> None:
    """Row *r* of one side for one opposing king."""
    scores = side.scores + r * 32
    exists = ALL & ~(om | pm | ok)
    clear_row(scores, 8)
    if rules.general:
        store(slot(ctx, 0), 0, exists)
        search_all(ctx, rules, om, ok, pm, ONE_KING)
        resolve_scores(ctx, ONE_KING, scores)
    else:
        score_captures_of_board(ctx, rules, scores, om, ok, pm, exists)
    able = exists
    if rules.captures_mandatory:
        able &= bequal(vload(scores, 0), 0)
    if able:
        score_man_moves(ctx, scores, able, ok, r, 32, 0, advances)
    store32(side.unwon, r, exists)
    store32(side.quiet, r, able)
    store32(side.lost, r, 0)
    note_scores(side, r, scores, exists)


@kernel
def open_score_row(
    ctx: Address,
    rules: Any,
    side: Address,
    r: int,
    om: int,
    ok: int,
    pm: int,
    b: int,
    advances: int,
) -> None:
    """Row *r* of one side for b >= 2 opposing kings."""
    words = row_words_of(ctx, b)
    scores = side.scores + r * words * 64
    fill_open_rows(ctx, ok, b)
    clear_row(scores, 8 * words)
    if rules.general:
        search_all(ctx, rules, om, ok, pm, b)
        resolve_scores(ctx, b, scores)
    else:
        score_captures(ctx, rules, scores, om, ok, pm, b)
    for w in range(words):
        exists = load(slot(ctx, 0), w)
        able = exists
        if rules.captures_mandatory:
            able &= bequal(vload(scores, 8 * w), 0)
        if able:
            shift = w * 64
            score_man_moves(ctx, scores + shift, able, ok, r, words * 64, shift, advances)
        store(side.unwon, r * words + w, exists)
        store(side.quiet, r * words + w, able)
        store(side.lost, r * words + w, 0)
        note_scores(side, r, scores + w * 64, exists)


@kernel
def blank_score_row(ctx: Address, side: Address, r: int, b: int) -> None:
    """Row *r* when an own king stands on a man: no positions."""
    if b == 1:
        clear_row(side.scores + r * 32, 8)
        store32(side.unwon, r, 0)
        store32(side.quiet, r, 0)
        store32(side.lost, r, 0)
        return
    words = row_words_of(ctx, b)
    clear_row(side.scores + r * words * 64, 8 * words)
    for plane in (side.unwon, side.quiet, side.lost):
        clear_row(plane + r * words * 8, words)


@kernel
def open_scores(ctx: Address, rules: Any, side: Address, om: int, pm: int, k: int, b: int) -> None:
    """Work planes of one side of a group before any king move, b >= 1."""
    men = om | pm
    clear_row(side.present, ALL_SCORES * side.present_bytes >> 3)
    note_jumpers(ctx, rules, om, pm)
    if b >= 2:
        fill_group_rows(ctx, men, b)
    advances = list_advances(ctx, om, pm, k, b)
    for r in range(sets_of(ctx, k)):
        ok = set_of_rank(ctx, k, r)
        if ok & men:
            blank_score_row(ctx, side, r, b)
        elif b == 1:
            open_score_board(ctx, rules, side, r, om, ok, pm, advances)
        else:
            open_score_row(ctx, rules, side, r, om, ok, pm, b, advances)
