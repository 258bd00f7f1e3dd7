"""Kernels on raw addresses stay within their memory: guard words behind every block."""

from __future__ import annotations

import numpy as np
import pytest

from crownbase.retro.rows import RowSolver, context, storage
from crownbase.retro.rows.distances import DrawClock, time_slice
from crownbase.retro.rows.schedule import all_slices, slice_pairs
from crownbase.retro.rows.tables import aligned_words

GUARD = 64
PATTERN = 0x0123456789ABCDEF


@pytest.mark.parametrize(
    "rules, pieces",
    [
        ("english", 2),
        ("english", 3),
        ("english", 4),
        pytest.param("russian", 4, marks=pytest.mark.slow),
        pytest.param("international", 3, marks=pytest.mark.slow),
        pytest.param("international", 4, marks=pytest.mark.slow),
    ],
)
def test_nothing_is_written_outside(
    rules: str, pieces: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    guards: list[np.ndarray] = []

    def guarded(count: int) -> np.ndarray:
        words = aligned_words(count + 2 * GUARD)
        for guard in (words[:GUARD], words[GUARD + count :]):
            guard[:] = PATTERN
            guards.append(guard)
        return words[GUARD : GUARD + count]

    monkeypatch.setattr(context, "aligned_words", guarded)
    monkeypatch.setattr(storage, "aligned_words", guarded)
    solver = RowSolver(rules, all_slices(pieces))
    sure, full = (RowSolver(rules, all_slices(pieces)) for _ in range(2))
    clock = DrawClock(full, 3, cursed=False)
    for counts in slice_pairs(all_slices(pieces)):
        solver.solve(counts)
        values = solver.values(counts)
        assert (np.sign(time_slice(solver, counts).values[counts]) == values).all()
        solver.load(counts, values)
        time_slice(sure, counts, clock)
        assert (full.values(counts) == values).all()
    assert len(guards) > 20
    assert all((guard == PATTERN).all() for guard in guards)
