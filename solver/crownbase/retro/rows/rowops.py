"""Row operations: sets of placements of n kings, worked on a vector at a time.

`row` arguments are addresses. A row for n >= 2 kings has row_words(n) words, a multiple of
eight; on a packed board (`tables.Board`) a row for one king is a plain 32-bit set of squares
("board") held in a register, on others it is a row like the rest.
"""

from __future__ import annotations

from crownbase.board.bits import lowest, popcount, reverse64
from crownbase.jit import Address, kernel
from crownbase.retro.rows.records import ContextWords
from crownbase.retro.rows.vectors import vandnot, vany, vfill, vload, vor, vstore
from crownbase.retro.rows.words import (
    deposit,
    extract,
    load,
    load32,
    load_now,
    shift_left,
    shift_right,
    store,
    turn32,
)

_STOPPED = ContextWords.stopped


@kernel
def is_stopped(ctx: Address) -> bool:
    """Whether to give up the group at work, asked at every row; it is not solved then.

    All that goes over the rows of a group ends at once then, having changed nothing, so that the
    rounds come to their end by themselves.
    """
    return load_now(ctx, _STOPPED) != 0


@kernel
def turn(ctx: Address, board: int) -> int:
    """A set of squares after half a turn: square s becomes the last square - s."""
    if ctx.packed:
        return turn32(board)
    return shift_right(reverse64(board), 64 - ctx.squares)


@kernel
def board_at(ctx: Address, boards: int, index: int) -> int:
    """Element *index* of an array of boards (`tables.board_type`)."""
    if ctx.packed:
        return load32(boards, index)
    return load(boards, index)


@kernel
def is_row(ctx: Address, kings: int) -> bool:
    """Whether sets of so many kings, at least one, are rows of vectors: no packed boards."""
    return kings >= 2 or not ctx.packed


@kernel
def row_words_of(ctx: Address, kings: int) -> int:
    """Words of a row for so many kings."""
    return load(ctx.row_words, kings)


@kernel
def words_in_use(ctx: Address, kings: int) -> int:
    """Words of a row for so many kings that hold any sets; the rest fills the last vector."""
    return (sets_of(ctx, kings) + 63) >> 6


@kernel
def sets_of(ctx: Address, kings: int) -> int:
    """Number of placements of so many kings on the empty board."""
    return load(ctx.row_count, kings)


@kernel
def set_of_rank(ctx: Address, kings: int, rank: int) -> int:
    """The squares of the set with this rank."""
    return board_at(ctx, load(ctx.masks, kings), rank)


@kernel
def row_bits(ctx: Address, kings: int) -> int:
    """Bits from one row to the next where rows for so many kings, at least one, lie in memory."""
    return 64 * row_words_of(ctx, kings) if is_row(ctx, kings) else 32


@kernel
def clear_row(row: int, words: int) -> None:
    """Make a row empty."""
    zero = vfill(0)
    for w in range(0, words, 8):
        vstore(row, w, zero)


@kernel
def copy_row(row: int, source: int, words: int) -> None:
    """row = source."""
    for w in range(0, words, 8):
        vstore(row, w, vload(source, w))


@kernel
def add_row(row: int, source: int, words: int) -> None:
    """row |= source."""
    for w in range(0, words, 8):
        vstore(row, w, vor(vload(row, w), vload(source, w)))


@kernel
def row_containing(ctx: Address, kings: int, square: int) -> int:
    """Address of the static row of all sets that hold *square*."""
    return load(ctx.contains, kings) + square * row_words_of(ctx, kings) * 8


@kernel
def without_square(ctx: Address, row: int, source: int, kings: int, square: int) -> bool:
    """row = sets of *source* that do not hold *square*; returns whether any is left."""
    words = row_words_of(ctx, kings)
    holding = row_containing(ctx, kings, square)
    seen = vfill(0)
    for w in range(0, words, 8):
        kept = vandnot(vload(source, w), vload(holding, w))
        vstore(row, w, kept)
        seen = vor(seen, kept)
    return vany(seen)


@kernel
def without_squares(ctx: Address, row: int, source: int, kings: int, squares: int) -> None:
    """row = sets of *source* that hold none of *squares* (a board)."""
    if squares == 0:
        copy_row(row, source, row_words_of(ctx, kings))
        return
    without_square(ctx, row, source, kings, lowest(squares))
    squares &= squares - 1
    while squares:
        without_square(ctx, row, row, kings, lowest(squares))
        squares &= squares - 1


@kernel
def full_row(ctx: Address, row: int, kings: int) -> None:
    """row = all sets."""
    count = sets_of(ctx, kings)
    for w in range(row_words_of(ctx, kings)):
        left = count - 64 * w
        if left >= 64:
            store(row, w, -1)
        elif left > 0:
            store(row, w, shift_left(1, left) - 1)
        else:
            store(row, w, 0)


@kernel
def count_row(row: int, words: int) -> int:
    """Number of sets in a row."""
    total = 0
    for w in range(words):
        total += popcount(load(row, w))
    return total


# ------------------------------------------------------------------ change of domain


@kernel
def remove_place(board: int, square: int) -> int:
    """The bits of a board except bit *square*, moved together (32 bits to 31)."""
    below = (1 << square) - 1
    return (board & below) | ((board >> (square + 1)) << square)


@kernel
def insert_place(bits: int, square: int) -> int:
    """The reverse of `remove_place`, with an empty *square*."""
    below = (1 << square) - 1
    return (bits & below) | ((bits >> square) << (square + 1))


@kernel
def expand_board(ctx: Address, row: int, board: int, square: int) -> None:
    """row(2) |= {{x, square} : x in board}, on a packed board."""
    stream = remove_place(board, square)
    holding = row_containing(ctx, 2, square)
    before = load(ctx.held_before, 2) + square * 32
    for w in range(8):
        bits = deposit(shift_right(stream, load32(before, w)), load(holding, w))
        store(row, w, load(row, w) | bits)


@kernel
def compress_board(ctx: Address, row: int, square: int) -> int:
    """{x : {x, square} in row(2)} as a board, on a packed one."""
    holding = row_containing(ctx, 2, square)
    before = load(ctx.held_before, 2) + square * 32
    stream = 0
    for w in range(8):
        stream |= shift_left(extract(load(row, w), load(holding, w)), load32(before, w))
    return insert_place(stream, square)


@kernel
def stream_out(ctx: Address, row: int, holding: int, words: int, flip: int) -> int:
    """Write the bits of *row* at the places of *holding* ^ *flip* to STREAM, packed.

    Returns the number of words that may be read back; two zero words follow the last bits.
    """
    stream = ctx.stream
    gathered = 0
    fill = 0
    out = 0
    for w in range(words):
        places = load(holding, w) ^ flip
        if places == 0:
            continue
        bits = extract(load(row, w), places)
        count = popcount(places)
        gathered |= shift_left(bits, fill)
        fill += count
        if fill >= 64:
            store(stream, out, gathered)
            out += 1
            fill -= 64
            # The bits that did not fit; `count - fill` of them are written already.
            gathered = shift_right(bits, count - fill) if fill else 0
    store(stream, out, gathered)
    store(stream, out + 1, 0)
    store(stream, out + 2, 0)
    return out + 2


@kernel
def stream_word(stream: int, position: int) -> int:
    """64 bits of a bit stream from bit *position* on."""
    word = position >> 6
    offset = position & 63
    bits = shift_right(load(stream, word), offset)
    if offset:
        bits |= shift_left(load(stream, word + 1), 64 - offset)
    return bits


@kernel
def expand(ctx: Address, row: int, source: int, kings: int, square: int) -> None:
    """row(n) |= {R + square : R in source(n - 1)}; n = *kings* >= 3 on a packed board, else 1."""
    smaller = words_in_use(ctx, kings - 1)
    stream_out(ctx, source, row_containing(ctx, kings - 1, square), smaller, -1)
    stream = ctx.stream
    holding = row_containing(ctx, kings, square)
    before = load(ctx.held_before, kings) + square * row_words_of(ctx, kings) * 4
    for w in range(words_in_use(ctx, kings)):
        places = load(holding, w)
        if places:
            bits = deposit(stream_word(stream, load32(before, w)), places)
            store(row, w, load(row, w) | bits)


@kernel
def compress(ctx: Address, row: int, source: int, kings: int, square: int) -> None:
    """row(n - 1) = {R : R + square in source(n)}; n = *kings* >= 3 on a packed board, else 1."""
    words = words_in_use(ctx, kings)
    limit = stream_out(ctx, source, row_containing(ctx, kings, square), words, 0)
    stream = ctx.stream
    smaller = row_words_of(ctx, kings - 1)
    holding = row_containing(ctx, kings - 1, square)
    before = load(ctx.free_before, kings - 1) + square * smaller * 4
    last = (smaller - 1) & ~7
    vstore(row, last, vfill(0))
    for w in range(words_in_use(ctx, kings - 1)):
        position = load32(before, w)
        if position >> 6 > limit - 1:
            store(row, w, 0)
        else:
            places = load(holding, w) ^ -1
            store(row, w, deposit(stream_word(stream, position), places))


@kernel
def landing_pair(ctx: Address, rank: int) -> int:
    """Entry of LANDING for the other own kings with this rank."""
    return load(ctx.landing, rank)
