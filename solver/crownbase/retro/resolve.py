"""Positions in which the side to move must capture: found, and answered from smaller slices.

A table file does not store them (they are its free positions), since their values follow from
what the captures lead to. A solver that goes on from files needs them filled in.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from crownbase.board import moves
from crownbase.board.moves import captures, has_capture, play
from crownbase.index import Material
from crownbase.index.position import SLICE_NUMBERS, unrank_position
from crownbase.jit import kernel
from crownbase.retro.move_summary import UNDECIDED_CODE, add_move, best_of, clear_summary, lookup
from crownbase.retro.values import UNLIMITED
from crownbase.rules import Rules, find_rules


class _Space(NamedTuple):
    """What the kernel works on.

    Attributes:
        addresses: int64[SLICE_NUMBERS], address in bytes of the int16 values of each slice.
        buffer, state: see ``board.moves``.
        summary: int64[5], see ``move_summary``.
    """

    addresses: np.ndarray
    buffer: np.ndarray
    state: np.ndarray
    summary: np.ndarray


@kernel
def _mark_captures(rules: Any, a: int, k: int, c: int, b: int, start: int, free: Any) -> None:
    for i in range(free.shape[0]):
        om, ok, pm, pk = unrank_position(rules, start + i, a, k, c, b)
        free[i] = has_capture(rules, om, ok, pm, pk)


@kernel
def _resolve(
    rules: Any, counts: tuple[int, int, int, int], values: Any, accumulate: bool, limit: int,
    space: Any,
) -> None:  # fmt: skip
    a, k, c, b = counts
    addresses, buffer, state, summary = space
    for i in range(values.shape[0]):
        om, ok, pm, pk = unrank_position(rules, i, a, k, c, b)
        n = captures(rules, om, ok, pm, pk, buffer, state)
        if n == 0:
            continue
        values[i] = 0
        for phase in range(1, 3):
            clear_summary(summary)
            for j in range(n):
                om2, ok2, pm2, pk2 = play(rules, om, ok, pm, pk, buffer, j)
                code = lookup(rules, addresses, om2, ok2, pm2, pk2)
                add_move(code, accumulate, phase, limit, summary)
            best = best_of(summary, phase)
            if best != UNDECIDED_CODE:
                values[i] = best
                break


def free_positions(rules: str | Rules, material: Material) -> np.ndarray:
    """bool[positions]: where the side to move must capture; none if captures are optional."""
    rules = find_rules(rules)
    free = np.zeros(material.positions(rules), np.bool_)
    decided_by_rule = rules.lone_pieces_draw and material.pieces == 2
    if rules.captures_mandatory and not decided_by_rule:
        _mark_captures(rules.traits, *material.counts, np.int64(0), free)
    return free


def resolve_captures(
    rules: str | Rules,
    material: Material,
    values: np.ndarray,
    store: dict[Material, np.ndarray],
    metric: str = "dtc",
    quiet_limit: int | None = None,
) -> None:
    """Fill in the free positions of a slice, in place.

    Args:
        rules, material: the slice; the side to move on the left.
        values: int16 value codes; only those of free positions change.
        store: value codes of all slices that captures lead to.
        metric, quiet_limit: as the slice was solved.
    """
    rules = find_rules(rules)
    if not rules.captures_mandatory or (rules.lone_pieces_draw and material.pieces == 2):
        return
    addresses = np.zeros(SLICE_NUMBERS, np.int64)
    kept = []
    for side, array in store.items():
        if side.pieces < material.pieces:
            kept.append(array)
            addresses[side.number] = array.ctypes.data
    accumulate = metric == "dtw"
    limit = UNLIMITED if accumulate or quiet_limit is None else quiet_limit
    space = _Space(
        addresses,
        buffer=np.zeros(moves.MAX_MOVES * moves.FIELDS, np.int64),
        state=np.zeros(3, np.int64),
        summary=np.zeros(5, np.int64),
    )
    _resolve(rules.traits, material.counts, values, accumulate, limit, space)
