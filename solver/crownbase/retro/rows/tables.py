"""Static tables of the row-parallel solver, for every number n of kings on the board.

A set of n squares has the colexicographic number  rank({s0 < s1 < ..}) = sum C(s_i, i + 1),
which is also the order of the sets as binary numbers. A *row* for n kings is a bit set over
these numbers: bit r of the row = the set with rank r.

====================  ==========================================================================
masks[n][r]           the set of squares with rank r
contains[n][s]        row: all sets that contain square s
held_before[n][s][w]  number of bits of contains[n][s] before word w
free_before[n][s][w]  number of bits of its complement before word w
turned[n][r]          rank of the set after half a turn (s -> last square - s)
steps[n]              CSR lists: ranks after one quiet king move if only these kings are on the
                      board; symmetric. Of flying kings the squares too, ray after ray
====================  ==========================================================================

Adding square v to sets that do not hold it, R -> R + v, keeps their order. So "row over n - 1
kings, seen as a row over n kings one of which stands on v" is: extract the bits outside
contains[n-1][v], deposit them into contains[n][v]; `held_before` and `free_before` say where
in that bit stream a word starts.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from typing import Any

import numpy as np

from crownbase.jit import compile_time
from crownbase.rules.geometry import Geometry

SQUARES = 32
WIDTH = 4
VECTOR_BITS = 512
OFF_BOARD = 62
"""The "square" behind the edge of every board: never empty, never occupied by a piece."""
WALL = 1 << OFF_BOARD
"""Added to the set of occupied squares, so that nothing moves off the board."""
DIRECTIONS = 4
"""0 up-left, 1 up-right, 2 down-left, 3 down-right; up = towards square 0; 3 - d is opposite."""
RAY_START = 64
"""Mark on a square in `KingTables.step_square`: a new ray begins."""
RANK_HALF = 1 << 16

Array = np.ndarray[Any, np.dtype[Any]]


@compile_time
@dataclass(frozen=True)
class Board:
    """What compiled code knows of a board: constants, as attributes of every context's address.

    *packed*: 32 squares; then a row for one king is a 32-bit set of squares, and two of them, a
    "pair", fit one register. The fast code for one king needs that. On other boards every row
    consists of whole vectors, and the code for two kings and more does everything.
    """

    squares: int
    width: int
    packed: bool

    @classmethod
    def of(cls, geometry: Geometry) -> Board:
        """The facts about a board."""
        return cls(geometry.n_squares, geometry.width, packed=geometry.n_squares == SQUARES)

    @property
    def rows(self) -> int:
        """Rows of squares."""
        return self.squares // self.width


PACKED_BOARD = Board(SQUARES, WIDTH, packed=True)
"""The 8x8 boards."""


def row_words(kings: int, board: Board = PACKED_BOARD) -> int:
    """Words of one row: whole vectors; but one word for n < 2 on a packed board."""
    if board.packed and kings < 2:
        return 1
    return -(-comb(board.squares, kings) // VECTOR_BITS) * (VECTOR_BITS // 64)


def subsets(squares: range, count: int) -> Array:
    """All sets of *count* of the given squares as int64 masks in colex (= numeric) order."""
    if count == 0:
        return np.zeros(1, np.int64)
    chosen = np.array(list(itertools.combinations(squares, count)), np.int64)
    return np.sort((np.int64(1) << chosen).sum(1))


def turn_masks(masks: Array, squares: int = SQUARES) -> Array:
    """Half a turn of the board for each mask: square s -> squares - 1 - s."""
    out = np.zeros_like(masks)
    for s in range(squares):
        out |= ((masks >> s) & 1) << (squares - 1 - s)
    return out


def neighbours(board: Geometry) -> tuple[Array, Array]:
    """Next squares and squares behind them, int32[squares * 4]; OFF_BOARD where there is none."""
    squares = board.n_squares
    near = np.full((OFF_BOARD + 1, DIRECTIONS), OFF_BOARD)
    near[:squares] = np.where(board.neighbour < 0, OFF_BOARD, board.neighbour).reshape(squares, -1)
    far = np.stack([near[near[:squares, d], d] for d in range(DIRECTIONS)], axis=1)
    return near[:squares].ravel().astype(np.int32), far.ravel().astype(np.int32)


@dataclass(frozen=True)
class KingTables:
    """The tables of the module's docstring for one number of kings."""

    masks: Array  # uint32[C(squares, n)], int64 if the board is not packed
    contains: Array  # int64[squares, words], 64-byte aligned
    held_before: Array  # int32[squares, words]
    free_before: Array  # int32[squares, words]
    turned: Array  # int32[C(squares, n)]
    step_start: Array  # int32[C(squares, n) + 1]: row r owns step_target[start[r]:start[r + 1]]
    step_target: Array  # int32[...]
    step_square: Array  # int32[...]: target square, RAY_START added on the first of a ray


def aligned_words(count: int) -> Array:
    """Zeroed int64[count] that starts at a multiple of 64 bytes."""
    raw = np.zeros(count + 8, np.int64)
    skip = (-raw.ctypes.data % 64) // 8
    return raw[skip : skip + count]


@lru_cache(maxsize=32)
def king_tables(kings: int, board: Geometry, flying: bool = False) -> KingTables:
    """The tables for *kings* kings on a diagonal board."""
    facts = Board.of(board)
    squares = facts.squares
    masks = subsets(range(squares), kings)
    words = row_words(kings, facts)
    members = ((masks[None, :] >> np.arange(squares)[:, None]) & 1).astype(np.uint8)
    bits = np.zeros((squares, words * 64), np.uint8)
    bits[:, : len(masks)] = members
    # Eight words more: rows shorter than a vector are read as one.
    contains = aligned_words(squares * words + 8)[:-8].reshape(squares, words)
    contains[:] = np.packbits(bits, axis=1, bitorder="little").view(np.int64)
    held = np.bitwise_count(contains.view(np.uint64)).astype(np.int64)
    before = np.cumsum(held, axis=1) - held
    start, target, square = _step_lists(masks, members, board, flying)
    return KingTables(
        masks=masks.astype(board_type(facts)),
        contains=contains,
        held_before=before.astype(np.int32),
        free_before=(64 * np.arange(words)[None, :] - before).astype(np.int32),
        turned=np.searchsorted(masks, turn_masks(masks, squares)).astype(np.int32),
        step_start=start,
        step_target=target,
        step_square=square,
    )


def _step_lists(
    masks: Array, members: Array, board: Geometry, flying: bool
) -> tuple[Array, Array, Array]:
    near, _ = neighbours(board)
    sources, targets, squares = ([np.zeros(0, np.int64)] for _ in range(3))
    for s in range(board.n_squares):
        for d in range(DIRECTIONS):
            movable = np.nonzero(members[s])[0]
            t, first = int(near[s * DIRECTIONS + d]), RAY_START
            while t != OFF_BOARD:
                movable = movable[members[t, movable] == 0]
                sources.append(movable)
                targets.append(np.searchsorted(masks, masks[movable] ^ (1 << s) ^ (1 << t)))
                squares.append(np.full(len(movable), t + first))
                t, first = (int(near[t * DIRECTIONS + d]) if flying else OFF_BOARD), 0
    source, target, square = (np.concatenate(parts) for parts in (sources, targets, squares))
    order = np.argsort(source, kind="stable")
    start = np.searchsorted(source[order], np.arange(len(masks) + 1))
    return tuple(x.astype(np.int32) for x in (start, target[order], square[order]))  # type: ignore[return-value]


@lru_cache(maxsize=1)
def rank_halves() -> tuple[Array, Array]:
    """Two tables that rank any set of squares below 32: low[m & 0xffff] + high[p, m >> 16].

    p = popcount(m & 0xffff) < 17; int32[65536] and int32[17, 65536]:
    low = sum C(s_i, i + 1) over the set squares below 16, high = sum C(s_i, p + i + 1) above.
    """
    table = np.array(
        [[comb(s, k) for k in range(SQUARES + 1)] for s in range(SQUARES)], np.int64
    ).astype(np.int32, copy=False)
    half = np.arange(RANK_HALF)
    low = np.zeros(RANK_HALF, np.int32)
    high = np.zeros((17, RANK_HALF), np.int32)
    count = np.zeros(RANK_HALF, np.int64)
    for s in range(16):
        bit = ((half >> s) & 1).astype(np.int32)
        count += bit
        low += bit * table[s, count]
        for p in range(17):
            high[p] += bit * table[16 + s, p + count]
    return low, high


def board_type(board: Board) -> type[np.generic]:
    """The NumPy type in which arrays of boards lie in memory (see `words.board_at`)."""
    return np.uint32 if board.packed else np.int64


def group_offsets(own_men: int, opp_men: int, board: Board = PACKED_BOARD) -> tuple[Array, int]:
    """First group number of every placement of the own men, and the number of groups.

    A *group* is a placement of all men. With n squares, w in a row, own men stand on [w, n),
    opposing men on [0, n - w). The placements of the own men are numbered by rank(men >> w);
    with h of them outside the last row (squares [w, n - w)) the opposing men have
    C(n - w - h, opp_men) placements, ranked among the squares of [0, n - w) that hold no own man.
    """
    masks = subsets(range(board.width, board.squares), own_men)
    end = board.squares - board.width
    inside = np.bitwise_count((masks & ((1 << end) - 1)).astype(np.uint64)).astype(np.int64)
    sizes = np.array([comb(end - h, opp_men) for h in range(own_men + 1)], np.int64)[inside]
    ends = np.cumsum(sizes)
    return (ends - sizes).astype(np.int64), int(ends[-1])
