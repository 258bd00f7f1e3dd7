"""The scalar solver against the naive one: all values of small databases, with clocks too."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import naive
from crownbase.board.bits import signed
from crownbase.errors import MissingTableError
from crownbase.index import Material, rank_position, slice_pairs
from crownbase.retro import CURSED, solve_all, solve_pair
from crownbase.rules import Rules, find_rules

# 10x10 and Turkish have too many positions of three pieces for dictionaries.
SMALL_BOARDS = [key for key in naive.RULES if naive.square_count(key) == 32]
# Each compiles for some ten seconds on first use, so the others wait for a slow run: short kings;
# flying kings that land anywhere, with a clock of captures alone; a man that goes on as a king.
COMPILED = ("english", "pure", "russian")
Solved = dict[Material, np.ndarray]


def place(rules: Rules, position: naive.Key) -> tuple[Material, int]:
    """The slice of a position and its index there."""
    boards = dict.fromkeys("wWbB", 0)
    for square, piece in position:
        boards[piece] |= 1 << (square - 1)
    mover_first = [boards[piece] for piece in "wWbB"]
    return Material.of(*mover_first), rank_position(rules.traits, *map(signed, mover_first))


def code(wdl: int, plies: int) -> int:
    return {1: plies, 0: 0, -1: ~plies}[wdl]


def expected(rules: Rules, values: dict[naive.Key, naive.Value], metric: str) -> Solved:
    """The naive values as the solver codes them; every index must be met once."""
    found: Solved = {}
    seen: Solved = {}
    for position, value in values.items():
        material, index = place(rules, position)
        if material not in found:
            found[material] = np.zeros(material.positions(rules), np.int16)
            seen[material] = np.zeros(material.positions(rules), np.int64)
        found[material][index] = code(value.wdl, getattr(value, metric))
        seen[material][index] += 1
    assert all((times == 1).all() for times in seen.values())
    return found


def compare(key: str, pieces: int) -> None:
    rules, values = find_rules(key), naive.solve(key, pieces)
    for metric in ("dtc", "dtw"):
        solved = solve_all(rules, slice_pairs(pieces), metric)
        wanted = expected(rules, values, metric)
        assert solved.keys() == wanted.keys()
        for material, codes in wanted.items():
            assert np.array_equal(solved[material], codes), f"{metric} of {material}"


@pytest.mark.parametrize("rules", COMPILED)
def test_two_pieces(rules: str) -> None:
    compare(rules, 2)


@pytest.mark.slow
@pytest.mark.parametrize("rules", [key for key in naive.RULES if key not in COMPILED])
def test_two_pieces_of_the_other_rule_sets(rules: str) -> None:
    compare(rules, 2)


@pytest.mark.slow
@pytest.mark.parametrize("rules", SMALL_BOARDS)
def test_three_pieces(rules: str) -> None:
    compare(rules, 3)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "name"), [("turkish", "KKvK"), ("international", "KKvK"), ("international", "MvKK")]
)
def test_three_pieces_of_a_large_board(key: str, name: str) -> None:
    """One slice, and with it those that it leads to."""
    rules, values = find_rules(key), naive.solve(key, name)
    for metric in ("dtc", "dtw"):
        solved = solve_all(rules, slice_pairs(3), metric)
        for position, value in values.items():
            material, index = place(rules, position)
            assert solved[material][index] == code(value.wdl, getattr(value, metric)), position


def test_english_totals_of_three_pieces() -> None:
    """Figures on which three independent databases agree."""
    codes = np.concatenate(
        [v for m, v in solve_all("english", slice_pairs(3), "dtw").items() if m.pieces == 3]
    )
    assert len(codes) == 196_032
    assert (np.sum(codes > 0), np.sum(codes < 0), np.sum(codes == 0)) == (100_250, 87_305, 8_477)
    assert (codes.max(), ~codes.min()) == (61, 62)


def clocked(key: str, name: str, limit: int) -> Iterator[tuple[list[int], int]]:
    """(naive result at each clock, code of the solver) for every position of a slice."""
    rules, material = find_rules(key), Material.parse(name)
    solved = solve_all(rules, slice_pairs(material.pieces), "dtc", limit)
    for position, results in naive.solve_with_clock(key, name, limit).items():
        yield results, int(solved[material][place(rules, position)[1]])


def check_clock(key: str, name: str, limit: int) -> None:
    """With c plies on the clock a value stands if and only if c + DTC <= limit."""
    without_clock = naive.solve(key, name)
    values = [v.wdl for p, v in without_clock.items() if naive.material(p) == name]
    signs = []
    for results, found in clocked(key, name, limit):
        signs.append(np.sign(found))
        plies = found if found >= 0 else ~found
        stands = [found != 0 and clock + plies <= limit for clock in range(limit + 1)]
        assert plies < CURSED or not any(stands)
        assert results == [int(np.sign(found)) * stand for stand in stands]
    assert sorted(signs) == sorted(values)  # cursed or not, they are the values without a clock


@pytest.mark.parametrize("limit", [1, 4, 11])
@pytest.mark.parametrize(("key", "name"), [("english", "KvK"), ("english", "MvM"), ("pure", "MvM")])
def test_clock(key: str, name: str, limit: int) -> None:
    check_clock(key, name, limit)


@pytest.mark.slow
@pytest.mark.parametrize("limit", [2, 5, 13])
@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("english", "KKvK"),
        ("english", "KMvK"),
        ("english-optional", "KMvK"),
        ("italian", "KMvM"),
        ("pure", "KMvK"),
        ("pure", "MvMM"),
        ("russian", "MMvM"),
    ],
)
def test_clock_with_three_pieces(key: str, name: str, limit: int) -> None:
    check_clock(key, name, limit)


def test_threads_change_nothing() -> None:
    alone, together = ({}, {})
    for pair in slice_pairs(3):
        alone |= solve_pair("english", pair, alone).values
        together |= solve_pair("english", pair, together, threads=2).values
    assert all(np.array_equal(alone[material], together[material]) for material in alone)


def test_a_missing_slice_is_named() -> None:
    with pytest.raises(MissingTableError, match="KvK must be solved before KKvK"):
        solve_pair("english", Material.parse("KKvK"), {})


def test_an_unknown_metric_is_refused() -> None:
    with pytest.raises(ValueError, match="dtx"):
        solve_pair("english", Material.parse("KvK"), {}, "dtx")
