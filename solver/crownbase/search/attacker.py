"""``Attacker``: one side's attempt to win by force, from Python; the work is done in ``attack``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from crownbase.board import Position
from crownbase.board.bits import signed
from crownbase.search import attack as kernels
from crownbase.search.judge import set_question
from crownbase.search.watch import run_watched
from crownbase.search.work import NODE_LIMIT, NODES, STOP, Work

if TYPE_CHECKING:
    from crownbase.search.searcher import Searcher

_LEAF_DEPTH = 4
"""Plies that a new position is searched before numbers are guessed for it."""
_STEP = 30
"""Hundredths of a man that count as one open position more, or less."""


class Attacker:
    """Whether one side can win by force, worked on bit by bit.

    Args:
        searcher: whose rules and tables are used; its tables must be prepared.
        work: frames and cache for this attempt; may be shared with others that take turns.
        position: the root.
        mover_attacks: True = the side to move tries to win, False = its opponent does.
        memory: bytes that may be used.
        must_stop: asked every few milliseconds.
    """

    def __init__(
        self,
        searcher: Searcher,
        work: Work,
        position: Position,
        mover_attacks: bool,
        memory: int,
        must_stop: Callable[[], bool],
    ) -> None:
        self.traits = searcher.rules.traits
        self.work = work
        self.position = position
        self.visited = 0
        self.answer: bool | None = None
        self.is_open = True
        self._holder = 0 if mover_attacks else 1
        self._must_stop = must_stop
        bits = max(8, (memory // 32).bit_length() - 1)
        self._numbers = kernels.make_numbers(bits, _LEAF_DEPTH, _STEP)

    def work_on(self, visits: int) -> None:
        """Visit up to *visits* more positions."""
        data = self.work.data
        set_question(self.work, *(np.int64(signed(board)) for board in self.position.boards))
        before = int(data[NODES])
        data[NODE_LIMIT] = before + max(visits, 1)  # 0 would be no limit
        limits = (np.int64(kernels.HOPELESS), np.int64(kernels.HOPELESS))
        arguments = (self.traits, self.work, self._numbers, np.int64(0), *limits)
        found = run_watched(
            kernels.attack, (*arguments, np.int64(self._holder)), self._must_stop, self.work
        )
        data[NODE_LIMIT] = data[STOP] = 0
        self.visited += int(data[NODES]) - before
        phi, delta = int(found) >> 32, int(found) & 0xFFFFFFFF
        if phi == 0 or delta == 0:
            self.answer = (phi == 0) == (self._holder == 0)
        self.is_open = max(phi, delta) < kernels.HOPELESS
