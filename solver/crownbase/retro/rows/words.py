"""Words: the machine operations under the row-parallel solver.

A *row* is a bit set stored as 64-bit words. Kernels see every word as int64 and reach memory
through raw addresses (int64), so that rows need no array objects; there are no bounds checks,
and the scalar solver is the oracle.

Every operation is a `primitive`: the decorated Python function is its scalar twin (the tests
compare them), the `_emit` function makes the LLVM code. Nothing here is tied to one processor:
`deposit` and `extract` are single instructions where BMI2 exists and short loops elsewhere.
"""

from __future__ import annotations

import ctypes
from typing import Any

from crownbase.jit import primitive

MASK64 = (1 << 64) - 1


def signed(word: int) -> int:
    """A word modulo 2**64 as kernels see it: bit 63 is the sign."""
    word &= MASK64
    return word - (1 << 64) if word >> 63 else word


# ------------------------------------------------------------------ helpers for emitting LLVM


def _i64() -> Any:
    from llvmlite import ir

    return ir.IntType(64)


def none_value() -> Any:
    """What a primitive without a result returns in LLVM."""
    from llvmlite import ir

    return ir.Constant(ir.IntType(8).as_pointer(), None)


def pointer_to(builder: Any, address: Any, index: Any, kind: Any, size: int) -> Any:
    """LLVM pointer to a value of type *kind* at *address* + *index* * *size* bytes."""
    from llvmlite import ir

    offset = builder.mul(index, ir.Constant(_i64(), size))
    return builder.inttoptr(builder.add(address, offset), kind.as_pointer())


def _emit_load_bits(builder: Any, address: Any, index: Any, bits: int) -> Any:
    from llvmlite import ir

    kind = ir.IntType(bits)
    value = builder.load(pointer_to(builder, address, index, kind, bits // 8))
    return value if bits == 64 else builder.zext(value, _i64())


def _emit_store_bits(builder: Any, address: Any, index: Any, value: Any, bits: int) -> Any:
    from llvmlite import ir

    kind = ir.IntType(bits)
    narrow = value if bits == 64 else builder.trunc(value, kind)
    builder.store(narrow, pointer_to(builder, address, index, kind, bits // 8))
    return none_value()


# ------------------------------------------------------------------ memory, one word


def _emit_load(builder: Any, address: Any, index: Any) -> Any:
    return _emit_load_bits(builder, address, index, 64)


@primitive("int64(int64, int64)", _emit_load)
def load(address: int, index: int) -> int:
    """The 64-bit word number *index* from *address* on."""
    return ctypes.c_int64.from_address(address + 8 * index).value


def _emit_load_now(builder: Any, address: Any, index: Any) -> Any:
    pointer = pointer_to(builder, address, index, _i64(), 8)
    return builder.load_atomic(pointer, "monotonic", 8)


@primitive("int64(int64, int64)", _emit_load_now)
def load_now(address: int, index: int) -> int:
    """`load` of what another thread may write meanwhile: never kept from an earlier one."""
    return ctypes.c_int64.from_address(address + 8 * index).value


def _emit_store(builder: Any, address: Any, index: Any, value: Any) -> Any:
    return _emit_store_bits(builder, address, index, value, 64)


@primitive("void(int64, int64, int64)", _emit_store)
def store(address: int, index: int, value: int) -> None:
    """Write the 64-bit word number *index* from *address* on."""
    ctypes.c_int64.from_address(address + 8 * index).value = value


def _emit_set_bits(builder: Any, address: Any, index: Any, bits: Any) -> Any:
    builder.atomic_rmw("or", pointer_to(builder, address, index, _i64(), 8), bits, "monotonic")
    return none_value()


@primitive("void(int64, int64, int64)", _emit_set_bits)
def set_bits(address: int, index: int, bits: int) -> None:
    """Set bits of the 64-bit word number *index*; threads may do so in one word at once."""
    word = ctypes.c_int64.from_address(address + 8 * index)
    word.value |= bits


def _emit_load32(builder: Any, address: Any, index: Any) -> Any:
    return _emit_load_bits(builder, address, index, 32)


@primitive("int64(int64, int64)", _emit_load32)
def load32(address: int, index: int) -> int:
    """The unsigned 32-bit number *index* from *address* on."""
    return ctypes.c_uint32.from_address(address + 4 * index).value


def _emit_store32(builder: Any, address: Any, index: Any, value: Any) -> Any:
    return _emit_store_bits(builder, address, index, value, 32)


@primitive("void(int64, int64, int64)", _emit_store32)
def store32(address: int, index: int, value: int) -> None:
    """Write the low 32 bits of *value*."""
    ctypes.c_uint32.from_address(address + 4 * index).value = value & 0xFFFFFFFF


def _emit_load16(builder: Any, address: Any, index: Any) -> Any:
    from llvmlite import ir

    kind = ir.IntType(16)
    return builder.sext(builder.load(pointer_to(builder, address, index, kind, 2)), _i64())


@primitive("int64(int64, int64)", _emit_load16)
def load16(address: int, index: int) -> int:
    """The signed 16-bit number *index* from *address* on."""
    return ctypes.c_int16.from_address(address + 2 * index).value


def _emit_store16(builder: Any, address: Any, index: Any, value: Any) -> Any:
    return _emit_store_bits(builder, address, index, value, 16)


@primitive("void(int64, int64, int64)", _emit_store16)
def store16(address: int, index: int, value: int) -> None:
    """Write the low 16 bits of *value*."""
    ctypes.c_int16.from_address(address + 2 * index).value = value


def _emit_load8(builder: Any, address: Any, index: Any) -> Any:
    return _emit_load_bits(builder, address, index, 8)


@primitive("int64(int64, int64)", _emit_load8)
def load8(address: int, index: int) -> int:
    """The unsigned byte number *index* from *address* on."""
    return ctypes.c_uint8.from_address(address + index).value


def _emit_store8(builder: Any, address: Any, index: Any, value: Any) -> Any:
    return _emit_store_bits(builder, address, index, value, 8)


@primitive("void(int64, int64, int64)", _emit_store8)
def store8(address: int, index: int, value: int) -> None:
    """Write the low 8 bits of *value*."""
    ctypes.c_uint8.from_address(address + index).value = value & 0xFF


# ------------------------------------------------------------------ one word


def _emit_shift_left(builder: Any, word: Any, by: Any) -> Any:
    return builder.shl(word, by)


@primitive("int64(int64, int64)", _emit_shift_left)
def shift_left(word: int, by: int) -> int:
    """A word shifted towards bit 63; 0 <= by < 64."""
    return signed(word << by)


def _emit_shift_right(builder: Any, word: Any, by: Any) -> Any:
    return builder.lshr(word, by)


@primitive("int64(int64, int64)", _emit_shift_right)
def shift_right(word: int, by: int) -> int:
    """A word shifted towards bit 0, zeros coming in (Python's >> copies the sign)."""
    return signed((word & MASK64) >> by)


def _emit_turn32(builder: Any, board: Any) -> Any:
    from llvmlite import ir

    narrow = builder.trunc(board, ir.IntType(32))
    return builder.zext(builder.bitreverse(narrow), _i64())


@primitive("int64(int64)", _emit_turn32)
def turn32(board: int) -> int:
    """A set of squares of a 32-square board after half a turn: square s becomes 31 - s."""
    return int(f"{board & 0xFFFFFFFF:032b}"[::-1], 2)


def _emit_bmi2(builder: Any, name: str, word: Any, mask: Any) -> Any:
    from llvmlite import ir

    kind = ir.FunctionType(_i64(), [_i64(), _i64()])
    function = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
    return builder.call(function, [word, mask])


def _emit_bit_loop(builder: Any, word: Any, mask: Any, to_low: bool) -> Any:
    """Move bits one by one between the places of *mask* and the low end of a word."""
    from llvmlite import ir

    zero, one = ir.Constant(_i64(), 0), ir.Constant(_i64(), 1)
    before = builder.block
    body, done = builder.append_basic_block("bits"), builder.append_basic_block("bits_done")
    builder.cbranch(builder.icmp_unsigned("!=", mask, zero), body, done)
    builder.position_at_end(body)
    rest, low, result = (builder.phi(_i64()) for _ in range(3))
    lowest = builder.and_(rest, builder.neg(rest))
    source, target = (lowest, low) if to_low else (low, lowest)
    present = builder.icmp_unsigned("!=", builder.and_(word, source), zero)
    new = builder.or_(result, builder.select(present, target, zero))
    left = builder.and_(rest, builder.sub(rest, one))
    for phi, first, again in (
        (rest, mask, left),
        (low, one, builder.shl(low, one)),
        (result, zero, new),
    ):
        phi.add_incoming(first, before)
        phi.add_incoming(again, body)
    builder.cbranch(builder.icmp_unsigned("!=", left, zero), body, done)
    builder.position_at_end(done)
    out = builder.phi(_i64())
    out.add_incoming(zero, before)
    out.add_incoming(new, body)
    return out


def _has_bmi2() -> bool:
    from crownbase.retro.rows import _vector

    return _vector.target_has("bmi2")


def _emit_extract(builder: Any, word: Any, mask: Any) -> Any:
    if _has_bmi2():
        return _emit_bmi2(builder, "llvm.x86.bmi.pext.64", word, mask)
    return _emit_bit_loop(builder, word, mask, True)


def _emit_deposit(builder: Any, word: Any, mask: Any) -> Any:
    if _has_bmi2():
        return _emit_bmi2(builder, "llvm.x86.bmi.pdep.64", word, mask)
    return _emit_bit_loop(builder, word, mask, False)


def _move_bits(word: int, mask: int, to_low: bool) -> int:
    word, mask, low, result = word & MASK64, mask & MASK64, 1, 0
    while mask:
        lowest = mask & -mask
        source, target = (lowest, low) if to_low else (low, lowest)
        if word & source:
            result |= target
        mask ^= lowest
        low <<= 1
    return signed(result)


@primitive("int64(int64, int64)", _emit_extract)
def extract(word: int, mask: int) -> int:
    """The bits of *word* that stand at the places of *mask*, moved together to the low end."""
    return _move_bits(word, mask, to_low=True)


@primitive("int64(int64, int64)", _emit_deposit)
def deposit(word: int, mask: int) -> int:
    """The low bits of *word* spread over the places of *mask*; the reverse of `extract`."""
    return _move_bits(word, mask, to_low=False)


def _emit_extract_loop(builder: Any, word: Any, mask: Any) -> Any:
    return _emit_bit_loop(builder, word, mask, True)


def _emit_deposit_loop(builder: Any, word: Any, mask: Any) -> Any:
    return _emit_bit_loop(builder, word, mask, False)


@primitive("int64(int64, int64)", _emit_extract_loop)
def extract_portable(word: int, mask: int) -> int:
    """`extract` as every processor can do it; here by name so that tests reach it."""
    return _move_bits(word, mask, to_low=True)


@primitive("int64(int64, int64)", _emit_deposit_loop)
def deposit_portable(word: int, mask: int) -> int:
    """`deposit` as every processor can do it; here by name so that tests reach it."""
    return _move_bits(word, mask, to_low=False)
