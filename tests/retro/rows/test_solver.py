"""The row-parallel solver against known totals and against the scalar solver, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest

from crownbase.index.material import slice_pairs
from crownbase.retro import solve_all
from crownbase.retro.rows import RowSolver, can_solve, solve_rows
from crownbase.retro.rows.driver import SolvedSlice
from crownbase.retro.rows.schedule import all_slices
from crownbase.rules import find_rules

# Schaeffer's position counts; results agree with three independent databases.
ENGLISH_TOTALS = {
    2: (3_488, 716, 402, 2_370),
    3: (196_032, 100_250, 87_305, 8_477),
    4: (6_209_316, 2_574_304, 1_917_090, 1_717_922),
}

KEYS = [
    "english",
    "russian",
    *(
        pytest.param(key, marks=pytest.mark.slow)
        for key in ("english-optional", "italian", "pool", "pure", "brazilian", "spanish", "czech")
    ),
]
"""Every rule set has a compilation of its own, which is what takes the time."""

Solved = tuple[RowSolver, list[SolvedSlice]]


@pytest.fixture(scope="module")
def english() -> Solved:
    return solve_rows("english", 4)


@pytest.mark.parametrize("pieces", ENGLISH_TOTALS)
def test_english_totals(english: Solved, pieces: int) -> None:
    solver, _ = english
    total = np.zeros(3, np.int64)
    for counts in all_slices(4):
        if sum(counts) == pieces:
            total += np.bincount(solver.values(counts) + 1, minlength=3)
    losses, draws, wins = total.tolist()
    assert (losses + draws + wins, wins, losses, draws) == ENGLISH_TOTALS[pieces]


def test_every_position_is_reported_once(english: Solved) -> None:
    solver, report = english
    both = sum(solver.positions(s) for s in all_slices(4))
    assert sum(r.positions for r in report) == both


@pytest.mark.parametrize("key", KEYS)
def test_equal_to_the_scalar_solver(key: str) -> None:
    solver, _ = solve_rows(key, 3)
    for material, codes in solve_all(key, slice_pairs(3)).items():
        assert (solver.values(material.counts) == np.sign(codes)).all(), str(material)


def test_threads_change_nothing(english: Solved) -> None:
    solver, _ = english
    threaded, _ = solve_rows("english", 4, threads=2)
    assert (solver.planes.loses == threaded.planes.loses).all()
    assert (solver.planes.holds == threaded.planes.holds).all()


@pytest.mark.parametrize("counts", [(0, 2, 1, 1), (1, 1, 2, 0), (2, 0, 0, 2), (1, 0, 2, 0)])
def test_dense_values_can_be_loaded(english: Solved, counts: tuple[int, int, int, int]) -> None:
    solver, _ = english
    other = RowSolver("english", all_slices(4))
    other.load(counts, solver.values(counts))
    assert (other.values(counts) == solver.values(counts)).all()
    with pytest.raises(ValueError):
        other.load(counts, np.zeros(3, np.int8))


def test_it_says_which_rules_it_knows() -> None:
    known = {"english", "english-optional", "italian", "russian"}
    keys = {"english", "english-optional", "italian", "russian", "turkish", "international"}
    assert {key for key in keys if can_solve(find_rules(key))} == known
    with pytest.raises(ValueError, match="does not know"):
        RowSolver("turkish", all_slices(2))
