#!/usr/bin/env python3
"""Solve two rule sets with the same board and count the positions that they value differently."""

from __future__ import annotations

import argparse

import numpy as np

import crownbase as cb
from crownbase.build.table_files import position_fen
from crownbase.index import slice_pairs
from crownbase.retro import solve_all

WORDS = {-1: "loss", 0: "draw", 1: "win"}


def compare(one: cb.Rules, other: cb.Rules, most: int) -> None:
    """Print a Markdown table, a line for each number of pieces."""
    pairs = slice_pairs(most)
    left, right = (solve_all(rules, pairs, "dtw") for rules in (one, other))
    print("| pieces | positions | other result | other distance, same result | first example |")
    print("|---|---|---|---|---|")
    for pieces in range(2, most + 1):
        total = results = distances = 0
        shown = ""
        for material in (m for m in left if m.pieces == pieces):
            a, b = left[material], right[material]
            differ = np.sign(a) != np.sign(b)
            total += len(a)
            results += int(differ.sum())
            distances += int(((a != b) & ~differ).sum())
            if differ.any() and not shown:
                at = int(np.flatnonzero(differ)[0])
                words = [WORDS[int(np.sign(values[at]))] for values in (a, b)]
                shown = f"`{position_fen(one, material, at)}`: {words[0]} in {one.key}, "
                shown += f"{words[1]} in {other.key}"
        print(f"| {pieces} | {total:,} | {results:,} | {distances:,} | {shown} |")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules", nargs=2)
    parser.add_argument("--pieces", type=int, default=4)
    given = parser.parse_args()
    one, other = (cb.find_rules(name) for name in given.rules)
    if one.board != other.board:
        parser.error(f"{one.key} and {other.key} have different boards")
    compare(one, other, given.pieces)


if __name__ == "__main__":
    main()
