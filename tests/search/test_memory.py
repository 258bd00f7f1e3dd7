"""Nothing that searches and proofs keep outlives the tablebase that it is kept with.

Python's collector of cycles is off: what is let go must go at once.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from weakref import ref

import pytest

from crownbase.board import Position
from crownbase.probe import open_tablebase
from crownbase.search import Limits, Searcher, prove, solving, tables
from crownbase.search.tables import view_of

BEYOND = "W:WK32,K31:BK1,K2"
"""More pieces than the tables of `english_directory`."""


@pytest.fixture(autouse=True)
def no_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def test_a_view_goes_with_its_tablebase(english_directory: Path) -> None:
    tablebase = open_tablebase(english_directory)
    searcher = Searcher(tablebase.rules, tablebase, memory=1 << 14, compiled=False)
    searcher.search(Position.from_fen(BEYOND, rules="english"), Limits(depth=1))
    view, known = ref(searcher.view), len(tables._views)
    assert view() is view_of(tablebase, tablebase.rules) and view().materials
    del searcher
    gone = ref(tablebase)
    del tablebase
    assert gone() is None and view() is None
    assert len(tables._views) == known - 1


def test_a_view_that_somebody_has_can_still_read(english_directory: Path) -> None:
    tablebase = open_tablebase(english_directory)
    view = view_of(tablebase, tablebase.rules)
    position = Position.from_fen("W:WK32:BK1", rules="english")
    value = tablebase.get_wdl(position)
    del tablebase
    searcher = Searcher(position.rules, view, memory=1 << 14, compiled=False)
    assert searcher.look_up(position) == value


def test_what_a_proof_solved_goes_with_its_tablebase(english_directory: Path) -> None:
    tablebase = open_tablebase(english_directory)
    position = Position.from_fen("W:WK32,K31,K30:BK1,K2", rules="english")
    prove(position, tablebase, nodes=400_000, memory=16 << 20)
    kept = solving._solvers.get(tablebase)
    assert kept is not None
    solver = ref(kept)
    del kept, tablebase
    assert solver() is None


def test_tables_added_later_are_used(english_directory: Path) -> None:
    tablebase = open_tablebase(())
    searcher = Searcher(tablebase.rules, tablebase, memory=1 << 14, compiled=False)
    position = Position.from_fen(BEYOND, rules="english")
    assert searcher.search(position, Limits(depth=1)).table_hits == 0
    tablebase.add_directory(english_directory)
    searcher.search(position, Limits(depth=1))
    assert searcher.view is not None and searcher.view.materials
