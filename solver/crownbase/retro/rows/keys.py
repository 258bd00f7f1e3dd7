"""Rows of any number of kings, also 0 and 1, and results collected by capture key.

For general.py and general_lone.py. A row for n = 0 or 1 kings is the low word of a vector: bit 0
is the one placement of no kings, bit s one king on s. Scratch rows lie a quarter of a slot apart.
"""

from __future__ import annotations

from crownbase.board.bits import lowest
from crownbase.jit import Address, kernel
from crownbase.retro.rows.context import MAX_KEYS
from crownbase.retro.rows.rowops import (
    add_row,
    clear_row,
    compress,
    compress_board,
    expand,
    expand_board,
    row_words_of,
    without_square,
)
from crownbase.retro.rows.vectors import vand, vandnot, vany, vfill, vload, vor, vstore
from crownbase.retro.rows.words import load, store


@kernel
def quarter(ctx: Address) -> int:
    """Bytes from one row of a slot to the next."""
    return ctx.slot_bytes >> 2


@kernel
def any_row(ctx: Address, row: int, n: int) -> bool:
    """Whether a row is not empty."""
    if n < 2:
        return load(row, 0) != 0
    seen = vfill(0)
    for w in range(0, row_words_of(ctx, n), 8):
        seen = vor(seen, vload(row, w))
    return vany(seen)


@kernel
def keep_off(ctx: Address, row: int, n: int, square: int) -> bool:
    """Take the sets with a king on *square* out of a row; whether any is left."""
    if n == 1:
        store(row, 0, load(row, 0) & ~(1 << square))
    elif n >= 2:
        return without_square(ctx, row, row, n, square)
    return load(row, 0) != 0


@kernel
def take_out(ctx: Address, row: int, source: int, n: int, square: int) -> None:
    """row(n - 1) = {R : R + square in source(n)}, n >= 1."""
    if n == 1:
        store(row, 0, (load(source, 0) >> square) & 1)
    elif n == 2 and ctx.packed:
        store(row, 0, compress_board(ctx, source, square))
    else:
        compress(ctx, row, source, n, square)


@kernel
def put_in(ctx: Address, row: int, source: int, n: int, square: int) -> None:
    """row(n) |= {R + square : R in source(n - 1)}, n >= 1."""
    if n == 1:
        store(row, 0, load(row, 0) | load(source, 0) << square)
    elif n == 2 and ctx.packed:
        expand_board(ctx, row, load(source, 0) & ~(1 << square), square)
    else:
        expand(ctx, row, source, n, square)


@kernel
def join_row(ctx: Address, row: int, source: int, n: int) -> None:
    """row |= source."""
    if n < 2:
        store(row, 0, load(row, 0) | load(source, 0))
    else:
        add_row(row, source, row_words_of(ctx, n))


@kernel
def minus_row(ctx: Address, row: int, a: int, b: int, n: int) -> bool:
    """row = a without b; whether any is left."""
    seen = vfill(0)
    if n < 2:
        store(row, 0, load(a, 0) & ~load(b, 0))
        return load(row, 0) != 0
    for w in range(0, row_words_of(ctx, n), 8):
        rest = vandnot(vload(a, w), vload(b, w))
        seen = vor(seen, rest)
        vstore(row, w, rest)
    return vany(seen)


# ------------------------------------------------------------------ results by capture key


@kernel
def find_key(ctx: Address, key: int) -> int:
    """Address of the rows of a key, empty ones if it is new."""
    keys = ctx.keys
    count = ctx.key_count
    size = 3 * quarter(ctx)
    for i in range(count):
        if load(keys, i) == key:
            return ctx.key_rows + i * size
    store(keys, count, key)
    ctx.key_count = min(count + 1, MAX_KEYS - 1)
    rows = ctx.key_rows + count * size
    words = row_words_of(ctx, ctx.full_kings)
    for i in range(3):
        clear_row(rows + i * quarter(ctx), words)
    return rows


@kernel
def lift(ctx: Address, work: int, row: int, n: int, squares: int, target: int) -> None:
    """target |= a row of n kings with kings on all *squares* added; two work rows."""
    here = row
    spare = work
    other = work + quarter(ctx)
    while squares:
        n += 1
        clear_row(spare, row_words_of(ctx, n))
        put_in(ctx, spare, here, n, lowest(squares))
        squares &= squares - 1
        here = spare
        spare = other
        other = here
    join_row(ctx, target, here, n)


@kernel
def resolve_keys(ctx: Address, n: int, able: int, won: int, held: int) -> None:
    """able, won, held = what the best key of each placement says."""
    words = row_words_of(ctx, n)
    clear_row(able, words)
    clear_row(won, words)
    clear_row(held, words)
    keys = ctx.keys
    step = quarter(ctx)
    for _ in range(ctx.key_count):
        best = 0
        for i in range(1, ctx.key_count):
            if load(keys, i) > load(keys, best):
                best = i
        store(keys, best, -1)
        rows = ctx.key_rows + best * 3 * step
        for w in range(0, words, 8):
            fresh = vandnot(vload(rows, w), vload(able, w))
            vstore(won, w, vor(vload(won, w), vand(fresh, vload(rows + step, w))))
            vstore(held, w, vor(vload(held, w), vand(fresh, vload(rows + 2 * step, w))))
            vstore(able, w, vor(vload(able, w), fresh))
    ctx.key_count = 0
