#!/usr/bin/env python3
"""Nodes a second of our search beside py-draughts' engines, in one run on one core.

    scripts/engine_speed.py [--seconds 5]

The start positions of English and International are searched. py-draughts goes into a throw-away
venv; its TurboEngine plays International only. Time is CPU time of the searching process.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

from real_clients import PACKAGES, make_venv

THEIRS = """
    import sys, time
    from draughts import AmericanBoard, Board, SimpleEngine, TurboEngine
    seconds = float(sys.argv[1])
    for key, board, engine in (
        ("english", AmericanBoard(), SimpleEngine(depth_limit=None, time_limit=seconds)),
        ("international", Board(), SimpleEngine(depth_limit=None, time_limit=seconds)),
        ("international", Board(), TurboEngine(depth_limit=None, time_limit=seconds)),
    ):
        begin = time.process_time()
        engine.get_best_move(board)
        speed = engine.nodes / (time.process_time() - begin)
        print(f"{key:<14} py-draughts {type(engine).__name__:<13} {speed:>12,.0f} nodes/s")
"""


def ours(seconds: float) -> None:
    """Measure our search."""
    import time

    from crownbase.board import Position
    from crownbase.search import Limits, Searcher

    for key in ("english", "international"):
        position = Position.start(key)
        searcher = Searcher(position.rules)
        searcher.warm_up()
        begin = time.process_time()
        found = searcher.search(position, Limits(time=seconds))
        speed = found.nodes / (time.process_time() - begin)
        print(f"{key:<14} crownbase   {'depth ' + str(found.depth):<13} {speed:>12,.0f} nodes/s")


def main() -> int:
    """Measure theirs, then ours."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=5.0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        python = make_venv(Path(folder) / "peer", PACKAGES["py-draughts"])
        code = [python, "-W", "ignore", "-c", textwrap.dedent(THEIRS), str(given.seconds)]
        subprocess.run(code, check=True)
    sys.stdout.flush()
    ours(given.seconds)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
