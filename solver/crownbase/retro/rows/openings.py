"""The opening of a group: everything that moves which leave the group decide.

For one side of a group: captures, moves of men and promotions lead to positions that are solved
already. They are looked up once, for every row of own kings, and leave four work planes (rows
by own kings, bits by opposing kings):

* UNWON: the position exists and is not won so far;
* LOST: lost so far;
* QUIET: the side may make quiet moves here, so king moves inside the group count;
* ESCAPE: some move out of the group does not lose.

A fifth, MOVABLE, is kept only where distances are wanted (rounds.py): the side can capture.

This module does rows of opposing kings, `openings_one.py` b = 1 on a packed board.
"""

from __future__ import annotations

from typing import Any

from crownbase.board.bits import lowest
from crownbase.jit import Address, kernel
from crownbase.retro.rows.captures import capture_row, slot
from crownbase.retro.rows.general import capture_rows_general
from crownbase.retro.rows.landing import FIRST_SLOT, fill_landing, near, note_jumpers
from crownbase.retro.rows.rowops import (
    clear_row,
    copy_row,
    count_row,
    full_row,
    is_stopped,
    row_words_of,
    set_of_rank,
    sets_of,
    without_squares,
)
from crownbase.retro.rows.storage import block, rank_few
from crownbase.retro.rows.tables import WALL
from crownbase.retro.rows.vectors import vand, vandnot, vfill, vload, vor, vstore
from crownbase.retro.rows.words import load, store


@kernel
def list_advances(ctx: Address, om: int, pm: int, k: int, b: int) -> int:
    """Fill ADVANCES with the quiet man moves of a group; returns how many there are.

    Each is a pair: the byte offset of the block that it leads to, and the target square. If
    the man stays a man, the row number stays the same.
    """
    advances = ctx.advances
    men = om | pm | WALL
    count = 0
    rest = om
    while rest:
        s = lowest(rest)
        rest &= rest - 1
        for d in range(2):
            t = near(ctx, s, d)
            if (men >> t) & 1:
                continue
            left = om & ~(1 << s)
            if t < ctx.width:
                store(advances, 2 * count, block(ctx, left, pm, k + 1, b))
            else:
                store(advances, 2 * count, block(ctx, left | (1 << t), pm, k, b))
            store(advances, 2 * count + 1, t)
            count += 1
    return count


@kernel
def fill_group_rows(ctx: Address, men: int, b: int) -> None:
    """GROUP_ROWS[n] for all n <= b that have rows: opposing kings that avoid all men."""
    for n in range(2 if ctx.packed else 1, b + 1):
        row = ctx.group_rows + n * ctx.slot_bytes
        full_row(ctx, row, n)
        without_squares(ctx, row, row, n, men)


@kernel
def fill_open_rows(ctx: Address, ok: int, b: int) -> None:
    """OPEN_ROWS[n] for all n < b that have rows and the set of slot 0: also avoid the own kings."""
    for n in range(2 if ctx.packed else 1, b + 1):
        source = ctx.group_rows + n * ctx.slot_bytes
        row = ctx.open_rows + n * ctx.slot_bytes if n < b else slot(ctx, 0)
        without_squares(ctx, row, source, n, ok)


@kernel
def capture_all(ctx: Address, rules: Any, om: int, ok: int, pm: int, b: int) -> None:
    """Captures of every own piece into slot 0, whose set is there already."""
    if rules.general:
        capture_rows_general(ctx, rules, om, ok, pm, b)
        return
    words = row_words_of(ctx, b)
    clear_row(slot(ctx, 0) + 8 * words, 3 * words)
    start = om | ok | pm
    ctx.start_occupied = start
    rest = om | ok
    while rest:
        s = lowest(rest)
        rest &= rest - 1
        piece = 1 << s
        is_king = (ok >> s) & 1
        capture_row(ctx, rules, FIRST_SLOT, om & ~piece, ok & ~piece, pm, b, s, is_king, start)


@kernel
def close_row(
    ctx: Address, rules: Any, side: Address, r: int, ok: int, b: int, advances: int
) -> None:
    """Write row *r* of the work planes from slot 0 and the man moves."""
    words = row_words_of(ctx, b)
    size = words * 8
    here = slot(ctx, 0)
    at = r * size
    unwon = side.unwon + at
    lost = side.lost + at
    quiet = side.quiet + at
    escape = side.escape + at
    loses = ctx.loses
    holds = ctx.holds
    listed = ctx.advances
    jumps = side.movable
    at_word = r * words
    for w in range(0, words, 8):
        exists = vload(here, w)
        able = vandnot(exists, vload(here + size, w)) if rules.captures_mandatory else exists
        won = vload(here + 2 * size, w)
        held = vload(here + 3 * size, w)
        vstore(lost, w, vandnot(vandnot(exists, able), held))
        for j in range(advances):
            offset = load(listed, 2 * j)
            t = load(listed, 2 * j + 1)
            row = at
            if t < ctx.width:
                if (ok >> t) & 1:
                    continue
                row = rank_few(ok | (1 << t)) * size
            won = vor(won, vand(able, vload(loses + offset + row, w)))
            held = vor(held, vand(able, vload(holds + offset + row, w)))
        vstore(quiet, w, able)
        vstore(escape, w, held)
        vstore(unwon, w, vandnot(exists, won))
        if jumps:
            vstore(jumps, at_word + w, vload(here + size, w))
        if ok == 0:
            # No own king: nothing inside the group moves, so what does not escape is lost.
            vstore(lost, w, vandnot(exists, held))


@kernel
def blank_row(side: Address, r: int, words: int) -> None:
    """Row *r* of the work planes when an own king stands on a man."""
    at = r * words * 8
    zero = vfill(0)
    for w in range(0, words, 8):
        vstore(side.unwon + at, w, zero)
        vstore(side.lost + at, w, zero)
        vstore(side.quiet + at, w, zero)
        vstore(side.escape + at, w, zero)


@kernel
def open_many(ctx: Address, rules: Any, side: Address, om: int, pm: int, k: int, b: int) -> int:
    """Work planes of one side, rows over b opposing kings; returns the number of positions."""
    men = om | pm
    words = row_words_of(ctx, b)
    if not rules.general:
        note_jumpers(ctx, rules, om, pm)
    fill_group_rows(ctx, men, b)
    advances = list_advances(ctx, om, pm, k, b)
    if k > 0 and b == 2 and not rules.general:
        fill_landing(ctx, om, pm, k)
    positions = 0
    for r in range(sets_of(ctx, k)):
        if is_stopped(ctx):
            break
        ok = set_of_rank(ctx, k, r)
        if ok & men:
            blank_row(side, r, words)
            continue
        fill_open_rows(ctx, ok, b)
        capture_all(ctx, rules, om, ok, pm, b)
        close_row(ctx, rules, side, r, ok, b, advances)
        positions += count_row(slot(ctx, 0), words)
    return positions


@kernel
def keep_lost_rows(ctx: Address, side: Address, offset: int, b: int) -> None:
    """Own side without kings: its one row goes to the planes at *offset* as it is."""
    words = row_words_of(ctx, b)
    copy_row(ctx.loses + offset, side.lost, words)
    copy_row(ctx.holds + offset, side.unwon, words)
