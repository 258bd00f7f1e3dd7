"""Memory that the system may move to a file: for planes larger than the memory."""

from __future__ import annotations

import contextlib
import mmap
import os
import sys

import numpy as np

from crownbase.retro.rows.tables import Array

PAGE = mmap.PAGESIZE
_NO_RESERVE = getattr(mmap, "MAP_NORESERVE", 0x4000 if sys.platform == "linux" else 0)
"""Where it is 0, the system reserves none anyway, or refuses."""


class SparseWords:
    """Zeroed words at addresses of their own, which take memory only where they are used.

    Raises:
        OSError: the system gives no addresses without memory.
    """

    def __init__(self, count: int) -> None:
        """Reserve addresses for *count* words."""
        if not hasattr(mmap, "MAP_ANONYMOUS") or not hasattr(mmap, "MADV_DONTNEED"):
            raise OSError("this system reserves no addresses without memory")
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _NO_RESERVE
        self._map = mmap.mmap(-1, 8 * count, flags=flags)
        self.words: Array = np.frombuffer(self._map, np.int64)

    def clear(self, first: int = 0) -> None:
        """Make words zero again and give back their memory, from one that begins a page on."""
        self._map.madvise(mmap.MADV_DONTNEED, 8 * first)

    def release(self, start: int, size: int) -> None:
        """Give back the memory of *size* bytes from byte *start* on, but for parts of pages."""
        first = -(-start // PAGE) * PAGE
        length = (start + size) // PAGE * PAGE - first
        if length > 0:
            self._map.madvise(mmap.MADV_DONTNEED, first, length)


class ScratchFile:
    """Zeroed words in a file of their own, mapped into memory.

    The file takes room on the disk only where something was written. Its name is removed at once,
    or, on systems that do not allow that, when the object goes; a name that a killed process leaves
    there is for the caller to know.

    Raises:
        OSError: the file cannot be made.
    """

    def __init__(self, path: str | os.PathLike[str], size: int) -> None:
        """Make a file of *size* bytes."""
        self._path = os.fspath(path)
        with open(self._path, "x+b") as file:
            file.truncate(size)
            self._map = mmap.mmap(file.fileno(), size)
        self._named = True
        self._remove_name()
        self.words: Array = np.frombuffer(self._map, np.int64)

    def _remove_name(self) -> None:
        with contextlib.suppress(OSError):
            if self._named:
                os.unlink(self._path)
                self._named = False

    def release(self, words: Array) -> None:
        """Give back the memory of some of the words; what is in them stays in the file."""
        if not hasattr(mmap, "MADV_DONTNEED"):
            return
        start = words.ctypes.data - self.words.ctypes.data
        first = -(-start // PAGE) * PAGE
        length = (start + words.nbytes) // PAGE * PAGE - first
        if length > 0:
            # The mapping is shared, so that changed pages are not lost but left to the system.
            self._map.madvise(mmap.MADV_DONTNEED, first, length)

    def __del__(self) -> None:
        """Remove the name where it could not be removed before."""
        if getattr(self, "_named", False):
            self._remove_name()
