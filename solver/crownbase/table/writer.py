"""Write a table file: same input, same bytes, all or nothing."""

from __future__ import annotations

import hashlib
import itertools
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import xxhash
import zstandard

from crownbase._version import __version__
from crownbase.table.codec import (
    Compressor,
    ContentDigest,
    Mask,
    Values,
    packed_blocks,
    survey,
)
from crownbase.table.files import write_atomically
from crownbase.table.format import (
    MAX_BLOCK_SHIFT,
    METRICS,
    MIN_BLOCK_SHIFT,
    SectionHeader,
    SectionStats,
    TableHeader,
    bits_for,
    pack_header,
    packed_size,
)
from crownbase.table.packed_wdl import PackedWdl

DEFAULT_LEVEL = 19
FAST_LEVEL = 6
SMALL_TABLE = 1 << 20
"""Positions, of both sides to move, up to which `default_level` takes the time for `DEFAULT_LEVEL`.
"""
BATCH_BLOCKS = 16
"""Blocks that a thread compresses at a time."""
BLOCK_BYTES = {2: 1 << 14, 8: 1 << 15, 16: 1 << 15}
"""Packed bytes of a block by bits of a symbol. Twice as much saves 2 % of wdl files and 4 % of dtw
files (English, 4 pieces), and doubles the time of a cold probe: 7 to 40 us now."""


@dataclass(frozen=True)
class SectionInput:
    """One side to move of a slice pair, as the solver hands it over.

    Attributes:
        material: side to move on the left, such as ``KKMvKM``.
        values: wdl: int8[positions] of -1, 0, 1, or `PackedWdl`; dtc and dtw: int16[positions] of
            codes.
        free: bool[positions], True where nobody will read the stored value; None = nowhere, or as
            the packed values say.
        stats: counts for the header, by the solver; only ``positions`` is checked here.
    """

    material: str
    values: Values | PackedWdl
    free: Mask | None
    stats: SectionStats


@dataclass(frozen=True)
class WrittenTable:
    """What was written: size, SHA-256 of the file, digest of the decoded content."""

    bytes: int
    sha256: str
    content_digest: str


def write_table(
    path: str | os.PathLike[str],
    *,
    rules_key: str,
    rules_digest: str,
    metric: str,
    free_scheme: int,
    sections: Iterable[SectionInput],
    quiet_limit: int | None = None,
    index_rule: int = 1,
    producer: str | None = None,
    level: int = DEFAULT_LEVEL,
    block_positions: int | None = None,
    extra: Mapping[str, Any] | None = None,
    threads: int = 1,
) -> WrittenTable:
    """Write one table file and return its size and digests.

    Args:
        path: the file to make or replace; its directory is made if need be.
        rules_key, rules_digest: which rules the values were solved under.
        metric: ``wdl``, ``dtc`` or ``dtw``.
        free_scheme: 0 = nothing free, 1 = positions with a forced capture are free.
        sections: one for each side to move; one in all if both are the same material. Each is
            dropped before the next one is asked for.
        quiet_limit: plies of the draw clock that the values take into account, if any.
        index_rule: how positions are numbered.
        producer: program and versions; by default this package and its zstd.
        level: zstd level.
        block_positions: power of two; by default blocks of `BLOCK_BYTES`.
        extra: anything JSON, kept in the header; no time stamps, or bytes differ between runs.
        threads: how many threads compress; the bytes do not depend on it.

    Raises:
        BuildError: if the file cannot be written; nothing is left behind.
        ValueError: for arrays or arguments that make no sense.
    """
    if metric not in METRICS:
        raise ValueError(f"unknown metric {metric!r}")
    digest = ContentDigest()
    headers: list[SectionHeader] = []
    stored: list[list[bytes]] = []
    for section in sections:
        _check_section(section, metric)
        digest.section(section.material, len(section.values))
        alphabet = survey(section.values, section.free, digest)
        header = _section_header(section, alphabet, block_positions)
        blocks, checksum = _compress(section, header, alphabet, level, threads)
        headers.append(replace(header, packed_checksum=checksum))
        stored.append(blocks)
    index = _pack_index(stored)
    header_bytes = pack_header(
        TableHeader(
            rules_key=rules_key,
            rules_digest=rules_digest,
            metric=metric,
            free_scheme=free_scheme,
            index_rule=index_rule,
            quiet_limit=quiet_limit,
            sections=tuple(headers),
            producer=producer if producer is not None else default_producer(),
            content_digest=digest.hexdigest(),
            extra=dict(extra or {}),
            index_checksum=xxhash.xxh3_64_intdigest(index),
        ),
        data_bytes=sum(len(block) for blocks in stored for block in blocks),
    )
    pieces = [header_bytes, index, *(b"".join(blocks) for blocks in stored)]
    write_atomically(path, pieces)
    file_hash = hashlib.sha256()
    for piece in pieces:
        file_hash.update(piece)
    return WrittenTable(sum(map(len, pieces)), file_hash.hexdigest(), digest.hexdigest())


def default_level(positions: int) -> int:
    """The zstd level for a table of so many positions: thorough if it is small, else fast."""
    return DEFAULT_LEVEL if positions <= SMALL_TABLE else FAST_LEVEL


def default_producer() -> str:
    """Return package and compressor with their versions."""
    zstd = ".".join(map(str, zstandard.ZSTD_VERSION))
    return f"crownbase {__version__}; zstd {zstd}"


def _check_section(section: SectionInput, metric: str) -> None:
    values, free = section.values, section.free
    if section.stats.positions != len(values):
        raise ValueError(
            f"{section.material}: {len(values)} values, but counts of {section.stats.positions}"
        )
    if isinstance(values, PackedWdl):
        if metric != "wdl" or free is not None:
            raise ValueError(f"{section.material}: packed values are wdl with their own mask")
        return
    kind = np.int8 if metric == "wdl" else np.int16
    if values.ndim != 1 or values.dtype != kind:
        raise ValueError(f"{section.material}: {metric} values must be {kind.__name__}[positions]")
    if free is not None and (free.shape != values.shape or free.dtype != np.bool_):
        raise ValueError(f"{section.material}: free must be bool[positions]")
    if metric == "wdl" and np.any((values < -1) | (values > 1)):
        raise ValueError(f"{section.material}: a wdl value is none of -1, 0, 1")


def _section_header(
    section: SectionInput, alphabet: tuple[int, ...], block_positions: int | None
) -> SectionHeader:
    bits = bits_for(len(alphabet))
    positions = block_positions or BLOCK_BYTES[bits or 2] * 8 // (bits or 2)
    shift = positions.bit_length() - 1
    if positions != 1 << shift or not MIN_BLOCK_SHIFT <= shift <= MAX_BLOCK_SHIFT:
        raise ValueError(f"blocks of {positions} positions: must be a power of two in reason")
    return SectionHeader(
        material=section.material,
        stats=section.stats,
        alphabet=alphabet,
        symbol_bits=bits,
        block_shift=shift,
        packed_checksum=0,
    )


def _compress(
    section: SectionInput,
    header: SectionHeader,
    alphabet: tuple[int, ...],
    level: int,
    threads: int,
) -> tuple[list[bytes], int]:
    """Return the stored blocks of a section and the checksum of its packed symbols."""
    checksum = xxhash.xxh3_64()
    if header.symbol_bits == 0:
        return [], checksum.intdigest()
    positions = 1 << header.block_shift
    packed = packed_blocks(section.values, section.free, alphabet, positions)
    block_bytes = packed_size(positions, header.symbol_bits)
    compressor = Compressor(level, block_bytes, header.unit)

    def summed() -> Iterator[bytes]:
        for block in packed:
            checksum.update(block)
            yield block

    if threads <= 1:
        blocks = [compressor(block) for block in summed()]
    else:
        blocks = []
        with ThreadPoolExecutor(threads) as pool:
            for batch in _in_order(pool, compressor.several, _batches(summed()), 2 * threads):
                blocks += batch
    return blocks, checksum.intdigest()


def _batches(blocks: Iterable[bytes]) -> Iterator[list[bytes]]:
    """Lists of `BATCH_BLOCKS` blocks, so that threads are not handed crumbs."""
    iterator = iter(blocks)
    while batch := list(itertools.islice(iterator, BATCH_BLOCKS)):
        yield batch


def _in_order(
    pool: ThreadPoolExecutor,
    function: Callable[[list[bytes]], list[bytes]],
    items: Iterable[list[bytes]],
    ahead: int,
) -> Iterator[list[bytes]]:
    """Like ``pool.map``, but with only so many items in memory at a time."""
    waiting: deque[Future[list[bytes]]] = deque()
    for item in items:
        waiting.append(pool.submit(function, item))
        if len(waiting) > ahead:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def _pack_index(stored: Sequence[Sequence[bytes]]) -> bytes:
    parts: list[bytes] = []
    for blocks in stored:
        parts.append(np.array([len(block) for block in blocks], "<u4").tobytes())
        hashes = [xxhash.xxh3_64_intdigest(block) for block in blocks]
        parts.append(np.array(hashes, "<u8").tobytes())
    return b"".join(parts)
