"""Read values out of table files: one, many, or all; checked, thread-safe, bounded.

A `Table` reads its header when it is made and the block index at the first value. A value is
found by arithmetic: ``index >> block_shift`` is the block, the low bits are the place in it.
Blocks are kept packed in a `BlockCache` that the caller passes, so that many tables share one
bound on memory. Each block is checked against its checksum whenever it comes from the disk.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import xxhash

from crownbase.errors import CorruptTableError
from crownbase.table.block_cache import BlockCache
from crownbase.table.codec import BadFrame, Mask, Values, content_digest, unpack, unpack_frame
from crownbase.table.files import FilePool, PooledFile
from crownbase.table.format import (
    REPAIR,
    SectionHeader,
    TableHeader,
    header_size,
    unpack_header,
)
from crownbase.table.libraries import check_libraries

_FIRST_READ = 4096  # holds prefix, body and mostly the index of a small table
_BLOCKS_AT_ONCE = 1024  # of a batch, decoded side by side: 16 MiB with the default block size
_BLOCK_NUMBER_BITS = 40
_FRAME_OVERHEAD = 64  # bytes, generously
_SECTION_SERIAL = itertools.count(1)
_SHARED_POOL = FilePool()


class _Index(NamedTuple):
    """Where the blocks of a section are."""

    offsets: npt.NDArray[np.int64]  # [blocks + 1], bytes from the start of the file
    checksums: npt.NDArray[np.uint64]  # [blocks]


class _Section:
    """One side to move: its header, unpacked into what a lookup needs."""

    __slots__ = (
        "alphabet",
        "bits",
        "header",
        "index",
        "key",
        "lookup",
        "mask",
        "material",
        "number",
        "positions",
        "shift",
    )

    def __init__(self, header: SectionHeader, number: int) -> None:
        self.header = header
        self.number = number  # among the sections of the file
        self.material = header.material
        self.positions = header.positions
        self.bits = header.symbol_bits
        self.shift = header.block_shift
        self.mask = (1 << header.block_shift) - 1
        self.alphabet = header.alphabet
        self.lookup = np.array(header.alphabet, np.int16)
        self.key = next(_SECTION_SERIAL) << _BLOCK_NUMBER_BITS  # + block: key in any cache
        self.index: _Index | None = None


class Table:
    """One open table file. All methods are thread-safe; use it as a context manager.

    Values are what the writer was given: wdl -1, 0, 1; dtc and dtw codes; from the point of view
    of the side to move, which is on the left of the material text. At a position that the
    header's free scheme calls free, the value is a filler without meaning.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        rules_key: str | None = None,
        rules_digest: str | None = None,
        metric: str | None = None,
        pool: FilePool | None = None,
    ) -> None:
        """Open a file and read its header.

        Args:
            path: the file.
            rules_key, rules_digest, metric: what the file must have been made for; None = any.
            pool: bounds the number of open files; by default one that all tables share.

        Raises:
            MissingTableError: no such file.
            CorruptTableError: damaged, foreign version, or made for something else.
            CrownbaseError: a library that is installed cannot read tables at all.
        """
        check_libraries()
        self._file = PooledFile(path, pool if pool is not None else _SHARED_POOL)
        self.path = self._file.path
        try:
            self.header = self._read_header()
            _check_purpose(self.path, self.header, rules_key, rules_digest, metric)
        except BaseException:
            self._file.close()
            raise
        sections = (_Section(section, i) for i, section in enumerate(self.header.sections))
        self._sections = {section.material: section for section in sections}

    @property
    def materials(self) -> tuple[str, ...]:
        """Materials of the file's sections, side to move on the left."""
        return tuple(self._sections)

    def value(self, material: str, index: int, cache: BlockCache) -> int:
        """Return the value of one position.

        Raises:
            KeyError: the file has no such material.
            IndexError: no such position.
            CorruptTableError: the block is damaged.
            ClosedTablebaseError: the table was closed.
        """
        section = self._sections[material]
        if not 0 <= index < section.positions:
            raise IndexError(f"{material} has {section.positions} positions, not {index}")
        bits = section.bits
        if bits == 0:
            return section.alphabet[0]
        block = index >> section.shift
        packed = cache.get(section.key + block)
        if packed is None:
            packed = self._load(section, block)
            cache.put(section.key + block, packed)
        place = index & section.mask
        if bits == 2:
            symbol = packed[place >> 2] >> ((place & 3) << 1) & 3
        elif bits == 8:
            symbol = packed[place]
        else:
            symbol = packed[2 * place] | packed[2 * place + 1] << 8
        if symbol >= len(section.alphabet):
            raise self._bad_symbol(section)
        return section.alphabet[symbol]

    def values(
        self, material: str, indices: npt.NDArray[np.int64], cache: BlockCache
    ) -> npt.NDArray[np.int16]:
        """Return the values of many positions; each block is fetched once.

        Args:
            material: side to move on the left.
            indices: int64[n], in any order.
            cache: where blocks are looked up and kept.

        Returns:
            int16[n]; errors as in `value`.
        """
        section = self._sections[material]
        indices = np.asarray(indices, np.int64)
        if len(indices) == 0:
            return np.empty(0, np.int16)
        if np.min(indices) < 0 or np.max(indices) >= section.positions:
            raise IndexError(f"an index is outside of {material} ({section.positions} positions)")
        if section.bits == 0:
            return np.full(len(indices), section.alphabet[0], np.int16)
        blocks = indices >> section.shift
        touched = np.zeros(section.header.blocks, np.bool_)
        touched[blocks] = True
        numbers = np.flatnonzero(touched)
        slot_of = np.empty(section.header.blocks, np.int64)  # place of a block among the touched
        slot_of[numbers] = np.arange(len(numbers))
        slots = slot_of[blocks]
        if len(numbers) <= _BLOCKS_AT_ONCE:
            return self._gather(section, numbers, slots, indices, cache)
        result = np.empty(len(indices), np.int16)
        order = np.argsort(slots, kind="stable")
        firsts = range(0, len(numbers), _BLOCKS_AT_ONCE)
        ends = np.searchsorted(slots[order], [first + _BLOCKS_AT_ONCE for first in firsts])
        for first, start, end in zip(firsts, [0, *ends], ends, strict=False):
            part = order[start:end]
            group = numbers[first : first + _BLOCKS_AT_ONCE]
            result[part] = self._gather(section, group, slots[part] - first, indices[part], cache)
        return result

    def read_all(self, material: str) -> Values:
        """Return every value of a section: int8[positions] for wdl, else int16[positions].

        Raises:
            KeyError, CorruptTableError, ClosedTablebaseError: as in `value`.
        """
        section = self._sections[material]
        kind = np.int8 if self.header.metric == "wdl" else np.int16
        try:
            result: npt.NDArray[Any] = np.full(section.positions, section.alphabet[0], kind)
        except MemoryError:
            problem = f"{material} claims {section.positions} positions, too many for the memory"
            raise CorruptTableError(self.path, problem) from None
        lookup = section.lookup.astype(kind)
        for block, packed in self._all_blocks(section):
            start = block << section.shift
            count = section.header.block_positions(block)
            symbols = unpack(packed, section.bits, count)
            result[start : start + count] = self._translate(section, lookup, symbols)
        return result

    def check(self) -> None:
        """Read the whole file and compare every checksum.

        Raises:
            CorruptTableError: names the first thing that is wrong.
        """
        for section in self._sections.values():
            checksum = xxhash.xxh3_64()
            for block, packed in self._all_blocks(section):
                checksum.update(packed)
                count = section.header.block_positions(block)
                self._translate(section, section.lookup, unpack(packed, section.bits, count))
            if checksum.intdigest() != section.header.packed_checksum:
                problem = f"{section.material} decodes to other values than were written"
                raise CorruptTableError(self.path, f"{problem}; {REPAIR}")

    def content_digest(self, free: Mapping[str, Mask | None]) -> str:
        """Return the digest of the values read now, free positions masked out.

        It equals ``header.content_digest`` if ``free`` gives for each material the same mask
        that the writer was given. Errors as in `read_all`.
        """
        return content_digest(
            (material, self.read_all(material), free.get(material)) for material in self.materials
        )

    def close(self) -> None:
        """Give the file back; reading raises ClosedTablebaseError from now on."""
        self._file.close()

    def __enter__(self) -> Table:
        """Return the table itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the table."""
        self.close()

    def __repr__(self) -> str:
        """Name the file."""
        return f"Table({self.path!r})"

    def _read_header(self) -> TableHeader:
        start = self._file.read(_FIRST_READ, 0)
        size = header_size(start, self.path, self._file.size())
        if size > len(start):
            start += self._file.read(size - len(start), len(start))
        return unpack_header(start[:size], self.path)

    def _index_of(self, section: _Section) -> _Index:
        if section.index is None:
            self._read_index()  # no lock: threads that come together read the same
        assert section.index is not None
        return section.index

    def _read_index(self) -> None:
        """Read where the blocks of all sections are; see `format` for the layout."""
        header = self.header
        data = self._file.read(header.index_bytes, header.header_bytes)
        if xxhash.xxh3_64_intdigest(data) != header.index_checksum:
            raise CorruptTableError(self.path, f"damaged block index (checksum differs); {REPAIR}")
        end = header.header_bytes + header.index_bytes
        at = 0
        found: list[_Index] = []
        for section in self._sections.values():
            blocks = section.header.blocks
            sizes = np.frombuffer(data, "<u4", blocks, at)
            checksums = np.frombuffer(data, "<u8", blocks, at + 4 * blocks)
            at += 12 * blocks
            largest = 2 * section.header.packed_bytes(0) + _FRAME_OVERHEAD if blocks else 0
            if blocks and not 0 < sizes.min() <= sizes.max() <= largest:
                raise CorruptTableError(self.path, f"inconsistent block index; {REPAIR}")
            offsets = np.full(blocks + 1, end, np.int64)
            offsets[1:] += np.cumsum(sizes, dtype=np.int64)
            end = int(offsets[-1])
            found.append(_Index(offsets, checksums.astype(np.uint64, copy=False)))
        if end != header.file_bytes:
            raise CorruptTableError(self.path, f"inconsistent block index; {REPAIR}")
        for section, index in zip(self._sections.values(), found, strict=True):
            section.index = index

    def _load(self, section: _Section, block: int) -> bytes:
        """Read, check and decode one block; the result is packed still."""
        index = self._index_of(section)
        start, end = index.offsets[block : block + 2].tolist()
        stored = self._file.read(end - start, start)
        if xxhash.xxh3_64_intdigest(stored) != int(index.checksums[block]):
            problem = f"block {block} of {section.material} is damaged (checksum differs)"
            raise CorruptTableError(self.path, f"{problem}; {REPAIR}")
        try:
            return unpack_frame(stored, section.header.packed_bytes(block), section.header.unit)
        except BadFrame as error:
            problem = f"block {block} of {section.material} does not decode ({error})"
            raise CorruptTableError(self.path, f"{problem}; {REPAIR}") from error

    def _all_blocks(self, section: _Section) -> Iterator[tuple[int, bytes]]:
        for block in range(section.header.blocks):
            yield block, self._load(section, block)

    def _gather(
        self,
        section: _Section,
        numbers: npt.NDArray[np.int64],  # [k], ascending
        slots: npt.NDArray[np.int64],  # [n], which of the k blocks each index is in
        indices: npt.NDArray[np.int64],  # [n]
        cache: BlockCache,
    ) -> npt.NDArray[np.int16]:
        """Look n values up in k blocks laid side by side; only the section's last may be short."""
        joined = b"".join([self._block(section, block, cache) for block in numbers.tolist()])
        places = indices & section.mask
        places |= slots << section.shift
        symbols: npt.NDArray[Any]
        if section.bits == 2:
            data = np.frombuffer(joined, np.uint8)
            symbols = data[places >> 2] >> ((places & 3) << 1).astype(np.uint8) & 3
        else:
            symbols = np.frombuffer(joined, np.uint8 if section.bits == 8 else "<u2")[places]
        return self._translate(section, section.lookup, symbols)

    def _block(self, section: _Section, block: int, cache: BlockCache) -> bytes:
        key = section.key + block
        packed = cache.get(key)
        if packed is None:
            packed = self._load(section, block)
            cache.put(key, packed)
        return packed

    def _translate(
        self, section: _Section, lookup: npt.NDArray[Any], symbols: npt.NDArray[Any]
    ) -> npt.NDArray[Any]:
        try:
            values: npt.NDArray[Any] = lookup[symbols]
        except IndexError:
            raise self._bad_symbol(section) from None
        return values

    def _bad_symbol(self, section: _Section) -> CorruptTableError:
        problem = f"{section.material} holds a symbol outside of its alphabet"
        return CorruptTableError(self.path, f"{problem}; {REPAIR}")


def _check_purpose(
    path: str,
    header: TableHeader,
    rules_key: str | None,
    rules_digest: str | None,
    metric: str | None,
) -> None:
    """Raise CorruptTableError unless the file was made for these rules and this metric."""
    if rules_key is not None and header.rules_key != rules_key:
        raise CorruptTableError(
            path,
            f"made for the rules {header.rules_key!r}, not {rules_key!r}; "
            "move it to the directory of its rules, or open it with them",
        )
    if rules_digest is not None and header.rules_digest != rules_digest:
        raise CorruptTableError(
            path,
            f"made for another edition of the rules {header.rules_key!r} "
            f"(digest {header.rules_digest}, these have {rules_digest}); build it again",
        )
    if metric is not None and header.metric != metric:
        raise CorruptTableError(
            path, f"holds the metric {header.metric!r}, not {metric!r}; give it its name back"
        )
