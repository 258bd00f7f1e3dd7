"""Rule sets that nobody wrote by hand: all that rows compute, against the scalar solver.

The scalar solver is held to the second implementation in ``tests/test_random_rules.py``. Each rule
set is compiled, which is what takes the time; ``RANDOM_RULES_FIRST`` and ``RANDOM_RULES_COUNT`` in
the environment choose the seeds of those without a combination of their own.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from crownbase.index.material import slice_pairs
from crownbase.retro import solve_pair as solve_pair_scalar
from crownbase.retro.rows import can_solve
from crownbase.retro.rows.pair import can_solve_pair, solve_pair
from crownbase.rules import Rules
from random_rules import draw_rules, shared

BOARDS = [(8, 8, False), (8, 8, False), (10, 10, False)]
SOLVABLE = {"lone_pieces_draw": False, "about_turn": True}
COMBINATIONS = {
    "men spare kings that fly": {"men_capture_kings": False, "flying_kings": True},
    "flying kings need not take": {"captures_mandatory": False, "flying_kings": True},
    "crowned half-way, kings first": {"choice": "fewer words", "promotion": "king"},
    "leave at once, short kings": {"leave": "hop", "flying_kings": False},
    "free landing": {"flying_kings": True, "free_landing": True, "leave": "end"},
    "free landing, leave at once": {"flying_kings": True, "free_landing": True, "leave": "hop"},
    "no about-turn": {"about_turn": False, "leave": "end", "flying_kings": True},
    "men spare kings, need not take": {"men_capture_kings": False, "captures_mandatory": False},
    "quiet men": {"man_moves_convert": False, "flying_kings": True},
    "kings early, crowned half-way": {"choice": "italian", "promotion": "king"},
}
FIRST = int(os.environ.get("RANDOM_RULES_FIRST", "0"))
COUNT = int(os.environ.get("RANDOM_RULES_COUNT", "2"))
CLOCK = 9
"""Plies; short enough to spoil wins of three pieces."""


def check(rules: Rules, text: str) -> None:
    """WDL, DTC with and without a draw clock, DTW, as far as rows can: 2 and 3 pieces."""
    assert can_solve(rules)
    for metric, limit in (("dtc", None), ("dtw", None), ("dtc", CLOCK)):
        store: dict = {}
        for material in slice_pairs(3):
            expected = solve_pair_scalar(rules, material, store, metric, limit)
            if can_solve_pair(rules, metric):
                found = solve_pair(rules, material, store, metric, limit)
                assert found.has_cursed == expected.has_cursed, f"{text}{material} {metric} {limit}"
                compare(found.values, expected.values, f"{text}{metric} {limit}")
            if metric == "dtc" and limit is None:
                below = {side: np.sign(codes).astype(np.int8) for side, codes in store.items()}
                signs = solve_pair(rules, material, below, "wdl").values
                compare(signs, {m: np.sign(v) for m, v in expected.values.items()}, f"{text}wdl")
            store |= expected.values


def compare(found: dict, expected: dict, where: str) -> None:
    assert set(found) == set(expected)
    for side, values in expected.items():
        wrong = np.flatnonzero(found[side] != values)
        assert not len(wrong), f"{where} {side}: {len(wrong)} values differ, first {wrong[:1]}"


@pytest.mark.slow
@pytest.mark.parametrize("name", COMBINATIONS)
def test_combinations(name: str, tmp_path: Path) -> None:
    """What no rule set that ships puts together."""
    seed = list(COMBINATIONS).index(name)
    drawn = draw_rules(seed, tmp_path, BOARDS, SOLVABLE | COMBINATIONS[name])
    check(shared(drawn.rules), drawn.text)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT))
def test_drawn(seed: int, tmp_path: Path) -> None:
    drawn = draw_rules(seed, tmp_path, BOARDS, SOLVABLE)
    check(shared(drawn.rules), drawn.text)
