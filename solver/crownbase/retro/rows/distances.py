"""Distances to conversion (DTC) by rows: solve a slice pair into int16 value codes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from crownbase.retro.rows.context import Context
from crownbase.retro.rows.dense import dense_groups
from crownbase.retro.rows.driver import RowSolver
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
    """The codes of a slice and its mirror by counts, and the longest distance in plies.

    Codes as in `retro.values`, without a draw clock: d > 0 a win in d plies, ~d a loss in d, 0
    a draw. A clock of at least *longest* plies changes nothing.
    """

    values: dict[Counts, Array]  # int16[positions], dense order
    longest: int


@dataclass(frozen=True)
class _Output:
    numbers: Array  # int32[groups], dense number of a group
    codes: Array  # int16[positions]
    group_size: int

    @property
    def addresses(self) -> tuple[int, int]:
        return int(self.numbers.ctypes.data), int(self.codes.ctypes.data)


def time_slice(solver: RowSolver, counts: Counts) -> TimedPair:
    """Solve a slice and its mirror with distances; the solver's planes are filled as well.

    The planes of all slices that the pair leads to must be filled.
    """
    k, b = counts[1], counts[3]
    outputs = {side: _make_output(solver, side) for side in {counts, mirror(counts)}}
    if k and b:
        longest = _time_kings(solver, counts, outputs)
    elif k or b:
        longest = _time_lone(solver, counts if b else mirror(counts), outputs)
    else:
        longest = _time_men(solver, counts, outputs)
    return TimedPair({side: output.codes for side, output in outputs.items()}, longest)


def _make_output(solver: RowSolver, counts: Counts) -> _Output:
    oms, pms = dense_groups(counts[0], counts[2])
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


def _time_kings(solver: RowSolver, counts: Counts, outputs: dict[Counts, _Output]) -> int:
    a, k, c, b = counts
    groups = groups_of(a, c)
    own, other = outputs[counts], outputs[mirror(counts)]

    def run(context: Context, first: int, last: int) -> int:
        sides = context.sides
        return time_groups(
            context.address, solver.traits, sides.ctypes.data, sides.strides[0],
            groups.own_men.ctypes.data, groups.opp_men.ctypes.data, first, last, k, b,
            int(own is other), own.group_size, *own.addresses, *other.addresses,
        )  # fmt: skip

    return solver.run_levels(groups, k, b, run, combine=max, distances=True)


def _time_lone(solver: RowSolver, counts: Counts, outputs: dict[Counts, _Output]) -> int:
    """*counts*: the side without kings moves."""
    a, _, c, k = counts
    groups = groups_of(a, c)
    own, other = outputs[counts], outputs[mirror(counts)]

    def run(context: Context, first: int, last: int) -> int:
        return time_lone_groups(
            context.address, solver.traits, context.sides.ctypes.data,
            groups.own_men.ctypes.data, groups.opp_men.ctypes.data, first, last, k,
            own.group_size, *own.addresses, *other.addresses,
        )  # fmt: skip

    return solver.run_levels(groups, 0, k, run, combine=max, distances=True)


def _time_men(solver: RowSolver, counts: Counts, outputs: dict[Counts, _Output]) -> int:
    groups = groups_of(counts[0], counts[2])
    own, other = outputs[counts], outputs[mirror(counts)]

    def run(context: Context, first: int, last: int) -> int:
        return time_men_groups(
            context.address, solver.traits, groups.own_men.ctypes.data,
            groups.opp_men.ctypes.data, first, last, int(own is other), *own.addresses,
            *other.addresses,
        )  # fmt: skip

    return solver.run_levels(groups, 0, 0, run, combine=max, distances=True)
