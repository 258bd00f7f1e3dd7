"""Scores: operations on bytes against plain Python, and whole pairs against the scalar solver."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from crownbase.index import Material
from crownbase.index.material import slice_pairs
from crownbase.jit import kernel
from crownbase.retro import solve_all
from crownbase.retro import solve_pair as solve_pair_scalar
from crownbase.retro.rows import byte_vectors as bv
from crownbase.retro.rows import scores, words
from crownbase.retro.rows.context import StaticTables
from crownbase.retro.rows.pair import can_solve_pair, solve_pair
from crownbase.retro.rows.score_captures import join_board, join_row
from crownbase.retro.rows.score_groups import scatter_scores
from crownbase.retro.rows.score_lone import passed
from crownbase.retro.rows.score_runs import code_of_score, score_of_code
from crownbase.retro.rows.scoring import ScoreSolver
from crownbase.retro.rows.tables import aligned_words, king_tables
from crownbase.retro.rows.vectors import vload, vstore
from crownbase.rules import find_rules

ENGLISH = find_rules("english")


def set_of(flags: np.ndarray) -> int:
    return int(np.packbits(flags, bitorder="little").view(np.int64)[0])


@kernel
def on_bytes(source, target, byte, bits):
    a = vload(source, 0)
    vstore(target, 0, bv.bmax(a, vload(source, 8)))
    vstore(target, 8, bv.bspread(bits))
    vstore(target, 16, bv.bpass(a))
    words.store(target, 24, bv.bequal(a, byte))
    words.store(target, 25, bv.babove(a, byte))


@pytest.mark.parametrize("byte", [0, 1, 127, 128, 129, 255])
def test_byte_vectors(byte: int) -> None:
    random = np.random.default_rng(byte)
    source = aligned_words(16).view(np.uint8)
    source[:] = random.integers(0, 256, 128)
    source[::5] = byte
    flags = random.integers(0, 2, 64).astype(bool)
    compiled, plain = np.zeros(26, np.int64), np.zeros(26, np.int64)
    on_bytes(source.ctypes.data, compiled.ctypes.data, byte, set_of(flags))
    on_bytes.plain(source.ctypes.data, plain.ctypes.data, byte, set_of(flags))
    assert (compiled == plain).all()
    largest, spread, after = compiled[:24].view(np.uint8).reshape(3, 64)
    assert (largest == np.maximum(source[:64], source[64:])).all()
    assert (spread == np.where(flags, 255, 0)).all()
    assert after.tolist() == [passed.plain(int(x)) for x in source[:64]]
    assert compiled[24] == set_of(source[:64] == byte)
    assert compiled[25] == set_of(source[:64] > byte)


def test_scores_of_codes_and_plies() -> None:
    codes = [0, *range(1, 254, 2), *(~d for d in range(0, 253, 2))]
    through = [score_of_code.plain(code) for code in codes]
    assert [code_of_score.plain(score) for score in through] == codes
    assert len(set(through)) == len(codes) and min(through) > 0 and max(through) == 255
    for code, score in zip(codes, through, strict=True):
        d = code if code > 0 else ~code
        own = 128 if code == 0 else scores.round_score.plain(d)
        assert passed.plain(own) == score, code
        if code and d < 253:  # one ply more, and the other way round
            assert score == scores.round_score.plain(d + 1)
    # Quick wins are best, then slow ones, draws, long losses, short ones.
    order = [scores.round_score.plain(d) for d in (1, 3, 253)] + [128]
    order += [scores.round_score.plain(d) for d in (252, 4, 2, 0)]
    assert order == sorted(order, reverse=True)


@kernel
def on_rows(source, target, turned, byte, bits):
    scores.merge(target, source, bits)
    scores.raise_byte(target, 3, byte)
    scores.raise_byte(target, 4, byte)
    scores.put_score(target + 64, byte, bits)
    scatter_scores(source, bits, target + 128, turned, 5, 3)


@pytest.mark.parametrize("compiled", [True, False])
def test_rows_of_scores(compiled: bool) -> None:
    random = np.random.default_rng(7)
    source = aligned_words(8).view(np.uint8)
    source[:] = random.integers(0, 256, 64)
    flags = random.integers(0, 2, 64).astype(bool)
    turned = random.permutation(69).astype(np.uint32)
    before = random.integers(0, 256, 128 + 3 * 69 + 64).astype(np.uint8)
    target = aligned_words(len(before) // 8 + 1).view(np.uint8)[: len(before)]
    target[:] = before
    run = on_rows if compiled else on_rows.plain
    run(source.ctypes.data, target.ctypes.data, turned.ctypes.data, 77, set_of(flags))
    merged = np.where(flags, np.maximum(before[:64], source), before[:64])
    merged[3:5] = np.maximum(merged[3:5], 77)
    assert (target[:64] == merged).all()
    assert (target[64:128] == np.where(flags, 77, before[64:128])).all()
    expected = before[128:].copy()
    for i in np.flatnonzero(flags):
        expected[3 * turned[5 + i]] = source[i]
    assert (target[128:] == expected).all()


@kernel
def join(ctx, target, source, others, board, kings, square):
    if kings == 2:
        join_board(ctx, target, source, board, square)
    else:
        join_row(ctx, target, source, others, kings, square)


@pytest.mark.parametrize("kings", [2, 3])
def test_join_puts_scores_at_the_set_with_the_king(kings: int) -> None:
    planes = scores.ScorePlanes([(0, 1, 0, 1), (0, 3, 0, 3)])
    context = scores.ScoreContext(StaticTables(3, ENGLISH.board), planes)
    tables = [king_tables(n, ENGLISH.board).masks.tolist() for n in (kings - 1, kings)]
    rank = {mask: r for r, mask in enumerate(tables[1])}
    random = np.random.default_rng(kings)
    square = 13
    flags = np.array([not m >> square & 1 and random.random() < 0.5 for m in tables[0]])
    flags = np.concatenate([flags, np.zeros(512 - len(flags), bool)])
    source = random.integers(0, 256, 512).astype(np.uint8)
    target = random.integers(0, 256, len(tables[1])).astype(np.uint8)
    expected = target.copy()
    for r in np.flatnonzero(flags):
        at = rank[tables[0][r] | 1 << square]
        expected[at] = max(expected[at], source[r])
    others = np.packbits(flags, bitorder="little").view(np.int64)
    board = int(others[0]) & 0xFFFFFFFF
    join(
        context.address, target.ctypes.data, source.ctypes.data, others.ctypes.data, board,
        kings, square,
    )  # fmt: skip
    assert (target == expected).all()


def check_pairs(key: str, pieces: int, threads: int = 1) -> None:
    store = solve_all(key, slice_pairs(pieces), "dtw")
    for material in slice_pairs(pieces):
        solved = solve_pair(key, material, store, "dtw", threads=threads)
        assert solved.metric == "dtw" and not solved.has_cursed
        assert set(solved.values) == set(material.pair)
        for side, codes in solved.values.items():
            assert codes.dtype == np.int16
            assert (codes == store[side]).all(), str(side)


def test_all_pairs_of_four_pieces_are_the_scalar_solvers() -> None:
    check_pairs("english", 4)


def test_threads_change_nothing() -> None:
    check_pairs("english", 3, threads=2)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "pieces", "threads"),
    [(key, 4, 1) for key in ("english-optional", "italian", "russian", "spanish")]
    + [("english", 5, 2)],
)
def test_more_pairs_are_the_scalar_solvers(key: str, pieces: int, threads: int) -> None:
    check_pairs(key, pieces, threads)


def test_a_pair_of_five_pieces() -> None:
    """KKK v KK: two and three kings in a row, up to 67 plies."""
    store = solve_all("english", tuple(p for p in slice_pairs(4) if not p.men), "dtw")
    material = Material.parse("KKKvKK")
    ours = solve_pair("english", material, store, "dtw", threads=2).values
    theirs = solve_pair_scalar("english", material, store, "dtw").values
    assert all((ours[side] == theirs[side]).all() for side in material.pair)
    assert max(int(codes.max()) for codes in ours.values()) == 67


@pytest.mark.parametrize("text", ["KKvK", "KvMM", "MMvM", "KMvK"])
@pytest.mark.parametrize("loss", [252, 254])
def test_too_long_distances_are_left_to_the_scalar_solver(text: str, loss: int) -> None:
    """What is below is made to look long: first within what a byte holds, then beyond it."""
    material = Material.parse(text)
    store = solve_all("english", slice_pairs(3), "dtw")
    for side in store:
        store[side] = np.where(store[side] == 0, 0, np.where(store[side] < 0, ~loss, loss - 1))
        store[side] = store[side].astype(np.int16)
    below = {side.counts: store[side] for p in material.dependencies() for side in p.pair}
    assert ScoreSolver(ENGLISH, material.canonical.counts, below).solve() is None
    ours = solve_pair("english", material, store, "dtw").values
    theirs = solve_pair_scalar("english", material, store, "dtw").values
    assert all((ours[side] == theirs[side]).all() for side in material.pair)


@pytest.mark.slow
@pytest.mark.parametrize("key", ["brazilian", "czech", "pool", "pure"])
def test_three_pieces_of_other_rule_sets(key: str) -> None:
    check_pairs(key, 3)


def test_other_boards_are_refused() -> None:
    wide = find_rules("international")
    plain = replace(
        wide, flying_kings=False, capture_choice=(), promotion_in_capture="stop", key="own"
    )
    assert can_solve_pair(ENGLISH, "dtw")
    for rules in (find_rules("turkish"), wide, plain):
        assert not can_solve_pair(rules, "dtw")
        with pytest.raises(ValueError, match="by rows"):
            ScoreSolver(rules, (0, 1, 0, 1), {})
