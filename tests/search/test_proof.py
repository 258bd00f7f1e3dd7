"""Proofs: never against a table, honest bounds at the limit, and draws held by repetition."""

from __future__ import annotations

import gc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from crownbase.board import Position
from crownbase.errors import IllegalPositionError
from crownbase.index import Material, rank_position, unrank_position
from crownbase.play.player import Player
from crownbase.rules import Rules
from crownbase.search import TableView, prove
from crownbase.search.attacker import Attacker
from crownbase.search.root import look_up

OUTCOMES = {"win": 1, "draw": 0, "loss": -1}


def sign(value: int) -> int:
    return (value > 0) - (value < 0)


def test_no_proof_is_refuted_by_a_table(view: Callable, samples: Callable) -> None:
    smaller = view(3)
    proven = 0
    for position, code in samples(4, 25):
        found = prove(position, smaller, nodes=400_000, memory=64 << 20, solving_memory=0)
        assert found.lower <= sign(code) <= found.upper, position.fen()
        if found.outcome != "unknown":
            proven += 1
            assert OUTCOMES[found.outcome] == sign(code)
    assert proven > 15


def test_a_table_position_is_read_off(view: Callable) -> None:
    found = prove(Position.from_fen("W:WK19,K23:BK28", rules="english"), view(3))
    assert found.size == 0 and found.nodes == 0
    assert found.outcome in OUTCOMES


def test_a_draw_is_proven_by_circles_alone(store: dict, english: Rules) -> None:
    """No tables at all: kings that can be held, kings that cannot."""
    for index in range(0, 900, 90):
        boards = unrank_position.plain(english.traits.plain, index, 0, 1, 0, 1)
        position = Position.from_boards(english, "W", boards)
        value = sign(int(store[Material.parse("KvK")][index]))
        found = prove(position, nodes=5_000_000, memory=16 << 20, solving_memory=0)
        assert OUTCOMES[found.outcome] == value
        assert found.size > 0


def test_the_line_of_a_draw_is_drawn_all_along(
    view: Callable, samples: Callable, store: dict, english: Rules
) -> None:
    """Both sides hold: no move of the line gives the half point away."""
    moves = 0
    for position, code in samples(4, 12):
        if code == 0:
            found = prove(position, view(3), nodes=20_000_000, memory=256 << 20, solving_memory=0)
            for move in found.line:
                position = position.play(move)
                moves += 1
                assert value_of(position, store, english) == 0, position.fen()
    assert moves > 5


def value_of(position: Position, store: dict, rules: Rules) -> int:
    material = Material.of(*position.boards)
    if material.own == 0 or material.opponent == 0:
        return -1
    index = rank_position.plain(rules.traits.plain, *position.boards)
    return sign(int(store[material][index]))


def test_a_short_win_has_a_line_to_its_end() -> None:
    position = Position.from_fen("W:WK14,K15,K22:BK6", rules="english")
    found = prove(position, nodes=2_000_000)
    assert found.outcome == "win" and found.plies is not None
    here = position
    for move in found.line:
        here = here.play(move)
    assert not here.legal_moves()
    assert len(found.line) == found.plies


def test_unknown_at_the_limit() -> None:
    found = prove(Position.start("english"), nodes=2000)
    assert found.outcome == "unknown" and (found.lower, found.upper) == (-1, 1)


def test_a_finished_game_is_lost() -> None:
    assert prove(Position.from_fen("W:W5:B1", rules="english")).outcome == "loss"


@pytest.mark.parametrize("fen", ["W:WKa1:BKh8", "W:WKa1:BKa2"])
def test_one_piece_each_is_drawn_where_the_rules_say_so(fen: str) -> None:
    """Also where the side to move could take the last piece."""
    position = Position.from_fen(fen, rules="turkish")
    assert prove(position).outcome == "draw"
    assert look_up(None, None, position) == 0
    assert Player(position.rules).accepts_draw(position, "W")
    with pytest.raises(ValueError, match="one piece each ends the game"):
        Player(position.rules).choose(position)


def test_what_is_solved_on_the_way_refutes_no_table(view: Callable, samples: Callable) -> None:
    """Searches and retrograde analysis together, from two-piece tables to four pieces."""
    smaller = view(2)
    by_solving = 0
    for position, code in samples(4, 60):
        found = prove(position, smaller, nodes=3_000_000, memory=64 << 20)
        assert found.outcome != "unknown", position.fen()
        assert OUTCOMES[found.outcome] == sign(code), position.fen()
        by_solving += found.solved > 0
    assert by_solving > 0


def test_a_root_that_is_solved_has_a_move_that_keeps_its_value(store: dict, english: Rules) -> None:
    tables = TableView(english, lambda material: None)
    for fen in ("W:WK30,20:BK1,5", "B:WK30,20:BK1,5", "W:WK1,K5:BK32,28"):
        position = Position.from_fen(fen, rules="english")
        first = prove(position, tables, nodes=50_000_000, memory=64 << 20)
        again = prove(position, tables, nodes=50_000_000, memory=64 << 20)
        assert first.outcome == again.outcome
        assert OUTCOMES[first.outcome] == value_of(position, store, english)
        assert again.solved == 0  # it was kept with the tables
        if again.line:
            after = position.play(again.line[0])
            assert value_of(after, store, english) == -OUTCOMES[first.outcome]


def test_no_solving_without_memory_for_it() -> None:
    position = Position.from_fen("W:WK30,20:BK1,5", rules="english")
    assert prove(position, nodes=1_000_000, memory=16 << 20, solving_memory=0).solved == 0


def test_proofs_at_the_same_time_do_not_disturb_each_other(
    view: Callable, store: dict, english: Rules
) -> None:
    tables = view(2)
    fens = ["W:WK30,20:BK1,5", "B:W30,20:BK1,5", "W:W30,20:B1,5", "B:WK30,K20:B1,5"]

    def run(fen: str) -> int:
        position = Position.from_fen(fen, rules="english")
        found = prove(position, tables, nodes=50_000_000, memory=32 << 20)
        assert OUTCOMES[found.outcome] == value_of(position, store, english), fen
        return found.solved

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(run, fens * 3))


def test_a_system_without_sparse_memory_only_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError("no addresses left")

    monkeypatch.setattr("crownbase.retro.rows.storage.SparseWords", refuse)
    found = prove(Position.from_fen("W:WK14,K15,K22:BK6", rules="english"), nodes=2_000_000)
    assert found.outcome == "win"
    assert found.solved == 0


def test_tables_of_other_rules_are_refused(view: Callable) -> None:
    position = Position.from_fen("W:Wh6,d2:BKg5,Kf2", rules="russian")
    with pytest.raises(IllegalPositionError, match="English .* not of Russian"):
        prove(position, view(2))


def test_a_finished_proof_leaves_no_caches_behind() -> None:
    gc.collect()
    gc.disable()
    try:
        prove(Position.from_fen("W:WK14,K15,K22:BK6", rules="english"), nodes=10_000)
        left = [thing for thing in gc.get_objects() if isinstance(thing, Attacker)]
    finally:
        gc.enable()
    assert not left


def test_the_line_of_a_long_win_ends_in_time() -> None:
    """Without tables a winner knows no way to the end; tester's report of November 2026."""
    position = Position.from_fen("B:W5:BK8,21,22,24", rules="english")
    found = prove(position, nodes=2_000_000, solving_memory=0, memory=32 << 20)
    assert found.outcome == "win"
    assert len(found.line) < 200


def test_a_line_leads_on_where_values_are_known_without_distances(
    view: Callable, samples: Callable, store: dict, english: Rules
) -> None:
    """Searches go ahead from one known position to the next; nobody gives the value away."""
    tables, played, ended = view(3), 0, 0
    for position, code in samples(3, 14):
        if sign(code) == 0 or not position.legal_moves():
            continue
        found = prove(position, tables, nodes=100_000, memory=16 << 20)
        assert found.nodes == 0
        end, value = position, sign(code)
        for move in found.line:
            end, value = end.play(move), -value
            pieces_left = end.legal_moves()
            assert value == (value_of(end, store, english) if pieces_left else -1), end.fen()
        played += 1
        ended += not end.legal_moves()
    assert played > 5 and ended >= played - 2


def test_a_root_that_is_solved_has_a_line_to_its_end(english: Rules) -> None:
    tables = TableView(english, lambda material: None)
    position = Position.from_fen("W:WK30,20:BK1,5", rules="english")
    found = prove(position, tables, nodes=50_000_000, memory=64 << 20)
    if found.outcome == "draw":
        assert len(found.line) <= 200
        return
    for move in found.line:
        position = position.play(move)
    assert not position.legal_moves()
