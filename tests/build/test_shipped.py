"""The English tables that lie in ``db`` and ship inside the package."""

from __future__ import annotations

from pathlib import Path

import pytest

import crownbase
from conftest import ROOT
from crownbase.build import read_stats, verify
from crownbase.rules import find_rules
from crownbase.table import Manifest

SHIPPED = ROOT / "db"
ENGLISH = find_rules("english")

# One side to move, both sides with at least one piece: positions, wins, losses, draws, longest
# win and loss in plies. Checked against three independent databases.
TOTALS = {
    2: (3_488, 716, 402, 2_370, 13, 12),
    3: (196_032, 100_250, 87_305, 8_477, 61, 62),
    4: (6_209_316, 2_574_304, 1_917_090, 1_717_922, 109, 108),
}


def manifest(directory: Path) -> Manifest:
    return Manifest.load(directory / "english", ENGLISH.key, ENGLISH.digest)


def test_every_byte_is_as_written() -> None:
    report = verify(SHIPPED, "english", fast=True)
    assert report.ok, report.faults
    assert report.positions == 3 * sum(total[0] for total in TOTALS.values())


@pytest.mark.parametrize("pieces", TOTALS)
def test_published_totals(pieces: int) -> None:
    sides = [
        stats
        for name, metric, entry in manifest(SHIPPED).items()
        if metric == "dtw" and len(name) == pieces + 1
        for stats in entry.sides.values()
    ]
    counts = [sum(getattr(s, n) for s in sides) for n in ("positions", "wins", "losses", "draws")]
    longest = max(s.longest_win for s in sides), max(s.longest_loss for s in sides)
    assert (*counts, *longest) == TOTALS[pieces]


def test_longest_conversions() -> None:
    stats = read_stats(SHIPPED, "english")
    longest = {
        pieces: max(s.max_dtc or 0 for s in stats if len(s.material) == pieces + 1)
        for pieces in TOTALS
    }
    assert longest == {2: 11, 3: 33, 4: 37}


def test_they_are_small() -> None:
    size = sum(path.stat().st_size for path in (SHIPPED / "english").iterdir())
    assert size < 3_000_000


def contents(directory: Path, largest: int) -> dict[tuple[str, str], str]:
    return {
        (name, metric): entry.content_digest
        for name, metric, entry in manifest(directory).items()
        if len(name) <= largest + 1
    }


def test_a_build_makes_the_same_values(english_directory: Path) -> None:
    assert contents(english_directory, 3) == contents(SHIPPED, 3)


@pytest.mark.slow
def test_a_build_of_all_makes_the_same_values(tmp_path: Path) -> None:
    crownbase.build(tmp_path, rules="english", pieces=4, metrics=("wdl", "dtc", "dtw"))
    assert contents(tmp_path, 4) == contents(SHIPPED, 4)
    assert verify(tmp_path, "english").ok
