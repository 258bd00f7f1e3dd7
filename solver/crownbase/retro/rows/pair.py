"""Solve one slice pair by rows behind the interface of `retro.solve_pair`."""

from __future__ import annotations

import numpy as np

from crownbase.errors import MissingTableError
from crownbase.index import Material
from crownbase.retro.rows.distances import SHORTEST_CLOCK, DrawClock, TimedPair, time_slice
from crownbase.retro.rows.driver import RowSolver
from crownbase.retro.rows.scoring import ScoreSolver, can_score
from crownbase.retro.rows.traits import can_solve, can_time
from crownbase.retro.solve import SolvedPair, Store
from crownbase.retro.solve import solve_pair as solve_pair_scalar
from crownbase.retro.values import UNLIMITED
from crownbase.rules import Rules, find_rules


def can_solve_pair(rules: Rules, metric: str) -> bool:
    """Whether `solve_pair` of this module can do it; `dtw` only on the 8x8 boards."""
    able = {"wdl": can_solve, "dtc": can_time, "dtw": can_score}
    return metric in able and able[metric](rules)


def solve_pair(
    rules: str | Rules,
    material: Material,
    store: Store,
    metric: str = "dtc",
    quiet_limit: int | None = None,
    threads: int = 1,
) -> SolvedPair:
    """As `retro.solve_pair`, which gives the same values; also for the metric `wdl`.

    For `wdl` the values are int8, -1 / 0 / +1 without any clock, and *store* may hold such arrays.
    With a draw clock the pair is first solved without it, unless a slice below is cursed; only if
    a distance is longer than the clock, or something below is cursed, solving takes two phases.
    A clock of less than two plies is left to the scalar solver, and so is a pair with distances
    to the end (`dtw`) of more than 253 plies, itself or below.

    Raises:
        ValueError: the row-parallel solver does not know the rule set or the metric.
        MissingTableError: the store lacks a slice that this one leads to.
    """
    rules = find_rules(rules)
    if not can_solve_pair(rules, metric):
        raise ValueError(f"no {metric} of {rules.title} by the row-parallel solver")
    material = material.canonical
    below = [side for pair in material.dependencies() for side in pair.pair]
    for side in below:
        if side not in store:
            raise MissingTableError(f"{side} must be solved before {material}")
    limit = UNLIMITED if quiet_limit is None or metric == "dtw" else quiet_limit
    if metric == "dtw":
        codes = {side.counts: store[side] for side in below}
        scored = ScoreSolver(rules, material.counts, codes, threads).solve()
        if scored is not None:
            values = {side: scored[side.counts] for side in material.pair}
            return SolvedPair(material, metric, values, False)
    if limit < SHORTEST_CLOCK or metric == "dtw":
        return solve_pair_scalar(rules, material, store, metric, quiet_limit, threads)
    cursed = metric == "dtc" and limit < UNLIMITED and any(_is_cursed(store[s]) for s in below)
    if not cursed:
        solver = _start_solver(rules, material, below, store, threads, sure=False)
        if metric == "wdl":
            solver.solve(material.counts)
            found = {side: solver.values(side.counts) for side in material.pair}
            return SolvedPair(material, metric, found, False)
        timed = time_slice(solver, material.counts)
        if timed.longest <= limit:
            return _as_pair(material, timed)
    sure, full = (
        _start_solver(rules, material, below, store, threads, sure=one) for one in (True, False)
    )
    return _as_pair(
        material, time_slice(sure, material.counts, DrawClock(full, limit, cursed=cursed))
    )


def _start_solver(
    rules: Rules,
    material: Material,
    below: list[Material],
    store: Store,
    threads: int,
    *,
    sure: bool,
) -> RowSolver:
    """A solver with the slices below loaded; *sure*: cursed positions as draws."""
    solver = RowSolver(rules, [side.counts for side in (*below, *material.pair)], threads)
    for side in below:
        values = store[side]
        signs = np.sign(values).astype(np.int8)
        if sure:
            signs[(values > UNLIMITED) | (values < ~UNLIMITED)] = 0
        solver.load(side.counts, signs)
    return solver


def _as_pair(material: Material, timed: TimedPair) -> SolvedPair:
    values = {side: timed.values[side.counts] for side in material.pair}
    return SolvedPair(material, "dtc", values, any(map(_is_cursed, values.values())))


def _is_cursed(values: np.ndarray) -> bool:
    return bool(values.size) and (values.max() > UNLIMITED or values.min() < ~UNLIMITED)
