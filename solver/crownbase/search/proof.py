"""Proving a position by a search that ends in moves and table values, never in an opinion.

Three workers take turns, each with twice the work in every round, until one of them knows:

1. the ordinary search: its win and loss scores are proofs, since every line of them ends in a won
   position, whatever the evaluation says elsewhere; good at shots;
2. can the side to move hold at least a draw (``hold``)? 3. can its opponent? If either cannot, the
   other side wins; if both can, the position is drawn.

Draw clocks and earlier positions of a game play no part.
"""

from __future__ import annotations

import time as clocks
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from crownbase.board import Move, Position
from crownbase.errors import MissingTableError, TooManyPiecesError
from crownbase.search import work as layout
from crownbase.search.holder import Holder, drawing_line
from crownbase.search.searcher import DEFAULT_TIME, MAX_DEPTH, Limits, Searcher, SearchRun
from crownbase.search.tables import TableView

if TYPE_CHECKING:
    from crownbase.probe import Tablebase

_FIRST_WORK = 20_000
"""Positions that each worker visits in the first round."""
_SEARCH_SHARE = 64
"""The ordinary search visits so many times more: it is some 30 times faster than the others."""
_CACHE_SHARE = 8
"""One part in so many of the memory is the transposition table's."""


@dataclass(frozen=True)
class Proof:
    """What is proven of a position, from the view of the side to move.

    Attributes:
        outcome: ``win``, ``draw``, ``loss`` or ``unknown``: the limit came first.
        lower, upper: what is proven anyway: the value lies in lower..upper, -1 = loss, 1 = win.
        size: positions of the proof, 0 = read from a table. Of an ordinary search's proof, the
            positions that its last iteration visited.
        nodes: positions visited in all.
        depth: plies of the deepest search.
        line: a line of the proof, up to a table or the end of the game.
        plies: an upper bound of the length of a win or loss, if there is one.
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
    """One proof in progress: bounds so far and what they cost."""

    def __init__(
        self, searcher: Searcher, position: Position, limits: Limits, memory: int, start: float
    ) -> None:
        self.searcher = searcher
        self.position = position
        self.limits = limits
        self.data = searcher.work.data
        self.run = SearchRun(searcher, position, limits, None, start, exact=False)
        self.holders = {
            "lower": Holder(searcher, position, True, memory // 2, self.run.must_stop),
            "upper": Holder(searcher, position, False, memory // 2, self.run.must_stop),
        }
        self.lower, self.upper = -1, 1
        self.sizes = {"lower": 0, "upper": 0}
        self.line: tuple[Move, ...] = ()
        self.plies: int | None = None
        self.depth = 0
        self.visited = 0

    def prove(self, on_round: Callable[[Proof], None] | None) -> Proof:
        """Work until the bounds meet or a limit comes."""
        work = _FIRST_WORK
        while self.lower < self.upper and not self._out_of_limits() and self._can_go_on():
            self._search(work * _SEARCH_SHARE)
            for name, holder in self.holders.items():
                if self.lower < self.upper and not self._out_of_limits():
                    self._hold(name, holder, work)
            if on_round is not None:
                on_round(self.result())
            work *= 2
        return self.result()

    def _can_go_on(self) -> bool:
        return self.depth < MAX_DEPTH or any(h.is_open for h in self.holders.values())

    def _out_of_limits(self) -> bool:
        limit = self.limits.nodes
        return bool(self.run.must_stop() or (limit is not None and self.nodes >= limit))

    @property
    def nodes(self) -> int:
        """Positions visited by all workers."""
        return self.visited + sum(holder.visited for holder in self.holders.values())

    def _search(self, work: int) -> None:
        """Deepen the ordinary search as far as the work allows."""
        if self.limits.nodes is not None:
            work = min(work, self.limits.nodes - self.nodes)
        self.data[layout.STOP] = self.data[layout.NODES] = 0
        self.data[layout.NODE_LIMIT] = max(work, 1)
        score = 0
        while self.depth < MAX_DEPTH:
            before = int(self.data[layout.NODES])
            found = self.run.iterate(self.depth + 1, score)
            if self.data[layout.STOP] or found is None:
                break
            score = found[0]
            self.depth += 1
            result = self.run.result(score, self.depth)
            if result.category is not None:
                bound = 1 if result.category == "win" else -1
                self.plies, self.line = result.plies, result.pv
                self._improve(bound, bound, int(self.data[layout.NODES]) - before)
                break
        self.visited += int(self.data[layout.NODES])
        self.data[layout.NODE_LIMIT] = 0

    def _hold(self, name: str, holder: Holder, work: int) -> None:
        """Go on with the question whether one side can hold."""
        if not holder.is_open:
            return
        self.data[layout.STOP] = 0
        holder.work_on(work)
        if holder.answer is None:
            return
        size = holder.proof_size()
        if not holder.answer:
            bound = -1 if name == "lower" else 1
            self.line = holder.line()
            self._improve(bound, bound, size)
        elif name == "lower":
            self._improve(0, self.upper, size)
        else:
            self._improve(self.lower, 0, size)
        if self.lower == self.upper == 0:
            self.line = drawing_line(self.holders["lower"], self.holders["upper"])

    def _improve(self, lower: int, upper: int, size: int) -> None:
        if lower > self.lower:
            self.lower, self.sizes["lower"] = lower, size
        if upper < self.upper:
            self.upper, self.sizes["upper"] = upper, size

    def result(self) -> Proof:
        """The proof as it stands."""
        settled = self.lower == self.upper
        outcome = ("loss", "draw", "win")[self.lower + 1] if settled else "unknown"
        return Proof(
            outcome=outcome,
            lower=self.lower,
            upper=self.upper,
            size=sum(self.sizes.values()) if outcome == "draw" else max(self.sizes.values()),
            nodes=self.nodes,
            depth=self.depth,
            line=self.line if settled else (),
            plies=self.plies if settled else None,
            seconds=clocks.perf_counter() - self.run.start,
            table_hits=int(self.data[layout.TABLE_HITS]),
        )


def prove(
    pos: Position,
    tablebase: Tablebase | TableView | None = None,
    time: float | None = None,
    nodes: int | None = None,
    *,
    stop: Callable[[], bool] | None = None,
    memory: int = 512 << 20,
    on_round: Callable[[Proof], None] | None = None,
) -> Proof:
    """Prove win, draw or loss of a position; ``unknown`` if a limit comes first.

    *time* in seconds, *nodes* in positions; without any limit 5 seconds. *stop* is polled and ends
    the proof once it returns True. *memory*: bytes, used only as the proof grows. *on_round* hears
    how far the proof has come.
    """
    cache = memory // _CACHE_SHARE
    searcher = Searcher(pos.rules, tablebase, clock_limit=0, memory=cache)
    start = clocks.perf_counter()
    at_once = _known_at_once(searcher, pos, start)
    if at_once is not None:
        return at_once
    searcher.warm_up()
    start = clocks.perf_counter()
    limits = Limits(time=time, nodes=nodes, stop=stop)
    if limits.is_endless and stop is None:
        limits = Limits(time=DEFAULT_TIME)
    searcher.set_root(pos, pos.legal_moves(), (), inside=False)
    return _Prover(searcher, pos, limits, memory - cache, start).prove(on_round)


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
