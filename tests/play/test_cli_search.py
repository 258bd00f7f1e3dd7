"""``crownbase search`` and ``solve``, and how bad input is answered."""

from __future__ import annotations

import json

import pytest

from crownbase.board import Position
from crownbase.play.cli import run
from crownbase.play.cli_search import _proof_words
from crownbase.search import Proof

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


def test_solve_prints_the_line_of_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    fen = "W:WK19,K23:BK28"
    assert run(["solve", fen]) == 0
    said = capsys.readouterr().out
    assert "read from the tables" in said and "depth" not in said and "0 positions" not in said
    assert run(["solve", fen, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    position = Position.from_fen(fen, rules="english")
    for move in answer["line"]:
        position = position.play(move)
    assert len(answer["line"]) == answer["plies"] and not position.legal_moves()


@pytest.mark.parametrize(
    ("lower", "upper", "said"),
    [(0, 1, "at least a draw"), (-1, 0, "at most a draw"), (-1, 1, "neither")],
)
def test_an_unsolved_position_has_its_bounds(lower: int, upper: int, said: str) -> None:
    proof = Proof("unknown", lower, upper, 0, 1, 1, (), None, 0.1, 0)
    assert said in _proof_words(proof)


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
