"""Captures over rows for every rule set: flying kings, capture choice, promotion on the way.

The search is that of captures.py without its short cuts. A node is a piece on a square with a
set of placements of the n opposing kings that are left, for which it has got there. Its slot
holds four rows, a quarter of the slot each: the set, where the capture goes on (JUMPED), and two
to work with. A ray keeps a running set: it loses the placements with a king on each square that
is passed. A king taken on v takes the search to the domain of one king less.

Where a capture ends, its results are lifted back to the domain of all opposing kings, square by
square, and added to the rows of its *key* (`board.moves.capture_key`). When all own pieces are
done, the keys are gone through from the highest down: a placement counts with the best key that
it has. Without a capture choice there is one key, 0.
"""

from __future__ import annotations

from typing import Any

from crownbase.board.bits import lowest, popcount
from crownbase.board.moves import capture_key, first_key
from crownbase.jit import Address, kernel
from crownbase.retro.rows.captures import slot
from crownbase.retro.rows.keys import (
    find_key,
    join_row,
    keep_off,
    lift,
    minus_row,
    put_in,
    quarter,
    resolve_keys,
    take_out,
)
from crownbase.retro.rows.landing import ALL, FIRST_SLOT, NO_PIECE, near
from crownbase.retro.rows.rowops import clear_row, copy_row, is_row, row_words_of
from crownbase.retro.rows.score_keys import end_scores
from crownbase.retro.rows.storage import bit_pair, block, kingless_bit, rank_few
from crownbase.retro.rows.tables import WALL
from crownbase.retro.rows.vectors import vand, vload, vstore
from crownbase.retro.rows.words import load, load32, shift_right, store
from crownbase.rules.rules import BECOMES_KING, STOP


@kernel
def read_results(
    ctx: Address, ends: int, om: int, ok: int, pm: int, n: int, won: int, held: int
) -> None:
    """won, held = the placements of *ends* that the opponent loses, or does not win."""
    if n >= 1 and is_row(ctx, n):
        words = row_words_of(ctx, n)
        offset = block(ctx, om, pm, popcount(ok), n) + rank_few(ok) * words * 8
        for w in range(0, words, 8):
            reached = vload(ends, w)
            vstore(won, w, vand(reached, vload(ctx.loses + offset, w)))
            vstore(held, w, vand(reached, vload(ctx.holds + offset, w)))
        return
    reached = load(ends, 0)
    if n == 1:
        offset = block(ctx, om, pm, popcount(ok), 1)
        store(won, 0, reached & load32(ctx.loses + offset, rank_few(ok)))
        store(held, 0, reached & load32(ctx.holds + offset, rank_few(ok)))
    elif pm == 0:
        store(won, 0, reached)
        store(held, 0, reached)
    else:
        pair = bit_pair(ctx, kingless_bit(ctx, om, ok, pm))
        store(won, 0, reached & pair)
        store(held, 0, reached & shift_right(pair, 32))


@kernel
def end_here(
    ctx: Address, work: int, ends: int, om: int, ok: int, pm: int, n: int, s: int, crowned: int,
    taken: int, key: int,
) -> None:  # fmt: skip
    """A capture ends on s for the placements *ends*; *work*: a slot that is free."""
    if crowned:
        ok |= 1 << s
    else:
        om |= 1 << s
    if ctx.key_rows == 0:
        end_scores(ctx, ends, om, ok, pm, n, taken, key)
        return
    step = quarter(ctx)
    read_results(ctx, ends, om, ok, pm, n, work, work + step)
    rows = find_key(ctx, key)
    spare = work + 2 * step
    lift(ctx, spare, ends, n, taken, rows)
    lift(ctx, spare, work, n, taken, rows + step)
    lift(ctx, spare, work + step, n, taken, rows + 2 * step)


# ------------------------------------------------------------------ the search


@kernel
def first_landing(
    ctx: Address, depth: int, run: int, n: int, v: int, takes_king: int, t: int
) -> bool:
    """Set of the slot *depth* + 1: placements of *run* with v taken and t free."""
    child = slot(ctx, depth + 1)
    if takes_king:
        take_out(ctx, child, run, n, v)
        return keep_off(ctx, child, n - 1, t)
    copy_row(child, run, row_words_of(ctx, n))
    return keep_off(ctx, child, n, t)


@kernel
def begin_take(
    ctx: Address, depth: int, static: int, n: int, d: int, v: int, takes_king: int
) -> bool:
    """Take the piece on v in direction d for the running set: whether it is possible.

    If so, slot *depth* + 1 has the set for the first landing square, and JUMPED knows it.
    """
    t = near(ctx, v, d)
    here = slot(ctx, depth)
    step = quarter(ctx)
    run = here + 2 * step
    if (static >> t) & 1 or not first_landing(ctx, depth, run, n, v, takes_king, t):
        return False
    child = slot(ctx, depth + 1)
    if takes_king:
        put_in(ctx, here + step, child, n, v)
    else:
        join_row(ctx, here + step, child, n)
    clear_row(here + 3 * step, row_words_of(ctx, n))
    return True


@kernel
def end_landing(
    ctx: Address, depth: int, goes_on: int, om: int, ok: int, pm: int, n: int, s: int, crowned: int,
    taken: int, key: int,
) -> None:  # fmt: skip
    """End the captures of slot *depth*, landed on s, that do not stand in the row *goes_on*."""
    ends = slot(ctx, depth + 1)
    if minus_row(ctx, ends, slot(ctx, depth), goes_on, n):
        work = slot(ctx, depth + 2)
        end_here(ctx, work, ends, om, ok, pm, n, s, crowned, taken, key)


@kernel
def leave_landing(
    ctx: Address, rules: Any, depth: int, flies: bool, om: int, ok: int, pm: int, n: int, s: int,
    crowned: int, taken: int, key: int,
) -> None:  # fmt: skip
    """After the search from a landing square s, slot *depth* + 1: what does not go on ends here.

    Unless a flying king must land where it can go on: then remember whether it can.
    """
    step = quarter(ctx)
    goes_on = slot(ctx, depth + 1) + step
    if flies and not rules.free_landing:
        join_row(ctx, slot(ctx, depth) + 3 * step, goes_on, n)
    else:
        end_landing(ctx, depth + 1, goes_on, om, ok, pm, n, s, crowned, taken, key)


@kernel
def end_flight(
    ctx: Address, depth: int, static: int, om: int, ok: int, pm: int, left: int, n: int, d: int,
    v: int, takes_king: int, taken: int, key: int,
) -> None:  # fmt: skip
    """End a flying king's capture of v on each square behind, unless from any it goes on."""
    here = slot(ctx, depth)
    step = quarter(ctx)
    child = slot(ctx, depth + 1)
    crowned = 1
    t = near(ctx, v, d)
    first_landing(ctx, depth, here + 2 * step, n, v, takes_king, t)
    while True:
        goes_on = here + 3 * step
        end_landing(ctx, depth + 1, goes_on, om, ok, pm, left, t, crowned, taken, key)
        t = near(ctx, t, d)
        if (static >> t) & 1 or not keep_off(ctx, child, left, t):
            return


@kernel
def search(
    ctx: Address, rules: Any, depth: int, om: int, ok: int, pm: int, n: int, s: int, is_king: int,
    dead: int, taken: int, key: int,
) -> None:  # fmt: skip
    """All captures from a node; leaves in its slot where there are any (JUMPED).

    *om*, *ok*: own pieces without the one that moves; *dead*: taken pieces that are still on
    the board; *taken*: squares of the kings among them. The only recursive kernel here.
    """
    here = slot(ctx, depth)
    step = quarter(ctx)
    child = slot(ctx, depth + 1)
    run = here + 2 * step
    clear_row(here + step, row_words_of(ctx, n))
    if n == 0 and pm == 0:
        return
    flies = rules.flying_kings and is_king != 0
    for d in range(4 if is_king else rules.man_captures):
        copy_row(run, here, row_words_of(ctx, n))
        static = om | ok | dead | WALL
        v = near(ctx, s, d)
        while (static >> v) & 1 == 0:
            takes_king = 0 if (pm >> v) & 1 else 1
            allowed = takes_king == 0 or (n > 0 and (is_king != 0 or rules.men_capture_kings))
            if allowed and begin_take(ctx, depth, static | pm, n, d, v, takes_king):
                left = n - takes_king
                rest = pm & ~(1 << v)
                now_taken = taken | (takes_king << v)
                now_dead = dead if rules.leave_at_once else dead | (1 << v)
                now_key = capture_key(rules, key, takes_king != 0)
                blocked = om | ok | rest | now_dead | WALL
                t = near(ctx, v, d)
                crowns = is_king == 0 and t < ctx.width
                if crowns and rules.promotion == STOP:
                    nothing = here + 3 * step
                    end_landing(
                        ctx, depth + 1, nothing, om, ok, rest, left, t, 1, now_taken, now_key
                    )
                    break
                king = 1 if is_king != 0 or (crowns and rules.promotion == BECOMES_KING) else 0
                crowned = 1 if is_king != 0 or crowns else 0
                while True:
                    search(
                        ctx, rules, depth + 1, om, ok, rest, left, t, king, now_dead, now_taken,
                        now_key,
                    )  # fmt: skip
                    leave_landing(
                        ctx, rules, depth, flies, om, ok, rest, left, t, crowned, now_taken, now_key
                    )
                    t = near(ctx, t, d)
                    if not flies or (blocked >> t) & 1 or not keep_off(ctx, child, left, t):
                        break
                if flies and not rules.free_landing:
                    end_flight(
                        ctx, depth, blocked, om, ok, rest, left, n, d, v, takes_king, now_taken,
                        now_key,
                    )  # fmt: skip
            if takes_king == 0 or not flies or not keep_off(ctx, run, n, v):
                break
            v = near(ctx, v, d)


@kernel
def search_all(ctx: Address, rules: Any, om: int, ok: int, pm: int, n: int) -> None:
    """Captures of all own pieces; the set of slot 0 are the placements of the n kings."""
    ctx.key_count = 0
    ctx.full_kings = n
    rest = om | ok
    while rest:
        s = lowest(rest)
        rest &= rest - 1
        left = ~(1 << s)
        is_king = (ok >> s) & 1
        search(
            ctx, rules, FIRST_SLOT, om & left, ok & left, pm, n, s, is_king, NO_PIECE, NO_PIECE,
            NO_PIECE + first_key(rules, is_king != 0),
        )  # fmt: skip


@kernel
def capture_board_general(
    ctx: Address, rules: Any, om: int, ok: int, pm: int, n: int, kings: int
) -> int:
    """Captures against n <= 1 kings on *kings* (n = 0: 1): the pair; slot 0 has where they are.

    n = 1 only on a packed board.
    """
    here = slot(ctx, 0)
    step = quarter(ctx)
    store(here, 0, kings)
    search_all(ctx, rules, om, ok, pm, n)
    resolve_keys(ctx, n, here + step, here + 2 * step, here + 3 * step)
    return (load(here + 2 * step, 0) & ALL) | load(here + 3 * step, 0) << 32


@kernel
def capture_rows_general(ctx: Address, rules: Any, om: int, ok: int, pm: int, n: int) -> None:
    """`openings.capture_all` for every rule set: JUMPED, W, N of slot 0, for rows of kings."""
    size = row_words_of(ctx, n) * 8
    here = slot(ctx, 0)
    search_all(ctx, rules, om, ok, pm, n)
    resolve_keys(ctx, n, here + size, here + 2 * size, here + 3 * size)
