"""Games: history, the order at the end of a turn, claims, offers."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

import crownbase as cb
from conftest import SOURCE
from crownbase.errors import FenError, IllegalMoveError, UnknownRulesError
from crownbase.play.game import Game, Reason, Said
from crownbase.rules import RULE_SETS, DrawRules

CORNERS = "W:WK29:BK1"
SHUFFLE = ("29-25", "1-5", "25-29", "5-1")


def shuffled(game: Game, plies: int, moves: tuple[str, ...] = SHUFFLE) -> Game:
    for ply in range(plies):
        game.play(moves[ply % len(moves)])
    return game


# -- history -------------------------------------------------------------------------------------


def test_a_game_starts_as_the_interface_says() -> None:
    game = cb.Game()
    assert game.rules is RULE_SETS["english"]
    assert game.position == cb.Position.start("english")
    assert (game.turn, game.ply, game.moves, game.history) == ("B", 0, (), ())
    assert game.outcome() is None and not game.is_over and game.result == "*"
    assert not game.can_claim_draw()


def test_moves_by_text_and_by_move() -> None:
    game = cb.Game("russian")
    first = game.play("c3-d4")
    assert str(first) == "c3-d4"
    game.play(game.legal_moves()[0])
    assert game.ply == 2 and game.moves[0] is first
    assert game.history == (game.start, game.start.play(first))
    with pytest.raises(IllegalMoveError, match="a1-b2"):
        game.play("a1-b2")
    assert game.ply == 2


def test_a_spent_move_leaves_the_game_untouched() -> None:
    game = cb.Game("international", "W:WK2,25:B14,15,16")
    move = game.legal_moves()[0]
    game.play(move)
    before = game.position
    with pytest.raises(IllegalMoveError, match="not legal"):
        game.play(move)
    assert game.position == before and game.ply == 1


def test_undo_gives_everything_back() -> None:
    rng = random.Random(5)
    for key in RULE_SETS:
        game = cb.Game(key)
        states = []
        while not game.is_over and game.ply < 120:
            states.append(state(game))
            game.play(rng.choice(game.legal_moves()))
        while game.ply:
            game.undo()
            assert state(game) == states[game.ply]
        with pytest.raises(IllegalMoveError, match="no move to take back"):
            game.undo()


def state(game: Game) -> tuple[object, ...]:
    return (
        game.position,
        game.clock,
        game.class_clocks,
        game.occurrences(),
        game.outcome(),
        len(game.history),
    )


def test_clocks_and_repetitions_are_what_a_recount_finds() -> None:
    rng = random.Random(7)
    for key in RULE_SETS:
        game = cb.Game(key, draw="none")
        while game.legal_moves() and game.ply < 150:
            game.play(rng.choice(game.legal_moves()))
            positions = [*game.history, game.position]
            assert game.occurrences() == positions.count(game.position)
            quiet = 0
            for move in reversed(game.moves):
                if move.is_conversion:
                    break
                quiet += 1
            assert game.clock == quiet


def test_a_game_needs_no_compiler() -> None:
    code = (
        "import sys, crownbase as cb\n"
        "game = cb.Game('international')\n"
        "for _ in range(40): game.play(game.legal_moves()[0])\n"
        "sys.exit('numba' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": str(SOURCE)})


def test_bad_set_ups() -> None:
    with pytest.raises(FenError):
        cb.Game("english", "W:W99:B1")
    with pytest.raises(UnknownRulesError, match="no draw rules 'fide' for english"):
        cb.Game("english", draw="fide")
    with pytest.raises(UnknownRulesError):
        cb.Game("chess")


def test_a_position_brings_its_rules() -> None:
    position = cb.Position.from_fen("W:Wa1:Bh8", rules="czech")
    assert cb.Game(fen=position).rules is RULE_SETS["czech"]


def test_fen_with_counters() -> None:
    game = shuffled(cb.Game("english", CORNERS + ":H7"), 2)
    assert game.fen() == "W:WK25:BK5"
    assert game.fen(counters=True) == "W:WK25:BK5:H9:F2"
    assert cb.Position.from_fen(game.fen(counters=True)).clock == 9


# -- the end -------------------------------------------------------------------------------------


def test_no_piece_and_no_move_lose() -> None:
    game = cb.Game("english", "W:W18:B15")
    game.play("18x11")
    outcome = game.outcome()
    assert outcome and (outcome.winner, outcome.reason) == ("W", Reason.NO_PIECES)
    assert str(outcome) == "White wins: Black has no piece left"
    assert game.legal_moves() == ()
    with pytest.raises(IllegalMoveError, match="the game is over"):
        game.play("11-7")
    blocked = cb.Game("english", "B:W6:B1,K10")
    blocked.play("10-7")
    assert blocked.outcome() is None


def test_a_win_on_the_last_ply_of_the_clock_stands() -> None:
    """The king in the corner is shut in with the 80th quiet ply; any other move draws."""
    fen = "W:WK3,K11:BK4:H79"
    won = cb.Game("english", fen, draw="automatic")
    won.play("3-8")
    assert won.clock == 80
    outcome = won.outcome()
    assert outcome and (outcome.winner, outcome.reason) == ("W", Reason.NO_MOVE)
    drawn = cb.Game("english", fen, draw="automatic")
    drawn.play("11-15")
    outcome = drawn.outcome()
    assert outcome and (outcome.winner, outcome.reason) == (None, Reason.QUIET_CLOCK)
    assert outcome.detail == "80 plies without capture or man move"


def test_a_win_comes_before_repetition_and_clock() -> None:
    rules = DrawRules(repetition=None, quiet=None)
    game = cb.Game("english", "W:WK3,K11:BK4", draw=rules, move_limit=1)
    game.play("3-8")
    assert game.result == "0-1"


def test_repetition_comes_before_the_clock() -> None:
    """Both run out with the same ply: the article is that of repetition."""
    game = cb.Game("english", CORNERS + ":H72", draw="automatic")
    shuffled(game, 8)
    assert game.clock == 80
    outcome = game.outcome()
    assert outcome and outcome.reason is Reason.REPETITION


def test_the_clock_runs_out_on_the_very_ply() -> None:
    game = cb.Game("english-optional", "W:WK29:BK1:H38")
    assert not game.play("29-25") or game.outcome() is None
    game.play("1-5")
    outcome = game.outcome()
    assert outcome and outcome.article == "Qdan: 40 moves in total"
    assert game.result == "1/2-1/2"


def test_captures_and_moves_of_men_restart_the_clock() -> None:
    game = cb.Game("english", "W:WK29:BK1,9:H30")
    game.play("29-25")
    assert game.clock == 31
    game.play("9-14")
    assert game.clock == 0
    taking = cb.Game("english", "W:WK18:B15,K1:H30")
    taking.play("18x11")
    assert taking.clock == 0


def test_in_pure_only_captures_restart_the_clock() -> None:
    game = cb.Game("pure", "B:W30,32:B1,2:H48")
    game.play("1-5")
    assert game.clock == 49 and game.outcome() is None
    game.play("30-26")
    outcome = game.outcome()
    assert outcome and outcome.reason is Reason.QUIET_CLOCK
    assert outcome.detail == "50 plies without capture"


def test_move_limit() -> None:
    game = cb.Game("english", move_limit=3)
    for _ in range(3):
        game.play(game.legal_moves()[0])
    outcome = game.outcome()
    assert outcome and outcome.reason is Reason.MOVE_LIMIT
    assert str(outcome) == "drawn: limit of 3 plies"


def test_one_piece_each_is_a_draw_at_once_in_turkish() -> None:
    """Even if the mover could take, or could not move at all."""
    for fen in ("W:Wd4:Bd5", "B:Wa1:Bh8", "W:WKd4:BKd6"):
        game = cb.Game("turkish", fen)
        outcome = game.outcome()
        assert outcome and (outcome.winner, outcome.reason) == (None, Reason.LONE_PIECES)
    game = cb.Game("turkish", "W:Wd4,a2:Bd5,h7")
    game.play("d4xd6")
    assert game.outcome() is None


# -- repetition ----------------------------------------------------------------------------------


def test_automatic_repetition_counts_the_set_up_position() -> None:
    game = shuffled(cb.Game("english", CORNERS, draw="automatic"), 7)
    assert game.outcome() is None
    game.play(SHUFFLE[3])
    assert game.occurrences() == 3
    assert str(game.outcome()) == (
        "drawn: third occurrence of the position (third occurrence (sites))"
    )


def test_pure_starts_with_an_empty_history() -> None:
    """The position that was set up must come back three times: one round more."""
    game = shuffled(cb.Game("pure", CORNERS), 8)
    assert (game.occurrences(), game.outcome()) == (2, None)
    shuffled(game, 1)
    outcome = game.outcome()
    # After the first move, positions count: this one occurs at plies 1, 5 and 9.
    assert outcome and outcome.reason is Reason.REPETITION


def test_italian_needs_the_fourth_occurrence() -> None:
    game = shuffled(cb.Game("italian", CORNERS), 11)
    assert game.outcome() is None
    game.play(SHUFFLE[3])
    outcome = game.outcome()
    assert outcome and outcome.article == "FID 9.3 b1"
    assert game.occurrences() == 4


def test_wcdf_repetition_is_claimed_with_the_next_move() -> None:
    game = shuffled(cb.Game("english", CORNERS), 7)
    assert game.can_claim_draw()
    (claim,) = game.claims()
    assert str(claim.move) == "5-1"
    assert claim.detail == "5-1 brings the position for the third time"
    with pytest.raises(IllegalMoveError, match=r"with 5-9 occurs 1 of 3 times.*show one of: 5-1"):
        game.claim_draw("5-9")
    with pytest.raises(IllegalMoveError, match="show one of: 5-1"):
        game.claim_draw()
    assert game.outcome() is None
    outcome = game.claim_draw("5-1")
    assert outcome.claimed and outcome.article == "WCDF 1.32.1"
    assert game.outcome() is outcome
    assert (game.ply, game.result) == (7, "1/2-1/2")  # shown, not played
    assert str(game.events[-1]) == "Black claims a draw with 5-1"
    with pytest.raises(IllegalMoveError, match="the game is over"):
        game.play("5-1")


def test_without_a_claim_wcdf_plays_on() -> None:
    game = shuffled(cb.Game("english", CORNERS), 20)
    assert game.outcome() is None
    assert game.occurrences() == 6
    # Not the position on the board counts but the one that the next move brings.
    assert {str(claim.move) for claim in game.claims()} == {"29-25"}


def test_wcdf_forty_moves_are_claimed_without_a_move() -> None:
    game = cb.Game("english", CORNERS + ":H79")
    assert not game.can_claim_draw()
    game.play("29-25")
    (claim,) = game.claims()
    assert claim.move is None and claim.reason is Reason.QUIET_CLOCK
    outcome = game.claim_draw()
    assert str(outcome) == "drawn: 80 plies without capture or man move, claimed (WCDF 1.32.2)"


def test_claims_before_their_time_say_what_is_missing() -> None:
    game = shuffled(cb.Game("english", CORNERS), 3)
    with pytest.raises(
        IllegalMoveError,
        match="no draw can be claimed: the position with 5-1 occurs 2 of 3 times, "
        "3 of 80 plies are on the draw clock",
    ):
        game.claim_draw("5-1")
    with pytest.raises(IllegalMoveError, match="no rule gives one"):
        cb.Game("english", draw="none").claim_draw()


@pytest.mark.parametrize("key", ["czech", "spanish"])
def test_a_repetition_on_the_board_is_claimed_without_a_move(key: str) -> None:
    moves = {
        "czech": ("a1-b2", "b8-a7", "b2-a1", "a7-b8"),
        "spanish": ("29-25", "2-6", "25-29", "6-2"),
    }
    fen = {"czech": "W:WKa1:BKb8", "spanish": "W:WK29:BK2"}
    game = cb.Game(key, fen[key])
    shuffled(game, 7, moves[key])
    assert not game.can_claim_draw()
    game.play(moves[key][3])
    assert game.outcome() is None
    assert game.can_claim_draw()
    assert game.claim_draw().reason is Reason.REPETITION


def test_automatic_rules_leave_nothing_to_claim() -> None:
    game = shuffled(cb.Game("english", CORNERS, draw="automatic"), 7)
    assert not game.can_claim_draw()


def test_undo_takes_a_claim_back() -> None:
    game = shuffled(cb.Game("english", CORNERS), 7)
    game.claim_draw("5-1")
    game.undo()
    assert game.outcome() is None and game.events == ()
    game.play("25-29")
    assert game.can_claim_draw()


# -- what the players say ------------------------------------------------------------------------


def test_an_accepted_offer_is_a_draw() -> None:
    game = cb.Game()
    game.offer_draw()
    assert game.draw_offer == "B"
    game.play("11-15")
    assert game.draw_offer == "B"  # stands through the offerer's own move
    outcome = game.accept_draw()
    assert (outcome.winner, outcome.reason) == (None, Reason.AGREEMENT)
    assert [(event.side, event.said) for event in game.events] == [
        ("B", Said.OFFER),
        ("W", Said.ACCEPT),
    ]


def test_a_move_of_the_opponent_declines_an_offer() -> None:
    game = cb.Game()
    game.play("11-15")
    game.offer_draw("B")
    with pytest.raises(IllegalMoveError, match="offer of Black stands"):
        game.offer_draw()
    game.play("22-18")
    assert game.draw_offer is None
    with pytest.raises(IllegalMoveError, match="no draw is offered"):
        game.accept_draw()


def test_an_offer_can_be_declined_and_taken_back() -> None:
    game = cb.Game()
    game.play("11-15")
    game.offer_draw("B")
    game.decline_draw()
    assert game.draw_offer is None
    game.undo()
    assert game.events == ()


def test_resigning() -> None:
    game = cb.Game("russian")
    outcome = game.resign()
    assert (outcome.winner, game.result) == ("B", "0-1")
    assert str(outcome) == "Black wins: White resigns"
    with pytest.raises(IllegalMoveError, match="the game is over"):
        game.resign()
    with pytest.raises(IllegalMoveError, match="no side 'X'"):
        cb.Game().resign("X")


def test_records_may_go_on_after_a_draw_but_not_after_a_win() -> None:
    game = cb.Game("english", CORNERS, draw="automatic", play_on=True)
    shuffled(game, 9)
    assert game.outcome() and game.outcome().reason is Reason.REPETITION
    game.record_result("W")
    assert game.result == "0-1"
    won = cb.Game("english", "W:W18:B15", play_on=True)
    won.play("18x11")
    assert won.legal_moves() == ()
    with pytest.raises(IllegalMoveError, match="another result"):
        won.record_result("B")
