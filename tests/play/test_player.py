"""The player inside the tables, outside them, and its levels."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from crownbase.board import Position
from crownbase.build import build
from crownbase.play.game import Game
from crownbase.play.player import LEVELS, Player
from crownbase.probe import Tablebase, open_tablebase
from crownbase.rules import find_rules
from crownbase.search import Limits

ENGLISH = find_rules("english")


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Tablebase:
    directory = tmp_path_factory.mktemp("db")
    build(directory, rules="english", pieces=3, metrics=("wdl", "dtc", "dtw"))
    return open_tablebase(directory, rules="english")


@pytest.fixture(scope="module")
def signs(tmp_path_factory: pytest.TempPathFactory) -> Tablebase:
    """Tables that know who wins but not how."""
    directory = tmp_path_factory.mktemp("wdl")
    build(directory, rules="english", pieces=3, metrics=("wdl",))
    return open_tablebase(directory, rules="english")


def won_positions(tables: Tablebase, count: int) -> list[Position]:
    rng = random.Random(7)
    found = []
    while len(found) < count:
        squares = rng.sample(range(32), 3)
        position = Position.from_boards(
            ENGLISH, rng.choice("WB"), (0, 1 << squares[0] | 1 << squares[1], 0, 1 << squares[2])
        )
        if tables.probe_wdl(position) == 1:
            found.append(position)
    return found


def play_out(player: Player, start: Position, rng: random.Random | None) -> Game:
    """The player against itself, or against random moves."""
    game = Game(ENGLISH, start)
    while not game.is_over:
        if rng is not None and game.turn != start.turn:
            game.play(rng.choice(game.legal_moves()))
        else:
            game.play(player.choose(game.position, game.history).move)
    return game


def test_every_won_position_is_won_within_its_distance(tables: Tablebase) -> None:
    player = Player(ENGLISH, tables)
    for start in won_positions(tables, 15):
        for rng in (None, random.Random(1)):
            game = play_out(player, start, rng)
            assert game.outcome().winner == start.turn
            assert game.ply <= tables.probe_dtw(start)
            assert max(game.occurrences(p) for p in game.history) < 3


def test_wins_without_distances_too(signs: Tablebase) -> None:
    player = Player(ENGLISH, signs, seconds=0.03)
    for start in won_positions(signs, 2):
        game = play_out(player, start, random.Random(2))
        assert game.outcome().winner == start.turn


def test_without_distances_a_winner_goes_where_it_has_not_been(signs: Tablebase) -> None:
    player, avoided = Player(ENGLISH, signs, load_tables=False, compiled=False), 0
    for position in won_positions(signs, 12):
        won = [info for info in signs.moves(position) if info.outcome == "win"]
        if len(won) < 2 or won[0].dtw is not None:
            continue
        seen = [position.play(info.move) for info in won[1:]]
        choice = player.choose(position, seen, limits=Limits(depth=1))
        assert choice.move == won[0].move
        avoided += 1
    assert avoided > 3


def test_choice_says_where_it_comes_from(tables: Tablebase) -> None:
    player = Player(ENGLISH, tables)
    inside = player.choose(Position.from_fen("W:WK19,K23:BK4", rules=ENGLISH))
    assert inside.source == "table" and inside.result.category == "win"
    assert inside.result.score > 90 and inside.result.plies is not None
    outside = player.choose(Position.start(ENGLISH), limits=Limits(depth=4))
    assert outside.source == "search" and outside.result.depth == 4
    only = player.choose(Position.from_fen("W:W27,32:B24,1", rules=ENGLISH))
    assert only.source in ("only", "search")


def test_first_moves_of_the_known_endings() -> None:
    """The endings of the books that the shipped tables hold: always one of the right moves."""
    path = Path(__file__).parent.parent / "data" / "endings.jsonl"
    checked = 0
    with open_tablebase() as shipped:
        player = Player(ENGLISH, shipped)
        for ending in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            if ending["rules"] != ENGLISH.key:
                continue
            position = Position.from_fen(ending["fen"], rules=ENGLISH)
            if position.pieces > shipped.max_pieces:
                continue
            checked += 1
            choice = player.choose(position)
            assert choice.result.category == ending["value"], ending["name"]
            right = ending.get("winning_moves") or [ending.get("best", str(choice.move))]
            assert str(choice.move) in right, ending["name"]
            if "dtw_plies" in ending and choice.result.plies is not None:
                assert choice.result.plies == ending["dtw_plies"]
    assert checked >= 6


@pytest.mark.parametrize(
    ("fen", "takers"),
    [
        ("B:WK19,K22,K23:BK28", "B"),  # three kings against one win, whoever moves
        ("W:WK19,K22,K23:BK28", "B"),
        ("B:WK28:BK19,K22,K23", "W"),
        ("W:WK28:BK19,K22,K23", "W"),
        ("W:WK1:BK32", "WB"),
        ("B:WK1:BK32", "WB"),
        ("W:WK19,K23:B12,K28", "B"),  # DTW 61 plies
        ("W:WK19,K23:B12,K28:H78", "WB"),  # a cursed win: drawn after two more plies
        ("B:WK19,K22,K23:BK28:H79", "WB"),  # a blessed loss
        ("W:W5:B1", "W"),  # White has no move and has lost
    ],
)
def test_a_draw_is_taken_by_who_stands_no_better(fen: str, takers: str) -> None:
    position = Position.from_fen(fen, rules=ENGLISH)
    with open_tablebase() as shipped:
        player = Player(ENGLISH, shipped)
        assert "".join(side for side in "WB" if player.accepts_draw(position, side)) == takers


@pytest.mark.parametrize("turn", "WB")
def test_beyond_the_tables_a_search_judges_for_the_players_side(turn: str) -> None:
    position = Position.from_fen(f"{turn}:W21,22,23,25,26,27,30:B3,4,12", rules=ENGLISH)
    player = Player(ENGLISH, level=3, compiled=False)
    assert player.accepts_draw(position, "B") and not player.accepts_draw(position, "W")


def test_weak_levels_vary_and_seeds_repeat() -> None:
    start = Position.start(ENGLISH)
    one = [
        Player(ENGLISH, level=1, seed=seed, compiled=False).choose(start).move for seed in range(8)
    ]
    two = [
        Player(ENGLISH, level=1, seed=seed, compiled=False).choose(start).move for seed in range(8)
    ]
    assert one == two and len(set(one)) > 1


def test_levels_get_stronger_by_their_means() -> None:
    margins = [LEVELS[level].margin for level in sorted(LEVELS)]
    assert margins == sorted(margins, reverse=True)
    with pytest.raises(ValueError, match="level must be one of"):
        Player(ENGLISH, level=0)


def test_no_move_in_a_finished_game() -> None:
    with pytest.raises(ValueError, match="no legal move"):
        Player(ENGLISH).choose(Position.from_fen("W:W5:B1", rules=ENGLISH))
