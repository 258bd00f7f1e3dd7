"""What those who work on a proof bit by bit have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from crownbase.board import Position
from crownbase.board.bits import signed
from crownbase.search.work import Work

if TYPE_CHECKING:
    from crownbase.search.searcher import Searcher

Given = tuple["Searcher", Work, Position, Callable[[], bool]]
"""What every ``Worker`` is made from."""


class Worker:
    """One side's attempt at a question about a position.

    Args:
        searcher: whose rules and tables are used; its tables must be prepared.
        work: frames and cache for the searches; may be shared with others that take turns.
        position: the root.
        must_stop: asked every few milliseconds.
    """

    def __init__(
        self,
        searcher: Searcher,
        work: Work,
        position: Position,
        must_stop: Callable[[], bool],
    ) -> None:
        self.traits = searcher.rules.traits
        self.work = work
        self.position = position
        self.visited = 0
        self.must_stop = must_stop


def kernel_boards(position: Position) -> list[np.int64]:
    """The four bit boards as kernels take them, in the mover's frame."""
    return [np.int64(signed(board)) for board in position.boards]
