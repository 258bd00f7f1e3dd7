"""Two bits a position out of the planes: the solver's values, and who must capture."""

from __future__ import annotations

import numpy as np
import pytest

from crownbase.index import Material
from crownbase.retro import free_positions
from crownbase.retro.rows import solve_rows
from crownbase.retro.rows.free import free_positions_by_rows
from crownbase.retro.rows.quads import QuadsReader
from crownbase.rules import find_rules

ENGLISH = ("english", 4)
OTHERS = [
    pytest.param((key, pieces), marks=pytest.mark.slow)
    for key, pieces in (
        ("english", 5),
        ("italian", 4),
        ("russian", 4),
        ("czech", 4),
        ("english-optional", 4),
        ("international", 3),
    )
]


def unpacked(quads: np.ndarray, count: int) -> np.ndarray:
    """Codes one by one, without a table: a division for each digit."""
    codes = [quads // 4**place % 4 for place in range(4)]
    return np.stack(codes, axis=1).reshape(-1)[:count]


@pytest.mark.parametrize("what", [ENGLISH, *OTHERS])
def test_values_and_captures(what: tuple[str, int]) -> None:
    rules, pieces = what
    solver, _ = solve_rows(rules, pieces, threads=2)
    reader = QuadsReader(solver, threads=2)
    for counts in solver.planes.slices:
        values = solver.values(counts)
        expected = np.where(free_positions(rules, Material(*counts)), 3, values + 1)
        codes = unpacked(reader.read(counts), len(values))
        assert (codes == expected).all(), counts
        found = [int((values == value).sum()) for value in (1, 0, -1)]
        assert list(reader.tally(counts)) == found
    reader.close()


@pytest.mark.parametrize("rules", ["english", pytest.param("russian", marks=pytest.mark.slow)])
def test_free_positions(rules: str) -> None:
    for text in ("KMvK", "KvKM", "KKvMM", "MMvM", "MvMM", "KvK"):
        material = Material.parse(text)
        found = free_positions_by_rows(find_rules(rules), material.counts, threads=2)
        assert (found == free_positions(rules, material)).all(), text
