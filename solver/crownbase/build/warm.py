"""Compile everything once, so that later processes take it from the cache."""

from __future__ import annotations

import tempfile

import numpy as np

from crownbase.board import Position, perft
from crownbase.build.local import build
from crownbase.build.plan import METRICS
from crownbase.build.verification import verify
from crownbase.probe import open_tablebase
from crownbase.rules import Rules, find_rules
from crownbase.search import prove

_BATCH = 4096  # more than are answered without compiled code


def warm_up(rules: str | Rules = "english") -> None:
    """Compile the kernels that a rule set needs, by doing a little of everything.

    Raises:
        UnknownRulesError: no such rule set.
        BuildError: the folder for temporary files cannot be written.
    """
    found = find_rules(rules)
    perft(Position.start(found), 3)
    with tempfile.TemporaryDirectory(prefix="crownbase-") as directory:
        build(directory, found, pieces=3, metrics=METRICS, jobs=1)
        verify(directory, found, jobs=1)
        with open_tablebase(directory, found) as tables:
            boards = np.zeros((_BATCH, 4), np.uint64)
            boards[:, 1], boards[:, 3] = 1 << (found.board.n_squares - 1), 1
            for metric in METRICS:
                tables.probe_many(boards, metric)
            kings = [3 << (found.board.n_squares - 2), 3]
            prove(Position.from_boards(found, "W", (0, kings[0], 0, kings[1])), tables, nodes=1000)
