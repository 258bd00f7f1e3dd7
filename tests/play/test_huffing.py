"""Huffing: a piece that could have taken and did not may be removed before the reply.

The cases follow the law as the handbooks have it (Hoyle's Games, Laws of draughts, art. 4), with
what is decided in ``rules/english_huffing.py``.
"""

from __future__ import annotations

import io
import random
from pathlib import Path

import pytest

import crownbase as cb
from crownbase.errors import CrownbaseError, IllegalMoveError
from crownbase.play.cli import run
from crownbase.play.game import Game, Reason, Said
from crownbase.play.hub_options import Options
from crownbase.play.player import Player
from crownbase.play.terminal import Terminal
from crownbase.rules import RULE_SETS, find_rules, shipped_twin

KEY = "english-huffing"


def game_of(*moves: str, fen: str | None = None) -> Game:
    game = Game(KEY, fen)
    for move in moves:
        game.play(move)
    return game


def test_a_piece_that_did_not_take_is_huffed_and_then_the_opponent_moves() -> None:
    game = game_of("11-15", "22-18", "8-11")
    assert game.huffs() == (15,)
    before = game.position
    game.huff(15)
    assert game.turn == "W" and game.ply == 3
    assert game.position.black_men == before.black_men & ~(1 << 14)
    assert game.huffs() == ()  # one piece for one offence
    game.play("18-14")
    assert game.huffs() == ()
    assert [str(event) for event in game.events] == ["White huffs 15"]


def test_the_piece_that_moved_is_huffed_where_it_stands() -> None:
    game = game_of("11-15", "22-18", "15-19")
    assert game.huffs() == (19,)


def test_who_takes_has_not_offended() -> None:
    game = game_of("11-15", "22-18", "15x22")
    assert game.huffs() == ()
    with pytest.raises(IllegalMoveError, match="no piece that could have taken stands on 22"):
        game.huff(22)


def test_the_opponent_may_let_it_pass() -> None:
    game = game_of("11-15", "22-18", "8-11", "18-14")
    assert game.huffs() == ()
    with pytest.raises(IllegalMoveError):
        game.huff(15)


def test_a_wrong_square_is_refused_and_the_right_ones_are_named() -> None:
    game = game_of("11-15", "22-18", "8-11")
    with pytest.raises(IllegalMoveError, match="stands on 11; 15 may be huffed"):
        game.huff(11)
    game.huff("15")


def test_the_last_piece_huffed_ends_the_game() -> None:
    game = game_of("19-24", fen="W:WK19:B15,1")
    assert game.huffs() == (24,)
    game.huff(24)
    outcome = game.outcome()
    assert outcome and (outcome.winner, outcome.reason) == ("B", Reason.NO_PIECES)


def test_a_huff_may_free_who_cannot_move() -> None:
    """Black's only man is shut in, but 22 and 23 should have taken it."""
    game = game_of("29-25", fen="W:WK22,23,27,K29,30:B18")
    assert game.legal_moves() == () and game.outcome() is None
    assert game.huffs() == (22, 23)
    game.huff(22)
    assert "18-22" in map(str, game.legal_moves())
    lost = game_of("22x15", fen="W:WK22:B18")
    assert lost.outcome() and lost.outcome().winner == "W"


def test_undo_takes_a_huff_back_with_its_move() -> None:
    game = game_of("11-15", "22-18", "8-11")
    key = game.position.fen()
    game.huff(15)
    game.play("18-14")
    game.undo()
    assert game.huffs() == () and game.events[-1].said is Said.HUFF
    game.undo()
    assert not game.events
    game.play("8-11")
    assert game.position.fen() == key and game.occurrences() == 1 and game.huffs() == (15,)


def test_a_huff_restarts_the_draw_clock() -> None:
    game = game_of("19-24", fen="W:WK19,K32:B15,K1:H30")
    assert game.clock == 31
    game.huff(24)
    assert game.clock == 0


def naive_offenders(game: Game) -> set[int]:
    """Squares by trying: every piece of the mover's that could take before its last move."""
    before, move = game.history[-1], game.moves[-1]
    if move.captured:
        return set()
    found = set()
    for other in before.legal_moves():
        if other.is_capture:
            found.add(move.end if other.start == move.start else other.start)
    return found


def test_random_games_are_written_and_read_back() -> None:
    rng = random.Random(4)
    huffed = 0
    for _ in range(25):
        game = Game(KEY)
        while not game.is_over and game.ply < 90:
            if game.ply:
                assert set(game.huffs()) == naive_offenders(game)
            if game.huffs() and rng.random() < 0.6:
                game.huff(rng.choice(game.huffs()))
                huffed += 1
            moves = game.legal_moves()
            if moves:
                game.play(rng.choice(moves))
        text = game.pdn()
        again = cb.Game.from_pdn(text)
        assert again.position == game.position and again.events == game.events
        assert again.pdn() == text
    assert huffed > 50


def test_a_false_huff_in_a_record_is_a_fault_with_its_line() -> None:
    text = '[CrownbaseRules "english-huffing"]\n\n1. 11-15 22-18 2. 15x22 {White huffs 22} *\n'
    with pytest.raises(CrownbaseError, match="PDN:3.*no piece that could have taken"):
        cb.Game.from_pdn(text)


# -- no tables, no search ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [
        ["build", KEY, "3"],
        ["build", KEY, "3", "--estimate"],
        ["verify", KEY],
        ["stats", KEY],
        ["probe", "W:WK1:BK32", "--rules", KEY],
        ["line", "W:WK1:BK32", "--rules", KEY],
        ["search", "W:WK1:BK32", "--rules", KEY],
        ["solve", "W:WK1:BK32", "--rules", KEY],
        ["warmup", KEY],
    ],
    ids=lambda command: " ".join(command[::3]),
)
def test_commands_that_need_values_say_why_not(
    command: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setenv("CROWNBASE_DB", str(tmp_path / "db"))
    assert run(command) == 2
    said = capsys.readouterr()
    assert said.err.startswith(f"error: {KEY} has no tables and no search") and not said.out
    assert said.err.count("\n") == 1 and not (tmp_path / "db").exists()


def test_from_python() -> None:
    position = cb.Position.from_fen("W:WK1:BK32", KEY)
    for ask in (
        lambda: cb.open_tablebase(rules=KEY),
        lambda: cb.open_tablebase(rules="english-optional").probe(position),
        lambda: cb.search(position, depth=1),
        lambda: cb.prove(position, nodes=1),
        lambda: cb.build("db", rules=KEY, pieces=2),
        lambda: Options().set("variant", KEY),
    ):
        with pytest.raises(CrownbaseError, match="has no tables"):
            ask()
    assert [rules.key for rules in RULE_SETS.values() if not rules.has_tables] == [KEY]


def test_its_values_are_not_those_of_optional_captures() -> None:
    huffing, optional = RULE_SETS[KEY], RULE_SETS["english-optional"]
    assert huffing.digest == optional.digest  # the moves of a position are the same
    twin = shipped_twin(huffing)
    assert twin is not None and twin.has_tables
    assert shipped_twin(huffing.dutiful) is RULE_SETS["english"]
    assert optional.dutiful is optional


def test_a_rule_file_may_have_it(tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    path.write_text('key = "club"\nbase = "russian"\nhuffing = true\ncaptures_mandatory = false\n')
    rules = find_rules(str(path))
    assert rules.huffing and not rules.has_tables
    game = Game(rules, "W:Wc3,a1:Bd4,h8")
    game.play("a1-b2")
    assert game.huffs() and [rules.square_name(one - 1) for one in game.huffs()] == ["c3"]
    game.huff("c3")
    path.write_text('key = "club"\nbase = "russian"\nhuffing = true\n')
    with pytest.raises(CrownbaseError, match="huffing = true contradicts captures_mand"):
        find_rules(str(path))


# -- at the terminal -----------------------------------------------------------------------------


def talk(*lines: str, fen: str | None = None, human: str = "WB") -> tuple[Game, str]:
    game = Game(KEY, fen)
    player = Player(game.rules, compiled=False, level=1, memory=1 << 12)
    typed, said = iter(lines), io.StringIO()

    def read(prompt: str) -> str:
        line = next(typed, None)
        if line is None:
            raise EOFError
        return line

    Terminal(game, player, None, human, read=read, write=lambda text: print(text, file=said)).run()
    return game, said.getvalue()


def test_a_person_huffs() -> None:
    game, said = talk("11-15", "22-18", "8-11", "huff 15", "18-14")
    assert "you may huff 15 before you move" in said and "White huffs 15" in said
    assert game.ply == 4
    game, said = talk("11-15", "22-18", "8-11", "huff", "huff")
    assert "no piece that could have taken stands on no square" in said


def test_the_computer_huffs() -> None:
    """Black, a person, leaves 18x25 and moves another man: White takes the offender off."""
    _, said = talk("1-5", fen="B:W22,26,32:B1,18", human="B")
    assert "White huffs 18" in said


def test_the_computer_takes_what_it_could_be_huffed_for() -> None:
    game, _ = talk("18-23", fen="B:W27,25,32:B1,18", human="B")
    assert game.moves[1].captured == (23,)


def test_the_command_plays_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("11-15\n22-18\n8-11\nvalues\nhuff 15\npdn\n"))
    assert run(["play", "--rules", KEY, "--side", "both"]) == 0
    said = capsys.readouterr().out
    assert "you may huff 15 before you move" in said and "{White huffs 15}" in said
    assert f"{KEY} has no tables" in said
