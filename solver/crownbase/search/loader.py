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
from crownbase.errors import CrownbaseError
from crownbase.index import Material
from crownbase.jit import INTERPRETED
from crownbase.rules import Rules
from crownbase.search.searcher import DEFAULT_HASH, DEFAULT_TIME, Limits, Searcher, SearchResult
from crownbase.search.tables import DEFAULT_MEMORY, view_of

if TYPE_CHECKING:
    from crownbase.probe import Tablebase

POLL = 0.01
"""Seconds between two looks at what the thread has got ready."""
PLAIN_MEMORY = 1 << 20
"""Bytes of the transposition table of a search in plain Python, which fills no more."""


class Loader:
    """Loads the search of one rule set: the kernel in one thread, the tables in another.

    Args:
        rules: the rule set.
        tables: whose slices a search may use, None = none.
        root: where searches begin; slices that play from there can reach are read. The start of
            the game if None.
        table_memory: as in ``Searcher``.
        compiled: False leaves the kernel alone, as where Python is to interpret everything.
    """

    def __init__(
        self,
        rules: Rules,
        tables: Tablebase | None = None,
        root: Position | None = None,
        *,
        table_memory: int = DEFAULT_MEMORY,
        compiled: bool = True,
    ) -> None:
        self.rules = rules
        self.compiled = compiled and not INTERPRETED
        self._tables = tables
        self._root = root or Position.start(rules)
        self._table_memory = table_memory
        self._failed = False
        self._kernel_done = threading.Event()
        self._tables_done = threading.Event()

    def start(self) -> Loader:
        """Begin to load."""
        for work, done in (
            (self.load_kernel, self._kernel_done),
            (self.load_tables, self._tables_done),
        ):
            threading.Thread(
                target=self._run, args=(work, done), name="crownbase-load", daemon=True
            ).start()
        return self

    @property
    def kernel_ready(self) -> bool:
        """Whether a compiled search would begin at once."""
        return self.compiled and self._kernel_done.is_set() and not self._failed

    @property
    def is_compiling(self) -> bool:
        """Whether the kernel is still to come, so that plain Python answers."""
        return self.compiled and not self._kernel_done.is_set()

    def load_kernel(self) -> None:
        """Take the kernel from the cache, or compile it."""
        if self.compiled:
            self._failed = True
            Searcher(self.rules, memory=1 << 14).warm_up()
            self._failed = False

    def load_tables(self) -> None:
        """Read the slices that may be reached."""
        view = view_of(self._tables, self.rules, self._table_memory)
        if view is not None and self._tables is not None:
            most = min(self._tables.max_pieces, self._root.pieces)
            view.load(Material.of(*self._root.boards), most)

    def _run(self, work: Callable[[], None], done: threading.Event) -> None:
        try:
            work()
        except (CrownbaseError, OSError, MemoryError, ValueError):
            pass  # it fails again, and is told, where it is needed
        finally:
            done.set()

    def join(self, seconds: float | None = None) -> bool:
        """Wait until the kernel is ready, compiled if need be, for *seconds* at most."""
        self._kernel_done.wait(seconds)
        return self.kernel_ready

    def wait_for_cache(self) -> bool:
        """Wait until the kernel is ready, or turns out to need a compiler; whether it is ready."""
        while not (self._kernel_done.wait(POLL) or is_compiling()):
            pass
        return self.kernel_ready

    def wait_for_tables(self, seconds: float | None) -> None:
        """Wait until the tables are read, for *seconds* at most."""
        self._tables_done.wait(seconds)


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
    search begins when all is loaded. *loader*: one that has been started already.
    """
    limits = Limits(depth, time, nodes)
    if limits.is_endless:
        limits = Limits(time=DEFAULT_TIME)
    begun = clocks.perf_counter()
    loader = loader or Loader(pos.rules, tablebase, pos).start()

    def search(seconds: float | None, stop: Callable[[], bool] | None = None) -> SearchResult:
        """With what is there now; *stop* is for a search in plain Python."""
        loader.wait_for_tables(seconds and seconds / 2)
        compiled = loader.kernel_ready and stop is None
        memory = DEFAULT_HASH if compiled else PLAIN_MEMORY
        searcher = Searcher(
            pos.rules,
            tablebase,
            clock_limit=clock_limit,
            memory=memory,
            compiled=compiled,
            load_tables=False,
        )
        return searcher.search(pos, Limits(limits.depth, seconds, limits.nodes, stop))

    if limits.time is None:
        loader.join()
        return search(None)
    if loader.wait_for_cache() or not loader.compiled:
        return search(limits.time)

    def left(least: float) -> float:
        return max(least, begun + float(limits.time or 0.0) - clocks.perf_counter())

    found = search(left(limits.time / 2), lambda: loader.kernel_ready)
    if loader.kernel_ready and found.category is None and left(0.0):
        deeper = search(left(0.0))
        if deeper.category or deeper.depth >= found.depth:
            found = deeper
    return dataclasses.replace(found, seconds=clocks.perf_counter() - begun)
