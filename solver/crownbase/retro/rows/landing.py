"""What captures start from: board look-ups, and short cuts that are prepared once per group.

LANDING answers "a king takes the last opposing king and lands on t" for all t at once, as long
as no man can be taken from t; KING_JUMPERS and MAN_JUMPERS are the squares where one can.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from crownbase.board.bits import lowest, popcount
from crownbase.jit import Address, kernel
from crownbase.retro.rows.rowops import compress_board, row_words_of, set_of_rank, sets_of
from crownbase.retro.rows.storage import block, rank_few, word_pair
from crownbase.retro.rows.tables import OFF_BOARD, WALL
from crownbase.retro.rows.words import load, load32, shift_right, store, turn32

ALL = 0xFFFFFFFF
PAIR = 1 | 1 << 32
"""Both bits of a pair at square 0."""
MAN = np.int64(0)
KING = np.int64(1)
FIRST_SLOT = np.int64(0)
SECOND_SLOT = np.int64(1)
NO_PIECE: Any = np.int64(0)
NO_KINGS = np.int64(0)
ONE_KING = np.int64(1)
"""Typed constants: Numba 0.68 cannot reload a recursive kernel that is called with literals."""
CROWN_ROW_END = 4
"""Squares below this one are the own men's last row."""


@kernel
def near(ctx: Address, square: int, direction: int) -> int:
    """The next square, OFF_BOARD behind the edge."""
    return load32(ctx.near, square * 4 + direction)


@kernel
def far(ctx: Address, square: int, direction: int) -> int:
    """The square behind the next one, OFF_BOARD behind the edge."""
    return load32(ctx.far, square * 4 + direction)


@kernel
def jump_directions(rules: Any, is_king: int) -> int:
    """Number of directions in which a piece takes: the upward ones come first."""
    return 4 if is_king else rules.man_captures


@kernel
def note_jumpers(ctx: Address, rules: Any, om: int, pm: int) -> None:
    """Remember the squares from which a piece could take one of the men, kings left aside."""
    men = om | pm | WALL
    kings = 0
    mans = 0
    rest = pm
    while rest:
        v = lowest(rest)
        rest &= rest - 1
        for d in range(4):
            t = near(ctx, v, d)
            source = near(ctx, v, 3 - d)
            if (men >> t) & 1 or source == OFF_BOARD:
                continue
            kings |= 1 << source
            if d < 2 or rules.man_captures == 4:
                mans |= 1 << source
    ctx.king_jumpers = kings
    ctx.man_jumpers = mans
    ctx.base_pm = pm


@kernel
def fill_landing(ctx: Address, om: int, pm: int, k: int) -> None:
    """LANDING[rank(R)] = pair over t: own kings R + t, the group's men, no opposing kings."""
    landing = ctx.landing
    if pm == 0:
        for i in range(sets_of(ctx, k - 1)):
            store(landing, i, -1)
        return
    offset = block(ctx, om, pm, k, 0)
    loses = ctx.loses + offset
    holds = ctx.holds + offset
    if k == 1:
        pair = turn32(load(loses, 0)) | turn32(load(holds, 0)) << 32
        store(landing, 0, pair)
    elif k == 2:
        for s in range(32):
            won = turn32(compress_board(ctx, loses, s))
            held = turn32(compress_board(ctx, holds, s))
            store(landing, 31 - s, won | held << 32)
    else:
        fill_landing_many(ctx, loses, holds, landing, k)


@kernel
def fill_landing_many(ctx: Address, loses: int, holds: int, landing: int, k: int) -> None:
    """`fill_landing` for k >= 3: every set bit of the row goes to its k entries."""
    for i in range(sets_of(ctx, k - 1)):
        store(landing, i, 0)
    for w in range(row_words_of(ctx, k)):
        lost = load(loses, w)
        held = load(holds, w)
        rest = lost | held
        while rest:
            i = lowest(rest)
            rest &= rest - 1
            pair = (shift_right(lost, i) & 1) | (shift_right(held, i) & 1) << 32
            kings = turn32(set_of_rank(ctx, k, w * 64 + i))
            left = kings
            while left:
                s = lowest(left)
                left &= left - 1
                entry = rank_few(kings & ~(1 << s))
                store(landing, entry, load(landing, entry) | pair << s)


@kernel
def lands_clear(ctx: Address, t: int, occupied: int) -> int:
    """Whether a king on t can take no man, nor a man after taking a king from there."""
    jumpers = ctx.king_jumpers
    behind = load(ctx.far_sets, t)
    return (jumpers >> t) & 1 == 0 and jumpers & behind & ~occupied == 0


@kernel
def king_jumps(ctx: Address, square: int, kings: int, empty: int, landing: int) -> int:
    """Captures of opposing kings next to *square* that end behind them: no branches.

    *kings*: squares where an opposing king may stand; *empty*: squares to land on (bit
    OFF_BOARD is clear); *landing*: the pair over landing squares. Returns the pair over the
    victims' squares; `jump_victims` gives the victims themselves.
    """
    pair = 0
    for d in range(4):
        t = far(ctx, square, d)
        v = near(ctx, square, d)
        possible = (kings >> v) & (empty >> t) & 1
        pair |= (shift_right(landing, t) & PAIR & -possible) << v
    return pair


@kernel
def jump_victims(ctx: Address, square: int, kings: int, empty: int) -> int:
    """The squares of *kings* that a king on *square* can take."""
    victims = 0
    for d in range(4):
        v = near(ctx, square, d)
        victims |= ((kings >> v) & (empty >> far(ctx, square, d)) & 1) << v
    return victims


@kernel
def landing_captures(ctx: Address, om: int, ok: int, pm: int, t: int, others: int) -> int:
    """`capture_board` for a king that lands on a clear square (`lands_clear`) after one king."""
    empty = ALL & ~(om | ok | pm)
    victims = jump_victims(ctx, t, others, empty)
    landing = load(ctx.landing, rank_few(ok))
    pair = king_jumps(ctx, t, others, empty, landing)
    ends = others & ~victims
    offset = block(ctx, om, pm, popcount(ok) + 1, 1)
    return pair | word_pair(ctx, offset, rank_few(ok | (1 << t))) & (ends | ends << 32)
