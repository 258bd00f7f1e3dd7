#!/usr/bin/env python3
"""Solve a database in memory by rows and verify a random sample of it by forward moves.

    scripts/verify_sample.py [--rules english] [--pieces 6] [--positions 50000000] [--seed 1]

The sample takes stretches of every slice with that many pieces, as many positions of each slice as
its share. ``crownbase verify`` checks every position of a database on disk instead.
"""

from __future__ import annotations

import argparse
import random
import time

import numpy as np

from crownbase.index import Material, slice_pairs
from crownbase.retro import solve_pair as solve_scalar
from crownbase.retro.rows.pair import solve_pair as solve_rows
from crownbase.retro.verify import check_slice
from crownbase.rules import find_rules

STRETCH = 100_000


def main() -> int:
    """Solve, sample, verify; exit code 1 if a value is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rules", default="english")
    parser.add_argument("--pieces", type=int, default=6)
    parser.add_argument("--positions", type=int, default=50_000_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rules, generator = find_rules(given.rules), random.Random(given.seed)
    limit = rules.quiet_limit
    pairs = slice_pairs(given.pieces)
    total = sum(side.positions(rules) for p in pairs if p.pieces == given.pieces for side in p.pair)
    store: dict[Material, np.ndarray] = {}
    checked, begin = 0, time.perf_counter()
    for pair in pairs:
        solve = solve_rows if pair.pieces >= 5 else solve_scalar
        store |= solve(rules, pair, store, "dtc", limit).values
        if pair.pieces < given.pieces:
            continue
        for side in pair.pair:
            size = len(store[side])
            stretches = -(-given.positions * size // (total * STRETCH))
            for _ in range(stretches):
                first = generator.randrange(max(1, size - STRETCH + 1))
                last = min(size, first + STRETCH)
                fault = check_slice(rules, side, store, "dtc", limit, first, last)
                if fault is not None:
                    print(fault)
                    return 1
                checked += last - first
        print(f"{pair}: good so far, {checked:,} positions verified", flush=True)
    seconds = time.perf_counter() - begin
    print(f"{given.rules}: {checked:,} of {total:,} positions verified, all good, {seconds:.0f} s")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
