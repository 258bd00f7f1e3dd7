"""Distances to the end (DTW) by rows: solve a slice pair into int16 value codes."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from crownbase.retro.rows.context import StaticTables
from crownbase.retro.rows.dense import dense_groups
from crownbase.retro.rows.schedule import groups_of, mirror
from crownbase.retro.rows.score_runs import (
    copy_score_groups,
    score_groups,
    score_lone_groups,
    score_men_groups,
)
from crownbase.retro.rows.scores import LONGEST_LOSS, LONGEST_WIN, ScoreContext, ScorePlanes
from crownbase.retro.rows.storage import Counts
from crownbase.retro.rows.tables import SQUARES, Array
from crownbase.retro.rows.traits import RowTraits, can_solve
from crownbase.rules import Rules

CHUNKS_PER_THREAD = 8
Run = Callable[[ScoreContext, int, int], int]
"""Works on the groups from one number up to another; 0, or a code of failure."""


def can_score(rules: Rules) -> bool:
    """Whether distances to the end can be solved by rows: on the 8x8 boards."""
    return can_solve(rules) and rules.board.n_squares == SQUARES


class ScoreSolver:
    """The scores of one slice pair and of all slices that it leads to.

    Raises:
        ValueError: this solver does not know the rule set (see `can_score`).
    """

    def __init__(
        self, rules: Rules, counts: Counts, below: Mapping[Counts, Array], threads: int = 1
    ) -> None:
        """*below*: int16 value codes of all slices that the pair leads to, in dense order."""
        if not can_score(rules):
            raise ValueError(f"no distances to the end by rows for {rules.title}")
        self.traits = RowTraits.of(rules)
        self.counts = counts
        self.below = below
        self.planes = ScorePlanes([*below, counts, mirror(counts)])
        static = StaticTables(self.planes.most_kings, rules.board, rules.flying_kings)
        self.contexts = [
            ScoreContext(static, self.planes, self.traits.general) for _ in range(threads)
        ]
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def solve(self) -> dict[Counts, Array] | None:
        """The value codes of both slices, int16 in dense order; None if a distance is too long.

        Scores reach 253 plies; nothing is solved then.
        """
        if any(_is_long(codes) for codes in self.below.values()):
            return None
        try:
            for counts, codes in self.below.items():
                self._copy(counts, np.ascontiguousarray(codes), inward=True)
            if self._solve_groups():
                return None
            found = {}
            for counts in {self.counts, mirror(self.counts)}:
                found[counts] = np.empty(self.planes.positions(counts), np.int16)
                self._copy(counts, found[counts], inward=False)
            return found
        finally:
            if self._pool:
                self._pool.shutdown()

    def _solve_groups(self) -> int:
        a, k, c, b = self.counts
        own_mirror = int(self.counts == mirror(self.counts))
        if k and not b:
            a, k, c, b = mirror(self.counts)
        groups = groups_of(a, c)
        men = groups.own_men.ctypes.data, groups.opp_men.ctypes.data

        def run(context: ScoreContext, first: int, last: int) -> int:
            sides = context.side_addresses
            if k:
                return score_groups(
                    context.address, self.traits, *sides, *men, first, last, k, b, own_mirror
                )
            if b:
                return score_lone_groups(
                    context.address, self.traits, sides[0], *men, first, last, b
                )  # fmt: skip
            return score_men_groups(
                context.address, self.traits, *men, first, last, own_mirror
            )  # fmt: skip

        for context in self.contexts:
            context.prepare_scores(k, b)
        levels = itertools.pairwise(map(int, groups.levels))
        return next((1 for first, last in levels if self._share(first, last, run)), 0)

    def _copy(self, counts: Counts, codes: Array, *, inward: bool) -> None:
        a, k, c, b = counts
        oms, pms = dense_groups(a, c)
        size = len(codes) // len(oms)

        def run(context: ScoreContext, first: int, last: int) -> int:
            return copy_score_groups(
                context.address, oms.ctypes.data, pms.ctypes.data, first, last, k, b, size,
                codes.ctypes.data, int(inward),
            )  # fmt: skip

        self._share(0, len(oms), run)

    def _share(self, first: int, last: int, run: Run) -> bool:
        """Run over a range of groups on all threads; whether any part failed."""
        if self._pool is None or last - first < 2:
            return run(self.contexts[0], first, last) != 0
        step = max(1, (last - first) // (CHUNKS_PER_THREAD * len(self.contexts)))
        starts = iter(range(first, last, step))

        def work(context: ScoreContext) -> bool:
            # `next` on a range iterator is atomic under the interpreter lock.
            return any([run(context, start, min(start + step, last)) != 0 for start in starts])

        return any(list(self._pool.map(work, self.contexts)))


def _is_long(codes: Array) -> bool:
    return bool(codes.size) and (codes.max() > LONGEST_WIN or codes.min() < ~LONGEST_LOSS)
