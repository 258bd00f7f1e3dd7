"""Solving on the way: what a root can lead to, by retrograde analysis, inside a proof.

Between searches a proof solves groups of men from the fewest pieces up (`retro.rows.ReachSolver`)
and the searches end in what is solved as they end in tables. It is kept with the tablebase, so
later proofs of the same process start with it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from crownbase.board import Position
from crownbase.retro.rows import ReachSolver, can_reach
from crownbase.search.tables import TableView
from crownbase.search.work import SOLVED_PIECES, Work

if TYPE_CHECKING:
    from crownbase.probe import Tablebase

POSITIONS_A_SECOND = 120_000_000
"""What a core solves at least, roughly; half as much with flying kings."""


def solver_for(
    position: Position, owner: Tablebase | TableView | None, memory: int
) -> ReachSolver | None:
    """A solver for a root, None if there is none for its rules, size, memory or system.

    *owner*: what the solver is kept with; None = it is a new one.
    """
    if memory <= 0 or not can_reach(position.rules, position.boards):
        return None
    kept = _solvers.get(owner) if owner is not None else None
    if kept is None:
        try:
            kept = ReachSolver(position.rules, memory)
        except OSError:
            return None
        if owner is not None:
            _solvers[owner] = kept
    kept.memory = memory
    return kept


_solvers: WeakKeyDictionary[Tablebase | TableView, ReachSolver] = WeakKeyDictionary()


class Solving:
    """A solver at work for one root.

    *works*: searches that may end in what is solved; `attach` gives them the solver's context.
    """

    def __init__(self, solver: ReachSolver, position: Position) -> None:
        self._solver = solver
        self._position = position
        self._works: list[Work] = []
        solver.warm_up()
        solver.aim(position.boards)

    def attach(self, work: Work) -> Work:
        """The same work, reading what is solved."""
        attached = work._replace(solved=self._solver.context.address)
        self._works.append(attached)
        self._tell()
        return attached

    def _tell(self) -> None:
        for work in self._works:
            work.data[SOLVED_PIECES] = self._solver.pieces

    @property
    def solved(self) -> int:
        """Positions solved for this root."""
        return self._solver.solved

    def value(self, position: Position) -> int | None:
        """WDL of a position, None if it is not solved."""
        if position.pieces > self._solver.pieces:
            return None
        return self._solver.value(position.boards)

    def seconds_left(self) -> float:
        """How long it will take to solve the root, at most and roughly; endless if it cannot be."""
        return self._solver.left() / POSITIONS_A_SECOND if self.is_open else float("inf")

    @property
    def is_below(self) -> bool:
        """Whether what is solved next has fewer pieces than the root."""
        return 0 < self._solver.next_pieces < self._position.pieces

    @property
    def is_open(self) -> bool:
        """Whether there is more to solve, and memory for it."""
        return not (self._solver.is_done or self._solver.is_full)

    @property
    def answer(self) -> int | None:
        """WDL of the root, None as long as it is not solved."""
        return self.value(self._position)

    def work_on(self, positions: int, seconds: float, must_stop: Callable[[], bool]) -> None:
        """Solve about so many positions more, and nothing that takes longer than *seconds*."""
        until = self._solver.solved + positions
        limit = int(min(seconds, 1e6) * POSITIONS_A_SECOND)
        while self._solver.solved < until and not must_stop():
            if self._solver.work_on(limit) == 0:
                break
        self._tell()
