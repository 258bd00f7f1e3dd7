"""Solving on the way: what a root can lead to, by retrograde analysis, inside a proof.

Between searches a proof solves groups of men from the fewest pieces up (`retro.rows.ReachSolver`)
and the searches end in what is solved as they end in tables. It is kept with the tablebase, so
later proofs of the same process start with it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from crownbase.board import Position
from crownbase.compiling import working_time
from crownbase.retro.rows import ReachSolver, can_reach
from crownbase.search.tables import TableView
from crownbase.search.watch import run_watched
from crownbase.search.work import SOLVED_PIECES, Work

if TYPE_CHECKING:
    from crownbase.probe import Tablebase

_RATE, _FLYING_RATE = 150_000_000, 30_000_000
"""Positions that a core solves in a second, until it is known better; with flying kings."""
_SURE = 0.5
"""A group is begun if it takes so much of the time left, by that rate."""
_MEASURED = 0.5
"""Seconds of solving after which it is."""


@contextlib.contextmanager
def solving_for(
    position: Position, owner: Tablebase | TableView | None, memory: int
) -> Iterator[Solving | None]:
    """A solver at work for a root, None if its rules, size, memory or system do not allow it.

    *owner*: what the solver is kept with between proofs. Of several proofs at the same time each
    has its own, and the one that ends last is kept.
    """
    if memory <= 0 or not can_reach(position.rules, position.boards):
        yield None
        return
    solver = _solvers.pop(owner, None) if owner is not None else None
    try:
        if solver is None or solver.rules != position.rules:
            solver = ReachSolver(position.rules, memory)
    except OSError:
        yield None
        return
    solver.memory = memory
    try:
        yield Solving(solver, position, is_kept=owner is not None)
    finally:
        if owner is not None:
            _solvers[owner] = solver


_solvers: WeakKeyDictionary[Tablebase | TableView, ReachSolver] = WeakKeyDictionary()


class Solving:
    """A solver at work for one root; `attach` lets searches of one thread end in what is solved.

    *is_kept*: what is solved will serve later proofs, too.
    """

    def __init__(self, solver: ReachSolver, position: Position, is_kept: bool) -> None:
        self.is_kept = is_kept
        self._solver = solver
        self._position = position
        self._works: list[Work] = []
        self._context = solver.new_context()
        self._rate = float(_FLYING_RATE if position.rules.flying_kings else _RATE)
        self._seconds = 0.0
        solver.warm_up()
        solver.aim(position.boards)

    def attach(self, work: Work) -> Work:
        """The same work, reading what is solved."""
        attached = work._replace(solved=self._context.address)
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

    def seconds_left(self, below: bool = False) -> float:
        """How long it will take to solve the root, at most and roughly; endless if it cannot be.

        *below*: or only what has fewer pieces.
        """
        pieces = self._position.pieces - int(below)
        return self._solver.left(pieces) / self._rate if self.is_open else float("inf")

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
        """Solve about so many positions more, and nothing that takes longer than *seconds*.

        A group that *must_stop* or an exception comes in is given up at once, as if not begun.
        """
        solver = self._solver
        until = solver.solved + positions
        start = working_time()  # the pace is that of solving, not of a compiler
        limit = int(min(seconds, 1e6) * self._rate * _SURE)

        def work() -> None:
            while solver.solved < until and not solver.is_stopped:
                if solver.work_on(limit) == 0:
                    break

        flags, slot = solver.stop_word
        try:
            if not must_stop():
                run_watched(work, (), must_stop, flags, slot)
        finally:
            flags[slot] = 0
        self._seconds += working_time() - start
        if self._seconds > _MEASURED:
            self._rate = max(1.0, self._solver.solved / self._seconds)
        self._tell()
