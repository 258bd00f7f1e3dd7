"""The draw clock: cursed wins and blessed losses (codes of `retro.values`) by rows.

`rounds.py` stops a group with the round of the clock's last ply; what it has decided is sure.
Here the rest is decided as if there were no clock, in a second pair of planes with a context of
its own, `full`, which ignores the clock in all slices: there cursed wins and blessed losses are
wins and losses. The first pair holds what is sure; there they are draws. So "sure" and "full"
differ in what the moves that leave the group lead to, and the second phase goes like this:

* At its start everything that is sure counts as decided, except what the last ply of the clock
  decided: that is one ply too late for a move that leads there.
* Round 1: moves that leave the group and win, or are all there is and lose.
* Round d: king moves, as before. Before round limit + 1 what was left out is added.

As in the first phase, the round is the distance.
"""

from __future__ import annotations

from typing import Any

from crownbase.jit import Address, kernel
from crownbase.retro.rows.captures import slot
from crownbase.retro.rows.group import flag_all, publish
from crownbase.retro.rows.lone import solve_lone_group
from crownbase.retro.rows.men_only import HELD, man_moves, set_men_bits
from crownbase.retro.rows.records import side_at
from crownbase.retro.rows.round_lone import (
    CONVERTING,
    JUMPING,
    STUCK,
    bit_of,
    prepare_board,
    prepare_rows,
    steps_into,
)
from crownbase.retro.rows.rounds import (
    begin_side,
    keep_state,
    plane_words_of,
    publish_both,
    run_round,
    start_side,
)
from crownbase.retro.rows.rowops import is_row, row_words_of, set_of_rank, sets_of, turn
from crownbase.retro.rows.storage import block
from crownbase.retro.rows.transpose import tile_count
from crownbase.retro.rows.vectors import vandnot, vload, vor, vstore
from crownbase.retro.rows.words import load, load16, load32, store, store16
from crownbase.retro.values import CURSED


@kernel
def note_found(clock: Address) -> None:
    """From now on groups may lead to cursed positions."""
    store(clock.found, 0, 1)


@kernel
def take_over(ctx: Address, sure: Address, full: Address, k: int, b: int) -> None:
    """Put a side's state before the last round of the clock under its second opening.

    What the last round decided cannot be decided again: it is taken out of what moves.
    """
    for w in range(0, plane_words_of(ctx, k, b), 8):
        unwon = vload(sure.first_won, w)
        lost = vload(sure.first_lost, w)
        late = vor(vandnot(unwon, vload(sure.unwon, w)), vandnot(vload(sure.lost, w), lost))
        vstore(full.unwon, w, unwon)
        vstore(full.lost, w, lost)
        vstore(full.quiet, w, vandnot(vload(full.quiet, w), late))
        vstore(full.first_won, w, vandnot(vload(full.first_won, w), late))
        vstore(full.first_lost, w, vandnot(vload(full.first_lost, w), late))


@kernel
def add_late(ctx: Address, sure: Address, full: Address, k: int, b: int) -> None:
    """Add what the last round of the clock decided to a side's state."""
    for w in range(0, plane_words_of(ctx, k, b), 8):
        won = vandnot(vload(sure.first_won, w), vload(sure.unwon, w))
        vstore(full.unwon, w, vandnot(vload(full.unwon, w), won))
        vstore(full.lost, w, vor(vload(full.lost, w), vload(sure.lost, w)))
    flag_all(full.changed, tile_count(ctx, k, b))


@kernel
def copy_sure(
    ctx: Address, one: Address, two: Address, k: int, b: int, here: int, there: int, alone: int
) -> None:
    """Nothing is cursed: the planes that ignore the clock get the same values."""
    nothing = 0
    flag_all(one.changed, tile_count(ctx, k, b))
    publish(ctx, one, k, b, there, nothing)
    if alone == 0:
        flag_all(two.changed, tile_count(ctx, b, k))
        publish(ctx, two, b, k, here, nothing)


@kernel
def curse_group(
    full: Address, clock: Address, rules: Any, sure_one: Address, sure_two: Address, om: int,
    pm: int, k: int, b: int, alone: int, last: int,
) -> None:  # fmt: skip
    """The second phase of a group that `time_group` has solved up to round *last*."""
    limit = clock.limit
    one = side_at(clock.full_one)
    two = side_at(clock.full_two)
    here = block(full, om, pm, k, b)
    there = block(full, turn(full, pm), turn(full, om), b, k)
    late = last == limit
    if not late and load(clock.found, 0) == 0:
        copy_sure(full, sure_one, sure_two, k, b, here, there, alone)
        return
    start_side(full, rules, one, om, pm, k, b)
    if not late:
        keep_state(full, sure_one, k, b)
    take_over(full, sure_one, one, k, b)
    begin_side(full, one, k, b, there)
    if alone == 0:
        start_side(full, rules, two, turn(full, pm), turn(full, om), b, k)
        if not late:
            keep_state(full, sure_two, b, k)
        take_over(full, sure_two, two, b, k)
        begin_side(full, two, b, k, here)
    d = 1
    while True:
        changes = run_round(full, rules, one, om | pm, k, b, here, d, CURSED)
        if alone == 0:
            changes += run_round(full, rules, two, turn(full, om | pm), b, k, there, d, CURSED)
        if changes:
            note_found(clock)
        elif late:
            # Nothing more until the last ply of the clock counts.
            d = limit
        else:
            return
        if late and d == limit:
            late = False
            add_late(full, sure_one, one, k, b)
            if alone == 0:
                add_late(full, sure_two, two, b, k)
        publish_both(full, one, two, k, b, here, there, alone)
        d += 1


# ------------------------------------------------------------------ one side without kings


@kernel
def curse_kingless_side(
    ctx: Address, side: Address, men: int, k: int, out: int, first: int
) -> None:
    """Mark what is decided only without the clock, from out[first] on."""
    for r in range(sets_of(ctx, k)):
        if set_of_rank(ctx, k, r) & men:
            continue
        if load16(out, first) == 0:
            if bit_of(side.unwon, r) == 0:
                store16(out, first, CURSED + 1)
            elif bit_of(side.lost, r):
                store16(out, first, ~(CURSED + 1))
        first += 1


@kernel
def cursed_king_code(
    ctx: Address, rules: Any, om: int, pm: int, kings: int, bit: int, size: int, offset: int
) -> int:
    """The code of a position with the kings to move that is not decided under the clock."""
    rows = slot(ctx, 2)
    if bit_of(ctx.holds + offset, bit) == 0:
        return CURSED + (1 if bit_of(rows + CONVERTING * size, bit) else 2)
    if bit_of(ctx.loses + offset, bit) == 0:
        return 0
    if bit_of(rows + JUMPING * size, bit) and rules.captures_mandatory:
        return ~(CURSED + 1)
    # A king move that loses for sure does not count: it loses sooner than the clock can help.
    if steps_into(ctx, rules, kings, om | pm, rows + STUCK * size):
        return ~(CURSED + 2)
    return ~(CURSED + 1)


@kernel
def curse_lone_group(
    full: Address, clock: Address, rules: Any, side: Address, om: int, pm: int, k: int,
    out: int, first: int, king_out: int, king_first: int,
) -> None:  # fmt: skip
    """The second phase of a group that `time_lone_group` has solved.

    All distances are 1 or 2, within the clock: cursed are only what leads to cursed slices.
    """
    other = side_at(clock.full_one)
    solve_lone_group(full, rules, other, om, pm, k)
    if not is_row(full, k):
        prepare_board(full, rules, other, om, pm)
    else:
        prepare_rows(full, rules, other, om, pm, k)
    size = row_words_of(full, k) * 8
    won = slot(full, 2) + STUCK * size
    for w in range(row_words_of(full, k)):
        # Cursed wins of the side without kings.
        store(won, w, load(side.unwon, w) & ~load(other.unwon, w))
    curse_kingless_side(full, other, om | pm, k, out, first)
    offset = block(full, om, pm, 0, k)
    turned = load(full.turned, k)
    for r in range(sets_of(full, k)):
        bit = load32(turned, r)
        kings = set_of_rank(full, k, bit)
        if kings & (om | pm):
            continue
        if load16(king_out, king_first) == 0:
            code = cursed_king_code(full, rules, om, pm, kings, bit, size, offset)
            store16(king_out, king_first, code)
        king_first += 1


@kernel
def cursed_men_code(
    full: Address, rules: Any, base: int, offsets: int, om: int, pm: int, target: int, code: int
) -> int:
    """The code of men om to move against men pm, *code* under the clock; sets the full bits."""
    pair = man_moves(full, rules, base, offsets, om, pm)
    set_men_bits(full, target, pair)
    if code:
        return code
    if pair & 1:
        return CURSED + 1
    return 0 if pair & HELD else ~(CURSED + 1)
