"""``Holder``: one side's attempt to hold a draw, from Python; the work is done in ``hold``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from crownbase.board import Move, Position
from crownbase.board.bits import signed
from crownbase.search import hold as kernels
from crownbase.search.hold import BYTES_PER_NODE, CHOICE, HOLDER_MOVES, NODE, REFUTED
from crownbase.search.watch import run_watched

if TYPE_CHECKING:
    from crownbase.search.searcher import Searcher

_MAX_CAPACITY = 1 << 24
_MAX_LINE = 200


class Holder:
    """Whether one side can hold at least a draw, worked on bit by bit.

    Args:
        searcher: whose rules, tables and counters are used; its tables must be prepared.
        position: the root.
        mover_holds: True = the side to move tries to hold, False = its opponent does.
        memory: bytes that may be used.
        must_stop: asked every few milliseconds.
    """

    def __init__(
        self,
        searcher: Searcher,
        position: Position,
        mover_holds: bool,
        memory: int,
        must_stop: Callable[[], bool],
    ) -> None:
        self.traits = searcher.rules.traits
        self.work = searcher.work
        self.position = position
        self.visited = 0
        self._must_stop = must_stop
        self._holder = position.turn if mover_holds else "WB".replace(position.turn, "")
        self._hold = kernels.make_hold(min(max(memory // BYTES_PER_NODE, 1000), _MAX_CAPACITY))
        boards = [np.int64(signed(board)) for board in position.boards]
        kernels.add_node(self._hold, *boards, self._side(position))

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
        """Look at up to *visits* more positions."""
        arguments = (self.traits, self.work, self._hold, np.int64(visits))
        self.visited += int(run_watched(kernels.settle_hold, arguments, self._must_stop, self.work))

    def proof_size(self) -> int:
        """Positions of the proof; only once, when there is an answer."""
        return int(kernels.proof_size(self.traits, self.work, self._hold))

    def line(self) -> tuple[Move, ...]:
        """A line of the proof: until tables tell, the game ends or a position comes again."""
        here = self.position
        line: list[Move] = []
        seen: set[Position] = set()
        while here not in seen and len(line) < _MAX_LINE:
            seen.add(here)
            move = self._next(here)
            if move is None:
                break
            line.append(move)
            here = here.play(move)
        return tuple(line)

    def choice(self, position: Position) -> Move | None:
        """How the holder, who is to move and can hold, holds here; None beyond the proof."""
        if self._leaf(position) or self._node(position) < 0:
            return None
        return self._next(position)

    def _next(self, position: Position) -> Move | None:
        """The attacker's best attack, or the holder's choice or longest resistance."""
        refuted = self._hold.nodes[REFUTED] != 0
        ranked = []
        for move in position.legal_moves():
            child = position.play(move)
            leaf = self._leaf(child)
            node = -1 if leaf else self._node(child)
            if not leaf and node < 0:
                continue
            if refuted:
                # A lost table position ends the line at once for the attacker.
                order = 0 if leaf < 0 else self._word(node, REFUTED) if not leaf else -1
                if order > 0 or leaf < 0:
                    ranked.append((order, move))
            elif position.turn == self._holder:
                choice = self._word(self._node(position), CHOICE)
                if node == choice or (choice < 0 and leaf > 0):
                    ranked.append((0, move))
            else:
                ranked.append((1 if leaf else 0, move))
        if not ranked:
            return None
        best = max if refuted and position.turn == self._holder else min
        return best(ranked, key=lambda entry: entry[0])[1]

    def _leaf(self, position: Position) -> int:
        boards = [np.int64(signed(board)) for board in position.boards]
        side = self._side(position)
        return int(kernels.leaf_class(self.traits, self.work, *boards, side))

    def _node(self, position: Position) -> int:
        boards = [np.int64(signed(board)) for board in position.boards]
        place = kernels.find_place(self._hold, *boards, self._side(position))
        return int(self._hold.places[place]) - 1

    def _word(self, node: int, word: int) -> int:
        return int(self._hold.nodes[node * NODE + word])

    def _side(self, position: Position) -> Any:
        return np.int64(HOLDER_MOVES if position.turn == self._holder else 0)


def drawing_line(first: Holder, second: Holder) -> tuple[Move, ...]:
    """The line in which both sides hold: *first* is the holder whose side moves at the root."""
    here = first.position
    line: list[Move] = []
    seen: set[Position] = set()
    while here not in seen and len(line) < _MAX_LINE:
        seen.add(here)
        move = (second if len(line) % 2 else first).choice(here)
        if move is None:
            break
        line.append(move)
        here = here.play(move)
    return tuple(line)
