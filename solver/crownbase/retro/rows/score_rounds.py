"""The rounds of a group for scores: round d decides what ends in d plies (DTW).

Wins take odd rounds, losses even ones. A round of wins reads LOSES, what the other side has lost
before, and makes UNWON smaller, which the other side reads as HOLDS in its next round of losses;
that makes LOST larger, to be read as LOSES. So a side never reads what is written in the same
round. Round d also takes what leaves the group and ends in d plies: a leaving move that wins in
d, or one that loses in d where nothing holds longer. A decided position gets its score in place.
"""

from __future__ import annotations

from typing import Any

from crownbase.board.bits import lowest
from crownbase.jit import Address, kernel
from crownbase.retro.rows.byte_vectors import babove, bequal
from crownbase.retro.rows.group import flag_all
from crownbase.retro.rows.rowops import row_words_of, sets_of
from crownbase.retro.rows.score_steps import reached_board, score_king_rows
from crownbase.retro.rows.scores import LONGEST_WIN, TOO_FAR, put_score, round_score, touched_bytes
from crownbase.retro.rows.tables import RAY_START
from crownbase.retro.rows.transpose import flag_readers, tile_count, transpose_plane
from crownbase.retro.rows.vectors import vand, vandnot, vany, vload, vstore
from crownbase.retro.rows.words import load, load8, load32, store, store8, store32, turn32


@kernel
def publish_bits(ctx: Address, k: int, b: int, r: int, first: int, bits: int, out: int) -> None:
    """Bring what is new in row *r* to the other side: *bits* from place *first* on.

    *out*: see PUBLISHED. Rows and places are turned as in transpose.py, but bit by bit, since a
    round decides little, and each position is decided once.
    """
    turned = load(ctx.turned, b)
    at = load32(load(ctx.turned, k), r)
    size = row_words_of(ctx, k) * 8 if k >= 2 else 4
    place = load(out, 0) + (at >> 3)
    touched = load(out, 1)
    flag = 1 << (at & 7)
    while bits:
        row = load32(turned, first + lowest(bits))
        bits &= bits - 1
        store8(place, row * size, load8(place, row * size) ^ flag)
        store8(touched, row, 1)


@kernel
def win_row(
    ctx: Address, rules: Any, side: Address, men: int, k: int, b: int, r: int, plane: int, d: int,
    begins: int, out: int,
) -> int:  # fmt: skip
    """Row *r* in a round of wins, b >= 2; returns the number of changed words."""
    words = row_words_of(ctx, b)
    score = round_score(d)
    new = ctx.tile
    changes = 0
    for w in range(0, words, 8):
        at = r * words + w
        vstore(new, 0, score_king_rows(ctx, rules, side, men, k, r, b, plane, w))
        scores = side.scores + at * 64
        if begins:
            for i in range(8):
                store(new, i, load(new, i) | bequal(vload(scores, 8 * i), score))
        won = vand(vload(new, 0), vload(side.unwon, at))
        if not vany(won):
            continue
        vstore(side.unwon, at, vandnot(vload(side.unwon, at), won))
        vstore(new, 0, won)
        for i in range(8):
            bits = load(new, i)
            if bits:
                put_score(scores + 64 * i, score, bits)
                publish_bits(ctx, k, b, r, (w + i) * 64, bits, out)
                changes += 1
    return changes


@kernel
def lose_row(
    ctx: Address,
    rules: Any,
    side: Address,
    men: int,
    k: int,
    b: int,
    r: int,
    plane: int,
    d: int,
    out: int,
) -> int:
    """Row *r* in a round of losses, b >= 2; returns the number of changed words."""
    words = row_words_of(ctx, b)
    score = round_score(d)
    new = ctx.tile
    changes = 0
    for w in range(0, words, 8):
        at = r * words + w
        open_yet = vandnot(vload(side.unwon, at), vload(side.lost, at))
        lost = vandnot(open_yet, score_king_rows(ctx, rules, side, men, k, r, b, plane, w))
        if not vany(lost):
            continue
        vstore(new, 0, lost)
        scores = side.scores + at * 64
        for i in range(8):
            bits = load(new, i)
            if bits:
                bits &= ~babove(vload(scores, 8 * i), score)
            if bits:
                put_score(scores + 64 * i, score, bits)
                publish_bits(ctx, k, b, r, (w + i) * 64, bits, out)
                store(side.lost, at + i, load(side.lost, at + i) | bits)
                changes += 1
    return changes


@kernel
def win_in_board(
    ctx: Address, side: Address, k: int, r: int, new: int, score: int, out: int
) -> None:
    """Positions of row *r* are won, b = 1."""
    put_score(side.scores + r * 32, score, new)
    store32(side.unwon, r, load32(side.unwon, r) & ~new)
    publish_bits(ctx, k, 1, r, 0, new, out)


@kernel
def win_before(
    ctx: Address,
    rules: Any,
    side: Address,
    men: int,
    k: int,
    r: int,
    lost: int,
    score: int,
    out: int,
) -> int:
    """Positions that a king move takes to row *r*, where *lost* is lost, are won, b = 1.

    King moves can be made both ways, so the same steps lead back. Returns the number of changes.
    """
    start = load(ctx.step_start, k)
    target = load(ctx.step_target, k)
    square = load(ctx.step_square, k)
    unwon = side.unwon
    quiet = side.quiet
    run = lost
    shut = False
    changes = 0
    for i in range(load32(start, r), load32(start, r + 1)):
        before = load32(target, i)
        if rules.flying_kings:
            mark = load32(square, i)
            if mark >= RAY_START:
                run = lost
                shut = False
            if shut or (men >> (mark & (RAY_START - 1))) & 1:
                shut = True
                continue
        new = run & load32(unwon, before) & load32(quiet, before)
        if rules.flying_kings:
            run &= ~(1 << (load32(square, i) & (RAY_START - 1)))
        if new:
            win_in_board(ctx, side, k, before, new, score, out)
            changes += 1
    return changes


@kernel
def win_boards(
    ctx: Address,
    rules: Any,
    side: Address,
    men: int,
    k: int,
    plane: int,
    d: int,
    touched: int,
    out: int,
) -> int:
    """A round of wins, b = 1, from the rows of LOSES that were *touched*; returns changes."""
    unwon = side.unwon
    score = round_score(d)
    begin = side.present + score * side.present_bytes
    changes = 0
    for eight in range((sets_of(ctx, k) + 7) >> 3):
        begins = load8(begin, eight)
        if begins == 0 and load(touched, eight) == 0:
            continue
        for r in range(8 * eight, min(8 * eight + 8, sets_of(ctx, k))):
            if (begins >> (r & 7)) & 1:
                new = load32(unwon, r) & bequal(vload(side.scores + r * 32, 0), score)
                if new:
                    win_in_board(ctx, side, k, r, new, score, out)
                    changes += 1
            if load8(touched, r):
                lost = load32(plane, r)
                changes += win_before(ctx, rules, side, men, k, r, lost, score, out)
        store(touched, eight, 0)
    return changes


@kernel
def lose_board(
    ctx: Address, rules: Any, side: Address, men: int, k: int, r: int, plane: int, d: int, out: int
) -> int:
    """Row *r* in a round of losses, b = 1; returns whether it changed."""
    scores = side.scores + r * 32
    score = round_score(d)
    lost = load32(side.lost, r)
    new = load32(side.unwon, r) & ~lost
    if new:
        new &= ~babove(vload(scores, 0), score)
    if new == 0:
        return 0
    new &= ~(load32(side.quiet, r) & reached_board(ctx, rules, men, k, r, plane))
    if new == 0:
        return 0
    put_score(scores, score, new)
    store32(side.lost, r, lost | new)
    publish_bits(ctx, k, 1, r, 0, new, out)
    return 1


@kernel
def touched_rows(ctx: Address, side: Address, k: int, d: int) -> int:
    """Address of the flags for the rows that round *d* changes in what a side reads."""
    return side.touched + (d & 1) * touched_bytes(sets_of(ctx, k))


@kernel
def run_score_round(
    ctx: Address, rules: Any, side: Address, men: int, k: int, b: int, plane: int, d: int,
    place: int, reader: Address,
) -> int:  # fmt: skip
    """Round *d* of one side over the rows that can change; returns how much did.

    It reads the block at *plane* and writes what the side *reader* reads to that at *place*.
    """
    out = ctx.published
    store(out, 0, place)
    store(out, 1, touched_rows(ctx, reader, b, d))
    if b == 1 and d & 1:
        touched = touched_rows(ctx, side, k, d - 1)
        return win_boards(ctx, rules, side, men, k, plane, d, touched, out)
    begin = side.present + round_score(d) * side.present_bytes
    needed = side.needed
    changes = 0
    for eight in range((sets_of(ctx, k) + 7) >> 3):
        begins = load8(begin, eight)
        if begins == 0 and load(needed, eight) == 0:
            continue
        for r in range(8 * eight, min(8 * eight + 8, sets_of(ctx, k))):
            begins_here = (begins >> (r & 7)) & 1
            if begins_here == 0 and load8(needed, r) == 0:
                continue
            if b == 1:
                changes += lose_board(ctx, rules, side, men, k, r, plane, d, out)
            elif d & 1:
                changes += win_row(
                    ctx, rules, side, men, k, b, r, plane, d, begins_here, out
                )  # fmt: skip
            else:
                changes += lose_row(ctx, rules, side, men, k, b, r, plane, d, out)
        store(needed, eight, 0)
    return changes


@kernel
def flag_needed(ctx: Address, side: Address, k: int, b: int, d: int) -> None:
    """Flag the rows of a side that read what round *d* changed (`win_boards` does without)."""
    if b == 1 and d & 1 == 0:
        return
    touched = touched_rows(ctx, side, k, d)
    needed = side.needed
    for eight in range((sets_of(ctx, k) + 7) >> 3):
        if load(touched, eight):
            for r in range(8 * eight, 8 * eight + 8):
                if load8(touched, r):
                    flag_readers(ctx, k, r, needed)
            store(touched, eight, 0)


@kernel
def begin_score_side(ctx: Address, side: Address, k: int, b: int, there: int) -> None:
    """Publish the positions of a side as undecided and have all its rows looked at."""
    flag_all(side.changed, tile_count(ctx, k, b))
    none = 0
    keep = 0
    clear = 1
    changed = side.changed
    holds = ctx.holds + there
    loses = ctx.loses + there
    transpose_plane(ctx, k, b, side.unwon, holds, none, changed, keep)
    transpose_plane(ctx, k, b, side.lost, loses, none, changed, clear)
    flag_all(side.needed, sets_of(ctx, k))


@kernel
def last_beginning(side: Address) -> int:
    """The last round in which a leaving move decides something, 0 if there is none."""
    last = 0
    step = side.present_bytes
    for d in range(1, LONGEST_WIN + 2):
        flags = side.present + round_score(d) * step
        for i in range(step >> 3):
            if load(flags, i):
                last = d
    return last


@kernel
def run_score_rounds(
    ctx: Address, rules: Any, one: Address, two: Address, men: int, k: int, b: int, here: int,
    there: int, alone: int,
) -> int:  # fmt: skip
    """All rounds of a group whose sides are open; returns the last, TOO_FAR if too long."""
    begin_score_side(ctx, one, k, b, there)
    last = last_beginning(one)
    if alone == 0:
        begin_score_side(ctx, two, b, k, here)
        last = max(last, last_beginning(two))
    d = 0
    while True:
        plane = ctx.loses if d & 1 else ctx.holds
        place = ctx.holds if d & 1 else ctx.loses
        reader = one if alone else two
        changes = run_score_round(
            ctx, rules, one, men, k, b, plane + here, d, place + there, reader
        )  # fmt: skip
        if alone == 0:
            changes += run_score_round(
                ctx, rules, two, turn32(men), b, k, plane + there, d, place + here, one
            )  # fmt: skip
            flag_needed(ctx, two, b, k, d)
        flag_needed(ctx, one, k, b, d)
        if changes == 0 and d >= last:
            return d
        d += 1
        if d > LONGEST_WIN:
            return TOO_FAR
