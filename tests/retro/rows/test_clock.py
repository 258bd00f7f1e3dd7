"""The draw clock by rows against the scalar solver: cursed wins and blessed losses, all codes."""

from __future__ import annotations

import numpy as np
import pytest

from crownbase.index import Material
from crownbase.index.material import slice_pairs
from crownbase.retro import solve_all
from crownbase.retro import solve_pair as solve_pair_scalar
from crownbase.retro.rows import RowSolver
from crownbase.retro.rows.distances import DrawClock
from crownbase.retro.rows.pair import solve_pair
from crownbase.retro.values import CURSED

Store = dict[Material, np.ndarray]


def solve_both(key: str, pieces: int, limit: int, threads: int = 1) -> tuple[int, int]:
    """Compare pair by pair on the scalar solver's store; pairs that are cursed, and all."""
    store: Store = {}
    cursed = 0
    for material in slice_pairs(pieces):
        theirs = solve_pair_scalar(key, material, store, quiet_limit=limit)
        ours = solve_pair(key, material, store, quiet_limit=limit, threads=threads)
        assert ours.has_cursed == theirs.has_cursed, str(material)
        assert set(ours.values) == set(theirs.values)
        for side, codes in theirs.values.items():
            assert (ours.values[side] == codes).all(), str(side)
        cursed += theirs.has_cursed
        store |= theirs.values
    return cursed, len(slice_pairs(pieces))


@pytest.mark.parametrize(
    "key",
    [
        "english",
        *(
            pytest.param(key, marks=pytest.mark.slow)
            for key in ("english-optional", "italian", "russian", "brazilian", "czech")
        ),
    ],
)
@pytest.mark.parametrize("limit", [2, 3, 6, 20])
def test_codes_are_the_scalar_solvers(key: str, limit: int) -> None:
    """Clocks so short that slices below are cursed, and what leads there."""
    cursed, pairs = solve_both(key, 3, limit)
    assert cursed <= pairs
    # Flying kings need fewer plies than the longest of these clocks.
    assert cursed > 0 or limit == 20


@pytest.mark.parametrize("limit", [7, 20])
def test_four_pieces_with_threads(limit: int) -> None:
    cursed, _ = solve_both("english", 4, limit, threads=2)
    assert cursed > 15


def test_a_clock_that_is_just_long_enough() -> None:
    """No conversion with four pieces takes more than 38 plies."""
    assert solve_both("english", 4, 38)[0] == 0
    assert solve_both("english", 4, 37)[0] > 0


def test_a_clock_below_two_plies_is_the_scalar_solvers() -> None:
    assert solve_both("english", 3, 1)[0] > 0
    with pytest.raises(ValueError, match="at least 2 plies"):
        DrawClock(RowSolver("english", [(0, 1, 0, 1)]), 1, cursed=False)


def test_the_sign_is_the_value_without_a_clock() -> None:
    """However the clock cuts: a cursed win is won, a blessed loss is lost if it is ignored."""
    free = solve_all("english", slice_pairs(4))
    store: Store = {}
    for material in slice_pairs(4):
        store |= solve_pair("english", material, store, quiet_limit=10).values
    for side, codes in store.items():
        assert (np.sign(codes) == np.sign(free[side])).all(), str(side)
        sure = np.abs(codes) < CURSED
        assert np.where(codes < 0, ~codes, codes)[sure].max() <= 10
