"""Distances to conversion (DTC) by rows: solve a slice pair into int16 value codes.

With a draw clock a second solver goes along, whose planes ignore the clock (see clock.py).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from crownbase.jit import Address
from crownbase.retro.rows.context import Context
from crownbase.retro.rows.dense import dense_groups
from crownbase.retro.rows.driver import RowSolver
from crownbase.retro.rows.records import ClockWords, SideWords
from crownbase.retro.rows.round_runs import (
    number_groups,
    time_groups,
    time_lone_groups,
    time_men_groups,
)
from crownbase.retro.rows.schedule import groups_of, mirror
from crownbase.retro.rows.storage import Counts
from crownbase.retro.rows.tables import Array


@dataclass(frozen=True)
class TimedPair:
    """The codes (see `retro.values`) of a slice and its mirror by counts.

    *longest*: the longest distance in plies, cursed ones left aside. Without a clock: a clock of
    so many plies changes nothing in this pair, if it changes nothing below.
    """

    values: dict[Counts, Array]  # int16[positions], dense order
    longest: int


SHORTEST_CLOCK = 2
_NO_CLOCK = np.zeros(ClockWords.SIZE, np.int64)
NO_CLOCK = Address(_NO_CLOCK.ctypes.data, record=ClockWords)


Clocks = dict[Context, tuple[Address, Address]]
"""By a thread's context: the address of its second context, and that of its clock."""


class DrawClock:
    """A draw clock of *limit* >= 2 plies, and the solver that ignores it.

    The slices below must be loaded into both: into *full* with cursed wins as wins and blessed
    losses as losses, into the solver that goes along as draws. *cursed*: whether any is cursed.

    Raises:
        ValueError: the limit is too small.
    """

    def __init__(self, full: RowSolver, limit: int, *, cursed: bool) -> None:
        if limit < SHORTEST_CLOCK:
            raise ValueError(f"a draw clock has at least {SHORTEST_CLOCK} plies, not {limit}")
        self.full = full
        self.limit = limit
        self._found = np.array([cursed], np.int64)
        self._blocks: list[Array] = []

    def start(self, solver: RowSolver, k: int, b: int) -> Clocks:
        """Get the contexts of both solvers ready; what kernels want of the clock for each thread.

        *k*, *b*: the kings that work planes are needed for.
        """
        self._blocks = []
        clocks: Clocks = {}
        for context, full in zip(solver.contexts, self.full.contexts, strict=True):
            context.prepare(k, b, distances=True)
            full.prepare(k, b, distances=True)
            full.sides[:, SideWords.codes] = context.sides[:, SideWords.codes]
            block = np.zeros(ClockWords.SIZE, np.int64)
            block[ClockWords.limit] = self.limit
            block[ClockWords.full_one], block[ClockWords.full_two] = map(int, full.side_addresses)
            block[ClockWords.found] = self._found.ctypes.data
            self._blocks.append(block)
            clocks[context] = full.address, Address(block.ctypes.data, record=ClockWords)
        return clocks


@dataclass(frozen=True)
class _Output:
    numbers: Array  # int32[groups], dense number of a group
    codes: Array  # int16[positions]
    group_size: int

    @property
    def addresses(self) -> tuple[int, int]:
        return int(self.numbers.ctypes.data), int(self.codes.ctypes.data)


def _clock_of(context: Context, clocks: Clocks) -> tuple[Address, Address]:
    return clocks.get(context, (context.address, NO_CLOCK))


def time_slice(solver: RowSolver, counts: Counts, clock: DrawClock | None = None) -> TimedPair:
    """Solve a slice and its mirror with distances; the solver's planes are filled as well.

    The planes of all slices that the pair leads to must be filled, those of the clock's solver,
    too.
    """
    if not counts[3]:
        counts = mirror(counts)
    outputs = {side: _make_output(solver, side) for side in {counts, mirror(counts)}}
    clocks = clock.start(solver, counts[1], counts[3]) if clock else {}
    if counts[1]:
        longest = _time_kings(solver, counts, outputs, clocks)
    elif counts[3]:
        longest = _time_lone(solver, counts, outputs, clocks)
    else:
        longest = _time_men(solver, counts, outputs, clocks)
    return TimedPair({side: output.codes for side, output in outputs.items()}, longest)


def _make_output(solver: RowSolver, counts: Counts) -> _Output:
    oms, pms = dense_groups(counts[0], counts[2], solver.board)
    numbers = np.empty(len(oms), np.int32)
    number_groups(
        solver.contexts[0].address,
        oms.ctypes.data,
        pms.ctypes.data,
        len(oms),
        numbers.ctypes.data,
    )
    size = solver.positions(counts)
    return _Output(numbers, np.zeros(size, np.int16), size // len(oms))


def _time_kings(
    solver: RowSolver, counts: Counts, outputs: dict[Counts, _Output], clocks: Clocks
) -> int:
    a, k, c, b = counts
    groups = groups_of(a, c, solver.board)
    own, other = outputs[counts], outputs[mirror(counts)]

    def run(context: Context, first: int, last: int) -> int:
        return time_groups(
            context.address, solver.traits, *context.side_addresses,
            groups.own_men.ctypes.data, groups.opp_men.ctypes.data, first, last, k, b,
            int(own is other), own.group_size, *own.addresses, *other.addresses,
            *_clock_of(context, clocks),
        )  # fmt: skip

    return solver.run_levels(groups, k, b, run, combine=max, distances=True)


def _time_lone(
    solver: RowSolver, counts: Counts, outputs: dict[Counts, _Output], clocks: Clocks
) -> int:
    """*counts*: the side without kings moves."""
    a, _, c, k = counts
    groups = groups_of(a, c, solver.board)
    own, other = outputs[counts], outputs[mirror(counts)]

    def run(context: Context, first: int, last: int) -> int:
        return time_lone_groups(
            context.address, solver.traits, context.side_addresses[0],
            groups.own_men.ctypes.data, groups.opp_men.ctypes.data, first, last, k,
            own.group_size, *own.addresses, *other.addresses,
            *_clock_of(context, clocks),
        )  # fmt: skip

    return solver.run_levels(groups, 0, k, run, combine=max, distances=True)


def _time_men(
    solver: RowSolver, counts: Counts, outputs: dict[Counts, _Output], clocks: Clocks
) -> int:
    groups = groups_of(counts[0], counts[2], solver.board)
    own, other = outputs[counts], outputs[mirror(counts)]

    def run(context: Context, first: int, last: int) -> int:
        return time_men_groups(
            context.address, solver.traits, groups.own_men.ctypes.data,
            groups.opp_men.ctypes.data, first, last, int(own is other), *own.addresses,
            *other.addresses, *_clock_of(context, clocks),
        )  # fmt: skip

    return solver.run_levels(groups, 0, 0, run, combine=max, distances=True)
