"""Boards and values as text."""

from __future__ import annotations

import pytest

from crownbase import Position
from crownbase.play import render


def test_english_board_has_numbers_at_the_sides() -> None:
    position = Position.from_fen("W:WK19,K23:B12,K28", rules="english")
    lines = render.position_text(position).splitlines()
    assert lines[0] == "   1    .   .   .   .   4"
    assert lines[2] == "   9    .   .   .   b  12"
    assert lines[4] == "  17    .   .   W   .  20"
    assert lines[6] == "  25    .   .   .   B  28"
    assert render.turn_words(position.turn) == "White to move"


def test_every_square_is_drawn_where_its_number_says() -> None:
    for key in ("english", "italian", "international", "turkish"):
        rules = Position.start(key).rules
        for square in range(rules.board.n_squares):
            row, column = rules.board.coordinates[square]
            lines = render.board_text(rules, {square: "W"}).splitlines()
            assert lines[row][6 + 2 * column] == "W"
            assert sum(line.count("W") for line in lines) == 1


def test_letters_where_the_rule_set_writes_letters() -> None:
    lines = render.position_text(Position.start("turkish")).splitlines()
    assert lines[0].split() == ["8", *"........"]
    assert lines[8].split() == list("abcdefgh")


def test_spanish_says_how_its_official_numbers_count() -> None:
    assert "33 - n" in render.position_text(Position.start("spanish"))


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (("W", "win", 5, 61), "White to move wins in 61 plies (next conversion in 5)"),
        (("B", "loss", -4, -60), "Black to move loses in 60 plies (next conversion in 4)"),
        (("B", "win", 1, 1), "Black to move wins in 1 ply (next conversion in 1)"),
        (("W", "draw", 0, 0), "White to move draws"),
        (("W", "loss", 0, 0), "White to move has no legal move and has lost"),
        (("W", "win", None, 7), "White to move wins in 7 plies"),
        (("W", "win", None, None), "White to move wins"),
        (
            ("W", "cursed-win", 83, 101),
            "White to move wins in 101 plies (next conversion in 83), "
            "but is drawn under the draw clock",
        ),
    ],
)
def test_values_in_words(value: tuple[str, str, int | None, int | None], words: str) -> None:
    assert render.value_words(*value) == words


def test_move_numbers_follow_the_first_player_of_the_rules() -> None:
    white, black = (Position.from_fen(f"{turn}:W18:B15", rules="pure") for turn in "WB")
    assert render.line_text(black, ["19-15", "12-16", "15-18"]) == "1. 19-15 12-16 2. 15-18"
    assert render.line_text(white, ["12-16", "15-18"]) == "1... 12-16 2. 15-18"
    assert render.line_text(white, []) == "no move"
    russian = Position.from_fen("B:Wa1:Bh8", rules="russian")
    assert render.line_text(russian, ["h8-g7", "a1-b2"]) == "1... h8-g7 2. a1-b2"


def test_a_long_line_is_folded_between_moves() -> None:
    lines = render.line_text(Position.start("international"), ["10-15"] * 60).splitlines()
    assert len(lines) > 1
    assert all(len(line) <= 78 for line in lines)
    assert not any(line.endswith(".") for line in lines)


def test_table_columns() -> None:
    text = render.table(("slice", "n"), [("KvK", "992"), ("KKvK", "14,880")])
    assert text.splitlines() == ["slice       n", "KvK       992", "KKvK   14,880"]
