"""Tables made under one draw clock, asked under another: what is said to be exact is exact.

The right answers are ``naive.solve_with_clock``'s: the graph of (position, clock) under the limit
that is asked for, solved by value iteration.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

import crownbase as cb
import naive
from crownbase.board import Position
from crownbase.build.stats import read_stats
from crownbase.index import slice_pairs
from crownbase.jit import INTERPRETED
from crownbase.probe import Tablebase, open_tablebase, shipped_directory
from crownbase.probe.catalog import rules_folder
from crownbase.probe.under_clock import Asked, TableLimits, category_under
from crownbase.retro import count_values, solve_all
from crownbase.retro.resolve import free_positions
from crownbase.retro.values import CURSED
from crownbase.rules import RULE_SETS, Rules, find_rules
from crownbase.rules.draw import DrawRules, QuietClock
from crownbase.table import SectionInput, SectionStats, write_table
from probe.databases import naive_boards

TWO_PIECES = ("KvK", "KvM", "MvK", "MvM")
RESULTS = {"win": 1, "loss": -1}


def under(rules: Rules, limit: int | None) -> Rules:
    """The rule set with a quiet clock of so many plies, and no other draw rule."""
    quiet = None if limit is None else QuietClock(limit)
    return dataclasses.replace(rules, draw=DrawRules(name=f"quiet {limit}", quiet=quiet))


def write_tables(directory: Path, rules: Rules, pieces: int, metrics: tuple[str, ...]) -> None:
    for metric in metrics:
        limit = None if metric == "dtw" else rules.quiet_limit
        codes = solve_all(rules, slice_pairs(pieces), metric, quiet_limit=limit)
        for pair in slice_pairs(pieces):
            sections = []
            for side in pair.pair:
                free = free_positions(rules, side)
                stored = np.where(free, np.int16(0), codes[side]).astype(np.int16)
                stats = SectionStats(*count_values(codes[side])[:8])
                sections.append(SectionInput(str(side), stored, free, stats))
            write_table(
                directory / rules_folder(find_rules(rules.key)) / f"{pair}.{metric}",
                rules_key=rules.key,
                rules_digest=rules.digest,
                metric=metric,
                free_scheme=int(rules.captures_mandatory),
                quiet_limit=limit,
                sections=sections,
            )


def check(tables: Tablebase, asked: Rules, names: tuple[str, ...] = TWO_PIECES) -> tuple[int, int]:
    """(answers said to be exact, others) over all positions and clocks; the first are compared."""
    limit = asked.quiet_limit
    assert limit is not None
    exact = open_ = 0
    for name in names:
        for position, wanted in naive.solve_with_clock(asked.key, name, limit).items():
            found = Position.from_boards(asked, "W", naive_boards(position))
            for clock in range(limit + 1):
                result = tables.probe(found, clock=clock)
                if result.assumes:
                    open_ += 1
                    assert f"{limit} plies" in result.assumes[0] or ".dtc" in result.assumes[0]
                else:
                    exact += 1
                    sign = RESULTS.get(result.category, 0)
                    assert sign == wanted[clock], (found.fen(), clock, result)
    return exact, open_


@pytest.mark.skipif(INTERPRETED, reason="solves slices")
@pytest.mark.parametrize(
    ("key", "made", "asked"),
    [("english", 3, 12), ("english", 12, 3), ("english", None, 6), ("pure", 12, 6)],
)
def test_every_answer_that_assumes_nothing_is_exact(
    tmp_path: Path, key: str, made: int | None, asked: int
) -> None:
    rules = find_rules(key)
    write_tables(tmp_path, under(rules, made), 2, ("dtc",))
    with open_tablebase(tmp_path, under(rules, asked)) as tables:
        exact, left_open = check(tables, under(rules, asked))
        assert exact > 3 * left_open > 0 or left_open == 0
    write_tables(tmp_path, under(rules, made), 2, ("dtw",))
    with open_tablebase(tmp_path, under(rules, asked)) as tables:
        more, fewer_open = check(tables, under(rules, asked))
        assert more >= exact and fewer_open <= left_open
    with open_tablebase(tmp_path, under(rules, None)) as tables:  # no clock: every win stands
        for name in TWO_PIECES:
            for position, value in naive.solve(key, name).items():
                found = tables.probe(
                    Position.from_boards(tables.rules, "W", naive_boards(position))
                )
                assert RESULTS.get(found.category, 0) == value.wdl and not found.assumes


@pytest.mark.slow
@pytest.mark.skipif(INTERPRETED, reason="solves slices")
@pytest.mark.parametrize("key", ["english", "english-optional", "pure", "italian", "czech", "pool"])
@pytest.mark.parametrize("made", [2, 5, 8, 12, None])
def test_all_pairs_of_limits(tmp_path: Path, key: str, made: int | None) -> None:
    rules = find_rules(key)
    write_tables(tmp_path, under(rules, made), 2, ("dtc",))
    for asked in (2, 5, 8, 12):
        with open_tablebase(tmp_path, under(rules, asked)) as tables:
            exact, left_open = check(tables, under(rules, asked))
            assert left_open == 0 if made == asked else exact > left_open


def test_the_cases() -> None:
    """By hand, for a table made under 9 plies: distances 4 and 12, asked under 6 and under 20."""
    made = TableLimits.of({9})
    assert category_under(Asked(6, 0), made, 1, 4, 4, False) == ("win", "")  # DTW within it
    category, left_out = category_under(Asked(6, 0), made, 1, 4, 40, False)
    assert category == "win" and "9 plies" in left_out and "6 plies" in left_out
    assert category_under(Asked(6, 3), made, 1, 4, 40, False) == ("cursed-win", "")  # 3 + 4 > 6
    assert category_under(Asked(6, 0), made, -1, ~(CURSED + 3), 40, False)[0] == "blessed-loss"
    assert category_under(Asked(20, 16), made, 1, 4, 40, False) == ("win", "")  # 16 + 4 = 20
    assert category_under(Asked(20, 17), made, 1, 4, 40, False)[1]
    assert category_under(Asked(20, 0), made, 1, CURSED + 12, 40, False)[1]
    assert category_under(Asked(20, 0), made, 1, CURSED + 12, 40, True) == ("win", "")
    assert category_under(Asked(None, 99), made, 1, CURSED + 12, 99, False) == ("win", "")
    assert category_under(Asked(6, 0), TableLimits.of({None}), 1, None, None, False)[1]
    assert category_under(Asked(20, 0), made, 1, None, None, False) == ("win", "")


# -- presets of the rule sets that ship, on the tables that ship -------------------------------


QDAN_SPOILS = "B:WK16:BK3,K4"  # 33 plies to the only conversion, the end (tests of test_clock)


@pytest.mark.parametrize(("draw", "most"), [("wcdf", 80), ("qdan", 40), ("older", 100)])
def test_presets_weigh_their_own_clock(draw: str, most: int) -> None:
    with open_tablebase(rules="english", draw=draw) as tables:
        for clock, category in ((most - 33, "win"), (most - 32, "cursed-win")):
            result = tables.probe(QDAN_SPOILS, clock=clock)
            assert (result.category, result.assumes) == (category, ())
    with open_tablebase(rules="english") as tables:  # the same by the rules of the position
        rules = RULE_SETS["english"].with_draw(draw)
        found = Position.from_fen(f"{QDAN_SPOILS}:H{most - 32}", rules)
        assert tables.probe(found).category == "cursed-win"
        assert tables.moves(found)[0].outcome == "cursed-win"


def test_no_draw_rules_at_all() -> None:
    with open_tablebase(rules="english", draw="none") as tables:
        assert tables.probe(QDAN_SPOILS, clock=500).category == "win"


def test_the_tablebase_s_draw_rules_come_before_those_of_a_position() -> None:
    position = Position.from_fen(f"{QDAN_SPOILS}:H20", "english")
    with open_tablebase(rules="english", draw="qdan") as tables:
        assert tables.probe(position).category == "cursed-win"
    with open_tablebase(rules=RULE_SETS["english"].with_draw("qdan")) as tables:
        assert tables.probe(position).category == "win"  # a position brings its own rules
        assert tables.probe(position.fen() + ":H20").category == "cursed-win"


def test_a_rule_file_with_other_draws_finds_the_same_tables(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('key = "mine"\nbase = "english"\ndraw = "automatic"\n')
    with open_tablebase(rules=str(path)) as tables:
        assert tables.max_pieces == 4 and tables.rules.key == "mine"
        assert tables.probe(QDAN_SPOILS, clock=47).category == "win"
        assert tables.probe(QDAN_SPOILS, clock=48).category == "cursed-win"
    path.write_text('key = "mine"\nbase = "english"\ndraw = "qdan"\nblack_begins = false\n')
    with open_tablebase(rules=str(path)) as tables:
        assert tables.probe(QDAN_SPOILS, clock=8).category == "cursed-win"
    path.write_text('key = "mine"\nbase = "english"\nflying_kings = true\n')
    with open_tablebase(rules=str(path)) as tables:
        assert tables.max_pieces == 0


def test_folders_are_shared_where_the_bytes_are() -> None:
    english = RULE_SETS["english"]
    assert rules_folder(english.with_draw("automatic")) == "english"
    assert rules_folder(english.with_draw("qdan")) == "english-clock-40"
    assert rules_folder(english.with_draw("none")) == "english-clock-none"
    assert rules_folder(dataclasses.replace(english, key="mine")) == "english"


# -- a limit for the whole game ------------------------------------------------------------------


def test_a_move_limit_is_weighed_by_dtw() -> None:
    fen = "W:WK19,K23:B12,K28"  # DTW 61 (README)
    for limit, category in ((61, "win"), (60, "cursed-win")):
        with open_tablebase(rules="english", move_limit=limit) as tables:
            result = tables.probe(fen)
            assert result.category == category and "move limit" in result.assumes[0]
            assert tables.moves(fen)[0].outcome == category


def test_a_move_limit_counts_the_history() -> None:
    """23-18 wins in 65 plies (README); with one ply played, 64 are to come."""
    start = Position.from_fen("W:WK19,K23:B12,K28", "english")
    for limit, outcome in ((65, "loss"), (64, "blessed-loss")):
        with open_tablebase(rules="english", move_limit=limit) as tables:
            assert tables.moves(start.play("23-18"), [start])[0].outcome == outcome


@pytest.mark.skipif(INTERPRETED, reason="solves slices")
def test_a_rule_file_builds_into_the_shared_folder_or_beside_it(tmp_path: Path) -> None:
    """With the same clock the same bytes; with another one a folder of its own, which is found."""
    for draw, folder in (("automatic", "english"), ("qdan", "english-clock-40")):
        path = tmp_path / "mine.toml"
        path.write_text(f'key = "mine"\nbase = "english"\ndraw = "{draw}"\n')
        report = cb.build(tmp_path / "db", rules=str(path), pieces=2, metrics=("wdl", "dtc"))
        assert report.rules == "mine" and (tmp_path / "db" / folder / "KvM.dtc").is_file()
        assert cb.verify(tmp_path / "db", rules=str(path)).ok
        assert {one.material for one in read_stats(tmp_path / "db", str(path))} >= {"KvM", "MvM"}
        with open_tablebase(tmp_path / "db", "english", draw=draw) as tables:
            assert tables.max_pieces == 2
    shipped = shipped_directory() / "english" / "KvM.dtc"
    if shipped.is_file():
        assert (tmp_path / "db" / "english" / "KvM.dtc").read_bytes() == shipped.read_bytes()
