#!/usr/bin/env python3
"""Measure the row-parallel solver: all slices of so many pieces.

    scripts/bench_rows.py [--rules english] [--pieces 5] [--threads 1] [--repeat 3]
                          [--metric wdl|dtc|dtw] [--rows-only]

User CPU of the whole process, the median of the repetitions after a warm-up; smaller slices are
solved in the same run, and their positions count. The reference is SHA-256 in the same run.
`wdl` stays in the planes of one solver; `dtc` and `dtw` are solved pair by pair, from arrays into
arrays, by rows and then by the scalar solver.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

from crownbase.index import Material, slice_pairs
from crownbase.retro import SolvedPair
from crownbase.retro import solve_pair as solve_pair_scalar
from crownbase.retro.rows import solve_rows
from crownbase.retro.rows.pair import solve_pair
from measure import cpu_seconds, reference_rate

Solve = Callable[[int], int]
"""Solves all slices of up to so many pieces and says how many positions that were."""


def solvers(rules: str, metric: str, threads: int) -> dict[str, Solve]:
    """What is measured, by name."""

    def planes(pieces: int) -> int:
        return sum(one.positions for one in solve_rows(rules, pieces, threads=threads)[1])

    def by_pairs(solve: Callable[..., SolvedPair]) -> Solve:
        def run(pieces: int) -> int:
            store: dict[Material, np.ndarray] = {}
            for pair in slice_pairs(pieces):
                store |= solve(rules, pair, store, metric, threads=threads).values
            return sum(values.size for values in store.values())

        return run

    if metric == "wdl":
        return {"by rows": planes}
    return {"by rows": by_pairs(solve_pair), "scalar": by_pairs(solve_pair_scalar)}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rules", default="english")
    parser.add_argument("--pieces", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--metric", choices=("wdl", "dtc", "dtw"), default="wdl")
    parser.add_argument("--rows-only", action="store_true", help="leave the scalar solver out")
    given = parser.parse_args()
    reference = reference_rate()
    for name, solve in solvers(given.rules, given.metric, given.threads).items():
        if given.rows_only and name != "by rows":
            continue
        solve(min(given.pieces, 4))
        walls: list[float] = []
        positions = 0

        def run(solve: Solve = solve, walls: list[float] = walls) -> None:
            nonlocal positions
            begin = time.perf_counter()
            positions = solve(given.pieces)
            walls.append(time.perf_counter() - begin)

        seconds = cpu_seconds(run, given.repeat)
        rate = positions / seconds
        print(
            f"{given.rules} {given.metric} {name}, 2 to {given.pieces} pieces, {positions:,} "
            f"positions, {given.threads} threads: {seconds:.3f} s of user CPU, best wall time "
            f"{min(walls):.1f} s, {rate / 1e6:.0f} M positions/s/core, "
            f"{rate / reference:,.0f} x ref",
            flush=True,
        )


if __name__ == "__main__":
    main()
