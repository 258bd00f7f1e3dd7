"""Proving a position by a search that ends in moves and table values, never in an opinion.

Three questions, each asked one ply deeper in turn until the answers meet or a limit comes:

1. Does either side win by force? The ordinary search: its win and loss scores are proofs, since
   every line of them ends in a won position, whatever the evaluation says elsewhere.
2. Can the side to move hold at least a draw?   3. Can its opponent?   Here every leaf without
   proof counts against the side that holds (``HOLDER``). Going round in a circle is enough to
   hold, but such a value rests on the position that is repeated: it is kept in the cache only
   where that position lies inside the proven subtree (``depends``), or it would be taken for a
   proof elsewhere (the graph history interaction problem; Kishimoto and Mueller 2004).

2 and 3 together prove a draw. Draw clocks and earlier positions of a game play no part.
"""

from __future__ import annotations

import time as clocks
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from crownbase.board import Move, Position
from crownbase.errors import MissingTableError, TooManyPiecesError
from crownbase.search import root as roots
from crownbase.search import work as layout
from crownbase.search.scores import INFINITE, PROVEN, plies_of
from crownbase.search.searcher import DEFAULT_TIME, MAX_DEPTH, Limits, Searcher, _Run
from crownbase.search.tables import TableView

if TYPE_CHECKING:
    from crownbase.probe import Tablebase


@dataclass(frozen=True)
class Proof:
    """What is proven of a position, from the view of the side to move.

    Attributes:
        outcome: ``win``, ``draw``, ``loss`` or ``unknown``: the limit came first.
        lower, upper: what is proven anyway: the value lies in lower..upper, -1 = loss, 1 = win.
        size: positions visited by the searches that closed the proof; 0 = read from a table.
        nodes: positions visited in all.
        depth: plies of the deepest search.
        line: a line of the proof, up to a table or the end of the game.
        plies: upper bound of the length of a win or loss whose end the moves alone decide.
        seconds, table_hits: time used, table values used.
    """

    outcome: str
    lower: int
    upper: int
    size: int
    nodes: int
    depth: int
    line: tuple[Move, ...]
    plies: int | None
    seconds: float
    table_hits: int


class _Prover:
    """The state of one proof: bounds so far and what they cost."""

    def __init__(self, searcher: Searcher, position: Position, limits: Limits) -> None:
        self.searcher = searcher
        self.position = position
        self.run = _Run(searcher, position, limits, None, clocks.perf_counter(), False)
        self.data = searcher.work.data
        self.lower, self.upper = -1, 1
        self.sizes = {"lower": 0, "upper": 0}
        self.line: tuple[Move, ...] = ()
        self.plies: int | None = None

    def ask(self, holder: int, depth: int) -> bool:
        """Search for one question; True if the search was finished, not stopped."""
        before = int(self.data[layout.NODES])
        self.data[layout.HOLDER] = holder
        # Null windows just below or above the draw: only the sign matters.
        alpha, beta = ((-INFINITE, INFINITE), (-1, 0), (0, 1))[holder]
        score = self.run._run_kernel(depth, alpha, beta)
        best = int(self.data[layout.ROOT_BEST])
        if self.data[layout.STOP]:
            return False
        if best > 0:
            roots.bring_to_front(self.searcher.work, best)
        size = int(self.data[layout.NODES]) - before
        if holder == 0 and abs(score) > PROVEN:
            bound = 1 if score > 0 else -1
            self._improve(bound, bound, size)
            self.plies = plies_of(score)
        elif holder == 1 and score >= 0:
            self._improve(0, self.upper, size)
        elif holder == 2 and score <= 0:
            self._improve(self.lower, 0, size)
        return True

    def _improve(self, lower: int, upper: int, size: int) -> None:
        if lower > self.lower:
            self.lower, self.sizes["lower"] = lower, size
        if upper < self.upper:
            self.upper, self.sizes["upper"] = upper, size
        if int(self.data[layout.LINES]):
            self.line = roots.read_line(self.searcher.work, self.position)

    def questions(self) -> list[int]:
        """What is still worth asking: win or loss first, then who can hold."""
        wanted = [0]
        if self.lower < 0:
            wanted.append(1)
        if self.upper > 0:
            wanted.append(2)
        return wanted

    def prove(self, max_depth: int, on_depth: Callable[[Proof], None] | None) -> Proof:
        """Deepen until the bounds meet or a limit comes."""
        depth = 0
        while self.lower < self.upper and depth < max_depth:
            depth += 1
            for holder in self.questions():
                if self.lower < self.upper and not self.ask(holder, depth):
                    return self.result(depth - 1)
            if on_depth is not None:
                on_depth(self.result(depth))
        return self.result(depth)

    def result(self, depth: int) -> Proof:
        """The proof as it stands."""
        settled = self.lower == self.upper
        outcome = ("loss", "draw", "win")[self.lower + 1] if settled else "unknown"
        return Proof(
            outcome=outcome,
            lower=self.lower,
            upper=self.upper,
            size=sum(self.sizes.values()) if outcome == "draw" else max(self.sizes.values()),
            nodes=int(self.data[layout.NODES]),
            depth=depth,
            line=self.line,
            plies=self.plies,
            seconds=clocks.perf_counter() - self.run.start,
            table_hits=int(self.data[layout.TABLE_HITS]),
        )


def prove(
    pos: Position,
    tablebase: Tablebase | TableView | None = None,
    depth: int | None = None,
    time: float | None = None,
    nodes: int | None = None,
    *,
    stop: Callable[[], bool] | None = None,
    memory: int = 64 << 20,
    on_depth: Callable[[Proof], None] | None = None,
) -> Proof:
    """Prove win, draw or loss of a position; ``unknown`` if a limit comes first.

    *depth* in plies, *time* in seconds, *nodes* in positions; without any limit 5 seconds. *stop*
    is polled and ends the proof once it returns True. *memory*: bytes of the transposition table.
    *on_depth* hears of every finished depth.
    """
    searcher = Searcher(pos.rules, tablebase, memory=memory)
    searcher.warm_up()
    start = clocks.perf_counter()
    at_once = _known_at_once(searcher, pos, start)
    if at_once is not None:
        return at_once
    limits = Limits(depth, time, nodes, stop)
    if limits.is_endless and stop is None:
        limits = Limits(time=DEFAULT_TIME)
    roots.write_root(searcher.work, pos, pos.legal_moves(), ())
    searcher.work.data[layout.CLOCK_LIMIT] = 0
    searcher._prepare(pos, pos.pieces)
    return _Prover(searcher, pos, limits).prove(min(depth or MAX_DEPTH, MAX_DEPTH), on_depth)


def _known_at_once(searcher: Searcher, pos: Position, start: float) -> Proof | None:
    """The proof of a finished game or of a table position."""
    if pos.is_lone_pieces_draw:
        value: int | None = 0
    elif not pos.legal_moves():
        value = -1
    else:
        value = searcher.look_up(pos)
    if value is None:
        return None
    line, plies = _table_line(searcher.tablebase, pos)
    seconds = clocks.perf_counter() - start
    outcome = ("loss", "draw", "win")[value + 1]
    return Proof(outcome, value, value, 0, 0, 0, line, plies, seconds, 0)


def _table_line(tablebase: Tablebase | None, pos: Position) -> tuple[tuple[Move, ...], int | None]:
    """Best play by both sides and its length, as far as the tables have distances."""
    if tablebase is None or pos.is_lone_pieces_draw:
        return (), None
    try:
        distance = tablebase.get_dtw(pos)
        if distance is None and tablebase.get_dtc(pos) is None:
            return (), None
        return tuple(tablebase.line(pos)), abs(distance) if distance else None
    except (MissingTableError, TooManyPiecesError):
        return (), None
