"""Random rule sets against the second implementation: moves, text, all values of small databases.

Values without and with a draw clock, from arrays and from table files that were built and verified.

The slow form (``pytest -m slow tests/test_random_rules.py``) does the same thousands of times;
``RANDOM_RULES_FIRST`` and ``RANDOM_RULES_COUNT`` in the environment choose the seeds.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import crownbase as cb
import naive
import naive_moves
from crownbase.board.bits import signed
from crownbase.index import Material, rank_position, slice_pairs
from crownbase.jit import kernels as jit
from crownbase.play.hub_text import Dialect
from crownbase.retro import solve_pair
from crownbase.retro.values import CURSED
from crownbase.retro.verify import check_slice
from crownbase.rules import Rules
from crownbase.rules.rule_files import load_rules
from random_rules import LARGE, SMALL, TINY, Drawn, draw_rules, shared

FIRST = int(os.environ.get("RANDOM_RULES_FIRST", "1000"))
COUNT = int(os.environ.get("RANDOM_RULES_COUNT", "2000"))


@pytest.fixture(autouse=True)
def _forget(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a test enters into the second implementation's tables is gone after it."""
    monkeypatch.setattr(naive_moves, "CHOICES", dict(naive_moves.CHOICES))
    before = set(naive.RULES)
    yield
    for name in set(naive.RULES) - before:
        del naive.RULES[name]


def random_board(name: str, rng: random.Random, most: int) -> naive.Board:
    n = naive.square_count(name)
    board: naive.Board = {}
    for square in rng.sample(range(1, n + 1), rng.randint(2, min(most, n // 2 + 1))):
        piece = rng.choice("wbWBWB" if rng.random() < 0.5 else "wbwbWB")
        if not naive.is_king(piece) and naive_moves.on_last_row(name, naive.colour(piece), square):
            piece = piece.upper()
        board[square] = piece
    return board


def check_position(drawn: Drawn, turn: str, board: naive.Board) -> None:
    """The same moves as the twin; every text and the FEN read back."""
    position = cb.Position.from_fen(naive.fen(turn, board), rules=drawn.rules)
    assert cb.Position.from_fen(position.fen(), rules=drawn.rules) == position
    moves = position.legal_moves()
    found = {(m.start, m.end, frozenset(m.captured), m.promotes) for m in moves}
    where = f"{drawn.text}{position.fen()}"
    assert found == naive.legal_moves(drawn.name, turn, board), where
    assert len(found) == len(moves) == len({str(m) for m in moves}), where
    for move in moves:
        assert position.parse_move(str(move)) == move, f"{where} {move}"
        raw = (move.start, move.end, frozenset(move.captured), move.promotes)
        assert move.is_conversion == naive.is_conversion(drawn.name, board, raw), where
        assert naive.fen(*naive.result(turn, board, raw)) == numbers(position.play(move)), where


def numbers(position: cb.Position) -> str:
    """FEN with numbers, also where the rule set writes letters."""
    sides = []
    boards = (("W", position.white_men, position.white_kings),
              ("B", position.black_men, position.black_kings))  # fmt: skip
    for side, men, kings in boards:
        squares = [s for s in range(64) if (men | kings) >> s & 1]
        sides.append(side + ",".join("K" * (kings >> s & 1) + str(s + 1) for s in squares))
    return ":".join([position.turn, *sides])


def check_moves(seed: int, folder: Path, positions: int) -> None:
    drawn = draw_rules(seed, folder, SMALL + LARGE)
    drawn = drawn._replace(rules=shared(drawn.rules))
    rng = random.Random(f"positions {seed}")
    turn, board = naive.start_position(drawn.name)
    assert numbers(cb.Position.start(drawn.rules)) == naive.fen(turn, board)
    for _ in range(positions):
        check_position(drawn, rng.choice("WB"), random_board(drawn.name, rng, 14))


def place(drawn: Drawn, position: naive.Key) -> tuple[Material, int]:
    boards = dict.fromkeys("wWbB", 0)
    for square, piece in position:
        boards[piece] |= 1 << (square - 1)
    mover_first = [boards[piece] for piece in "wWbB"]
    return Material.of(*mover_first), rank_position(drawn.rules.traits, *map(signed, mover_first))


def check_values(drawn: Drawn, wanted: int | str) -> None:
    """Every DTC and DTW (so WDL), by the solver, its verifier and the twin.

    *wanted*: up to so many pieces, or a material and all that it leads to.
    """
    values = naive.solve(drawn.name, wanted)
    places = {position: place(drawn, position) for position in values}
    reached = {material.canonical for material, _ in places.values()}
    needed = reached | {pair for material in reached for pair in material.dependencies()}
    for metric in ("dtc", "dtw"):
        store: dict[Material, np.ndarray] = {}
        for pair in slice_pairs(max(material.pieces for material in needed)):
            if pair in needed and pair.positions(drawn.rules):
                store |= solve_pair(drawn.rules, pair, store, metric).values
        codes = {material: store[material].copy() for material, _ in places.values()}
        for position, value in values.items():
            material, index = places[position]
            plies = getattr(value, metric)
            codes[material][index] = plies if value.wdl > 0 else ~plies if value.wdl else 0
        for material, expected in codes.items():
            wrong = np.flatnonzero(store[material] != expected)
            assert not len(wrong), f"{drawn.text}{metric} {material}: {len(wrong)} values differ"
            assert check_slice(drawn.rules, material, store, metric) is None, drawn.text


def drawn_material(seed: int, pieces: int) -> str:
    names = [name for name in naive.materials(pieces) if len(name) == pieces + 1]
    return random.Random(f"material {seed}").choice(names)


def check_clock(drawn: Drawn, seed: int, pieces: int) -> None:
    """A material under the draw clock of the file: at each clock, and by the verifier.

    With c plies on the clock a value stands if and only if c + DTC <= limit, and what the clock
    spoils is a value without it.
    """
    limit = drawn.rules.quiet_limit
    assert limit is not None
    name = drawn_material(seed, pieces)
    material = Material.parse(name)
    free: dict[Material, np.ndarray] = {}
    store: dict[Material, np.ndarray] = {}
    for pair in slice_pairs(pieces):
        if pair.positions(drawn.rules):
            free |= solve_pair(drawn.rules, pair, free).values
            store |= solve_pair(drawn.rules, pair, store, quiet_limit=limit).values
    for position, results in naive.solve_with_clock(drawn.name, name, limit).items():
        code = int(store[material][place(drawn, position)[1]])
        sign, plies = int(np.sign(code)), code if code >= 0 else ~code
        where = f"{drawn.text}{position}: {code}, not {results}"
        stands = [code != 0 and clock + plies <= limit for clock in range(limit + 1)]
        assert results == [sign * stand for stand in stands], where
        assert plies < CURSED or not any(stands), where
    if material in store:
        assert (np.sign(store[material]) == np.sign(free[material])).all(), drawn.text
        assert check_slice(drawn.rules, material, store, "dtc", limit) is None, drawn.text


def check_files(drawn: Drawn, seed: int, folder: Path, pieces: int) -> None:
    """Build, verify, and ask the tables for every position, under the draw clock of the file."""
    limit = drawn.rules.quiet_limit
    assert limit is not None
    cb.build(folder, drawn.rules, pieces, jobs=1, solver="scalar")
    assert cb.verify(folder, drawn.rules, jobs=1).faults == [], drawn.text
    values = naive.solve(drawn.name, pieces)
    clocked = naive.solve_with_clock(drawn.name, drawn_material(seed, pieces), limit)
    with cb.open_tablebase(folder, drawn.rules) as tables:
        for key, value in values.items():
            position = cb.Position.from_fen(naive.fen("W", dict(key)), rules=drawn.rules)
            found = tables.probe(position)
            plies = value.dtw if value.wdl > 0 else -value.dtw
            assert (found.wdl, found.dtw) == (value.wdl, plies), f"{drawn.text}{position.fen()}"
            for clock, wanted in enumerate(clocked.get(key, ())):
                category = tables.probe(position, clock=clock).category
                sign = {"win": 1, "loss": -1}.get(category, 0)
                assert sign == wanted, f"{drawn.text}{position.fen()} clock {clock}"


@pytest.mark.parametrize("seed", range(40))
def test_moves_and_text(seed: int, tmp_path: Path) -> None:
    check_moves(seed, tmp_path, 12)


@pytest.mark.slow
def test_moves_and_text_of_many(tmp_path: Path) -> None:
    for seed in range(FIRST, FIRST + COUNT):
        check_moves(seed, tmp_path, 60)


@pytest.mark.parametrize("seed", range(8))
def test_values(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels as plain Python, so that no rule set has to be compiled."""
    monkeypatch.setattr(jit, "INTERPRETED", True)
    drawn = draw_rules(seed, tmp_path, TINY)
    check_values(drawn, 2)
    check_clock(drawn, seed, 2)


@pytest.mark.parametrize("seed", range(3))
def test_files(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "INTERPRETED", True)
    check_files(draw_rules(seed, tmp_path, TINY), seed, tmp_path / "db", 2)


@pytest.mark.slow
def test_values_of_many(tmp_path: Path) -> None:
    """Three pieces on small boards, now and then two on large ones."""
    for seed in range(FIRST, FIRST + COUNT):
        large = seed % 10 == 0
        drawn = draw_rules(seed, tmp_path, LARGE if large else SMALL)
        drawn = drawn._replace(rules=shared(drawn.rules))
        few = naive.square_count(drawn.name) <= (16 if seed % 4 == 1 else 12)
        check_values(drawn, 3 if few else 2)
        check_clock(drawn, seed, 3 if few else 2)
        if seed % 8 == 1:
            check_files(drawn, seed, tmp_path / f"db{seed}", 2)


def from_text(text: str, folder: Path) -> Rules:
    path = folder / "own.toml"
    path.write_text(text, encoding="utf-8")
    return load_rules(path)


SHORT_KINGS = """key = "short"
base = "turkish"
flying_kings = false
lone_pieces_draw = false
men_rows = 1
empty_back_rows = 0
[board]
rows = {}
columns = {}
"""


def short_kings(rows: int, columns: int, folder: Path) -> Drawn:
    """Turkish with short kings on a small board."""
    rules = from_text(SHORT_KINGS.format(rows, columns), folder)
    naive.RULES["short"] = replace(
        naive.RULES["turkish"], size=rows, columns=columns, flying=False, one_each_is_draw=False
    )
    return Drawn(SHORT_KINGS, rules, "short")


def test_sideways_men_with_short_kings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "INTERPRETED", True)
    check_values(short_kings(4, 4, tmp_path), "MvKK")


@pytest.mark.slow
def test_sideways_men_with_short_kings_of_three_pieces(tmp_path: Path) -> None:
    """Whatever White does, Black takes: lost in 2 (issue of a user, and the twin)."""
    drawn = short_kings(5, 6, tmp_path)
    drawn = drawn._replace(rules=shared(drawn.rules))
    store: dict[Material, np.ndarray] = {}
    for pair in slice_pairs(3):
        store |= solve_pair(drawn.rules, pair, store, "dtw").values
    lost = cb.Position.from_fen("W:Wa4:BKa5,Kb5", rules=drawn.rules)
    index = rank_position(drawn.rules.traits, *map(signed, lost.boards))
    assert store[Material.of(*lost.boards)][index] == ~2
    check_values(drawn, 3)


def test_optional_captures_of_flying_kings(tmp_path: Path) -> None:
    """A quiet move and a capture between the same squares: the sign tells them apart."""
    text = 'key = "fly-opt"\nbase = "english"\nflying_kings = true\ncaptures_mandatory = false\n'
    rules = from_text(text, tmp_path)
    position = cb.Position.from_fen("W:WK21:B18,25,26", rules=rules)
    texts = {str(move) for move in position.legal_moves()}
    assert {"21-14", "21x14"} <= texts and len(texts) == len(position.legal_moves())
    for text, taken in (("21-14", 0), ("21x14", 3), ("21:14", 3), ("21–14", 0)):
        move = position.parse_move(text)
        assert (move.end, len(move.captured)) == (14, taken)
        game = cb.Game(rules, fen=position.fen())
        game.play(move)
        assert cb.Game.from_pdn(game.pdn(), rules=rules).position == game.position
        dialect = Dialect(rules)
        assert dialect.read_move(position, dialect.write_move(move)) == move


@pytest.mark.parametrize("also", ['"with-king"', '"most-pieces", "with-king"'])
def test_with_king_asks_for_the_piece_that_begins(also: str, tmp_path: Path) -> None:
    """A man that is crowned half-way and takes on as a king has captured as a man."""
    text = f"""key = "crowned"\nbase = "english"\npromotion_in_capture = "king"
capture_choice = [{also}]\n"""
    rules = from_text(text, tmp_path)
    # Two pieces each way: 9x2x11 with a man that is crowned on 2, 29x22x15 with a king.
    position = cb.Position.from_fen("W:W9,K29:B6,7,25,18", rules=rules)
    assert {move.start for move in position.legal_moves()} == {29}
    alone = cb.Position.from_fen("W:W9:B6,7,25,18", rules=rules)
    assert [move.captured for move in alone.legal_moves()] == [(6, 7)]
