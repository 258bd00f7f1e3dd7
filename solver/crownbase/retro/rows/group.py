"""One group with kings on both sides: openings, then rounds of king moves until nothing changes.

Each side keeps work planes (context.py: UNWON, LOST, ..) with rows by its own kings. After a
sweep of one side its planes are transposed into the block that the other side reads: UNWON is
the plane HOLDS and LOST the plane LOSES of "the other side has just moved". Sides alternate, so
a round uses what the round before found; only rows that can have changed are swept.
"""

from __future__ import annotations

from typing import Any

from crownbase.jit import Address, kernel
from crownbase.retro.rows.landing import ALL, PAIR
from crownbase.retro.rows.openings import open_many
from crownbase.retro.rows.openings_one import open_one
from crownbase.retro.rows.rowops import (
    is_row,
    is_stopped,
    row_containing,
    row_words_of,
    sets_of,
    turn,
)
from crownbase.retro.rows.storage import block
from crownbase.retro.rows.tables import RAY_START
from crownbase.retro.rows.transpose import tile_count, transpose_plane
from crownbase.retro.rows.vectors import vand, vandnot, vany, vfill, vload, vor, vstore, vxor
from crownbase.retro.rows.words import load, load8, load32, shift_right, store8, store32


@kernel
def fly_vector(
    ctx: Address, men: int, k: int, r: int, b: int, loses: int, holds: int, w: int
) -> Any:
    """Flying kings of row *r*: unions of what their moves reach in both planes, from word *w* on.

    Along a ray the running set loses the placements with an opposing king on a square passed.
    """
    size = row_words_of(ctx, b) * 8
    start = load(ctx.step_start, k)
    target = load(ctx.step_target, k)
    square = load(ctx.step_square, k)
    run = vfill(-1)
    wins = vfill(0)
    held = vfill(0)
    shut = False
    for i in range(load32(start, r), load32(start, r + 1)):
        mark = load32(square, i)
        t = mark & (RAY_START - 1)
        if mark >= RAY_START:
            run = vfill(-1)
            shut = False
        if shut or (men >> t) & 1:
            shut = True
            continue
        row = load32(target, i) * size
        wins = vor(wins, vand(run, vload(loses + row, w)))
        held = vor(held, vand(run, vload(holds + row, w)))
        run = vandnot(run, vload(row_containing(ctx, b, t), w))
    return wins, held


@kernel
def fly_board(ctx: Address, men: int, k: int, r: int, loses: int, holds: int) -> int:
    """`fly_vector` for b = 1, as a pair of boards."""
    start = load(ctx.step_start, k)
    target = load(ctx.step_target, k)
    square = load(ctx.step_square, k)
    run = ALL | ALL << 32
    pair = 0
    shut = False
    for i in range(load32(start, r), load32(start, r + 1)):
        mark = load32(square, i)
        t = mark & (RAY_START - 1)
        if mark >= RAY_START:
            run = ALL | ALL << 32
            shut = False
        if shut or (men >> t) & 1:
            shut = True
            continue
        row = load32(target, i)
        pair |= run & (load32(loses, row) | load32(holds, row) << 32)
        run &= ~(PAIR << t)
    return pair


@kernel
def sweep_rows(
    ctx: Address, rules: Any, side: Address, men: int, k: int, b: int, offset: int
) -> int:
    """King moves of one side, rows: read the blocks at *offset*; returns changed vectors."""
    words = row_words_of(ctx, b)
    size = words * 8
    chunks = words >> 3
    loses = ctx.loses + offset
    holds = ctx.holds + offset
    start = load(ctx.step_start, k)
    target = load(ctx.step_target, k)
    turned = load(ctx.turned, k)
    needed = side.needed
    changed = side.changed
    changes = 0
    for r in range(sets_of(ctx, k)):
        if load8(needed, r) == 0:
            continue
        if is_stopped(ctx):
            break
        store8(needed, r, 0)
        first = load32(start, r)
        last = load32(start, r + 1)
        unwon = side.unwon + r * size
        lost = side.lost + r * size
        quiet = side.quiet + r * size
        escape = side.escape + r * size
        for w in range(0, words, 8):
            if rules.flying_kings:
                wins, held = fly_vector(ctx, men, k, r, b, loses, holds, w)
                held = vor(held, vload(escape, w))
            else:
                wins = vfill(0)
                held = vload(escape, w)
                for i in range(first, last):
                    row = load32(target, i) * size
                    wins = vor(wins, vload(loses + row, w))
                    held = vor(held, vload(holds + row, w))
            able = vload(quiet, w)
            old_unwon = vload(unwon, w)
            old_lost = vload(lost, w)
            # UNWON & ~(able & wins), LOST | (able & ~held)
            new_unwon = vandnot(old_unwon, vandnot(able, vandnot(able, wins)))
            new_lost = vor(old_lost, vandnot(able, held))
            if vany(vor(vxor(old_unwon, new_unwon), vxor(old_lost, new_lost))):
                vstore(unwon, w, new_unwon)
                vstore(lost, w, new_lost)
                changes += 1
                store8(changed, (load32(turned, r) >> 6) * chunks + (w >> 3), 1)
    return changes


@kernel
def sweep_boards(ctx: Address, rules: Any, side: Address, men: int, k: int, offset: int) -> int:
    """King moves of one side, b = 1 on a packed board; returns the number of changed rows."""
    loses = ctx.loses + offset
    holds = ctx.holds + offset
    start = load(ctx.step_start, k)
    target = load(ctx.step_target, k)
    turned = load(ctx.turned, k)
    needed = side.needed
    changed = side.changed
    unwon = side.unwon
    lost = side.lost
    changes = 0
    for r in range(sets_of(ctx, k)):
        if load8(needed, r) == 0:
            continue
        store8(needed, r, 0)
        able = load32(side.quiet, r)
        if able == 0:
            continue
        wins = 0
        held = load32(side.escape, r)
        if rules.flying_kings:
            pair = fly_board(ctx, men, k, r, loses, holds)
            wins = pair & ALL
            held |= shift_right(pair, 32)
        else:
            for i in range(load32(start, r), load32(start, r + 1)):
                row = load32(target, i)
                wins |= load32(loses, row)
                held |= load32(holds, row)
        old_unwon = load32(unwon, r)
        old_lost = load32(lost, r)
        new_unwon = old_unwon & ~(able & wins)
        new_lost = old_lost | (able & ~held)
        if new_unwon != old_unwon or new_lost != old_lost:
            store32(unwon, r, new_unwon)
            store32(lost, r, new_lost)
            changes += 1
            store8(changed, load32(turned, r) >> 9, 1)
    return changes


@kernel
def sweep(ctx: Address, rules: Any, side: Address, men: int, k: int, b: int, offset: int) -> int:
    """King moves of one side; returns how much changed, 0 = nothing. *men*: all men."""
    if not is_row(ctx, b):
        return sweep_boards(ctx, rules, side, men, k, offset)
    return sweep_rows(ctx, rules, side, men, k, b, offset)


@kernel
def open_side(ctx: Address, rules: Any, side: Address, om: int, pm: int, k: int, b: int) -> int:
    """Work planes of one side before any king move; returns the number of positions."""
    if not is_row(ctx, b):
        return open_one(ctx, rules, side, om, pm, k)
    return open_many(ctx, rules, side, om, pm, k, b)


@kernel
def flag_all(flags: int, count: int) -> None:
    """Set *count* bytes."""
    for i in range(count):
        store8(flags, i, 1)


@kernel
def publish(ctx: Address, side: Address, k: int, b: int, offset: int, needed: int) -> None:
    """Bring what changed in a side's planes to the other side's block at *offset*."""
    changed = side.changed
    keep = 0
    clear = 1
    transpose_plane(ctx, k, b, side.unwon, ctx.holds + offset, needed, changed, keep)
    transpose_plane(ctx, k, b, side.lost, ctx.loses + offset, needed, changed, clear)


@kernel
def solve_group(
    ctx: Address,
    rules: Any,
    one: Address,
    two: Address,
    om: int,
    pm: int,
    k: int,
    b: int,
    own_mirror: int,
) -> int:
    """Solve one group, k >= 1 and b >= 1; returns the number of positions, both sides to move.

    *own_mirror*: the slice is its own colour mirror; then a group that equals its own mirror
    has one side only.
    """
    men = om | pm
    turned = turn(ctx, men)
    here = block(ctx, om, pm, k, b)
    there = block(ctx, turn(ctx, pm), turn(ctx, om), b, k)
    positions = open_side(ctx, rules, one, om, pm, k, b)
    flag_all(one.changed, tile_count(ctx, k, b))
    nothing = 0
    if own_mirror and here == there:
        # What this side publishes is what it reads itself.
        publish(ctx, one, k, b, there, nothing)
        flag_all(one.needed, sets_of(ctx, k))
        while sweep(ctx, rules, one, men, k, b, here):
            publish(ctx, one, k, b, there, one.needed)
        return positions
    positions += open_side(ctx, rules, two, turn(ctx, pm), turn(ctx, om), b, k)
    flag_all(two.changed, tile_count(ctx, b, k))
    publish(ctx, one, k, b, there, nothing)
    flag_all(two.needed, sets_of(ctx, b))
    sweep(ctx, rules, two, turned, b, k, there)
    publish(ctx, two, b, k, here, nothing)
    flag_all(one.needed, sets_of(ctx, k))
    while True:
        if sweep(ctx, rules, one, men, k, b, here) == 0:
            break
        publish(ctx, one, k, b, there, two.needed)
        if sweep(ctx, rules, two, turned, b, k, there) == 0:
            break
        publish(ctx, two, b, k, here, one.needed)
    return positions
