#!/usr/bin/env python3
"""Check random positions of the tables on disk against the positions after their moves.

    scripts/verify_random.py DIRECTORY [--rules english] [--pieces 7] [--max-side N]
                             [--positions 100000] [--seed 1]

Win, draw or loss of a position must be the best of what its moves lead to, all of it read from
the files as any program reads them. Slices get positions by their share. Unlike ``crownbase
verify`` this takes minutes for a database of any size, but it does not prove that wins lead
anywhere.
"""

from __future__ import annotations

import argparse
import random
import time
from itertools import accumulate, pairwise

import numpy as np

import crownbase
from crownbase import Position
from crownbase.index import slice_pairs, unrank_position
from crownbase.rules import find_rules

BATCH = 10_000


def main() -> int:
    """Draw, probe, compare; exit code 1 if a value is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory")
    parser.add_argument("--rules", default="english")
    parser.add_argument("--pieces", type=int, default=7)
    parser.add_argument("--max-side", type=int, default=99)
    parser.add_argument("--positions", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rules, generator = find_rules(given.rules), random.Random(given.seed)
    sides = [
        side
        for pair in slice_pairs(given.pieces, given.pieces)
        if max(pair.own, pair.opponent) <= given.max_side
        for side in pair.pair
    ]
    sizes = [side.positions(rules) for side in sides]

    def draw() -> Position:
        (side,) = generator.choices(sides, sizes)
        place = generator.randrange(side.positions(rules))
        boards = unrank_position.plain(rules.traits.plain, place, *side.counts)
        return Position.from_boards(rules, generator.choice("WB"), boards)

    begin, found = time.perf_counter(), {-1: 0, 0: 0, 1: 0}
    with crownbase.open_tablebase(given.directory, rules) as tables:
        for first in range(0, given.positions, BATCH):
            count = min(BATCH, given.positions - first)
            positions = [draw() for _ in range(count)]
            after = [[one.play(move) for move in one.legal_moves()] for one in positions]
            values = tables.probe_many(positions)
            children = tables.probe_many([child for some in after for child in some])
            ends = accumulate(map(len, after), initial=0)
            for one, value, (start, end) in zip(positions, values, pairwise(ends), strict=True):
                best = int(np.max(-children[start:end], initial=-1))
                if best != value:
                    print(f"{one.fen()} is stored as {value}, but its moves give {best}")
                    return 1
                found[best] += 1
    seconds = time.perf_counter() - begin
    wins, draws, losses = (found[value] for value in (1, 0, -1))
    print(
        f"{given.positions:,} of {sum(sizes):,} positions with {given.pieces} pieces: all good; "
        f"{wins:,} wins, {draws:,} draws, {losses:,} losses; {seconds:.0f} s"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
