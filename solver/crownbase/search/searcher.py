"""Searching from Python: limits, iterative deepening, and what comes out.

A ``Searcher`` keeps its memory between calls, as a player does during a game; ``search`` is the
one-call form. The kernel runs in a thread of its own without the interpreter lock, so that time,
a callback and Ctrl-C can stop it within some milliseconds.
"""

from __future__ import annotations

import time as clocks
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from crownbase.board import Move, Position
from crownbase.index import Material
from crownbase.jit import INTERPRETED
from crownbase.probe.class_clocks import drawn_after
from crownbase.rules import Rules
from crownbase.search import root as roots
from crownbase.search import work as layout
from crownbase.search.node import search_root
from crownbase.search.scores import (
    INFINITE,
    PROVEN,
    category_of,
    in_men,
    known_in_men,
    plies_of,
)
from crownbase.search.tables import DEFAULT_MEMORY, TableView, view_of
from crownbase.search.watch import run_watched

if TYPE_CHECKING:
    from crownbase.probe import Tablebase

DEFAULT_TIME = 5.0
"""Seconds of a search that was given no limit at all."""
DEFAULT_HASH = 16 << 20
"""Bytes of a searcher's transposition table unless told otherwise."""
MAX_DEPTH = layout.MAX_PLY - 10
_LOADING_SHARE = 0.25
"""Part of a search's time that reading tables may take; what is not read by then comes later."""
_WINDOW = 40
_ENDLESS = 1 << 62
"""More positions than any search will visit, which a kernel can still count."""


@dataclass(frozen=True)
class SearchResult:
    """What a search found; everything from the view of the side to move.

    Attributes:
        score: men. A proven win in p plies is ``100 - p/100``, a table win reached after p plies
            whose length no table tells ``90 - p/100``, a win that a table promises but the search
            cannot reach yet 87 to 89; losses are negative, 0 is a draw.
        category: ``win``, ``draw`` or ``loss`` if proven by moves and tables (draw clocks and
            earlier repetitions aside), else None.
        move: the best move, None if the game is over here.
        pv: the best line found, starting with ``move``.
        nodes: positions visited.
        depth: plies of the last finished iteration.
        seconds: time used.
        table_hits: table values used inside the search.
        plies: length of a proven win or loss where it is known, else None.
        move_scores: score of every root move; only if exact scores were asked for.
    """

    score: float
    category: str | None
    move: Move | None
    pv: tuple[Move, ...]
    nodes: int = 0
    depth: int = 0
    seconds: float = 0.0
    table_hits: int = 0
    plies: int | None = None
    move_scores: tuple[tuple[Move, float], ...] = ()


@dataclass(frozen=True)
class Limits:
    """When to stop; None = no limit of this kind. ``stop`` is polled every 10 ms."""

    depth: int | None = None
    time: float | None = None
    nodes: int | None = None
    stop: Callable[[], bool] | None = None

    @property
    def is_endless(self) -> bool:
        """Whether nothing but the greatest depth would end the search."""
        return self.depth is None and self.time is None and self.nodes is None


class Searcher:
    """A search with its memory, for one rule set. Not for use by two threads at once.

    *clock_limit*: plies without a conversion after which the game is drawn; None = as the rule set
    has it, 0 = never. *memory*: bytes of the transposition table. *compiled*: False runs the kernel
    as plain Python, a hundred times slower, but at once in a new process. *load_tables*: whether a
    search reads the slices it may reach before it starts, or takes what its view has by then.
    *table_memory*: bytes of table values, two bits a position, that may be held in memory.
    """

    def __init__(
        self,
        rules: Rules,
        tablebase: Tablebase | TableView | None = None,
        *,
        clock_limit: int | None = None,
        memory: int = DEFAULT_HASH,
        compiled: bool = not INTERPRETED,
        load_tables: bool = True,
        table_memory: int = DEFAULT_MEMORY,
    ) -> None:
        rules.check_has_tables()
        self.rules = rules
        self.tablebase = None if isinstance(tablebase, TableView) else tablebase
        self.view = view_of(tablebase, rules, table_memory)
        self.load_tables = load_tables
        self.work = layout.make_work(max(8, (memory // 32).bit_length() - 1), not compiled)
        self._weighs_draws = clock_limit is None
        limit = rules.quiet_limit if clock_limit is None else clock_limit
        self.work.data[layout.CLOCK_LIMIT] = limit or 0
        self.work.data[layout.INNER] = roots.inner_squares(rules)

    def clear(self) -> None:
        """Forget all that earlier searches left behind."""
        layout.clear_cache(self.work)

    def warm_up(self) -> None:
        """Load or compile the kernel, so that no search pays for it; at once if it is there."""
        if not isinstance(self.work.data, list):
            self.work.data[layout.ROOT_MOVES] = 0
            search_root(self.rules.traits, self.work, *[np.int64(0)] * 4)

    def search(
        self,
        position: Position,
        limits: Limits,
        history: Sequence[Position] = (),
        *,
        moves: Sequence[Move] | None = None,
        exact: bool = False,
        on_depth: Callable[[SearchResult], None] | None = None,
    ) -> SearchResult:
        """Search *position*. *history*: the earlier positions of the game, oldest first.

        *moves* restricts the root; by default a root inside the tables keeps the moves that
        preserve its value. *exact* gives every root move a score of its own. *on_depth* hears of
        every finished iteration. KeyboardInterrupt stops the search and is raised again.
        """
        self.warm_up()
        start = clocks.perf_counter()
        legal = position.legal_moves()
        if position.is_lone_pieces_draw:
            return SearchResult(0.0, "draw", None, ())
        if not legal:
            return SearchResult(-100.0, "loss", None, (), plies=0)
        enough = _end_of_loading(limits, start)
        known = self.look_up(position)
        if moves is None:
            moves = roots.preserving_moves(self.tablebase, self.view, position, known)
        self.set_root(position, moves or legal, history, known is not None, enough)
        run = SearchRun(self, position, limits, known, start, exact)
        return run.deepen(on_depth)

    def look_up(self, position: Position) -> int | None:
        """The tables' WDL of a position, None if they do not tell."""
        if self.tablebase is None and self.view is not None:
            material = Material.of(*position.boards)
            if not self.view.tried(material):
                self.view.load(material, position.pieces)
        return roots.look_up(self.tablebase, self.view, position)

    def set_root(
        self,
        position: Position,
        moves: Sequence[Move],
        history: Sequence[Position],
        inside: bool,
        enough: Callable[[], bool] | None = None,
    ) -> None:
        """Make *position* the root, with its moves; *inside*: the tables know its value.

        Tables that it can reach are read first, until *enough* returns True.
        """
        roots.write_root(self.work, position, moves, history)
        left = drawn_after(position, history) if self._weighs_draws else None
        self.work.data[layout.DRAWN_AT] = min(left or 0, layout.MAX_PLY)
        # Inside the tables, values of the same size would only say what is known already.
        most = position.pieces - 1 if inside else position.pieces
        limit = 0
        if self.view is not None:
            if self.load_tables:
                self.view.load(Material.of(*position.boards), most, enough)
            limit = self.view.prepare(self.work, most)
        self.work.data[layout.TABLE_PIECES] = limit


def _end_of_loading(limits: Limits, start: float) -> Callable[[], bool] | None:
    """When a search that began at *start* no longer waits for tables; None = never.

    A search without a limit of time gives the same answer each time, so it has all its tables.
    """
    if limits.time is None:
        return limits.stop
    until = start + limits.time * _LOADING_SHARE
    stop = limits.stop

    def enough() -> bool:
        return clocks.perf_counter() >= until or (stop is not None and stop())

    return enough


class SearchRun:
    """One search in progress."""

    def __init__(
        self,
        searcher: Searcher,
        position: Position,
        limits: Limits,
        known: int | None,
        start: float,
        exact: bool,
    ) -> None:
        self.rules = searcher.rules
        self.work = searcher.work
        self.position = position
        self.limits = limits if not limits.is_endless or limits.stop else Limits(time=DEFAULT_TIME)
        self.known = known
        self.start = start
        self.exact = exact
        data = self.work.data
        data[layout.ROOT_EXACT] = int(exact)
        data[layout.NODES] = data[layout.TABLE_HITS] = data[layout.STOP] = 0
        data[layout.NODE_LIMIT] = min(self.limits.nodes or 0, _ENDLESS)
        data[layout.GENERATION] = (data[layout.GENERATION] + 1) & 0xFF

    def deepen(self, on_depth: Callable[[SearchResult], None] | None) -> SearchResult:
        """Search one ply deeper at a time until a limit or the truth is reached."""
        first = roots.root_move(self.work, self.position, 0)
        result = SearchResult(0.0, None, first, (first,))
        last = min(self.limits.depth or MAX_DEPTH, MAX_DEPTH)
        score = 0
        for depth in range(1, last + 1):
            found = self.iterate(depth, score)
            if found is None:
                result = self._timed(result)
                break
            score, finished = found
            result = self.result(score, depth if finished else result.depth)
            if finished and on_depth is not None:
                on_depth(result)
            if not finished or self._is_settled(score, depth):
                break
        return result

    def _is_settled(self, score: int, depth: int) -> bool:
        """Whether more depth cannot change the choice."""
        if self.exact:
            return False
        only_move = self.work.data[layout.ROOT_MOVES] == 1
        if only_move and depth >= 6 and self.limits.depth is None and self.limits.nodes is None:
            return True
        return abs(score) > PROVEN

    def iterate(self, depth: int, guess: int) -> tuple[int, bool] | None:
        """(score, whether the iteration was finished); None if it found nothing at all."""
        alpha, beta = -INFINITE, INFINITE
        if depth >= 5 and not self.exact and abs(guess) < PROVEN:
            alpha, beta = guess - _WINDOW, guess + _WINDOW
        while True:
            score = self._run_kernel(depth, alpha, beta)
            stopped = bool(self.work.data[layout.STOP])
            best = int(self.work.data[layout.ROOT_BEST])
            if best >= 0 and (score > alpha or not stopped):
                roots.bring_to_front(self.work, best)
            if stopped:
                return (score, False) if best >= 0 and score > alpha else None
            if alpha < score < beta:
                return score, True
            if score <= alpha:
                alpha = -INFINITE
            else:
                beta = INFINITE

    def _run_kernel(self, depth: int, alpha: int, beta: int) -> int:
        plain = isinstance(self.work.data, list)
        kernel: Any = search_root.plain if plain else search_root
        traits = self.rules.traits.plain if plain else self.rules.traits
        # The kernel calls itself: a literal among the arguments would spoil its cached form.
        numbers = [x if plain else np.int64(x) for x in (0, depth, alpha, beta)]
        arguments = (traits, self.work, *numbers)
        return int(run_watched(kernel, arguments, self.must_stop, self.work.data, layout.STOP))

    def must_stop(self) -> bool:
        """Whether time is up or the callback says so."""
        limits = self.limits
        if limits.time is not None and clocks.perf_counter() - self.start >= limits.time:
            return True
        return limits.stop is not None and limits.stop()

    def _timed(self, result: SearchResult) -> SearchResult:
        return self._fill(result.score, result.category, result.pv, result.depth, result.plies)

    def result(self, score: int, depth: int) -> SearchResult:
        """What the search has found, *score* being the last one."""
        category = category_of(score)
        men = in_men(score)
        if self.known is not None:
            category = ("loss", "draw", "win")[self.known + 1]
            men = known_in_men(self.known, score)
        pv = roots.read_line(self.work, self.position)
        return self._fill(men, category, pv, depth, plies_of(score))

    def _fill(
        self,
        score: float,
        category: str | None,
        pv: tuple[Move, ...],
        depth: int,
        plies: int | None,
    ) -> SearchResult:
        data = self.work.data
        scores: tuple[tuple[Move, float], ...] = ()
        if self.exact:
            scores = tuple(
                (
                    roots.root_move(self.work, self.position, i),
                    in_men(int(data[layout.ORDER + i])),
                )
                for i in range(int(data[layout.ROOT_MOVES]))
            )
        return SearchResult(
            score=score,
            category=category,
            move=pv[0] if pv else None,
            pv=pv,
            nodes=int(data[layout.NODES]),
            depth=depth,
            seconds=clocks.perf_counter() - self.start,
            table_hits=int(data[layout.TABLE_HITS]),
            plies=plies,
            move_scores=scores,
        )


def search(
    pos: Position,
    tablebase: Tablebase | TableView | None = None,
    depth: int | None = None,
    time: float | None = None,
    nodes: int | None = None,
    history: Sequence[Position] = (),
    *,
    stop: Callable[[], bool] | None = None,
    clock_limit: int | None = None,
) -> SearchResult:
    """Search a position, with the tables as exact bounds where there are some.

    *depth* in plies, *time* in seconds, *nodes* in positions; the first limit reached ends the
    search, and so does *stop* once it returns True. Without any limit: 5 seconds. *history*:
    earlier positions of the game, oldest first, for repetitions. *clock_limit*: plies without a
    conversion after which the game is drawn; None = as the rule set has it, 0 = never.

    >>> str(cb.search(pos, tablebase=tb, depth=3).move)
    '23-18'
    """
    searcher = Searcher(pos.rules, tablebase, clock_limit=clock_limit)
    return searcher.search(pos, Limits(depth, time, nodes, stop), history)
