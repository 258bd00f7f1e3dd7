"""Giving up a group in the middle: at once, and as if it had not been begun."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable

import pytest

from crownbase.board import Position
from crownbase.retro.rows import ReachSolver
from crownbase.retro.rows.scratch import PAGE, SparseWords
from crownbase.search.solving import Solving
from crownbase.search.watch import POLL

ROOT = Position.from_fen("W:WK32,K31,K30:BK1,K2,K3", rules="english")
EIGHT_KINGS = Position.from_fen("W:WK32,K31,K30,K29:BK1,K2,K3,K4", rules="english")
ENDLESS = 1 << 50


def at_the_last_group(position: Position) -> tuple[Solving, ReachSolver]:
    """About to solve the group of the root itself; its values do not matter here."""
    solver = ReachSolver(position.rules, 4 << 30)
    solving = Solving(solver, position, is_kept=False)
    solver._stage = len(solver._stages) - 1
    return solving, solver


def stopper(after: int, polls: list[int]) -> Callable[[], bool]:
    """Says stop from a number of questions on."""

    def must_stop() -> bool:
        polls.append(len(polls))
        return len(polls) > after

    return must_stop


def test_a_group_of_eight_kings_is_given_up_within_half_a_second() -> None:
    solving, solver = at_the_last_group(EIGHT_KINGS)
    polls: list[int] = []
    solving.work_on(ENDLESS, 1e6, stopper(3, polls))
    # The word is written at the fourth question, and one is asked every POLL seconds.
    assert len(polls) <= 4 + 0.5 / POLL
    assert solver.value(EIGHT_KINGS.boards) is None
    assert not solver.is_done and solver.solved == 0 and sum(solver.bytes) == 0
    assert not solver.is_stopped  # the next call may go on


def test_an_interrupt_is_raised_and_leaves_nothing_half_solved() -> None:
    solving, solver = at_the_last_group(EIGHT_KINGS)

    def must_stop() -> bool:
        if not solver.is_stopped and asked:
            raise KeyboardInterrupt
        asked.append(1)
        return False

    asked: list[int] = []
    with pytest.raises(KeyboardInterrupt):
        solving.work_on(ENDLESS, 1e6, must_stop)
    assert solver.solved == 0 and not solver.is_done and not solver.is_stopped
    assert not any(thread.name == "crownbase-search" for thread in threading.enumerate())


def test_what_was_given_up_anywhere_is_solved_right_later() -> None:
    at_once, often = (ReachSolver("english", 4 << 30) for _ in range(2))
    for solver in (at_once, often):
        solver.aim(ROOT.boards)
    while not at_once.is_done:
        at_once.work_on(ENDLESS)
    rng = random.Random(1)
    flags, slot = often.stop_word
    delay = 0.0005
    while not often.is_done:
        timer = threading.Timer(rng.random() * delay, flags.__setitem__, (slot, 1))
        timer.start()
        often.work_on(ENDLESS)
        timer.join()
        flags[slot] = 0
        delay *= 1.15  # so that it comes to an end on any machine
    assert often.solved == at_once.solved
    # Blocks may lie around what was given up: all their bits count, not some values.
    for counts in ((0, 1, 0, 1), (0, 2, 0, 1), (0, 1, 0, 2), (0, 2, 0, 2), (0, 3, 0, 3)):
        for one, other in zip(
            often._planes.slice_planes(counts), at_once._planes.slice_planes(counts), strict=True
        ):
            assert (one == other).all(), counts


def test_memory_goes_back_by_whole_pages() -> None:
    memory = SparseWords(PAGE)  # eight pages
    memory.words[:] = 7
    memory.release(100, 3 * PAGE)
    kept = memory.words.view("u1").reshape(8, PAGE).any(axis=1)
    assert kept.tolist() == [True, False, False, True, True, True, True, True]
