"""Between the planes and dense arrays: one int8 per position, in the order of `crownbase.index`.

A dense array holds -1 / 0 / +1 (loss, draw, win) for the side to move. In its order the groups of
men come first, then the opposing kings, the own kings fastest. The planes are keyed by the side
that has just moved, so the row of a position is found through half a turn: opposing kings of
the mover = own kings of the key, own kings of the mover = bits of the row.
"""

from __future__ import annotations

import numpy as np

from crownbase.board.bits import lowest
from crownbase.jit import Address, kernel
from crownbase.retro.rows.rowops import (
    board_at,
    full_row,
    row_bits,
    row_words_of,
    set_of_rank,
    sets_of,
    turn,
    without_squares,
)
from crownbase.retro.rows.storage import block, group_number, slice_base
from crownbase.retro.rows.tables import PACKED_BOARD, Array, Board, board_type, subsets
from crownbase.retro.rows.words import (
    load,
    load8,
    load32,
    shift_left,
    shift_right,
    store,
    store8,
)

LOSS_BYTE = 255
"""-1 as an unsigned byte."""


def dense_groups(own_men: int, opp_men: int, board: Board = PACKED_BOARD) -> tuple[Array, Array]:
    """Own and opposing men (`tables.board_type`) of all groups in the order of the dense index.

    By number of own men on the last row, then their placement, then the other own men, then the
    opposing men; placements in numeric order.
    """
    end = board.squares - board.width
    own = subsets(range(board.width, board.squares), own_men)
    opp = subsets(range(end), opp_men)
    last_row = ((1 << board.width) - 1) << end
    home = own & last_row
    count = np.bitwise_count(home.view(np.uint64))
    own = own[np.lexsort((own & ~last_row, home, count))]
    own, opp = own.astype(board_type(board)), opp.astype(board_type(board))
    free = (own[:, None] & opp[None, :]) == 0
    return (
        np.broadcast_to(own[:, None], free.shape)[free],
        np.broadcast_to(opp[None, :], free.shape)[free],
    )


@kernel
def value_of(loses: int, holds: int, bit: int) -> int:
    """-1 / 0 / +1 from bit number *bit* at two addresses."""
    word = bit >> 6
    lost = shift_right(load(loses, word), bit & 63) & 1
    held = shift_right(load(holds, word), bit & 63) & 1
    return 1 - held - lost


@kernel
def set_value(loses: int, holds: int, bit: int, value: int) -> None:
    """Write the plane bits of a value byte (0, 1 or LOSS_BYTE); the bits are clear before."""
    word = bit >> 6
    if value != 1:
        store(holds, word, load(holds, word) | shift_left(1, bit & 63))
    if value == LOSS_BYTE:
        store(loses, word, load(loses, word) | shift_left(1, bit & 63))


@kernel
def place_bit(ctx: Address, om: int, pm: int, k: int, b: int) -> int:
    """First bit, in the planes, of the block with the positions of a group of the mover."""
    just_moved = turn(ctx, pm)
    other = turn(ctx, om)
    if k == 0 and b == 0:
        base = slice_base(ctx, just_moved, 0, other, 0)
        return base * 8 + group_number(ctx, just_moved, other)
    return block(ctx, just_moved, other, b, k) * 8


@kernel
def copy_group(
    ctx: Address, om: int, pm: int, k: int, b: int, dense: int, out: int, inward: int
) -> int:
    """Copy one group between the planes and the bytes from *dense* + *out* on.

    *inward*: from the dense array to the planes, whose block must be clear. Returns the place
    behind the group's last byte.
    """
    loses = ctx.loses
    holds = ctx.holds
    men = om | pm
    first = place_bit(ctx, om, pm, k, b)
    turned_b = load(ctx.turned, b)
    turned_k = load(ctx.turned, k)
    open_own = ctx.group_rows
    allowed = ctx.row_a
    full_row(ctx, open_own, k)
    without_squares(ctx, open_own, open_own, k, men)
    for r in range(sets_of(ctx, b)):
        pk = set_of_rank(ctx, b, r)
        if pk & men:
            continue
        if k == 0:
            # The one row of a side without kings already is in the mover's frame.
            bit = first + r
            if inward:
                set_value(loses, holds, bit, load8(dense, out))
            else:
                store8(dense, out, value_of(loses, holds, bit))
            out += 1
            continue
        row = first + load32(turned_b, r) * row_bits(ctx, k)
        without_squares(ctx, allowed, open_own, k, pk)
        for w in range(row_words_of(ctx, k)):
            rest = load(allowed, w)
            while rest:
                bit = row + load32(turned_k, w * 64 + lowest(rest))
                rest &= rest - 1
                if inward:
                    set_value(loses, holds, bit, load8(dense, out))
                else:
                    store8(dense, out, value_of(loses, holds, bit))
                out += 1
    return out


@kernel
def copy_groups(
    ctx: Address,
    oms: int,
    pms: int,
    first: int,
    last: int,
    k: int,
    b: int,
    group_size: int,
    dense: int,
    inward: int,
) -> None:
    """Copy a range of groups, in dense order, of *group_size* positions each."""
    for i in range(first, last):
        copy_group(
            ctx, board_at(ctx, oms, i), board_at(ctx, pms, i), k, b, dense, i * group_size, inward
        )
