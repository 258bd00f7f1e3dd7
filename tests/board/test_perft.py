"""Published move counts (sources in ``tests/data/perft.jsonl``), and those of the naive twin.

Perft here counts distinct moves (from, to, captured set). Lines that count capture orders or paths
are compared as far as no two captures differ in that alone.
"""

import json
from pathlib import Path
from typing import Any

import pytest

import crownbase as cb
import naive

DATA = Path(__file__).parent.parent / "data"
CASES = [
    json.loads(line) for line in (DATA / "perft.jsonl").read_text(encoding="utf-8").splitlines()
]
BOARDS_WITHOUT_A_RULE_SET = {"english-6x6"}
EQUAL_TO_DEPTH = {  # deepest depth at which the counting of the source and ours agree
    "international-frontrows": 8,  # 9: 1,008,313 distinct, 1,008,317 orders
    "italian-gilbert1": 9,  # 10: 164,173 distinct, 164,177 orders
    "pool-start-orders": 7,
    "russian-start-orders": 7,
    "russian-start-kodra": 7,
}


def counts() -> list[Any]:
    """One test for each line: rule set, FEN, nodes by depth."""
    found = []
    for case in CASES:
        if case["id"] in BOARDS_WITHOUT_A_RULE_SET:
            continue
        limit = EQUAL_TO_DEPTH.get(case["id"], 99)
        nodes = {int(d): n for d, n in case["nodes"].items() if int(d) <= limit}
        found.append(pytest.param(case["rules"], case["fen"], nodes, id=case["id"]))
    return found


@pytest.mark.parametrize(("rules", "fen", "nodes"), counts())
def test_perft(rules: str, fen: str, nodes: dict[int, int]) -> None:
    position = cb.Position.from_fen(fen, rules=rules)
    assert {depth: cb.perft(position, depth) for depth in nodes} == nodes


@pytest.mark.parametrize(
    ("rules", "depth", "nodes"),
    [
        ("english", 9, 3_963_680),  # A. Bik, talkchess.com t=27814 (2009)
        ("english", 10, 18_391_564),
        ("russian", 10, 22_444_032),  # R. Halbersma (2010), damforum.nl t=2822
        ("turkish", 7, 10_782_308),  # kish counts 10,782,382 paths; these are the distinct moves
        pytest.param("english", 11, 85_242_128, marks=pytest.mark.slow),
    ],
)
def test_deep_perft(rules: str, depth: int, nodes: int) -> None:
    assert cb.perft(cb.Position.start(rules), depth) == nodes


def test_pool_and_russian_part_at_depth_eight() -> None:
    """A man that is crowned in mid-capture goes on as a king in Russian only."""
    pool, russian = cb.Position.start("pool"), cb.Position.start("russian")
    deep = [(cb.perft(pool, depth), cb.perft(russian, depth)) for depth in range(1, 9)]
    assert [a == b for a, b in deep] == [True] * 7 + [False]


@pytest.mark.parametrize("rules", naive.RULES)
def test_perft_of_the_start_equals_naive(rules: str) -> None:
    """Also for the rule sets without published counts."""
    position = cb.Position.start(rules)
    assert cb.perft(position, 0) == 1
    turn, board = naive.start_position(rules)
    assert position == cb.Position.from_fen(naive.fen(turn, board), rules=rules)
    depth = 4 if naive.square_count(rules) == 32 else 3
    assert cb.perft(position, depth) == naive.perft(rules, turn, board, depth)


@pytest.mark.parametrize(("fen", "depth"), [("W:WK57:BK49", 2), ("W:W41:B20", 6), ("B:W9:B50", 6)])
def test_perft_goes_on_where_one_piece_each_is_a_draw(fen: str, depth: int) -> None:
    """A draw is a matter of value; published Turkish counts go on, too, and so does the twin."""
    position = cb.Position.from_fen(fen, rules="turkish")
    assert position.is_lone_pieces_draw
    expected = naive.perft("turkish", *naive.parse(fen, "turkish"), depth)
    assert cb.perft(position, depth) == expected
    assert cb.perft(position, 1) > 0


def test_negative_depth_is_refused() -> None:
    with pytest.raises(ValueError, match="-1"):
        cb.perft(cb.Position.start("english"), -1)
