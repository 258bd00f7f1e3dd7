"""The one place where a build meets the solvers: values in, values out, no files."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from crownbase.board.moves import FIELDS, MAX_MOVES, captures, has_capture, play
from crownbase.errors import BuildError
from crownbase.index import Material, unrank_position
from crownbase.index.position import SLICE_NUMBERS
from crownbase.jit import kernel
from crownbase.retro import solve_pair
from crownbase.retro.scalar import lookup
from crownbase.retro.values import distance
from crownbase.rules import Rules

Values = dict[Material, np.ndarray]
"""int16 value codes of both sides of a pair, by material with the side to move on the left."""

SOLVERS = ("auto", "scalar")


@dataclass(frozen=True)
class Solved:
    """What a solver gives back: values of both sides, CPU seconds, its name."""

    values: Values
    cpu_seconds: float
    engine: str


def check_solver(name: str, rules: Rules) -> None:
    """Refuse a solver that does not exist.

    Raises:
        BuildError: with the known names.
    """
    if name not in SOLVERS:
        raise BuildError(f"unknown solver {name!r}; known are {', '.join(SOLVERS)}")


def solve(
    rules: Rules,
    material: Material,
    metric: str,
    needed: Mapping[Material, Values],
    threads: int,
    solver: str,
) -> Solved:
    """Solve a slice pair; *needed* holds the pairs it depends on, by canonical material."""
    store = {side: array for values in needed.values() for side, array in values.items()}
    start, start_wall = time.thread_time(), time.perf_counter()
    # Win, draw or loss alone is the sign of a distance; signs are all that this then depends on.
    solved = solve_pair(rules, material, store, "dtc" if metric == "wdl" else metric, None, threads)
    values = solved.values
    if metric == "wdl":
        values = {side: np.sign(array) for side, array in values.items()}
    seconds = time.thread_time() - start
    if threads > 1:
        seconds = max(seconds, (time.perf_counter() - start_wall) * threads)
    return Solved(values, seconds, "scalar")


def free_positions(rules: Rules, side: Material) -> np.ndarray | None:
    """bool[positions]: where the mover must capture; None if captures are not compulsory."""
    if not rules.captures_mandatory:
        return None
    free = np.zeros(side.positions(rules), np.bool_)
    _mark_captures(rules.traits, *side.counts, free)
    return free


@kernel
def _mark_captures(rules: Any, a: int, k: int, c: int, b: int, free: Any) -> None:
    for index in range(free.shape[0]):
        om, ok, pm, pk = unrank_position(rules, index, a, k, c, b)
        free[index] = has_capture(rules, om, ok, pm, pk)


def resolve_captures(
    rules: Rules, values: Values, smaller: Mapping[Material, Values], metric: str
) -> None:
    """Fill in, in place, the positions of a pair that its files leave free."""
    if not rules.captures_mandatory:
        return
    addresses = np.zeros(SLICE_NUMBERS, np.int64)
    for pair in smaller.values():
        for side, array in pair.items():
            addresses[side.number] = array.ctypes.data
    for side, array in values.items():
        buffer, state = np.zeros(MAX_MOVES * FIELDS, np.int64), np.zeros(3, np.int64)
        _resolve(rules.traits, *side.counts, addresses, metric == "dtw", array, buffer, state)
        if metric == "wdl":
            np.sign(array, out=array)


@kernel
def _resolve(
    rules: Any, a: int, k: int, c: int, b: int, addresses: Any, accumulate: bool, values: Any,
    buffer: Any, state: Any,
) -> None:  # fmt: skip
    for index in range(values.shape[0]):
        om, ok, pm, pk = unrank_position(rules, index, a, k, c, b)
        n = captures(rules, om, ok, pm, pk, buffer, state)
        if n == 0:
            continue
        win = 1 << 20
        loss = -1
        escape = False
        for i in range(n):
            om2, ok2, pm2, pk2 = play(rules, om, ok, pm, pk, buffer, i)
            code = lookup(rules, addresses, om2, ok2, pm2, pk2)
            plies = distance(code) + 1 if accumulate else 1
            if code < 0:
                win = min(win, plies)
            elif code == 0:
                escape = True
            else:
                loss = max(loss, plies)
        if win < 1 << 20:
            values[index] = win
        else:
            values[index] = 0 if escape else ~loss
