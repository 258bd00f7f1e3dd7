"""Contexts with the tables for up to three kings, and rows as Python sets."""

from __future__ import annotations

import numpy as np
import pytest

from crownbase.retro.rows.context import Context, StaticTables
from crownbase.retro.rows.schedule import all_slices
from crownbase.retro.rows.storage import Planes
from crownbase.retro.rows.tables import Board, aligned_words, king_tables, row_words
from crownbase.rules import find_rules
from crownbase.rules.geometry import Geometry


class Rows:
    """Makes rows out of sets of ranks and reads them back."""

    def __init__(self, geometry: Geometry) -> None:
        self._kept: list[np.ndarray] = []
        self.geometry = geometry
        self.board = Board.of(geometry)
        self.planes = Planes(all_slices(4), board=self.board)
        self.context = Context(StaticTables(3, geometry), self.planes)
        self.address = self.context.address

    def new(self, kings: int, ranks: set[int] | None = None, rows: int = 1) -> np.ndarray:
        words = aligned_words(row_words(kings, self.board) * rows)
        self._kept.append(words)
        for r in ranks or ():
            words[r // 64] |= np.int64(np.uint64(1 << (r % 64)).astype(np.int64))
        return words

    @staticmethod
    def ranks(words: np.ndarray) -> set[int]:
        bits = np.unpackbits(words.view(np.uint8), bitorder="little")
        return set(np.flatnonzero(bits).tolist())

    def masks(self, kings: int) -> list[int]:
        return king_tables(kings, self.geometry).masks.tolist()


@pytest.fixture(scope="session")
def rows() -> Rows:
    return Rows(find_rules("english").board)


@pytest.fixture(scope="session")
def wide_rows() -> Rows:
    """On 10x10, where also a row for one king consists of whole vectors."""
    return Rows(find_rules("international").board)
