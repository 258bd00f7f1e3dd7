"""Small tables that several test files write and read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from crownbase.table import SectionInput, SectionStats, Table, WrittenTable, write_table

RULES = {"rules_key": "english", "rules_digest": "0123456789abcdef"}


def stats(values: np.ndarray) -> SectionStats:
    """Counts as a solver would hand them over, without a clock."""
    positive, negative = values[values > 0], values[values < 0]
    return SectionStats(
        positions=len(values),
        wins=len(positive),
        losses=len(negative),
        draws=len(values) - len(positive) - len(negative),
        longest_win=int(positive.max()) if len(positive) else -1,
        longest_loss=int(-1 - negative.min()) if len(negative) else -1,
    )


def section(
    values: np.ndarray, free: np.ndarray | None = None, material: str = "KvK"
) -> SectionInput:
    return SectionInput(material, values, free, stats(values))


def runs(count: int, values: list[int], kind: type, seed: int = 1) -> np.ndarray:
    """Values that come in runs, as those of real slices do."""
    rng = np.random.default_rng(seed)
    lengths = rng.geometric(1 / 12, count)
    return np.repeat(rng.choice(np.array(values, kind), count), lengths)[:count]


def with_alphabet(size: int, count: int = 3000) -> np.ndarray:
    """int16 codes with exactly so many distinct values, some below zero."""
    rng = np.random.default_rng(size)
    values = rng.integers(0, size, count)
    values[:size] = np.arange(size)
    return (values - size // 3).astype(np.int16)


def write(path: Path, *sections: SectionInput, metric: str = "dtc", **options: Any) -> WrittenTable:
    return write_table(
        path, metric=metric, free_scheme=1, sections=sections, **{**RULES, **options}
    )


def small_table(path: Path) -> dict[str, np.ndarray]:
    """A wdl file of two sections in several blocks; returns what is in it."""
    content = {
        "KKvK": runs(700, [-1, 0, 1], np.int8, seed=2),
        "KvKK": runs(500, [-1, 1], np.int8, seed=3),
    }
    sections = (section(values, material=name) for name, values in content.items())
    write(path, *sections, metric="wdl", block_positions=256)
    return content


def distance_table(path: Path) -> dict[str, np.ndarray]:
    """A dtc file of one 8-bit and one 16-bit section; returns what is in it."""
    content = {
        "KKvK": runs(700, list(range(-40, 40)), np.int16, seed=4),
        "KvKK": with_alphabet(300, 700),
    }
    sections = (section(values, material=name) for name, values in content.items())
    write(path, *sections, block_positions=256)
    return content


def read_everything(path: Path) -> dict[str, np.ndarray]:
    """Open, check and read a table in every way there is; all ways must agree."""
    from crownbase.table import BlockCache

    cache = BlockCache()
    with Table(path, **RULES) as table:
        table.check()
        found = {}
        for material in table.materials:
            values = table.read_all(material)
            everything = np.arange(len(values), dtype=np.int64)
            assert np.array_equal(table.values(material, everything, cache), values)
            for index in range(0, len(values), 97):
                assert table.value(material, index, cache) == values[index]
            found[material] = values
    return found
