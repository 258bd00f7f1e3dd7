"""From values to bytes: alphabet, filling, packing, compression; and back.

    values      -1 -1 (free)  0  1  1 ...       what the solver knows, int8 or int16 codes
    alphabet    (-1, 0, 1)                      the distinct values of the section, ascending
    symbols      0  0   0     1  2  2 ...       positions in the alphabet; free positions filled
    packed       00 00 00 01 | 10 10 ...        2, 8 or 16 bits a symbol
    stored       zstd frame of a block          blocks are independent, so a probe reads one

Packing, little endian: at 2 bits, position i is in byte ``i >> 2`` at bits ``2 * (i & 3)``; at 8
bits in byte ``i``; at 16 bits in bytes ``2 * i`` and ``2 * i + 1``.

A *free* position is one whose stored value nobody reads. It is given the commonest symbol of its
block. Measured on all English slices up to 4 pieces, files of other fillings are larger: with the
commonest of the section 0 to 1 %, with the symbol before it 2 % (wdl, dtw) and 3 % (dtc).
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import zstandard

from crownbase.table.format import bits_for, packed_size
from crownbase.table.packed_wdl import DRAW_CODE, LOSS_CODE, WIN_CODE, PackedWdl

Values = npt.NDArray[np.int8] | npt.NDArray[np.int16]
Mask = npt.NDArray[np.bool_]

FREE = -32768  # stands for a free position in the content digest; never a value
_SYMBOLS = 1 << 16
_CHUNK = 1 << 18  # positions handled at a time; keeps temporaries inside the processor's cache
_ZSTD_WINDOW_LIMIT = 1 << 23
_FRAME_DESCRIPTOR = 0  # no content size, checksum or dictionary: nothing that asks for memory


class BadFrame(ValueError):
    """Stored bytes that do not decode to what they should."""


class ContentDigest:
    """SHA-256 of what a table says, whatever its compressor, block size or filling.

    Hashed per section: ``"<material> <positions>\\n"`` and every value as a little-endian int16,
    free positions as `FREE`.
    """

    def __init__(self) -> None:
        """Start with no section."""
        self._hash = hashlib.sha256()

    def section(self, material: str, positions: int) -> None:
        """Begin a section."""
        self._hash.update(f"{material} {positions}\n".encode())

    def add(self, codes: npt.NDArray[np.int16]) -> None:
        """Hash the next values of the section, free positions being `FREE`."""
        self._hash.update(codes.astype("<i2", copy=False).tobytes())

    def hexdigest(self) -> str:
        """Return the digest of all sections so far."""
        return self._hash.hexdigest()


def content_digest(sections: Iterable[tuple[str, Values, Mask | None]]) -> str:
    """Return the digest of (material, values, free) in file order, as a table header holds it."""
    digest = ContentDigest()
    for material, values, free in sections:
        digest.section(material, len(values))
        for codes in _masked(values, free):
            digest.add(codes)
    return digest.hexdigest()


def survey(values: Values | PackedWdl, free: Mask | None, digest: ContentDigest) -> tuple[int, ...]:
    """Return the alphabet of a section and add the section's values to the digest.

    The alphabet is ascending; it is (0,) if every position is free. PackedWdl have their own mask.

    Raises:
        ValueError: if a value that is not free equals `FREE`.
    """
    if isinstance(values, PackedWdl):
        for codes in values.chunks_of_codes(FREE):
            digest.add(codes)
        found = values.counts()
        return tuple(
            code - DRAW_CODE for code in (LOSS_CODE, DRAW_CODE, WIN_CODE) if found[code]
        ) or (0,)
    counts = np.zeros(_SYMBOLS, np.int64)
    for codes in _masked(values, free):
        counts += np.bincount(codes.view(np.uint16), minlength=_SYMBOLS)
        digest.add(codes)
    hidden = int(np.count_nonzero(free)) if free is not None else 0
    if counts[FREE & 0xFFFF] != hidden:
        raise ValueError(f"{FREE} is reserved and cannot be a value")
    counts[FREE & 0xFFFF] = 0
    present = np.sort(np.flatnonzero(counts).astype(np.uint16).view(np.int16))
    return tuple(present.tolist()) or (0,)


def packed_blocks(
    values: Values | PackedWdl, free: Mask | None, alphabet: tuple[int, ...], positions: int
) -> Iterator[bytes]:
    """Yield the packed symbols of a section, block after block of so many positions."""
    if isinstance(values, PackedWdl):
        loss, draw, win = (alphabet.index(v) if v in alphabet else 0 for v in (-1, 0, 1))
        yield from values.filled_blocks((loss, draw, win), positions)
        return
    bits = bits_for(len(alphabet))
    symbol_of = np.zeros(_SYMBOLS, np.uint8 if bits <= 8 else np.uint16)
    symbol_of[np.array(alphabet, np.int16).view(np.uint16)] = np.arange(len(alphabet))
    for start in range(0, len(values), positions):
        part = values[start : start + positions].astype(np.int16, copy=False)
        symbols = symbol_of[part.view(np.uint16)]
        if free is not None:
            hidden = free[start : start + positions]
            counts = np.bincount(np.asarray(symbols[~hidden], np.int64), minlength=1)
            symbols[hidden] = np.argmax(counts)
        yield pack(symbols, bits)


def pack(symbols: npt.NDArray[Any], bits: int) -> bytes:
    """Pack symbols at 2, 8 or 16 bits each; unused bits of the last byte are zero."""
    if bits == 16:
        return symbols.astype("<u2").tobytes()
    if bits == 8:
        return symbols.astype(np.uint8).tobytes()
    padded = np.zeros(4 * packed_size(len(symbols), 2), np.uint8)
    padded[: len(symbols)] = symbols
    four = padded.view("<u4")  # 000000dd 000000cc 000000bb 000000aa, to be ddccbbaa
    packed: bytes = (four | four >> 6 | four >> 12 | four >> 18).astype(np.uint8).tobytes()
    return packed


def unpack(packed: bytes | npt.NDArray[np.uint8], bits: int, count: int) -> npt.NDArray[Any]:
    """Return the first ``count`` symbols, uint8 or (at 16 bits) uint16."""
    data = np.frombuffer(packed, np.uint8)
    if bits == 16:
        return data.view("<u2")[:count].astype(np.uint16, copy=False)
    if bits == 8:
        return data[:count]
    four = np.empty((len(data), 4), np.uint8)
    for place in range(4):
        four[:, place] = data >> (2 * place) & 3
    return four.reshape(-1)[:count]


class Compressor:
    """Turns packed blocks into stored blocks; may be shared by threads."""

    def __init__(self, level: int, block_bytes: int, unit: int) -> None:
        """Prepare for blocks of about ``block_bytes`` that consist of units of 1 or 2 bytes."""
        self._params = zstandard.ZstdCompressionParameters.from_level(
            level,
            source_size=block_bytes,
            format=zstandard.FORMAT_ZSTD1_MAGICLESS,
            write_content_size=False,
            write_checksum=False,
            write_dict_id=False,
        )
        self._unit = unit
        self._local = threading.local()

    def __call__(self, packed: bytes) -> bytes:
        """Return the stored form of one block."""
        unit = packed[: self._unit]
        if packed == unit * (len(packed) // self._unit):
            return unit
        context = getattr(self._local, "context", None)
        if context is None:  # a zstd context serves one thread at a time
            context = zstandard.ZstdCompressor(compression_params=self._params)
            self._local.context = context
        stored: bytes = context.compress(packed)
        return stored

    def several(self, blocks: Iterable[bytes]) -> list[bytes]:
        """Return the stored forms of blocks."""
        return [self(block) for block in blocks]


def unpack_frame(stored: bytes, size: int, unit: int) -> bytes:
    """Return the packed block of ``size`` bytes that a stored block stands for.

    Raises:
        BadFrame: if it is no frame of ours, or has another size.
    """
    if len(stored) == unit:
        return stored * (size // unit)
    if not stored or stored[0] != _FRAME_DESCRIPTOR:
        raise BadFrame("no frame of this format")
    context = getattr(_DECOMPRESSORS, "context", None)
    if context is None:
        context = zstandard.ZstdDecompressor(
            format=zstandard.FORMAT_ZSTD1_MAGICLESS, max_window_size=_ZSTD_WINDOW_LIMIT
        )
        _DECOMPRESSORS.context = context
    try:
        packed: bytes = context.decompress(stored, max_output_size=size, allow_extra_data=False)
    except zstandard.ZstdError as error:
        raise BadFrame(str(error)) from error
    if len(packed) != size:
        raise BadFrame(f"{len(packed)} bytes instead of {size}")
    return packed


_DECOMPRESSORS = threading.local()


def _masked(values: Values, free: Mask | None) -> Iterator[npt.NDArray[np.int16]]:
    """Yield the values as int16, free positions replaced by `FREE`, a chunk at a time."""
    for start in range(0, len(values), _CHUNK):
        codes = values[start : start + _CHUNK].astype(np.int16)
        if free is not None:
            codes[free[start : start + _CHUNK]] = FREE
        yield codes
