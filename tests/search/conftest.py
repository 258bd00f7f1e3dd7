"""Small English tables, solved once for all tests of the search."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from crownbase.board import Position
from crownbase.index import Material, slice_pairs, unrank_position
from crownbase.retro import solve_all
from crownbase.rules import Rules, find_rules
from crownbase.search import TableView

Store = dict[Material, np.ndarray]


@pytest.fixture(scope="session")
def english() -> Rules:
    return find_rules("english")


@pytest.fixture(scope="session")
def store(english: Rules) -> Store:
    """DTW codes of all English slices of up to four pieces."""
    return solve_all(english, slice_pairs(4), "dtw")


@pytest.fixture(scope="session")
def view(english: Rules, store: Store) -> Callable[[int], TableView]:
    """``view(n)``: the tables of up to n pieces as the search sees them."""

    def make(pieces: int) -> TableView:
        def read(material: Material) -> np.ndarray | None:
            values = store.get(material)
            if values is None or material.pieces > pieces:
                return None
            return np.sign(values).astype(np.int8)

        return TableView(english, read)

    return make


@pytest.fixture(scope="session")
def samples(english: Rules, store: Store) -> Callable[[int, int], Iterator[tuple[Position, int]]]:
    """``samples(pieces, count)``: random positions with their DTW codes, always the same ones."""

    def draw(pieces: int, count: int) -> Iterator[tuple[Position, int]]:
        rng = random.Random(pieces)
        materials = [m for m in store if m.pieces == pieces]
        for _ in range(count):
            material = rng.choice(materials)
            index = rng.randrange(material.positions(english))
            boards = unrank_position.plain(english.traits.plain, index, *material.counts)
            position = Position.from_boards(english, rng.choice("WB"), boards)
            yield position, int(store[material][index])

    return draw
