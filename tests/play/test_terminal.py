"""A game in the terminal, with typed lines from a list."""

from __future__ import annotations

from pathlib import Path

import pytest

from crownbase.play.game import Game, Said
from crownbase.play.outcome import OTHER
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
    level: int = 1,
    before: str = "",
) -> tuple[str, Game]:
    game = Game(rules, fen)
    for move in before.split():
        game.play(move)
    player = Player(game.rules, tables, level=level, seed=1, compiled=False)
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


def test_no_typed_line_ends_the_game() -> None:
    lines = ("1" * 5000, "²", f"11-{'1' * 5000}", "11" + "x22" * 5000, "\0", "é", "save \0")
    lines += ("save ~nosuchuser/x", f"save {'x' * 5000}", "save /dev/null/x", f"claim {'1' * 5000}")
    output, game = session(*lines, "11-15")
    assert game.ply == 1 and "Traceback" not in output


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
    assert "can mean hint or huff or help" in output
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


WON = "WK19,K22,K23:BK28"
"""Three kings against one in the double corner: won for White, whoever moves."""
TO_AND_FRO = {"W": "19-15 28-32 15-19 32-28", "B": "28-32 19-15 32-28 15-19"}
DRAWN = "WK1:BK32"
DRAWN_TO_AND_FRO = {"W": "1-5 32-27 5-1 27-32", "B": "32-27 1-5 27-32 5-1"}
ENDS = pytest.mark.parametrize(
    ("fen", "player", "drawn"),
    [(WON, "W", False), (WON, "B", True), (DRAWN, "W", True), (DRAWN, "B", True)],
)


@ENDS
def test_an_offer_in_the_persons_turn(fen: str, player: str, drawn: bool) -> None:
    human = OTHER[player]
    with open_tablebase() as tables:
        output, game = session("offer", fen=f"{human}:{fen}", human=human, tables=tables, level=8)
    assert (game.result == "1/2-1/2") is drawn
    assert ("no draw, thank you" in output) is not drawn


@ENDS
def test_an_offer_that_stands_in_the_players_turn(fen: str, player: str, drawn: bool) -> None:
    """Offered while the person moved both sides; `switch` then leaves one to the player."""
    human = OTHER[player]
    with open_tablebase() as tables:
        game = Game("english", f"{human}:{fen}")
        game.offer_draw()
        game.play((TO_AND_FRO if fen == WON else DRAWN_TO_AND_FRO)[human].split()[0])
        output: list[str] = []
        mind = Player(game.rules, tables, compiled=False)
        terminal = Terminal(game, mind, tables, human, write=output.append)
        assert terminal._player_ends_it() is drawn
    assert (game.result == "1/2-1/2") is drawn
    assert ("no draw, thank you" in output) is not drawn


@ENDS
def test_a_claim_in_the_players_turn(fen: str, player: str, drawn: bool) -> None:
    """Seven plies to and fro: the eighth would make the position occur for the third time."""
    start = OTHER[player]
    cycle = (TO_AND_FRO if fen == WON else DRAWN_TO_AND_FRO)[start].split()
    played = " ".join([*cycle, *cycle[:3]])
    with open_tablebase() as tables:
        _, game = session(fen=f"{start}:{fen}", human=start, tables=tables, level=8, before=played)
    claimed = [event.side for event in game.events if event.said is Said.CLAIM]
    assert claimed == ([player] if drawn else [])
    if not drawn:
        assert game.ply == 8 and not game.is_over
