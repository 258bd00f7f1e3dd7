"""Solving what a position can reach: the values of the scalar solver, and no group too few."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from crownbase.board import Position
from crownbase.index import Material, rank_position, slice_pairs, unrank_position
from crownbase.retro import solve_all
from crownbase.retro.rows import ReachSolver, can_reach
from crownbase.rules import Rules, find_rules

ENDLESS = 1 << 40
KEYS = [
    ("english", 4),
    ("russian", 3),
    *(
        pytest.param(key, 4, marks=pytest.mark.slow)
        for key in ("english-optional", "italian", "pool", "pure", "brazilian", "spanish", "czech")
    ),
]


def solve_for(solver: ReachSolver, position: Position, most: int = ENDLESS) -> None:
    solver.aim(position.boards)
    while not solver.is_done:
        solver.work_on(most)


def some_roots(rules: Rules, pieces: int, count: int) -> Iterator[Position]:
    rng = random.Random(pieces)
    materials = [side for pair in slice_pairs(pieces) for side in pair.pair]
    for material in rng.sample([m for m in materials if m.pieces == pieces], count):
        index = rng.randrange(material.positions(rules))
        boards = unrank_position.plain(rules.traits.plain, index, *material.counts)
        yield Position.from_boards(rules, rng.choice("WB"), boards)


def walk(root: Position, steps: int, rng: random.Random) -> Iterator[Position]:
    """Positions of random games from *root* on, each once."""
    seen = set()
    for _ in range(steps // 20):
        here = root
        for _ in range(20):
            if here not in seen:
                seen.add(here)
                yield here
            moves = here.legal_moves()
            if not moves:
                break
            here = here.play(rng.choice(moves))


@pytest.mark.parametrize(("key", "pieces"), KEYS)
def test_all_that_games_reach_is_solved_and_right(key: str, pieces: int) -> None:
    rules = find_rules(key)
    store = solve_all(rules, slice_pairs(pieces), "dtc")
    solver = ReachSolver(rules, 1 << 30)
    checked = 0
    for n, root in enumerate(some_roots(rules, pieces, 12)):
        if n % 4 == 0:
            solver.clear()
        solve_for(solver, root)
        for here in walk(root, 400, random.Random(n)):
            if not all(map(any, (here.boards[:2], here.boards[2:]))):
                assert solver.value(here.boards) is None
                continue
            index = rank_position.plain(rules.traits.plain, *here.boards)
            known = np.sign(int(store[Material.of(*here.boards)][index]))
            assert solver.value(here.boards) == known, here.fen()
            checked += 1
    assert checked > 400


def test_what_was_solved_is_not_solved_again() -> None:
    solver = ReachSolver("english", 1 << 30)
    root = Position.from_fen("W:WK30,20:BK1,5", rules="english")
    solve_for(solver, root)
    first = solver.solved
    assert 0 < first
    solve_for(solver, root.play(root.legal_moves()[0]))
    assert solver.solved == 0
    solve_for(solver, Position.from_fen("W:WK30,24:BK1,5", rules="english"))
    assert 0 < solver.solved < first * 2


def test_bit_by_bit_is_the_same() -> None:
    at_once, slowly = (ReachSolver("english", 1 << 30) for _ in range(2))
    root = Position.from_fen("W:WK30,20:BK1,5", rules="english")
    solve_for(at_once, root)
    slowly.aim(root.boards)
    calls = 0
    while not slowly.is_done:
        slowly.work_on(2_000)
        slowly.work_on(1_000_000)
        calls += 1
    assert slowly.solved == at_once.solved
    assert slowly.value(root.boards) == at_once.value(root.boards)


def test_no_group_larger_than_allowed_is_begun() -> None:
    solver = ReachSolver("english", 1 << 30)
    solver.aim(Position.from_fen("W:WK30:BK1", rules="english").boards)
    assert solver.work_on(1000) == 0
    assert solver.work_on(2000) > 0


def test_before_and_beyond_nothing_is_claimed() -> None:
    solver = ReachSolver("english", 1 << 30)
    root = Position.from_fen("W:W30,20:BK1,5", rules="english")
    assert solver.value(root.boards) is None
    solve_for(solver, root)
    assert solver.value(root.boards) is not None
    behind = Position.from_fen("W:W31,20:BK1,5", rules="english")
    assert solver.value(behind.boards) is None
    solver.clear()
    assert solver.value(root.boards) is None


def test_full_memory_ends_the_work_and_the_next_root_starts_anew() -> None:
    solver = ReachSolver("english", 100_000)
    root = Position.from_fen("W:W30,20:BK1,5", rules="english")
    solver.aim(root.boards)
    while solver.work_on(ENDLESS):
        pass
    assert solver.is_full
    assert not solver.is_done
    assert solver.value(root.boards) is None
    solver.memory = 1 << 30
    solve_for(solver, root)
    assert solver.value(root.boards) is not None


def test_who_can_be_solved() -> None:
    def able(fen: str, key: str) -> bool:
        position = Position.from_fen(fen, rules=key)
        return can_reach(position.rules, position.boards)

    assert able("W:W31,32,K1,K2:B5,6,K9,K10", "english")
    assert not able("W:W31,32,K1,K2,K3:B5,6,K9,K10", "english")
    assert not able("W:W31,32,K1,K2,K3,30:B5", "english")
    assert not able("W:WK46:BK5", "international")
    assert not able("W:WKa1:BKh8", "turkish")


def test_room_is_made_for_a_root_that_needs_it() -> None:
    roots = [Position.from_fen(f"W:WK30,{n}:BK1,5", rules="english") for n in (25, 28, 26, 27)]
    alone = []
    for root in roots:
        solver = ReachSolver("english", 1 << 30)
        solve_for(solver, root)
        alone.append(solver.value(root.boards))
    for memory in (2_000_000, 4_000_000, 8_000_000):
        solver = ReachSolver("english", memory)
        found = []
        for root in roots:
            solver.aim(root.boards)
            while solver.work_on(ENDLESS):
                pass
            found.append(solver.value(root.boards))
        assert all(x in (y, None) for x, y in zip(found, alone, strict=True))
    assert found == alone


def test_groups_that_are_their_own_mirror_take_memory_too() -> None:
    solver = ReachSolver("english", 1 << 30)
    root = Position.from_fen("W:WK30,K20:BK1,K5", rules="english")
    solve_for(solver, root)
    assert sum(solver.bytes) > 496 * 64 * 2  # two planes, 496 rows of a vector each
    solver.memory = 100_000
    solver.aim(root.boards)
    assert sum(solver.bytes) < 100_000
    assert solver.value(root.boards) is None
