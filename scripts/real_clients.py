#!/usr/bin/env python3
"""Let the two Python Hub clients play whole games against our engine, each in a throw-away venv.

    scripts/real_clients.py [--command PATH] [--seconds 0.1] [--only pydraughts|py-draughts]

PATH is the installed ``crownbase`` (default: the one beside this Python, or on PATH). Exit code 1
if a game fails. ``engine_speed.py`` compares speeds.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import textwrap
import venv
from pathlib import Path

PACKAGES = {"pydraughts": "pydraughts==0.6.7", "py-draughts": "py-draughts==1.10.1"}

PYDRAUGHTS = """
    import random, sys, draughts
    from draughts.engine import HubEngine, Limit
    command, seconds = sys.argv[1], float(sys.argv[2])
    for variant in ("standard", "english", "italian", "russian", "brazilian"):
        engine = HubEngine([command, "hub"])
        if variant != "standard":
            engine.configure({"variant": variant, "dialect": "pydraughts"})
        engine.init()
        board, rng, plies = draughts.Board(variant=variant), random.Random(1), 0
        while not board.is_over() and plies < 200:
            if plies % 2:
                board.push(rng.choice(list(board.legal_moves())))
            else:
                board.push(engine.play(board, Limit(movetime=seconds), False).move)
            plies += 1
        winner = board.winner() if board.is_over() else None
        print(f"pydraughts {variant:<10} {plies:>3} plies, over: {board.is_over()}, {winner=}")
        engine.quit()
        engine.p.wait(5)
"""
PY_DRAUGHTS = """
    import random, sys
    from draughts import Board, HubEngine
    engine = HubEngine(sys.argv[1], time_limit=float(sys.argv[2]))
    engine.start()
    board, rng, plies = Board(), random.Random(1), 0
    while not board.game_over and plies < 200:
        mine = plies % 2 == 0
        board.push(engine.get_best_move(board) if mine else rng.choice(list(board.legal_moves)))
        plies += 1
    print(f"py-draughts international {plies:>3} plies, over: {board.game_over}, {board.result}")
    engine.quit()
"""


def make_venv(home: Path, package: str) -> Path:
    """A new environment with one package; its Python."""
    venv.create(home, with_pip=True)
    pip = [home / "bin" / "pip", "install", "-q", package]
    subprocess.run(pip, check=True, stderr=subprocess.DEVNULL)
    return home / "bin" / "python"


def main() -> int:
    """Run the clients."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    beside = Path(sys.executable).with_name("crownbase")
    parser.add_argument("--command", default=str(beside) if beside.exists() else None)
    parser.add_argument("--seconds", default="0.1")
    parser.add_argument("--only", choices=tuple(PACKAGES))
    given = parser.parse_args()
    command = given.command or shutil.which("crownbase") or parser.error("no crownbase command")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, code in (("pydraughts", PYDRAUGHTS), ("py-draughts", PY_DRAUGHTS)):
            if given.only in (None, name):
                python = make_venv(Path(folder) / name, PACKAGES[name])
                run = [python, "-W", "ignore", "-c", textwrap.dedent(code), command, given.seconds]
                failed += subprocess.run(run).returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
