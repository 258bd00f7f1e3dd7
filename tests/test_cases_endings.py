"""Published endings of all rule sets, solved from nothing (sources in ``tests/data``)."""

from __future__ import annotations

import dataclasses
import functools
import json

import numpy as np
import pytest

import crownbase as cb
from conftest import ROOT
from crownbase.board.bits import signed
from crownbase.index import Material, rank_position, slice_pairs
from crownbase.retro import solve_all
from crownbase.rules import Rules, find_rules

LINES = (ROOT / "tests" / "data" / "endings.jsonl").read_text(encoding="utf-8").splitlines()
MOST_PIECES = 5
WITHOUT_RULE = {
    "one piece each is not a draw": {"key": "turkish-one-each", "lone_pieces_draw": False}
}


def rules_of(case: dict) -> Rules:
    """The rule set of a line, without a rule that its source does not have."""
    rules = find_rules(case["rules"])
    if "assumes" in case:
        return dataclasses.replace(rules, **WITHOUT_RULE[case["assumes"]])
    return rules


def closure(material: Material) -> set[Material]:
    """A slice pair and all pairs that it can lead to."""
    found, todo = set(), [material.canonical]
    while todo:
        pair = todo.pop()
        if pair not in found:
            found.add(pair)
            todo += pair.dependencies()
    return found


@functools.lru_cache(maxsize=4)
def solved(rules: Rules, material: Material) -> dict[Material, np.ndarray]:
    needed = closure(material)
    pairs = tuple(pair for pair in slice_pairs(material.pieces) if pair in needed)
    return solve_all(rules, pairs, "dtw")


def value_of(rules: Rules, position: cb.Position, material: Material) -> int:
    """The DTW code of a position of a slice that *material* leads to."""
    om, ok, pm, pk = position.boards
    if not om | ok:
        return -1
    index = rank_position(rules.traits, *map(signed, position.boards))
    return int(solved(rules, material)[Material.of(om, ok, pm, pk)][index])


def cases() -> list:
    found = []
    for line in LINES:
        case = json.loads(line)
        position = cb.Position.from_fen(case["fen"], rules=rules_of(case))
        kings_only = not position.white_men | position.black_men
        quick = case["rules"] == "english" and (kings_only or position.pieces < 4)
        marks = () if quick else pytest.mark.slow
        if position.pieces <= MOST_PIECES:
            found.append(pytest.param(case, id=case["id"], marks=marks))
    return found


@pytest.mark.parametrize("case", cases())
def test_published_ending(case: dict) -> None:
    rules = rules_of(case)
    position = cb.Position.from_fen(case["fen"], rules=rules)
    material = Material.of(*position.boards)
    code = value_of(rules, position, material)
    assert {-1: "loss", 0: "draw", 1: "win"}[int(np.sign(code))] == case["value"]
    plies = code if code >= 0 else ~code
    assert plies == case.get("dtw_plies", plies)
    assert plies == case.get("src_plies", plies)
    after = {m: value_of(rules, position.play(m), material) for m in position.legal_moves()}
    keeping = [m for m, value in after.items() if np.sign(value) == -np.sign(code)]
    if case.get("winning_moves"):
        assert sorted(map(str, keeping)) == sorted(case["winning_moves"])
    if "best" in case:
        assert position.parse_move(case["best"]) in keeping
