#!/usr/bin/env python3
"""Compare legal moves with other draughts packages on random positions; needs a network.

Each package goes into a virtual environment of its own, which is thrown away. Compared are the sets
of (from, to, taken squares, position after the move): packages that list ways or orders of a
capture apart agree. A difference that no known fault of the package explains is shown in full.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import venv
from collections import Counter
from pathlib import Path

from peers.differences import explain
from peers.positions import Moves, legal_moves, parse_moves, random_positions

HERE = Path(__file__).resolve().parent
PEERS = {
    "pydraughts": ("italian", "brazilian", "international", "russian", "english", "turkish"),
    "py-draughts": ("russian", "brazilian", "international", "english-optional"),
    "dame-rs": ("international",),
}


def install(package: str, folder: Path) -> Path | None:
    """A Python that can import the package; None if it cannot be had."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    done = subprocess.run([python, "-m", "pip", "install", "--quiet", package], check=False)
    return None if done.returncode else python


def version(package: str, python: Path) -> str:
    """The installed version."""
    code = f"import importlib.metadata; print(importlib.metadata.version({package!r}))"
    return subprocess.run([python, "-c", code], capture_output=True, text=True).stdout.strip()


def ask(package: str, python: Path, rules: str, positions: list[str]) -> list[Moves]:
    """The package's moves in every position."""
    script = HERE / "peers" / f"answer_{package.replace('-', '_')}.py"
    text = "".join(f"{rules} {position}\n" for position in positions)
    done = subprocess.run([python, script], input=text, stdout=subprocess.PIPE, text=True)
    answers = [parse_moves(line) for line in done.stdout.splitlines()]
    if len(answers) < len(positions):
        print(f"{package}, {rules}: no answer to {positions[len(answers)]}", file=sys.stderr)
    return answers


def compare(package: str, python: Path, rules: str, positions: list[str]) -> str:
    """A line of the table."""
    reasons: Counter[str] = Counter()
    answers = ask(package, python, rules, positions)
    for position, theirs in zip(positions, answers, strict=False):
        ours = legal_moves(rules, position)
        if ours != theirs:
            reason = explain(package, rules, position, ours, theirs)
            reasons[reason or "NOT EXPLAINED"] += 1
            if not reason:
                print(f"{package}, {rules}, {position}: only here {sorted(ours - theirs)}, "
                      f"only there {sorted(theirs - ours)}", file=sys.stderr)  # fmt: skip
    said = "; ".join(f"{count}: {reason}" for reason, count in reasons.items())
    return f"| {rules} | {len(answers):,} | {sum(reasons.values())} | {said} |"


def main() -> int:
    """Print a Markdown table; exit code 1 if a difference is not explained."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", nargs="*", default=list(PEERS), help="default: all")
    parser.add_argument("--positions", type=int, default=3000, help="for each rule set")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    lines = []
    print("| package | rule set | positions | differences | explanation |\n|---|---|---|---|---|")
    for package in given.packages:
        with tempfile.TemporaryDirectory() as folder:
            python = install(package, Path(folder))
            if python is None:
                print(f"| {package} | | 0 | | cannot be installed |", flush=True)
                continue
            name = f"{package} {version(package, python)}"
            for rules in PEERS[package]:
                positions = random_positions(rules, given.positions, given.seed)
                lines.append(compare(package, python, rules, positions))
                print(f"| {name} {lines[-1]}", flush=True)
    return 1 if any("NOT EXPLAINED" in line for line in lines) else 0


if __name__ == "__main__":
    raise SystemExit(main())
