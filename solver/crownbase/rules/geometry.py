"""Boards: which squares there are, how they are numbered and who is next to whom.

Squares are numbered from the top left, row by row, with White at the bottom; square index
s = FEN number - 1. A man of the side to move goes UP, towards index 0 (see ``board``). The four
directions are ordered so that the first ones lead forward and d and 3 - d are opposite::

    diagonal board            orthogonal board
        0   1                       0
          \\ /                       |
          / \\                   1 - + - 2
        2   3                       |
                                    3
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

_STEPS_DIAGONAL = ((-1, -1), (-1, 1), (1, -1), (1, 1))  # (row, column), direction 0..3
_STEPS_ORTHOGONAL = ((-1, 0), (0, -1), (0, 1), (1, 0))


@dataclass(frozen=True)
class Geometry:
    """The shape of a board.

    ``dark_corner`` is the corner at White's hand, ``"left"`` or ``"right"``, that is a playing
    square of a diagonal board. An orthogonal board (Turkish) uses all squares.
    """

    rows: int
    columns: int
    orthogonal: bool = False
    dark_corner: str = "left"

    @cached_property
    def coordinates(self) -> tuple[tuple[int, int], ...]:
        """(row, column) of every square; row 0 is the top, column 0 White's left."""
        parity = (self.rows - 1 + (0 if self.dark_corner == "left" else 1)) % 2
        return tuple(
            (row, column)
            for row in range(self.rows)
            for column in range(self.columns)
            if self.orthogonal or (row + column) % 2 == parity
        )

    @property
    def n_squares(self) -> int:
        """Number of playing squares: 32, 50 or 64 in the rule sets that ship."""
        return len(self.coordinates)

    @property
    def width(self) -> int:
        """Playing squares in a row."""
        return self.n_squares // self.rows

    @cached_property
    def neighbour(self) -> np.ndarray:
        """int64[n_squares * 4]: the square next to s in direction d at s * 4 + d, -1 = none."""
        index = {place: s for s, place in enumerate(self.coordinates)}
        steps = _STEPS_ORTHOGONAL if self.orthogonal else _STEPS_DIAGONAL
        return np.array(
            [index.get((r + dr, c + dc), -1) for r, c in self.coordinates for dr, dc in steps],
            dtype=np.int64,
        )

    def name(self, square: int) -> str:
        """The letter name of a square index, ``a1`` at White's left hand."""
        row, column = self.coordinates[square]
        return f"{'abcdefghijklmnopqrstuvwxyz'[column]}{self.rows - row}"

    @cached_property
    def names(self) -> dict[str, int]:
        """Square index of every letter name."""
        return {self.name(s): s for s in range(self.n_squares)}


DIAGONAL_8 = Geometry(rows=8, columns=8)
DIAGONAL_8_RIGHT = Geometry(rows=8, columns=8, dark_corner="right")
DIAGONAL_10 = Geometry(rows=10, columns=10)
ORTHOGONAL_8 = Geometry(rows=8, columns=8, orthogonal=True)
