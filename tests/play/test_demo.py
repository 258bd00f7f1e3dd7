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
from crownbase.play.demo_books import main_road_scenes, scenes
from crownbase.play.demo_scene import notes
from crownbase.play.game import Game, Reason
from crownbase.play.outcome import COLOURS, Said
from crownbase.probe.catalog import shipped_directory
from crownbase.rules import RULE_SETS, Rules

SHIPPED = (shipped_directory() / "english" / "KKKvK.dtw").is_file()
pytestmark = pytest.mark.skipif(INTERPRETED and not SHIPPED, reason="solves slices")


def check(rules: Rules) -> dict[str, list[Scene]]:
    """All scenes by the first words of their titles; each game can be played again."""
    found: dict[str, list[Scene]] = {}
    with Demo(rules) as demo:
        for scene in demo.scenes():
            found.setdefault(" ".join(scene.title.split()[:3]), []).append(scene)
            check_printed(rules, scene)
    draw = rules.draw
    if draw.repetition:
        (scene,) = found["A repetition that"]
        assert outcomes(scene) == [Reason.REPETITION]
        game = scene.games[0][1]
        assert game.outcome().article == draw.repetition.article
        assert game.outcome().claimed == (draw.repetition.declared != "automatic")
    if draw.quiet and rules.has_tables:
        check_clock(draw.quiet.limit, found)
    for scene in found.get("A class clock", []):
        (_, perfect), (_, slow) = scene.games
        assert perfect.outcome().winner == scene.position.turn
        assert slow.outcome().reason is Reason.CLASS_CLOCK
    assert bool(draw.class_clocks) == ("A class clock" in found)
    if rules.board.n_squares == 32 and any(clock.road == "weak" for clock in draw.class_clocks):
        (petrov,) = found["Petrov's triangle: off"]
        assert petrov.games[0][1].outcome().winner == petrov.position.turn
    return found


def check_printed(rules: Rules, scene: Scene) -> None:
    """Every game again, from what is printed: FEN with its clock, draw rules, moves, words said."""
    text = scene_text(scene)
    printed = " ".join(text.split())
    for game in scene_json(scene)["games"]:
        assert game["fen"] in text
        replayed = Game(rules, game["fen"], game["draw"], game["move_limit"])
        said = list(game["events"])

        def speak(replayed: Game = replayed, said: list = said) -> None:
            while said and said[0]["ply"] == replayed.ply:
                event = said.pop(0)
                assert f"{COLOURS[event['side']]} {event['said']}" in printed
                if event["said"] == Said.OFFER:
                    replayed.offer_draw(event["side"])
                elif event["said"] == Said.ACCEPT:
                    replayed.accept_draw()
                elif event["said"] == Said.HUFF:
                    replayed.huff(event["detail"])
                else:
                    assert event["said"] == Said.CLAIM and event["side"] == replayed.turn
                    replayed.claim_draw(event["detail"].removeprefix("with ") or None)

        for move in game["moves"]:
            speak()
            replayed.play(move)
        speak()
        assert not said
        assert str(replayed.outcome() or "") == game["words"]
        assert f"-> {game['words'] or 'the game goes on'}" in text


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
        "A repetition that", "A clock that", "A win one", "The same position", "A wrong claim",
        "A draw by", "A move limit", "Blocked is lost",
    }  # fmt: skip
    ((_, repeated),) = found["A repetition that"][0].games
    assert notes(repeated) == [
        "after 0 plies: first occurrence of the position",
        "after 4 plies: second occurrence of the position",
        "after 7 plies: Black claims a draw with 5-1",
    ]
    wrong = found["A wrong claim"][0]
    assert "no draw can be claimed" in wrong.remarks[0]
    assert wrong.games[0][1].outcome().claimed
    assert outcomes(found["A draw by"][0]) == [Reason.AGREEMENT]
    assert outcomes(found["A move limit"][0]) == [Reason.MOVE_LIMIT]
    assert outcomes(found["Blocked is lost"][0]) == [Reason.NO_MOVE]
    books = {name: game.outcome() for name, game in found["The same position"][0].games}
    assert books["qdan"].winner is None and books["wcdf"].winner == "W"
    text = scene_text(found["A win one"][0])
    assert "cursed-win, too late" in text and "WCDF 1.32.2" in text


@pytest.mark.skipif(not SHIPPED, reason="the English tables are not here")
def test_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["demo", "english", "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(lines) == 8
    assert list(lines[0]) == ["rules", "title", "fen", "clock", "remarks", "games"]
    assert list(lines[0]["games"][0]) == [
        "under", "fen", "draw", "move_limit", "moves", "events", "result", "article", "words",
    ]  # fmt: skip
    with Demo(RULE_SETS["english"]) as demo:
        assert [scene_json(scene) for scene in demo.scenes()] == lines


def test_an_unknown_rule_set(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["demo", "chess"]) == 2
    assert "chess" in capsys.readouterr().err


@pytest.mark.parametrize("key", RULE_SETS)
def test_scenes_that_need_no_tables(key: str) -> None:
    """Of every rule set, in seconds: the rest is slow but for English and Turkish."""
    rules = RULE_SETS[key]
    with Demo(rules) as demo:
        found = list(scenes(rules, demo._dance()))
    for scene in found:
        check_printed(rules, scene)
    titles = " | ".join(scene.title for scene in found)
    books = (rules.draw, *rules.draw_presets)
    roads = [clock for book in books for clock in book.class_clocks if clock.road == "weak"]
    assert titles.count("main road (") + titles.count("main diagonal (") == len(roads)
    assert ("A piece is huffed" in titles) == rules.huffing
    assert ("A capture that is not made" in titles) == (
        not rules.captures_mandatory and not rules.huffing
    )
    claimed = rules.draw.repetition and rules.draw.repetition.declared != "automatic"
    assert ("A wrong claim" in titles) == bool(claimed)
    assert all(words in titles for words in ("agreement", "move limit", "Blocked is lost"))
    assert ("Kings on both sides" in titles) == (rules.key in ("russian", "brazilian"))


def test_the_two_texts_of_international_side_by_side() -> None:
    """31 plies and a capture: the text in force ends it on the 32nd, that of 2015 five moves on."""
    rules = RULE_SETS["international"]
    with Demo(rules) as demo:
        (scene,) = [one for one in scenes(rules, demo._dance()) if "does not extend" in one.title]
    assert scene_json(scene)["fen"] == "B:WK6,K33,K50:BK42:H30"
    (new, one), (old, other) = scene.games
    assert (new, old) == ("fmjd-2024", "fmjd-2015")
    assert (one.ply, one.outcome().article) == (2, "FMJD 6.3")
    assert (other.ply, other.outcome().article) == (11, "FMJD 6.4")


def test_stepping_off_the_main_road() -> None:
    """Counted on in International, dropped in FMJD-64, resting with lidraughts."""
    ends = {}
    for key in ("international", "russian"):
        for scene in main_road_scenes(RULE_SETS[key]):
            (_, stays), (_, leaves) = scene.games
            assert stays.ply == 10 and stays.outcome().reason is Reason.CLASS_CLOCK
            running = [count for clock, count in leaves.class_clocks if clock.road == "weak"]
            ends[leaves.draw.name] = (leaves.ply, leaves.outcome() is not None, running)
    assert ends == {
        "fmjd-2024": (10, True, [10]),
        "fmjd-64": (12, False, []),
        "lidraughts": (12, False, [5]),
    }


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
