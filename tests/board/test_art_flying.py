"""Flying kings on 8x8: Pool, Pure Checkers, Russian, Brazilian, Spanish and Czech.

Rule numbers: tkabber's pool.txt (Pool), kodeks 2004 (Russian), FMJD Annex 1 (Brazilian), FPD 2013
(Spanish). Pure Checkers has no article numbers; Czech neither.
"""

from collections.abc import Callable

import pytest

import crownbase as cb

Moves = Callable[[str, str], set[str]]
FREE_LANDING = {"29x18[22]", "29x11[22]", "29x8[22]", "29x4[22]", "29x24[19,22]", "29x28[19,22]"}


@pytest.mark.parametrize("rules", ["pool", "pure", "russian", "brazilian"])
def test_men_take_backwards(moves: Moves, rules: str) -> None:
    """Pool 5, Russian 1.5.2, FMJD 4.1, Pure: published rules."""
    assert moves(rules, "W:W14:B17") == {"14x21[17]"}
    assert moves(rules, "B:W17:B21") == {"21x14[17]"}


@pytest.mark.parametrize("rules", ["spanish", "czech"])
def test_men_take_forward_only(moves: Moves, rules: str) -> None:
    fen = {"spanish": "W:W14:B18", "czech": "W:W14:B17"}[rules]
    assert not any("x" in move for move in moves(rules, fen))


@pytest.mark.parametrize("rules", ["pool", "russian", "czech"])
def test_pool_7_russian_1_5_9_a_king_lands_where_it_can_go_on(moves: Moves, rules: str) -> None:
    assert moves(rules, "W:WK29:B19,22") == {"29x24[19,22]", "29x28[19,22]"}
    assert moves(rules, "W:WK29:B11,22") == {"29x4[11,22]", "29x8[11,22]"}


def test_pure_a_king_lands_anywhere(moves: Moves) -> None:
    assert moves("pure", "W:WK29:B19,22") == FREE_LANDING


def test_pure_a_king_may_turn_back_at_once(moves: Moves) -> None:
    """15 takes 24, which leaves the board, then 10 behind its back."""
    found = moves("pure", "B:WK10,24:BK15")
    assert {"15x6[10,24]", "15x1[10,24]"} <= found
    assert not any("10,24" in move for move in moves("pool", "B:WK10,24:BK15"))


def test_pure_taken_pieces_leave_after_each_hop(moves: Moves) -> None:
    """In Pool the man taken first still blocks."""
    fen = "B:W5,9,17,18,24:BK15"
    assert moves("pool", fen) == {"15x28[9,17,18,24]", "15x28[24]"}
    assert moves("pure", fen) >= {"15x28[24]"} and moves("pure", fen) != moves("pool", fen)


@pytest.mark.parametrize(
    ("rules", "passing", "far"),
    [
        ("pool", {"9x11[6,7]"}, {"9x2[6]=K"}),
        ("brazilian", {"9x11[6,7]"}, {"9x2[6]=K"}),
        ("czech", {"9x2[6]=K"}, {"9x2[6]=K"}),
        ("pure", {"9x2[6]=K"}, {"9x2[6]=K"}),
        (
            "russian",
            {"9x11[6,7]=K", "9x16[6,7]=K", "9x20[6,7]=K"},
            {"9x16[6,11]=K", "9x20[6,11]=K"},
        ),
    ],
)
def test_a_man_reaches_the_last_row_in_a_capture(
    moves: Moves, rules: str, passing: set[str], far: set[str]
) -> None:
    """Pool 6 and FMJD 4.15: passes as a man. Russian 1.5.15: goes on as a king. Others: stop."""
    assert moves(rules, "W:W9:B6,7") == passing
    assert moves(rules, "W:W9:B6,11") == far


def test_russian_1_5_15_crowned_in_passing_and_must_finish(moves: Moves) -> None:
    assert moves("russian", "W:Wh6:Bg7,c5,d2") == {"12x31[8,14,26]=K"}
    position = cb.Position.from_fen("W:Wh6:Bg7,c5,d2", rules="russian")
    assert position.play("h6:f8:b4:e1").fen() == "B:WKe1:B"


def test_russian_1_5_15_a_crowned_man_stays_a_king_whichever_way_it_went(moves: Moves) -> None:
    fen = "B:W17,18,19,24,25,26,27,28,29,31,32:B1,2,3,4,5,6,7,8,10,14,15"
    assert "14x14[17,18,25,26]=K" in moves("russian", fen)
    assert "14x14[17,18,25,26]" not in moves("russian", fen)


def test_russian_1_5_12_a_taken_piece_blocks_until_the_end(moves: Moves) -> None:
    assert moves("russian", "W:W11:B8,15") == {"11x4[8]=K", "11x18[15]"}
    assert moves("russian", "W:WK26:B11,14,15,23") == {
        "26x17[11,14,23]",
        "26x21[11,14,23]",
        "26x17[14,15,23]",
        "26x21[14,15,23]",
    }


@pytest.mark.parametrize("rules", ["russian", "brazilian", "pool"])
def test_a_man_goes_round_a_diamond(moves: Moves, rules: str) -> None:
    """Forward and backward without touching the last row: it comes home as a man."""
    assert moves(rules, "W:W23:B10,11,18,19") == {"23x23[10,11,18,19]"}


@pytest.mark.parametrize(
    ("rules", "fen", "expected"),
    [
        ("russian", "W:WK10:B6,K11,14,K20,26,K27", {"10x1[6]", "10x1[6,14,26,27]"}),
        ("brazilian", "W:WK14:B7,8,9,11,16", {"14x5[7,8,9,16]"}),
        ("czech", "W:WK23:B3,6,11,14,26", {"23x30[26]", "23x30[6,11,14,26]"}),
        ("spanish", "B:WK6,K9,19,21,27:BK10", {"10x3[6,19,21,27]"}),
    ],
)
def test_a_king_crosses_the_square_it_left(
    moves: Moves, rules: str, fen: str, expected: set[str]
) -> None:
    assert moves(rules, fen) == expected


def test_art_4_13_brazilian_takes_most_pieces(moves: Moves) -> None:
    assert moves("brazilian", "W:W25:B15,22") == {"25x11[15,22]"}
    assert moves("brazilian", "W:W22:B10,17,18") == {"22x6[10,18]"}
    assert moves("pool", "W:W22:B10,17,18") == {"22x6[10,18]", "22x13[17]"}


def test_art_4_14_brazilian_chooses_among_equals(moves: Moves) -> None:
    assert moves("brazilian", "W:W22,24:B10,18,19") == {"22x6[10,18]", "24x6[10,19]"}
    found = moves("brazilian", "W:WK1,31:BK6,27")
    assert found == {f"1x{to}[6]" for to in (10, 15, 19, 24, 28)} | {"31x24[27]"}


def test_fpd_3_1_spanish_quantity_then_quality(moves: Moves) -> None:
    assert moves("spanish", "W:WK30:B26,K27") == {"30x16[27]", "30x20[27]", "30x23[27]"}
    assert moves("spanish", "W:WK27:BK18,23") == {"27x9[18]", "27x13[18]"}


def test_fpd_spanish_has_no_priority_for_taking_with_the_king(moves: Moves) -> None:
    assert moves("spanish", "W:W23,K30:B20,26") == {"23x16[20]", "30x17[26]", "30x21[26]"}


def test_czech_a_king_takes_before_a_man(moves: Moves) -> None:
    """Even if the man would take more; among the kings' captures the choice is free."""
    assert moves("czech", "B:W19,30:BK12,15") == {"12x23[19]", "12x26[19]"}
    assert moves("czech", "W:WK4,18,21:B8,9,17") == {"4x11[8]", "4x15[8]"}
    assert moves("czech", "W:W22:B10,17,18") == {"22x6[10,18]", "22x13[17]"}


@pytest.mark.parametrize("rules", ["pool", "pure", "russian", "brazilian", "spanish", "czech"])
def test_a_blocked_side_has_no_move(moves: Moves, rules: str) -> None:
    fen = {"spanish": "W:W16:B7,12", "czech": "W:W29:B22,25"}.get(rules, "W:W21:B14,17")
    assert moves(rules, fen) == set()
