"""The layout of a table file and the reading and writing of its header.

One file holds one metric of one colour-symmetric slice pair: a section for each side to move.
All numbers are little endian. ``text`` is a u16 length and that many bytes of UTF-8.

    offset  size  field
         0     8  magic              89 43 42 54 0D 0A 1A 0A ("\\x89CBT\\r\\n\\x1a\\n")     prefix
         8     2  format version     u16
        10     2  sections           u16
        12     4  header bytes       u32, prefix and body
        16     8  index bytes        u64
        24     8  file bytes         u64
        32    32  content digest     SHA-256, see `codec.ContentDigest`
        64     8  index checksum     u64, XXH3-64 of the index
        72     8  header checksum    u64, XXH3-64 of prefix and body with this field zero
        80        index rule u8, free scheme u8, reserved u16, quiet limit i32 (-1 = none)   body
                  rules key text, rules digest text, metric text, producer text, extra text (JSON)
                  per section:
                    material text    side to move left, such as KKMvKM
                    positions, wins, losses, draws, cursed wins, blessed losses   u64 each
                    longest win, longest loss   i32 each, plies, -1 = none
                    symbol bits u8 (0 = constant, 2, 8, 16), log2 of block positions u8
                    packed checksum u64, XXH3-64 of the packed symbols of all blocks in order
                    alphabet size u32, alphabet i16[alphabet size], ascending
       ...        per section: stored bytes of each block u32[blocks]                        index
                               XXH3-64 of the stored bytes of each block u64[blocks]
       ...        the stored blocks, one after the other, section after section             data

A stored block of one packed unit (one byte; two bytes with 16-bit symbols) means a block that
repeats this unit; any longer one is a magicless zstd frame without content size. A constant
section has no blocks. How a position becomes a symbol and symbols become bytes is in `codec`.

The magic holds a byte above 127, both line ends and a control-Z, so that a transfer in text mode
is noticed (as in PNG). The header checksum covers every length and checksum above, the index
checksum covers every block checksum: damage anywhere is found before a value is believed.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import xxhash

from crownbase.errors import CorruptTableError

MAGIC = b"\x89CBT\r\n\x1a\n"
FORMAT_VERSION = 1
METRICS = ("wdl", "dtc", "dtw")
INDEX_RULES = (1,)
FREE_SCHEMES = (0, 1)

PREFIX = struct.Struct("<8sHHIQQ32sQQ")
PREFIX_BYTES = PREFIX.size
_CHECKSUM_AT = 72
_BODY = struct.Struct("<BBHi")
_SECTION = struct.Struct("<6Q2iBBQI")
_TEXT_LENGTH = struct.Struct("<H")

VALUES = {"wdl": (-1, 1), "dtc": (-32767, 32767), "dtw": (-32767, 32767)}
"""Least and largest value of each metric; -32768 stands for a free position in `codec`."""
MATERIAL_PATTERN = re.compile(r"[KM]{1,64}v[KM]{1,64}")
"""What the name of a slice looks like: pieces of the side to move on the left."""

MAX_HEADER_BYTES = 1 << 24
MAX_POSITIONS = 1 << 48
MIN_BLOCK_SHIFT, MAX_BLOCK_SHIFT = 2, 20
INDEX_ENTRY_BYTES = 4 + 8
REPAIR = "delete the file and build or copy it again"


@dataclass(frozen=True)
class SectionStats:
    """Counts of one slice, seen by its side to move; captures and free positions included.

    ``longest_*`` are plies of the file's metric, -1 if there is none.
    """

    positions: int
    wins: int
    losses: int
    draws: int
    cursed_wins: int = 0
    blessed_losses: int = 0
    longest_win: int = -1
    longest_loss: int = -1


@dataclass(frozen=True)
class SectionHeader:
    """What the header says about one side to move."""

    material: str  # side to move on the left
    stats: SectionStats
    alphabet: tuple[int, ...]  # distinct values of the positions that are not free, ascending
    symbol_bits: int  # 0 = constant section, 2, 8 or 16
    block_shift: int  # a block holds 1 << block_shift positions, the last one the rest
    packed_checksum: int

    @property
    def positions(self) -> int:
        """Number of positions of the slice."""
        return self.stats.positions

    @property
    def blocks(self) -> int:
        """Number of stored blocks."""
        return 0 if self.symbol_bits == 0 else -(-self.positions >> self.block_shift)

    @property
    def unit(self) -> int:
        """Bytes that belong together in a packed block: 2 with 16-bit symbols, else 1."""
        return 2 if self.symbol_bits == 16 else 1

    def block_positions(self, block: int) -> int:
        """Positions in a block."""
        return min(self.positions - (block << self.block_shift), 1 << self.block_shift)

    def packed_bytes(self, block: int) -> int:
        """Bytes of a block when it is decoded."""
        return packed_size(self.block_positions(block), self.symbol_bits)


@dataclass(frozen=True)
class TableHeader:
    """Everything a table file says about itself."""

    rules_key: str
    rules_digest: str
    metric: str
    free_scheme: int  # which positions are stored as filler: 0 none, 1 where a capture is forced
    index_rule: int
    quiet_limit: int | None  # plies without a conversion after which a game is drawn
    sections: tuple[SectionHeader, ...]
    producer: str
    content_digest: str  # hexadecimal
    extra: Mapping[str, Any] = field(default_factory=dict)
    format_version: int = FORMAT_VERSION
    index_checksum: int = 0
    header_bytes: int = 0
    file_bytes: int = 0

    @property
    def index_bytes(self) -> int:
        """Bytes of the block index that follows the header."""
        return INDEX_ENTRY_BYTES * sum(section.blocks for section in self.sections)


def packed_size(positions: int, symbol_bits: int) -> int:
    """Bytes that so many packed symbols take."""
    return -(-positions * symbol_bits // 8)


def pack_header(header: TableHeader, data_bytes: int) -> bytes:
    """Return prefix and body; lengths and the header checksum are worked out here.

    Raises:
        ValueError: if a text, a number or the whole header does not fit.
    """
    limit = -1 if header.quiet_limit is None else header.quiet_limit
    extra = json.dumps(header.extra, sort_keys=True, separators=(",", ":"), allow_nan=False)
    body = [_BODY.pack(header.index_rule, header.free_scheme, 0, limit)]
    for text in (header.rules_key, header.rules_digest, header.metric, header.producer, extra):
        body.append(_pack_text(text))
    try:
        body.extend(_pack_section(section) for section in header.sections)
    except struct.error as error:
        raise ValueError(f"a count or value does not fit into the header: {error}") from error
    tail = b"".join(body)
    size = PREFIX_BYTES + len(tail)
    if size > MAX_HEADER_BYTES:
        raise ValueError(f"a header of {size} bytes is too long")
    fields = (
        MAGIC,
        header.format_version,
        len(header.sections),
        size,
        header.index_bytes,
        size + header.index_bytes + data_bytes,
        bytes.fromhex(header.content_digest),
        header.index_checksum,
    )
    checksum = xxhash.xxh3_64_intdigest(PREFIX.pack(*fields, 0) + tail)
    return PREFIX.pack(*fields, checksum) + tail


def header_size(prefix: bytes, path: str, file_bytes: int) -> int:
    """Check a file's first bytes and return how many bytes prefix and body take.

    Raises:
        CorruptTableError: not a table, other format version, or a length that cannot be.
    """
    _check_magic(prefix, path)
    if len(prefix) < PREFIX_BYTES:
        raise CorruptTableError(path, f"truncated: only {file_bytes} bytes are left; {REPAIR}")
    _, version, _, size, index, total, *_ = PREFIX.unpack(prefix[:PREFIX_BYTES])
    if version != FORMAT_VERSION:
        raise CorruptTableError(
            path,
            f"table format {version}, but this program reads format {FORMAT_VERSION}; "
            "use the program that made it, or build it again",
        )
    if file_bytes < total:
        problem = f"truncated: {file_bytes} of {total} bytes are here"
        raise CorruptTableError(path, f"{problem}; {REPAIR}")
    if file_bytes > total:
        problem = f"{file_bytes - total} bytes too long for its header"
        raise CorruptTableError(path, f"{problem}; {REPAIR}")
    if not PREFIX_BYTES <= size <= MAX_HEADER_BYTES or size + index > total:
        raise CorruptTableError(path, f"damaged header (impossible lengths); {REPAIR}")
    return int(size)


def unpack_header(data: bytes, path: str) -> TableHeader:
    """Read prefix and body as `pack_header` wrote them; ``data`` is exactly these bytes.

    Raises:
        CorruptTableError: checksum wrong, contradictions, or ids this program does not know.
    """
    fields = PREFIX.unpack(data[:PREFIX_BYTES])
    _, version, sections, size, index_bytes, file_bytes, digest, index_sum, checksum = fields
    zeroed = data[:_CHECKSUM_AT] + bytes(8) + data[PREFIX_BYTES:]
    if len(data) != size or xxhash.xxh3_64_intdigest(zeroed) != checksum:
        raise CorruptTableError(path, f"damaged header (checksum differs); {REPAIR}")
    cursor = _Cursor(data, PREFIX_BYTES)
    try:
        index_rule, free_scheme, _, limit = cursor.take(_BODY)
        key, rules_digest, metric, producer, extra = (cursor.text() for _ in range(5))
        header = TableHeader(
            rules_key=key,
            rules_digest=rules_digest,
            metric=metric,
            free_scheme=free_scheme,
            index_rule=index_rule,
            quiet_limit=None if limit < 0 else limit,
            sections=tuple(_take_section(cursor) for _ in range(sections)),
            producer=producer,
            content_digest=digest.hex(),
            extra=json.loads(extra),
            format_version=version,
            index_checksum=index_sum,
            header_bytes=size,
            file_bytes=file_bytes,
        )
        _check_sense(header, cursor.at, index_bytes)
    except (struct.error, ValueError, RecursionError) as error:
        raise CorruptTableError(path, f"inconsistent header ({error}); {REPAIR}") from error
    return header


def _check_magic(prefix: bytes, path: str) -> None:
    if prefix[:8] == MAGIC:
        return
    if not prefix:
        problem = f"empty file; {REPAIR}"
    elif MAGIC.startswith(prefix):
        problem = f"truncated: only {len(prefix)} bytes are left; {REPAIR}"
    elif prefix[1:4] == MAGIC[1:4]:
        problem = "damaged by a transfer in text mode; copy it again in binary mode"
    else:
        problem = "not a crownbase table (wrong magic); move it out of the table directory"
    raise CorruptTableError(path, problem)


def _check_sense(header: TableHeader, end: int, index_bytes: int) -> None:
    """Raise ValueError where a header with a right checksum still cannot be used."""
    if end != header.header_bytes:
        raise ValueError(f"{header.header_bytes - end} bytes left over")
    if index_bytes != header.index_bytes:
        raise ValueError("the index has the wrong size")
    if header.metric not in METRICS:
        raise ValueError(f"unknown metric {header.metric!r}")
    if header.index_rule not in INDEX_RULES:
        raise ValueError(f"unknown index rule {header.index_rule}")
    if header.free_scheme not in FREE_SCHEMES:
        raise ValueError(f"unknown free-position scheme {header.free_scheme}")
    if not isinstance(header.extra, dict):
        raise ValueError("extra data is no JSON object")
    if len({section.material for section in header.sections}) != len(header.sections):
        raise ValueError("two sections of one material")
    for section in header.sections:
        _check_section(section, *VALUES[header.metric])


def _check_section(section: SectionHeader, least: int, largest: int) -> None:
    if not MATERIAL_PATTERN.fullmatch(section.material):
        raise ValueError("a section is named after no material")
    if section.positions > MAX_POSITIONS:
        raise ValueError(f"{section.positions} positions in {section.material}")
    if not MIN_BLOCK_SHIFT <= section.block_shift <= MAX_BLOCK_SHIFT:
        raise ValueError(f"blocks of 2^{section.block_shift} positions")
    if list(section.alphabet) != sorted(set(section.alphabet)):
        raise ValueError("alphabet out of order")
    if not section.alphabet or section.symbol_bits != bits_for(len(section.alphabet)):
        raise ValueError(f"{section.symbol_bits}-bit symbols for {len(section.alphabet)} values")
    if not least <= section.alphabet[0] <= section.alphabet[-1] <= largest:
        raise ValueError(f"values outside of {least} to {largest}")


def bits_for(values: int) -> int:
    """Bits of a packed symbol for an alphabet of so many values."""
    if values <= 1:
        return 0
    if values <= 4:
        return 2
    return 8 if values <= 256 else 16


def _pack_text(text: str) -> bytes:
    data = text.encode()
    if len(data) > 0xFFFF:
        raise ValueError(f"a header text of {len(data)} bytes is too long")
    return _TEXT_LENGTH.pack(len(data)) + data


def _pack_section(section: SectionHeader) -> bytes:
    stats = section.stats
    return (
        _pack_text(section.material)
        + _SECTION.pack(
            stats.positions,
            stats.wins,
            stats.losses,
            stats.draws,
            stats.cursed_wins,
            stats.blessed_losses,
            stats.longest_win,
            stats.longest_loss,
            section.symbol_bits,
            section.block_shift,
            section.packed_checksum,
            len(section.alphabet),
        )
        + struct.pack(f"<{len(section.alphabet)}h", *section.alphabet)
    )


def _take_section(cursor: _Cursor) -> SectionHeader:
    material = cursor.text()
    *stats, bits, shift, checksum, size = cursor.take(_SECTION)
    return SectionHeader(
        material=material,
        stats=SectionStats(*stats),
        alphabet=cursor.shorts(size),
        symbol_bits=bits,
        block_shift=shift,
        packed_checksum=checksum,
    )


class _Cursor:
    """Takes fields from bytes in order, the next at byte ``at``.

    Raises struct.error or ValueError where they end too early.
    """

    def __init__(self, data: bytes, at: int) -> None:
        self.data = data
        self.at = at

    def take(self, layout: struct.Struct) -> Sequence[Any]:
        fields = layout.unpack_from(self.data, self.at)
        self.at += layout.size
        return fields

    def _bytes(self, size: int) -> bytes:
        if size > len(self.data) - self.at:
            raise ValueError("a field runs past the end")
        self.at += size
        return self.data[self.at - size : self.at]

    def text(self) -> str:
        (size,) = self.take(_TEXT_LENGTH)
        text = self._bytes(size).decode()
        if not text.isprintable():
            raise ValueError("a text with line breaks or control characters")
        return text

    def shorts(self, count: int) -> tuple[int, ...]:
        return struct.unpack(f"<{count}h", self._bytes(2 * count))
