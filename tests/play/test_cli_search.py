"""``crownbase search`` and ``solve``, and how bad input is answered."""

from __future__ import annotations

import json

import pytest

from crownbase.board import Position
from crownbase.play.cli import run

SHOT = "W:WK14,K15,K22:BK6"
BOOK = "W:W28,24,15,9:B25,16,3,1"
"""Boland's Bridges #95, 8 pieces, drawn; book_problems.jsonl."""


def test_solve_proves_a_draw_of_eight_pieces_or_says_what_it_knows(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["solve", BOOK, "--nodes", "2000000", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["outcome"] in ("draw", "unknown")
    assert answer["lower"] <= 0 <= answer["upper"]
    assert answer["nodes"] < 3_000_000


def test_search_finds_the_win(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["search", SHOT, "--depth", "4", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["category"] == "win"
    legal = [str(move) for move in Position.from_fen(SHOT, rules="english").legal_moves()]
    assert answer["move"] in legal


@pytest.mark.parametrize("command", ["search", "solve"])
def test_a_limit_beyond_64_bits_is_no_limit(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Counts of positions are 64-bit words in kernels; 2**63 does not fit."""
    limits = ["--nodes", str(1 << 63), "--time", "0.2"]
    assert run([command, BOOK, *limits, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["nodes"] > 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["solve", "nonsense"], "no side to move"),
        (["solve", SHOT, "--table-memory", "zz"], "amount of memory"),
        (["solve", SHOT, "--nodes", "0"], "--nodes"),
        (["search", SHOT, "--time", "-1"], "--time"),
    ],
)
def test_bad_input_gets_one_line(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    error = capsys.readouterr().err
    assert said in error and len(error.splitlines()) == 1
