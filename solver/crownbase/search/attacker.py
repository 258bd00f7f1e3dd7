"""``Attacker``: one side's attempt to win by force, from Python; the work is done in ``attack``."""

from __future__ import annotations

import numpy as np

from crownbase.search import attack as kernels
from crownbase.search.judge import set_question
from crownbase.search.watch import run_watched
from crownbase.search.work import NODE_LIMIT, NODES, STOP
from crownbase.search.worker import Given, Worker, kernel_boards

_LEAF_DEPTH = 4
"""Plies that a new position is searched before numbers are guessed for it."""
_STEP = 30
"""Hundredths of a man that count as one open position more, or less."""


class Attacker(Worker):
    """Whether one side can win by force, worked on bit by bit.

    Args:
        given: searcher, work, position and must_stop of a ``Worker``.
        mover_attacks: True = the side to move tries to win, False = its opponent does.
        memory: bytes that may be used.
    """

    def __init__(self, given: Given, mover_attacks: bool, memory: int) -> None:
        super().__init__(*given)
        self.answer: bool | None = None
        self.is_open = True
        self._holder = 0 if mover_attacks else 1
        bits = max(8, (memory // 32).bit_length() - 1)
        self._numbers = kernels.make_numbers(bits, _LEAF_DEPTH, _STEP)

    def work_on(self, visits: int) -> None:
        """Visit up to *visits* more positions."""
        data = self.work.data
        set_question(self.work, *kernel_boards(self.position))
        before = int(data[NODES])
        data[NODE_LIMIT] = before + max(visits, 1)  # 0 would be no limit
        limits = (np.int64(kernels.HOPELESS), np.int64(kernels.HOPELESS))
        arguments = (self.traits, self.work, self._numbers, np.int64(0), *limits)
        found = run_watched(
            kernels.attack, (*arguments, np.int64(self._holder)), self.must_stop, data, STOP
        )
        data[NODE_LIMIT] = data[STOP] = 0
        self.visited += int(data[NODES]) - before
        phi, delta = int(found) >> 32, int(found) & 0xFFFFFFFF
        if phi == 0 or delta == 0:
            self.answer = (phi == 0) == (self._holder == 0)
        self.is_open = max(phi, delta) < kernels.HOPELESS
