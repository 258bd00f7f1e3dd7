"""The context: what every row kernel gets as its first argument (`records.ContextWords`).

Here it is filled: with the addresses of the planes, of the tables and of a thread's scratch memory.
"""

from __future__ import annotations

from collections import defaultdict
from math import comb
from typing import Any

import numpy as np

from crownbase.jit import Address
from crownbase.retro.rows.records import ContextWords, SideWords
from crownbase.retro.rows.tables import (
    DIRECTIONS,
    OFF_BOARD,
    PACKED_BOARD,
    Array,
    Board,
    aligned_words,
    king_tables,
    neighbours,
    rank_halves,
    row_words,
)
from crownbase.rules.geometry import Geometry

MAX_KEYS = 256
"""Enough for any order of men and kings among six pieces, taken with a man or a king."""
SCRATCH_SLOTS = 26
"""Deep enough for the longest chain: each opposing piece once, and one to spare."""


class Memory:
    """Zeroed, aligned memory that lives as long as this object."""

    def __init__(self) -> None:
        self._kept: list[Array] = []

    def words(self, count: int) -> int:
        """The address of *count* new words."""
        block = aligned_words(count)
        self._kept.append(block)
        return int(block.ctypes.data)

    def keep(self, array: Array) -> int:
        """The address of an existing array, which is kept alive."""
        array = np.ascontiguousarray(array)
        self._kept.append(array)
        return int(array.ctypes.data)


class StaticTables:
    """The tables of tables.py behind addresses, shared by all threads."""

    def __init__(self, max_kings: int, board: Geometry, flying: bool = False) -> None:
        self.max_kings = max_kings
        self.board = facts = Board.of(board)
        self.entries = np.zeros(ContextWords.SIZE, np.int64)
        self._memory = memory = Memory()
        near, far = neighbours(board)
        low, high = rank_halves()
        edge = np.full((OFF_BOARD + 1 - facts.squares) * DIRECTIONS, OFF_BOARD, np.int32)
        for entry, array in (
            (ContextWords.near, np.concatenate([near, edge])),
            (ContextWords.far, np.concatenate([far, edge])),
            (ContextWords.near_sets, _as_sets(near)),
            (ContextWords.far_sets, _as_sets(far)),
            (ContextWords.rank_low, low),
            (ContextWords.rank_high, high),
        ):
            self.entries[entry] = memory.keep(array)
        by_kings: dict[int, list[int]] = defaultdict(list)
        for n in range(max_kings + 1):
            tables = king_tables(n, board, flying)
            by_kings[ContextWords.row_count].append(comb(facts.squares, n))
            by_kings[ContextWords.row_words].append(row_words(n, facts))
            for entry, array in (
                (ContextWords.masks, tables.masks),
                (ContextWords.contains, tables.contains),
                (ContextWords.held_before, tables.held_before),
                (ContextWords.free_before, tables.free_before),
                (ContextWords.turned, tables.turned),
                (ContextWords.step_start, tables.step_start),
                (ContextWords.step_target, tables.step_target),
                (ContextWords.step_square, tables.step_square),
            ):
                by_kings[entry].append(memory.keep(array))
        for entry, values in by_kings.items():
            self.entries[entry] = memory.keep(np.array(values, np.int64))


def _as_sets(squares: Array) -> Array:
    """Boards of the squares that stand in a `neighbours` table, int64[squares]."""
    sets = np.zeros(len(squares) // DIRECTIONS, np.int64)
    for i, t in enumerate(squares):
        if t != OFF_BOARD:
            sets[i // DIRECTIONS] |= np.int64(1) << np.int64(t)
    return sets


class Context:
    """A thread's context: shared planes and tables, and scratch memory of its own."""

    def __init__(self, static: StaticTables, planes: Any, general: bool = False) -> None:
        self._static = static
        self._planes = planes
        self._memory = memory = Memory()
        self.entries = static.entries.copy()
        planes.fill_entries(self.entries)
        # A row for one king is one word, but it is worked on as a vector.
        board = static.board
        longest = max(8, *(row_words(n, board) for n in range(static.max_kings + 1)))
        slot = 4 * longest
        self.entries[ContextWords.slot_bytes] = 8 * slot
        for entry, words in (
            (ContextWords.slots, slot * SCRATCH_SLOTS),
            (ContextWords.stream, slot),
            (ContextWords.group_rows, slot * (static.max_kings + 1)),
            (ContextWords.open_rows, slot * (static.max_kings + 1)),
            (ContextWords.tile, 64 * 8),
            (ContextWords.landing, comb(board.squares, max(static.max_kings - 1, 0)) + 64),
            (ContextWords.advances, 256),
            (ContextWords.man_jumps, 1024),
            (ContextWords.row_a, longest),
            (ContextWords.row_b, longest),
            (ContextWords.keys, MAX_KEYS),
            (ContextWords.key_rows, 3 * MAX_KEYS * longest if general else 8),
            (
                ContextWords.list,
                2 * board.squares * row_words(max(static.max_kings - 1, 0), board) + 64,
            ),
        ):
            self.entries[entry] = memory.words(words)
        self.entries[ContextWords.group_om] = -1
        self.address = Address(self.entries.ctypes.data, board, ContextWords)
        self.sides = np.zeros((2, SideWords.SIZE), np.int64)
        self.side_addresses = tuple(
            Address(side.ctypes.data, record=SideWords) for side in self.sides
        )
        self._capacity = 0

    def prepare(self, own_kings: int, opp_kings: int, distances: bool = False) -> None:
        """Get work planes for groups with so many kings; both sides in `sides`.

        Their content is left over from other groups: openings write all rows, and the flags
        are set for all rows before they are read.
        """
        shapes = ((own_kings, opp_kings), (opp_kings, own_kings))
        wanted = [_side_words(k, b, distances, self._static.board) for k, b in shapes]
        total = sum(-(-words // 8) * 8 for side in wanted for words in side.values())
        if total > self._capacity:
            self._work = aligned_words(total)
            self._capacity = total
        self.sides[:] = 0
        place = int(self._work.ctypes.data)
        for side, entries in enumerate(wanted):
            for entry, words in entries.items():
                self.sides[side, entry] = place
                place += 8 * (-(-words // 8) * 8)


def _side_words(own_kings: int, opp_kings: int, distances: bool, board: Board) -> dict[int, int]:
    """Words of the work planes of one side, by side entry."""
    rows = comb(board.squares, own_kings)
    plane = plane_words(own_kings, opp_kings, board)
    words = dict.fromkeys(
        (SideWords.unwon, SideWords.lost, SideWords.quiet, SideWords.escape), plane
    )
    words[SideWords.needed] = rows // 8 + 16
    words[SideWords.changed] = (rows // 64 + 2) * (row_words(opp_kings, board) // 8 + 2) // 8 + 16
    if distances:
        words |= dict.fromkeys(
            (SideWords.movable, SideWords.first_won, SideWords.first_lost), plane
        )
        words[SideWords.codes] = 16 * plane
    return words


def plane_words(own_kings: int, opp_kings: int, board: Board = PACKED_BOARD) -> int:
    """Words of one group's work plane: rows by own kings, bits by opposing kings."""
    rows = comb(board.squares, own_kings)
    packed = board.packed and opp_kings == 1
    words = (rows + 1) // 2 if packed else rows * row_words(opp_kings, board)
    return words + 16
