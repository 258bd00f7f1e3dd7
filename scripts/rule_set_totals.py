#!/usr/bin/env python3
"""Solve every rule set in memory and print the README's table of totals (Markdown).

Counts are over all slices with both sides on the board, for the side to move. Wins and losses hold
under the rule set's usual draw clock; what the clock turns into draws is cursed or blessed. Seconds
are CPU time of one thread after a warm-up; the rate is positions a second, each metric counted.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import crownbase as cb
from crownbase.build.table_files import position_fen
from crownbase.index import Material, slice_pairs
from crownbase.retro import count_values, solve_all
from crownbase.retro.verify import check_slice
from crownbase.rules import RULE_SETS, Rules

Values = dict[Material, np.ndarray]
COLUMNS = (
    "rule set", "pieces", "positions", "wins", "losses", "draws", "cursed wins", "blessed losses",
    "longest win (DTW)", "in", "longest DTC", "solve DTC, DTW", "verify DTC, DTW",
)  # fmt: skip


def speed(positions: int, seconds: list[float]) -> str:
    """Seconds of each metric and positions a second over both."""
    rate = len(seconds) * positions / sum(seconds) / 1e6
    return f"{', '.join(f'{s:,.1f}' for s in seconds)} s; {rate:,.1f} M/s"


def solve(rules: Rules, pairs: tuple[Material, ...]) -> tuple[dict[str, Values], list[float]]:
    """Values and CPU seconds of both metrics."""
    solved, seconds = {}, []
    for metric, limit in (("dtc", rules.quiet_limit), ("dtw", None)):
        start = time.process_time()
        solved[metric] = solve_all(rules, pairs, metric, limit)
        seconds.append(time.process_time() - start)
    return solved, seconds


def verify(rules: Rules, solved: dict[str, Values]) -> list[float]:
    """CPU seconds of the forward check of both metrics; stops at a fault."""
    seconds = []
    for metric, limit in (("dtc", rules.quiet_limit), ("dtw", None)):
        start = time.process_time()
        for material in solved[metric]:
            fault = check_slice(rules, material, solved[metric], metric, limit)
            if fault:
                raise SystemExit(f"{rules.key}, {metric}: {fault}")
        seconds.append(time.process_time() - start)
    return seconds


def row(rules: Rules, pieces: int, check: bool) -> list[str]:
    """One line of the table."""
    small = slice_pairs(3)[:4]
    warm, _ = solve(rules, small)
    if check:
        verify(rules, warm)
    solved, seconds = solve(rules, slice_pairs(pieces))
    dtc = [count_values(values) for values in solved["dtc"].values()]
    dtw = {material: count_values(values) for material, values in solved["dtw"].items()}
    longest = max(dtw, key=lambda material: dtw[material].longest_win)
    sums = [f"{sum(counts[i] for counts in dtc):,}" for i in range(6)]
    win = dtw[longest].longest_win
    fen = position_fen(rules, longest, dtw[longest].longest_index) if win >= 0 else "no win"
    conversion = max(counts.longest_win for counts in dtc)
    positions = sum(counts.positions for counts in dtc)
    solving = speed(positions, seconds)
    checking = speed(positions, verify(rules, solved)) if check else ""
    longest_wins = [f"{win} plies", f"`{fen}`", f"{conversion} plies"]
    return [rules.key, f"2-{pieces}", *sums, *longest_wins, solving, checking]


def main() -> None:
    """Print the table, a line as soon as it is known."""
    parser = argparse.ArgumentParser(description=__doc__)
    known = [key for key, rules in RULE_SETS.items() if rules.has_tables]
    parser.add_argument("rules", nargs="*", default=known, help="rule sets (default all)")
    parser.add_argument("--pieces", type=int, help="default: 4; 3 on boards of over 32 squares")
    parser.add_argument("--verify", action="store_true", help="check every value by forward moves")
    given = parser.parse_args()
    print(f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}")
    for rules in map(cb.find_rules, given.rules):
        pieces = given.pieces or (4 if rules.board.n_squares <= 32 else 3)
        print(f"| {' | '.join(row(rules, pieces, given.verify))} |", flush=True)


if __name__ == "__main__":
    main()
