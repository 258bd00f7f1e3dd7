"""Legal moves for callers in Python: one entrance to the kernels, plain or compiled."""

from __future__ import annotations

import threading
from typing import Any, NamedTuple

import numpy as np

from crownbase.board import moves as kernels
from crownbase.board.bits import signed, unsigned
from crownbase.errors import CrownbaseError
from crownbase.jit import INTERPRETED
from crownbase.rules import Rules

Boards = tuple[int, int, int, int]
"""(own men, own kings, opponent's men, opponent's kings) in the mover's frame, non-negative."""


class RawMove(NamedTuple):
    """A move in the mover's frame; squares are indices, ``captured`` a bit board."""

    start: int
    end: int
    captured: int
    king_before: bool
    king_after: bool


class _Buffers(threading.local):
    """A move buffer and a search state for each thread, as lists and as arrays."""

    def __init__(self) -> None:
        size = kernels.MAX_MOVES * kernels.FIELDS
        self.lists: tuple[Any, Any] = ([0] * size, [0, 0, 0])
        self.arrays: tuple[Any, Any] = (np.zeros(size, np.int64), np.zeros(3, np.int64))


_buffers = _Buffers()


def list_moves(rules: Rules, boards: Boards) -> list[RawMove]:
    """All legal moves of a position.

    Raises:
        CrownbaseError: more distinct captures than any buffer holds (no real position).
    """
    if kernels.legal_moves.worth_compiling():
        buffer, state = _buffers.arrays
        n = kernels.legal_moves(rules.traits, *map(signed, boards), buffer, state)
        numbers = buffer[: n * kernels.FIELDS].tolist()
    else:
        buffer, state = _buffers.lists
        n = kernels.legal_moves.plain(rules.traits.plain, *boards, buffer, state)
        numbers = buffer
    if state[kernels.OVERFLOW]:
        raise CrownbaseError(f"position has more than {kernels.MAX_MOVES} different captures")
    found = []
    for at in range(0, n * kernels.FIELDS, kernels.FIELDS):
        start, end, captured, before, after = numbers[at : at + kernels.FIELDS]
        found.append(RawMove(start, end, unsigned(captured), bool(before), bool(after)))
    return found


def capture_exists(rules: Rules, boards: Boards) -> bool:
    """Whether the side to move can capture."""
    if kernels.has_capture.worth_compiling():
        return bool(kernels.has_capture(rules.traits, *map(signed, boards)))
    return bool(kernels.has_capture.plain(rules.traits.plain, *boards))


def turn_boards(rules: Rules, board: int) -> int:
    """A board after half a turn."""
    return int(kernels.turn_board.plain(rules.traits.plain, board))


def play_raw(rules: Rules, boards: Boards, move: RawMove) -> Boards:
    """The position after a move, in the frame of the other side."""
    om, ok, pm, pk = boards
    start, keep, end = ~(1 << move.start), ~move.captured, 1 << move.end
    om, ok = om & start, ok & start
    if move.king_after:
        ok |= end
    else:
        om |= end
    return (
        turn_boards(rules, pm & keep),
        turn_boards(rules, pk & keep),
        turn_boards(rules, om),
        turn_boards(rules, ok),
    )


def perft_nodes(rules: Rules, boards: Boards, depth: int) -> int:
    """Number of legal move sequences of *depth* plies."""
    if depth == 0:
        return 1
    size = kernels.MAX_MOVES * kernels.FIELDS
    if INTERPRETED:
        lists = [[0] * size for _ in range(depth)]
        return int(kernels.count_nodes(rules.traits, *boards, depth, lists, [0, 0, 0]))
    buffers, state = np.zeros((depth, size), np.int64), np.zeros(3, np.int64)
    signed_boards = map(signed, boards)
    return int(kernels.count_nodes(rules.traits, *signed_boards, np.int64(depth), buffers, state))
