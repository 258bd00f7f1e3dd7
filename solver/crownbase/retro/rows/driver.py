"""Solve slices: level by level, the groups of a level shared out to threads."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from crownbase.compiling import working_thread_time, working_time
from crownbase.retro.rows.context import Context, StaticTables
from crownbase.retro.rows.dense import copy_groups, dense_groups
from crownbase.retro.rows.men_only import run_men_groups
from crownbase.retro.rows.runs import run_groups, run_lone_groups
from crownbase.retro.rows.schedule import Groups, all_slices, groups_of, mirror, slice_pairs
from crownbase.retro.rows.storage import Counts, Planes, positions_of
from crownbase.retro.rows.tables import Array, Board
from crownbase.retro.rows.traits import RowTraits
from crownbase.rules import Rules, find_rules

CHUNKS_PER_THREAD = 8
"""Pieces that each thread's share of a level is cut into, so that nobody waits for long."""

Run = Callable[[Context, int, int], int]
"""Solves the groups from one number up to another with the scratch memory of a context."""


@dataclass(frozen=True)
class SolvedSlice:
    """What solving one slice pair took: both sides to move, symmetric groups counted once."""

    counts: Counts
    positions: int
    seconds: float
    cpu_seconds: float


class RowSolver:
    """The planes of a set of slices and the machinery to fill them.

    *slices* must be closed under captures and promotions, or the missing slices' planes filled
    beforehand.

    Raises:
        ValueError: this solver does not know the rule set (see `can_solve`).
    """

    def __init__(
        self,
        rules: str | Rules,
        slices: Iterable[Counts],
        threads: int = 1,
        scratch: str | os.PathLike[str] | None = None,
    ) -> None:
        """Make room for the planes: in memory, or in a *scratch* file (see `Planes`)."""
        rules = find_rules(rules)
        self.traits = RowTraits.of(rules)
        self.board = Board.of(rules.board)
        self.planes = Planes(slices, scratch, self.board)
        most_kings = max(max(k, b) for _, k, _, b in self.planes.slices)
        self._static = StaticTables(most_kings, rules.board, rules.flying_kings)
        self.contexts = [self.new_context() for _ in range(threads)]
        self._pool = ThreadPoolExecutor(threads)
        self._cpu_seconds = 0.0

    def new_context(self) -> Context:
        """Scratch memory for one more thread."""
        return Context(self._static, self.planes, self.traits.general)

    def solve(self, counts: Counts) -> SolvedSlice:
        """Solve one slice and its colour mirror; all slices that they lead to must be solved."""
        wall, cpu = working_time(), self._cpu_seconds
        a, k, c, b = counts
        if k == 0 or b == 0:
            positions = self._solve_lone(counts) if k or b else self._solve_men(counts)
        else:
            groups = groups_of(a, c, self.board)
            own_mirror = int(counts == mirror(counts))
            oms, pms = groups.own_men.ctypes.data, groups.opp_men.ctypes.data

            def run(context: Context, first: int, last: int) -> int:
                return run_groups(
                    context.address,
                    self.traits,
                    *context.side_addresses,
                    oms,
                    pms,
                    first,
                    last,
                    k,
                    b,
                    own_mirror,
                )

            positions = self.run_levels(groups, k, b, run)
        return SolvedSlice(counts, positions, working_time() - wall, self._cpu_seconds - cpu)

    def values(self, counts: Counts) -> Array:
        """A solved slice as int8[positions]: -1 / 0 / +1 for the side to move, dense order."""
        dense = np.empty(self.positions(counts), np.int8)
        self._copy(counts, dense, inward=False)
        return dense

    def load(self, counts: Counts, dense: Array) -> None:
        """Fill the planes of a slice from an array as `values` gives it.

        Raises:
            ValueError: the array is not the slice's.
        """
        if dense.dtype != np.int8 or dense.shape != (self.positions(counts),):
            raise ValueError(f"values of {counts} must be int8[{self.positions(counts)}]")
        for plane in self.planes.slice_planes(mirror(counts)):
            plane[:] = 0
        self._copy(counts, np.ascontiguousarray(dense), inward=True)

    def positions(self, counts: Counts) -> int:
        """Number of positions of a slice, one side to move."""
        return positions_of(counts, self.planes.groups[counts[0], counts[2]], self.board)

    def _copy(self, counts: Counts, dense: Array, *, inward: bool) -> None:
        a, k, c, b = counts
        oms, pms = dense_groups(a, c, self.board)
        size = self.positions(counts) // len(oms)

        def run(context: Context, first: int, last: int) -> int:
            copy_groups(
                context.address,
                oms.ctypes.data,
                pms.ctypes.data,
                first,
                last,
                k,
                b,
                size,
                dense.ctypes.data,
                int(inward),
            )
            return last - first

        if len(self.contexts) == 1 or (k == 0 and b == 0):
            run(self.contexts[0], 0, len(oms))
        else:
            self._share(0, len(oms), run)

    def _solve_lone(self, counts: Counts) -> int:
        a, k, c, b = counts if counts[3] == 0 else mirror(counts)
        groups = groups_of(c, a, self.board)
        oms, pms = groups.own_men.ctypes.data, groups.opp_men.ctypes.data

        def run(context: Context, first: int, last: int) -> int:
            side = context.side_addresses[0]
            return run_lone_groups(context.address, self.traits, side, oms, pms, first, last, k)

        return self.run_levels(groups, b, k, run)

    def _solve_men(self, counts: Counts) -> int:
        a, _, c, _ = counts
        groups = groups_of(a, c, self.board)
        oms, pms = groups.own_men.ctypes.data, groups.opp_men.ctypes.data
        own_mirror = int(a == c)

        def run(context: Context, first: int, last: int) -> int:
            return run_men_groups(context.address, self.traits, oms, pms, first, last, own_mirror)

        return self.run_levels(groups, 0, 0, run)

    def run_levels(
        self,
        groups: Groups,
        k: int,
        b: int,
        run: Run,
        *,
        combine: Callable[[Iterable[int]], int] = sum,
        distances: bool = False,
    ) -> int:
        """Call *run*(context, first, last) for all groups, level by level, on all threads.

        *k*, *b*: the kings that work planes are needed for; *combine* joins the results.
        """
        for context in self.contexts:
            context.prepare(k, b, distances)
        results = [
            self._share(first, last, run)
            if len(self.contexts) > 1 and last - first > 1
            else self._alone(first, last, run)
            for first, last in itertools.pairwise(map(int, groups.levels))
        ]
        return combine(itertools.chain.from_iterable(results))

    def _share(self, first: int, last: int, run: Run) -> list[int]:
        threads = len(self.contexts)
        step = max(1, (last - first) // (CHUNKS_PER_THREAD * threads))
        starts = iter(range(first, last, step))

        def work(context: Context) -> tuple[list[int], float]:
            cpu = working_thread_time()
            # `next` on a range iterator is atomic under the interpreter lock.
            results = [run(context, start, min(start + step, last)) for start in starts]
            return results, working_thread_time() - cpu

        parts = list(self._pool.map(work, self.contexts))
        self._cpu_seconds += sum(seconds for _, seconds in parts)
        return [result for part, _ in parts for result in part]

    def _alone(self, first: int, last: int, run: Run) -> list[int]:
        cpu = working_thread_time()
        result = run(self.contexts[0], first, last)
        self._cpu_seconds += working_thread_time() - cpu
        return [result]


def solve_rows(
    rules: str | Rules, max_pieces: int, threads: int = 1
) -> tuple[RowSolver, list[SolvedSlice]]:
    """Solve all slices of up to *max_pieces* pieces; the solver, and what each pair took."""
    slices = all_slices(max_pieces)
    solver = RowSolver(rules, slices, threads)
    return solver, [solver.solve(counts) for counts in slice_pairs(slices)]
