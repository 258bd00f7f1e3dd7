"""Vectors of 64 bytes: scores of 64 positions at a time, and the sets that choose among them.

A vector is the `words8` of vectors.py; byte i of it is the i-th byte in memory, bit i of a word
speaks for it. See scores.py for what the bytes mean.
"""

from __future__ import annotations

from typing import Any

from crownbase.retro.rows.vectors import Vector, vector_primitive
from crownbase.retro.rows.words import MASK64, signed

BYTES = 64
DRAWN = 128
"""The byte that `bpass` leaves alone."""


def _bytes_of(vector: Vector) -> bytes:
    return b"".join((word & MASK64).to_bytes(8, "little") for word in vector)


def _vector_of(values: bytes) -> Vector:
    words = (int.from_bytes(values[i : i + 8], "little") for i in range(0, BYTES, 8))
    return tuple(signed(word) for word in words)  # type: ignore[return-value]


def _set_of(bits: list[bool]) -> int:
    return signed(sum(1 << i for i, bit in enumerate(bits) if bit))


def _kind(bits: int) -> Any:
    from llvmlite import ir

    return ir.VectorType(ir.IntType(bits), BYTES)


def _words(builder: Any, vector: Any) -> Any:
    from llvmlite import ir

    return builder.bitcast(vector, ir.VectorType(ir.IntType(64), 8))


def _every(value: int) -> Any:
    from llvmlite import ir

    return ir.Constant(_kind(8), [value] * BYTES)


def _splat(builder: Any, byte: Any) -> Any:
    from llvmlite import ir

    undefined = ir.Constant(_kind(8), ir.Undefined)
    narrow = builder.trunc(byte, ir.IntType(8))
    one = builder.insert_element(undefined, narrow, ir.Constant(ir.IntType(32), 0))
    lanes = ir.Constant(ir.VectorType(ir.IntType(32), BYTES), [0] * BYTES)
    return builder.shuffle_vector(one, undefined, lanes)


def _compare(builder: Any, relation: str, vector: Any, byte: Any) -> Any:
    from llvmlite import ir

    found = builder.icmp_unsigned(
        relation, builder.bitcast(vector, _kind(8)), _splat(builder, byte)
    )
    return builder.bitcast(found, ir.IntType(64))


def _emit_bmax(builder: Any, a: Any, b: Any) -> Any:
    a, b = builder.bitcast(a, _kind(8)), builder.bitcast(b, _kind(8))
    return _words(builder, builder.select(builder.icmp_unsigned(">", a, b), a, b))


@vector_primitive("words8(words8, words8)", _emit_bmax)
def bmax(a: Vector, b: Vector) -> Vector:
    """The larger byte of two, 64 times; bytes are unsigned."""
    return _vector_of(bytes(map(max, _bytes_of(a), _bytes_of(b))))


def _emit_bspread(builder: Any, bits: Any) -> Any:
    return _words(builder, builder.sext(builder.bitcast(bits, _kind(1)), _kind(8)))


@vector_primitive("words8(int64)", _emit_bspread)
def bspread(bits: int) -> Vector:
    """Byte i is 255 if bit i is set, else 0."""
    return _vector_of(bytes(255 if bits >> i & 1 else 0 for i in range(BYTES)))


def _emit_bequal(builder: Any, vector: Any, byte: Any) -> Any:
    return _compare(builder, "==", vector, byte)


@vector_primitive("int64(words8, int64)", _emit_bequal)
def bequal(vector: Vector, byte: int) -> int:
    """The set of bytes equal to *byte*."""
    return _set_of([x == byte for x in _bytes_of(vector)])


def _emit_babove(builder: Any, vector: Any, byte: Any) -> Any:
    return _compare(builder, ">", vector, byte)


@vector_primitive("int64(words8, int64)", _emit_babove)
def babove(vector: Vector, byte: int) -> int:
    """The set of bytes greater than *byte*."""
    return _set_of([x > byte for x in _bytes_of(vector)])


def _emit_bpass(builder: Any, vector: Any) -> Any:
    own = builder.bitcast(vector, _kind(8))
    drawn = _every(DRAWN)
    passed = builder.select(
        builder.icmp_unsigned(">", own, drawn), builder.sub(_every(0), own), builder.not_(own)
    )
    return _words(builder, builder.select(builder.icmp_unsigned("==", own, drawn), own, passed))


@vector_primitive("words8(words8)", _emit_bpass)
def bpass(vector: Vector) -> Vector:
    """`scores.passed` for 64 bytes."""
    table = [255 - x if x < DRAWN else DRAWN if x == DRAWN else 256 - x for x in range(256)]
    return _vector_of(_bytes_of(vector).translate(bytes(table)))
