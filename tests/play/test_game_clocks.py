"""Class clocks: limits that belong to a material class, article by article."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable

import pytest

import crownbase as cb
from crownbase.play.game import Game, Reason
from crownbase.rules import RULE_SETS, DrawRules, Rules, draw_rules
from crownbase.rules.draw import ClassClock, main_road


def game_of(key: str, fen: str, preset: str | None = None) -> Game:
    """A game without the repetition rule, which would end any shuffling first."""
    draw = draw_rules(RULE_SETS[key], preset)
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


def test_fmjd_a_capture_starts_the_five_moves() -> None:
    game = game_of("international", ONE_IS_TAKEN)
    game.play("6x50")
    assert counts(game) == {"FMJD 6.4": 0}


def test_fmjd_2024_a_capture_does_not_extend_the_sixteen_moves() -> None:
    game = game_of("international", ONE_IS_TAKEN, "fmjd-2024")
    assert counts(game) == {"FMJD 6.3": 28}
    game.play("6x50")
    assert counts(game) == {"FMJD 6.3": 29, "FMJD 6.4": 0}
    drift(game, 3)
    outcome = game.outcome()
    assert outcome and outcome.article == "FMJD 6.3"


def test_fmjd_2024_main_diagonal() -> None:
    fen = "W:WK1,K2,K3:BK28"
    game = game_of("international", fen, "fmjd-2024")
    drift(game, 9, on_road)
    assert counts(game)["FMJD 6.3 (2024)"] == 9
    drift(game, 1, on_road)
    outcome = game.outcome()
    assert outcome and outcome.article == "FMJD 6.3 (2024)"
    assert drift(game_of("international", fen), 10, on_road).outcome() is None


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


# -- every clock against a recount from the list of positions ------------------------------------


def recount(clock: ClassClock, positions: list[cb.Position]) -> int | None:
    """The count of a clock by its definition, from all positions of a game; None = not running."""
    board = positions[-1].rules.board
    road = main_road(board)

    def material(position: cb.Position) -> tuple[str, str]:
        sides = ("white", "black")
        return tuple(
            "K" * getattr(position, f"{side}_kings").bit_count()
            + "M" * getattr(position, f"{side}_men").bit_count()
            for side in sides
        )

    def matches(position: cb.Position, names: tuple[str, ...]) -> str:
        white, black = material(position)
        if f"{white}v{black}" in names:
            return "W"
        return "B" if f"{black}v{white}" in names else ""

    def meets_road(position: cb.Position) -> bool:
        strong = matches(position, clock.materials)
        white = (position.white_men | position.white_kings) & road
        black = (position.black_men | position.black_kings) & road
        own, other = (white, black) if strong == "W" else (black, white)
        if clock.road == "weak":
            return bool(other) and not own
        return not clock.road or (not other and bool(own))

    names = clock.materials + clock.carries_into
    first = len(positions)
    while first and matches(positions[first - 1], names):
        if (
            clock.restarts == "material"
            and first < len(positions)
            and material(positions[first - 1]) != material(positions[first])
        ):
            break
        if clock.off_road == "lost" and not meets_road(positions[first - 1]):
            break
        first -= 1
    run = positions[first:]
    while run and not (matches(run[0], clock.materials) and meets_road(run[0])):
        run = run[1:]
    if not run:
        return None
    if clock.off_road == "paused":
        run = [position for position in run if meets_road(position)]
    strong = matches(run[0], clock.materials)
    counted = {"each": "WB", "strong": strong, "weak": "WB".replace(strong, "")}[clock.counted]
    return sum(position.turn not in counted or counted == "WB" for position in run[1:])


def random_ending(rules: Rules, rng: random.Random, three_to_one: bool) -> cb.Position:
    """Three kings against one on the main road, or three to six pieces anywhere."""
    n, width = rules.board.n_squares, rules.board.width
    road = [square for square in range(n) if main_road(rules.board) >> square & 1]
    lone = rng.choice(road if three_to_one else range(n))
    others = rng.sample([s for s in range(n) if s != lone and not (three_to_one and s in road)], 5)
    boards = {"WK": 0, "WM": 0, "BK": 1 << lone, "BM": 0}
    for i, square in enumerate(others[: 3 if three_to_one else rng.randint(2, 5)]):
        side = "B" if i and not three_to_one and rng.random() < 0.2 else "W"
        crowned = square < width if side == "W" else square >= n - width
        kind = "K" if crowned or i == 0 or three_to_one or rng.random() < 0.6 else "M"
        boards[side + kind] |= 1 << square
    men_and_kings = boards["WM"], boards["WK"], boards["BM"], boards["BK"]
    return cb.Position(rules, rng.choice("WB"), *men_and_kings)


@pytest.mark.parametrize(
    ("key", "preset"),
    [
        ("international", "fmjd"),
        ("international", "fmjd-2024"),
        ("russian", "fmjd-64"),
        ("russian", "lidraughts"),
        ("brazilian", "cbd"),
        ("pool", "apca"),
        ("spanish", "fpd"),
    ],
)
def test_every_clock_is_what_a_recount_finds(key: str, preset: str) -> None:
    """Random endings, played on through draws, so that clocks start, stop, carry and restart."""
    rng = random.Random(29)
    rules = RULE_SETS[key]
    started = set()
    for number in range(40):
        start = random_ending(rules, rng, three_to_one=number % 2 == 0)
        game = cb.Game(fen=start, draw=preset, play_on=True)
        for _ in range(30):
            positions = [*game.history, game.position]
            found = dict(game.class_clocks)
            for clock in game.draw.class_clocks:
                expected = recount(clock, positions)
                assert found.get(clock) == expected, (clock, [p.fen() for p in positions])
                started |= {clock.name} if expected else set()
            if not game.legal_moves():
                break
            quiet = [move for move in game.legal_moves() if not move.captured]
            game.play(rng.choice(quiet or game.legal_moves()))
    assert len(started) >= min(2, len(game.draw.class_clocks))
