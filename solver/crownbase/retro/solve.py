"""Solve one slice pair: arrays in, arrays out; no files, no processes."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from crownbase.board import moves
from crownbase.errors import MissingTableError
from crownbase.index import Material
from crownbase.index.position import SLICE_NUMBERS
from crownbase.retro.groups import Groups, solving_groups
from crownbase.retro.king_placements import king_tables
from crownbase.retro.scalar import solve_classes
from crownbase.retro.values import UNLIMITED
from crownbase.retro.work_space import MAX_ROUNDS, Task, WorkSpace
from crownbase.rules import Rules, find_rules

METRICS = ("dtc", "dtw")
"""What a solver computes. Win, draw or loss is the sign of either."""

Store = Mapping[Material, np.ndarray]
"""Solved slices by material, the side to move on the left; both slices of a pair."""


@dataclass(frozen=True)
class SolvedPair:
    """The values of a slice and of its mirror.

    Attributes:
        material: the canonical slice.
        metric: ``dtc`` or ``dtw``.
        values: int16 value codes (``retro.values``) by material, one array for each side to move.
        has_cursed: whether the draw clock turns any win into a draw.
    """

    material: Material
    metric: str
    values: dict[Material, np.ndarray]
    has_cursed: bool


def solve_pair(
    rules: str | Rules,
    material: Material,
    store: Store,
    metric: str = "dtc",
    quiet_limit: int | None = None,
    threads: int = 1,
) -> SolvedPair:
    """Solve a slice and its mirror.

    Args:
        rules: the rule set.
        material: either slice of the pair.
        store: value codes of the same metric (and clock) of every slice in
            ``material.dependencies()``, for both sides to move.
        metric: ``dtc`` (plies to the next conversion) or ``dtw`` (plies to the end).
        quiet_limit: the draw clock in plies without a conversion, None = no clock. Only for DTC.
        threads: threads that share the work on independent groups of men.

    Raises:
        MissingTableError: the store lacks a slice that this one leads to.
    """
    rules = find_rules(rules)
    if metric not in METRICS:
        raise ValueError(f"metric is one of {', '.join(METRICS)}, not {metric!r}")
    material = material.canonical
    values = {side: np.zeros(side.positions(rules), np.int16) for side in material.pair}
    if rules.lone_pieces_draw and material.pieces == 2:
        return SolvedPair(material, metric, values, False)
    accumulate = metric == "dtw"
    limit = UNLIMITED if accumulate or quiet_limit is None else quiet_limit
    groups = solving_groups(rules, material)
    arrays = {**_needed(material, store), **values}
    task = _make_task(rules, material, groups, arrays, accumulate, limit)
    any_cursed = _run(rules, task, groups, material, threads)
    return SolvedPair(material, metric, values, any_cursed)


def _needed(material: Material, store: Store) -> dict[Material, np.ndarray]:
    found = {}
    for pair in material.dependencies():
        for side in pair.pair:
            if side not in store:
                raise MissingTableError(f"{side} must be solved before {material}")
            found[side] = store[side]
    return found


def _make_task(
    rules: Rules,
    material: Material,
    groups: Groups,
    arrays: dict[Material, np.ndarray],
    accumulate: bool,
    limit: int,
) -> Task:
    """Gather what the kernels read. The caller keeps *arrays* alive: the task has addresses."""
    addresses = np.zeros(SLICE_NUMBERS, np.int64)
    for side, array in arrays.items():
        if array.dtype != np.int16 or not array.flags.c_contiguous:
            raise ValueError(f"values of {side} must be a contiguous int16 array")
        addresses[side.number] = array.ctypes.data
    local = np.zeros(len(groups.own), np.int32)
    place = np.arange(len(groups.order)) - np.repeat(groups.first[:-1], np.diff(groups.first))
    local[groups.order] = place
    own_kings = king_tables(rules, material.own_kings)
    opponent_kings = king_tables(rules, material.opponent_kings)
    return Task(
        addresses,
        groups.own,
        groups.opponent,
        groups.order,
        groups.first,
        groups.mirror,
        local,
        *own_kings,
        *opponent_kings,
        arrays[material],
        arrays[material.mirror],
        accumulate,
        limit,
    )


def _make_work(task: Task, groups: Groups) -> WorkSpace:
    largest = int(np.diff(groups.first).max())
    size = 2 * largest * len(task.masks_k) * len(task.masks_b)
    return WorkSpace(
        left=np.zeros(size, np.uint8),
        value=np.zeros(size, np.int16),
        pending=np.zeros(size, np.int16),
        next=np.zeros(size, np.int32),
        queue=np.zeros(size, np.int32),
        head=np.full(MAX_ROUNDS + 2, -1, np.int32),
        men=np.zeros((2, largest, 2), np.int64),
        twin=np.zeros(largest, np.int32),
        buffer=np.zeros(moves.MAX_MOVES * moves.FIELDS, np.int64),
        state=np.zeros(3, np.int64),
        summary=np.zeros(5, np.int64),
        tally=np.zeros(4, np.int64),
    )


def _run(rules: Rules, task: Task, groups: Groups, material: Material, threads: int) -> bool:
    def run(work: WorkSpace, begin: int, end: int) -> bool:
        return bool(solve_classes(rules.traits, task, work, begin, end, material.is_symmetric))

    classes = len(groups.first) - 1
    if threads == 1 or classes == 1:
        return run(_make_work(task, groups), 0, classes)
    works = [_make_work(task, groups) for _ in range(threads)]
    found = False
    with ThreadPoolExecutor(threads) as pool:
        for begin, end in zip(groups.levels[:-1], groups.levels[1:], strict=True):
            cuts = np.linspace(begin, end, threads + 1).astype(int)
            found |= any(list(pool.map(run, works, cuts[:-1], cuts[1:])))
    return found


def solve_all(
    rules: str | Rules,
    pairs: tuple[Material, ...],
    metric: str = "dtc",
    quiet_limit: int | None = None,
    threads: int = 1,
) -> dict[Material, np.ndarray]:
    """Solve slices in the given order, keeping everything in memory; values by material."""
    store: dict[Material, np.ndarray] = {}
    for pair in pairs:
        store |= solve_pair(rules, pair, store, metric, quiet_limit, threads).values
    return store
