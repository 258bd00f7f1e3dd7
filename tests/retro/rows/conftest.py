"""A context with the tables for up to three kings, and rows as Python sets."""

from __future__ import annotations

import numpy as np
import pytest

from crownbase.retro.rows.context import Context, StaticTables
from crownbase.retro.rows.schedule import all_slices
from crownbase.retro.rows.storage import Planes
from crownbase.retro.rows.tables import aligned_words, king_tables, row_words
from crownbase.rules import find_rules

BOARD = find_rules("english").board


class Rows:
    """Makes rows out of sets of ranks and reads them back."""

    def __init__(self) -> None:
        self._kept: list[np.ndarray] = []
        self.planes = Planes(all_slices(4))
        self.context = Context(StaticTables(3, BOARD), self.planes)
        self.address = self.context.address

    def new(self, kings: int, ranks: set[int] | None = None, rows: int = 1) -> np.ndarray:
        words = aligned_words(row_words(kings) * rows)
        self._kept.append(words)
        for r in ranks or ():
            words[r // 64] |= np.int64(np.uint64(1 << (r % 64)).astype(np.int64))
        return words

    @staticmethod
    def ranks(words: np.ndarray) -> set[int]:
        bits = np.unpackbits(words.view(np.uint8), bitorder="little")
        return set(np.flatnonzero(bits).tolist())

    @staticmethod
    def masks(kings: int) -> list[int]:
        return king_tables(kings, BOARD).masks.tolist()


@pytest.fixture(scope="session")
def rows() -> Rows:
    return Rows()
