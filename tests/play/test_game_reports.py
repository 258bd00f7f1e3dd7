"""Public fault reports about other programs, from data/reports.jsonl: moves, set-ups, draws."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import crownbase as cb
from crownbase.errors import FenError, IllegalMoveError, IllegalPositionError
from crownbase.play.game import Game, Reason

DATA = Path(__file__).resolve().parent.parent / "data" / "reports.jsonl"
REPORTS: dict[str, Any] = {
    report["id"]: report["input"]
    for report in map(json.loads, DATA.read_text(encoding="utf-8").splitlines())
}


def game(report: str) -> Game:
    given = REPORTS[report]
    return cb.Game(given["rules"], given["fen"])


def texts(found: Game) -> list[str]:
    return [str(move) for move in found.legal_moves()]


def test_bug01_a_russian_chain_goes_on_as_a_king() -> None:
    found = game("bug01")
    assert texts(found) == ["h6:e1"]
    assert found.play("h6:f8:b4:e1").promotes


def test_bug03_a_flying_king_must_land_where_it_can_go_on() -> None:
    found = game("bug03")
    assert len(found.legal_moves()) == 2
    assert found.position.parse_move("13x31x24x15").captured
    assert found.position.parse_move("14x21x30").captured
    for stopping in ("13x22", "13x26"):
        with pytest.raises(IllegalMoveError):
            found.play(stopping)


def test_bug05_a_spent_move_is_refused() -> None:
    found = game("bug05")
    assert len(found.legal_moves()) == 9
    move = found.legal_moves()[0]
    found.play(move)
    after = found.fen()
    with pytest.raises(IllegalMoveError, match="not legal"):
        found.play(move)
    assert found.fen() == after


def test_bug07_no_move_ends_where_it_starts() -> None:
    found = game("bug07")
    ends = {move.end for move in found.legal_moves()}
    assert ends == {43, 38, 32, 27, 21, 44, 40, 35}
    assert all(move.start == 49 for move in found.legal_moves())


def test_bug09_a_short_king_takes_only_its_neighbours() -> None:
    given = REPORTS["bug09"]
    found = cb.Game(given["rules"], "W:W21-32:B1-12")
    line = given["line"].split(", then ")[0]
    for move in line.split():
        found.play(move)
    man_or_king_on_4 = found.position.black_kings | found.position.black_men
    assert not man_or_king_on_4 & 1 << 3
    with pytest.raises(IllegalMoveError, match="4-22"):
        found.play("4-22")
    assert {move.end for move in found.legal_moves() if move.start == 4} <= {8, 11}


def test_bug11_who_takes_backwards() -> None:
    international, english = (cb.Game(given["rules"], given["fen"]) for given in REPORTS["bug11"])
    assert texts(international) == ["28x39"]
    assert texts(english) == ["18-14", "18-15"]


def test_bug13_a_chain_is_one_move_and_one_ply() -> None:
    found = game("bug13")
    assert texts(found) == ["7x32"]
    found.play("7x16x23x32")
    assert found.ply == 1 and found.turn == "W"


def test_bug17_a_man_move_restarts_the_25_moves() -> None:
    found = cb.Game("international", "W:WK50,31:BK2,20:H49", draw="fmjd")
    found.play("31-27")
    assert found.clock == 0 and found.outcome() is None
    waiting = cb.Game("international", "W:WK50,31:BK2,20:H49", draw="fmjd")
    waiting.play("50-45")
    outcome = waiting.outcome()
    assert outcome and outcome.article == "FMJD 6.2"


def test_bug19_a_win_on_the_limit_ply_counts_first() -> None:
    found = cb.Game("international", "W:WK48,K49,K24:BK30:H31")
    found.play("24x35")
    outcome = found.outcome()
    assert outcome and (outcome.winner, outcome.reason) == ("W", Reason.NO_PIECES)


def test_bug21_a_side_without_pieces_has_lost() -> None:
    found = game("bug21")
    assert found.legal_moves() == ()
    outcome = found.outcome()
    assert outcome and outcome.winner == "W"


def test_bug23_bad_set_ups_are_named() -> None:
    stray, ranges, descending = REPORTS["bug23"]["fen"]
    with pytest.raises(FenError, match=r"no square 55|crown row|55"):
        cb.Game("international", stray)
    assert cb.Game("international", ranges).start == cb.Position.start("international")
    with pytest.raises(FenError, match="descending range"):
        cb.Game("international", descending)


def test_bug25_men_on_their_crown_row_are_refused() -> None:
    with pytest.raises(IllegalPositionError, match="white man on 1 .*K1"):
        game("bug25")


def test_bug27_the_side_to_move_is_needed() -> None:
    with pytest.raises(FenError, match="side to move needed"):
        cb.Game("international", REPORTS["bug27"]["fen"])


def test_bug29_case_and_blanks() -> None:
    expected = cb.Game("english", "W:W31:B20")
    *good, empty, lower = (text.replace("\\r\\n", "\r\n") for text in REPORTS["bug29"]["fen"])
    for text in [*good, lower]:
        assert cb.Game("english", text).start == expected.start
    with pytest.raises(FenError, match="empty item"):
        cb.Game("english", empty)


def test_bug35_a_game_starts_from_any_fen() -> None:
    assert game("bug35").fen() == REPORTS["bug35"]["fen"]


def test_bug53_a_repetition_is_seen() -> None:
    found = game("bug53")
    for move in ("18-22", "28-32", "22-18", "32-28") * 2:
        found.play(move)
    assert found.occurrences() == 3
    assert found.history.count(found.position) == 2
