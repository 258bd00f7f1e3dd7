#!/usr/bin/env python3
"""Which won positions does the draw clock spoil? Solve every rule set in memory and count them.

Prints Markdown. Counts are over all slices with both sides on the board, for the side to move.
``--limit`` solves the same slices again under other clocks. ``--classes`` compares the limits that
belong to a material class with the longest wins of kings in it.
"""

from __future__ import annotations

import argparse

import numpy as np

import crownbase as cb
from crownbase.board import clocks
from crownbase.index import Material, slice_pairs, unrank_position
from crownbase.retro import CURSED, count_values, solve_all
from crownbase.rules import RULE_SETS, Rules

COLUMNS = (
    "rule set", "pieces", "draw clock", "positions", "cursed wins", "blessed losses",
    "longest DTC (win, loss)", "win in", "a cursed win",
)  # fmt: skip
CLASS_COLUMNS = ("rule set", "class clock", "limit", "ending", "longest win (DTW)", "in", "spoilt")


def position(rules: Rules, material: Material, index: int) -> cb.Position:
    """The position with an index, White to move."""
    boards = unrank_position(rules.traits, index, *material.counts)
    om, ok, pm, pk = (int(board) % 2**64 for board in boards)
    return cb.Position.from_boards(rules, "W", (om, ok, pm, pk))


def longest_cursed(rules: Rules, solved: dict[Material, np.ndarray]) -> str:
    """The cursed win with the longest DTC, as text."""
    worst = max(solved, key=lambda material: int(solved[material].max()))
    code = int(solved[worst].max())
    if code < CURSED:
        return "none"
    fen = position(rules, worst, int(solved[worst].argmax())).fen()
    return f"`{fen}` in {code - CURSED}"


def row(rules: Rules, pieces: int, limit: int | None) -> list[str]:
    """One line of the table."""
    solved = solve_all(rules, slice_pairs(pieces), "dtc", limit)
    counts = {material: count_values(values) for material, values in solved.items()}
    longest = max(counts, key=lambda m: counts[m].longest_win)
    won = counts[longest].longest_win
    lost = max(one.longest_loss for one in counts.values())
    cells = [rules.key, f"2-{pieces}", "none" if limit is None else f"{limit} plies"]
    for field in ("positions", "cursed_wins", "blessed_losses"):
        cells.append(f"{sum(getattr(one, field) for one in counts.values()):,}")
    fen = position(rules, longest, counts[longest].longest_index).fen()
    return [*cells, f"{won}, {lost} plies", f"`{fen}`", longest_cursed(rules, solved)]


def class_rows(rules: Rules) -> list[list[str]]:
    """The class clocks of kings against one king, each with the longest win that it can meet."""
    endings = tuple(map(Material.parse, ("KvK", "KKvK", "KKKvK")))
    solved = solve_all(rules, endings, "dtw")
    found = []
    for number, clock in enumerate(rules.draw.class_clocks):
        for ending in (e for e in endings[1:] if clock.stronger((0, e.own_kings), (0, 1))):
            met = []
            wins = np.argsort(-solved[ending], kind="stable")[: (solved[ending] > 0).sum()]
            for index in wins if clock.road else wins[:1000]:
                here = position(rules, ending, int(index))
                count = clocks.first_counts(rules.draw, here)[number]
                if count != clocks.OFF:
                    left = clocks.plies_left(clock, count, here)
                    met.append((int(solved[ending][index]), left, here.fen()))
            plies, left, fen = met[0] if met else (0, 2 * clock.moves, "no win meets it")
            late = sum(dtw > limit for dtw, limit, _ in met)
            found.append([rules.key, clock.article, f"{left} plies", str(ending),
                          f"{plies} plies", f"`{fen}`", f"{late:,}"])  # fmt: skip
    return found


def main() -> None:
    """Print the table, a line as soon as it is known."""
    known = [key for key in RULE_SETS if RULE_SETS[key].has_tables]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules", nargs="*", default=known, help="rule sets (default all)")
    parser.add_argument("--pieces", type=int, default=4, help="most pieces (default 4)")
    parser.add_argument("--limit", type=int, action="append", help="another draw clock, in plies")
    parser.add_argument("--classes", action="store_true", help="the class clocks instead")
    given = parser.parse_args()
    columns = CLASS_COLUMNS if given.classes else COLUMNS
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    for rules in map(cb.find_rules, given.rules):
        rows = (row(rules, given.pieces, n) for n in given.limit or [rules.quiet_limit])
        for cells in class_rows(rules) if given.classes else rows:
            print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
