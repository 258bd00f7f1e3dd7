"""Class clocks: limits that belong to a material class, article by article."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest

import crownbase as cb
from crownbase.play.game import Game, Reason
from crownbase.rules import RULE_SETS, DrawRules
from crownbase.rules.draw import ClassClock, main_road


def game_of(key: str, fen: str, preset: str | None = None) -> Game:
    """A game without the repetition rule, which would end any shuffling first."""
    draw = RULE_SETS[key].draw_rules(preset)
    return cb.Game(key, fen, dataclasses.replace(draw, repetition=None))


def drift(game: Game, plies: int, keep: Callable[[cb.Position], bool] = lambda _: True) -> Game:
    """Play quiet king moves that offer nothing, into positions that *keep* allows."""
    for _ in range(plies):
        for move in game.legal_moves():
            after = game.position.play(move)
            quiet = not move.is_conversion and not any(m.captured for m in after.legal_moves())
            if quiet and keep(after):
                game.play(move)
                break
        else:
            raise AssertionError(f"no quiet move in {game.fen()}: {game.outcome()}")
    return game


def counts(game: Game) -> dict[str, int]:
    return {clock.article: count for clock, count in game.class_clocks}


def on_road(position: cb.Position) -> bool:
    """Black's king alone on the main road."""
    road = main_road(position.rules.board)
    return bool(position.black_kings & road) and not position.white_kings & road


def off_road(position: cb.Position) -> bool:
    return not position.black_kings & main_road(position.rules.board)


# -- International -------------------------------------------------------------------------------


@pytest.mark.parametrize("white", ["K48,K49,K50", "K48,K49,50", "K48,49,50"])
def test_fmjd_6_3_sixteen_moves_each(white: str) -> None:
    game = game_of("international", f"W:W{white}:BK1")
    drift(game, 31)
    assert game.outcome() is None
    assert counts(game) == {"FMJD 6.3": 31}
    drift(game, 1)
    outcome = game.outcome()
    assert outcome and outcome.reason is Reason.CLASS_CLOCK
    assert str(outcome) == "drawn: three pieces against a king, 16 moves of each (FMJD 6.3)"


def test_a_win_on_the_last_ply_of_the_sixteen_moves_stands() -> None:
    """Move, then win, then draw: the 32nd ply takes the last piece."""
    game = game_of("international", "W:WK48,K49,K2:BK35:H31")
    assert counts(game) == {"FMJD 6.3": 31}
    drawn = drift(game_of("international", game.start.fen() + ":H31"), 1).outcome()
    assert drawn and drawn.article == "FMJD 6.3"
    game = game_of("international", "W:WK48,K49,K24:BK30:H31")
    game.play("24x35")
    outcome = game.outcome()
    assert outcome and (outcome.winner, outcome.reason) == ("W", Reason.NO_PIECES)


@pytest.mark.parametrize("fen", ["W:WK48,K49:BK1", "W:WK48,50:BK1", "W:WK48:BK1", "W:WK48:B1,K2"])
def test_fmjd_6_4_five_moves_each(fen: str) -> None:
    game = game_of("international", fen)
    drift(game, 9)
    assert game.outcome() is None
    drift(game, 1)
    outcome = game.outcome()
    assert outcome and outcome.article == "FMJD 6.4"


def test_no_clock_without_a_king_on_the_stronger_side() -> None:
    assert counts(game_of("international", "W:W48,49,50:BK1")) == {}
    assert counts(game_of("international", "W:WK48,K49,K50,47:BK1")) == {}


def test_the_move_that_brings_the_material_is_not_counted() -> None:
    game = game_of("international", "W:W6,48,49:BK45")
    assert counts(game) == {}
    game.play("6-1")
    assert counts(game) == {"FMJD 6.3": 0}


def test_a_man_move_restarts_the_draw_clock_but_no_class_clock() -> None:
    game = game_of("international", "W:WK48,49,50:BK1")
    drift(game, 4)
    game.play("50-45")
    assert game.clock == 0
    assert counts(game) == {"FMJD 6.3": 5}


ONE_IS_TAKEN = "B:WK28,K46,K48:BK6:H28"
OLDER = "fmjd-2015"
DIAGONAL = "FMJD 6.3, main diagonal"


def test_fmjd_2015_a_capture_starts_the_five_moves() -> None:
    game = game_of("international", ONE_IS_TAKEN, OLDER)
    game.play("6x50")
    assert counts(game) == {"FMJD 6.4": 0}


def test_a_capture_does_not_extend_the_sixteen_moves() -> None:
    game = game_of("international", ONE_IS_TAKEN)
    assert counts(game) == {"FMJD 6.3": 28}
    game.play("6x50")
    assert counts(game) == {"FMJD 6.3": 29, "FMJD 6.4": 0}
    drift(game, 3)
    outcome = game.outcome()
    assert outcome and outcome.article == "FMJD 6.3"


def test_the_thirty_second_ply_ends_it() -> None:
    """The 31st ply takes a king; the 32nd is the last, under the text in force."""
    fen = "B:WK33,K6,K50:BK42:H30"
    game = game_of("international", fen)
    game.play(next(move for move in game.legal_moves() if move.captured))
    assert game.outcome() is None and counts(game)["FMJD 6.3"] == 31
    drift(game, 1)
    outcome = game.outcome()
    assert outcome and (outcome.reason, outcome.article) == (Reason.CLASS_CLOCK, "FMJD 6.3")
    older = game_of("international", fen, OLDER)
    for move in game.moves:
        older.play(move)
    assert older.outcome() is None
    outcome = drift(older, 9).outcome()
    assert outcome and (outcome.article, older.ply) == ("FMJD 6.4", 11)


def test_five_moves_once_the_king_is_on_the_main_diagonal() -> None:
    """From the first such position on, and not dropped when it steps off."""
    fen = "W:WK1,K2,K3:BK28"
    for keep in (on_road, lambda _: True):
        game = game_of("international", fen)
        drift(game, 1, on_road)
        drift(game, 8, keep)
        assert counts(game)[DIAGONAL] == 9
        drift(game, 1, keep)
        outcome = game.outcome()
        assert outcome and outcome.article == DIAGONAL
    assert drift(game_of("international", fen, OLDER), 10, on_road).outcome() is None


def test_five_moves_are_not_dropped_off_the_diagonal() -> None:
    game = game_of("international", "B:WK1,K2,K3:BK28")
    drift(game, 1, off_road)
    drift(game, 9, off_road)
    outcome = game.outcome()
    assert outcome and outcome.article == DIAGONAL


def test_a_piece_of_the_stronger_side_on_the_main_diagonal_hinders_the_five_moves() -> None:
    assert counts(game_of("international", "B:WK1,K2,46:BK5")) == {"FMJD 6.3": 0}
    assert counts(game_of("international", "B:WK1,K2,45:BK5")) == {"FMJD 6.3": 0, DIAGONAL: 0}
    game = game_of("international", "W:WK1,K2,37:BK5")
    assert counts(game) == {"FMJD 6.3": 0}
    game.play("37-31")
    assert counts(game) == {"FMJD 6.3": 1, DIAGONAL: 0}


def test_two_against_one_counts_its_own_five_moves() -> None:
    """In place of those on the diagonal, but within the sixteen that began before."""
    game = game_of("international", "B:WK28,K1,K48:BK5:H10")
    assert counts(game) == {"FMJD 6.3": 10}  # White holds the diagonal too
    game = game_of("international", "W:WK11,K1,K48:BK5:H10")
    assert counts(game) == {"FMJD 6.3": 10, DIAGONAL: 0}
    game.play("11-28")
    assert counts(game) == {"FMJD 6.3": 11, DIAGONAL: 1}
    game.play(next(move for move in game.legal_moves() if 28 in move.captured))
    assert counts(game) == {"FMJD 6.3": 12, "FMJD 6.4": 0}


# -- Russian, Brazilian --------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["russian", "brazilian"])
def test_fmjd_64_7_2_4_three_kings_against_one(key: str) -> None:
    game = game_of(key, "W:WKa1,Kc1,Ke1:BKb8", "lidraughts")
    drift(game, 29, off_road)
    assert game.outcome() is None
    drift(game, 1, off_road)
    outcome = game.outcome()
    assert outcome and outcome.article == "FMJD-64 7.2.4"


KINGS_AND_MEN = "W:WKc1,a3,g1,h2:BKf8,a7,b8,h6"


@pytest.mark.parametrize("preset", ["fmjd-64", "lidraughts"])
def test_fmjd_64_7_2_5_fifteen_moves_of_kings(preset: str) -> None:
    game = cb.Game("russian", KINGS_AND_MEN + ":H28", preset)
    drift(game, 1)
    assert game.outcome() is None
    drift(game, 1)
    outcome = game.outcome()
    assert outcome and outcome.article == "FMJD-64 7.2.5"


def test_lidraughts_drops_7_2_5_where_7_2_6_counts() -> None:
    fen = "W:WKb2,Kd2:BKg1,Kb8:H29"
    outcome = drift(cb.Game("russian", fen), 1).outcome()
    assert outcome and outcome.article == "FMJD-64 7.2.5"
    assert drift(cb.Game("russian", fen, "lidraughts"), 1).outcome() is None


def test_fmjd_64_7_2_6_captures_and_crownings_start_the_count_again() -> None:
    game = game_of("russian", "W:WKb2,h6:BKg1,a7", "lidraughts")
    assert counts(game) == {"FMJD-64 7.2.6": 0}
    drift(game, 2)
    game.play("h6-g7")
    assert game.clock == 0
    assert counts(game) == {"FMJD-64 7.2.6": 3}
    drift(game, 1)
    game.play("g7-f8")
    assert counts(game) == {"FMJD-64 7.2.6": 0}


def test_fmjd_64_7_2_6_thirty_moves_each() -> None:
    game = game_of("russian", "W:WKb2,Kd2:BKg1,Kb8", "lidraughts")
    drift(game, 59)
    assert game.outcome() is None
    drift(game, 1)
    outcome = game.outcome()
    assert outcome and outcome.article == "FMJD-64 7.2.6"


def test_fmjd_64_7_2_7_five_moves_on_the_main_road() -> None:
    game = game_of("russian", "W:WKc1,Ke1,Kg1:BKa1")
    drift(game, 9, on_road)
    assert counts(game)["FMJD-64 7.2.7"] == 9
    drift(game, 1, on_road)
    outcome = game.outcome()
    assert outcome and outcome.article == "FMJD-64 7.2.7"


def test_leaving_the_road_is_where_sources_differ() -> None:
    """FMJD-64 as read here loses the count; lidraughts keeps it."""
    for preset, kept in (("fmjd-64", None), ("lidraughts", 4)):
        game = game_of("russian", "W:WKc1,Ke1,Kg1:BKa1", preset)
        drift(game, 4, on_road)
        drift(game, 1, on_road)
        drift(game, 1, off_road)
        assert counts(game).get("FMJD-64 7.2.7") == (kept and 5)


@pytest.mark.parametrize("fen", ["W:WKa1,Kc1:BKb8", "W:WKa1,h2:BKb8", "W:WKb2:BKb8"])
def test_fmjd_64_7_2_8_five_moves(fen: str) -> None:
    game = game_of("russian", fen)
    drift(game, 9)
    assert game.outcome() is None
    drift(game, 1)
    outcome = game.outcome()
    assert outcome and outcome.article == "FMJD-64 7.2.8"


def test_brazilian_federations_count_otherwise() -> None:
    game = game_of("brazilian", "W:WKb2,Kd2:BKg1,Kb8", "cbd")
    drift(game, 10)
    outcome = game.outcome()
    assert outcome and outcome.article == "CBD 19"
    game = cb.Game("brazilian", KINGS_AND_MEN + ":H39", "cbd")
    outcome = drift(game, 1).outcome()
    assert outcome and outcome.article == "CBD 18"


# -- Pool, Spanish -------------------------------------------------------------------------------


@pytest.mark.parametrize(("turn", "plies"), [("W", 26), ("B", 25)])
def test_pool_27_thirteen_moves_of_the_lone_king(turn: str, plies: int) -> None:
    """Only the lone king's moves count, even if the next move would take it."""
    game = game_of("pool", f"{turn}:WK29,K30,K31:BK1", "tkabber")
    drift(game, plies - 1)
    assert game.outcome() is None
    drift(game, 1)
    outcome = game.outcome()
    assert outcome and outcome.article == "APCA 27"
    assert outcome.detail == "three kings against a king, 13 moves of the weaker side"


def test_pool_28_five_moves() -> None:
    game = drift(game_of("pool", "W:WK29,K30:BK1"), 9)
    assert game.outcome() is None
    outcome = drift(game, 1).outcome()
    assert outcome and outcome.article == "APCA 28 (as cited by dctl)"


def test_moves_of_the_stronger_side() -> None:
    """A rule that no shipped rule set has, but a rule file may."""
    clock = ClassClock("two kings", ("KKvK",), 5, counted="strong")
    draw = DrawRules(name="club", class_clocks=(clock,))
    for turn, plies in (("W", 9), ("B", 10)):
        game = drift(cb.Game("pool", f"{turn}:WK29,K30:BK1", draw), plies - 1)
        assert game.outcome() is None
        outcome = drift(game, 1).outcome()
        assert outcome and outcome.detail == "two kings, 5 moves of the stronger side"


def test_spanish_forzosa() -> None:
    """Twelve moves once the three kings hold the diagonal, wherever they go then."""
    game = game_of("spanish", "W:WK32,K31,K29:BK4")
    drift(game, 23)
    assert game.outcome() is None
    assert counts(game) == {"FPD 14 a: forzosa": 23}
    outcome = drift(game, 1).outcome()
    assert outcome and outcome.article == "FPD 14 a: forzosa"
    assert counts(game_of("spanish", "W:WK30,K31,K29:BK4")) == {}


# -- set-ups with a clock ------------------------------------------------------------------------


def test_plies_on_the_draw_clock_have_run_on_the_class_clock_too() -> None:
    assert counts(game_of("international", "W:WK48,K49,K50:BK1:H10")) == {"FMJD 6.3": 10}
    # White to move: of ten plies, five were the lone king's; of eleven, Black made the last.
    for text, moves in (("W:H10", 5), ("W:H11", 6), ("B:H11", 5)):
        turn, clock = text.split(":")
        game = game_of("pool", f"{turn}:WK29,K30,K31:BK1:{clock}")
        assert counts(game)["APCA 27"] == moves
