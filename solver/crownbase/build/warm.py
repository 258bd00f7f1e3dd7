"""Compile everything once, so that later processes take it from the cache."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from crownbase.board import Position, perft
from crownbase.build.local import build
from crownbase.build.plan import METRICS
from crownbase.build.verification import verify
from crownbase.probe import open_tablebase
from crownbase.rules import Rules, find_rules
from crownbase.search import Searcher, prove

_BATCH = 4096  # more than are answered without compiled code

STEPS = {
    "the move generator": 17,
    "the solver": 47,
    "the verifier": 25,
    "the look-up in tables": 3,
    "the search": 50,
    "the search for proofs": 270,
}
"""What is compiled one after the other, and about how many kernels that is (English)."""


@dataclass(frozen=True)
class WarmStep:
    """What is compiled next. Numbers are of kernels, as ``STEPS`` has them.

    ``what``: in words, empty when all is done. ``done``: before it. ``kernels``: of this step.
    ``total``: of all steps.
    """

    what: str
    done: int
    kernels: int
    total: int


WarmProgress = Callable[[WarmStep], None]


def warm_up(rules: str | Rules = "english", progress: WarmProgress | None = None) -> None:
    """Compile the kernels that a rule set needs, by doing a little of everything.

    *progress* is called before each step and at the end, in the calling thread.

    Raises:
        UnknownRulesError: no such rule set.
        BuildError: the folder for temporary files cannot be written.
    """
    found = find_rules(rules)
    found.check_has_tables()
    with tempfile.TemporaryDirectory(prefix="crownbase-") as directory:
        steps: dict[str, Callable[[], object]] = {
            "the move generator": lambda: perft(Position.start(found), 3),
            "the solver": lambda: build(directory, found, pieces=3, metrics=METRICS, jobs=1),
            "the verifier": lambda: verify(directory, found, jobs=1),
            "the look-up in tables": lambda: _look_up(directory, found),
            "the search": lambda: Searcher(found, memory=1 << 14).warm_up(),
            "the search for proofs": lambda: _prove(directory, found),
        }
        done, total = 0, sum(STEPS.values())
        for what, run in steps.items():
            if progress is not None:
                progress(WarmStep(what, done, STEPS[what], total))
            run()
            done += STEPS[what]
    if progress is not None:
        progress(WarmStep("", total, 0, total))


def _look_up(directory: str, rules: Rules) -> None:
    """Ask for many positions at once, of each metric."""
    boards = np.zeros((_BATCH, 4), np.uint64)
    boards[:, 1], boards[:, 3] = 1 << (rules.board.n_squares - 1), 1
    with open_tablebase(directory, rules) as tables:
        for metric in METRICS:
            tables.probe_many(boards, metric)


def _prove(directory: str, rules: Rules) -> None:
    """Prove two kings against two, which lie beyond the tables."""
    kings = 3 << (rules.board.n_squares - 2)
    with open_tablebase(directory, rules) as tables:
        prove(Position.from_boards(rules, "W", (0, kings, 0, 3)), tables, nodes=1000)
