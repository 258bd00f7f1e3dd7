"""Alphabets, packing, filling and frames."""

from __future__ import annotations

import numpy as np
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from crownbase.table.codec import (
    FREE,
    BadFrame,
    Compressor,
    ContentDigest,
    content_digest,
    pack,
    packed_blocks,
    survey,
    unpack,
    unpack_frame,
)
from crownbase.table.format import bits_for, packed_size
from table.samples import runs, with_alphabet


@pytest.mark.parametrize(
    ("size", "bits"), [(1, 0), (2, 2), (3, 2), (4, 2), (5, 8), (256, 8), (257, 16)]
)
def test_bits_follow_the_size_of_the_alphabet(size, bits):
    alphabet = survey(with_alphabet(size), None, ContentDigest())
    assert len(alphabet) == size
    assert list(alphabet) == sorted(alphabet)
    assert bits_for(size) == bits


@given(
    bits=st.sampled_from([2, 8, 16]),
    data=st.data(),
    count=st.integers(0, 70),
)
def test_unpack_inverts_pack(bits, data, count):
    kind = np.uint16 if bits == 16 else np.uint8
    symbols = data.draw(hnp.arrays(kind, count, elements=st.integers(0, (1 << bits) - 1)))
    packed = pack(symbols, bits)
    assert len(packed) == packed_size(count, bits)
    assert np.array_equal(unpack(packed, bits, count), symbols)


def test_two_bit_packing_is_as_drawn():
    assert pack(np.array([0, 1, 2, 3, 2], np.uint8), 2) == bytes([0b11_10_01_00, 0b10])
    assert pack(np.array([0x0102], np.uint16), 16) == b"\x02\x01"


def test_free_positions_get_the_commonest_symbol_of_their_block():
    values = np.array([5, 7, 7, -3, 5, 7, 9, 9, 9, 9], np.int16)
    free = np.array([1, 0, 0, 0, 0, 1, 0, 1, 1, 1], bool)
    alphabet = survey(values, free, ContentDigest())
    assert alphabet == (-3, 5, 7, 9)
    blocks = packed_blocks(values, free, alphabet, 4)
    found = [
        unpack(block, 2, count).tolist() for block, count in zip(blocks, (4, 4, 2), strict=True)
    ]
    assert found == [[2, 2, 2, 0], [1, 1, 3, 1], [0, 0]]


def test_free_values_do_not_reach_the_bytes():
    values = runs(900, [-1, 0, 1], np.int16)
    free = np.random.default_rng(3).random(900) < 0.4
    other = np.where(free, 77, values).astype(np.int16)
    packed = []
    for these in (values, other):
        alphabet = survey(these, free, ContentDigest())
        packed.append(list(packed_blocks(these, free, alphabet, 256)))
    assert packed[0] == packed[1]


def test_everything_free_is_a_constant():
    values = with_alphabet(9)
    alphabet = survey(values, np.ones(len(values), bool), ContentDigest())
    assert alphabet == (0,)


def test_the_marker_of_free_positions_is_no_value():
    with pytest.raises(ValueError, match="reserved"):
        survey(np.array([0, FREE], np.int16), None, ContentDigest())


def test_content_digest_sees_values_mask_and_material_but_no_filler():
    values = with_alphabet(9, 40)
    free = np.arange(40) % 5 == 0
    filled = np.where(free, 3, values).astype(np.int16)
    digest = content_digest([("KvK", values, free)])
    assert digest == content_digest([("KvK", filled, free)])
    assert digest != content_digest([("KvM", values, free)])
    assert digest != content_digest([("KvK", values, None)])
    changed = np.where(np.arange(40) == 1, 3, values).astype(np.int16)
    assert digest != content_digest([("KvK", changed, free)])


def test_content_digest_does_not_depend_on_the_width_of_values():
    values = runs(300, [-1, 0, 1], np.int8)
    wide = values.astype(np.int16)
    assert content_digest([("KvK", values, None)]) == content_digest([("KvK", wide, None)])


@pytest.mark.parametrize("unit", [1, 2])
def test_a_block_of_one_symbol_takes_one_unit(unit):
    packed = b"\x05\x06"[:unit] * 64
    stored = Compressor(19, len(packed), unit)(packed)
    assert len(stored) == unit
    assert unpack_frame(stored, len(packed), unit) == packed


def test_expand_inverts_the_compressor():
    rng = np.random.default_rng(8)
    for size in (3, 100, 5000):
        for packed in (rng.bytes(size), b"ab" * (size // 2) + b"c"):
            assert unpack_frame(Compressor(19, 4096, 1)(packed), len(packed), 1) == packed


def test_bytes_that_are_no_frame_are_refused():
    packed = bytes(range(200)) * 3
    stored = Compressor(19, len(packed), 1)(packed)
    damaged = [
        b"",
        stored[:-1],
        stored + b"\0",
        stored + stored,
        b"\x01" + stored[1:],
        zstandard.ZstdCompressor().compress(packed),
        bytes(40),
    ]
    for data in damaged:
        with pytest.raises(BadFrame):
            unpack_frame(data, len(packed), 1)
    for size in (len(packed) - 1, len(packed) + 1):
        with pytest.raises(BadFrame):
            unpack_frame(stored, size, 1)


def test_a_frame_cannot_ask_for_gigabytes():
    """A magicless frame that announces 2^34 bytes: refused before anything is allocated."""
    frame = b"\xe0" + (1 << 34).to_bytes(8, "little") + b"\x01\x00\x00"
    with pytest.raises(BadFrame):
        unpack_frame(frame, 100, 1)
