"""Figures of whole slices that rule books and analysts give, and where two rule sets part."""

from __future__ import annotations

import numpy as np
import pytest

import crownbase as cb
from crownbase.index import Material, rank_position, slice_pairs, unrank_position
from crownbase.retro import solve_all

LONE_KINGS = tuple(Material.parse(text) for text in ("KvK", "KKvK", "KKKvK"))


def test_russian_three_kings_win_off_the_main_road_within_25_plies() -> None:
    """Petrov's triangle. With the lone king on the road a1-h8 only short wins are left."""
    rules = cb.find_rules("russian")
    road = sum(1 << s for s in range(32) if sum(rules.board.coordinates[s]) == 7)
    assert [rules.square_name(s) for s in range(32) if road >> s & 1] == [
        "h8", "g7", "f6", "e5", "d4", "c3", "b2", "a1",
    ]  # fmt: skip
    material = LONE_KINGS[-1]
    values = solve_all(rules, LONE_KINGS, "dtw")[material]
    lone = [
        unrank_position.plain(rules.traits.plain, index, *material.counts)[3]
        for index in range(len(values))
    ]
    on_road = np.array([road & king != 0 for king in lone])
    assert values.min() == 0  # three kings to move never lose
    assert (values[~on_road].max(), values[on_road].max()) == (25, 9)
    assert np.count_nonzero(values[~on_road] > 0) == 106_984
    # What is drawn with the king off the road are positions in which it gets there.
    assert np.count_nonzero(values[~on_road] == 0) == 896
    longest = cb.Position.from_fen("W:WKf8,Ke7,Kh6:BKb8", rules=rules)
    assert values[rank_position.plain(rules.traits.plain, *longest.boards)] == 25


def test_international_a_king_in_the_corner_loses_in_two() -> None:
    rules = cb.find_rules("international")
    values = solve_all(rules, LONE_KINGS[:1], "dtw")[LONE_KINGS[0]]
    position = cb.Position.from_fen("W:WK46:BK5", rules=rules)
    assert values[rank_position.plain(rules.traits.plain, *position.boards)] == ~2


@pytest.mark.parametrize(
    ("pieces", "results", "distances"),
    [(3, 14, 10), pytest.param(4, 1_614, 855, marks=pytest.mark.slow)],
)
def test_pool_and_russian_part_in_few_positions(pieces: int, results: int, distances: int) -> None:
    """A man crowned in mid-capture goes on as a king in Russian only; perft shows it at 8 plies."""
    pool, russian = (solve_all(key, slice_pairs(pieces), "dtw") for key in ("pool", "russian"))
    found = [0, 0]
    for material in (m for m in pool if m.pieces == pieces):
        one, other = pool[material], russian[material]
        same = np.sign(one) == np.sign(other)
        found[0] += np.count_nonzero(~same)
        found[1] += np.count_nonzero(same & (one != other))
    assert found == [results, distances]
