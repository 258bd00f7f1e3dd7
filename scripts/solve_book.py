#!/usr/bin/env python3
"""Prove the problems of the books and compare with what the books claim.

    scripts/solve_book.py --db DIR [--time 10] [--pieces 8] [--limit N] [--alone] [FILE]

What is solved on the way is kept for the next problems, but not with --alone. FILE: one JSON object
a line with ``fen``, ``claim`` (win, draw, loss; for the side to move), ``book``, ``no``. Prints
disagreements, what stays open, and a table. Exit code 1 if a table refutes a proof.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from functools import partial
from pathlib import Path

from crownbase.board import Position
from crownbase.build.folder import available_memory
from crownbase.probe import Tablebase, open_tablebase
from crownbase.search import Proof, prove

PROBLEMS = Path(__file__).resolve().parent.parent / "tests" / "data" / "book_problems.jsonl"


def refuted(tables: Tablebase, start: Position, proof: Proof) -> bool:
    """Whether a table position on the proof's line has another value than the proof says."""
    value = {"win": 1, "draw": 0, "loss": -1}[proof.outcome]
    here, sign = start, 1
    for move in (None, *proof.line):
        if move is not None:
            here, sign = here.play(move), -sign
        known = tables.get_wdl(here) if here.pieces <= tables.max_pieces else None
        if known is not None and sign * known != value:
            return True
    return False


def main() -> int:
    """Run all problems."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", nargs="?", type=Path, default=PROBLEMS)
    parser.add_argument("--db", required=True, help="directory of tables")
    parser.add_argument("--rules", default="english")
    parser.add_argument("--time", type=float, default=10.0, help="seconds for each problem")
    parser.add_argument("--pieces", type=int, default=99, help="leave out larger problems")
    parser.add_argument("--least", type=int, default=0, help="leave out smaller problems")
    parser.add_argument("--limit", type=int, default=None, help="only so many problems")
    parser.add_argument("--table-memory", type=float, default=1, help="GiB of table values")
    most = min(12.0, 0.75 * available_memory() / 2**30)
    parser.add_argument("--solving-memory", type=float, default=most, help="GiB solved on the way")
    parser.add_argument("--alone", action="store_true", help="keep nothing for the next problem")
    given = parser.parse_args()
    memory, solving = (int(n * 2**30) for n in (given.table_memory, given.solving_memory))
    solve = partial(prove, table_memory=memory, solving_memory=solving, keep_solved=not given.alone)
    problems = [json.loads(line) for line in given.file.read_text().splitlines() if line.strip()]
    problems = [p for p in problems if given.least <= p["pieces"] <= given.pieces][: given.limit]
    counts: Counter[tuple[int, str]] = Counter()
    wrong, begin = 0, time.perf_counter()
    with open_tablebase(given.db, given.rules) as tables:
        for problem in problems:
            name = f"{problem['no']} ({problem['book']}) {problem['fen']}"
            try:
                position = Position.from_fen(problem["fen"], rules=given.rules)
            except ValueError as error:  # a diagram printed the wrong way round, as books do
                print(f"no position {name}: {error}", flush=True)
                counts[problem["pieces"], "all"] += 1
                continue
            proof = solve(position, tables, given.time)
            counts[position.pieces, "all"] += 1
            if proof.outcome == "unknown":
                counts[position.pieces, "open"] += 1
                bounds = f"{proof.lower}..{proof.upper}"
                print(f"open      {name}: {bounds}, the book says {problem['claim']}", flush=True)
                continue
            counts[position.pieces, "proven"] += 1
            if refuted(tables, position, proof):
                wrong += 1
                print(f"REFUTED   {name}: {proof.outcome} by a table on its line", flush=True)
            if proof.outcome != problem["claim"]:
                counts[position.pieces, "differs"] += 1
                line = " ".join(map(str, proof.line[:12]))
                print(f"disagrees {name}: {proof.outcome}, not {problem['claim']}; {line}")
    print(f"\n{'pieces':>6} {'problems':>8} {'proven':>7} {'differs':>7}")
    for pieces in [*sorted({p for p, _ in counts}), 0]:
        row = [
            sum(n for (p, kind), n in counts.items() if kind == wanted and pieces in (p, 0))
            for wanted in ("all", "proven", "differs")
        ]
        print(f"{pieces or 'all':>6} {row[0]:>8} {row[1]:>7} {row[2]:>7}")
    share = sum(n for (_, kind), n in counts.items() if kind == "proven") / max(1, len(problems))
    print(f"{share:.1%} proven in {time.perf_counter() - begin:.0f} s; {wrong} refuted by a table")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
