"""What the evaluation claims: symmetry, and the sign of each of its terms."""

from __future__ import annotations

import pytest

from crownbase.board import Position
from crownbase.rules import RULE_SETS
from crownbase.search.evaluate import evaluate, has_the_move, inner_mask, rows_mask
from crownbase.search.scores import LIMIT


def worth(fen: str, rules: str = "english") -> int:
    position = Position.from_fen(fen, rules=rules)
    traits = position.rules.traits.plain
    return evaluate.plain(traits, inner_mask.plain(traits), *position.boards)


@pytest.mark.parametrize("key", RULE_SETS)
def test_the_start_is_even(key: str) -> None:
    position = Position.start(key)
    traits = position.rules.traits.plain
    value = evaluate.plain(traits, inner_mask.plain(traits), *position.boards)
    assert value == 0


def test_both_colours_are_worth_the_same() -> None:
    white = worth("W:W22,K18,30:BK3,7")
    black = worth("B:WK30,26:B11,K15,3")
    assert white == black


def test_ahead_is_positive_for_whoever_moves() -> None:
    assert worth("W:W22,23:B10") > 50
    assert worth("B:W22,23:B10") < -50


def test_a_king_is_worth_more_than_a_man() -> None:
    assert worth("W:WK22:B10") > worth("W:W22:B10")


def test_a_flying_king_is_worth_more_than_a_short_one() -> None:
    assert worth("W:WK22:B10", "russian") > worth("W:WK22:B10", "english")


def test_men_are_worth_more_near_their_crown_row() -> None:
    assert worth("W:W9:B12,K1") > worth("W:W25:B12,K1")


def test_men_at_home_guard_the_back_row_only_while_men_come() -> None:
    guarded = worth("W:W31,30,18:B1,2,11") - worth("W:W27,30,18:B1,2,11")
    pointless = worth("W:W31,30,18:BK1,K2,K11") - worth("W:W27,30,18:BK1,K2,K11")
    assert guarded > pointless


def test_kings_like_the_middle() -> None:
    assert worth("W:WK18,K31:BK4") > worth("W:WK29,K31:BK4")


def test_exchanges_favour_the_side_ahead() -> None:
    assert worth("W:WK18,K15:BK6") > worth("W:WK18,K15,K14,K10:BK6,K7,K9")


def test_the_move_is_counted_on_the_movers_rows() -> None:
    traits = RULE_SETS["english"].traits.plain
    system = rows_mask.plain(traits, 1, 2)
    assert system & (1 << 31) and system & (1 << 4) and not system & 1
    position = Position.from_fen("W:WK32:BK1", rules="english")
    assert has_the_move.plain(traits, *position.boards)
    assert not has_the_move.plain(traits, *position.play("32-27").boards)


def test_it_never_reaches_the_proven_zone() -> None:
    assert worth("W:WK1,K2,K3,K5,K6,K7,K8,K9,K10,K11,K12,K13:B15") <= LIMIT
