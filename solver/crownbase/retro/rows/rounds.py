"""Distances: the rounds of a group one ply at a time, so that the round IS the distance (DTC).

group.py lets a side use what the other found in the same round; here both sides read the state
of the round before. What is decided in round d is decided in d plies:

* round 0: no legal move at all, lost;
* round 1: moves that leave the group (each a conversion: captures, man moves) and win, or are all
  there is and lose;
* round d: a king move reaches a position lost in d - 1, or every king move reaches positions won
  by then, the last of them in d - 1, and no leaving move saves.

At the start UNWON holds all positions and LOST none; FIRST_WON and FIRST_LOST keep what leaving
moves decide until round 1; MOVABLE holds the positions with a leaving move.

With a draw clock the rounds end with that of its last ply; `clock.py` does the rest.
"""

from __future__ import annotations

from typing import Any

from crownbase.board.bits import lowest
from crownbase.jit import Address, kernel
from crownbase.retro.rows.group import flag_all, fly_board, fly_vector, open_side, publish
from crownbase.retro.rows.landing import ALL
from crownbase.retro.rows.openings import list_advances
from crownbase.retro.rows.rowops import (
    is_row,
    row_bits,
    row_containing,
    row_words_of,
    set_of_rank,
    sets_of,
    turn,
)
from crownbase.retro.rows.storage import block
from crownbase.retro.rows.transpose import tile_count
from crownbase.retro.rows.vectors import vand, vandnot, vany, vfill, vload, vor, vstore, vxor
from crownbase.retro.rows.words import (
    load,
    load8,
    load32,
    shift_right,
    store8,
    store16,
    store32,
)


@kernel
def put_codes(codes: int, first: int, bits: int, code: int) -> None:
    """Write *code* at *first* + i for every bit i of a word."""
    while bits:
        store16(codes, first + lowest(bits), code)
        bits &= bits - 1


@kernel
def start_row(ctx: Address, side: Address, r: int, ok: int, b: int, advances: int) -> None:
    """Put a row of the opening back to "nothing decided"."""
    words = row_words_of(ctx, b)
    listed = ctx.advances
    zero = vfill(0)
    at = r * words
    for w in range(at, at + words, 8):
        able = vload(side.quiet, w)
        moves = vload(side.movable, w)
        exists = vor(able, moves)
        for j in range(advances):
            t = load(listed, 2 * j + 1)
            if (ok >> t) & 1 == 0:
                taken = vload(row_containing(ctx, b, t), w - at)
                moves = vor(moves, vandnot(able, taken))
        vstore(side.first_won, w, vandnot(exists, vload(side.unwon, w)))
        vstore(side.first_lost, w, vload(side.lost, w))
        vstore(side.movable, w, moves)
        vstore(side.unwon, w, exists)
        vstore(side.lost, w, zero)


@kernel
def start_board(ctx: Address, side: Address, r: int, ok: int, advances: int) -> None:
    """`start_row` for b = 1 on a packed board."""
    listed = ctx.advances
    able = load32(side.quiet, r)
    moves = load32(side.movable, r)
    exists = able | moves
    for j in range(advances):
        t = load(listed, 2 * j + 1)
        if (ok >> t) & 1 == 0:
            moves |= able & ~(1 << t)
    store32(side.first_won, r, exists & ~load32(side.unwon, r))
    store32(side.first_lost, r, load32(side.lost, r))
    store32(side.movable, r, moves)
    store32(side.unwon, r, exists)
    store32(side.lost, r, 0)


@kernel
def clear_codes(ctx: Address, side: Address, k: int, b: int) -> None:
    """All CODES of a side: draws."""
    codes = side.codes
    for w in range(0, (sets_of(ctx, k) * row_bits(ctx, b) + 31) >> 5 << 3, 8):
        vstore(codes, w, vfill(0))


@kernel
def start_side(ctx: Address, rules: Any, side: Address, om: int, pm: int, k: int, b: int) -> None:
    """The opening of one side, put back to "nothing decided"."""
    open_side(ctx, rules, side, om, pm, k, b)
    advances = list_advances(ctx, om, pm, k, b)
    words = row_words_of(ctx, b)
    for r in range(sets_of(ctx, k)):
        ok = set_of_rank(ctx, k, r)
        if ok & (om | pm):
            # The opening left MOVABLE as it was for rows that do not exist.
            if not is_row(ctx, b):
                store32(side.movable, r, 0)
            else:
                for w in range(r * words, r * words + words, 8):
                    vstore(side.movable, w, vfill(0))
        if not is_row(ctx, b):
            start_board(ctx, side, r, ok, advances)
        else:
            start_row(ctx, side, r, ok, b, advances)


@kernel
def round_rows(
    ctx: Address,
    rules: Any,
    side: Address,
    men: int,
    k: int,
    b: int,
    offset: int,
    d: int,
    mark: int,
) -> int:
    """`run_round` for rows; returns the number of changed vectors."""
    words = row_words_of(ctx, b)
    size = words * 8
    loses = ctx.loses + offset
    holds = ctx.holds + offset
    start = load(ctx.step_start, k)
    target = load(ctx.step_target, k)
    turned = load(ctx.turned, k)
    needed = side.needed
    new = ctx.tile
    changes = 0
    for r in range(sets_of(ctx, k)):
        if load8(needed, r) == 0:
            continue
        store8(needed, r, 0)
        at = r * size
        for w in range(0, words, 8):
            if rules.flying_kings:
                reached, held = fly_vector(ctx, men, k, r, b, loses, holds, w)
            else:
                reached = vfill(0)
                held = vfill(0)
                for i in range(load32(start, r), load32(start, r + 1)):
                    row = load32(target, i) * size
                    reached = vor(reached, vload(loses + row, w))
                    held = vor(held, vload(holds + row, w))
            able = vload(side.quiet + at, w)
            unwon = vload(side.unwon + at, w)
            lost = vload(side.lost + at, w)
            if d == 0:
                stays = vor(held, vload(side.movable + at, w))
                won_now = vfill(0)
                lost_now = vandnot(able, stays)
            else:
                won_now = vand(able, reached)
                lost_now = vandnot(able, vor(held, vload(side.escape + at, w)))
                if d == 1:
                    won_now = vor(won_now, vload(side.first_won + at, w))
                    lost_now = vor(lost_now, vload(side.first_lost + at, w))
            won_now = vand(unwon, won_now)
            lost_now = vandnot(lost_now, lost)
            if vany(vor(won_now, lost_now)):
                vstore(side.unwon + at, w, vxor(unwon, won_now))
                vstore(side.lost + at, w, vor(lost, lost_now))
                vstore(new, 0, won_now)
                vstore(new, 8, lost_now)
                for i in range(8):
                    first = (r * words + w + i) * 64
                    put_codes(side.codes, first, load(new, i), d + mark)
                    put_codes(side.codes, first, load(new, 8 + i), ~(d + mark))
                changes += 1
                tile = (load32(turned, r) >> 6) * (words >> 3) + (w >> 3)
                store8(side.changed, tile, 1)
    return changes


@kernel
def round_boards(
    ctx: Address, rules: Any, side: Address, men: int, k: int, offset: int, d: int, mark: int
) -> int:
    """`run_round` for b = 1 on a packed board; returns the number of changed rows."""
    loses = ctx.loses + offset
    holds = ctx.holds + offset
    start = load(ctx.step_start, k)
    target = load(ctx.step_target, k)
    turned = load(ctx.turned, k)
    needed = side.needed
    changes = 0
    for r in range(sets_of(ctx, k)):
        if load8(needed, r) == 0:
            continue
        store8(needed, r, 0)
        reached = 0
        held = 0
        if rules.flying_kings:
            pair = fly_board(ctx, men, k, r, loses, holds)
            reached = pair & ALL
            held = shift_right(pair, 32)
        else:
            for i in range(load32(start, r), load32(start, r + 1)):
                row = load32(target, i)
                reached |= load32(loses, row)
                held |= load32(holds, row)
        able = load32(side.quiet, r)
        unwon = load32(side.unwon, r)
        lost = load32(side.lost, r)
        if d == 0:
            won_now = 0
            lost_now = able & ~(held | load32(side.movable, r))
        else:
            won_now = able & reached
            lost_now = able & ~(held | load32(side.escape, r))
            if d == 1:
                won_now |= load32(side.first_won, r)
                lost_now |= load32(side.first_lost, r)
        won_now &= unwon
        lost_now &= ~lost
        if won_now | lost_now:
            store32(side.unwon, r, unwon ^ won_now)
            store32(side.lost, r, lost | lost_now)
            put_codes(side.codes, r * 32, won_now, d + mark)
            put_codes(side.codes, r * 32, lost_now, ~(d + mark))
            changes += 1
            store8(side.changed, load32(turned, r) >> 9, 1)
    return changes


@kernel
def run_round(
    ctx: Address,
    rules: Any,
    side: Address,
    men: int,
    k: int,
    b: int,
    offset: int,
    d: int,
    mark: int,
) -> int:
    """Round *d* of one side; returns how much changed. *men*: all men, in the side's frame.

    *mark*: added to the distances in the codes.
    """
    if not is_row(ctx, b):
        return round_boards(ctx, rules, side, men, k, offset, d, mark)
    return round_rows(ctx, rules, side, men, k, b, offset, d, mark)


@kernel
def begin_side(ctx: Address, side: Address, k: int, b: int, there: int) -> None:
    """Publish the positions of a side as undecided and have all its rows looked at."""
    flag_all(side.changed, tile_count(ctx, k, b))
    publish(ctx, side, k, b, there, 0)
    flag_all(side.needed, sets_of(ctx, k))


@kernel
def publish_both(
    ctx: Address, one: Address, two: Address, k: int, b: int, here: int, there: int, alone: int
) -> None:
    """Bring what changed in each side's planes to the other one."""
    if alone:
        publish(ctx, one, k, b, there, one.needed)
    else:
        publish(ctx, one, k, b, there, two.needed)
        publish(ctx, two, b, k, here, one.needed)


@kernel
def plane_words_of(ctx: Address, k: int, b: int) -> int:
    """Words of a work plane."""
    return (sets_of(ctx, k) * row_bits(ctx, b) + 63) >> 6


@kernel
def keep_state(ctx: Address, side: Address, k: int, b: int) -> None:
    """Keep UNWON and LOST of a side in FIRST_WON and FIRST_LOST, which have had their round."""
    for w in range(0, plane_words_of(ctx, k, b), 8):
        vstore(side.first_won, w, vload(side.unwon, w))
        vstore(side.first_lost, w, vload(side.lost, w))


@kernel
def time_group(
    ctx: Address, rules: Any, one: Address, two: Address, om: int, pm: int, k: int, b: int,
    alone: int, limit: int,
) -> int:  # fmt: skip
    """Solve one group with distances into CODES of both sides; returns the last round.

    *alone*: the group is its own mirror, there is only the first side. Round *limit* >= 2 is the
    last in any case; if it is reached, the state before it is kept (`keep_state`).
    """
    mark = 0
    here = block(ctx, om, pm, k, b)
    there = block(ctx, turn(ctx, pm), turn(ctx, om), b, k)
    start_side(ctx, rules, one, om, pm, k, b)
    clear_codes(ctx, one, k, b)
    begin_side(ctx, one, k, b, there)
    if alone == 0:
        start_side(ctx, rules, two, turn(ctx, pm), turn(ctx, om), b, k)
        clear_codes(ctx, two, b, k)
        begin_side(ctx, two, b, k, here)
    d = 0
    while True:
        if d == limit:
            keep_state(ctx, one, k, b)
            if alone == 0:
                keep_state(ctx, two, b, k)
        changes = run_round(ctx, rules, one, om | pm, k, b, here, d, mark)
        if alone == 0:
            changes += run_round(ctx, rules, two, turn(ctx, om | pm), b, k, there, d, mark)
        if changes == 0 and d >= 2:
            return d - 1
        if d == 0:
            flag_all(one.needed, sets_of(ctx, k))
            if alone == 0:
                flag_all(two.needed, sets_of(ctx, b))
        publish_both(ctx, one, two, k, b, here, there, alone)
        if d == limit:
            return d
        d += 1
