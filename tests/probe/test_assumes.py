"""What tables cannot know: counts of class clocks, clocks without distances; and what they can."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

import naive
from crownbase.board import Position
from crownbase.board.clocks import first_counts
from crownbase.play.cli import run
from crownbase.probe import Result, open_tablebase
from crownbase.probe.class_clocks import counts_along, judge_clocks
from crownbase.probe.past import quiet_plies
from crownbase.rules import RULE_SETS
from crownbase.rules.draw import (
    COUNTED_MOVES,
    EACH,
    NO_DRAW_RULES,
    STRONG,
    ClassClock,
    DrawRules,
    QuietClock,
    Repetition,
)
from probe.databases import naive_boards, naive_values, write_database

RUSSIAN, INTERNATIONAL = RULE_SETS["russian"], RULE_SETS["international"]
POOL, SPANISH = RULE_SETS["pool"], RULE_SETS["spanish"]
LONGEST = {1: 3, 2: 8, 3: 26, 4: 26}
"""Plies of the longest wins of kings against a king, by number of kings."""


def longest(white: tuple[int, int], black: tuple[int, int]) -> int | None:
    kings = white[1] + black[1] - 1
    return LONGEST.get(kings) if white[0] + black[0] == 0 else None


def weighed(rules, fen, dtc, dtw, counts=None, known=longest) -> Result:
    position = Position.from_fen(fen, rules)
    wdl = (dtc > 0) - (dtc < 0)
    result = Result({1: "win", 0: "draw", -1: "loss"}[wdl], wdl, dtc, dtw)
    return judge_clocks(result, position, counts, 0, known)


# -- class clocks ------------------------------------------------------------------------------


def closed_class(moves: int, counted: str = EACH, **more) -> DrawRules:
    """One class clock, which everything that can be reached is under."""
    materials = ("KvK", "KKvK")
    return DrawRules(class_clocks=(ClassClock("kings", materials, moves, counted, **more),))


def results_by_count(children, draw: DrawRules, strong_moves_first: bool) -> dict:
    """Result of every (position, count) for the side to move, by value iteration.

    At the end of a turn a side that cannot move has lost; then a full count is a draw.
    """
    (clock,) = draw.class_clocks
    limit = 2 * clock.moves if clock.counted == EACH else clock.moves
    found: dict = {}

    def value(position, strong_moves, count):
        if not children[position]:
            return -1
        if count >= limit:
            return 0
        state = position, strong_moves, count
        if state not in found:
            counted = clock.counted == EACH or (clock.counted == STRONG) == strong_moves
            found[state] = max(
                -value(child, not strong_moves, count + counted) for child, _ in children[position]
            )
        return found[state]

    return {
        (position, count): value(position, strong_moves_first, count)
        for position in children
        for count in range(limit + 1)
        if not naive.material(position).startswith("v")
    }


@pytest.mark.parametrize("counted", COUNTED_MOVES)
@pytest.mark.parametrize("moves", [1, 2])
def test_every_count_of_a_class_clock_against_value_iteration(moves, counted):
    """King against king, each position at each count: spoilt or not, exactly."""
    rules = dataclasses.replace(RUSSIAN, draw=closed_class(moves, counted))
    children = naive.graph("russian", ["KvK"])
    values = naive.solve("russian", "KvK")
    spoilt = 0
    # White counts as the stronger side, and White is to move.
    for (key, count), wanted in results_by_count(children, rules.draw, True).items():
        position = Position.from_boards(rules, "W", naive_boards(key))
        value = values[key]
        category = {1: "win", 0: "draw", -1: "loss"}[value.wdl]
        plain = Result(category, value.wdl, value.dtc * value.wdl, value.dtw * value.wdl)
        found = judge_clocks(plain, position, (count,), 0, longest)
        signs = {"win": 1, "loss": -1}
        assert signs.get(found.category, 0) == wanted, (position.fen(), count)
        assert bool(found.assumes) == (found.category in ("cursed-win", "blessed-loss"))
        spoilt += found.category in ("cursed-win", "blessed-loss")
    assert spoilt > 100


@pytest.mark.slow
@pytest.mark.parametrize("moves", [2, 3])
@pytest.mark.parametrize(("name", "mover_is_strong"), [("KKvK", True), ("KvKK", False)])
@pytest.mark.parametrize("counted", COUNTED_MOVES)
def test_every_count_of_three_kings(name, mover_is_strong, moves, counted):
    rules = dataclasses.replace(RUSSIAN, draw=closed_class(moves, counted))
    children = naive.graph("russian", [name])
    values = naive.solve("russian", name)
    for (key, count), wanted in results_by_count(children, rules.draw, mover_is_strong).items():
        if naive.material(key) != name or not values[key].wdl:
            continue
        value = values[key]
        plain = Result(
            {1: "win", -1: "loss"}[value.wdl], value.wdl, value.dtc * value.wdl,
            value.dtw * value.wdl,
        )  # fmt: skip
        position = Position.from_boards(rules, "W", naive_boards(key))
        found = judge_clocks(plain, position, (count,), 0, longest)
        assert {"win": 1, "loss": -1}.get(found.category, 0) == wanted, (position.fen(), count)


def test_a_win_within_the_limit_rests_on_the_count():
    found = weighed(RUSSIAN, "W:WKc7,Kf2:BKb8", 7, 7)
    assert found.category == "win"
    (says,) = found.assumes
    assert "one or two pieces against a king" in says and "7.2.8" in says
    assert says.endswith("assumed to start here")


def test_a_known_count_needs_no_assumption():
    draw = RUSSIAN.draw
    counts = first_counts(draw, Position.from_fen("W:WKc7,Kf2:BKb8", RUSSIAN))
    assert weighed(RUSSIAN, "W:WKc7,Kf2:BKb8", 7, 7, counts) == Result("win", 1, 7, 7)


def test_a_win_beyond_the_limit_is_cursed():
    found = weighed(RUSSIAN, "W:WKc7,Kf2:BKb8", 11, 11)
    assert found.category == "cursed-win"
    assert "ends in 10 plies" in found.assumes[0]
    assert weighed(RUSSIAN, "B:WKc7,Kf2:BKb8", -12, -12).category == "blessed-loss"


def test_plies_on_the_clock_count_in_the_class_too():
    """FEN ``H``: as many plies at least has the class clock run."""
    assert weighed(INTERNATIONAL, "W:WK7,K44:BK1:H3", 7, 7).category == "win"
    found = weighed(INTERNATIONAL, "W:WK7,K44:BK1:H4", 7, 7)
    assert found.category == "cursed-win"
    assert "ends in 6 plies" in found.assumes[0]


def test_the_lone_kings_thirteenth_move_draws():
    """Pool: 13 moves of the lone king are 26 plies, or 25 if it begins."""
    fen = "WK3,K7,K12:BK1"
    assert weighed(POOL, f"W:{fen}", 22, 25).category == "win"
    assert weighed(POOL, f"W:{fen}", 27, 27).category == "cursed-win"
    assert weighed(POOL, f"B:{fen}", -24, -24).category == "loss"
    assert weighed(POOL, f"B:{fen}", -26, -26).category == "blessed-loss"


def test_a_sacrifice_may_leave_the_class():
    """26 plies are on from the class, and 27 are needed; but a capture can come before."""
    found = weighed(POOL, "W:WK3,K7,K12:BK1", 20, 27)
    assert found.category == "win"
    assert found.assumes[-1].endswith("not weighed")


def test_a_class_that_goes_on_through_captures_is_counted_to_the_end():
    """FPD's forzosa: 24 plies, carried into two kings and one."""
    fen = "W:WK1,K32,K5:BK2"
    assert weighed(SPANISH, fen, 22, 25).category in ("win", "cursed-win")
    running = weighed(SPANISH, fen, 20, 25, counts=(0,))
    assert running.category == "cursed-win"
    assert weighed(SPANISH, fen, 20, 23, counts=(0,)).category == "win"


def test_clocks_that_may_start_later():
    """Three kings against a king can come to two against one: harmless if those wins are quick."""
    fen, older = "W:WK13,K18,K45:BK2", INTERNATIONAL.with_draw("fmjd-2015")
    assert len(weighed(older, fen, 12, 15).assumes) == 1
    slow = weighed(older, fen, 12, 15, known=lambda white, black: 12)
    assert any("FMJD 6.4" in says and "not weighed" in says for says in slow.assumes)
    # The lone king may step on the main diagonal, and 15 plies are more than the 10 of that clock.
    counted, diagonal = weighed(INTERNATIONAL, fen, 12, 15).assumes
    assert "main diagonal" in diagonal and diagonal.endswith("not weighed")
    assert len(weighed(INTERNATIONAL, fen, 9, 9).assumes) == 1


def test_without_dtw_the_answer_says_so():
    position = Position.from_fen("W:WK13,K18,K45:BK2", INTERNATIONAL)
    found = judge_clocks(Result("win", 1, 12, None), position, None, 0, lambda white, black: None)
    assert found.category == "win"
    assert any("takes .dtw tables" in says for says in found.assumes)
    spoilt = judge_clocks(Result("win", 1, 33, None), position, None, 0, lambda white, black: None)
    assert spoilt.category == "cursed-win"


def test_a_lost_game_stays_lost():
    for counts in (None, (99,) * len(RUSSIAN.draw.class_clocks)):
        found = judge_clocks(
            Result("loss", -1, 0, 0),
            Position.from_fen("W:W:BKb8", RUSSIAN), counts, 0, longest,
        )  # fmt: skip
        assert found == Result("loss", -1, 0, 0)


def test_draws_assume_nothing():
    assert weighed(RUSSIAN, "W:WKc7,Kf2:BKb8", 0, 0).assumes == ()


def test_counts_along_a_game():
    first = Position.from_fen("W:WK7,K44:BK1", INTERNATIONAL)
    second = first.play("7-45")
    third = second.play("1-6")
    counts = counts_along(INTERNATIONAL.draw, [first, second], third)
    assert dict(zip([c.article for c in INTERNATIONAL.draw.class_clocks], counts, strict=True)) == {
        "FMJD 6.3": -1,
        "FMJD 6.3, main diagonal": -1,
        "FMJD 6.4": 2,
    }


# -- the quiet clock ---------------------------------------------------------------------------


def test_the_clock_counts_in_every_question(english):
    fen = "B:WK16:BK3,K4"  # 33 plies to the only conversion, the end; the limit is 80
    for clock, category in ((47, "win"), (48, "cursed-win")):
        counter = f"{fen}:H{clock}"
        assert english.probe(fen, clock=clock).category == category
        assert english.probe(counter).category == english.get(counter).category == category
        assert english.moves(fen, clock=clock)[0].outcome == category
        assert english.moves(counter) == english.moves(fen, clock=clock)
        assert english.best_move(fen, clock=clock) == english.best_move(counter)
        assert len(english.line(fen, clock=clock)) == 33
    assert english.probe(f"{fen}:H48", clock=0).category == "win"
    with pytest.raises(ValueError, match="clock"):
        english.probe(fen, clock=-1)


def test_the_clock_is_read_off_the_history():
    position = Position.from_fen("W:WK30,21:BK1")
    history = []
    for move in ("30-26", "1-6", "21-17", "6-1", "26-22", "1-6"):
        history.append(position)
        position = position.play(move)
    bare = [Position.from_fen(earlier.fen()) for earlier in history]
    assert position.clock == 3
    assert quiet_plies(Position.from_fen(position.fen()), bare) == 3
    assert quiet_plies(position, bare[:2]) == 0  # the same side to move twice
    assert quiet_plies(position, []) == 0


def test_results_without_distances_do_not_weigh_the_clock(english_directory: Path, tmp_path: Path):
    folder = tmp_path / "english"
    folder.mkdir()
    for path in (english_directory / "english").glob("*.wdl"):
        (folder / path.name).write_bytes(path.read_bytes())
    with open_tablebase(tmp_path) as tables:
        assert tables.probe("B:WK16:BK3,K4").assumes == ()
        (says,) = tables.probe("B:WK16:BK3,K4:H70").assumes
        assert says == "draw clock at 70 of 80 plies not weighed: that takes .dtc tables"
        # A forced capture needs no table.
        assert tables.probe("W:WK18:B14:H79") == tables.probe("W:WK18:B14")
        assert tables.probe("W:WK18:BK14,K5:H79").assumes == ()


# -- repetition --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("draw", "drawn_after"),
    [
        (DrawRules(repetition=Repetition(3)), 2),
        (DrawRules(repetition=Repetition(4)), 3),
        (DrawRules(repetition=Repetition(3, counts_setup=False)), 3),
        (NO_DRAW_RULES, None),
    ],
)
def test_repetitions_are_counted_as_the_draw_rules_say(english_directory, draw, drawn_after):
    rules = dataclasses.replace(RULE_SETS["english"], draw=draw)
    with open_tablebase(english_directory, rules=rules) as tables:
        position = Position.from_fen("B:WK16:BK3,K4", rules)
        best = tables.moves(position)[0]
        child = position.play(best.move)
        for times in range(1, 5):
            found = next(
                info for info in tables.moves(position, [child] * times) if info.move == best.move
            )
            drawn = drawn_after is not None and times >= drawn_after
            assert found.outcome == ("draw" if drawn else "win"), times


def test_the_rule_sets_repetitions():
    times = {key: rules.draw.repetition.times for key, rules in RULE_SETS.items()}
    assert {key for key, count in times.items() if count == 4} == {"italian"}
    assert set(times.values()) == {3, 4}
    assert not RULE_SETS["pure"].draw.repetition.counts_setup


# -- for programs ------------------------------------------------------------------------------


def test_json_says_what_is_assumed(tmp_path, capsys, english_directory):
    values = naive_values("russian")
    write_database(tmp_path, RUSSIAN, values, quiet_limit=RUSSIAN.quiet_limit)
    kings = [boards for boards in values if boards[0] == boards[2] == 0]
    won = next(boards for boards in kings if values[boards].dtw == 3)
    fen = Position.from_boards(RUSSIAN, "W", won).fen()
    assert run(["probe", fen, "--rules", "russian", "--db", str(tmp_path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["category"] == "win"
    assert any("assumed to start here" in says for says in found["assumes"])
    assert run(["probe", fen, "--rules", "russian", "--db", str(tmp_path)]) == 0
    assert "assumed to start here" in capsys.readouterr().out
    assert run(["probe", "B:WK16:BK3,K4", "--db", str(english_directory), "--json"]) == 0
    assert "assumes" not in json.loads(capsys.readouterr().out)


def test_a_small_ending_without_the_quiet_clock():
    """A quiet clock that spares small endings is not the tables' clock."""
    spared = DrawRules(quiet=QuietClock(30, min_pieces=8))
    assert dataclasses.replace(RUSSIAN, draw=spared).quiet_limit is None
    assert repr(Result("win", 1, 17, 61)) == "Result(category='win', wdl=1, dtc=17, dtw=61)"
    assert "assumes=('x',)" in repr(Result("win", 1, 1, 1, ("x",)))
