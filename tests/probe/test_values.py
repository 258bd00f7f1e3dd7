"""Any legal position in, its exact value out."""

from __future__ import annotations

import json

import numpy as np
import pytest

from conftest import ROOT
from crownbase.board import Position
from crownbase.errors import IllegalPositionError, MissingTableError
from crownbase.index import slice_pairs, unrank_position
from crownbase.jit import INTERPRETED
from crownbase.probe import Result, kernels, open_tablebase
from crownbase.probe.result import category_of, signed_plies
from crownbase.retro import CURSED, solve_all
from crownbase.rules import RULE_SETS
from probe.databases import naive_values

needs_compiler = pytest.mark.skipif(INTERPRETED, reason="compiled code is switched off")


@pytest.mark.usefixtures("plain")
def test_every_position_of_two_pieces(any_rules, two_pieces):
    """Against the naive implementation; where a capture is forced, tables hold a filler."""
    with open_tablebase(two_pieces, rules=any_rules) as tables:
        for number, (boards, value) in enumerate(naive_values(any_rules.key).items()):
            position = Position.from_boards(any_rules, "WB"[number % 2], boards)
            result = tables.probe(position)
            assert result.wdl == value.wdl, position.fen()
            assert result.dtc == value.dtc * value.wdl, position.fen()
            assert result.dtw == value.dtw * value.wdl, position.fen()
            assert result.category == {1: "win", 0: "draw", -1: "loss"}[value.wdl]


@pytest.mark.usefixtures("plain")
def test_single_questions_agree_with_probe(any_rules, two_pieces):
    with open_tablebase(two_pieces, rules=any_rules) as tables:
        for boards in list(naive_values(any_rules.key))[::37]:
            position = Position.from_boards(any_rules, "W", boards)
            result = tables.probe(position.fen())
            assert tables.probe_wdl(position) == tables.get_wdl(position) == result.wdl
            assert tables.probe_dtc(position) == tables.get_dtc(position) == result.dtc
            assert tables.probe_dtw(position) == tables.get_dtw(position) == result.dtw


@needs_compiler
def test_every_position_of_two_and_three_pieces_compiled(english):
    """Against what the solver found, captures included, all metrics."""
    rules = english.rules
    for metric in ("dtc", "dtw"):
        for side, codes in solve_all(rules, slice_pairs(3), metric).items():
            boards = np.array(
                [unrank_position(rules.traits, i, *side.counts) for i in range(len(codes))]
            )
            assert np.array_equal(english.probe_many(boards, "wdl"), np.sign(codes))
            wanted = [signed_plies(int(one)) for one in codes]
            assert english.probe_many(boards, metric).tolist() == wanted


@needs_compiler
def test_plain_and_compiled_code_agree(english, monkeypatch):
    positions = [
        Position.from_boards(
            english.rules,
            "WB"[number % 2],
            unrank_position.plain(
                english.rules.traits.plain, 977 * number % side.positions(english.rules),
                *side.counts
            ),
        )
        for pair in slice_pairs(3)
        for side in pair.pair
        for number in range(40)
    ]  # fmt: skip
    answers = []
    for compiled in (False, True):
        monkeypatch.setattr(kernels.expand, "worth_compiling", lambda value=compiled: value)
        answers.append([english.probe(position) for position in positions])
    assert answers[0] == answers[1]


def endings():
    lines = (ROOT / "tests" / "data" / "endings.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [json.loads(line) for line in lines]
    return [case for case in cases if case["rules"] == "english" and "assumes" not in case]


@pytest.fixture(scope="module")
def largest(english):
    """The tables that ship, or those of three pieces where none lie in the checkout yet."""
    shipped = open_tablebase()
    return shipped if shipped.max_pieces > english.max_pieces else english


@pytest.mark.parametrize("case", endings(), ids=lambda case: case["id"])
def test_known_endings(case, largest):
    position = Position.from_fen(case["fen"])
    if largest.missing(position):
        pytest.skip(f"{position.pieces} pieces")
    result = largest.probe(position)
    assert result.category == case["value"]
    if "dtw_plies" in case:
        assert abs(result.dtw) == case["dtw_plies"]
    if "winning_moves" in case:
        won = [str(info.move) for info in largest.moves(position) if info.outcome == "win"]
        played = [str(position.parse_move(text)) for text in case["winning_moves"]]
        assert sorted(won) == sorted(played)


def test_first_position_from_the_tables_that_ship():
    with open_tablebase() as tables:
        if tables.max_pieces < 4:
            pytest.skip("no tables of four pieces here")
        assert tables.probe("W:WK19,K23:B12,K28") == Result("win", 1, 17, 61)
        line = tables.line("W:WK19,K23:B12,K28")
        assert len(line) == 61 and str(line[0]) == "23-27"


@pytest.mark.parametrize(
    ("fen", "result"),
    [
        ("W:W:BK1", Result("loss", -1, 0, 0)),  # nothing left
        ("B:WK1:B", Result("loss", -1, 0, 0)),
        ("W:W5:B1", Result("loss", -1, 0, 0)),  # blocked
        ("W:WK1:B", Result("win", 1, 1, 1)),  # nobody to answer
        ("W:WK18:B14", Result("win", 1, 1, 1)),  # takes the last piece
    ],
)
def test_finished_games(english, fen, result):
    assert english.probe(fen) == result


def test_the_game_is_over_without_any_table():
    with open_tablebase([]) as tables:
        assert tables.probe_dtw("W:W18:B14") == 1
        assert tables.probe_wdl("W:W:BK1") == -1
        with pytest.raises(MissingTableError):
            tables.probe_wdl("W:WK1:BK32")


def test_turkish_one_piece_each_is_a_draw_at_once():
    with open_tablebase([], rules="turkish") as tables:
        assert tables.probe("W:WKa1:BKa2") == Result("draw", 0, 0, 0)
        # The game is over: nothing to rank, although the king could take.
        assert tables.moves("W:WKa1:BKa2") == [] and tables.line("W:WKa1:BKa2") == []
        assert tables.best_move("W:WKa1:BKa2") is None


def test_wdl_from_any_metric(tmp_path, any_rules, two_pieces):
    """With distances alone, the result is known all the same."""
    folder = next(two_pieces.iterdir())
    for metric in ("dtc", "dtw"):
        target = tmp_path / metric / folder.name
        target.mkdir(parents=True)
        for path in folder.glob(f"*.{metric}"):
            (target / path.name).write_bytes(path.read_bytes())
        with (
            open_tablebase(tmp_path / metric, rules=any_rules) as some,
            open_tablebase(two_pieces, rules=any_rules) as all_metrics,
        ):
            assert some.metrics == (metric,)
            for boards in list(naive_values(any_rules.key))[::101]:
                position = Position.from_boards(any_rules, "B", boards)
                assert some.probe_wdl(position) == all_metrics.probe_wdl(position)
                answer = some.get(position)
                if position.legal_moves() and answer is not None:
                    known = all_metrics.probe(position)
                    assert getattr(answer, metric) == getattr(known, metric)


def test_categories_under_the_clock():
    assert category_of(0, 0, 99, 10) == "draw"
    assert category_of(1, 7, 3, 10) == "win"
    assert category_of(1, 7, 4, 10) == "cursed-win"
    assert category_of(-1, ~7, 3, 10) == "loss"
    assert category_of(-1, ~7, 4, 10) == "blessed-loss"
    assert category_of(1, CURSED + 12, 0, 10) == "cursed-win"
    assert category_of(-1, ~(CURSED + 12), 0, None) == "blessed-loss"
    assert category_of(1, 7, 99, None) == "win"
    assert category_of(1, None, 99, 10) == "win"


def test_another_rule_set_is_refused(english):
    position = Position.from_fen("W:WKa1:BKh8", rules=RULE_SETS["russian"])
    with pytest.raises(IllegalPositionError, match="russian"):
        english.probe(position)
