"""Probing under short clocks against the naive checker: every position, every clock.

``naive.solve_with_clock`` plays the graph of (position, clock) by value iteration; here the same
answers must come out of table files, with the clock given to ``probe`` and in the FEN.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

import naive
from crownbase.board import Position
from crownbase.index import Material, slice_pairs
from crownbase.jit import INTERPRETED
from crownbase.probe import Tablebase, open_tablebase
from crownbase.probe.catalog import rules_folder
from crownbase.retro import count_values, solve_all
from crownbase.retro.resolve import free_positions
from crownbase.rules import Rules, find_rules
from crownbase.rules.draw import DrawRules, QuietClock
from crownbase.table import SectionInput, SectionStats, write_table
from probe.databases import naive_boards

pytestmark = pytest.mark.skipif(INTERPRETED, reason="solves slices")

TWO_PIECES = ("KvK", "KvM", "MvK", "MvM")
RESULTS = {"win": 1, "loss": -1}


def clocked_tables(directory: Path, rules: Rules, pieces: int, limit: int) -> Tablebase:
    """DTC tables made for a draw clock of *limit* plies; captures hold nothing of use."""
    codes = solve_all(rules, slice_pairs(pieces), "dtc", quiet_limit=limit)
    for pair in slice_pairs(pieces):
        sections = []
        for side in pair.pair:
            free = free_positions(rules, side)
            stored = np.where(free, np.int16(0), codes[side]).astype(np.int16)
            stats = SectionStats(*count_values(codes[side])[:8])
            sections.append(SectionInput(str(side), stored, free, stats))
        write_table(
            directory / rules_folder(rules) / f"{pair}.dtc",
            rules_key=rules.key,
            rules_digest=rules.digest,
            metric="dtc",
            free_scheme=int(rules.captures_mandatory),
            quiet_limit=limit,
            sections=sections,
        )
    return open_tablebase(directory, rules=rules)


def check(directory: Path, key: str, names: tuple[str, ...], limit: int) -> None:
    rules = dataclasses.replace(find_rules(key), draw=DrawRules(quiet=QuietClock(limit)))
    pieces = max(Material.parse(name).pieces for name in names)
    spoilt = 0
    with clocked_tables(directory, rules, pieces, limit) as tables:
        for name in names:
            for position, wanted in naive.solve_with_clock(key, name, limit).items():
                found = Position.from_boards(rules, "W", naive_boards(position))
                results = [tables.probe(found, clock=clock) for clock in range(limit + 1)]
                signs = [RESULTS.get(result.category, 0) for result in results]
                assert signs == wanted, (found.fen(), wanted)
                spoilt += any(result.category == "cursed-win" for result in results)
                with_counter = f"{found.fen()}:H{limit - 1}"
                assert tables.probe(with_counter) == results[limit - 1]
    assert spoilt > 0


@pytest.mark.parametrize(
    ("key", "limit"), [("english", 3), ("english", 12), ("pure", 6), ("english-optional", 2)]
)
def test_two_pieces(tmp_path: Path, key: str, limit: int) -> None:
    check(tmp_path, key, TWO_PIECES, limit)


@pytest.mark.slow
@pytest.mark.parametrize("limit", [2, 5, 8, 12])
@pytest.mark.parametrize("key", ["english", "english-optional", "pure", "italian", "czech", "pool"])
def test_two_pieces_of_all_limits(tmp_path: Path, key: str, limit: int) -> None:
    check(tmp_path, key, TWO_PIECES, limit)


@pytest.mark.slow
@pytest.mark.parametrize("limit", [4, 9, 12])
@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("english", "KKvK"),
        ("english", "KMvK"),
        ("english-optional", "KMvM"),
        ("pure", "MMvM"),
        ("pure", "KMvK"),
        ("italian", "KvKM"),
        ("czech", "KKvM"),
    ],
)
def test_three_pieces(tmp_path: Path, key: str, name: str, limit: int) -> None:
    check(tmp_path, key, (name,), limit)
