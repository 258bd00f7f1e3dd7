"""A cache of decoded blocks with a bound on its memory, shared by tables and threads.

Blocks are kept packed, as bytes: four positions to a byte where a section has at most four
values. Keys are integers that no two blocks of open tables share; see `reader.Table`.
"""

from __future__ import annotations

import threading
from collections import OrderedDict

from crownbase.table.forks import mind_forks

_OVERHEAD = 150  # bytes that a small entry costs beside its data (bytes object, key, link)


class BlockCache:
    """Keeps the blocks used last, up to a number of bytes. All methods are thread-safe."""

    def __init__(self, max_bytes: int = 256 << 20) -> None:
        """Allow so many bytes; 0 keeps nothing."""
        if max_bytes < 0:
            raise ValueError("a cache cannot hold less than 0 bytes")
        self.max_bytes = max_bytes
        self._blocks: OrderedDict[int, bytes] = OrderedDict()
        self._bytes = 0
        self._lock = threading.RLock()
        mind_forks(self)

    def _mend(self) -> None:
        """Nothing is half changed while the lock is held by who forks."""

    def get(self, key: int) -> bytes | None:
        """Return the block and mark it as used, or None if it is not here."""
        with self._lock:
            packed = self._blocks.get(key)
            if packed is not None:
                self._blocks.move_to_end(key)
            return packed

    def put(self, key: int, packed: bytes) -> None:
        """Keep a block; those unused for longest make room for it."""
        with self._lock:
            old = self._blocks.pop(key, None)
            if old is not None:
                self._bytes -= len(old) + _OVERHEAD
            self._blocks[key] = packed
            self._bytes += len(packed) + _OVERHEAD
            while self._bytes > self.max_bytes:
                _, dropped = self._blocks.popitem(last=False)
                self._bytes -= len(dropped) + _OVERHEAD

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._blocks.clear()
            self._bytes = 0

    @property
    def bytes_used(self) -> int:
        """Bytes that the kept blocks take now."""
        return self._bytes

    def __len__(self) -> int:
        """Return the number of blocks kept."""
        return len(self._blocks)
