"""The context: one block of addresses that every row kernel gets as its first argument.

Kernels work on raw memory. A context is an int64 array; kernels receive its address (`ctx`) and
read entry X as `load(ctx, X)`. The entries are listed below with what they point to. Sizes are
run-time data here, never constants of compiled code, so one compilation serves every number of
pieces; only the board is compiled in: its facts (`tables.Board`) are attributes of `ctx`. A context
belongs to one thread (scratch memory); planes and tables are shared.
"""

from __future__ import annotations

from collections import defaultdict
from math import comb
from typing import Any

import numpy as np

from crownbase.jit import Address
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

# The two bit planes of all slices (see storage.py).
LOSES = 0
HOLDS = 1
# Where slices and groups lie in the planes (see storage.py).
SLICE_BASE = 2
GROUP_STRIDE = 3
GROUP_OFFSET = 4
GROUP_PAIR = 5
RANK_LOW = 6
RANK_HIGH = 7
# Geometry: int32[63 * 4] next squares and squares behind; boards int64[squares] of both kinds.
NEAR = 8
FAR = 9
NEAR_SET = 10
FAR_SET = 11
# Tables by number of kings n: the entry points to int64[n] sizes or addresses.
ROW_COUNT = 12
ROW_WORDS = 13
MASKS = 14
CONTAINS = 15
HELD_BEFORE = 16
FREE_BEFORE = 17
TURNED = 18
STEP_START = 19
STEP_TARGET = 20
STEP_SQUARE = 44
# Scratch memory of this thread.
SLOTS = 21
"""Slots for the capture search, SLOT_BYTES each: four rows side by side."""
SLOT_BYTES = 22
STREAM = 23
"""A bit stream between the two halves of a change of domain."""
GROUP_ROWS = 24
"""By n: row of the sets of opposing kings that avoid all men of the group; SLOT_BYTES apart."""
OPEN_ROWS = 25
"""By n: the same, avoiding also the own kings of the current row."""
TILE = 26
"""64 vectors for a bit-matrix transpose."""
LANDING = 27
"""int64 by rank of the other own kings: see `fill_landing` in captures.py."""
ADVANCES = 28
"""Pairs (byte offset, target square): quiet man moves of the group."""
MAN_JUMPS = 29
"""Records of captures by men, for groups with one opposing king (see openings.py)."""
ROW_A = 30
ROW_B = 31
LIST = 32
"""int64 rows by square, for one side without kings (see lone.py)."""
# Facts about the group at work.
GROUP_OM = 33
GROUP_PM = 34
GROUP_NUMBER = 35
KING_JUMPERS = 36
"""Squares from which a king could take a man of the group's opposing men."""
MAN_JUMPERS = 37
"""The same for a man."""
BASE_PM = 38
"""Opposing men for which LANDING and KING_JUMPERS hold."""
START_OCCUPIED = 39
"""All squares but the opposing kings', before the move, in the current row."""

# The general search (general.py).
KEY_COUNT = 40
KEYS = 41
"""int64[MAX_KEYS]: capture keys met in the current row."""
KEY_ROWS = 42
"""For each key three rows of a quarter slot each: where it is met, and W and N there."""
FULL_KINGS = 43
"""Number of kings of the rows in KEY_ROWS."""

# Which groups are solved, where not all are (see reach.py): bytes, and where slices begin.
SOLVED = 45
SOLVED_BASE = 46

STOPPED = 47
"""Not 0: another thread wants the kernels to return (see rowops.is_stopped)."""

ENTRIES = 48
MAX_KEYS = 256
"""Enough for any order of men and kings among six pieces, taken with a man or a king."""
SCRATCH_SLOTS = 26
"""Deep enough for the longest chain: each opposing piece once, and one to spare."""

# A side of a group: addresses of its work planes (see group.py), as entries of a small block.
UNWON = 0
LOST = 1
QUIET = 2
ESCAPE = 3
NEEDED = 4
CHANGED = 5
# Only where distances are wanted, else 0 (see rounds.py).
MOVABLE = 6
FIRST_WON = 7
FIRST_LOST = 8
CODES = 9
"""int16 value codes of the group, rows by own kings, one for every bit of a row."""
SIDE_ENTRIES = 16


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
        self.entries = np.zeros(ENTRIES, np.int64)
        self._memory = memory = Memory()
        near, far = neighbours(board)
        low, high = rank_halves()
        edge = np.full((OFF_BOARD + 1 - facts.squares) * DIRECTIONS, OFF_BOARD, np.int32)
        for entry, array in (
            (NEAR, np.concatenate([near, edge])),
            (FAR, np.concatenate([far, edge])),
            (NEAR_SET, _as_sets(near)),
            (FAR_SET, _as_sets(far)),
            (RANK_LOW, low),
            (RANK_HIGH, high),
        ):
            self.entries[entry] = memory.keep(array)
        by_kings: dict[int, list[int]] = defaultdict(list)
        for n in range(max_kings + 1):
            tables = king_tables(n, board, flying)
            by_kings[ROW_COUNT].append(comb(facts.squares, n))
            by_kings[ROW_WORDS].append(row_words(n, facts))
            for entry, array in (
                (MASKS, tables.masks),
                (CONTAINS, tables.contains),
                (HELD_BEFORE, tables.held_before),
                (FREE_BEFORE, tables.free_before),
                (TURNED, tables.turned),
                (STEP_START, tables.step_start),
                (STEP_TARGET, tables.step_target),
                (STEP_SQUARE, tables.step_square),
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
        self.entries[SLOT_BYTES] = 8 * slot
        for entry, words in (
            (SLOTS, slot * SCRATCH_SLOTS),
            (STREAM, slot),
            (GROUP_ROWS, slot * (static.max_kings + 1)),
            (OPEN_ROWS, slot * (static.max_kings + 1)),
            (TILE, 64 * 8),
            (LANDING, comb(board.squares, max(static.max_kings - 1, 0)) + 64),
            (ADVANCES, 256),
            (MAN_JUMPS, 1024),
            (ROW_A, longest),
            (ROW_B, longest),
            (KEYS, MAX_KEYS),
            (KEY_ROWS, 3 * MAX_KEYS * longest if general else 8),
            (LIST, 2 * board.squares * row_words(max(static.max_kings - 1, 0), board) + 64),
        ):
            self.entries[entry] = memory.words(words)
        self.entries[GROUP_OM] = -1
        self.address = Address(self.entries.ctypes.data, board)
        self.sides = np.zeros((2, SIDE_ENTRIES), np.int64)
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
    words = dict.fromkeys((UNWON, LOST, QUIET, ESCAPE), plane)
    words[NEEDED] = rows // 8 + 16
    words[CHANGED] = (rows // 64 + 2) * (row_words(opp_kings, board) // 8 + 2) // 8 + 16
    if distances:
        words |= dict.fromkeys((MOVABLE, FIRST_WON, FIRST_LOST), plane)
        words[CODES] = 16 * plane
    return words


def plane_words(own_kings: int, opp_kings: int, board: Board = PACKED_BOARD) -> int:
    """Words of one group's work plane: rows by own kings, bits by opposing kings."""
    rows = comb(board.squares, own_kings)
    packed = board.packed and opp_kings == 1
    words = (rows + 1) // 2 if packed else rows * row_words(opp_kings, board)
    return words + 16
