"""The opening of a group (see openings.py) for one opposing king: rows are boards.

Rows of 32 bits are worked on in registers. Captures by men are listed once per group, with the
blocks that they lead to; captures by kings use the LANDING pairs of captures.py.
"""

from __future__ import annotations

from typing import Any

from crownbase.board.bits import lowest, popcount
from crownbase.jit import Address, kernel
from crownbase.retro.rows.captures import capture_bits, capture_board, slot
from crownbase.retro.rows.general import capture_board_general
from crownbase.retro.rows.keys import quarter
from crownbase.retro.rows.landing import (
    ALL,
    CROWN_ROW_END,
    KING,
    MAN,
    NO_PIECE,
    ONE_KING,
    PAIR,
    far,
    fill_landing,
    jump_directions,
    jump_victims,
    king_jumps,
    near,
    note_jumpers,
)
from crownbase.retro.rows.openings import list_advances
from crownbase.retro.rows.rowops import is_stopped, set_of_rank, sets_of
from crownbase.retro.rows.storage import (
    bit_pair,
    block,
    kingless_bit,
    rank_few,
)
from crownbase.retro.rows.tables import WALL
from crownbase.retro.rows.words import load, load32, shift_right, store, store32, turn32

# How the result of a man's capture is found; fields of a MAN_JUMPS record.
TAKES_MAN = 0
ENDS_GAME = 1
SEARCH = 2
CROWNED = 3
STAYS_MAN = 4
JUMP_FROM, JUMP_OVER, JUMP_TO, JUMP_KIND, JUMP_BIT = 0, 1, 2, 3, 4
JUMP_FIELDS = 8


@kernel
def list_man_jumps(ctx: Address, rules: Any, om: int, pm: int, k: int) -> int:
    """Fill MAN_JUMPS with the captures that a man can make in this group; returns their number.

    JUMP_KIND says how the result is found: TAKES_MAN by a search over the opposing king,
    ENDS_GAME the king was the last piece, SEARCH another man may be taken after the king,
    CROWNED and STAYS_MAN by the bit at JUMP_BIT + rank of the turned own kings.
    """
    jumps = ctx.man_jumps
    men = om | pm | WALL
    count = 0
    rest = om
    while rest:
        s = lowest(rest)
        rest &= rest - 1
        left = om & ~(1 << s)
        for d in range(jump_directions(rules, False)):
            t = far(ctx, s, d)
            v = near(ctx, s, d)
            if (men >> t) & 1 or (om >> v) & 1:
                continue
            kind = TAKES_MAN
            bit = 0
            if (pm >> v) & 1 == 0:
                if not rules.men_capture_kings:
                    continue
                if pm == 0:
                    kind = ENDS_GAME
                elif t < CROWN_ROW_END:
                    kind = CROWNED
                    bit = block(ctx, left, pm, k + 1, 0) * 8
                elif (ctx.man_jumpers >> t) & 1:
                    kind = SEARCH
                else:
                    kind = STAYS_MAN
                    if k == 0:
                        bit = kingless_bit(ctx, left | (1 << t), NO_PIECE, pm)
                    else:
                        bit = block(ctx, left | (1 << t), pm, k, 0) * 8
            record = jumps + count * 8 * JUMP_FIELDS
            store(record, JUMP_FROM, s)
            store(record, JUMP_OVER, v)
            store(record, JUMP_TO, t)
            store(record, JUMP_KIND, kind)
            store(record, JUMP_BIT, bit)
            count += 1
    return count


@kernel
def man_captures(
    ctx: Address, rules: Any, om: int, ok: int, pm: int, exists: int, jumps: int
) -> tuple[int, int]:
    """Captures by men in one row: the pair, and the squares of the king where one exists."""
    pair = 0
    able = 0
    record = ctx.man_jumps
    turned = rank_few(turn32(ok))
    for _ in range(jumps):
        v = load(record, JUMP_OVER)
        t = load(record, JUMP_TO)
        kind = load(record, JUMP_KIND)
        bit = load(record, JUMP_BIT)
        left = om & ~(1 << load(record, JUMP_FROM))
        record += 8 * JUMP_FIELDS
        if ((ok >> t) | (ok >> v)) & 1:
            continue
        if kind == TAKES_MAN:
            kings = exists & ~(1 << t)
            able |= kings
            pair |= capture_board(ctx, rules, left, ok, pm & ~(1 << v), t, MAN, kings)
            continue
        able |= 1 << v
        if kind == STAYS_MAN:
            pair |= bit_pair(ctx, bit + turned) << v
        elif kind == CROWNED:
            pair |= bit_pair(ctx, bit + rank_few(turn32(ok | (1 << t)))) << v
        elif kind == ENDS_GAME:
            pair |= PAIR << v
        else:
            pair |= capture_bits(ctx, rules, left, ok, pm, t, MAN) << v
    return pair, able


@kernel
def king_captures(
    ctx: Address, rules: Any, om: int, ok: int, pm: int, exists: int
) -> tuple[int, int]:
    """Captures by kings in one row: the pair, and the squares of the king where one exists."""
    pair = 0
    able = 0
    jumpers = ctx.king_jumpers
    rest = ok
    while rest:
        s = lowest(rest)
        rest &= rest - 1
        others = ok & ~(1 << s)
        empty = ALL & ~(om | pm | others)
        clear = empty & ~jumpers
        able |= jump_victims(ctx, s, exists, clear)
        pair |= king_jumps(ctx, s, exists, clear, load(ctx.landing, rank_few(others)))
        if empty & jumpers & load(ctx.far_sets, s):
            for d in range(4):
                t = far(ctx, s, d)
                v = near(ctx, s, d)
                if (exists >> v) & (empty >> t) & (jumpers >> t) & 1:
                    able |= 1 << v
                    pair |= capture_bits(ctx, rules, om, others, pm, t, KING) << v
        if load(ctx.near_sets, s) & pm:
            for d in range(4):
                t = far(ctx, s, d)
                v = near(ctx, s, d)
                if (pm >> v) & (empty >> t) & 1:
                    kings = exists & ~(1 << t)
                    able |= kings
                    rest_pm = pm & ~(1 << v)
                    pair |= capture_board(ctx, rules, om, others, rest_pm, t, KING, kings)
    return pair, able


@kernel
def close_board(
    ctx: Address,
    rules: Any,
    side: Address,
    r: int,
    ok: int,
    exists: int,
    pair: int,
    able: int,
    advances: int,
) -> None:
    """Write row *r* of the work planes from the captures and the man moves."""
    won = pair & ALL
    held = shift_right(pair, 32)
    quiet = exists & ~able if rules.captures_mandatory else exists
    lost = exists & ~quiet & ~held
    loses = ctx.loses
    holds = ctx.holds
    listed = ctx.advances
    for j in range(advances):
        offset = load(listed, 2 * j)
        t = load(listed, 2 * j + 1)
        row = r
        if t < CROWN_ROW_END:
            if (ok >> t) & 1:
                continue
            row = rank_few(ok | (1 << t))
        won |= quiet & load32(loses + offset, row)
        held |= quiet & load32(holds + offset, row)
    if side.movable:
        store32(side.movable, r, able)
    if ok == 0:
        lost = exists & ~held
    store32(side.unwon, r, exists & ~won)
    store32(side.lost, r, lost)
    store32(side.quiet, r, quiet)
    store32(side.escape, r, held)


@kernel
def open_one(ctx: Address, rules: Any, side: Address, om: int, pm: int, k: int) -> int:
    """Work planes of one side, b = 1 opposing king; returns the number of positions."""
    men = om | pm
    note_jumpers(ctx, rules, om, pm)
    advances = list_advances(ctx, om, pm, k, 1)
    jumps = 0 if rules.general else list_man_jumps(ctx, rules, om, pm, k)
    if k > 0 and not rules.general:
        fill_landing(ctx, om, pm, k)
    positions = 0
    for r in range(sets_of(ctx, k)):
        if is_stopped(ctx):
            break
        ok = set_of_rank(ctx, k, r)
        if ok & men:
            store32(side.unwon, r, 0)
            store32(side.lost, r, 0)
            store32(side.quiet, r, 0)
            store32(side.escape, r, 0)
            continue
        exists = ALL & ~(men | ok)
        if rules.general:
            pair = capture_board_general(ctx, rules, om, ok, pm, ONE_KING, exists)
            able = load(slot(ctx, 0) + quarter(ctx), 0)
        else:
            by_men, men_able = man_captures(ctx, rules, om, ok, pm, exists, jumps)
            by_kings, kings_able = king_captures(ctx, rules, om, ok, pm, exists)
            pair = by_men | by_kings
            able = men_able | kings_able
        close_board(ctx, rules, side, r, ok, exists, pair, able, advances)
        positions += popcount(exists)
    return positions
