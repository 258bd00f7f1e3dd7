"""Vectors: rows are worked on eight words (512 bits) at a time.

In kernels a vector has the Numba type `words8`, in plain Python it is a tuple of eight ints.
LLVM turns it into one, two or four registers, whatever the processor has.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from crownbase.jit import Primitive
from crownbase.retro.rows.words import MASK64, none_value, pointer_to, signed

VECTOR_WORDS = 8
Vector = tuple[int, int, int, int, int, int, int, int]


class _VectorPrimitive(Primitive):
    """A primitive whose signature names `words8`."""

    @property
    def _numba_type_(self) -> Any:
        from crownbase.retro.rows import _vector  # noqa: F401  (makes the type known)

        return super()._numba_type_


def vector_primitive(signature: str, emit: Any) -> Callable[[Callable[..., Any]], Primitive]:
    """As `primitive`, for signatures in which `words8` occurs."""

    def wrap(function: Callable[..., Any]) -> Primitive:
        return _VectorPrimitive(function, signature, emit)

    return wrap


def _vector_type() -> Any:
    from llvmlite import ir

    return ir.VectorType(ir.IntType(64), VECTOR_WORDS)


def _emit_vload(builder: Any, address: Any, word: Any) -> Any:
    value = builder.load(pointer_to(builder, address, word, _vector_type(), 8))
    value.align = 8
    return value


@vector_primitive("words8(int64, int64)", _emit_vload)
def vload(address: int, word: int) -> Vector:
    """The eight words from number *word* on."""
    return tuple((ctypes.c_int64 * 8).from_address(address + 8 * word))


def _emit_vstore(builder: Any, address: Any, word: Any, vector: Any) -> Any:
    place = pointer_to(builder, address, word, _vector_type(), 8)
    builder.store(vector, place).align = 8
    return none_value()


@vector_primitive("void(int64, int64, words8)", _emit_vstore)
def vstore(address: int, word: int, vector: Vector) -> None:
    """Write eight words from number *word* on."""
    (ctypes.c_int64 * 8).from_address(address + 8 * word)[:] = list(vector)


def _emit_vor(builder: Any, a: Any, b: Any) -> Any:
    return builder.or_(a, b)


@vector_primitive("words8(words8, words8)", _emit_vor)
def vor(a: Vector, b: Vector) -> Vector:
    """Union."""
    return tuple(x | y for x, y in zip(a, b, strict=True))  # type: ignore[return-value]


def _emit_vand(builder: Any, a: Any, b: Any) -> Any:
    return builder.and_(a, b)


@vector_primitive("words8(words8, words8)", _emit_vand)
def vand(a: Vector, b: Vector) -> Vector:
    """Intersection."""
    return tuple(x & y for x, y in zip(a, b, strict=True))  # type: ignore[return-value]


def _emit_vxor(builder: Any, a: Any, b: Any) -> Any:
    return builder.xor(a, b)


@vector_primitive("words8(words8, words8)", _emit_vxor)
def vxor(a: Vector, b: Vector) -> Vector:
    """Symmetric difference."""
    return tuple(x ^ y for x, y in zip(a, b, strict=True))  # type: ignore[return-value]


def _emit_vandnot(builder: Any, a: Any, b: Any) -> Any:
    return builder.and_(a, builder.not_(b))


@vector_primitive("words8(words8, words8)", _emit_vandnot)
def vandnot(a: Vector, b: Vector) -> Vector:
    """What is in *a* and not in *b*."""
    return tuple(x & ~y for x, y in zip(a, b, strict=True))  # type: ignore[return-value]


def _splat(builder: Any, word: Any) -> Any:
    from llvmlite import ir

    undefined = ir.Constant(_vector_type(), ir.Undefined)
    one = builder.insert_element(undefined, word, ir.Constant(ir.IntType(32), 0))
    lanes = ir.Constant(ir.VectorType(ir.IntType(32), VECTOR_WORDS), [0] * VECTOR_WORDS)
    return builder.shuffle_vector(one, undefined, lanes)


def _emit_vfill(builder: Any, word: Any) -> Any:
    return _splat(builder, word)


@vector_primitive("words8(int64)", _emit_vfill)
def vfill(word: int) -> Vector:
    """Eight times the same word."""
    return (word,) * 8


def _emit_vshift_left(builder: Any, vector: Any, by: Any) -> Any:
    return builder.shl(vector, _splat(builder, by))


@vector_primitive("words8(words8, int64)", _emit_vshift_left)
def vshift_left(vector: Vector, by: int) -> Vector:
    """Each of the eight words shifted left by itself."""
    return tuple(signed(x << by) for x in vector)  # type: ignore[return-value]


def _emit_vshift_right(builder: Any, vector: Any, by: Any) -> Any:
    return builder.lshr(vector, _splat(builder, by))


@vector_primitive("words8(words8, int64)", _emit_vshift_right)
def vshift_right(vector: Vector, by: int) -> Vector:
    """Each of the eight words shifted right by itself, zeros coming in."""
    return tuple(signed((x & MASK64) >> by) for x in vector)  # type: ignore[return-value]


def _emit_vany(builder: Any, vector: Any) -> Any:
    from llvmlite import ir

    zero = ir.Constant(_vector_type(), [0] * VECTOR_WORDS)
    lanes = builder.icmp_unsigned("!=", vector, zero)
    byte = builder.bitcast(lanes, ir.IntType(8))
    return builder.icmp_unsigned("!=", byte, ir.Constant(ir.IntType(8), 0))


@vector_primitive("boolean(words8)", _emit_vany)
def vany(vector: Vector) -> bool:
    """Whether any bit is set."""
    return any(vector)
