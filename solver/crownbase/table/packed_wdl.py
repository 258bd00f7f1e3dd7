"""Win, draw or loss at two bits a position, as the solver can hand it over without unpacking.

    bytes   bits 0-1 of byte i: position 4 i, bits 2-3: 4 i + 1, and so on
    codes   0 = loss, 1 = draw, 2 = win, 3 = free (nobody will read the stored value)

Four positions are worked on at a time, through tables of all 256 bytes. What is written is the
same, byte for byte, as from the array of values and the mask of free positions; see `codec`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

LOSS_CODE, DRAW_CODE, WIN_CODE, HIDDEN = 0, 1, 2, 3
"""Codes; `HIDDEN` marks a free position."""

_CHUNK = 1 << 18  # bytes handled at a time; keeps temporaries inside the processor's cache
_ALL = np.arange(256, dtype=np.uint16)
_CODES = np.stack([_ALL >> 2 * i & 3 for i in range(4)], axis=1)  # of each byte, in order
_COUNTS = np.stack([(_CODES == code).sum(1) for code in range(4)], axis=1)


class PackedWdl:
    """The packed values of one side to move.

    Raises:
        ValueError: *packed* is not uint8[ceil(positions / 4)], or the last byte has more than its
            positions.
    """

    def __init__(self, packed: npt.NDArray[np.uint8], positions: int) -> None:
        """Take over the bytes; they are not copied."""
        if packed.dtype != np.uint8 or packed.shape != (-(-positions // 4),):
            raise ValueError(f"{positions} positions must be uint8[{-(-positions // 4)}]")
        if positions % 4 and packed[-1] >> 2 * (positions % 4):
            raise ValueError("the last byte holds more than its positions")
        self.packed = packed
        self.positions = positions

    def __len__(self) -> int:
        return self.positions

    @classmethod
    def of(cls, values: npt.NDArray[np.int8], free: npt.NDArray[np.bool_] | None) -> PackedWdl:
        """Pack values of -1, 0, 1 and a mask of free positions."""
        codes = (values + 1).astype(np.uint8)
        if free is not None:
            codes[free] = HIDDEN
        four = np.zeros((-(-len(values) // 4), 4), np.uint8)
        four.reshape(-1)[: len(values)] = codes
        packed = four[:, 0] | four[:, 1] << 2 | four[:, 2] << 4 | four[:, 3] << 6
        return cls(packed.astype(np.uint8), len(values))

    def counts(self) -> npt.NDArray[np.int64]:
        """How many positions have each code, int64[4]."""
        total = np.zeros(256, np.int64)
        for start in range(0, len(self.packed), _CHUNK):
            total += np.bincount(self.packed[start : start + _CHUNK], minlength=256)
        counts: npt.NDArray[np.int64] = total @ _COUNTS
        counts[LOSS_CODE] -= (
            4 * len(self.packed) - self.positions
        )  # the unused end of the last byte
        return counts

    def chunks_of_codes(self, hidden: int) -> Iterator[npt.NDArray[np.int16]]:
        """The values as int16, free ones replaced by *hidden*, a chunk at a time."""
        of_code = np.array([-1, 0, 1, hidden], np.int16)
        of_byte = np.ascontiguousarray(of_code[_CODES]).view(np.uint64).reshape(256)
        for start in range(0, len(self.packed), _CHUNK):
            four = of_byte[self.packed[start : start + _CHUNK]].view(np.int16)
            yield four[: self.positions - 4 * start]

    def filled_blocks(self, symbols: tuple[int, int, int], positions: int) -> Iterator[bytes]:
        """Packed symbols, block after block of so many positions, free ones filled.

        *symbols*: the symbol of a loss, a draw and a win. Free positions get the commonest symbol
        of their block, the lowest if there are several.
        """
        size = positions // 4
        tables = {fill: _symbols_of_bytes((*symbols, fill)) for fill in set(symbols)}
        for start in range(0, len(self.packed), size):
            block = self.packed[start : start + size]
            counts = np.bincount(block, minlength=256) @ _COUNTS
            used = min(self.positions - 4 * start, positions)
            counts[LOSS_CODE] -= 4 * len(block) - used
            by_symbol = np.bincount(np.array(symbols), weights=counts[:3])
            filled = tables[int(np.argmax(by_symbol))][block]
            if used % 4:
                filled[-1] &= (1 << 2 * (used % 4)) - 1
            yield filled.tobytes()


def _symbols_of_bytes(symbol_of_code: tuple[int, ...]) -> npt.NDArray[Any]:
    """The packed symbols of each byte of codes, uint8[256]."""
    symbols = np.array(symbol_of_code, np.uint8)[_CODES]
    packed = symbols[:, 0] | symbols[:, 1] << 2 | symbols[:, 2] << 4 | symbols[:, 3] << 6
    return packed.astype(np.uint8)
