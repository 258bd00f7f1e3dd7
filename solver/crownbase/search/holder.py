"""``Holder``: one side's attempt to hold a draw, from Python; the work is done in ``hold``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from crownbase.board import Move, Position
from crownbase.board.bits import signed
from crownbase.search import hold as kernels
from crownbase.search.hold import BYTES_PER_NODE, CHOICE, HOLDER_MOVES, NODE, REFUTED
from crownbase.search.hold_size import proof_size
from crownbase.search.watch import run_watched
from crownbase.search.work import Work

if TYPE_CHECKING:
    from crownbase.search.searcher import Searcher

_MAX_CAPACITY = 1 << 24


class Holder:
    """Whether one side can hold at least a draw, worked on bit by bit.

    Args:
        searcher: whose rules and tables are used; its tables must be prepared.
        work: frames and cache for the searches; may be shared with others that take turns.
        position: the root.
        mover_holds: True = the side to move tries to hold, False = its opponent does.
        memory: bytes that may be used.
        must_stop: asked every few milliseconds.
    """

    def __init__(
        self,
        searcher: Searcher,
        work: Work,
        position: Position,
        mover_holds: bool,
        memory: int,
        must_stop: Callable[[], bool],
    ) -> None:
        self.traits = searcher.rules.traits
        self.work = work
        self.position = position
        self.visited = 0
        self._must_stop = must_stop
        self._holder = position.turn if mover_holds else "WB".replace(position.turn, "")
        self._capacity = min(max(memory // BYTES_PER_NODE, 1000), _MAX_CAPACITY)
        self.begin(0, 0)

    def begin(self, depth: int, most: int) -> None:
        """Start anew; positions are searched *depth* plies deep, each visiting at most *most*.

        What those searches find out is kept. At first, positions are not searched at all.
        """
        self._hold = kernels.make_hold(self._capacity)
        self._hold.control[kernels.DEPTH] = depth
        self._hold.control[kernels.MOST] = most
        boards = [np.int64(signed(board)) for board in self.position.boards]
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
        self.visited += int(run_watched(kernels.settle_hold, arguments, self._must_stop, self.work))

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
        boards = [np.int64(signed(board)) for board in position.boards]
        side = self._side(position)
        return int(kernels.leaf_class(self.traits, self.work, *boards, side))

    def _node(self, position: Position) -> int:
        boards = [np.int64(signed(board)) for board in position.boards]
        place = kernels.find_place(self._hold, *boards, self._side(position))
        return int(self._hold.places[place]) - 1

    def _side(self, position: Position) -> Any:
        return np.int64(HOLDER_MOVES if position.turn == self._holder else 0)
