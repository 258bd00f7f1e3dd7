"""The row-parallel solver against known totals and against the scalar solver, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest

from crownbase.index.material import slice_pairs
from crownbase.retro import solve_all
from crownbase.retro.rows import RowSolver, can_solve, solve_rows
from crownbase.retro.rows.driver import SolvedSlice
from crownbase.retro.rows.schedule import all_slices
from crownbase.retro.rows.schedule import slice_pairs as slice_pairs_of
from crownbase.rules import find_rules

# Schaeffer's position counts; results agree with three independent databases.
ENGLISH_TOTALS = {
    2: (3_488, 716, 402, 2_370),
    3: (196_032, 100_250, 87_305, 8_477),
    4: (6_209_316, 2_574_304, 1_917_090, 1_717_922),
    5: (139_450_808, 71_334_772, 56_993_144, 11_122_892),
}

# Wins and losses of the side to move, three pieces each; from a second implementation.
THREE_AGAINST_THREE = {
    (0, 3, 0, 3): (7_121_084, 371_124),
    (0, 3, 1, 2): (22_944_134, 606_415),
    (0, 3, 2, 1): (29_505_881, 287_318),
    (0, 3, 3, 0): (10_768_140, 36_812),
    (1, 2, 0, 3): (15_389_518, 2_875_657),
    (1, 2, 1, 2): (47_520_081, 3_815_247),
    (1, 2, 2, 1): (58_215_005, 1_612_028),
    (1, 2, 3, 0): (25_104_351, 167_366),
    (2, 1, 0, 3): (10_397_911, 10_475_002),
    (2, 1, 1, 2): (31_931_441, 12_311_936),
    (2, 1, 2, 1): (34_807_338, 3_709_439),
    (2, 1, 3, 0): (16_008_125, 349_817),
    (3, 0, 0, 3): (1_912_214, 6_628_061),
    (3, 0, 1, 2): (6_486_478, 12_493_301),
    (3, 0, 2, 1): (6_996_509, 4_889_497),
    (3, 0, 3, 0): (2_700_665, 328_214),
}

KEYS = [
    "english",
    "russian",
    *(
        pytest.param(key, marks=pytest.mark.slow)
        for key in ("english-optional", "italian", "pool", "pure", "brazilian", "spanish", "czech")
    ),
    pytest.param("international", marks=pytest.mark.slow),
]
"""Every rule set has a compilation of its own, which is what takes the time."""

Solved = tuple[RowSolver, list[SolvedSlice]]


@pytest.fixture(scope="module")
def english() -> Solved:
    return solve_rows("english", 5)


@pytest.mark.parametrize("pieces", ENGLISH_TOTALS)
def test_english_totals(english: Solved, pieces: int) -> None:
    solver, _ = english
    total = {value: 0 for value in (1, -1, 0)}
    for counts in all_slices(5):
        if sum(counts) == pieces:
            values = solver.values(counts)
            for value in total:
                total[value] += int(np.count_nonzero(values == value))
    assert (sum(total.values()), *total.values()) == ENGLISH_TOTALS[pieces]


def test_every_position_is_reported_once(english: Solved) -> None:
    solver, report = english
    both = sum(solver.positions(s) for s in all_slices(5))
    assert sum(r.positions for r in report) == both


@pytest.mark.parametrize("key", KEYS)
def test_equal_to_the_scalar_solver(key: str) -> None:
    solver, _ = solve_rows(key, 3)
    for material, codes in solve_all(key, slice_pairs(3)).items():
        assert (solver.values(material.counts) == np.sign(codes)).all(), str(material)


def test_threads_change_nothing(english: Solved) -> None:
    solver, _ = english
    threaded, _ = solve_rows("english", 5, threads=2)
    assert (solver.planes.loses == threaded.planes.loses).all()
    assert (solver.planes.holds == threaded.planes.holds).all()


@pytest.mark.slow
def test_three_against_three() -> None:
    slices = [s for s in all_slices(6) if max(s[0] + s[1], s[2] + s[3]) <= 3]
    solver = RowSolver("english", slices)
    for counts in slice_pairs_of(slices):
        solver.solve(counts)
    for counts, expected in THREE_AGAINST_THREE.items():
        values = solver.values(counts)
        found = np.count_nonzero(values == 1), np.count_nonzero(values == -1)
        assert found == expected, counts


@pytest.mark.parametrize("counts", [(0, 2, 1, 1), (1, 1, 2, 0), (2, 0, 0, 2), (1, 0, 2, 0)])
def test_dense_values_can_be_loaded(english: Solved, counts: tuple[int, int, int, int]) -> None:
    solver, _ = english
    other = RowSolver("english", all_slices(4))
    other.load(counts, solver.values(counts))
    assert (other.values(counts) == solver.values(counts)).all()
    with pytest.raises(ValueError):
        other.load(counts, np.zeros(3, np.int8))


def test_it_says_which_rules_it_knows() -> None:
    known = {"english", "english-optional", "italian", "russian", "international"}
    assert {key for key in {*known, "turkish"} if can_solve(find_rules(key))} == known
    with pytest.raises(ValueError, match="does not know"):
        RowSolver("turkish", all_slices(2))
