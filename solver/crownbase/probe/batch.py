"""Many positions at once: resolved in a kernel, each block of a table fetched once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from crownbase.board import Position
from crownbase.board.fen import FenFields, check_boards
from crownbase.board.moves import FIELDS, MAX_MOVES
from crownbase.errors import IllegalPositionError, TooManyPiecesError
from crownbase.probe import kernels
from crownbase.probe.kernels import CODE, INDEX, NO_ROOM, NODE_WORDS, PARENT, SLICE
from crownbase.probe.tree import METRIC_CODES
from crownbase.retro.values import CURSED
from crownbase.rules import Rules

CHUNK = 1 << 17  # positions resolved at a time: their nodes take about 16 MiB
_SPARE = 1 << 12
_MOST_NODES = 1 << 21  # at a time: about 150 MiB

BoardRows = npt.NDArray[np.int64]
"""int64[n, 4]: white men, white kings, black men, black kings, bit 0 = square 1."""

ReadSlice = Callable[[int, npt.NDArray[np.int64]], "npt.NDArray[Any] | None"]
"""Value codes of a slice's positions by ``slice_number`` and indices; None if it is not here."""


class MissingSlice(Exception):  # noqa: N818 (a signal within this package)
    """A slice that a batch needs is not here; ``row`` is the first position that needs it."""

    def __init__(self, row: int) -> None:
        self.row = row


def as_boards(boards: Any, turns: Any) -> tuple[BoardRows, npt.NDArray[np.bool_]]:
    """Bit boards and sides to move as arrays: int64[n, 4] and bool[n], True = Black.

    Raises:
        ValueError: other shapes, or a turn that is none of ``W``, ``B``, 0, 1.
    """
    array = np.asarray(boards)
    if array.ndim != 2 or array.shape[1] != 4 or array.dtype.kind not in "iu":
        raise ValueError("boards must be integers of shape [n, 4]")
    black = np.zeros(len(array), np.bool_)
    if turns is not None:
        sides = np.asarray(turns)
        if sides.shape != black.shape:
            raise ValueError(f"{len(array)} positions, but turns of shape {sides.shape}")
        black = np.isin(sides, ("B", "b")) if sides.dtype.kind in "US" else sides.astype(np.bool_)
        known = np.isin(sides, ("W", "w", "B", "b") if sides.dtype.kind in "US" else (0, 1))
        if not known.all():
            raise ValueError("turns are 0 or W for White, 1 or B for Black")
    return array.astype(np.int64), black


def position_boards(positions: Sequence[Position]) -> tuple[BoardRows, npt.NDArray[np.bool_]]:
    """The same two arrays from ``Position`` objects."""
    rows = [(p.white_men, p.white_kings, p.black_men, p.black_kings) for p in positions]
    boards = np.array(rows, np.uint64).reshape(-1, 4).view(np.int64)
    return boards, np.array([p.turn == "B" for p in positions], np.bool_)


def position_at(
    rules: Rules, boards: BoardRows, black: npt.NDArray[np.bool_], row: int
) -> Position:
    """One row as a ``Position``.

    Raises:
        IllegalPositionError: it cannot be one; the message has the number of the row.
    """
    turn = "B" if black[row] else "W"
    wm, wk, bm, bk = boards[row].view(np.uint64).tolist()
    try:
        check_boards(FenFields(turn, wm, wk, bm, bk), rules)
    except IllegalPositionError as error:
        raise IllegalPositionError(f"position {row} of the batch: {error}") from None
    return Position(rules, turn, wm, wk, bm, bk)


def value_codes(
    rules: Rules,
    boards: BoardRows,
    black: npt.NDArray[np.bool_],
    metric: str,
    read: ReadSlice,
) -> npt.NDArray[np.int16]:
    """Value codes of many positions, int16[n], each for its side to move.

    Raises:
        MissingSlice: *read* answered None.
        IllegalPositionError: a row that is no position; the message has its number.
        TooManyPiecesError: so many pieces that their captures cannot all be followed.
    """
    result = np.empty(len(boards), np.int16)
    buffer, state = np.zeros(MAX_MOVES * FIELDS, np.int64), np.zeros(3, np.int64)
    nodes = np.zeros((2 * min(len(boards), CHUNK) + _SPARE) * NODE_WORDS, np.int64)
    start, most = 0, CHUNK
    while start < len(boards):
        count = min(most, len(boards) - start)
        wrong = kernels.load_positions(rules.traits, boards, black, start, count, nodes)
        if wrong >= 0:
            position_at(rules, boards, black, wrong)  # raises and says what is wrong
        total = kernels.expand(rules.traits, nodes, count, buffer, state)
        if total == NO_ROOM and len(nodes) < _MOST_NODES * NODE_WORDS:
            nodes = np.zeros(2 * len(nodes), np.int64)
            continue
        if total < 0 and count > 1:
            most = count // 2
            continue
        if total < 0:
            fen = position_at(rules, boards, black, start).fen()
            raise TooManyPiecesError(f"too many captures to follow in {fen}")
        table = nodes[: total * NODE_WORDS].reshape(total, NODE_WORDS)
        _read_leaves(table, start, read)
        if total > count:
            kernels.fold(nodes, total, METRIC_CODES[metric])
        result[start : start + count] = table[:count, CODE]
        start += count
    return result


def _read_leaves(table: npt.NDArray[np.int64], start: int, read: ReadSlice) -> None:
    """Fill CODE of all stored nodes, slice by slice."""
    numbers = table[:, SLICE]
    order = np.argsort(numbers.astype(np.int32), kind="stable")
    order = order[np.searchsorted(numbers[order], 0) :]
    ordered = numbers[order]
    firsts = np.flatnonzero(np.diff(ordered, prepend=-1))
    missing: list[int] = []
    for first, end in pairwise([*firsts.tolist(), len(order)]):
        rows = order[first:end]
        codes = read(int(ordered[first]), table[rows, INDEX])
        if codes is None:
            missing.append(_first_root(table, rows))
        else:
            table[rows, CODE] = codes
    if missing:
        raise MissingSlice(start + min(missing))


def _first_root(table: npt.NDArray[np.int64], rows: npt.NDArray[np.int64]) -> int:
    """The first of the positions that these nodes come from."""
    while True:
        parents = table[rows, PARENT]
        if (parents < 0).all():
            return int(np.min(rows))
        rows = np.where(parents < 0, rows, parents)


def signed_plies_of(codes: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
    """Plies of value codes, negative for losses; see ``result.signed_plies``."""
    plies = np.where(codes < 0, ~codes, codes)
    plies = np.where(plies >= CURSED, plies - CURSED, plies)
    return np.where(codes < 0, -plies, plies).astype(np.int16)


def flatten(positions: Iterable[Any]) -> list[Any]:
    """The positions as a list; a single text is refused, since its letters are no positions."""
    if isinstance(positions, str):
        raise TypeError("give a list of positions, not one text")
    return list(positions)
