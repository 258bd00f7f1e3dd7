#!/usr/bin/env python3
"""Race the row-parallel solver against the prototype that it grew from, and compare the counts.

    scripts/compare_prototype.py PATH [--pieces 5] [--max-side N] [--threads 1] [--repeat 3]

English, win, draw or loss. PATH is the prototype's ``row_parallel_fast.py``. Both take turns; what
counts is the CPU time of solving, the best of the repetitions, of all slices with exactly so many
pieces. Seven pieces, four against three (``--pieces 7 --max-side 4 --repeat 1``), take 10.5 GB.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

from crownbase.retro.rows import RowSolver
from crownbase.retro.rows.quads import QuadsReader
from crownbase.retro.rows.schedule import all_slices, slice_pairs

CHILD = """
import sys
sys.path.insert(0, sys.argv[1])
import row_parallel_fast as prototype
pieces, side, threads = map(int, sys.argv[2:])
store, slices, _ = prototype.main(
    pieces, threads, lambda s: s[0] + s[1] <= side and s[2] + s[3] <= side, False
)
for s in slices:
    print("COUNT", *s, *prototype.counts(store, (s[2], s[3], s[0], s[1])))
"""

Counts = dict[tuple[int, ...], tuple[int, int]]
"""Wins and losses of the side to move, by slice."""


def run_prototype(path: Path, pieces: int, side: int, threads: int) -> tuple[float, Counts]:
    """CPU seconds for the slices with *pieces*, and the counts of all slices."""
    argv = [sys.executable, "-c", CHILD, str(path.parent), *map(str, (pieces, side, threads))]
    most_kings = str(min(side, pieces - 1))
    done = subprocess.run(
        argv, env={**os.environ, "MAXB": most_kings}, capture_output=True, text=True, check=True
    )
    found = re.search(rf"^{pieces} \d+ wall \S+ cpu (\S+)", done.stdout, re.M)
    if found is None:
        raise SystemExit(f"{path} did not say how long it took:\n{done.stdout}")
    lines = (line.split()[1:] for line in done.stdout.splitlines() if line.startswith("COUNT"))
    numbers = [tuple(map(int, line)) for line in lines]
    return float(found[1]), {row[:4]: (row[4], row[5]) for row in numbers}


def run_project(pieces: int, side: int, threads: int) -> tuple[float, int, Counts]:
    """CPU seconds and positions of the slices with *pieces*, and the counts of all slices."""
    slices = [s for s in all_slices(pieces) if s[0] + s[1] <= side and s[2] + s[3] <= side]
    solver = RowSolver("english", slices, threads)
    solved = [solver.solve(counts) for counts in slice_pairs(slices)]
    largest = [one for one in solved if sum(one.counts) == pieces]
    reader = QuadsReader(solver, 1)
    tallies = {counts: reader.tally(counts) for counts in slices}
    reader.close()
    return (
        sum(one.cpu_seconds for one in largest),
        sum(one.positions for one in largest),
        {counts: (wins, losses) for counts, (wins, _, losses) in tallies.items()},
    )


def main() -> int:
    """Race and compare; exit code 1 if a count differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("path", type=Path)
    parser.add_argument("--pieces", type=int, default=5)
    parser.add_argument("--max-side", type=int)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=3)
    given = parser.parse_args()
    side = given.max_side or given.pieces - 1
    run_project(3, 2, given.threads)
    theirs, ours = [], []
    for _ in range(given.repeat):
        theirs.append(run_prototype(given.path, given.pieces, side, given.threads))
        ours.append(run_project(given.pieces, side, given.threads))
    positions = ours[0][1]
    different = sum(ours[0][2][s] != counts for s, counts in theirs[0][1].items())
    slow, fast = min(one[0] for one in theirs), min(one[0] for one in ours)
    print(f"English, {given.pieces} pieces, at most {side} a side, {positions:,} positions")
    for name, seconds in (("prototype", slow), ("project", fast)):
        print(
            f"{name:<10} {seconds:7.2f} s CPU  {positions / seconds / 1e6:5.0f} M positions/s/core"
        )
    print(f"project / prototype: {slow / fast:.2f}; {len(theirs[0][1])} slices, {different} differ")
    return 1 if different else 0


if __name__ == "__main__":
    raise SystemExit(main())
