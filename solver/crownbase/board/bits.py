"""Bit boards: the machine operations that kernels use.

A set of squares is one 64-bit integer, bit s = square s, signed in kernels (Numba turns a mix of
uint64 and int64 into float64). Bit 63 (Turkish h1) is then the sign bit: shifts to the right must
be masked, and ``signed``/``unsigned`` convert where Python's unbounded integers meet kernels.
"""

from __future__ import annotations

from typing import Any

from crownbase.jit import primitive

_MASK64 = (1 << 64) - 1


def signed(board: int) -> int:
    """A board as kernels want it: bit 63 is the sign."""
    return board - (1 << 64) if board >> 63 else board


def unsigned(board: int) -> int:
    """A board as Python wants it: 0 <= board < 2**64."""
    return int(board) & _MASK64


def _emit_popcount(builder: Any, x: Any) -> Any:
    return builder.ctpop(x)


@primitive("int64(int64)", _emit_popcount)
def popcount(board: int) -> int:
    """How many squares a board has."""
    return (int(board) & _MASK64).bit_count()


def _emit_lowest(builder: Any, x: Any) -> Any:
    import llvmlite.ir as ir

    return builder.cttz(x, ir.Constant(ir.IntType(1), 0))


@primitive("int64(int64)", _emit_lowest)
def lowest(board: int) -> int:
    """The lowest square of a board that is not empty."""
    return (int(board) & -int(board)).bit_length() - 1


def _emit_reverse(builder: Any, x: Any) -> Any:
    return builder.bitreverse(x)


@primitive("int64(int64)", _emit_reverse)
def reverse64(board: int) -> int:
    """All 64 bits in the opposite order."""
    return int(f"{int(board) & _MASK64:064b}"[::-1], 2)
