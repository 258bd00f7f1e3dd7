"""Every machine operation under the rows equals its scalar twin."""

from __future__ import annotations

import numpy as np
import pytest

from crownbase.jit import kernel
from crownbase.retro.rows import vectors, words


@kernel
def on_words(which, a, b):
    if which == 0:
        return words.shift_left(a, b & 63)
    if which == 1:
        return words.shift_right(a, b & 63)
    if which == 2:
        return words.turn32(a)
    if which == 3:
        return words.extract(a, b)
    if which == 4:
        return words.deposit(a, b)
    if which == 5:
        return words.extract_portable(a, b)
    return words.deposit_portable(a, b)


TWINS = (
    lambda a, b: words.shift_left.plain(a, b & 63),
    lambda a, b: words.shift_right.plain(a, b & 63),
    lambda a, b: words.turn32.plain(a),
    words.extract.plain,
    words.deposit.plain,
    words.extract.plain,
    words.deposit.plain,
)


@pytest.fixture
def pairs() -> list[tuple[int, int]]:
    random = np.random.default_rng(1)
    full = random.integers(-(2**63), 2**63, (200, 2), dtype=np.int64)
    edges = [(0, 0), (-1, -1), (-1, 0), (0, -1), (1, 1), (-(2**63), -(2**63)), (-1, 1 << 40)]
    return [(int(a), int(b)) for a, b in [*full, *edges]]


@pytest.mark.parametrize("which", range(len(TWINS)))
def test_word_operations(which: int, pairs: list[tuple[int, int]]) -> None:
    wrong = [p for p in pairs if on_words(which, *p) != TWINS[which](*p)]
    assert not wrong


def test_extract_and_deposit_are_inverse(pairs: list[tuple[int, int]]) -> None:
    for word, mask in pairs:
        assert words.deposit.plain(words.extract.plain(word, mask), mask) == word & mask


@kernel
def on_memory(source, target):
    for i in range(4):
        words.store(target, i, words.load(source, i))
        words.store32(target, 8 + i, words.load32(source, 8 + i))
        words.store8(target, 48 + i, words.load8(source, 48 + i))
        words.store16(target, 26 + i // 2, words.load16(source, 26 + i // 2))
    words.set_bits(target, 7, words.load(source, 7) & 0xFF00FF)
    words.set_bits(target, 7, words.load(source, 7))


def test_memory_operations_compiled_and_plain() -> None:
    source = np.arange(64, dtype=np.uint8) * 3 + 77
    compiled, plain = np.zeros(64, np.uint8), np.zeros(64, np.uint8)
    on_memory(source.ctypes.data, compiled.ctypes.data)
    on_memory.plain(source.ctypes.data, plain.ctypes.data)
    assert (compiled == source).all() and (plain == source).all()


@kernel
def on_vectors(source, target, by):
    a = vectors.vload(source, 0)
    b = vectors.vload(source, 8)
    vectors.vstore(target, 0, vectors.vor(a, b))
    vectors.vstore(target, 8, vectors.vand(a, b))
    vectors.vstore(target, 16, vectors.vxor(a, b))
    vectors.vstore(target, 24, vectors.vandnot(a, b))
    vectors.vstore(target, 32, vectors.vshift_left(a, by))
    vectors.vstore(target, 40, vectors.vshift_right(a, by))
    vectors.vstore(target, 48, vectors.vfill(by))
    words.store(target, 56, 1 if vectors.vany(a) else 0)
    words.store(target, 57, 1 if vectors.vany(vectors.vxor(a, a)) else 0)


@pytest.mark.parametrize("by", [0, 1, 31, 63])
def test_vector_operations(by: int) -> None:
    source = np.random.default_rng(by).integers(-(2**63), 2**63, 16, dtype=np.int64)
    compiled, plain = np.zeros(58, np.int64), np.zeros(58, np.int64)
    on_vectors(source.ctypes.data, compiled.ctypes.data, by)
    on_vectors.plain(source.ctypes.data, plain.ctypes.data, by)
    assert (compiled == plain).all()
    assert (compiled[:8] == (source[:8] | source[8:])).all()
    assert list(compiled[56:]) == [1, 0]
