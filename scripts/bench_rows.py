#!/usr/bin/env python3
"""Measure the row-parallel solver: all slices of so many pieces, win, draw or loss.

    scripts/bench_rows.py [--rules english] [--pieces 5] [--threads 1] [--repeat 3]

User CPU of the whole process, the median of the repetitions after a warm-up; smaller slices are
solved in the same run, and their positions count. The reference is SHA-256 in the same run.
"""

from __future__ import annotations

import argparse
import time

from crownbase.retro.rows import solve_rows
from measure import cpu_seconds, reference_rate


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rules", default="english")
    parser.add_argument("--pieces", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=3)
    given = parser.parse_args()
    solve_rows(given.rules, min(given.pieces, 4), threads=given.threads)
    walls: list[float] = []
    positions = 0

    def run() -> None:
        nonlocal positions
        begin = time.perf_counter()
        _, solved = solve_rows(given.rules, given.pieces, threads=given.threads)
        walls.append(time.perf_counter() - begin)
        positions = sum(one.positions for one in solved)

    seconds = cpu_seconds(run, given.repeat)
    rate, reference = positions / seconds, reference_rate()
    print(
        f"{given.rules}, 2 to {given.pieces} pieces, {positions:,} positions, "
        f"{given.threads} threads: {seconds:.1f} s of user CPU, best wall time {min(walls):.1f} s, "
        f"{rate / 1e6:.0f} M positions/s/core, {rate / reference:,.0f} x ref"
    )


if __name__ == "__main__":
    main()
