"""Rows on 10x10: no row is a packed board, and every operation works on whole vectors."""

from __future__ import annotations

import random
from itertools import combinations
from math import comb

import numpy as np
import pytest

from crownbase.index.material import slice_pairs
from crownbase.retro import solve_all, solve_pair
from crownbase.retro.rows import RowSolver, keys, rowops, storage, tables, transpose
from crownbase.retro.rows.distances import time_slice
from crownbase.retro.rows.pair import solve_pair as solve_pair_by_rows
from crownbase.retro.rows.schedule import all_slices, groups_of
from crownbase.rules import find_rules

SQUARES = 50
GEOMETRY = find_rules("international").board


@pytest.mark.parametrize("kings", [0, 1, 2, 3])
def test_tables_number_all_sets(kings: int) -> None:
    table = tables.king_tables(kings, GEOMETRY, True)
    masks = sorted(sum(1 << s for s in chosen) for chosen in combinations(range(SQUARES), kings))
    assert table.masks.tolist() == masks
    ranks = {m: r for r, m in enumerate(masks)}
    assert table.turned.tolist() == [ranks[int(f"{m:050b}"[::-1], 2)] for m in masks]
    for square in (0, 31, 32, 49):
        bits = np.unpackbits(table.contains[square].view(np.uint8), bitorder="little")
        assert bits[: len(masks)].tolist() == [m >> square & 1 for m in masks]
        assert not bits[len(masks) :].any()


@pytest.mark.parametrize("kings", [1, 2, 3])
@pytest.mark.parametrize("square", [0, 17, 32, 49])
def test_change_of_domain(wide_rows, kings: int, square: int) -> None:
    rng = random.Random(100 * kings + square)
    masks, smaller = wide_rows.masks(kings), wide_rows.masks(kings - 1)
    rank = {m: r for r, m in enumerate(masks)}
    others = {r for r in range(len(smaller)) if rng.random() < 0.4}
    before = {r for r in range(len(masks)) if rng.random() < 0.4}
    source, target, result = (
        wide_rows.new(kings - 1, others), wide_rows.new(kings, before), wide_rows.new(kings - 1),
    )  # fmt: skip
    change = wide_rows.address, target.ctypes.data, source.ctypes.data, kings, square
    rowops.expand(*change)
    added = {rank[smaller[r] | 1 << square] for r in others if not smaller[r] >> square & 1}
    assert wide_rows.ranks(target) == before | added
    again = wide_rows.new(kings, before)
    keys.put_in(wide_rows.address, again.ctypes.data, *change[2:])
    assert wide_rows.ranks(again) - before <= added | before
    held = {masks[r] ^ 1 << square for r in before | added if masks[r] >> square & 1}
    for compress in (rowops.compress, keys.take_out):
        compress(wide_rows.address, result.ctypes.data, target.ctypes.data, kings, square)
        assert {smaller[r] for r in wide_rows.ranks(result)} == held


@pytest.mark.parametrize("k, b", [(1, 1), (1, 2), (2, 1), (2, 2), (1, 3), (3, 1)])
def test_transposes_turn_the_board(wide_rows, k: int, b: int) -> None:
    own, opp = (tables.king_tables(n, GEOMETRY).turned for n in (k, b))
    bits = np.random.default_rng(k * 10 + b).random((len(own), len(opp))) < 0.3

    def pack(matrix: np.ndarray, kings: int) -> np.ndarray:
        padded = np.zeros((len(matrix), tables.row_words(kings, wide_rows.board) * 64), np.uint8)
        padded[:, : matrix.shape[1]] = matrix
        packed = np.packbits(padded, axis=1, bitorder="little").reshape(-1)
        out = tables.aligned_words(len(packed) // 8)
        out.view(np.uint8)[:] = packed
        return out

    expected = np.empty((len(opp), len(own)), bool)
    expected[np.ix_(opp, own)] = bits.T
    plane, wanted = pack(bits, b), pack(expected, k)
    place = tables.aligned_words(len(wanted))
    flags = np.ones(transpose.tile_count(wide_rows.address, k, b) + 8, np.uint8)
    address = plane.ctypes.data, place.ctypes.data
    transpose.transpose_plane(wide_rows.address, k, b, *address, 0, flags.ctypes.data, 1)
    assert (place == wanted).all()
    assert flags.sum() == 8


@pytest.mark.parametrize("own_men, opp_men", [(0, 0), (1, 0), (0, 2), (1, 1), (2, 1)])
def test_groups_are_numbered_without_gaps(wide_rows, own_men: int, opp_men: int) -> None:
    groups = groups_of(own_men, opp_men, wide_rows.board)
    numbers = {
        storage.group_number(wide_rows.address, int(om), int(pm))
        for om, pm in zip(groups.own_men, groups.opp_men, strict=True)
    }
    assert numbers == set(range(len(groups.own_men)))
    assert len(numbers) == wide_rows.planes.groups[own_men, opp_men]
    positions = storage.positions_of((own_men, 2, opp_men, 1), len(numbers), wide_rows.board)
    free = SQUARES - own_men - opp_men
    assert positions == len(numbers) * comb(free, 2) * (free - 2)


@pytest.mark.slow
def test_distances_are_the_scalar_solvers() -> None:
    store = solve_all("international", slice_pairs(3))
    solver = RowSolver("international", all_slices(3))
    for material in slice_pairs(3):
        timed = time_slice(solver, material.counts)
        for side in material.pair:
            assert (timed.values[side.counts] == store[side]).all(), str(side)


@pytest.mark.slow
@pytest.mark.parametrize("limit", [3, 6])
def test_the_draw_clock(limit: int) -> None:
    store = {}
    for material in slice_pairs(3):
        theirs = solve_pair("international", material, store, quiet_limit=limit)
        ours = solve_pair_by_rows("international", material, store, quiet_limit=limit)
        assert ours.has_cursed == theirs.has_cursed
        for side, codes in theirs.values.items():
            assert (ours.values[side] == codes).all(), str(side)
        store |= theirs.values
