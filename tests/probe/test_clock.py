"""Draw clocks: categories from ``.dtc`` tables, exact for every clock that may stand already."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from crownbase.board import Position
from crownbase.errors import MissingTableError
from crownbase.index import Material, slice_pairs, unrank_position
from crownbase.jit import INTERPRETED
from crownbase.probe import Tablebase, open_tablebase
from crownbase.probe.result import category_of, sign, signed_plies
from crownbase.retro import count_values, solve_all
from crownbase.retro.resolve import free_positions
from crownbase.rules import RULE_SETS
from crownbase.rules.draw import QuietClock
from crownbase.table import SectionInput, SectionStats, write_table

pytestmark = pytest.mark.skipif(INTERPRETED, reason="solves slices")

LIMIT = 9
ENGLISH = dataclasses.replace(
    RULE_SETS["english"],
    draw=dataclasses.replace(RULE_SETS["english"].draw, quiet=QuietClock(LIMIT)),
)


@pytest.fixture(scope="module")
def codes():
    """English slices of 2 and 3 pieces under a clock so short that it spoils wins."""
    return solve_all(ENGLISH, slice_pairs(3), "dtc", quiet_limit=LIMIT)


@pytest.fixture(scope="module")
def directory(codes, tmp_path_factory):
    directory = tmp_path_factory.mktemp("clock")
    for metric in ("wdl", "dtc"):
        for pair in slice_pairs(3):
            write(directory / "english" / f"{pair}.{metric}", pair, codes, metric)
    return directory


def write(path: Path, pair, codes, metric: str) -> None:
    sections = []
    for side in pair.pair:
        free = free_positions(ENGLISH, side)
        stored = np.where(free, 0, codes[side]).astype(np.int16)
        if metric == "wdl":
            stored = np.sign(stored).astype(np.int8)
        counts = SectionStats(*count_values(codes[side])[:8])
        sections.append(SectionInput(str(side), stored, free, counts))
    write_table(
        path,
        rules_key=ENGLISH.key,
        rules_digest=ENGLISH.digest,
        metric=metric,
        free_scheme=1,
        quiet_limit=LIMIT,
        sections=sections,
    )


@pytest.fixture(scope="module")
def tables(directory) -> Tablebase:
    return open_tablebase(directory, ENGLISH)


def sample(codes, step=499):
    for side, values in codes.items():
        for place in range(len(values) % step, len(values), step):
            boards = unrank_position.plain(ENGLISH.traits.plain, place, *side.counts)
            yield Position.from_boards(ENGLISH, "W", boards), int(values[place])


def test_some_wins_are_spoilt(codes):
    counted = [count_values(values) for values in codes.values()]
    assert sum(counts.cursed_wins for counts in counted) > 1000
    assert sum(counts.blessed_losses for counts in counted) > 1000


def test_every_position_captures_included(codes, tables):
    """The codes of all positions, resolved, are those of the solver."""
    for side, values in codes.items():
        boards = np.array(
            [unrank_position(ENGLISH.traits, place, *side.counts) for place in range(len(values))]
        )
        found = tables._lookup.codes(boards, np.zeros(len(boards), bool), "dtc")
        assert np.array_equal(found, values)


def test_categories(codes, tables):
    seen = set()
    for position, value in sample(codes):
        result = tables.probe(position)
        assert result.category == category_of(sign(value), value, 0, LIMIT)
        assert (result.wdl, result.dtc) == (sign(value), signed_plies(value))
        seen.add(result.category)
    assert seen == {"win", "cursed-win", "draw", "blessed-loss", "loss"}


def test_a_clock_that_runs_already(codes, tables):
    for position, value in sample(codes, 2999):
        for clock in range(LIMIT):
            wanted = category_of(sign(value), value, clock, LIMIT)
            assert tables.probe(position, clock=clock).category == wanted
            with_counter = f"{position.fen()}:H{clock}"
            assert tables.probe(with_counter).category == wanted


def test_moves_keep_the_win_under_the_clock(codes, tables):
    """A win under the clock is kept by the best move, up to the conversion, ply by ply."""
    played = 0
    for position, value in sample(codes, 499):
        if tables.probe(position).category != "win":
            continue
        while value > 0 and played < 300:
            played += 1
            best = tables.moves(position)[0]
            assert best.outcome == "win"
            clock = position.clock
            position = position.play(best.move)
            assert position.clock == (0 if best.conversion else clock + 1)
            assert tables.probe(position).category == "loss"
            replies = tables.moves(position)
            if best.conversion or not replies:
                break
            position = position.play(replies[0].move)
            assert tables.probe(position).category == "win"
    assert played > 100


def test_a_move_that_spoils_the_win_ranks_below_those_that_keep_it(codes, tables):
    mixed = 0
    for position, _ in sample(codes):
        outcomes = [info.outcome for info in tables.moves(position)]
        if "win" in outcomes and "cursed-win" in outcomes:
            mixed += 1
            assert outcomes.index("win") < outcomes.index("cursed-win")
    assert mixed


def test_without_dtc_a_spoilt_slice_does_not_guess(directory, codes, tmp_path):
    folder = tmp_path / "english"
    folder.mkdir()
    for path in (directory / "english").glob("*.wdl"):
        (folder / path.name).write_bytes(path.read_bytes())
    with open_tablebase(tmp_path, ENGLISH) as tables:
        for position, value in sample(codes, 1999):
            assert tables.probe_wdl(position) == sign(value)
        refused = 0
        for position, value in sample(codes, 1999):
            try:
                category = tables.probe(position).category
            except MissingTableError as error:
                refused += 1
                assert ".dtc" in str(error)
            else:
                assert category == category_of(sign(value), value, 0, LIMIT)
        assert refused


def test_whole_slices(codes, tables):
    for side, values in codes.items():
        stored = ~free_positions(ENGLISH, side)
        found = tables.slice_values(side)
        assert found.dtype == np.int8
        assert np.array_equal(found[stored], np.sign(values)[stored])
    assert tables.slice_values(Material.parse("KKvKK")) is None
