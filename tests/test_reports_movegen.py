"""Fault reports about capture priority; and every report about moves and set-ups has its test.

The reports themselves are in data/reports.jsonl; most of their tests are in play/.
"""

from __future__ import annotations

import json
import re

import pytest

import crownbase as cb
from conftest import ROOT
from crownbase.board import paths

TESTS = ROOT / "tests"
REPORTS = [
    json.loads(line)
    for line in (TESTS / "data" / "reports.jsonl").read_text(encoding="utf-8").splitlines()
]
KINDS = ("movegen", "fen", "priority")


@pytest.mark.parametrize("report", [r["id"] for r in REPORTS if r["kind"] in KINDS])
def test_every_report_has_a_test(report: str) -> None:
    wanted = re.compile(rf"^def test_{report}_", re.MULTILINE)
    assert any(wanted.search(path.read_text(encoding="utf-8")) for path in TESTS.rglob("test_*.py"))


def count_orders(position: cb.Position, depth: int, known: dict[tuple[str, int], int]) -> int:
    """Perft in which captures differ if they take the same pieces in another order."""
    if depth == 0:
        return 1
    key = position.fen(), depth
    if key not in known:
        known[key] = sum(
            _orders(position, move) * count_orders(position.play(move), depth - 1, known)
            for move in position.legal_moves()
        )
    return known[key]


def _orders(position: cb.Position, move: cb.Move) -> int:
    if len(move.captured) < 4:  # fewer victims fix their order
        return 1
    ways = paths.capture_ways(position.rules, position.boards, move.raw)
    return len({tuple(victim for _, victim, _ in hops) for hops in ways})


def test_bug15_italian_capture_priority() -> None:
    """The published counts hold captures in another order apart; only the tenth one shows it."""
    (report,) = (r for r in REPORTS if r["id"] == "bug15")
    position = cb.Position.from_fen(report["input"]["perft"], rules="italian")
    published = [5, 13, 42, 107, 360, 1099, 3736, 12495, 43686, 164177]
    assert ",".join(map(str, published)) in report["right_behaviour"]
    known: dict[tuple[str, int], int] = {}
    assert [count_orders(position, depth, known) for depth in range(1, 11)] == published
    assert [cb.perft(position, depth) for depth in range(1, 11)] == [*published[:-1], 164_173]


def test_bug15_men_cannot_take_kings_and_kings_come_first() -> None:
    def moves(fen: str) -> list[str]:
        return [str(move) for move in cb.Position.from_fen(fen, rules="italian").legal_moves()]

    assert moves("W:W22:BK18") == ["22-19"]
    # Equal in pieces: the king must take; with a king, what takes most kings.
    assert moves("W:W22,K23:B18,20") == ["23x16"]
    assert moves("W:WK22:BK18,19") == ["22x13"]
