"""The scripts that people run by hand: that they still work, on small input."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest

import crownbase as cb
from conftest import ROOT, SOURCE, part_of
from crownbase.play.hub_text import Dialect
from crownbase.rules import RULE_SETS

SCRIPTS = ROOT / "scripts"


def run_script(name: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, SCRIPTS / name, *arguments],
        env=os.environ | {"PYTHONPATH": str(SOURCE)},
        check=True,
        capture_output=True,
        text=True,
        timeout=600,
    )
    return done.stdout


def test_totals_of_a_rule_set() -> None:
    (row,) = run_script("rule_set_totals.py", "english", "--pieces", "3").splitlines()[2:]
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[:8] == ["english", "2-3", "199,520", "100,966", "87,707", "10,847", "0", "0"]
    assert (cells[8], cells[10]) == ("61 plies", "33 plies")


def test_differences_of_two_rule_sets() -> None:
    lines = run_script("compare_rule_sets.py", "pool", "russian", "--pieces", "3").splitlines()
    assert "| 3 | 196,032 | 14 | 10 | `W:W9:BK6,K11`: draw in pool, win in russian |" in lines


@pytest.mark.parametrize("key", RULE_SETS)
def test_random_positions_for_the_comparison(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(SCRIPTS)
    from peers.positions import legal_moves, parse_moves, random_positions

    positions = random_positions(key, 60, seed=1)
    assert positions == random_positions(key, 60, seed=1)
    assert len(set(positions)) == 60
    moves = [legal_moves(key, text) for text in positions]
    assert [parse_moves(json.dumps(list(found))) for found in moves] == moves


@pytest.mark.parametrize(
    ("key", "fen", "extra", "reason"),
    [
        ("italian", "W:WK30:B10,K12,K18,20,K26,K27", (30, 7, (12, 20, 27)), "6.9"),
        ("turkish", "B:W41,K49,50,58,59:BK57", (57, 60, ()), "through pieces"),
        ("turkish", "B:W41,K49,50,58,59:BK57", (57, 50, ()), None),
    ],
)
def test_known_faults_of_others_explain_differences(
    key: str,
    fen: str,
    extra: tuple[int, int, tuple[int, ...]],
    reason: str | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(SCRIPTS)
    from peers.differences import explain
    from peers.positions import legal_moves

    rules = cb.find_rules(key)
    text = Dialect(rules).write_position(cb.Position.from_fen(fen, rules=rules))
    ours = legal_moves(key, text)
    after = ""
    if key == "italian":  # its move must be legal but for the order of the kings
        after = Dialect(rules).write_position(cb.Position.from_fen("B:WK7:B10,K18,K26", rules=key))
    found = explain("pydraughts", key, text, ours, ours | {(*extra, after)})
    assert (reason in found) if found and reason else found is reason


def test_random_positions_against_their_moves() -> None:
    arguments = (str(ROOT / "db"), "--pieces", "4", "--positions", "300")
    assert "all good" in run_script("verify_random.py", *arguments)


def test_parts_of_the_tests_are_all_of_them() -> None:
    tests = list(range(301))
    parts = [tests[part_of(f"{number}/6")] for number in range(1, 7)]
    assert sorted(sum(parts, [])) == tests
    assert {len(part) for part in parts} == {50, 51}


@pytest.mark.parametrize("text", ["0/6", "7/6", "1", "1/0", "a/b", "-1/6", ""])
def test_a_part_that_is_none(text: str) -> None:
    with pytest.raises(pytest.UsageError, match="such as 2/6"):
        part_of(text)


@pytest.mark.slow
def test_a_cold_start_is_measured() -> None:
    *_, row = run_script("bench_cold.py", "english", "--only", "play").splitlines()
    assert re.fullmatch(r"\| english \| [\d.]+ \([\d.]+\) \|", row)
