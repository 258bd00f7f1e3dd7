"""Distances to the end (DTW) by rows: what the bytes mean, and where they lie.

A *score* is one byte for what a position or a move is worth to the side to move; the best of
several moves is the largest byte. A win takes an odd number of plies and a loss an even one, so
a byte reaches twice as far as its range:

=============  ==================================================
``255 - i``    win in 2 i + 1 plies (129: in 253)
``128``        draw
``i``          loss in 2 i plies (1 to 126: in 2 to 252)
``0``          no move at all; as a position's own score: lost in 0
=============  ==================================================

A position's own score becomes, by one ply more, the score of the move that leads to it: see
`byte_vectors.bpass`. 127 cannot be passed on; whoever meets it gives up, and the scalar solver
does the work.

`ScorePlanes` keep the *passed* scores of all positions of a slice, keyed as in storage.py by
the side that has just moved, so that a move is a look-up of its own score. Where storage.py has
a bit here is a byte, 0 where there is no position. SLICE_BASE holds the address of each slice.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from crownbase.board.bits import popcount
from crownbase.jit import Address, kernel
from crownbase.retro.rows.byte_vectors import bmax, bspread
from crownbase.retro.rows.context import (
    MAX_KEYS,
    Context,
    StaticTables,
    plane_words,
)
from crownbase.retro.rows.records import ContextWords, SideWords
from crownbase.retro.rows.rowops import row_words_of, sets_of
from crownbase.retro.rows.storage import (
    COUNT_BASE,
    Counts,
    block,
    group_stride,
    positions_of,
    rank_few,
    slice_number,
)
from crownbase.retro.rows.tables import (
    SQUARES,
    Array,
    aligned_words,
    group_offsets,
    row_words,
    subsets,
)
from crownbase.retro.rows.vectors import vand, vandnot, vfill, vload, vor, vstore
from crownbase.retro.rows.words import load, load8, store8, turn32

WIN_NOW = 255
DRAW = 128
TOO_LONG = 127
LONGEST_WIN = 253
LONGEST_LOSS = 252
TOO_FAR = -1
"""What kernels return that had to give up."""
EVERY_BYTE = 0x0101010101010101
ALL_SCORES = 256


def stride_of(own_kings: int, opp_kings: int) -> int:
    """Bytes of a group's block of scores."""
    return 8 * group_stride(own_kings, opp_kings) or 1


class ScorePlanes:
    """The scores of a set of slices, closed under captures and promotions."""

    def __init__(self, slices: Iterable[Counts]) -> None:
        self.slices = tuple(dict.fromkeys(slices))
        self.most_kings = max(max(s[1], s[3]) for s in self.slices)
        self._base = np.zeros(COUNT_BASE**4, np.int64)
        self._stride = np.zeros(COUNT_BASE * COUNT_BASE, np.int64)
        self._pair = np.zeros(COUNT_BASE * COUNT_BASE, np.int64)
        self.groups: dict[tuple[int, int], int] = {}
        for k in range(self.most_kings + 1):
            for b in range(self.most_kings + 1):
                self._stride[k * COUNT_BASE + b] = stride_of(k, b)
        offsets = []
        total = 0
        for a, c in sorted({(s[0], s[2]) for s in self.slices}):
            first, self.groups[a, c] = group_offsets(a, c)
            self._pair[a * COUNT_BASE + c] = total
            total += len(first)
            offsets.append(first)
        self._offsets = np.concatenate(offsets)
        self._arrays = []
        for counts in self.slices:
            a, k, c, b = counts
            size = self.groups[a, c] * stride_of(k, b)
            # A vector more, since short rows are read as one.
            self._arrays.append(aligned_words(size // 8 + 9))
            self._base[slice_number(counts)] = self._arrays[-1].ctypes.data

    def fill_entries(self, entries: Array) -> None:
        """Put the addresses of the maps into a context's entries."""
        for entry, array in (
            (ContextWords.slice_base, self._base),
            (ContextWords.group_stride, self._stride),
            (ContextWords.group_offset, self._offsets),
            (ContextWords.group_pair, self._pair),
        ):
            entries[entry] = array.ctypes.data

    def positions(self, counts: Counts) -> int:
        """Number of positions of a slice, one side to move."""
        return positions_of(counts, self.groups[counts[0], counts[2]])


@lru_cache(maxsize=16)
def joined_ranks(kings: int) -> Array:
    """uint32[32, C(32, kings - 1)]: rank of a set with one square more; 0 if it holds it."""
    smaller = subsets(range(SQUARES), kings - 1)
    larger = subsets(range(SQUARES), kings)
    ranks = np.zeros((SQUARES, len(smaller)), np.uint32)
    for s in range(SQUARES):
        apart = np.flatnonzero((smaller >> s) & 1 == 0)
        ranks[s, apart] = np.searchsorted(larger, smaller[apart] | 1 << s)
    return ranks


class ScoreContext(Context):
    """A context for scores: the planes of bits are scratch memory of one group here."""

    def __init__(self, static: StaticTables, planes: ScorePlanes, general: bool = False) -> None:
        super().__init__(static, planes)
        memory = self._memory
        longest = max(64, 64 * row_words(planes.most_kings))
        joined = [memory.keep(joined_ranks(n)) if n else 0 for n in range(planes.most_kings + 1)]
        self.entries[ContextWords.joined] = memory.keep(np.array(joined, np.int64))
        self.entries[ContextWords.score_slot_bytes] = longest
        self.entries[ContextWords.score_slots] = memory.words(
            (planes.most_kings + 3) * longest // 8
        )
        self.entries[ContextWords.key_rows] = 0
        if general:
            self.entries[ContextWords.score_keys] = memory.words(MAX_KEYS * longest // 8)
        self.entries[ContextWords.published] = memory.words(8)
        self._desk: list[Array] = []

    def prepare_scores(self, own_kings: int, opp_kings: int) -> None:
        """Get work planes for groups with so many kings; own and opposing side in `sides`."""
        self._desk = desk = list[Array]()
        shapes = ((own_kings, opp_kings), (opp_kings, own_kings))
        blocks = sum(group_stride(*shape) // 8 + 16 for shape in shapes)
        for entry in (ContextWords.loses, ContextWords.holds):
            desk.append(aligned_words(blocks))
            self.entries[entry] = desk[-1].ctypes.data
        for side, (k, b) in enumerate(shapes):
            rows = int(len(subsets(range(SQUARES), k)))
            plane = plane_words(k, b)
            flags = -(-rows // 64) * 8
            for entry, words in (
                (SideWords.unwon, plane),
                (SideWords.lost, plane),
                (SideWords.quiet, plane),
                (SideWords.needed, rows // 8 + 16),
                (SideWords.touched, 2 * int(touched_bytes.plain(rows)) // 8),
                (SideWords.changed, (rows // 64 + 2) * (row_words(b) // 8 + 2) // 8 + 16),
                (SideWords.scores, 8 * plane + 16),
                (SideWords.present, ALL_SCORES * flags // 8),
            ):
                desk.append(aligned_words(words))
                self.sides[side, entry] = desk[-1].ctypes.data
            self.sides[side, SideWords.present_bytes] = flags


# ------------------------------------------------------------------ kernels


@kernel
def touched_bytes(rows: int) -> int:
    """Bytes between the two halves of TOUCHED."""
    return ((rows + 63) >> 6) << 6


@kernel
def raise_byte(row: int, index: int, score: int) -> None:
    """row[index] = max(row[index], score)."""
    if score > load8(row, index):
        store8(row, index, score)


@kernel
def merge(row: int, source: int, bits: int) -> None:
    """Raise 64 bytes of *row* to those of *source*, where *bits* are set."""
    vstore(row, 0, bmax(vload(row, 0), vand(vload(source, 0), bspread(bits))))


@kernel
def round_score(d: int) -> int:
    """The score of a win (d odd) or a loss (d even) in d plies."""
    return WIN_NOW - (d >> 1) if d & 1 else d >> 1


@kernel
def put_score(scores: int, score: int, bits: int) -> None:
    """Write *score* to those of 64 bytes that have a bit."""
    chosen = bspread(bits)
    written = vand(vfill(score * EVERY_BYTE), chosen)
    vstore(scores, 0, vor(vandnot(vload(scores, 0), chosen), written))


@kernel
def joined_rank(ctx: Address, kings: int, square: int) -> int:
    """Address of the ranks of sets of *kings* - 1 squares after *square* has joined them."""
    smaller = sets_of(ctx, kings - 1)
    return load(ctx.joined, kings) + square * smaller * 4


@kernel
def kingless_score(ctx: Address, om: int, ok: int, pm: int) -> int:
    """The score of a move to a position whose side to move has no kings."""
    return load8(block(ctx, om, pm, popcount(ok), 0), rank_few(turn32(ok)))


@kernel
def scores_in_row(ctx: Address, kings: int) -> int:
    """Bytes from one row of scores over *kings* kings to the next."""
    return 64 * row_words_of(ctx, kings) if kings >= 2 else 32


@kernel
def block_bytes(ctx: Address, kings: int, opp_kings: int) -> int:
    """Bytes of a group's block of scores; as a block of bits it has an eighth."""
    return load(ctx.group_stride, kings * COUNT_BASE + opp_kings)
