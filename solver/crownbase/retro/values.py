"""Value codes: one 16-bit number for what a position is worth to the side to move.

====================  =================================================
``0``                 draw
``d > 0``             win in d plies
``~d`` (= -1 - d)     loss in d plies; a side that cannot move has lost in 0: -1
``CURSED + d``        cursed win: won, but not under the draw clock
``~(CURSED + d)``     blessed loss: lost, but saved by the draw clock
====================  =================================================

d counts plies to the end of the game (DTW) or to the next conversion that keeps the value (DTC).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from crownbase.jit import kernel, primitive

CURSED = 8192
LOST_NOW = -1
UNLIMITED = CURSED - 1
"""A clock limit that no distance reaches."""

MAX_DISTANCE = CURSED - 2


class SliceCounts(NamedTuple):
    """How many positions of a slice have which value; longest distances in plies, -1 = none.

    ``longest_index`` is the first index that has the longest win, -1 without wins.
    """

    positions: int
    wins: int
    losses: int
    draws: int
    cursed_wins: int
    blessed_losses: int
    longest_win: int
    longest_loss: int
    longest_index: int


def count_values(values: np.ndarray) -> SliceCounts:
    """Count the value codes of one slice; cursed wins are not counted among the wins."""
    cursed = int(np.count_nonzero(values >= CURSED))
    blessed = int(np.count_nonzero(values <= ~CURSED))
    wins = int(np.count_nonzero(values > 0)) - cursed
    losses = int(np.count_nonzero(values < 0)) - blessed
    plies = np.where(values < 0, ~values, values)
    plies = np.where(plies >= CURSED, plies - CURSED, plies)
    won, lost = values > 0, values < 0
    longest_win = int(plies[won].max()) if won.any() else -1
    longest_loss = int(plies[lost].max()) if lost.any() else -1
    index = int(np.flatnonzero(won & (plies == longest_win))[0]) if longest_win >= 0 else -1
    draws = len(values) - wins - losses - cursed - blessed
    return SliceCounts(
        len(values), wins, losses, draws, cursed, blessed, longest_win, longest_loss, index
    )


@kernel
def distance(code: int) -> int:
    """The plies of a value code, without the CURSED mark; 0 for a draw."""
    d = code if code >= 0 else ~code
    return d - CURSED if d >= CURSED else d


@kernel
def is_cursed(code: int) -> bool:
    """Whether a code is a cursed win or a blessed loss."""
    return code >= CURSED or code <= ~CURSED


def _emit_load16(builder: Any, address: Any, index: Any) -> Any:
    import llvmlite.ir as ir

    pointer = builder.inttoptr(address, ir.IntType(16).as_pointer())
    return builder.sext(builder.load(builder.gep(pointer, [index])), ir.IntType(64))


@primitive("int64(int64, int64)", _emit_load16)
def load_code(address: int, index: int) -> int:
    """The int16 with number *index* after *address* (of memory, in bytes). No bounds check."""
    import ctypes

    return ctypes.c_int16.from_address(int(address) + 2 * int(index)).value
