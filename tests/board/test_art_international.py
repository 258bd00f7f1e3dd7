"""International draughts by the articles of FMJD Annex 1."""

from collections.abc import Callable

import crownbase as cb

Moves = Callable[[str, str], set[str]]
RULES = "international"


def test_art_2_the_start() -> None:
    start = cb.Position.start(RULES)
    assert start == cb.Position.from_fen("W:W31-50:B1-20", rules=RULES)
    assert len(start.legal_moves()) == 9


def test_art_3_9_a_king_flies(moves: Moves) -> None:
    found = moves(RULES, "B:WK1,K2,14,16,31,37,42:BK49")
    assert found == {f"49-{to}" for to in (43, 38, 32, 27, 21, 44, 40, 35)}


def test_art_4_1_a_man_takes_forward_and_backward(moves: Moves) -> None:
    assert moves(RULES, "W:W28:B33") == {"28x39[33]"}
    assert moves(RULES, "W:W35:B30,K40") == {"35x24[30]", "35x44[40]"}


def test_art_4_3_a_king_takes_over_any_distance(moves: Moves) -> None:
    assert moves(RULES, "W:WK46:B23") == {f"46x{to}[23]" for to in (19, 14, 10, 5)}


def test_art_4_5_a_man_takes_several(moves: Moves) -> None:
    assert moves(RULES, "W:W15:B8,19,20") == {"15x2[8,19,20]=K"}
    fen = "W:W47:B13,14,22,24,31,34,K41,44"
    assert moves(RULES, fen) == {"47x49[13,14,22,24,31,34,41,44]"}


def test_art_4_6_a_king_takes_several(moves: Moves) -> None:
    assert moves(RULES, "W:WK47:B9,12,33") == {f"47x{to}[9,12,33]" for to in (17, 21, 26)}
    fen = "W:WK1:B7,9,17,19,20,30,31,33,43,44"
    assert moves(RULES, fen) == {"1x15[7,9,17,19,20,30,31,33,43,44]"}


def test_art_4_8_no_piece_is_jumped_twice(moves: Moves) -> None:
    assert moves(RULES, "W:WK41,49:B9,10,12,19,38") == {"41x43[9,12,19,38]"}


def test_art_4_8_an_empty_square_may_be_crossed_again(moves: Moves) -> None:
    """Also the square that the king left, where it may even end."""
    found = moves(RULES, "W:WK38:B18,19,32,33")
    assert found == {f"38x{to}[18,19,32,33]" for to in (38, 42, 43, 47, 49)}


def test_art_4_13_most_pieces_whatever_they_are(moves: Moves) -> None:
    assert moves(RULES, "W:W48:B24,K31,34,K42,43") == {"48x19[24,34,43]"}


def test_art_4_14_free_among_equals(moves: Moves) -> None:
    assert moves(RULES, "W:WK47:B14,19,29,31,42") == {
        "47x36[14,29,31,42]",
        "47x36[19,29,31,42]",
    }


def test_art_4_15_a_man_that_passes_the_last_row_stays_a_man(moves: Moves) -> None:
    assert moves(RULES, "W:W12:B8,9") == {"12x14[8,9]"}
    assert moves(RULES, "W:W12:B8,K24") == {"12x3[8]=K"}


def test_art_7_2_2_who_cannot_move_has_no_move_left(moves: Moves) -> None:
    assert moves(RULES, "W:W6:B1") == set()
