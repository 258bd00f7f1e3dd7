#!/usr/bin/env python3
"""Measure crownbase and print the table that the README shows. Run on an idle machine.

Rates are per second of user CPU on one thread, the median of some repetitions, after a warm-up.
The reference is SHA-256 over 64 MiB in the same run, so that runs on other machines compare.
"""

from __future__ import annotations

import argparse
import platform
import tempfile
from datetime import date
from pathlib import Path

import numpy as np

import crownbase as cb
from crownbase.index import slice_pairs
from crownbase.retro import solve_pair
from measure import cpu_seconds, reference_rate, wall_seconds


def solver_rate(rules: str, metric: str, pieces: int, repeat: int) -> float:
    """Positions a second over all slices of this many pieces, the smaller ones being solved."""
    store = {}
    for pair in slice_pairs(pieces - 1):
        store |= solve_pair(rules, pair, store, metric).values

    def solve() -> None:
        for pair in slice_pairs(pieces, pieces):
            store.update(solve_pair(rules, pair, store, metric).values)

    seconds = cpu_seconds(solve, repeat)
    solved = [v for m, v in store.items() if m.pieces == pieces]
    return sum(v.size for v in solved) / seconds


def probe_rates(folder: str, repeat: int) -> tuple[float, float]:
    """(microseconds of one warm WDL probe, batch probes a second) on random 4-piece positions."""
    rules = cb.find_rules("english")
    generator = np.random.default_rng(1)
    positions = []
    while len(positions) < 20_000:
        squares = generator.permutation(32)[:4].tolist()
        try:
            boards = [1 << s for s in squares]
            positions.append(cb.Position(rules, "W", *boards))
            cb.Position.from_fen(positions[-1].fen())
        except cb.IllegalPositionError:
            positions.pop()
    with cb.open_tablebase(folder, rules=rules) as tb:
        for position in positions:  # warm the cache, compile
            tb.probe_wdl(position)
        single = cpu_seconds(lambda: [tb.probe_wdl(p) for p in positions], repeat)
        boards = np.array([p.boards for p in positions] * 50, dtype=np.uint64)
        turns = np.zeros(len(boards), np.uint8)
        tb.probe_many(boards, turns=turns)
        batch = cpu_seconds(lambda: tb.probe_many(boards, turns=turns), repeat)
    return single / len(positions) * 1e6, len(boards) / batch


def main() -> None:
    """Measure and print a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="4 pieces only, one repetition")
    quick = parser.parse_args().quick
    repeat = 1 if quick else 3
    reference = reference_rate()
    rows = [("reference: SHA-256", f"{reference:,.0f} MiB/s")]
    for rules, metric, pieces in [
        ("english", "dtc", 4), ("english", "dtw", 4), ("russian", "dtc", 4),
        *([] if quick else [("english", "dtc", 5)]),
    ]:  # fmt: skip
        rate = solver_rate(rules, metric, pieces, repeat)
        name = f"scalar solver, {rules} {pieces} pieces, {metric}"
        rows.append((name, f"{rate / 1e6:.1f} M positions/s/core, {rate / reference:,.0f} x ref"))
    probe = ("probe", "W:WK19,K23:B12,K28", "--rules", "english")
    rows.append(("`crownbase --help`", f"{wall_seconds('--help', repeat=5):.2f} s"))
    with tempfile.TemporaryDirectory() as folder:
        cb.build(folder, rules="english", pieces=4, metrics=("wdl", "dtc", "dtw"))
        seconds = wall_seconds(*probe, "--db", folder, repeat=5)
        rows.append(("first `crownbase probe` of a process", f"{seconds:.2f} s"))
        single, batch = probe_rates(folder, repeat)
        rows.append(("one warm WDL probe", f"{single:.1f} us"))
        rows.append(("batch of WDL probes", f"{batch / 1e6:.2f} M probes/s"))
        for metric in ("wdl", "dtc", "dtw"):
            size = sum(p.stat().st_size for p in Path(folder).rglob(f"*.{metric}"))
            name = f"English 2-4 pieces, {metric}"
            rows.append((name, f"{size:,} bytes, {6_408_836 / size:.1f} positions a byte"))
    print(f"Measured {date.today()} on {platform.machine()}, Python {platform.python_version()}:\n")
    print("| what | figure |\n|---|---|")
    for name, figure in rows:
        print(f"| {name} | {figure} |")


if __name__ == "__main__":
    main()
