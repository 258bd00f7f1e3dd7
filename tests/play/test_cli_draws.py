"""``--draw`` and ``--move-limit``: every command that plays or values knows them."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import pytest

from crownbase.board import Position
from crownbase.errors import CrownbaseError
from crownbase.play.cli import run
from crownbase.play.cli_search import _under_draw_rules
from crownbase.play.hub_options import Options
from crownbase.probe import open_tablebase
from crownbase.search import Proof

COMMANDS = [
    ["probe", "W:WK19,K23:B12,K28"],
    ["line", "W:WK19,K23:B12,K28"],
    ["search", "W:WK19,K23:B12,K28"],
    ["solve", "W:WK19,K23:B12,K28"],
    ["play"],
    ["dxp"],
]
SPOILT = "B:WK16:BK3,K4:H20"  # 33 plies to the end (tests of test_clock): too late for 40, not 80


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_an_unknown_preset_is_one_line(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*command, "--draw", "quick"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: no draw rules 'quick'") and error.count("\n") == 1
    assert "none" in error
    assert run([*command, "--move-limit", "0"]) == 2
    assert "--move-limit" in capsys.readouterr().err


def test_probe_and_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["probe", SPOILT, "--json"]) == 0
    usual = json.loads(capsys.readouterr().out)
    assert usual["category"] == "win" and "draw" not in usual
    assert run(["probe", SPOILT, "--draw", "qdan", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["category"], found["draw"]) == ("cursed-win", "qdan")
    assert found["moves"][0]["outcome"] == "cursed-win"
    assert run(["line", SPOILT, "--draw", "qdan", "--move-limit", "90", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["category"], found["move_limit"]) == ("cursed-win", 90)


def test_solve_says_what_becomes_of_its_proof(capsys: pytest.CaptureFixture[str]) -> None:
    few = ["--nodes", "1", "--solving-memory", "0"]
    for draw, words in (("wcdf", ": win"), ("qdan", ": cursed-win")):  # the tables know it
        assert run(["solve", SPOILT, "--draw", draw, *few]) == 0
        assert f"draw rules {draw}{words}" in capsys.readouterr().out
    won, position = Proof("win", 1, 1, 0, 0, 0, (), 61, 0.0, 0), Position.start("english")
    with open_tablebase() as tables:  # and nothing of 24 pieces
        for draw, words in (("wcdf", "win, no limit comes before"), ("qdan", "of 40 plies")):
            under = replace(position, rules=position.rules.with_draw(draw))
            assert words in _under_draw_rules(won, under, tables)
    assert run(["solve", SPOILT, "--move-limit", "32", "--json", *few]) == 0
    assert "cursed-win" in json.loads(capsys.readouterr().out)["verdict"]


def test_play_under_a_move_limit(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("11-15\n22-18\n"))
    assert run(["play", "--side", "both", "--draw", "qdan", "--move-limit", "2"]) == 0
    assert "drawn: limit of 2 plies" in capsys.readouterr().out


def test_hub_parameters() -> None:
    options = Options()
    options.set("variant", "english")
    options.set("draw", "qdan")
    options.set("move-limit", "100")
    assert (options.rules.quiet_limit, options.rules.draw.move_limit) == (40, 100)
    options.set("draw", "usual")
    assert (options.rules.quiet_limit, options.rules.draw.move_limit) == (80, 100)
    described = {line["name"]: line["value"] for line in options.described()}
    assert (described["draw"], described["move-limit"]) == ("usual", 100)
    with pytest.raises(CrownbaseError, match="no draw rules 'fmjd-64'"):
        options.set("draw", "fmjd-64")
    options.set("variant", "russian")
    assert options.rules.draw.name == "fmjd-64" and options.rules.draw.move_limit is None
