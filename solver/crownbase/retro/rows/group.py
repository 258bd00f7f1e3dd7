"""One group with kings on both sides: openings, then rounds of king moves until nothing changes.

Each side keeps work planes (context.py: UNWON, LOST, ..) with rows by its own kings. After a
sweep of one side its planes are transposed into the block that the other side reads: UNWON is
the plane HOLDS and LOST the plane LOSES of "the other side has just moved". Sides alternate, so
a round uses what the round before found; only rows that can have changed are swept.
"""

from __future__ import annotations

from typing import Any

from crownbase.jit import kernel
from crownbase.retro.rows.context import (
    CHANGED,
    ESCAPE,
    HOLDS,
    LOSES,
    LOST,
    NEEDED,
    QUIET,
    STEP_SQUARE,
    STEP_START,
    STEP_TARGET,
    TURNED,
    UNWON,
)
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
def fly_vector(ctx: int, men: int, k: int, r: int, b: int, loses: int, holds: int, w: int) -> Any:
    """Flying kings of row *r*: unions of what their moves reach in both planes, from word *w* on.

    Along a ray the running set loses the placements with an opposing king on a square passed.
    """
    size = row_words_of(ctx, b) * 8
    start = load(load(ctx, STEP_START), k)
    target = load(load(ctx, STEP_TARGET), k)
    square = load(load(ctx, STEP_SQUARE), k)
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
def fly_board(ctx: int, men: int, k: int, r: int, loses: int, holds: int) -> int:
    """`fly_vector` for b = 1, as a pair of boards."""
    start = load(load(ctx, STEP_START), k)
    target = load(load(ctx, STEP_TARGET), k)
    square = load(load(ctx, STEP_SQUARE), k)
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
def sweep_rows(ctx: int, rules: Any, side: int, men: int, k: int, b: int, offset: int) -> int:
    """King moves of one side, rows: read the blocks at *offset*; returns changed vectors."""
    words = row_words_of(ctx, b)
    size = words * 8
    chunks = words >> 3
    loses = load(ctx, LOSES) + offset
    holds = load(ctx, HOLDS) + offset
    start = load(load(ctx, STEP_START), k)
    target = load(load(ctx, STEP_TARGET), k)
    turned = load(load(ctx, TURNED), k)
    needed = load(side, NEEDED)
    changed = load(side, CHANGED)
    changes = 0
    for r in range(sets_of(ctx, k)):
        if load8(needed, r) == 0:
            continue
        if is_stopped(ctx):
            break
        store8(needed, r, 0)
        first = load32(start, r)
        last = load32(start, r + 1)
        unwon = load(side, UNWON) + r * size
        lost = load(side, LOST) + r * size
        quiet = load(side, QUIET) + r * size
        escape = load(side, ESCAPE) + r * size
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
def sweep_boards(ctx: int, rules: Any, side: int, men: int, k: int, offset: int) -> int:
    """King moves of one side, b = 1 on a packed board; returns the number of changed rows."""
    loses = load(ctx, LOSES) + offset
    holds = load(ctx, HOLDS) + offset
    start = load(load(ctx, STEP_START), k)
    target = load(load(ctx, STEP_TARGET), k)
    turned = load(load(ctx, TURNED), k)
    needed = load(side, NEEDED)
    changed = load(side, CHANGED)
    unwon = load(side, UNWON)
    lost = load(side, LOST)
    changes = 0
    for r in range(sets_of(ctx, k)):
        if load8(needed, r) == 0:
            continue
        store8(needed, r, 0)
        able = load32(load(side, QUIET), r)
        if able == 0:
            continue
        wins = 0
        held = load32(load(side, ESCAPE), r)
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
def sweep(ctx: int, rules: Any, side: int, men: int, k: int, b: int, offset: int) -> int:
    """King moves of one side; returns how much changed, 0 = nothing. *men*: all men."""
    if not is_row(ctx, b):
        return sweep_boards(ctx, rules, side, men, k, offset)
    return sweep_rows(ctx, rules, side, men, k, b, offset)


@kernel
def open_side(ctx: int, rules: Any, side: int, om: int, pm: int, k: int, b: int) -> int:
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
def publish(ctx: int, side: int, k: int, b: int, offset: int, needed: int) -> None:
    """Bring what changed in a side's planes to the other side's block at *offset*."""
    changed = load(side, CHANGED)
    keep = 0
    clear = 1
    transpose_plane(ctx, k, b, load(side, UNWON), load(ctx, HOLDS) + offset, needed, changed, keep)
    transpose_plane(ctx, k, b, load(side, LOST), load(ctx, LOSES) + offset, needed, changed, clear)


@kernel
def solve_group(
    ctx: int,
    rules: Any,
    sides: int,
    side_bytes: int,
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
    first = sides
    second = sides + side_bytes
    here = block(ctx, om, pm, k, b)
    there = block(ctx, turn(ctx, pm), turn(ctx, om), b, k)
    positions = open_side(ctx, rules, first, om, pm, k, b)
    flag_all(load(first, CHANGED), tile_count(ctx, k, b))
    nothing = 0
    if own_mirror and here == there:
        # What this side publishes is what it reads itself.
        publish(ctx, first, k, b, there, nothing)
        flag_all(load(first, NEEDED), sets_of(ctx, k))
        while sweep(ctx, rules, first, men, k, b, here):
            publish(ctx, first, k, b, there, load(first, NEEDED))
        return positions
    positions += open_side(ctx, rules, second, turn(ctx, pm), turn(ctx, om), b, k)
    flag_all(load(second, CHANGED), tile_count(ctx, b, k))
    publish(ctx, first, k, b, there, nothing)
    flag_all(load(second, NEEDED), sets_of(ctx, b))
    sweep(ctx, rules, second, turned, b, k, there)
    publish(ctx, second, b, k, here, nothing)
    flag_all(load(first, NEEDED), sets_of(ctx, k))
    while True:
        if sweep(ctx, rules, first, men, k, b, here) == 0:
            break
        publish(ctx, first, k, b, there, load(second, NEEDED))
        if sweep(ctx, rules, second, turned, b, k, there) == 0:
            break
        publish(ctx, second, b, k, here, load(first, NEEDED))
    return positions
