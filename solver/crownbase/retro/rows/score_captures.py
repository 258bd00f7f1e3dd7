"""Captures over rows of scores: as captures.py, with a byte instead of two bits for a result.

Three searches, by the number n of opposing kings that are left: `capture_score` (0) returns one
score, `score_board` (1) and `score_row` (2 and more) raise the bytes of a row of scores. Which
bytes, a set of placements says: a board for one king, else the row of bits in a slot. A search
that takes a man goes on with the same row of scores; one that takes a king fills a row for n - 1
kings first, whose bytes then go to the places with the taken king.
"""

from __future__ import annotations

from typing import Any

from crownbase.board.bits import lowest, popcount
from crownbase.jit import Address, kernel
from crownbase.retro.rows.captures import open_row, slot
from crownbase.retro.rows.landing import (
    ALL,
    CROWN_ROW_END,
    FIRST_SLOT,
    KING,
    MAN,
    far,
    jump_directions,
    near,
)
from crownbase.retro.rows.rowops import (
    add_row,
    clear_row,
    expand,
    expand_board,
    row_words_of,
    without_square,
    without_squares,
)
from crownbase.retro.rows.scores import WIN_NOW, joined_rank, kingless_score, merge, raise_byte
from crownbase.retro.rows.storage import block, rank_few
from crownbase.retro.rows.tables import WALL
from crownbase.retro.rows.words import load, load8, load32

AT_START = MAN
LANDED = KING
"""Whether a capture has begun, as typed constants (see landing.py)."""


@kernel
def capture_score(
    ctx: Address, rules: Any, om: int, ok: int, pm: int, square: int, is_king: int
) -> int:
    """The score of a capture going on at *square*, no opposing kings left."""
    if pm == 0:
        return WIN_NOW
    best = 0
    occupied = om | ok | pm | WALL
    if is_king or square >= CROWN_ROW_END:
        for d in range(jump_directions(rules, is_king)):
            t = far(ctx, square, d)
            v = near(ctx, square, d)
            if (occupied >> t) & 1 == 0 and (pm >> v) & 1:
                left = pm & ~(1 << v)
                best = max(best, capture_score(ctx, rules, om, ok, left, t, is_king))
    if best:
        return best
    if is_king or square < CROWN_ROW_END:
        return kingless_score(ctx, om, ok | (1 << square), pm)
    return kingless_score(ctx, om | (1 << square), ok, pm)


@kernel
def score_board(
    ctx: Address, rules: Any, scores: int, om: int, ok: int, pm: int, square: int, is_king: int,
    kings: int, landed: int,
) -> None:  # fmt: skip
    """Captures of the piece on *square* against one king that may stand on any of *kings*.

    *om*, *ok* are without that piece. Until it has *landed* it need not capture.
    """
    goes_on = 0
    occupied = om | ok | pm | WALL
    if is_king or square >= CROWN_ROW_END:
        for d in range(jump_directions(rules, is_king)):
            t = far(ctx, square, d)
            if (occupied >> t) & 1:
                continue
            v = near(ctx, square, d)
            if (pm >> v) & 1:
                left = kings & ~(1 << t)
                if left:
                    goes_on |= left
                    rest = pm & ~(1 << v)
                    score_board(ctx, rules, scores, om, ok, rest, t, is_king, left, LANDED)
            elif (kings >> v) & 1 and (is_king or rules.men_capture_kings):
                goes_on |= 1 << v
                raise_byte(scores, v, capture_score(ctx, rules, om, ok, pm, t, is_king))
    ends = kings & ~goes_on
    if landed and ends:
        if is_king or square < CROWN_ROW_END:
            ok |= 1 << square
        else:
            om |= 1 << square
        merge(scores, block(ctx, om, pm, popcount(ok), 1) + rank_few(ok) * 32, ends)


@kernel
def score_slot(ctx: Address, kings: int) -> int:
    """Address of the row of scores in which a capture of a king collects for *kings* kings."""
    return ctx.score_slots + kings * ctx.score_slot_bytes


@kernel
def join_board(ctx: Address, scores: int, source: int, others: int, v: int) -> None:
    """Raise scores(2) at {x, v} to source(1) at x, for x in the board *others*."""
    ranks = joined_rank(ctx, 2, v)
    while others:
        x = lowest(others)
        others &= others - 1
        raise_byte(scores, load32(ranks, x), load8(source, x))


@kernel
def join_row(ctx: Address, scores: int, source: int, others: int, n: int, v: int) -> None:
    """Raise scores(n) at R + v to source(n - 1) at R, for R in the row of bits *others*."""
    ranks = joined_rank(ctx, n, v)
    for w in range(row_words_of(ctx, n - 1)):
        rest = load(others, w)
        while rest:
            r = w * 64 + lowest(rest)
            rest &= rest - 1
            raise_byte(scores, load32(ranks, r), load8(source, r))


@kernel
def end_row(ctx: Address, scores: int, here: int, om: int, ok: int, pm: int, n: int) -> None:
    """Raise the scores of captures that end here: the set of the slot without JUMPED."""
    words = row_words_of(ctx, n)
    found = block(ctx, om, pm, popcount(ok), n) + rank_few(ok) * words * 64
    for w in range(words):
        ends = load(here, w) & ~load(here, words + w)
        if ends:
            merge(scores + w * 64, found + w * 64, ends)


@kernel
def score_row(
    ctx: Address, rules: Any, depth: int, scores: int, om: int, ok: int, pm: int, n: int,
    square: int, is_king: int, blocked: int,
) -> None:  # fmt: skip
    """Captures of the piece lifted from or landed on *square*, n >= 2 opposing kings left.

    The set is in slot *depth*, JUMPED behind it; at depth 0 the piece has not moved yet.
    *blocked*: squares where no opposing king can stand or be taken any more.
    """
    words = row_words_of(ctx, n)
    size = words * 8
    here = slot(ctx, depth)
    child = slot(ctx, depth + 1)
    if depth > 0:
        clear_row(here + size, words)
    occupied = om | ok | pm | WALL
    if is_king or square >= CROWN_ROW_END:
        for d in range(jump_directions(rules, is_king)):
            t = far(ctx, square, d)
            if (occupied >> t) & 1:
                continue
            v = near(ctx, square, d)
            if (pm >> v) & 1:
                if without_square(ctx, child, here, n, t):
                    if depth > 0:
                        add_row(here + size, child, words)
                    rest = pm & ~(1 << v)
                    now = blocked | (1 << t)
                    score_row(
                        ctx, rules, depth + 1, scores, om, ok, rest, n, t, is_king, now
                    )  # fmt: skip
            elif (blocked >> v) & 1 == 0 and (is_king or rules.men_capture_kings):
                now = blocked | (1 << t) | (1 << v)
                part = score_slot(ctx, n - 1)
                if n == 2:
                    others = ALL & ~now
                    clear_row(part, 8)
                    score_board(ctx, rules, part, om, ok, pm, t, is_king, others, LANDED)
                    join_board(ctx, scores, part, others, v)
                    if depth > 0:
                        expand_board(ctx, here + size, others, v)
                else:
                    fresh = now & ~ctx.start_occupied
                    without_squares(ctx, child, open_row(ctx, n - 1), n - 1, fresh)
                    clear_row(part, row_words_of(ctx, n - 1) * 8)
                    score_row(ctx, rules, depth + 1, part, om, ok, pm, n - 1, t, is_king, now)
                    join_row(ctx, scores, part, child, n, v)
                    if depth > 0:
                        expand(ctx, here + size, child, n, v)
    if depth > 0:
        if is_king or square < CROWN_ROW_END:
            ok |= 1 << square
        else:
            om |= 1 << square
        end_row(ctx, scores, here, om, ok, pm, n)


@kernel
def score_captures(
    ctx: Address, rules: Any, scores: int, om: int, ok: int, pm: int, b: int
) -> None:
    """Captures of every own piece, b >= 2; the set is in slot 0, *scores* is clear."""
    start = om | ok | pm
    ctx.start_occupied = start
    rest = om | ok
    while rest:
        s = lowest(rest)
        rest &= rest - 1
        left = ~(1 << s)
        is_king = (ok >> s) & 1
        score_row(
            ctx, rules, FIRST_SLOT, scores, om & left, ok & left, pm, b, s, is_king, start
        )  # fmt: skip


@kernel
def score_captures_of_board(
    ctx: Address, rules: Any, scores: int, om: int, ok: int, pm: int, exists: int
) -> None:
    """Captures of every own piece against one king that may stand on any square of *exists*."""
    rest = om | ok
    while rest:
        s = lowest(rest)
        rest &= rest - 1
        left = ~(1 << s)
        is_king = (ok >> s) & 1
        score_board(ctx, rules, scores, om & left, ok & left, pm, s, is_king, exists, AT_START)
