"""The one place where a build meets the solvers: values in, values out, no files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from crownbase.build.plan import Plan
from crownbase.compiling import working_thread_time, working_time
from crownbase.errors import BuildError
from crownbase.index import Material
from crownbase.retro import free_positions as free_positions_one_by_one
from crownbase.retro import resolve_captures, solve_pair
from crownbase.retro.rows import pair as rows
from crownbase.retro.rows.free import free_positions_by_rows
from crownbase.rules import Rules

PairValues = dict[Material, np.ndarray]
"""int16 value codes of both sides of a pair, by material with the side to move on the left."""

SOLVERS = ("auto", "row", "scalar")

ROWS_PAY_FROM = 5
"""Pieces from which ``auto`` solves by rows: below, loading the row kernels takes longer."""


@dataclass(frozen=True)
class Solved:
    """What a solver gives back: values of both sides, CPU seconds of solving, its name."""

    values: PairValues
    cpu_seconds: float
    engine: str


def check_solver(name: str, rules: Rules) -> None:
    """Refuse a solver that does not exist or does not know the rule set.

    Raises:
        BuildError: with the known names, or what the solver lacks.
    """
    if name not in SOLVERS:
        raise BuildError(f"unknown solver {name!r}; known are {', '.join(SOLVERS)}")
    if name == "row" and not rows.can_solve_pair(rules, "dtc"):
        raise BuildError(f"the row solver does not know {rules.title}; use auto or scalar")


def choose_solver(name: str, rules: Rules, material: Material, metric: str) -> str:
    """``row`` or ``scalar``: by rows where that is possible and pays, or asked for."""
    if name == "scalar" or not rows.can_solve_pair(rules, metric):
        return "scalar"
    return "row" if name == "row" or material.pieces >= ROWS_PAY_FROM else "scalar"


def wdl_by_rows(plan: Plan, solver: str) -> bool:
    """Whether a build solves all its pairs in the planes of one solver, for wdl files alone.

    Raises:
        BuildError: the draw clock is to be left out, but only the row solver can do that.
    """
    able = solver != "scalar" and rows.can_solve_pair(plan.rules, "wdl")
    if not plan.clock and not able:
        raise BuildError(
            f"the draw clock can be left out by the row solver only, not with {solver} of "
            f"{plan.rules.title}"
        )
    large = solver == "row" or plan.pieces >= ROWS_PAY_FROM or not plan.clock
    return able and large and plan.wdl_alone


def solve(
    rules: Rules,
    material: Material,
    metric: str,
    needed: Mapping[Material, PairValues],
    threads: int,
    solver: str,
) -> Solved:
    """Solve a slice pair; *needed* holds the pairs it depends on, by canonical material."""
    store = {side: array for values in needed.values() for side, array in values.items()}
    chosen = choose_solver(solver, rules, material, metric)
    run = rows.solve_pair if chosen == "row" else solve_pair
    start, start_wall = working_thread_time(), working_time()
    solved = run(rules, material, store, metric, quiet_limit(rules, metric), threads)
    seconds = working_thread_time() - start
    if threads > 1:
        seconds = max(seconds, (working_time() - start_wall) * threads)
    return Solved(solved.values, seconds, chosen)


def quiet_limit(rules: Rules, metric: str) -> int | None:
    """The draw clock that the files of a metric know: DTW counts on without any."""
    return None if metric == "dtw" else rules.quiet_limit


def sign_is_enough(rules: Rules, has_cursed: bool) -> bool:
    """Whether DTC values of one pair can be replaced by win, draw or loss when others need them.

    Not if the draw clock spoils a win there, nor if distances go on from pair to pair under a
    clock, since not every move of a man restarts it.
    """
    return rules.quiet_limit is None or (rules.man_moves_convert and not has_cursed)


def find_free(rules: Rules, side: Material, threads: int) -> np.ndarray:
    """bool[positions]: where the side to move of a slice must capture."""
    if side.pieces >= ROWS_PAY_FROM and rows.can_solve_pair(rules, "wdl"):
        return free_positions_by_rows(rules, side.counts, threads)
    return free_positions_one_by_one(rules, side)


def fill_captures(
    rules: Rules, values: PairValues, smaller: Iterable[PairValues], metric: str
) -> None:
    """Fill in, in place, the positions of a pair that its file leaves free.

    *smaller* holds the pairs that captures lead to.
    """
    store = {side: array for pair in smaller for side, array in pair.items()}
    for side, array in values.items():
        resolve_captures(rules, side, array, store, metric, quiet_limit(rules, metric))
