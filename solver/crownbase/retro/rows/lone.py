"""Groups in which one side has no kings: nothing can be undone by the other, so no rounds.

Frame: "they" are the side without kings, men om moving towards square 0; the other side has men
pm moving the other way and k >= 1 kings. One row over the k kings, or board (k = 1, packed),
holds the whole group for one side to move. First they move: men only, the opening of a group
with no own kings decides everything. Then the side with kings moves: its king moves lead to
positions with them to move, which are solved now. Both rows stand in the same frame.
"""

from __future__ import annotations

from typing import Any

from crownbase.board.bits import lowest
from crownbase.jit import Address, kernel
from crownbase.retro.rows.captures import add_results, slot
from crownbase.retro.rows.general_lone import drop_all_rows
from crownbase.retro.rows.landing import ALL, KING, MAN, ONE_KING, PAIR, SECOND_SLOT, far, near
from crownbase.retro.rows.lone_captures import (
    crowned_pair,
    drop_bits,
    drop_board,
    drop_row,
    first_direction,
    their_pair,
    their_row,
)
from crownbase.retro.rows.openings import fill_group_rows, keep_lost_rows, open_many
from crownbase.retro.rows.openings_one import open_one
from crownbase.retro.rows.rowops import (
    add_row,
    clear_row,
    compress,
    compress_board,
    expand,
    expand_board,
    full_row,
    is_row,
    row_words_of,
    without_square,
)
from crownbase.retro.rows.storage import block
from crownbase.retro.rows.tables import OFF_BOARD, WALL
from crownbase.retro.rows.vectors import vand, vandnot, vload, vor, vstore
from crownbase.retro.rows.words import load, load32, shift_right, store, store32


@kernel
def pair_steps(ctx: Address, rules: Any, pair: int, men: int) -> int:
    """Squares from which one king move reaches a square of the pair, for both boards."""
    result = 0
    for s in range(ctx.squares):
        if rules.flying_kings:
            board = rays_from(ctx, s, men)
        else:
            board = load(ctx.near_sets, s)
        if pair & board:
            result |= 1 << s
        if shift_right(pair, 32) & board:
            result |= 1 << (s + 32)
    return result


@kernel
def king_steps_one(ctx: Address, rules: Any, men: int, offset: int, won: int, held: int) -> None:
    """k = 1 in a row, not packed: as `king_steps_two`."""
    loses = load(ctx.loses + offset, 0)
    holds = load(ctx.holds + offset, 0)
    for s in range(ctx.squares):
        board = rays_from(ctx, s, men) if rules.flying_kings else load(ctx.near_sets, s)
        if (men >> s) & 1 == 0:
            store(won, 0, load(won, 0) | (1 if loses & board else 0) << s)
            store(held, 0, load(held, 0) | (1 if holds & board else 0) << s)


@kernel
def rays_from(ctx: Address, s: int, occupied: int) -> int:
    """The squares that a flying king on s can go to."""
    board = 0
    for d in range(4):
        t = near(ctx, s, d)
        while ((occupied | WALL) >> t) & 1 == 0:
            board |= 1 << t
            t = near(ctx, t, d)
    return board


@kernel
def king_board_captures(ctx: Address, rules: Any, om: int, pm: int) -> tuple[int, int]:
    """k = 1: captures by the king; the pair over its square, and the squares where it can."""
    men = om | pm | WALL
    pair = 0
    able = 0
    rest = om
    while rest:
        v = lowest(rest)
        rest &= rest - 1
        left = om & ~(1 << v)
        for d in range(4):
            t = near(ctx, v, d)
            source = near(ctx, v, 3 - d)
            if ((men >> t) | (men >> source)) & 1 == 0:
                able |= 1 << source
                pair |= drop_bits(ctx, rules, left, pm, t) << source
    return pair, able


@kernel
def man_board_captures(ctx: Address, rules: Any, om: int, pm: int, free: int) -> tuple[int, int]:
    """k = 1: captures by men; the pair over the king's square, and the squares where they can."""
    pair = 0
    able = 0
    rest = pm
    while rest:
        s = lowest(rest)
        rest &= rest - 1
        others = pm & ~(1 << s)
        occupied = om | others | WALL
        for d in range(first_direction(rules, False), 4):
            t = far(ctx, s, d)
            v = near(ctx, s, d)
            if (om >> v) & 1 and (occupied >> t) & 1 == 0:
                kings = free & ~(1 << t)
                able |= kings
                pair |= drop_board(ctx, rules, om & ~(1 << v), others, t, MAN, kings)
    return pair, able


@kernel
def man_board_steps(ctx: Address, om: int, pm: int) -> int:
    """k = 1: the pair over the king's square for quiet man moves."""
    men = om | pm | WALL
    pair = 0
    rest = pm
    while rest:
        s = lowest(rest)
        rest &= rest - 1
        others = pm & ~(1 << s)
        for d in range(2, 4):
            t = near(ctx, s, d)
            if (men >> t) & 1:
                continue
            if t >= ctx.squares - ctx.width:
                pair |= crowned_pair(ctx, om, others, t)
            else:
                pair |= their_pair(ctx, om, others | (1 << t))
    return pair


@kernel
def board_captures(ctx: Address, rules: Any, om: int, pm: int) -> tuple[int, int]:
    """k = 1: all captures; the pair over the king's square, and the squares where there are."""
    if rules.general:
        drop_all_rows(ctx, rules, om, pm, ONE_KING)
        here = slot(ctx, 0)
        pair = (load(here, 16) & ALL) | load(here, 24) << 32
        return pair, load(here, 8) & ALL
    by_king, king_able = king_board_captures(ctx, rules, om, pm)
    by_men, men_able = man_board_captures(ctx, rules, om, pm, ALL & ~(om | pm))
    return by_king | by_men, king_able | men_able


@kernel
def king_side_board(ctx: Address, rules: Any, om: int, pm: int) -> None:
    """The side with its one king moves: write its board."""
    men = om | pm
    exists = ALL & ~men
    captured, able = board_captures(ctx, rules, om, pm)
    quiet = exists & ~able if rules.captures_mandatory else exists
    reached = pair_steps(ctx, rules, their_pair(ctx, om, pm), men) | man_board_steps(ctx, om, pm)
    both = captured | (reached & (quiet | quiet << 32))
    offset = block(ctx, om, pm, 0, 1)
    store32(ctx.loses + offset, 0, exists & ~shift_right(both, 32))
    store32(ctx.holds + offset, 0, exists & ~both)


# ------------------------------------------------------------------ two and more kings


@kernel
def man_row_captures(ctx: Address, rules: Any, om: int, pm: int, k: int) -> None:
    """Captures by men into slot 0; its set is the row of k kings that avoid the men."""
    here = slot(ctx, 0)
    child = slot(ctx, 1)
    words = row_words_of(ctx, k)
    size = words * 8
    rest = pm
    while rest:
        s = lowest(rest)
        rest &= rest - 1
        others = pm & ~(1 << s)
        occupied = om | others | WALL
        for d in range(first_direction(rules, False), 4):
            t = far(ctx, s, d)
            v = near(ctx, s, d)
            if (om >> v) & 1 and (occupied >> t) & 1 == 0:
                if without_square(ctx, child, here, k, t):
                    add_row(here + size, child, words)
                    drop_row(ctx, rules, SECOND_SLOT, om & ~(1 << v), others, t, MAN, k)
                    add_results(here, size, child, words)


@kernel
def king_row_captures(ctx: Address, rules: Any, om: int, pm: int, k: int) -> None:
    """Captures by kings into slot 0: for each square of the king, over the k - 1 others."""
    men = om | pm | WALL
    here = slot(ctx, 0)
    child = slot(ctx, 1)
    size = row_words_of(ctx, k) * 8
    smaller = row_words_of(ctx, k - 1) * 8
    others = ctx.group_rows + (k - 1) * ctx.slot_bytes
    for s in range(ctx.squares):
        if (men >> s) & 1 or load(ctx.near_sets, s) & om == 0:
            continue
        for d in range(4):
            t = far(ctx, s, d)
            v = near(ctx, s, d)
            if (om >> v) & 1 == 0 or (men >> t) & 1:
                continue
            left = om & ~(1 << v)
            if k == 2:
                kings = ALL & ~(men | (1 << s) | (1 << t))
                pair = drop_board(ctx, rules, left, pm, t, KING, kings)
                expand_board(ctx, here + size, kings, s)
                expand_board(ctx, here + 2 * size, pair & ALL, s)
                expand_board(ctx, here + 3 * size, shift_right(pair, 32), s)
                continue
            without_square(ctx, child, others, k - 1, s)
            if without_square(ctx, child, child, k - 1, t):
                drop_row(ctx, rules, SECOND_SLOT, left, pm, t, KING, k - 1)
                # JUMPED is overwritten by the search; the set itself is what could capture.
                expand(ctx, here + size, child, k, s)
                expand(ctx, here + 2 * size, child + 2 * smaller, k, s)
                expand(ctx, here + 3 * size, child + 3 * smaller, k, s)


@kernel
def king_steps_two(ctx: Address, rules: Any, men: int, offset: int, won: int, held: int) -> None:
    """k = 2: rows from which a king step reaches the rows at *offset*; adds to won, held."""
    landed = ctx.list
    loses = ctx.loses + offset
    holds = ctx.holds + offset
    for t in range(ctx.squares):
        pair = 0
        if (men >> t) & 1 == 0:
            pair = compress_board(ctx, loses, t) | compress_board(ctx, holds, t) << 32
        store(landed, t, pair)
    for s in range(ctx.squares):
        if (men >> s) & 1:
            continue
        pair = 0
        for d in range(4):
            run = ALL | ALL << 32
            t = near(ctx, s, d)
            while ((men | WALL) >> t) & 1 == 0:
                pair |= load(landed, t) & run
                run &= ~(PAIR << t)
                t = near(ctx, t, d) if rules.flying_kings else OFF_BOARD
        expand_board(ctx, won, pair & ALL, s)
        expand_board(ctx, held, shift_right(pair, 32), s)


@kernel
def king_steps_many(
    ctx: Address, rules: Any, men: int, offset: int, won: int, held: int, k: int
) -> None:
    """`king_steps_two` for other rows, over rows of the k - 1 kings that do not move."""
    words = row_words_of(ctx, k - 1)
    size = words * 8
    landed = ctx.list
    row_won = ctx.row_a
    row_held = ctx.row_b
    run = slot(ctx, 2)
    for t in range(ctx.squares):
        if (men >> t) & 1:
            clear_row(landed + 2 * t * size, 2 * words)
        else:
            compress(ctx, landed + 2 * t * size, ctx.loses + offset, k, t)
            compress(ctx, landed + (2 * t + 1) * size, ctx.holds + offset, k, t)
    for s in range(ctx.squares):
        if (men >> s) & 1:
            continue
        clear_row(row_won, words)
        clear_row(row_held, words)
        for d in range(4):
            t = near(ctx, s, d)
            full_row(ctx, run, k - 1)
            while ((men | WALL) >> t) & 1 == 0:
                for w in range(0, words, 8):
                    passed = vload(run, w)
                    won_there = vand(passed, vload(landed + 2 * t * size, w))
                    held_there = vand(passed, vload(landed + (2 * t + 1) * size, w))
                    vstore(row_won, w, vor(vload(row_won, w), won_there))
                    vstore(row_held, w, vor(vload(row_held, w), held_there))
                without_square(ctx, run, run, k - 1, t)
                t = near(ctx, t, d) if rules.flying_kings else OFF_BOARD
        expand(ctx, won, row_won, k, s)
        expand(ctx, held, row_held, k, s)


@kernel
def man_row_steps(ctx: Address, om: int, pm: int, won: int, held: int, k: int) -> None:
    """Quiet man moves of the side with kings; adds to the rows won and held."""
    words = row_words_of(ctx, k)
    men = om | pm | WALL
    loses = ctx.loses
    holds = ctx.holds
    rest = pm
    while rest:
        s = lowest(rest)
        rest &= rest - 1
        others = pm & ~(1 << s)
        for d in range(2, 4):
            t = near(ctx, s, d)
            if (men >> t) & 1:
                continue
            if t >= ctx.squares - ctx.width:
                offset = their_row(ctx, om, others, k + 1)
                compress(ctx, ctx.row_a, loses + offset, k + 1, t)
                compress(ctx, ctx.row_b, holds + offset, k + 1, t)
                add_row(won, ctx.row_a, words)
                add_row(held, ctx.row_b, words)
            else:
                offset = their_row(ctx, om, others | (1 << t), k)
                add_row(won, loses + offset, words)
                add_row(held, holds + offset, words)


@kernel
def king_side_row(ctx: Address, rules: Any, om: int, pm: int, k: int) -> None:
    """The side with rows of k kings moves: write its row."""
    men = om | pm
    words = row_words_of(ctx, k)
    size = words * 8
    here = slot(ctx, 0)
    fill_group_rows(ctx, men, k)
    group_row = ctx.group_rows + k * ctx.slot_bytes
    for w in range(0, words, 8):
        vstore(here, w, vload(group_row, w))
    clear_row(here + size, 3 * words)
    if rules.general:
        drop_all_rows(ctx, rules, om, pm, k)
    else:
        man_row_captures(ctx, rules, om, pm, k)
        king_row_captures(ctx, rules, om, pm, k)
    won = slot(ctx, 1)
    held = won + size
    clear_row(won, 2 * words)
    offset = their_row(ctx, om, pm, k)
    if k == 2 and ctx.packed:
        king_steps_two(ctx, rules, men, offset, won, held)
    elif k == 1:
        king_steps_one(ctx, rules, men, offset, won, held)
    else:
        king_steps_many(ctx, rules, men, offset, won, held, k)
    man_row_steps(ctx, om, pm, won, held, k)
    target = block(ctx, om, pm, 0, k)
    loses = ctx.loses + target
    holds = ctx.holds + target
    for w in range(0, words, 8):
        exists = vload(here, w)
        quiet = vandnot(exists, vload(here + size, w)) if rules.captures_mandatory else exists
        wins = vor(vload(here + 2 * size, w), vand(quiet, vload(won, w)))
        escapes = vor(vload(here + 3 * size, w), vand(quiet, vload(held, w)))
        vstore(loses, w, vandnot(exists, escapes))
        vstore(holds, w, vandnot(exists, wins))


@kernel
def solve_lone_group(ctx: Address, rules: Any, side: Address, om: int, pm: int, k: int) -> int:
    """Solve one group, both sides to move; returns the number of positions."""
    none = 0
    target = their_row(ctx, om, pm, k)
    if not is_row(ctx, k):
        positions = open_one(ctx, rules, side, om, pm, none)
        store32(ctx.loses + target, 0, load32(side.lost, 0))
        store32(ctx.holds + target, 0, load32(side.unwon, 0))
        king_side_board(ctx, rules, om, pm)
    else:
        positions = open_many(ctx, rules, side, om, pm, none, k)
        keep_lost_rows(ctx, side, target, k)
        king_side_row(ctx, rules, om, pm, k)
    return 2 * positions
