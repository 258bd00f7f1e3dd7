"""Italian draughts by the articles of the FID's Regolamento Tecnico (numbers as in dctl)."""

from collections.abc import Callable

import pytest

import crownbase as cb

Moves = Callable[[str, str], set[str]]


def test_art_2_1_the_dark_corner_is_at_the_right() -> None:
    """Square 1 is the corner at White's upper left, 32 the corner at White's right hand."""
    assert {str(m) for m in cb.Position.from_fen("W:WK32:B1", "italian").legal_moves()} == {"32-28"}
    assert {str(m) for m in cb.Position.from_fen("W:WK1:B17", "italian").legal_moves()} == {"1-5"}


def test_art_4_6_a_man_is_crowned_on_the_last_row(moves: Moves) -> None:
    assert moves("italian", "W:W8:B17") == {"8-4=K"}


def test_art_5_3a_a_man_takes_forward_only(moves: Moves) -> None:
    assert moves("italian", "W:W24:B20,28") == {"24x15[20]"}


def test_art_5_3b_a_man_cannot_take_a_king(moves: Moves) -> None:
    assert moves("italian", "W:W30:BK26") == {"30-27"}
    assert moves("italian", "W:W22,25:BK18,19") == {"22x15[19]"}


def test_art_5_3b_a_man_shut_in_by_kings_cannot_move(moves: Moves) -> None:
    assert moves("italian", "W:W22:BK18,K19") == set()


def test_art_5_3c_a_king_takes_both_ways(moves: Moves) -> None:
    assert moves("italian", "W:WK24:B20,28") == {"24x15[20]", "24x31[28]"}


def test_art_5_3d_a_king_takes_a_king(moves: Moves) -> None:
    assert moves("italian", "W:WK30:BK26") == {"30x21[26]"}


def test_art_5_5_a_man_that_reaches_the_last_row_stops(moves: Moves) -> None:
    assert moves("italian", "W:W10:B6,7") == {"10x3[6]=K"}


def test_art_5_6_a_man_takes_a_man(moves: Moves) -> None:
    assert moves("italian", "W:W30:B27") == {"30x23[27]"}


def test_art_5_9_a_king_takes_several(moves: Moves) -> None:
    assert moves("italian", "W:WK27:B5,6,13,15,21,23") == {"27x25[5,6,13,15,21,23]"}


def test_art_6_6_most_pieces_come_first(moves: Moves) -> None:
    """Also before the king's privilege: the man takes three, the king could take less."""
    assert moves("italian", "W:WK21,31:B10,18,27") == {"31x6[10,18,27]"}


def test_art_6_7_then_taking_with_a_king(moves: Moves) -> None:
    assert moves("italian", "W:WK23,31:B19,26,27") == {"23x21[26,27]"}
    assert moves("italian", "W:W23,K30:B20,26") == {"30x21[26]"}


def test_art_6_8_then_most_kings(moves: Moves) -> None:
    fen = "W:WK25,31,32:B5,K7,12,K13,K14,20,21,28"
    assert moves("italian", fen) == {"25x4[7,14,21]"}


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        ("W:WK30:B10,12,18,K20,K26,27", "30x5[10,18,26]"),
        ("W:WK30:B10,K12,K18,20,K26,K27", "30x5[10,18,26]"),  # D. Alioto: the whole order counts
        ("B:WK11,K19,20,K25,26,K28,K32:BK6", "6x29[11,19,26]"),
    ],
)
def test_art_6_9_then_kings_as_early_as_possible(moves: Moves, fen: str, expected: str) -> None:
    assert moves("italian", fen) == {expected}


def test_art_6_10_then_the_choice_is_free(moves: Moves) -> None:
    assert moves("italian", "W:WK31:B18,20,K27,K28") == {"31x13[18,27]", "31x15[20,28]"}
