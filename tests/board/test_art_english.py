"""English draughts by the articles of the WCDF rules, and its form with optional captures."""

from collections.abc import Callable

import pytest

import crownbase as cb

Moves = Callable[[str, str], set[str]]


def test_art_1_10_black_begins() -> None:
    start = cb.Position.start("english")
    assert start.fen().startswith("B:W21,22,") and start.fen().endswith(
        ":B1,2,3,4,5,6,7,8,9,10,11,12"
    )
    assert len(start.legal_moves()) == 7


def test_art_1_16_a_man_moves_and_takes_forward_only(moves: Moves) -> None:
    assert moves("english", "W:W18:B2") == {"18-14", "18-15"}
    assert moves("english", "W:W14:B17") == {"14-9", "14-10"}
    assert moves("english", "B:W14:B17") == {"17-21", "17-22"}
    assert moves("english", "B:W18:B14") == {"14x23[18]"}


def test_art_1_16_a_man_on_the_edge_cannot_be_jumped(moves: Moves) -> None:
    assert moves("english", "W:W17:B13") == {"17-14"}


def test_art_1_16_a_man_may_take_a_king(moves: Moves) -> None:
    assert moves("english", "W:W18:BK14,K15") == {"18x9[14]", "18x11[15]"}


def test_art_1_17_a_king_moves_and_takes_one_step(moves: Moves) -> None:
    assert moves("english", "W:WK18:B9") == {"18-14", "18-15", "18-22", "18-23"}
    assert moves("english", "W:WK18:B23") == {"18x27[23]"}


def test_art_1_19_reaching_the_last_row_ends_the_move(moves: Moves) -> None:
    assert moves("english", "W:W9:B6,7,24") == {"9x2[6]=K"}
    assert moves("english", "W:W9:B24") == {"9-5", "9-6"}
    assert moves("english", "W:W6:B24") == {"6-1=K", "6-2=K"}


def test_art_1_19_a_chain_may_end_where_it_began(moves: Moves) -> None:
    """Both ways round give the same position: one move."""
    assert moves("english", "W:WK23:B10,11,18,19") == {"23x23[10,11,18,19]"}
    assert moves("english", "W:W23:B10,11,18,19") == {"23x7[10,18]", "23x7[11,19]"}


def test_art_1_20_who_can_take_must_take(moves: Moves) -> None:
    assert moves("english", "W:W21,31:B17,2") == {"21x14[17]"}


def test_art_1_20_choice_is_free_but_a_chain_is_finished(moves: Moves) -> None:
    assert moves("english", "W:W22:B10,17,18") == {"22x6[10,18]", "22x13[17]"}


def test_art_1_30_who_cannot_move_has_no_move_left(moves: Moves) -> None:
    assert moves("english", "W:W21,25,29:B14,17,18,22") == set()
    assert moves("english", "B:W18:B") == set()


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        ("W:W21,31:B17,27", {"21x14[17]", "31x24[27]", "31-26"}),
        ("W:W31:B19,27", {"31x15[19,27]", "31-26"}),
        ("W:W22:B10,17,18", {"22x6[10,18]", "22x13[17]"}),
        ("W:WK23:B10,11,18,19", {"23x23[10,11,18,19]", "23-26", "23-27"}),
    ],
)
def test_optional_captures_leave_quiet_moves_legal(
    moves: Moves, fen: str, expected: set[str]
) -> None:
    """Qdan's option: a begun chain is finished all the same, a partial one is never legal."""
    assert moves("english-optional", fen) == expected
