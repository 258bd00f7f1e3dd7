"""Getting the search ready in the background, and answering while it is not.

The first search of a rule set on a machine compiles its kernel, which takes longer than most
questions may. A ``Loader`` does that in a thread, and reads the tables that the search can use in
another; until the kernel is there, the same source runs as plain Python: a hundred times slower
and so some plies less deep, but as right. The Hub engine, ``Player`` and ``search_at_once`` all
work like this.
"""

from __future__ import annotations

import dataclasses
import threading
import time as clocks
from collections.abc import Callable
from typing import TYPE_CHECKING

from crownbase.board import Position
from crownbase.compiling import is_compiling
from crownbase.errors import ClosedTablebaseError, CrownbaseError
from crownbase.index import Material
from crownbase.jit import INTERPRETED
from crownbase.rules import Rules
from crownbase.search.searcher import DEFAULT_HASH, DEFAULT_TIME, Limits, Searcher, SearchResult
from crownbase.search.tables import DEFAULT_MEMORY, view_of
from crownbase.search.watch import POLL

if TYPE_CHECKING:
    from crownbase.probe import Tablebase

PLAIN_MEMORY = 1 << 20
"""Bytes of the transposition table of a search in plain Python, which fills no more."""


class Loader:
    """Loads the search of one rule set: the kernel in one thread, the tables in another.

    Args:
        rules: the rule set.
        tables: whose slices are read, all that a game may come to; None = none.
        table_memory: as in ``Searcher``.
        compiled: False leaves the kernel alone, as where Python is to interpret everything.
        on_trouble: hears, in another thread, of tables that cannot be read.
    """

    def __init__(
        self,
        rules: Rules,
        tables: Tablebase | None = None,
        *,
        table_memory: int = DEFAULT_MEMORY,
        compiled: bool = True,
        on_trouble: Callable[[Exception], None] | None = None,
    ) -> None:
        self.rules = rules
        self._on_trouble = on_trouble
        self.compiled = compiled and not INTERPRETED
        self._tables = tables
        self._table_memory = table_memory
        self._loaded = False
        self._kernel_done = threading.Event()

    def start(self) -> Loader:
        """Begin to load."""
        for work in (self._load_kernel, self._load_tables):
            threading.Thread(target=work, name="crownbase-load", daemon=True).start()
        return self

    @property
    def kernel_ready(self) -> bool:
        """Whether a compiled search would begin at once."""
        return self._loaded

    @property
    def is_compiling(self) -> bool:
        """Whether the kernel is still to come, so that plain Python answers."""
        return self.compiled and not self._kernel_done.is_set()

    def _load_kernel(self) -> None:
        """Take the kernel from the cache, or compile it."""
        try:
            if self.compiled:
                Searcher(self.rules, memory=1 << 14).warm_up()
                self._loaded = True
        finally:
            self._kernel_done.set()

    def _load_tables(self) -> None:
        """Read the slices that a game may come to."""
        try:
            view = view_of(self._tables, self.rules, self._table_memory)
            if view is not None and self._tables is not None:
                start = Position.start(self.rules)
                view.load(Material.of(*start.boards), self._tables.max_pieces)
        except ClosedTablebaseError:
            pass  # other tables are wanted meanwhile
        except (CrownbaseError, OSError, MemoryError, ValueError) as error:
            if self._on_trouble is not None:
                self._on_trouble(error)

    def join(self, seconds: float | None = None) -> bool:
        """Wait until the kernel is ready, compiled if need be, for *seconds* at most."""
        self._kernel_done.wait(seconds)
        return self.kernel_ready

    def wait_for_cache(self) -> bool:
        """Wait until the kernel is ready, or turns out to need a compiler; whether it is ready."""
        while not (self._kernel_done.wait(POLL) or is_compiling()):
            pass
        return self.kernel_ready


def search_at_once(
    pos: Position,
    tablebase: Tablebase | None = None,
    depth: int | None = None,
    time: float | None = None,
    nodes: int | None = None,
    *,
    clock_limit: int | None = None,
    loader: Loader | None = None,
) -> SearchResult:
    """``search`` for callers who would rather have an answer in time than wait for a compiler.

    With a limit of time (5 seconds if there is no limit at all) a kernel that must be compiled is
    not waited for: plain Python searches until it is ready or the time is over. Without one, the
    search waits for it. *loader*: one that has been started already.
    """
    limits = Limits(depth, time, nodes)
    if limits.is_endless:
        limits = Limits(time=DEFAULT_TIME)
    begun = clocks.perf_counter()
    loader = loader or Loader(pos.rules).start()

    def search(seconds: float | None, stop: Callable[[], bool] | None = None) -> SearchResult:
        """With what is there now; *stop* is for a search in plain Python."""
        compiled = stop is None and loader.compiled and not loader.is_compiling
        memory = DEFAULT_HASH if compiled else PLAIN_MEMORY
        searcher = Searcher(
            pos.rules,
            tablebase,
            clock_limit=clock_limit,
            memory=memory,
            compiled=compiled,
        )
        return searcher.search(pos, Limits(limits.depth, seconds, limits.nodes, stop))

    if limits.time is None:
        loader.join()
        return search(None)
    if loader.wait_for_cache() or not loader.is_compiling:
        return search(limits.time)

    def left(least: float) -> float:
        return max(least, begun + float(limits.time or 0.0) - clocks.perf_counter())

    found = search(left(limits.time / 2), lambda: loader.kernel_ready)
    if loader.kernel_ready and found.category is None and left(0.0):
        deeper = search(left(0.0))
        if deeper.category or deeper.depth >= found.depth:
            found = deeper
    return dataclasses.replace(found, seconds=clocks.perf_counter() - begun)
