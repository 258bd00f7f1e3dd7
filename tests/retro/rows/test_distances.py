"""Distances by rows against the scalar solver, and the draw clock."""

from __future__ import annotations

import numpy as np
import pytest

from crownbase.errors import MissingTableError
from crownbase.index import Material
from crownbase.index.material import slice_pairs
from crownbase.retro import solve_all
from crownbase.retro import solve_pair as solve_pair_scalar
from crownbase.retro.rows import RowSolver
from crownbase.retro.rows.distances import time_slice
from crownbase.retro.rows.pair import solve_pair
from crownbase.retro.rows.schedule import all_slices


@pytest.mark.parametrize(
    "key",
    [
        "english",
        *(
            pytest.param(key, marks=pytest.mark.slow)
            for key in ("english-optional", "italian", "russian", "brazilian")
        ),
    ],
)
def test_codes_are_the_scalar_solvers(key: str) -> None:
    store = solve_all(key, slice_pairs(3))
    solver = RowSolver(key, all_slices(3))
    for material in slice_pairs(3):
        timed = time_slice(solver, material.counts)
        for side in material.pair:
            assert (timed.values[side.counts] == store[side]).all(), str(side)
        plies = [np.where(v < 0, ~v, v).max() for v in timed.values.values()]
        assert timed.longest >= max(plies)


def test_four_pieces_with_threads_and_known_longest() -> None:
    """KKK v K takes 29 plies, KK v KK 49 to the end, no conversion later than 38 plies."""
    solver = RowSolver("english", all_slices(4), threads=2)
    alone = RowSolver("english", all_slices(4))
    longest = 0
    for material in slice_pairs(4):
        timed, again = time_slice(solver, material.counts), time_slice(alone, material.counts)
        for counts, codes in timed.values.items():
            assert (codes == again.values[counts]).all()
            longest = max(longest, int(np.where(codes < 0, ~codes, codes).max()))
    assert longest == 38


def test_one_pair_from_a_store() -> None:
    store = solve_all("english", slice_pairs(3))
    for text in ("KKvK", "KMvM", "MMvK"):
        material = Material.parse(text)
        for limit in (None, 80, 3):
            ours = solve_pair("english", material, store, quiet_limit=limit)
            theirs = solve_pair_scalar("english", material, store, quiet_limit=limit)
            assert ours.has_cursed == theirs.has_cursed
            for side in material.pair:
                assert (ours.values[side] == theirs.values[side]).all()


def test_one_pair_as_wins_and_losses() -> None:
    store = solve_all("english", slice_pairs(3))
    signs = {side: np.sign(codes).astype(np.int8) for side, codes in store.items()}
    for text in ("KKvK", "KMvM", "MMvK", "KvMM"):
        material = Material.parse(text)
        solved = solve_pair("english", material, signs, metric="wdl")
        assert set(solved.values) == set(material.pair)
        for side, values in solved.values.items():
            assert values.dtype == np.int8
            assert (values == signs[side]).all()


def test_what_it_cannot_do() -> None:
    with pytest.raises(ValueError, match="dtw"):
        solve_pair("international", Material.parse("KvK"), {}, metric="dtw")
    with pytest.raises(MissingTableError):
        solve_pair("english", Material.parse("KKvK"), {})
