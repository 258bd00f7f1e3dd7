"""What the scalar solver's kernels work on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

MAX_ROUNDS = 8190
"""Rounds that a solver may need: no distance is longer."""


class Task(NamedTuple):
    """What one run of the kernel needs besides its work space; numbers are int64.

    Attributes:
        addresses: int64[SLICE_NUMBERS], address in bytes of the int16 values of each slice.
        own, opponent, order, first, mirror: see ``Groups``.
        local: int32[groups], place of a group within its class.
        masks_k, turned_k, first_k, steps_k: ``KingTables`` of the own kings of side 0.
        masks_b, turned_b, first_b, steps_b: the same of the opponent's.
        out0, out1: int16[positions], values of the slice and of its mirror.
        accumulate: distances run through conversions (DTW).
        limit: the draw clock in plies.
    """

    addresses: np.ndarray
    own: np.ndarray
    opponent: np.ndarray
    order: np.ndarray
    first: np.ndarray
    mirror: np.ndarray
    local: np.ndarray
    masks_k: np.ndarray
    turned_k: np.ndarray
    first_k: np.ndarray
    steps_k: np.ndarray
    masks_b: np.ndarray
    turned_b: np.ndarray
    first_b: np.ndarray
    steps_b: np.ndarray
    out0: np.ndarray
    out1: np.ndarray
    accumulate: bool
    limit: int


class WorkSpace(NamedTuple):
    """Work space of one thread for the largest class; 2Z positions.

    Attributes:
        left: uint8[2Z], reversible moves that are not yet known to lose, or CLOSED, NOT_LOST.
        value: int16[2Z], value code, 0 = not decided.
        pending: int16[2Z], the code that leaving moves give, until its round comes.
        next, queue: int32[2Z], links of waiting positions; decided positions in order.
        head: int32[MAX_ROUNDS + 2], first waiting position of each round, -1 = none.
        men: int64[2, groups of a class, 2], own and opponent's men of each side.
        twin: int32[groups of a class], place of the mirrored group seen from the other side.
        buffer, state: see ``board.moves``.
        summary: int64[5], what the leaving moves of one position give.
        tally: int64[4], queue end, waiting positions, whether a clock cut something off, spare.
    """

    left: np.ndarray
    value: np.ndarray
    pending: np.ndarray
    next: np.ndarray
    queue: np.ndarray
    head: np.ndarray
    men: np.ndarray
    twin: np.ndarray
    buffer: np.ndarray
    state: np.ndarray
    summary: np.ndarray
    tally: np.ndarray
