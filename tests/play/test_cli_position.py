"""``crownbase moves`` and ``perft``, and how bad input is answered."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crownbase.play.cli import run

FIRST_POSITION = "W:WK19,K23:B12,K28"


def test_moves_json_has_the_promised_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["moves", FIRST_POSITION, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert list(answer) == ["fen", "moves"]
    assert answer["fen"] == FIRST_POSITION
    assert len(answer["moves"]) == 6
    first = answer["moves"][0]
    promised = ["move", "from", "to", "captured", "promotes", "fen"]
    assert list(first) == [*promised, "from_text", "to_text", "captured_text"]
    assert first == {
        "move": "19-15",
        "from": 19,
        "to": 15,
        "captured": [],
        "promotes": False,
        "fen": "B:WK15,K23:B12,K28",
        "from_text": "19",
        "to_text": "15",
        "captured_text": [],
    }


def test_moves_for_people_draws_the_board(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["moves", "B:WK4:B3"]) == 0
    out = capsys.readouterr().out
    assert "Black to move" in out
    assert out.splitlines()[-2:] == ["3-7", "3-8"]


def test_a_capture_lists_what_it_takes(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["moves", "W:W18:B6,K14", "--json"]) == 0
    (move,) = json.loads(capsys.readouterr().out)["moves"]
    assert (move["from"], move["to"], move["captured"]) == (18, 2, [6, 14])
    assert move["promotes"]


def test_squares_in_letters(capsys: pytest.CaptureFixture[str]) -> None:
    """b8 is 1 and g1 is 32 on the board of Russian draughts; c3 takes d4 and f6."""
    assert run(["moves", "W:Wc3:Bd4,f6", "--rules", "russian", "--json"]) == 0
    (move,) = json.loads(capsys.readouterr().out)["moves"]
    assert (move["from"], move["to"], move["captured"]) == (22, 8, [11, 18])
    assert (move["from_text"], move["to_text"]) == ("c3", "g7")
    assert move["captured_text"] == ["f6", "d4"]  # in the order of `captured`


def test_perft_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["perft", "start", "5", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert list(answer) == ["nodes", "seconds"]
    assert answer["nodes"] == 7361
    assert answer["seconds"] >= 0


BAD = [
    (["moves", "W:WK19"], "no B pieces"),
    (["moves", "nonsense"], "nonsense"),
    (["moves", "W:WK19,x:B12"], "x"),
    (["moves", "W:W19:B19"], "19"),
    (["moves", "W:W33:B12"], "33"),
    (["moves", "W:W1:B12"], "1"),
    (["moves", "W19:B12"], "side to move"),
    (["moves", "?:W19:B12"], "side to move"),
    (["moves", FIRST_POSITION, "--rules", "chess"], "unknown rule set 'chess'"),
    (["perft", "start", "99"], "60"),
    (["perft", "start", "many"], "integer"),
    (["perft", "start"], "DEPTH"),
    (["mvoes"], "mvoes"),
    (["moves", FIRST_POSITION, "--jsn"], "--jsn"),
]


@pytest.mark.parametrize(("arguments", "named"), BAD)
def test_bad_input_is_one_line_and_exit_code_2(
    arguments: list[str], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("error: ")
    assert captured.err.count("\n") == 1
    assert named.lower() in captured.err.lower()


def test_play_refuses_a_file_that_it_could_not_write(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["play", "--save", str(tmp_path / "no" / "such" / "game.pdn")]) == 2
    message = capsys.readouterr().err
    assert message.startswith("error: cannot write to ")
    assert message.count("\n") == 1
