"""Real PDN files, most of them known for breaking readers (see data/pdn)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crownbase.play.pdn import PdnGame, read_pdn, read_pdn_file

DATA = Path(__file__).resolve().parent.parent / "data"
REPORTS = {
    report["id"]: report["input"]
    for report in map(json.loads, (DATA / "reports.jsonl").read_text("utf-8").splitlines())
}


def load(name: str, rules: str | None) -> list[PdnGame]:
    return list(read_pdn_file(DATA / "pdn" / f"{name}.pdn", rules))


@pytest.mark.parametrize(
    ("name", "rules", "plies"),
    [
        ("tinsley", "english", [56, 75, 27, 54, 54]),
        ("delfts", "international", [128, 124]),
        ("mrdrcd07", "czech", [32, 73, 40, 0, 51]),
        ("kurnik", None, [126]),
        ("abatsiev", "russian", [83, 34, 0, 44]),
        ("set_ups", "international", [13, 9, 18, 5]),
    ],
)
def test_every_move_is_found(name: str, rules: str | None, plies: list[int]) -> None:
    games = load(name, rules)
    assert [game.game and game.game.ply for game in games] == plies
    faulty = [game.line for game in games if game.error]
    assert faulty == ([37] if name == "abatsiev" else [])


def test_bug31_unknown_moves_are_named_and_the_other_games_load() -> None:
    """Game 36 of the file has "- -" for every move."""
    *_, unknown, last = load("abatsiev", "russian")
    assert unknown.error and unknown.error.source.endswith("abatsiev.pdn")
    assert (unknown.error.line, unknown.error.token) == (45, "-")
    assert last.error is None and last.result == "1/2-1/2"


def test_bug31_nested_comments_are_read_and_reported() -> None:
    """games/fail/nested_comment.pdn of the PDN repository."""
    text = "1. 33-29 19-23 2. 35-30 { nested { comment } } \n"
    (found,) = read_pdn(text, "international", source="nested_comment.pdn")
    assert found.game and found.game.ply == 3
    assert found.comments == {3: ["nested { comment }"]}
    assert str(found.warnings[0]).startswith("nested_comment.pdn:1: 'nested { comment }'")


def test_bug33_x_for_quiet_moves_and_left_out_squares() -> None:
    given = REPORTS["bug33"]
    (found,) = read_pdn(given["pdn"], given["rules"])
    assert found.game
    assert [str(move) for move in found.game.moves[-2:]] == ["10-14", "19x10"]
    first = load("tinsley", "english")[0].game
    assert first and str(first.moves[-1]) == "24x6"


def test_bug71_a_token_like_the_result_tag_ends_the_game() -> None:
    given = REPORTS["bug71"]
    first, second = load("delfts", given["rules"])
    assert first.result == given["token"] and second.result == "1-9"
    assert first.game and first.game.fen() == given["position"]
    assert first.game.outcome() is None  # nobody knows what 4-6 means
    assert first.warnings == []


def test_bug71_without_the_tag_the_reader_warns_and_stops() -> None:
    text = '[FEN "W:WK4,32:B15,18,K19"]\n4-6\n'
    (found,) = read_pdn(text, "international")
    assert found.error is None and found.result == "4-6"
    assert "neither a legal move nor a known result" in found.warnings[0].problem


def test_a_result_that_is_also_a_move_ends_the_game_with_a_warning() -> None:
    text = '[Result "2-8"]\n[FEN "B:W50:B2"]\n2-8'
    (found,) = read_pdn(text, "international")
    assert found.game and found.game.ply == 0
    assert "also a move" in found.warnings[0].problem
    (found,) = read_pdn(text + " 50-45", "international")
    assert found.game and found.game.ply == 2


def test_bug73_english_games_in_letters_are_refused() -> None:
    given = REPORTS["bug73"]
    (found,) = read_pdn(given["pdn"], given["rules"])
    assert found.game and found.game.ply == 0
    assert found.error and found.error.token == "c3-d4"
    assert 'add [GameType "21,B,8,8,A0,0"]' in found.error.problem


def test_bug73_and_read_if_a_tag_says_whose_letters_they_are() -> None:
    """Each hop of a capture is a token of its own there."""
    text = (DATA / "pdn" / "playstrategy.pdn").read_text("utf-8")
    declared = text.replace("[Variant ", '[GameType "21,B,8,8,A0,0"]\n[Variant ')
    short, long = read_pdn(declared)
    assert short.game and short.game.fen() == (
        "B:W19,21,22,23,25,26,27,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12"
    )
    assert long.error is None and long.warnings == []
    outcome = long.game and long.game.outcome()
    assert outcome and str(outcome) == "White wins: Black has no piece left"


def test_a_wrong_corner_in_the_game_type_is_reported() -> None:
    (found,) = load("kurnik", None)
    assert "names another corner for square 1" in found.warnings[0].problem


def test_results_agree_with_the_boards() -> None:
    """1946, won games of the first and of the second player: 1-0 is a win of Black, who begins."""
    winners = [game.game and game.game.outcome() for game in load("tinsley", "english")]
    assert [outcome and outcome.winner for outcome in winners] == [None, None, "B", "W", "W"]
