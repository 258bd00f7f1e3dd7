"""Nodes a second of py-draughts' engines, for engine_speed.py; runs where py-draughts is installed.

Its TurboEngine plays International only. Time is CPU time of this process.
"""

from __future__ import annotations

import sys
import time

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
