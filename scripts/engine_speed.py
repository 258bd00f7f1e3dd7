#!/usr/bin/env python3
"""What our search does within a limit of time, by every way to ask for it; and other engines.

    scripts/engine_speed.py [--seconds 5] [--ours]

The start positions of English and International are searched by the bare searcher, a player and
the Hub engine, the last two with the tables that ship: nodes, depth, and how late the answer comes,
by the clock on the wall. Kernels are loaded before; the first move of a game reads the tables.
Without --ours also nodes per second of CPU beside py-draughts' engines, which go into a throw-away
venv.
"""

from __future__ import annotations

import argparse
import io
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from crownbase.board import Position
from crownbase.play.hub import HubEngine
from crownbase.play.hub_text import Dialect, split_command
from crownbase.play.player import Player
from crownbase.probe import open_tablebase
from crownbase.search import Limits, Searcher
from real_clients import PACKAGES, make_venv

THEIRS = Path(__file__).parent / "peers" / "time_py_draughts.py"


def by_hub(position: Position, seconds: float) -> tuple[int, int, float]:
    """(nodes, depth, wall time) of the Hub engine, from `go` to `done`."""
    times: list[float] = []

    def client() -> Iterator[str]:
        yield from (f"set-param name=variant value={position.rules.key}", "init")
        while "ready" not in output.getvalue():
            time.sleep(0.01)
        yield f"pos pos={Dialect(position.rules).write_position(position)}"
        yield f"level move-time={seconds}"
        times.append(time.perf_counter())
        yield "go think"
        while "done" not in output.getvalue():
            time.sleep(0.001)
        times.append(time.perf_counter())

    output = io.StringIO()
    HubEngine(client(), output, open_tables=lambda o: open_tablebase(rules=o.rules), gap=0).run()
    info = [split_command(x)[1] for x in output.getvalue().splitlines() if x.startswith("info")][-1]
    return int(info["nodes"]), int(info["depth"]), times[1] - times[0]


def ours(position: Position, seconds: float) -> None:
    """Measure our search."""
    key, limits = position.rules.key, Limits(time=seconds)
    searcher = Searcher(position.rules)
    searcher.warm_up()
    player = Player(position.rules, open_tablebase(rules=key), seconds=seconds)
    cpu = time.process_time()
    speed = searcher.search(position, limits).nodes / (time.process_time() - cpu)
    print(f"{key:<14} crownbase   {'CPU':<13} {speed:>12,.0f} nodes/s")
    searcher.clear()
    for name in ("Searcher", "Player", "Player again", "Hub"):
        player.new_game()
        begin = time.perf_counter()
        if name == "Hub":
            nodes, depth, wall = by_hub(position, seconds)
        else:
            player_s = name != "Searcher"
            found = (
                player.choose(position).result if player_s else searcher.search(position, limits)
            )
            nodes, depth, wall = found.nodes, found.depth, time.perf_counter() - begin
        late = 1000 * (wall - seconds)
        print(f"{key:<14} {name:<13} {nodes:>12,} nodes, depth {depth:>2}, {late:>5.0f} ms late")


def main() -> int:
    """Measure theirs, then ours."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--ours", action="store_true", help="no other engines")
    given = parser.parse_args()
    if not given.ours:
        with tempfile.TemporaryDirectory() as folder:
            python = make_venv(Path(folder) / "peer", PACKAGES["py-draughts"])
            subprocess.run([python, "-W", "ignore", THEIRS, str(given.seconds)], check=True)
    sys.stdout.flush()
    for key in ("english", "international"):
        ours(Position.start(key), given.seconds)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
