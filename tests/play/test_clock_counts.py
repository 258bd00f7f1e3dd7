"""Every clock against a recount from the list of positions: games, histories, searches."""

from __future__ import annotations

import dataclasses
import random
from itertools import pairwise

import pytest

import crownbase as cb
from crownbase.board import Move
from crownbase.board.clocks import OFF, occurrence_key
from crownbase.play.game import Game
from crownbase.probe.class_clocks import counts_along, drawn_after
from crownbase.probe.past import quiet_plies
from crownbase.rules import RULE_SETS, Rules
from crownbase.rules.draw import ClassClock, main_road
from crownbase.search import Limits, Searcher
from crownbase.search.node import enter
from crownbase.search.order import came_before
from crownbase.search.root import write_root
from crownbase.search.work import CLOCK, FRAME, FRAMES, Work, make_work


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


def recount_quiet(rules: Rules, positions: list[cb.Position]) -> int:
    """Plies since the last capture or, where that counts, advance of a man: by the positions."""
    n, width = rules.board.n_squares, rules.board.width

    def men(position: cb.Position) -> list[int]:
        """Men of both sides by rows; a crowned one has gone from here, too."""
        boards = (position.white_men, position.black_men)
        rows = range(rules.board.rows)
        return [(b >> r * width & ((1 << width) - 1)).bit_count() for b in boards for r in rows]

    plies = positions[0].clock
    for before, after in pairwise(positions):
        taken = before.pieces != after.pieces
        plies = 0 if taken or (rules.man_moves_convert and men(before) != men(after)) else plies + 1
    assert n == width * rules.board.rows
    return plies


PRESETS = [
    (rules.key, draw.name)
    for rules in RULE_SETS.values()
    for draw in (rules.draw, *rules.draw_presets)
]


@pytest.mark.parametrize(("key", "preset"), PRESETS)
def test_every_clock_is_what_a_recount_finds(key: str, preset: str) -> None:
    """Random endings, played on through draws, so that clocks start, stop, carry and restart.

    The game, the counts along a history that perfect play goes by, and the search's own path are
    compared with a recount of the positions.
    """
    rng = random.Random(29)
    rules = RULE_SETS[key]
    started = set()
    most = 1
    work = make_work(4, plain=True)
    on_a_road = main_road(rules.board) != 0
    for number in range(40 if rules.draw_rules(preset).class_clocks else 12):
        start = random_ending(rules, rng, three_to_one=on_a_road and number % 2 == 0)
        game = cb.Game(fen=start, draw=preset, play_on=True)
        for _ in range(30):
            positions = [*game.history, game.position]
            found = dict(game.class_clocks)
            along = counts_along(game.draw, game.history, game.position)
            for clock, count in zip(game.draw.class_clocks, along, strict=True):
                expected = recount(clock, positions)
                assert found.get(clock) == expected, (clock, [p.fen() for p in positions])
                assert count == (OFF if expected is None else expected)
                started |= {clock.name} if expected else set()
            quiet = recount_quiet(rules, positions)
            unclocked = dataclasses.replace(game.position, clock=0)
            assert game.clock == quiet == quiet_plies(unclocked, game.history)
            counted = positions[not game.draw.repetition.counts_setup :]
            same = sum(occurrence_key(p) == occurrence_key(game.position) for p in counted)
            assert game.occurrences() == same
            most = max(most, same)
            if not game.legal_moves():
                break
            quiet_moves = [move for move in game.legal_moves() if not move.captured]
            home = [m for m in quiet_moves if game.occurrences(game.position.play(m))]
            wanted = home if rng.random() < 0.9 else quiet_moves
            chosen = rng.choice(wanted or quiet_moves or game.legal_moves())
            check_search(work, game, chosen)
            game.play(chosen)
    assert len(started) >= min(2, len(rules.draw_rules(preset).class_clocks))
    assert most >= 3 or not on_a_road


def check_search(work: Work, game: Game, played: Move) -> None:
    """The search's frames before and after a move: the clock, and what has come before."""
    rules, again = game.rules, game.draw.repetition
    moves = [played]
    write_root(work, game.position, moves, game.history)
    assert work.data[FRAMES + CLOCK] == game.clock
    enter.plain(rules.traits.plain, work, 0, 0)
    after = game.position.play(played)
    assert work.data[FRAMES + FRAME + CLOCK] == after.clock
    assert again is not None
    assert came_before.plain(work, 1) == (game.occurrences(after) + 1 >= again.times)


# -- a search knows when the game is drawn -------------------------------------------------------


def test_a_search_sees_the_end_of_a_class_clock_and_of_the_game() -> None:
    international, english = RULE_SETS["international"], RULE_SETS["english"]
    kings = "W:WK24,K37:BK4"
    for fen, rules, left in (
        (f"{kings}:H0", international, 10),  # FMJD 6.4 runs in all that can be reached
        (f"{kings}:H8", international, 2),
        ("W:WK24,K37,K50:BK4:H3", international, 29),  # FMJD 6.3, with what it carries into
        ("W:WK24,K37,K50:BK4:H3", international.with_draw("fmjd-2015"), None),
        ("W:W24:B5", english.with_draw(move_limit=7), 7),
        ("W:W24:B5", english, None),
    ):
        assert drawn_after(cb.Position.from_fen(fen, rules)) == left
    game = cb.Game("international", kings, move_limit=3)
    game.play(game.legal_moves()[0])
    assert drawn_after(game.position, game.history) == 2


def test_a_search_calls_no_win_what_comes_too_late() -> None:
    """English: 14-18 traps the last man, which is lost on the third ply."""
    fen, rules = "W:WK18:B13", RULE_SETS["english"]
    found = {}
    for limit in (None, 3, 2):
        position = cb.Position.from_fen(fen, rules.with_draw(move_limit=limit))
        searcher = Searcher(position.rules, memory=1 << 12, compiled=False)
        found[limit] = searcher.search(position, Limits(depth=4)).category
    assert found == {None: "win", 3: "win", 2: None}
