"""``Holder``: one side's attempt to hold a draw, from Python; the work is done in ``hold``."""

from __future__ import annotations

from typing import Any

import numpy as np

from crownbase.board import Move, Position
from crownbase.search import hold as kernels
from crownbase.search.hold import BYTES_PER_NODE, CHOICE, HOLDER_MOVES, NODE, REFUTED
from crownbase.search.hold_size import proof_size
from crownbase.search.watch import run_watched
from crownbase.search.work import STOP
from crownbase.search.worker import Given, Worker, kernel_boards

_MAX_CAPACITY = 1 << 24


class Holder(Worker):
    """Whether one side can hold at least a draw, worked on bit by bit.

    Args:
        given: searcher, work, position and must_stop of a ``Worker``.
        mover_holds: True = the side to move tries to hold, False = its opponent does.
        memory: bytes that may be used.
    """

    def __init__(self, given: Given, mover_holds: bool, memory: int) -> None:
        super().__init__(*given)
        turn = self.position.turn
        self._holder = turn if mover_holds else "WB".replace(turn, "")
        self._capacity = min(max(memory // BYTES_PER_NODE, 1000), _MAX_CAPACITY)
        self.begin(0, 0)

    def begin(self, depth: int, most: int) -> None:
        """Start anew; positions are searched *depth* plies deep, each visiting at most *most*.

        What those searches find out is kept. At first, positions are not searched at all.
        """
        self._hold = kernels.make_hold(self._capacity)
        self._hold.control[kernels.DEPTH] = depth
        self._hold.control[kernels.MOST] = most
        boards = kernel_boards(self.position)
        kernels.add_node(self._hold, *boards, self._side(self.position))

    @property
    def answer(self) -> bool | None:
        """True: it holds. False: the other side wins. None: not known yet."""
        if self._hold.nodes[REFUTED]:
            return False
        control = self._hold.control
        if control[kernels.WAITING] == 0 and not control[kernels.FULL]:
            return True
        return None

    @property
    def is_open(self) -> bool:
        """Whether more work may still bring an answer."""
        return self.answer is None and not self._hold.control[kernels.FULL]

    def work_on(self, visits: int) -> None:
        """Let the searches visit up to *visits* more positions."""
        arguments = (self.traits, self.work, self._hold, np.int64(visits))
        flags = self.work.data
        self.visited += int(
            run_watched(kernels.settle_hold, arguments, self.must_stop, flags, STOP)
        )

    def proof_size(self) -> int:
        """Positions of the proof; only once, when there is an answer."""
        return int(proof_size(self.traits, self.work, self._hold))

    def choice(self, position: Position) -> Move | None:
        """How the holder, who is to move and can hold, holds here; None beyond the proof."""
        if self._leaf(position) or self._node(position) < 0:
            return None
        choice = int(self._hold.nodes[self._node(position) * NODE + CHOICE])
        for move in position.legal_moves():
            child = position.play(move)
            if self._leaf(child) > 0 or (choice >= 0 and self._node(child) == choice):
                return move
        return None

    def _leaf(self, position: Position) -> int:
        boards = kernel_boards(position)
        side = self._side(position)
        return int(kernels.leaf_class(self.traits, self.work, *boards, side))

    def _node(self, position: Position) -> int:
        boards = kernel_boards(position)
        place = kernels.find_place(self._hold, *boards, self._side(position))
        return int(self._hold.places[place]) - 1

    def _side(self, position: Position) -> Any:
        return np.int64(HOLDER_MOVES if position.turn == self._holder else 0)
