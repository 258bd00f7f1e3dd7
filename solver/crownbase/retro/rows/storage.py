"""Where a position's bits lie: two bit planes for all slices, groups of men side by side.

Key of a block of bits: (om, ok, pm, pk), om and pm the men of a *group*, in the frame of the
side that has just moved ("own", moving towards square 0); the OPPONENT is to move.

* plane LOSES: the side to move loses;
* plane HOLDS: the position exists and the side to move does not win (a draw or a loss).

Both are 0 where the position does not exist (two pieces on a square). That is what makes quiet
moves plain unions: an occupied target reads zeros.

Slice (a, k, c, b) = own men, own kings, opposing men, opposing kings. Its groups follow each
other, GROUP_STRIDE[k * 16 + b] bytes each:

=========  ==================================================================================
b >= 1     row rank(ok) of row_words(b) words, bits rank(pk)
b == 1     on a packed board: row rank(ok) of 32 bits: bit = square of the opposing king
b == 0     k >= 1: ONE row over the own kings after half a turn: bit rank(turn(ok)), which is
           the frame that lone.py works in; k == 0: one bit per group
=========  ==================================================================================
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from math import comb

import numpy as np

from crownbase.board.bits import lowest, popcount
from crownbase.jit import Address, kernel
from crownbase.retro.rows.records import ContextWords
from crownbase.retro.rows.rowops import turn
from crownbase.retro.rows.scratch import PAGE, ScratchFile, SparseWords
from crownbase.retro.rows.tables import (
    PACKED_BOARD,
    Array,
    Board,
    aligned_words,
    group_offsets,
    row_words,
)
from crownbase.retro.rows.words import extract, load, load32, shift_right

COUNT_BASE = 16
"""Counts of men or kings are digits of this base in the tables below."""
BINOMIAL = np.array([[comb(s, i) for i in range(16)] for s in range(64)], np.int64)

Counts = tuple[int, int, int, int]
"""A slice: own men, own kings, opposing men, opposing kings."""


def slice_number(counts: Counts) -> int:
    """The slice's place in SLICE_BASE."""
    a, k, c, b = counts
    return ((a * COUNT_BASE + k) * COUNT_BASE + c) * COUNT_BASE + b


def group_stride(own_kings: int, opp_kings: int, board: Board = PACKED_BOARD) -> int:
    """Bytes of one group's block (see the module); 0 stands for one bit."""
    if opp_kings == 0:
        return 0 if own_kings == 0 else 8 * row_words(own_kings, board)
    rows = comb(board.squares, own_kings)
    packed = board.packed and opp_kings == 1
    return 8 * ((rows + 1) // 2) if packed else 8 * rows * row_words(opp_kings, board)


class Planes:
    """The planes LOSES and HOLDS of a set of slices, closed under captures and promotions."""

    def __init__(
        self,
        slices: Iterable[Counts],
        scratch: str | os.PathLike[str] | None = None,
        board: Board = PACKED_BOARD,
        *,
        sparse: bool = False,
    ) -> None:
        """Make empty planes: in memory, or in a file that is made under the name *scratch*.

        The file has no name any more when this returns (where the system allows that), so
        nothing is left of it however the process ends; see `keep_resident`. *sparse*: in memory
        that is taken only where something is written; see `scratch.SparseWords`.
        """
        self.slices = tuple(slices)
        self.board = board
        self._base = np.full(COUNT_BASE**4, 0, np.int64)
        self._stride = np.zeros(COUNT_BASE * COUNT_BASE, np.int64)
        for k in range(COUNT_BASE // 2):
            for b in range(COUNT_BASE // 2):
                if max(k, b) <= max((max(s[1], s[3]) for s in self.slices), default=0):
                    self._stride[k * COUNT_BASE + b] = group_stride(k, b, board)
        self._pair = np.zeros(COUNT_BASE * COUNT_BASE, np.int64)
        self.groups: dict[tuple[int, int], int] = {}
        self._number_groups()
        unit = PAGE // 8 if sparse else 8
        words = unit
        for counts in self.slices:
            self._base[slice_number(counts)] = 8 * words
            words += -(-self.slice_words(counts) // unit) * unit
        self._file = None if scratch is None else ScratchFile(scratch, 2 * 8 * (words + 16))
        self._sparse = [SparseWords(words + 16) for _ in range(2)] if sparse else []
        if self._sparse:
            self.loses, self.holds = (memory.words for memory in self._sparse)
        elif self._file is None:
            self.loses = aligned_words(words + 16)
            self.holds = aligned_words(words + 16)
        else:
            self.loses, self.holds = np.split(self._file.words, 2)

    def _number_groups(self) -> None:
        offsets: list[Array] = []
        total = 0
        for a, c in sorted({(s[0], s[2]) for s in self.slices}):
            first, count = group_offsets(a, c, self.board)
            self._pair[a * COUNT_BASE + c] = total
            self.groups[a, c] = count
            total += len(first)
            offsets.append(first)
        self._offsets = np.concatenate([*offsets, np.zeros(1, np.int64)])

    def slice_words(self, counts: Counts) -> int:
        """Words of one plane of a slice."""
        a, k, c, b = counts
        groups = self.groups[a, c]
        stride = group_stride(k, b, self.board)
        return groups * stride // 8 if stride else -(-groups // 64)

    def slice_planes(self, counts: Counts) -> tuple[Array, Array]:
        """The words of LOSES and HOLDS of one slice (views)."""
        first = int(self._base[slice_number(counts)]) // 8
        if first == 0:
            raise KeyError(counts)
        part = slice(first, first + self.slice_words(counts))
        return self.loses[part], self.holds[part]

    def keep_resident(self, slices: Iterable[Counts]) -> None:
        """If the planes are in a file, give back the memory that others than *slices* take.

        Their content stays; it is read from the file when it is needed again.
        """
        if self._file is None:
            return
        kept = {slice_number(counts) for counts in slices}
        for counts in self.slices:
            if slice_number(counts) not in kept:
                for plane in self.slice_planes(counts):
                    self._file.release(plane)

    def clear_sparse(self, least: int) -> None:
        """Empty sparse planes of slices with at least so many pieces, which come last."""
        first = min(self._base[slice_number(s)] for s in self.slices if sum(s) >= least)
        for memory in self._sparse:
            memory.clear(int(first) // 8)

    def release_group(
        self, ctx: Address, own_men: int, opp_men: int, kings: int, other: int
    ) -> None:
        """Give back the memory that a group of sparse planes takes, own having just moved."""
        start = block.plain(ctx, own_men, opp_men, kings, other)
        for memory in self._sparse:
            memory.release(start, group_stride(kings, other, self.board))

    def fill_entries(self, entries: Array) -> None:
        """Put the addresses of the planes and their maps into a context's entries."""
        for entry, array in (
            (ContextWords.loses, self.loses),
            (ContextWords.holds, self.holds),
            (ContextWords.slice_base, self._base),
            (ContextWords.group_stride, self._stride),
            (ContextWords.group_offset, self._offsets),
            (ContextWords.group_pair, self._pair),
        ):
            entries[entry] = array.ctypes.data


def positions_of(counts: Counts, groups: int, board: Board = PACKED_BOARD) -> int:
    """Number of positions of a slice with so many groups of men."""
    a, k, c, b = counts
    free = board.squares - a - c
    return groups * comb(free, k) * comb(free - k, b)


# ------------------------------------------------------------------ kernels


@kernel
def rank_few(board: int) -> int:
    """Colex rank of a set of few squares."""
    rank = 0
    i = 1
    while board:
        rank += BINOMIAL[lowest(board), i]
        board &= board - 1
        i += 1
    return rank


@kernel
def rank_table(ctx: Address, board: int) -> int:
    """Colex rank of any set of squares; on a packed board from two tables."""
    if not ctx.packed:
        return rank_few(board)
    low = board & 0xFFFF
    high = popcount(low) * 65536 + (board >> 16)
    return load32(ctx.rank_low, low) + load32(ctx.rank_high, high)


@kernel
def group_offsets_of(ctx: Address, own_men: int, opp_men: int) -> int:
    """Address of the numbers of the first groups, for groups with the same counts of men."""
    pair = load(ctx.group_pair, popcount(own_men) * COUNT_BASE + popcount(opp_men))
    return ctx.group_offset + pair * 8


@kernel
def group_among(ctx: Address, offsets: int, own_men: int, opp_men: int) -> int:
    """`group_number` with the address from `group_offsets_of`, which is the same for a slice."""
    allowed = (1 << (ctx.squares - ctx.width)) - 1
    among_free = extract(opp_men, allowed & ~own_men)
    return load(offsets, rank_table(ctx, own_men >> ctx.width)) + rank_table(ctx, among_free)


@kernel
def group_number(ctx: Address, own_men: int, opp_men: int) -> int:
    """Number of the group among those with the same counts of men; see tables.group_offsets."""
    if ctx.group_om == own_men and ctx.group_pm == opp_men:
        return ctx.group_number
    number = group_among(ctx, group_offsets_of(ctx, own_men, opp_men), own_men, opp_men)
    ctx.group_om = own_men
    ctx.group_pm = opp_men
    ctx.group_number = number
    return number


@kernel
def slice_base(ctx: Address, own_men: int, kings: int, opp_men: int, opp_kings: int) -> int:
    """Byte offset of the slice in the planes; men as boards, kings as counts."""
    men = (popcount(own_men) * COUNT_BASE + kings) * COUNT_BASE + popcount(opp_men)
    return load(ctx.slice_base, men * COUNT_BASE + opp_kings)


@kernel
def block(ctx: Address, own_men: int, opp_men: int, kings: int, opp_kings: int) -> int:
    """Byte offset of the group's block in the planes."""
    stride = load(ctx.group_stride, kings * COUNT_BASE + opp_kings)
    base = slice_base(ctx, own_men, kings, opp_men, opp_kings)
    return base + group_number(ctx, own_men, opp_men) * stride


@kernel
def bit_pair(ctx: Address, bit: int) -> int:
    """Bits of both planes: LOSES in bit 0, HOLDS in bit 32."""
    word = bit >> 6
    loses = shift_right(load(ctx.loses, word), bit & 63) & 1
    holds = shift_right(load(ctx.holds, word), bit & 63) & 1
    return loses | holds << 32


@kernel
def kingless_bit(ctx: Address, own_men: int, own_kings: int, opp_men: int) -> int:
    """Bit number of a position whose side to move has no kings (b = 0)."""
    kings = popcount(own_kings)
    if kings == 0:
        base = slice_base(ctx, own_men, 0, opp_men, 0)
        return base * 8 + group_number(ctx, own_men, opp_men)
    return block(ctx, own_men, opp_men, kings, 0) * 8 + rank_few(turn(ctx, own_kings))


@kernel
def word_pair(ctx: Address, offset: int, index: int) -> int:
    """Two packed rows (b = 1) side by side: LOSES in bits 0-31, HOLDS in bits 32-63."""
    loses = load32(ctx.loses + offset, index)
    return loses | load32(ctx.holds + offset, index) << 32
