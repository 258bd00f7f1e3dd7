"""What is solved in which order: slices, and the groups of a slice level by level."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from crownbase.retro.rows.storage import Counts
from crownbase.retro.rows.tables import PACKED_BOARD, Array, Board, board_type, subsets


def mirror(counts: Counts) -> Counts:
    """The same pieces with the other side to move."""
    a, k, c, b = counts
    return c, b, a, k


def all_slices(max_pieces: int) -> list[Counts]:
    """Every slice with 2 to *max_pieces* pieces, at least one on each side."""
    return [
        (a, own - a, c, total - own - c)
        for total in range(2, max_pieces + 1)
        for own in range(1, total)
        for a in range(own + 1)
        for c in range(total - own + 1)
    ]


def slice_pairs(slices: list[Counts]) -> Iterator[Counts]:
    """One slice of every colour-symmetric pair, in the order in which they can be solved.

    Captures lead to fewer pieces, promotions to fewer men.
    """
    seen: set[Counts] = set()
    for counts in sorted(slices, key=lambda s: (sum(s), s[0] + s[2])):
        if counts not in seen:
            seen |= {counts, mirror(counts)}
            yield counts


MOST_ADVANCED = np.uint8(255)
"""More rows than all men of a slice together can have advanced (at most 9 rows each)."""


@dataclass(frozen=True)
class Groups:
    """The groups of a slice, in levels: every man move leads to an earlier level."""

    own_men: Array  # boards (`tables.board_type`)
    opp_men: Array
    levels: Array  # int64[levels + 1]: level i is groups levels[i]:levels[i + 1]


def groups_of(own_men: int, opp_men: int, board: Board = PACKED_BOARD) -> Groups:
    """All groups with so many men, by falling total advancement of the men.

    A man on the row r from the top has advanced r rows if it is an opposing man; an own man has
    advanced as many as are below it.
    """
    kind = board_type(board)
    own = subsets(range(board.width, board.squares), own_men).astype(kind)
    opp = subsets(range(board.squares - board.width), opp_men).astype(kind)
    free = (own[:, None] & opp[None, :]) == 0
    own_rows, opp_rows = _rows(own, board, up=True), _rows(opp, board, up=False)
    behind = MOST_ADVANCED - (own_rows[:, None] + opp_rows[None, :])[free]
    order = np.argsort(behind, kind="stable")
    cuts = np.cumsum(np.bincount(behind))
    return Groups(
        own_men=np.broadcast_to(own[:, None], free.shape)[free][order],
        opp_men=np.broadcast_to(opp[None, :], free.shape)[free][order],
        levels=np.unique(np.concatenate([[0], cuts])),
    )


def _rows(masks: Array, board: Board, *, up: bool) -> Array:
    total = np.zeros(len(masks), np.uint8)
    for s in range(board.squares):
        row = s // board.width
        set_there = ((masks >> masks.dtype.type(s)) & masks.dtype.type(1)).astype(np.uint8)
        total += set_there * np.uint8(board.rows - 1 - row if up else row)
    return total
