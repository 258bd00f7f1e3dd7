"""Captures of a side with kings against men only, for every rule set (see general.py).

Frame and meaning of rows are those of lone_captures.py: a row ranges over the n OWN kings that do
not move. Victims are men and known; what varies are own kings that stand in the way.
"""

from __future__ import annotations

from typing import Any

from crownbase.board.bits import lowest
from crownbase.board.moves import capture_key, first_key
from crownbase.jit import Address, kernel
from crownbase.retro.rows.captures import slot
from crownbase.retro.rows.general import begin_take
from crownbase.retro.rows.keys import (
    any_row,
    find_key,
    join_row,
    keep_off,
    lift,
    minus_row,
    quarter,
    resolve_keys,
    take_out,
)
from crownbase.retro.rows.landing import FIRST_SLOT, KING, MAN, NO_PIECE, near
from crownbase.retro.rows.lone_captures import first_direction, their_row
from crownbase.retro.rows.rowops import (
    clear_row,
    copy_row,
    full_row,
    row_words_of,
    without_squares,
)
from crownbase.retro.rows.tables import WALL
from crownbase.retro.rows.vectors import vand, vload, vstore
from crownbase.rules.rules import BECOMES_KING, STOP


@kernel
def end_lone(
    ctx: Address, depth: int, goes_on: int, om: int, pm: int, n: int, s: int, crowned: int,
    origin: int, key: int,
) -> None:  # fmt: skip
    """End the captures of slot *depth*, landed on s, that do not stand in the row *goes_on*.

    *origin*: the square of the king that has moved, as a board; 0 for a man.
    """
    ends = slot(ctx, depth + 1)
    if not minus_row(ctx, ends, slot(ctx, depth), goes_on, n):
        return
    work = slot(ctx, depth + 2)
    step = quarter(ctx)
    won = work
    held = work + step
    if om == 0:
        copy_row(won, ends, row_words_of(ctx, n))
        copy_row(held, ends, row_words_of(ctx, n))
    else:
        loses = ctx.row_a
        holds = ctx.row_b
        if crowned:
            offset = their_row(ctx, om, pm, n + 1)
            take_out(ctx, loses, ctx.loses + offset, n + 1, s)
            take_out(ctx, holds, ctx.holds + offset, n + 1, s)
        else:
            offset = their_row(ctx, om, pm | (1 << s), n)
            loses = ctx.loses + offset
            holds = ctx.holds + offset
        for w in range(0, row_words_of(ctx, n), 8):
            vstore(won, w, vand(vload(ends, w), vload(loses, w)))
            vstore(held, w, vand(vload(ends, w), vload(holds, w)))
    rows = find_key(ctx, key)
    spare = work + 2 * step
    lift(ctx, spare, ends, n, origin, rows)
    lift(ctx, spare, won, n, origin, rows + step)
    lift(ctx, spare, held, n, origin, rows + 2 * step)


@kernel
def drop_search(
    ctx: Address, rules: Any, depth: int, om: int, pm: int, n: int, s: int, is_king: int, dead: int,
    origin: int, key: int,
) -> None:  # fmt: skip
    """All captures from a node; leaves in its slot where there are any (JUMPED)."""
    here = slot(ctx, depth)
    step = quarter(ctx)
    child = slot(ctx, depth + 1)
    run = here + 2 * step
    going_on = here + 3 * step
    clear_row(here + step, row_words_of(ctx, n))
    if om == 0:
        return
    flies = rules.flying_kings and is_king != 0
    victim = 0  # a man
    for d in range(first_direction(rules, is_king), 4):
        copy_row(run, here, row_words_of(ctx, n))
        v = near(ctx, s, d)
        while flies and ((om | pm | dead | WALL) >> v) & 1 == 0 and keep_off(ctx, run, n, v):
            v = near(ctx, v, d)
        if (om >> v) & 1 == 0 or not begin_take(ctx, depth, om | pm | dead | WALL, n, d, v, victim):
            continue
        rest = om & ~(1 << v)
        now_dead = dead if rules.leave_at_once else dead | (1 << v)
        now_key = capture_key(rules, key, False)
        blocked = rest | pm | now_dead | WALL
        t = near(ctx, v, d)
        crowns = is_king == 0 and t >= ctx.squares - ctx.width
        if crowns and rules.promotion == STOP:
            end_lone(ctx, depth + 1, going_on, rest, pm, n, t, 1, origin, now_key)
            continue
        king = 1 if is_king != 0 or (crowns and rules.promotion == BECOMES_KING) else 0
        while True:
            drop_search(ctx, rules, depth + 1, rest, pm, n, t, king, now_dead, origin, now_key)
            if not flies or rules.free_landing:
                crowned = 1 if king != 0 or crowns else 0
                end_lone(ctx, depth + 1, child + step, rest, pm, n, t, crowned, origin, now_key)
            else:
                join_row(ctx, going_on, child + step, n)
            t = near(ctx, t, d)
            if not flies or (blocked >> t) & 1 or not keep_off(ctx, child, n, t):
                break
        if flies and not rules.free_landing:
            t = near(ctx, v, d)
            copy_row(child, run, row_words_of(ctx, n))
            while (blocked >> t) & 1 == 0 and keep_off(ctx, child, n, t):
                end_lone(ctx, depth + 1, going_on, rest, pm, n, t, 1, origin, now_key)
                t = near(ctx, t, d)


@kernel
def drop_all(ctx: Address, rules: Any, om: int, pm: int, k: int) -> None:
    """All captures of the side with men pm and k >= 1 kings into the rows of the keys."""
    ctx.key_count = 0
    ctx.full_kings = k
    start = slot(ctx, 0)
    men = om | pm
    rest = pm
    while rest:
        s = lowest(rest)
        rest &= rest - 1
        full_row(ctx, start, k)
        without_squares(ctx, start, start, k, men)
        others = pm & ~(1 << s)
        drop_search(ctx, rules, FIRST_SLOT, om, others, k, s, MAN, NO_PIECE, NO_PIECE, NO_PIECE)
    for s in range(ctx.squares):
        if (men >> s) & 1:
            continue
        full_row(ctx, start, k - 1)
        without_squares(ctx, start, start, k - 1, men | (1 << s))
        if any_row(ctx, start, k - 1):
            drop_search(
                ctx, rules, FIRST_SLOT, om, pm, k - 1, s, KING, NO_PIECE, NO_PIECE | (1 << s),
                NO_PIECE + first_key(rules, True),
            )  # fmt: skip


@kernel
def drop_all_rows(ctx: Address, rules: Any, om: int, pm: int, k: int) -> None:
    """Captures into JUMPED, W and N of slot 0, its set restored, for k >= 1 kings."""
    drop_all(ctx, rules, om, pm, k)
    here = slot(ctx, 0)
    size = max(row_words_of(ctx, k), 8) * 8
    resolve_keys(ctx, k, here + size, here + 2 * size, here + 3 * size)
    full_row(ctx, here, k)
    without_squares(ctx, here, here, k, om | pm)
