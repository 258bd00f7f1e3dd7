"""The demonstrations of the draw rules: what they show is what the rules and tables say."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from conftest import ROOT, SOURCE
from crownbase.jit import INTERPRETED
from crownbase.play.cli import run
from crownbase.play.demo import Demo, Scene, scene_json, scene_text
from crownbase.play.game import Game, Reason
from crownbase.probe.shelf import shipped_directory
from crownbase.rules import RULE_SETS, Rules

SHIPPED = (shipped_directory() / "english" / "KKKvK.dtw").is_file()
pytestmark = pytest.mark.skipif(INTERPRETED and not SHIPPED, reason="solves slices")


def check(rules: Rules) -> dict[str, list[Scene]]:
    """All scenes by the first words of their titles; each game can be played again."""
    found: dict[str, list[Scene]] = {}
    with Demo(rules) as demo:
        for scene in demo.scenes():
            found.setdefault(" ".join(scene.title.split()[:3]), []).append(scene)
            for name, game in scene.games:
                replayed = Game(rules, game.start, draw=game.draw)
                for move in game.moves:
                    replayed.play(str(move))
                assert replayed.outcome() or game.outcome() is None or game.outcome().claimed
                assert name
    draw = rules.draw
    if draw.repetition:
        (scene,) = found["A repetition that"]
        assert outcomes(scene) == [Reason.REPETITION]
        game = scene.games[0][1]
        assert game.outcome().article == draw.repetition.article
        assert game.outcome().claimed == (draw.repetition.declared != "automatic")
    if draw.quiet:
        check_clock(draw.quiet.limit, found)
    for scene in found.get("A class clock", []):
        (_, perfect), (_, slow) = scene.games
        assert perfect.outcome().winner == scene.position.turn
        assert slow.outcome().reason is Reason.CLASS_CLOCK
    assert bool(draw.class_clocks) == ("A class clock" in found)
    return found


def check_clock(limit: int, found: dict[str, list[Scene]]) -> None:
    (scene,) = found["A clock that"]
    assert outcomes(scene) == [Reason.QUIET_CLOCK]
    assert scene.games[0][1].clock == limit
    (scene,) = [one for title in ("A win one",) for one in found[title]]
    (words, in_time), (_, late) = scene.games
    assert "win, in time" in words
    assert in_time.outcome().winner == scene.position.turn
    assert late.outcome().winner is None
    assert late.outcome().reason is Reason.QUIET_CLOCK
    assert in_time.moves[: late.ply] == late.moves
    (scene,) = found["The same position"]
    results = {game.outcome().winner for _, game in scene.games}
    assert results == {None, scene.position.turn}


def outcomes(scene: Scene) -> list[Reason]:
    return [game.outcome().reason for _, game in scene.games]


@pytest.mark.skipif(not SHIPPED, reason="the English tables are not here")
def test_english() -> None:
    found = check(RULE_SETS["english"])
    assert set(found) == {
        "A repetition that", "A clock that", "A win one", "The same position"
    }  # fmt: skip
    books = {name: game.outcome() for name, game in found["The same position"][0].games}
    assert books["qdan"].winner is None and books["wcdf"].winner == "W"
    text = scene_text(found["A win one"][0])
    assert "cursed-win, too late" in text and "WCDF 1.32.2" in text


@pytest.mark.skipif(not SHIPPED, reason="the English tables are not here")
def test_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["demo", "english", "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(lines) == 4
    assert list(lines[0]) == ["rules", "title", "fen", "clock", "remarks", "games"]
    assert list(lines[0]["games"][0]) == ["under", "moves", "result", "article", "words"]
    with Demo(RULE_SETS["english"]) as demo:
        assert [scene_json(scene) for scene in demo.scenes()] == lines


def test_an_unknown_rule_set(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["demo", "chess"]) == 2
    assert "chess" in capsys.readouterr().err


def test_turkish_has_no_clock() -> None:
    found = check(RULE_SETS["turkish"])
    (scene,) = found["One piece each"]
    assert outcomes(scene) == [Reason.LONE_PIECES]
    (scene,) = found["The same moves"]
    assert [game.outcome() is None for _, game in scene.games] == [False, True]


@pytest.mark.slow
@pytest.mark.parametrize("key", [key for key in RULE_SETS if key not in ("english", "turkish")])
def test_every_rule_set(key: str) -> None:
    check(RULE_SETS[key])


@pytest.mark.skipif(not SHIPPED, reason="the English tables are not here")
def test_the_script_shows_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["demo", "english"]) == 0
    script = subprocess.run(
        [sys.executable, ROOT / "scripts" / "demo_draw_rules.py", "english"],
        env=os.environ | {"PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    assert script.stdout == capsys.readouterr().out
