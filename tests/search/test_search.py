"""The search against tables, against plain minimax, and its limits, lines and histories."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import pytest

from crownbase.board import Position
from crownbase.rules import RULE_SETS, Rules
from crownbase.search import Limits, Searcher, search
from crownbase.search.root import look_up


def sign(value: int) -> int:
    return (value > 0) - (value < 0)


def forced_result(position: Position, depth: int) -> int:
    """Plain minimax: 1 or -1 if the game is decided within *depth* plies, else 0."""
    if position.is_lone_pieces_draw:
        return 0
    moves = position.legal_moves()
    if not moves:
        return -1
    if depth == 0:
        return 0
    return max(-forced_result(position.play(move), depth - 1) for move in moves)


def random_position(rules: Rules, rng: random.Random) -> Position:
    n, w = rules.board.n_squares, rules.board.width
    while True:
        squares = rng.sample(range(n), rng.choice((2, 3, 4)))
        boards = [0, 0, 0, 0]
        for i, square in enumerate(squares):
            side = 0 if i == 0 else 2 if i == 1 else rng.choice((0, 2))
            man_may_stand = w <= square if side == 0 else square < n - w
            boards[side + (0 if man_may_stand and rng.random() < 0.5 else 1)] |= 1 << square
        return Position.from_boards(rules, rng.choice("WB"), tuple(boards))


@pytest.mark.parametrize("key", [key for key in RULE_SETS if RULE_SETS[key].has_tables])
def test_what_it_calls_proven_is_forced(key: str) -> None:
    rng = random.Random(key)
    searcher = Searcher(RULE_SETS[key], compiled=False)
    proven = 0
    for _ in range(25):
        position = random_position(RULE_SETS[key], rng)
        found = searcher.search(position, Limits(depth=4, nodes=3000))
        truth = forced_result(position, 3)
        if truth:
            assert found.category == ("win" if truth > 0 else "loss"), position.fen()
        if found.category in ("win", "loss") and found.plies is not None and found.plies <= 4:
            proven += 1
            expected = 1 if found.category == "win" else -1
            assert forced_result(position, found.plies) == expected, position.fen()
    assert proven >= 1


def test_proven_values_are_those_of_the_tables(view: Callable, samples: Callable) -> None:
    searcher = Searcher(RULE_SETS["english"], view(3), clock_limit=0)
    proven = 0
    for position, code in samples(4, 300):
        found = searcher.search(position, Limits(nodes=3000))
        if found.category is not None:
            proven += 1
            assert found.category == ("loss", "draw", "win")[sign(code) + 1], position.fen()
            if found.plies is not None:
                assert found.plies >= (code if code > 0 else ~code)
    assert proven > 150


def test_a_root_inside_the_tables_keeps_its_value(view: Callable, samples: Callable) -> None:
    tables = view(4)
    searcher = Searcher(RULE_SETS["english"], tables, clock_limit=0)
    for position, code in samples(4, 200):
        found = searcher.search(position, Limits(depth=3))
        if found.category is None or found.move is None:
            continue  # its slices were not needed by any earlier search
        assert found.category == ("loss", "draw", "win")[sign(code) + 1]
        assert sign(code) * found.score > 80 if code else found.score == 0
        after = look_up(None, tables, position.play(found.move))
        assert after in (-sign(code), None), position.fen()
    assert sum(look_up(None, tables, position) is not None for position, _ in samples(4, 200)) > 150


@pytest.mark.parametrize(
    ("fen", "move", "plies"),
    [
        ("W:WK2,10,19,20,28,29,31:B12,13,15,21", "20-16", 9),
        ("B:W20,21,28:B4,5,12,14,15,19,K25,K31", "19-23", 9),
        ("W:WK1,10,11,22,24,28,29:B4,25", "24-20", 13),
    ],
)
def test_shots_of_about_ten_plies_far_from_any_table(fen: str, move: str, plies: int) -> None:
    """Won by giving men first; found by self-play, the lengths are those of the first proof."""
    position = Position.from_fen(fen, rules="english")
    found = search(position, depth=14, clock_limit=0)
    assert str(found.move) == move
    assert found.category == "win" and found.plies is not None and found.plies <= plies
    assert found.score == 100 - found.plies / 100


def test_line_is_playable_and_starts_with_the_move() -> None:
    position = Position.start("english")
    found = search(position, depth=9)
    assert found.pv[0] == found.move
    for move in found.pv:
        assert move in position.legal_moves()
        position = position.play(move)
    assert found.depth == 9
    assert found.category is None


def test_finished_games_need_no_search() -> None:
    lost = search(Position.from_fen("W:W32:BK28,K27", rules="english"), depth=3)
    blocked = search(Position.from_fen("W:W5:B1", rules="english"), depth=3)
    assert blocked.move is None and blocked.category == "loss" and blocked.score == -100
    assert lost.category != "win"
    drawn = search(Position.from_fen("W:WKa1:BKh8", rules="turkish"), depth=3)
    assert drawn.category == "draw" and drawn.score == 0 and drawn.move is None


def test_node_limit_holds() -> None:
    found = search(Position.start("english"), nodes=5000)
    assert 0 < found.nodes <= 5001
    assert found.move is not None


def test_time_limit_holds() -> None:
    begin = time.perf_counter()
    search(Position.start("english"), depth=1)  # loads the kernel
    begin = time.perf_counter()
    search(Position.start("english"), time=0.2)
    assert time.perf_counter() - begin < 1.5


def test_callback_stops() -> None:
    asked = []

    def stop() -> bool:
        asked.append(1)
        return len(asked) > 3

    found = search(Position.start("english"), stop=stop)
    assert found.move is not None
    assert len(asked) == 4


def test_iterations_are_reported() -> None:
    searcher = Searcher(RULE_SETS["english"])
    heard = []
    searcher.search(Position.start("english"), Limits(depth=6), on_depth=heard.append)
    assert [found.depth for found in heard] == [1, 2, 3, 4, 5, 6]


def test_exact_scores_for_all_root_moves() -> None:
    searcher = Searcher(RULE_SETS["english"])
    position = Position.start("english")
    found = searcher.search(position, Limits(depth=5), exact=True)
    assert {move for move, _ in found.move_scores} == set(position.legal_moves())
    assert max(score for _, score in found.move_scores) == pytest.approx(found.score)


def test_a_third_repetition_is_a_draw() -> None:
    """King against king and no way to win: every score that history makes a repetition is 0."""
    rules = RULE_SETS["english"]
    position = Position.from_fen("W:WK32,K31:BK5", rules=rules)
    history, here = [], position
    for text in ("32-28", "5-1", "28-32", "1-5") * 2:
        history.append(here)
        here = here.play(text)
    assert here == position
    only = [move for move in here.legal_moves() if str(move) == "32-28"]
    searcher = Searcher(rules, compiled=False)
    repeated = searcher.search(here, Limits(depth=1), history, moves=only)
    fresh = searcher.search(here, Limits(depth=1), moves=only)
    assert repeated.score == 0 < fresh.score


def test_the_draw_clock_ends_the_game() -> None:
    rules = RULE_SETS["english"]
    position = Position.from_fen("W:WK32,K31:BK5:H79", rules=rules)
    assert Searcher(rules, compiled=False).search(position, Limits(depth=2)).score == 0
    assert Searcher(rules, clock_limit=0, compiled=False).search(position, Limits(depth=2)).score
