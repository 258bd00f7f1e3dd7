#!/usr/bin/env python3
"""Measure what the first use of a command costs: CPU seconds on an empty cache of kernels.

Every command runs in a process of its own with a cache and a home of its own, once with nothing
compiled and once again; the second run is what the work itself costs. `--python` names another
interpreter, such as that of another clone, whose package is measured instead.

    scripts/bench_cold.py english russian --python ../before/.venv/bin/python
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

SIX_PIECES = {32: "W:WK29,K30,22:BK3,K4,11", 50: "W:WK46,K47,32:BK4,K5,19"}


def commands(rules: str, fen: str) -> dict[str, tuple[list[str], str]]:
    """What is measured: arguments of ``crownbase`` and what it reads, by a short name."""
    own = ["--rules", rules]
    return {
        "build 3": (["build", rules, "3", "--db", "db", "--metric", "wdl,dtc,dtw"], ""),
        "build 5": (["build", rules, "5", "--db", "db", "--metric", "wdl"], ""),
        "search": (["search", "start", "--depth", "9", *own], ""),
        "play": (["play", "--side", "none", "--move-limit", "16", "--time", "1", *own], ""),
        "solve 6": (["solve", fen, "--time", "20", *own], ""),
    }


def cpu_seconds(python: str, arguments: list[str], typed: str, home: Path) -> float:
    """User and system seconds of one command with *home* for its cache, data and tables."""
    environment = os.environ | {
        "NUMBA_CACHE_DIR": str(home / "cache"),
        "XDG_DATA_HOME": str(home / "data"),
        "CROWNBASE_DB": "",
        "PYTHONPATH": "",
    }
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [python, "-m", "crownbase", *arguments],
        input=typed, capture_output=True, text=True, cwd=home, env=environment,
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"error: crownbase {' '.join(arguments)}: {done.stderr.strip()[-300:]}")
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def measure(python: str, arguments: list[str], typed: str) -> tuple[float, float]:
    """CPU seconds of a command on an empty cache, and again on the cache that it left."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        seconds = []
        for _ in range(2):
            for table in (home / "db").glob("*/*"):
                table.unlink()
            seconds.append(cpu_seconds(python, arguments, typed, home))
    return seconds[0], seconds[1]


def main() -> None:
    """Print one row a rule set: CPU seconds cold (warm) of each command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rules", nargs="*", default=["english"], help="rule sets")
    parser.add_argument("--python", default=sys.executable, help="interpreter to measure")
    parser.add_argument("--only", help="commands, such as 'search,play'")
    options = parser.parse_args()
    python = os.path.abspath(options.python)
    names = (options.only or ",".join(commands("", ""))).split(",")
    print("| rules | " + " | ".join(names) + " |")
    print("|---" * (len(names) + 1) + "|", flush=True)
    for rules in options.rules:
        fen = SIX_PIECES[50 if rules == "international" else 32]
        known = commands(rules, fen)
        cells = []
        for name in names:
            cold, warm = measure(python, *known[name])
            cells.append(f"{cold:.1f} ({warm:.1f})")
        print(f"| {rules} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
