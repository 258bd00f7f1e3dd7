"""The second implementation itself against known answers, before anything is held against it."""

import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

import naive

DATA = Path(__file__).parent / "data"


def cases(name: str) -> list[dict]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def named(name: str) -> list:
    return [pytest.param(case, id=case["id"]) for case in cases(name)]


@pytest.mark.parametrize("case", named("legal_moves.jsonl"))
def test_legal_moves(case: dict) -> None:
    rules = case["rules"]
    turn, board = naive.parse(case["fen"], rules)
    found = {
        (*move, naive.fen(*naive.result(turn, board, move)))
        for move in naive.legal_moves(rules, turn, board)
    }
    expected = {
        (m["from"], m["to"], frozenset(m["captured"]), m["promotes"], m["result_fen"])
        for m in case["legal"]
    }
    assert found == expected


@pytest.mark.parametrize("case", [c for c in named("perft.jsonl") if c.id != "english-6x6"])
def test_perft(case: dict) -> None:
    rules, counting = case["rules"], case["counting"].split()[-1].strip(")")
    if counting not in ("distinct", "paths"):
        counting = "capture_orders"  # also the line that says nothing certain
    turn, board = naive.parse(case["fen"], rules)
    for depth, nodes in case["nodes"].items():
        if nodes < 1600:
            assert naive.perft(rules, turn, board, int(depth), counting) == nodes


@pytest.mark.parametrize("rules", naive.RULES)
def test_start_position_is_the_published_one(rules: str) -> None:
    published = [c["fen"] for c in cases("perft.jsonl") if c["id"].startswith(f"{rules}-start")]
    for text in published:
        assert naive.start_position(rules) == naive.parse(text, rules)


def test_parse_is_liberal() -> None:
    expected = ("W", {31: "w", 32: "w", 3: "B", 4: "B"})
    for text in ("W:W31,32:BK3,K4", "w:bk3-4:w31-32.", " W : W32, 31 : BK4,K3:H2:F7"):
        assert naive.parse(text) == expected
    assert naive.parse("B:WKa1,c3:Bh8", "russian") == ("B", {29: "W", 22: "w", 4: "b"})
    assert naive.parse("B:WKa1,c3:Bh8", "turkish") == ("B", {57: "W", 43: "w", 8: "b"})
    assert naive.parse("B:W50:B") == ("B", {50: "w"})


@pytest.mark.parametrize("rules", naive.RULES)
def test_colours_are_alike(rules: str) -> None:
    """The turned board has the turned moves: rules speak of forward, not of colours."""
    rng, n = random.Random(7), naive.square_count(rules)
    for _ in range(60):
        squares = rng.sample(range(1, n + 1), rng.randint(2, 12))
        board = {s: rng.choice("wWbB") for s in squares}
        moves = naive.legal_moves(rules, "W", board)
        turned = naive.legal_moves(rules, *naive.turned(rules, "W", board))
        assert turned == {
            (n + 1 - a, n + 1 - b, frozenset(n + 1 - c for c in taken), promotes)
            for a, b, taken, promotes in moves
        }


# -- endgames ------------------------------------------------------------------------------------


def totals(values: dict[naive.Key, naive.Value]) -> tuple[int, int, int, int, int]:
    """Wins, losses, draws, longest win, longest loss."""
    count = Counter(v.wdl for v in values.values())
    longest = [max((v.dtw for v in values.values() if v.wdl == w), default=0) for w in (1, -1)]
    return count[1], count[-1], count[0], *longest


def only(values: dict[naive.Key, naive.Value], name: str) -> dict[naive.Key, naive.Value]:
    return {p: v for p, v in values.items() if naive.material(p) == name}


def test_english_two_pieces() -> None:
    values = naive.solve("english", 2)
    assert len(values) == 3488
    assert totals(values) == (716, 402, 2370, 13, 12)
    assert totals(only(values, "KvK"))[:3] == (230, 108, 654)
    assert max(v.dtc for v in values.values()) == 11
    assert values[naive.key("english", *naive.parse("B:W30:B25"))].dtw == 13


@pytest.mark.slow
def test_english_three_pieces() -> None:
    values = naive.solve("english", 3)
    three = {p: v for p, v in values.items() if len(p) == 3}
    assert len(three) == 196_032
    assert totals(three) == (100_250, 87_305, 8_477, 61, 62)
    assert max(v.dtc for v in three.values() if v.wdl == 1) == 33
    assert max(v.dtc for v in three.values() if v.wdl == -1) == 34


@pytest.mark.parametrize("rules", naive.RULES)
def test_two_pieces_follow_from_their_children(rules: str) -> None:
    """Every value once more by definition, from the values of the positions after each move."""
    values = naive.solve(rules, 2)
    lost_now = naive.Value(-1, 0, 0)
    for position, value in values.items():
        if naive.is_drawn_now(rules, position):
            assert value.wdl == 0
            continue
        children = [(values.get(c, lost_now), conv) for c, conv in naive.moves(rules, position)]
        best = max((-c.wdl for c, _ in children), default=-1)
        assert value.wdl == best
        keeping = [(c, converts) for c, converts in children if -c.wdl == best]
        choose = min if best == 1 else max
        if best:
            assert value.dtw == choose((1 + c.dtw for c, _ in keeping), default=0)
            dtc = [1 if converts else 1 + c.dtc for c, converts in keeping]
            assert value.dtc == choose(dtc, default=0)


def endings(fast: bool) -> list:
    """Endings with at most 3 pieces, 2 on 10x10; fast ones solve in about a second."""
    found = []
    for case in named("endings.jsonl"):
        rules = case.values[0]["rules"]
        _, board = naive.parse(case.values[0]["fen"], rules)
        quick = rules == "english" and all(map(naive.is_king, board.values())) or len(board) == 2
        if len(board) <= (2 if naive.square_count(rules) == 50 else 3) and quick == fast:
            found.append(case)
    return found


def check_ending(case: dict) -> None:
    rules = case["rules"]
    turn, board = naive.parse(case["fen"], rules)
    position = naive.key(rules, turn, board)
    values = naive.solve(rules, naive.material(position))
    value = values[position]
    assert value.wdl == {"win": 1, "draw": 0, "loss": -1}[case["value"]]
    assert value.dtw == case.get("dtw_plies", value.dtw)
    if case.get("winning_moves"):
        winning = set()
        for move in naive.legal_moves(rules, turn, board):
            after = naive.key(rules, *naive.result(turn, board, move))
            if values[after].wdl == -1:
                winning.add(f"{move[0]}-{move[1]}")
        assert winning == set(case["winning_moves"])


@pytest.mark.parametrize("case", endings(fast=True))
def test_endings(case: dict) -> None:
    check_ending(case)


@pytest.mark.slow
@pytest.mark.parametrize("case", endings(fast=False))
def test_slow_endings(case: dict, monkeypatch: pytest.MonkeyPatch) -> None:
    if case.get("assumes") == "one piece each is not a draw":
        altered = replace(naive.RULES[case["rules"]], one_each_is_draw=False)
        monkeypatch.setitem(naive.RULES, case["rules"], altered)
    check_ending(case)


@pytest.mark.slow
def test_turkish_two_kings_need_more_than_a_sacrifice() -> None:
    """Where one piece each is a draw at once, giving a king to take the other no longer wins."""
    values = naive.solve("turkish", "KKvK")
    assert values[naive.key("turkish", *naive.parse("W:WKa7,Kh8:BKa1", "turkish"))].wdl == 0
    assert max(v.dtw for v in values.values()) == 6


# -- with a clock --------------------------------------------------------------------------------


def clock_agrees(rules: str, name: str) -> None:
    """A long enough clock costs nothing at 0; at clock c a value stands if c + DTC <= limit."""
    values = naive.solve(rules, name)
    limit = max(v.dtc for v in values.values()) + 1
    for position, results in naive.solve_with_clock(rules, name, limit).items():
        value = values[position]
        assert results == [
            value.wdl if clock + value.dtc <= limit else 0 for clock in range(limit + 1)
        ]


@pytest.mark.parametrize("name", ["KvK", "KvM", "MvM"])
@pytest.mark.parametrize("rules", ["english", "russian", "italian"])
def test_clock_without_effect_on_values(rules: str, name: str) -> None:
    clock_agrees(rules, name)


def test_short_clock_draws_the_slow_wins() -> None:
    values = naive.solve("english", "KvK")
    for limit in (0, 1, 4, 7):
        for position, results in naive.solve_with_clock("english", "KvK", limit).items():
            value = values[position]
            expected = [value.wdl if c + value.dtc <= limit else 0 for c in range(limit + 1)]
            assert results == expected


def test_pure_clock_runs_on_when_men_move() -> None:
    """Pure Checkers: only a capture restarts the clock, so a far man may be too late."""
    values = naive.solve("pure", "MvM")
    clocked = naive.solve_with_clock("pure", "MvM", 6)
    late = [p for p, v in values.items() if p in clocked and v.wdl and not clocked[p][0]]
    assert late and all(values[p].dtc > 6 for p in late)
