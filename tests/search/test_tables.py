"""Slices in memory: packing, what a search can reach, and the memory limit."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import pytest

from crownbase.board import Position
from crownbase.errors import CorruptTableError
from crownbase.index import Material, rank_position, unrank_position
from crownbase.rules import Rules
from crownbase.search import TableView
from crownbase.search.tables import UNKNOWN, pack_values, reachable, table_code
from crownbase.search.work import make_work, position_key


def test_packing_keeps_every_value() -> None:
    values = np.array([-1, 0, 1, 1, -1, 0, 0], np.int8)
    packed = pack_values(values)
    codes = [int(packed[i >> 2]) >> 2 * (i & 3) & 3 for i in range(8)]
    assert codes == [0, 1, 2, 2, 0, 1, 1, UNKNOWN]


def test_kernel_reads_what_the_view_holds(view: Callable, store: dict, english: Rules) -> None:
    tables = view(3)
    root = Material.parse("KKMvKM")
    for plain in (True, False):
        work = make_work(8, plain)
        tables.load(root, 3)
        tables.prepare(work, 3)
        traits = english.traits.plain if plain else english.traits
        read = table_code.plain if plain else table_code
        material = Material.parse("KMvK")
        for index in range(0, material.positions(english), 997):
            boards = unrank_position.plain(english.traits.plain, index, *material.counts)
            code = read(traits, work, *boards)
            value = int(store[material][index])
            assert code - 1 == (value > 0) - (value < 0)
            assert rank_position.plain(english.traits.plain, *boards) == index


def test_slices_beyond_the_limit_are_unknown(view: Callable, english: Rules) -> None:
    tables = view(3)
    work = make_work(8, plain=True)
    tables.load(Material.parse("KKvK"), 3)
    tables.prepare(work, 2)
    boards = (0, 0b11, 0, 1 << 20)
    assert table_code.plain(english.traits.plain, work, *boards) == UNKNOWN


def test_reachable_slices_only_lose_pieces_and_crown_men() -> None:
    found = set(map(str, reachable(Material.parse("KMvM"), 3)))
    assert {"KMvM", "MvKM", "KKvK", "KvKK", "MvK", "KvM"} <= found
    assert "MMvM" not in found and "KvKM" in found
    assert not any(len(name) > 4 for name in found)


def test_the_memory_limit_leaves_slices_out(english: Rules) -> None:
    asked = []

    def read(material: Material) -> np.ndarray:
        asked.append(material)
        return np.zeros(material.positions(english), np.int8)

    tables = TableView(english, read, memory=2000)
    tables.load(Material.parse("KKvKK"), 4)
    assert tables.bytes <= 2000
    assert asked and all(m.pieces == 2 for m in asked)


def test_no_slice_beyond_the_tables_is_looked_for(english: Rules) -> None:
    asked: list[Material] = []

    def read(material: Material) -> None:
        asked.append(material)

    extent = [(3, 5)]
    tables = TableView(english, read, extent=lambda: extent[0])
    start = Material.of(*Position.start("english").boards)
    tables.load(start, start.pieces)
    assert asked and max(material.pieces for material in asked) == 3
    assert reachable(start, 3) is reachable(start, 3)  # listed once, not before every search
    asked.clear()
    tables.load(start, start.pieces)
    assert not asked
    extent[0] = (3, 6)  # one more table came
    tables.load(start, start.pieces)
    assert asked


def test_what_is_not_read_in_time_is_read_in_the_background(english: Rules) -> None:
    go_on = threading.Event()

    def read(material: Material) -> np.ndarray:
        assert go_on.wait(60)
        return np.zeros(material.positions(english), np.int8)

    tables = TableView(english, read)
    tables.load(Material.parse("KvK"), 2, lambda: True)
    assert not tables.materials
    go_on.set()
    tables.load(Material.parse("KvK"), 2, lambda: False)
    assert tables.materials


def test_a_fault_met_in_the_background_is_raised(english: Rules) -> None:
    def read(material: Material) -> np.ndarray:
        raise CorruptTableError("KvK.wdl", "is damaged")

    tables = TableView(english, read)
    with pytest.raises(CorruptTableError, match="is damaged"):
        tables.load(Material.parse("KvK"), 2, lambda: False)


def test_hash_is_the_same_in_both_forms(english: Rules) -> None:
    boards = (0b1011, 1 << 31, -1, -(1 << 63))
    compiled = _key_kernel(*boards)
    assert compiled == position_key(*boards)


def _key_kernel(*boards: int) -> int:
    from crownbase.jit import kernel

    return int(kernel(_hash)(*map(np.int64, boards)))


def _hash(om: int, ok: int, pm: int, pk: int) -> int:
    """A kernel around the primitive."""
    return position_key(om, ok, pm, pk)
