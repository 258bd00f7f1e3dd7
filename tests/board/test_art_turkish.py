"""Turkish draughts by the TUDAF rule book (numbers in names: R = rule, Ex = explanation)."""

from collections.abc import Callable

import crownbase as cb

Moves = Callable[[str, str], set[str]]
RULES = "turkish"


def test_r1_the_start() -> None:
    start = cb.Position.start(RULES)
    assert start == cb.Position.from_fen("W:W41-56:B9-24", rules=RULES)
    assert len(start.legal_moves()) == 8


def test_r2_a_man_moves_forward_and_sideways(moves: Moves) -> None:
    assert moves(RULES, "W:W36:B1,2") == {"36-28", "36-35", "36-37"}
    assert moves(RULES, "B:W63,64:B29") == {"29-37", "29-28", "29-30"}
    assert moves(RULES, "W:W40:B1,2") == {"40-32", "40-39"}


def test_r2_a_man_takes_forward_and_sideways(moves: Moves) -> None:
    assert moves(RULES, "W:W36:B28,35,37,44") == {"36x20[28]", "36x34[35]", "36x38[37]"}


def test_r2_3_most_pieces_and_free_among_equals(moves: Moves) -> None:
    assert moves(RULES, "W:W42,46:B8,34,K38") == {"42x26[34]", "46x30[38]"}
    assert moves(RULES, "B:W20,44,62:BK60") == {"60x4[20,44]", "60x12[20,44]"}


def test_r4_a_king_is_a_rook_that_flies(moves: Moves) -> None:
    assert moves(RULES, "W:WK57:B8,33") == {f"57x{to}[33]" for to in (25, 17, 9, 1)}


def test_r4_a_king_does_not_go_through_pieces(moves: Moves) -> None:
    """Two pieces in a row block, whosever they are."""
    assert moves(RULES, "W:WK57,41:B8,K58,K59") == {"57-49", "41-33", "41-42"}


def test_r5_crowned_only_where_the_capture_ends(moves: Moves) -> None:
    """On the last row it goes on as a man: to the next square but one, not further."""
    assert moves(RULES, "W:W20:BK5,12,16") == {"20x6[5,12]=K"}
    assert moves(RULES, "W:W20:BK7,12") == {"20x4[12]=K"}


def test_ex_3_taken_pieces_leave_at_once(moves: Moves) -> None:
    """Four taken on a way that leads back over the squares of the first."""
    found = moves(RULES, "W:WK32:B12,19,22,30")
    assert found == {f"32x{to}[12,19,22,30]" for to in (30, 38, 46, 54, 62)}


def test_ex_3_a_king_may_end_where_it_began(moves: Moves) -> None:
    assert moves(RULES, "W:WK8:BK7,32,43,53") == {f"8x{to}[7,32,43,53]" for to in (8, 16, 24)}


def test_ex_4_no_turn_by_180_degrees(moves: Moves) -> None:
    assert moves(RULES, "B:W12,15,22:BK13") == {"13x9[12]", "13x10[12]", "13x11[12]", "13x16[15]"}


def test_ex_4_straight_on_and_two_corners_are_allowed(moves: Moves) -> None:
    assert moves(RULES, "W:WK60:B12,44") == {"60x4[12,44]"}
    assert moves(RULES, "W:WK57:B27,37,41") == {f"57x{to}[27,37,41]" for to in (45, 53, 61)}


def test_a_walled_in_king_has_no_move(moves: Moves) -> None:
    assert moves(RULES, "B:W41,K49,50,58,59:BK57") == set()


def test_one_piece_each_ends_the_game(moves: Moves) -> None:
    """A draw at once, even where the side to move could take; the moves are listed all the same."""
    position = cb.Position.from_fen("W:WK57:BK49", rules=RULES)
    assert moves(RULES, "W:WK57:BK49") == {f"57x{to}[49]" for to in (1, 9, 17, 25, 33, 41)}
    assert position.is_lone_pieces_draw and position.value_at_once == 0
    game = cb.Game(RULES, fen=position.fen())
    assert game.legal_moves() == () and game.result == "1/2-1/2"
    assert not cb.Position.from_fen("W:WK57:BK49,K1", rules=RULES).is_lone_pieces_draw
    assert not cb.Position.from_fen("W:WK29:BK1", rules="czech").is_lone_pieces_draw


def test_a_sideways_move_of_a_man_converts_nothing() -> None:
    """It can be taken back; a forward move cannot."""
    position = cb.Position.from_fen("W:Wa3,Kh1:BKb8,Kg8", rules="turkish")
    conversions = {str(move): move.is_conversion for move in position.legal_moves()}
    assert conversions["a3-b3"] is False
    assert conversions["a3-a4"] is True
    assert position.play("a3-b3").clock == 1
    assert position.play("a3-a4").clock == 0
