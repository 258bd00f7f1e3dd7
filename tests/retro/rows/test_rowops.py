"""Row operations against sets of placements in plain Python."""

from __future__ import annotations

import random
from itertools import combinations
from math import comb

import numpy as np
import pytest

from crownbase.retro.rows import rowops, storage, tables, transpose
from crownbase.retro.rows.schedule import groups_of
from crownbase.rules import find_rules

BOARD = find_rules("english").board


def some_ranks(kings: int, seed: int) -> set[int]:
    rng = random.Random(seed)
    return {r for r in range(comb(32, kings)) if rng.random() < 0.4}


@pytest.mark.parametrize("kings", [1, 2, 3])
def test_tables_number_all_sets(kings: int) -> None:
    table = tables.king_tables(kings, BOARD)
    masks = [sum(1 << s for s in chosen) for chosen in combinations(range(32), kings)]
    assert table.masks.tolist() == sorted(masks)
    ranks = {m: r for r, m in enumerate(table.masks.tolist())}
    turned = [ranks[int(f"{m:032b}"[::-1], 2)] for m in table.masks.tolist()]
    assert table.turned.tolist() == turned
    near, _ = tables.neighbours(BOARD)
    for m, r in list(ranks.items())[:: len(ranks) // 30]:
        steps = {
            ranks[m ^ (1 << s) ^ (1 << int(t))]
            for s in range(32)
            for t in near[4 * s : 4 * s + 4]
            if m >> s & 1 and t < 32 and not m >> int(t) & 1
        }
        first, last = table.step_start[r : r + 2]
        assert set(table.step_target[first:last].tolist()) == steps


def test_rank_halves_rank_any_set() -> None:
    low, high = tables.rank_halves()
    rng = random.Random(4)
    for count in range(1, 9):
        squares = sorted(rng.sample(range(32), count))
        board = sum(1 << s for s in squares)
        rank = sum(comb(s, i + 1) for i, s in enumerate(squares))
        found = int(low[board & 0xFFFF]) + int(high[(board & 0xFFFF).bit_count(), board >> 16])
        assert found == rank == storage.rank_few(board)


@pytest.mark.parametrize("kings", [2, 3])
@pytest.mark.parametrize("square", [0, 5, 17, 31])
def test_change_of_domain(rows, kings: int, square: int) -> None:
    masks, smaller = rows.masks(kings), rows.masks(kings - 1)
    rank = {m: r for r, m in enumerate(masks)}
    others = some_ranks(kings - 1, square)
    free = {r for r in others if not smaller[r] >> square & 1}
    expanded = {rank[smaller[r] | 1 << square] for r in free}
    before = some_ranks(kings, square + 100)
    target = rows.new(kings, before)
    if kings == 2:
        board = sum(1 << r for r in others)
        rowops.expand_board(rows.address, target.ctypes.data, board & ~(1 << square), square)
        back = rowops.compress_board(rows.address, target.ctypes.data, square)
        compressed = {s for s in range(32) if back >> s & 1}
    else:
        source = rows.new(kings - 1, others)
        rowops.expand(rows.address, target.ctypes.data, source.ctypes.data, kings, square)
        result = rows.new(kings - 1)
        rowops.compress(rows.address, result.ctypes.data, target.ctypes.data, kings, square)
        compressed = rows.ranks(result)
    after = before | expanded
    assert rows.ranks(target) == after
    holding = {masks[r] ^ 1 << square for r in after if masks[r] >> square & 1}
    assert {smaller[r] for r in compressed} == holding


@pytest.mark.parametrize("kings", [2, 3])
def test_sets_that_avoid_squares(rows, kings: int) -> None:
    row = rows.new(kings)
    rowops.full_row(rows.address, row.ctypes.data, kings)
    assert rows.ranks(row) == set(range(comb(32, kings)))
    avoided = 1 << 3 | 1 << 20 | 1 << 31
    rowops.without_squares(rows.address, row.ctypes.data, row.ctypes.data, kings, avoided)
    assert rows.ranks(row) == {r for r, m in enumerate(rows.masks(kings)) if not m & avoided}
    assert rowops.count_row(row.ctypes.data, len(row)) == comb(29, kings)


@pytest.mark.parametrize("k, b", [(1, 1), (1, 2), (2, 1), (2, 2), (1, 3), (3, 1), (2, 3)])
def test_transposes_turn_the_board(rows, k: int, b: int) -> None:
    random_bits = np.random.default_rng(k * 10 + b).random((comb(32, k), comb(32, b))) < 0.3

    def pack(bits: np.ndarray, kings: int) -> np.ndarray:
        words = tables.row_words(kings)
        width = 32 if kings == 1 else words * 64
        padded = np.zeros((len(bits), width), np.uint8)
        padded[:, : bits.shape[1]] = bits
        packed = np.packbits(padded, axis=1, bitorder="little").reshape(-1)
        out = tables.aligned_words(-(-len(packed) // 8) + 64)
        out.view(np.uint8)[: len(packed)] = packed
        return out

    plane = pack(random_bits, b)
    own, opp = (tables.king_tables(n, BOARD).turned for n in (k, b))
    expected = np.empty((comb(32, b), comb(32, k)), bool)
    expected[np.ix_(opp, own)] = random_bits.T
    place = tables.aligned_words(len(pack(expected, k)))
    flags = np.ones(100000, np.uint8)
    address = plane.ctypes.data, place.ctypes.data
    transpose.transpose_plane(rows.address, k, b, *address, 0, flags.ctypes.data, 1)
    assert (place == pack(expected, k)).all()
    assert not flags[: transpose.tile_count(rows.address, k, b)].any()


@pytest.mark.parametrize("own_men, opp_men", [(0, 0), (1, 0), (0, 2), (1, 1), (2, 1), (2, 2)])
def test_groups_are_numbered_without_gaps(rows, own_men: int, opp_men: int) -> None:
    groups = groups_of(own_men, opp_men)
    numbers = {
        storage.group_number(rows.address, int(om), int(pm))
        for om, pm in zip(groups.own_men, groups.opp_men, strict=True)
    }
    assert numbers == set(range(len(groups.own_men)))
    if (own_men, opp_men) in rows.planes.groups:
        assert rows.planes.groups[own_men, opp_men] == len(numbers)
