"""Scores of groups in which one side, or both, have no kings: no rounds (see lone.py).

The side without kings goes first: all its moves leave the group, so its one row of scores is
final when it is open. The side with kings comes next, placement by placement: its king moves
lead to that row.
"""

from __future__ import annotations

from typing import Any

from crownbase.board.bits import lowest
from crownbase.jit import Address, kernel
from crownbase.retro.rows.byte_vectors import bequal, bpass, bspread
from crownbase.retro.rows.captures import slot
from crownbase.retro.rows.general import search_all
from crownbase.retro.rows.landing import (
    CROWN_ROW_END,
    KING,
    MAN,
    NO_KINGS,
    NO_PIECE,
    far,
    jump_directions,
    near,
    note_jumpers,
)
from crownbase.retro.rows.openings import list_advances
from crownbase.retro.rows.rowops import clear_row, row_words_of, set_of_rank, sets_of
from crownbase.retro.rows.score_captures import capture_score, score_slot
from crownbase.retro.rows.score_keys import resolve_scores
from crownbase.retro.rows.score_opening import open_scores
from crownbase.retro.rows.scores import DRAW, TOO_FAR, TOO_LONG
from crownbase.retro.rows.storage import block, rank_few
from crownbase.retro.rows.tables import RAY_START, WALL
from crownbase.retro.rows.vectors import vand, vload, vstore
from crownbase.retro.rows.words import load, load8, load32, store, store8, turn32


@kernel
def passed(score: int) -> int:
    """A position's own score as the score of the move that leads to it, one ply more."""
    if score > DRAW:
        return 256 - score
    return 255 - score if score < DRAW else DRAW


@kernel
def captures_from(ctx: Address, rules: Any, om: int, ok: int, pm: int, s: int, is_king: int) -> int:
    """The best capture of the piece on *s*, the opponent having men only; 0 if there is none."""
    best = 0
    om &= ~(1 << s)
    ok &= ~(1 << s)
    occupied = om | ok | pm | WALL
    for d in range(jump_directions(rules, is_king)):
        t = far(ctx, s, d)
        v = near(ctx, s, d)
        if (pm >> v) & 1 and (occupied >> t) & 1 == 0:
            left = pm & ~(1 << v)
            best = max(best, capture_score(ctx, rules, om, ok, left, t, is_king))
    return best


@kernel
def captures_of_all(ctx: Address, rules: Any, om: int, ok: int, pm: int, men: int) -> int:
    """The best capture by the *men* (some of om) and all kings against men; 0 = none."""
    if rules.general:
        found = score_slot(ctx, NO_KINGS)
        clear_row(found, 8)
        store(slot(ctx, 0), 0, 1)
        search_all(ctx, rules, om, ok, pm, NO_KINGS)
        resolve_scores(ctx, NO_KINGS, found)
        return load8(found, 0)
    best = 0
    rest = men
    while rest:
        best = max(best, captures_from(ctx, rules, om, ok, pm, lowest(rest), MAN))
        rest &= rest - 1
    rest = ok & ctx.king_jumpers
    while rest:
        best = max(best, captures_from(ctx, rules, om, ok, pm, lowest(rest), KING))
        rest &= rest - 1
    return best


@kernel
def jumping_men(ctx: Address, rules: Any, om: int, pm: int) -> int:
    """The men of *om* next to a man of *pm* that they could take if no king is in the way."""
    occupied = om | pm | WALL
    men = 0
    rest = om
    while rest:
        s = lowest(rest)
        rest &= rest - 1
        for d in range(jump_directions(rules, MAN)):
            if (pm >> near(ctx, s, d)) & 1 and (occupied >> far(ctx, s, d)) & 1 == 0:
                men |= 1 << s
    return men


@kernel
def score_of_advances(ctx: Address, ok: int, place: int, advances: int) -> int:
    """The best man move to a position without opposing kings; *place*: rank of the turned ok."""
    listed = ctx.advances
    best = 0
    for j in range(advances):
        t = load(listed, 2 * j + 1)
        if (ok >> t) & 1:
            continue
        at = rank_few(turn32(ok | (1 << t))) if t < CROWN_ROW_END else place
        best = max(best, load8(load(listed, 2 * j), at))
    return best


@kernel
def score_of_king_moves(ctx: Address, rules: Any, men: int, k: int, r: int, row: int) -> int:
    """The best king move of the placement *r* of kings among *men*: its score is in *row*."""
    start = load(ctx.step_start, k)
    target = load(ctx.step_target, k)
    square = load(ctx.step_square, k)
    best = 0
    shut = False
    for i in range(load32(start, r), load32(start, r + 1)):
        if rules.flying_kings:
            mark = load32(square, i)
            if mark >= RAY_START:
                shut = False
            if shut or (men >> (mark & (RAY_START - 1))) & 1:
                shut = True
                continue
        best = max(best, load8(row, load32(target, i)))
    return best


@kernel
def score_king_side(ctx: Address, rules: Any, om: int, pm: int, k: int, target: int) -> int:
    """Side with men om and k kings against men pm, which are solved: scores to *target*.

    Returns 0, TOO_FAR if a loss takes too long.
    """
    men = om | pm
    note_jumpers(ctx, rules, om, pm)
    advances = list_advances(ctx, om, pm, k, NO_KINGS)
    jumpers = jumping_men(ctx, rules, om, pm)
    turned = load(ctx.turned, k)
    row = score_slot(ctx, k)
    solved = block(ctx, om, pm, k, 0)
    for r in range(sets_of(ctx, k)):
        store8(row, r, load8(solved, load32(turned, r)))
    for r in range(sets_of(ctx, k)):
        ok = set_of_rank(ctx, k, r)
        if ok & men:
            continue
        place = load32(turned, r)
        best = 0
        if rules.flying_kings or jumpers or ok & ctx.king_jumpers:
            best = captures_of_all(ctx, rules, om, ok, pm, jumpers)
        if best == 0 or not rules.captures_mandatory:
            best = max(best, score_of_advances(ctx, ok, place, advances))
            best = max(best, score_of_king_moves(ctx, rules, men, k, r, row))
        if best == TOO_LONG:
            return TOO_FAR
        store8(target, place, passed(best))
    return 0


@kernel
def score_kingless_side(ctx: Address, rules: Any, side: Address, om: int, pm: int, b: int) -> int:
    """Side with men om only against men pm and b kings: scores to its block.

    Returns 0, TOO_FAR if a loss takes too long.
    """
    open_scores(ctx, rules, side, om, pm, NO_KINGS, b)
    target = block(ctx, turn32(pm), turn32(om), b, 0)
    scores = side.scores
    too_far = 0
    for w in range(row_words_of(ctx, b)):
        exists = load32(side.unwon, 0) if b == 1 else load(side.unwon, w)
        found = vload(scores, 8 * w)
        too_far |= exists & bequal(found, TOO_LONG)
        vstore(target, 8 * w, vand(bpass(found), bspread(exists)))
    return TOO_FAR if too_far else 0


@kernel
def score_lone_group(ctx: Address, rules: Any, side: Address, om: int, pm: int, k: int) -> int:
    """A group in which the side with the men *om* has no kings and the other has k."""
    failed = score_kingless_side(ctx, rules, side, om, pm, k)
    if failed == 0:
        target = block(ctx, om, pm, 0, k)
        failed = score_king_side(ctx, rules, turn32(pm), turn32(om), k, target)
    return failed


@kernel
def score_men(ctx: Address, rules: Any, om: int, pm: int) -> int:
    """The score of a position with men only."""
    jumpers = jumping_men(ctx, rules, om, pm)
    best = 0
    if jumpers:
        best = captures_of_all(ctx, rules, om, NO_PIECE, pm, jumpers)
        if rules.captures_mandatory:
            return best
    advances = list_advances(ctx, om, pm, NO_KINGS, NO_KINGS)
    return max(best, score_of_advances(ctx, NO_PIECE, 0, advances))
