"""Position <-> number: a bijection, the published numbers of positions, the order of solving."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crownbase.board.bits import unsigned
from crownbase.index import Material, rank_position, slice_pairs, unrank_position
from crownbase.index.binomial import BINOMIAL, rank_set, unrank_set
from crownbase.index.position import SLICE_NUMBERS, slice_counts
from crownbase.rules import RULE_SETS, find_rules

# Positions with one side to move and at least one piece a side, by number of pieces. 8x8:
# Schaeffer's table (brainwagon 2008); 10x10: the same formula on 50 squares.
EIGHT = {
    2: 3_488,
    3: 196_032,
    4: 6_209_316,
    5: 139_450_808,
    6: 2_426_085_676,
    7: 34_243_113_624,
    8: 403_190_250_561,
    9: 4_033_171_712_096,
    10: 34_712_907_199_296,
}
TEN = {2: 8_845, 3: 806_300, 4: 41_971_200, 5: 1_570_600_750, 6: 46_198_758_750}


@pytest.mark.parametrize("key", ["english", "italian", "russian"])
@pytest.mark.parametrize("pieces", EIGHT)
def test_positions_on_8x8(key: str, pieces: int) -> None:
    rules = find_rules(key)
    sizes = [side.positions(rules) for pair in slice_pairs(pieces, pieces) for side in pair.pair]
    assert sum(sizes) == EIGHT[pieces]


@pytest.mark.parametrize("pieces", TEN)
def test_positions_on_10x10(pieces: int) -> None:
    rules = find_rules("international")
    sizes = [side.positions(rules) for pair in slice_pairs(pieces, pieces) for side in pair.pair]
    assert sum(sizes) == TEN[pieces]


def naive_index(rules_key: str, om: set, ok: set, pm: set, pk: set) -> int:
    """The formula of ``index.position`` with sets and ``math.comb``, nothing shared."""
    rules = find_rules(rules_key)
    n, w = rules.board.n_squares, rules.board.width

    def rank(squares: set, allowed: list) -> int:
        places = sorted(allowed.index(s) for s in squares)
        return sum(comb(q, i + 1) for i, q in enumerate(places))

    a, c = len(om), len(pm)
    home = set(range(n - w, n))
    j = len(om & home)
    group = sum(comb(w, i) * comb(n - 2 * w, a - i) * comb(n - w - (a - i), c) for i in range(j))
    men = rank(om & home, sorted(home)) * comb(n - 2 * w, a - j)
    men += rank(om - home, list(range(w, n - w)))
    group += men * comb(n - w - (a - j), c)
    group += rank(pm, [s for s in range(n - w) if s not in om])
    free = [s for s in range(n) if s not in om | pm]
    still = [s for s in free if s not in pk]
    own_placements = comb(len(still), len(ok))
    return (group * comb(len(free), len(pk)) + rank(pk, free)) * own_placements + rank(ok, still)


@st.composite
def placements(draw: st.DrawFn) -> tuple[str, list[set]]:
    key = draw(st.sampled_from(["english", "italian", "international", "turkish"]))
    board = find_rules(key).board
    n, w = board.n_squares, board.width
    squares = draw(st.lists(st.integers(0, n - 1), min_size=2, max_size=7, unique=True))
    sets: list[set] = [set(), set(), set(), set()]
    for s in squares:
        kinds = [1, 3] + ([0] if s >= w else []) + ([2] if s < n - w else [])
        sets[draw(st.sampled_from(kinds))].add(s)
    return key, sets


@settings(max_examples=300, deadline=None)
@given(placements())
def test_plain_index_equals_the_formula_and_comes_back(placed: tuple[str, list[set]]) -> None:
    key, sets = placed
    traits = find_rules(key).traits.plain
    boards = [sum(1 << s for s in squares) for squares in sets]
    index = rank_position.plain(traits, *boards)
    assert index == naive_index(key, *sets)
    counts = [len(squares) for squares in sets]
    back = unrank_position.plain(traits, index, *counts)
    assert list(back) == boards


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(["english", "turkish"]), st.integers(0, 2**40), st.integers(0, 10**6))
def test_compiled_index_comes_back(key: str, seed: int, which: int) -> None:
    rules = find_rules(key)
    pairs = slice_pairs(5)
    material = pairs[which % len(pairs)]
    index = seed % material.positions(rules)
    boards = unrank_position(rules.traits, np.int64(index), *material.counts)
    assert rank_position(rules.traits, *boards) == index
    plain = unrank_position.plain(rules.traits.plain, index, *material.counts)
    assert tuple(map(unsigned, boards)) == plain


@pytest.mark.parametrize("text", ["MvM", "KvK", "KMvM", "MMvK", "KKvKM"])
@pytest.mark.parametrize("key", ["english", "international", "turkish"])
def test_whole_slices_are_bijections(key: str, text: str) -> None:
    rules, material = find_rules(key), Material.parse(text)
    size = material.positions(rules)
    step = max(1, size // 4000)
    seen = set()
    for index in range(0, size, step):
        boards = unrank_position.plain(rules.traits.plain, index, *material.counts)
        assert rank_position.plain(rules.traits.plain, *boards) == index
        seen.add(boards)
    assert len(seen) == len(range(0, size, step))


def test_worked_example_of_the_docstring() -> None:
    assert rank_position.plain(find_rules("english").traits.plain, 1 << 31, 0, 0, 1) == 837


def test_binomials() -> None:
    assert BINOMIAL[64, 5] == comb(64, 5)
    for n in range(1, 40):  # Pascal
        assert (BINOMIAL[n, 1:20] == BINOMIAL[n - 1, 1:20] + BINOMIAL[n - 1, :19]).all()


def test_ranks_are_colexicographic() -> None:
    assert rank_set.plain(0b110010, 0) == 17
    boards = [unrank_set.plain(rank, 3, 0b1000, 8) for rank in range(comb(7, 3))]
    assert boards == sorted(boards)
    assert not any(board & 0b1000 for board in boards)


def test_material_text() -> None:
    material = Material.parse("KKMvKM")
    assert material.counts == (1, 2, 1, 1)
    assert str(material) == "KKMvKM"
    assert str(material.mirror) == "KMvKKM"
    assert material.mirror.canonical == material
    assert Material.parse("KvK").pair == (Material.parse("KvK"),)
    for bad in ("KKM", "MKvK", "KvKQ", "", "kvk"):
        with pytest.raises(ValueError, match="no material"):
            Material.parse(bad)


@pytest.mark.parametrize("pieces", [4, 6])
def test_solving_order_closes_under_dependencies(pieces: int) -> None:
    pairs = slice_pairs(pieces)
    place = {pair: i for i, pair in enumerate(pairs)}
    assert len(place) == len(pairs)
    for pair in pairs:
        assert all(place[needed] < place[pair] for needed in pair.dependencies())


def test_dependencies_of_a_slice() -> None:
    names = {str(m) for m in Material.parse("KMvK").dependencies()}
    assert names == {"KvK", "KvM", "KKvK"}  # either piece taken; promoted


def test_slice_numbers_are_different() -> None:
    sides = {side for pair in slice_pairs(8) for side in pair.pair}
    assert len({side.number for side in sides}) == len(sides)
    assert all(side.number < SLICE_NUMBERS for side in sides)


@given(counts=st.tuples(*[st.integers(0, 63)] * 4))
def test_slice_numbers_have_an_inverse(counts: tuple[int, int, int, int]) -> None:
    assert slice_counts(Material(*counts).number) == counts


def test_every_rule_set_has_a_digest_of_its_own() -> None:
    with_tables = [rules for rules in RULE_SETS.values() if rules.has_tables]
    assert len({rules.digest for rules in with_tables}) == len(with_tables)
