"""Results of one side as the other side reads them: bit-matrix transposes with half a turn.

A work plane of a side has rows by own kings (n = k) and bits by opposing kings (n = b). The
other side's block in the planes has rows by the turned opposing kings and bits by the turned
own kings: block[turned[j]][i] = plane[turned[i]][j]. Tiles of 64 x 512 bits (or 32 x 512) are
gathered through `turned`, transposed as eight matrices at once, and scattered.

`changed` flags the tiles that have something new; other tiles are skipped. For every row of the
block that really changed, the rows that read it by a king move are flagged in `needed` (or
nothing if `needed` is 0).
"""

from __future__ import annotations

from crownbase.jit import Address, kernel
from crownbase.retro.rows.rowops import is_row, is_stopped, row_words_of, sets_of
from crownbase.retro.rows.vectors import (
    vand,
    vany,
    vfill,
    vload,
    vshift_left,
    vshift_right,
    vstore,
    vxor,
)
from crownbase.retro.rows.words import (
    load,
    load8,
    load32,
    shift_left,
    shift_right,
    store,
    store8,
    store32,
)


@kernel
def transpose_tile(tile: int, size: int, low_half: int) -> None:
    """Transpose eight size x size matrices, lane by lane; *size* is 64 or 32.

    *low_half*: word with the low half of every field of *size* bits set. With size 32 a lane
    holds two matrices, one in each half. At each step blocks of `distance` bits swap places.
    """
    distance = size >> 1
    mask = low_half
    while distance:
        masks = vfill(mask)
        i = 0
        while i < size:
            upper = vload(tile, i * 8)
            lower = vload(tile, (i + distance) * 8)
            moved = vand(vxor(vshift_right(upper, distance), lower), masks)
            vstore(tile, i * 8, vxor(upper, vshift_left(moved, distance)))
            vstore(tile, (i + distance) * 8, vxor(lower, moved))
            i = ((i | distance) + 1) & ~distance
        distance >>= 1
        mask ^= shift_left(mask, distance)


@kernel
def flag_readers(ctx: Address, kings: int, row: int, needed: int) -> None:
    """Flag the rows from which one king step leads to *row*."""
    start = load(ctx.step_start, kings)
    target = load(ctx.step_target, kings)
    for i in range(load32(start, row), load32(start, row + 1)):
        store8(needed, load32(target, i), 1)


@kernel
def put_word(
    ctx: Address, kings: int, row: int, place: int, index: int, bits: int, needed: int
) -> None:
    """Write one word of a block's row and flag its readers if it changed."""
    if load(place, index) != bits:
        store(place, index, bits)
        if needed:
            flag_readers(ctx, kings, row, needed)


@kernel
def put_board(ctx: Address, kings: int, row: int, place: int, bits: int, needed: int) -> None:
    """Write one 32-bit row of a block and flag its readers if it changed."""
    if load32(place, row) != bits:
        store32(place, row, bits)
        if needed:
            flag_readers(ctx, kings, row, needed)


@kernel
def tile_count(ctx: Address, own_kings: int, opp_kings: int) -> int:
    """Number of `changed` flags of a plane."""
    if is_row(ctx, own_kings) and is_row(ctx, opp_kings):
        return ((sets_of(ctx, own_kings) + 63) >> 6) * (row_words_of(ctx, opp_kings) >> 3)
    if is_row(ctx, own_kings):
        return (sets_of(ctx, own_kings) + 511) >> 9
    return row_words_of(ctx, opp_kings) >> 3 if is_row(ctx, opp_kings) else 1


@kernel
def transpose_many_many(
    ctx: Address, k: int, b: int, plane: int, place: int, needed: int, changed: int, clear: int
) -> None:
    """Rows on both sides: tiles of 64 rows x 512 bits."""
    tile = ctx.tile
    row_bytes = row_words_of(ctx, b) * 8
    chunks = row_words_of(ctx, b) >> 3
    own_sets = sets_of(ctx, k)
    opp_sets = sets_of(ctx, b)
    place_words = row_words_of(ctx, k)
    own_turned = load(ctx.turned, k)
    opp_turned = load(ctx.turned, b)
    zero = vfill(0)
    for first in range(0, own_sets, 64):
        if is_stopped(ctx):
            break
        for chunk in range(chunks):
            flag = (first >> 6) * chunks + chunk
            if load8(changed, flag) == 0:
                continue
            if clear:
                store8(changed, flag, 0)
            rows = min(64, own_sets - first)
            for i in range(rows):
                source = plane + load32(own_turned, first + i) * row_bytes
                vstore(tile, i * 8, vload(source, chunk * 8))
            for i in range(rows, 64):
                vstore(tile, i * 8, zero)
            transpose_tile(tile, 64, 0xFFFFFFFF)
            for lane in range(8):
                bit = (chunk * 8 + lane) * 64
                for j in range(min(64, opp_sets - bit)):
                    row = load32(opp_turned, bit + j)
                    word = row * place_words + (first >> 6)
                    put_word(ctx, b, row, place, word, load(tile, j * 8 + lane), needed)


@kernel
def transpose_many_one(
    ctx: Address, k: int, plane: int, place: int, needed: int, changed: int, clear: int
) -> None:
    """k >= 2 and b == 1: 512 rows of 32 bits become 32 rows of 512 bits."""
    tile = ctx.tile
    own_sets = sets_of(ctx, k)
    place_words = row_words_of(ctx, k)
    own_turned = load(ctx.turned, k)
    for first in range(0, own_sets, 512):
        if load8(changed, first >> 9) == 0:
            continue
        if clear:
            store8(changed, first >> 9, 0)
        for lane in range(8):
            for i in range(32):
                row = first + lane * 64 + i
                both = 0
                if row < own_sets:
                    both = load32(plane, load32(own_turned, row))
                if row + 32 < own_sets:
                    both |= load32(plane, load32(own_turned, row + 32)) << 32
                store(tile, i * 8 + lane, both)
        transpose_tile(tile, 32, 0x0000FFFF0000FFFF)
        for j in range(32):
            row = 31 - j
            word = row * place_words + (first >> 6)
            new = vload(tile, j * 8)
            if vany(vxor(new, vload(place, word))):
                vstore(place, word, new)
                if needed:
                    flag_readers(ctx, 1, row, needed)


@kernel
def transpose_one_many(
    ctx: Address, b: int, plane: int, place: int, needed: int, changed: int, clear: int
) -> None:
    """k == 1 and b >= 2: 32 rows of 512 bits become 512 rows of 32 bits."""
    tile = ctx.tile
    opp_sets = sets_of(ctx, b)
    row_bytes = row_words_of(ctx, b) * 8
    opp_turned = load(ctx.turned, b)
    for chunk in range(row_words_of(ctx, b) >> 3):
        if load8(changed, chunk) == 0:
            continue
        if clear:
            store8(changed, chunk, 0)
        for i in range(32):
            vstore(tile, i * 8, vload(plane + (31 - i) * row_bytes, chunk * 8))
        transpose_tile(tile, 32, 0x0000FFFF0000FFFF)
        for lane in range(8):
            for j in range(32):
                bit = (chunk * 8 + lane) * 64 + j
                both = load(tile, j * 8 + lane)
                if bit < opp_sets:
                    row = load32(opp_turned, bit)
                    put_board(ctx, b, row, place, both & 0xFFFFFFFF, needed)
                if bit + 32 < opp_sets:
                    row = load32(opp_turned, bit + 32)
                    put_board(ctx, b, row, place, shift_right(both, 32), needed)


@kernel
def transpose_one_one(
    ctx: Address, plane: int, place: int, needed: int, changed: int, clear: int
) -> None:
    """k == b == 1: one 32 x 32 matrix, in scalar words."""
    if load8(changed, 0) == 0:
        return
    if clear:
        store8(changed, 0, 0)
    tile = ctx.tile
    for i in range(32):
        store(tile, i, load32(plane, 31 - i))
    distance = 16
    mask = 0xFFFF
    while distance:
        i = 0
        while i < 32:
            upper = load(tile, i)
            lower = load(tile, i + distance)
            moved = ((upper >> distance) ^ lower) & mask
            store(tile, i, upper ^ (moved << distance))
            store(tile, i + distance, lower ^ moved)
            i = ((i | distance) + 1) & ~distance
        distance >>= 1
        mask = (mask ^ (mask << distance)) & 0xFFFFFFFF
    for j in range(32):
        put_board(ctx, 1, 31 - j, place, load(tile, j) & 0xFFFFFFFF, needed)


@kernel
def transpose_plane(
    ctx: Address, k: int, b: int, plane: int, place: int, needed: int, changed: int, clear: int
) -> None:
    """Bring the changed tiles of a work plane into the other side's block at *place*."""
    if is_row(ctx, k):
        if is_row(ctx, b):
            transpose_many_many(ctx, k, b, plane, place, needed, changed, clear)
        else:
            transpose_many_one(ctx, k, plane, place, needed, changed, clear)
    elif is_row(ctx, b):
        transpose_one_many(ctx, b, plane, place, needed, changed, clear)
    else:
        transpose_one_one(ctx, plane, place, needed, changed, clear)
