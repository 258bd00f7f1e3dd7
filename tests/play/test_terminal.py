"""A game in the terminal, with typed lines from a list."""

from __future__ import annotations

from pathlib import Path

from crownbase.play.game import Game
from crownbase.play.player import Player
from crownbase.play.terminal import COMMANDS, Terminal
from crownbase.probe import Tablebase, open_tablebase


def session(
    *typed: str,
    fen: str = "start",
    rules: str = "english",
    human: str = "WB",
    save: Path | None = None,
    tables: Tablebase | None = None,
) -> tuple[str, Game]:
    game = Game(rules, fen)
    player = Player(game.rules, level=1, seed=1, compiled=False)
    lines = iter(typed)
    output: list[str] = []

    def read(prompt: str) -> str:
        output.append(prompt)
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    Terminal(game, player, tables, human, save, read, output.append).run()
    return "\n".join(output), game


def test_moves_by_text_and_by_number() -> None:
    output, game = session("11-15", "1", "")
    assert game.ply == 2
    assert "White to move" in output and "Black to move" in output


def test_letters_are_moves_where_squares_have_letters() -> None:
    _, game = session("c3-d4", rules="russian")
    assert game.ply == 1


def test_a_bad_move_is_explained_and_asked_again() -> None:
    output, game = session("11-22", "11-15")
    assert game.ply == 1
    assert "not legal" in output


def test_the_player_answers() -> None:
    _, game = session("11-15", human="B")
    assert game.ply == 2


def test_undo_goes_back_to_the_persons_turn() -> None:
    _, game = session("11-15", "undo", human="B")
    assert game.ply == 0


def test_every_command_has_its_answer() -> None:
    for name in COMMANDS:
        assert hasattr(Terminal, f"_do_{name}")
    output, _ = session("help", "moves", "fen", "pdn", "board", "values")
    assert "take back" in output and "11-15" in output and "B:W" in output
    assert "no tables are open" in output


def test_short_commands_must_be_clear() -> None:
    output, _ = session("h", "un", "xyz")
    assert "can mean hint or help" in output
    assert "no command 'xyz'" in output


def test_resignation_and_offers_end_the_game() -> None:
    _, resigned = session("resign")
    assert resigned.outcome().winner == "W"
    _, agreed = session("offer", "11-15", "accept")
    assert agreed.result == "1/2-1/2"


def test_a_false_claim_is_refused() -> None:
    output, game = session("claim")
    assert not game.is_over and "no draw can be claimed" in output


def test_the_game_is_appended_to_a_file(tmp_path: Path) -> None:
    target = tmp_path / "games.pdn"
    session("11-15", save=target)
    session("11-16", save=target)
    text = target.read_text()
    assert "11-15" in text and "11-16" in text and text.count("[Event") == 2


def test_watching_needs_no_input() -> None:
    output, game = session(fen="W:WK14,K15,K22:BK6", human="")
    assert game.is_over and game.outcome().winner == "W"
    assert "White wins" in output


def test_values_come_from_the_tables_or_say_why_not() -> None:
    with open_tablebase() as tables:
        inside, _ = session("values", fen="W:WK19,K23:B12,K28", tables=tables)
        outside, _ = session("values", tables=tables)
    assert "White to move wins in 61 plies" in inside and "23-27" in inside
    assert "the tables do not reach this" in outside
