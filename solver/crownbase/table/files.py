"""Contact with the file system: few open files for reading, all or nothing for writing.

Reading: a `FilePool` keeps the descriptors used last, up to a limit, so that a database of
thousands of tables needs no more open files than one of ten. A descriptor that a thread is
reading from is never closed; one whose file nobody has any more closes itself. Where the system
has no more descriptors, pools give up idle ones. A forked child reads from the same descriptors,
each read with its own offset. Writing: under a temporary name, to the disk, then renamed.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import stat
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar
from weakref import WeakSet, ref

from crownbase.errors import (
    BuildError,
    ClosedTablebaseError,
    CorruptTableError,
    MissingTableError,
)
from crownbase.table.forks import mind_forks

DEFAULT_OPEN_FILES = 64
_OPEN_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_NONBLOCK", 0)  # a FIFO in the table directory must not stop us
)
_CREATE_FLAGS = (
    os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
)
NO_MORE_FILES = (errno.EMFILE, errno.ENFILE)
_SERIAL = itertools.count()
_SEEK_LOCK = threading.Lock()

_T = TypeVar("_T")


class _Descriptor:
    """An open file, closed when nobody has this object any more."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number

    def __del__(self, close: Callable[[int], None] = os.close) -> None:
        close(self.number)


class PooledFile:
    """One file to read; its descriptor comes and goes as the pool sees fit."""

    def __init__(self, path: str | os.PathLike[str], pool: FilePool) -> None:
        """Remember the path; nothing is opened yet."""
        self.path = os.path.abspath(path)
        self._pool = pool
        self._reference = ref(self)
        self._descriptor: _Descriptor | None = None
        self._users = 0
        self._closed = False
        self._identity: tuple[int, ...] | None = None  # of the file first opened

    def read(self, size: int, offset: int) -> bytes:
        """Return ``size`` bytes, the first at ``offset`` bytes of the file; fewer at its end.

        Raises:
            MissingTableError: no such file.
            CorruptTableError: the file cannot be opened or read, or was replaced meanwhile.
            ClosedTablebaseError: after `close`.
        """
        descriptor = self._pool._acquire(self)
        try:
            return _read(descriptor.number, size, offset)
        except OSError as error:
            raise CorruptTableError(
                self.path, f"cannot be read: {error.strerror or error}"
            ) from error
        finally:
            self._pool._release(self)

    def size(self) -> int:
        """Return the size of the file in bytes; errors as in `read`."""
        descriptor = self._pool._acquire(self)
        try:
            return os.fstat(descriptor.number).st_size
        finally:
            self._pool._release(self)

    def close(self) -> None:
        """Give the descriptor back, at once or when the last reader is done."""
        self._pool._forget(self)

    def _open(self) -> _Descriptor:
        """Open the file and check that it is the one that was opened before."""
        descriptor = _Descriptor(os.open(self.path, _OPEN_FLAGS))
        found = os.fstat(descriptor.number)
        if not stat.S_ISREG(found.st_mode):
            raise CorruptTableError(self.path, "not an ordinary file")
        identity = (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)
        if self._identity not in (None, identity):
            raise CorruptTableError(
                self.path, "replaced after it was opened; open the tables again"
            )
        self._identity = identity
        return descriptor


class FilePool:
    """Bounds the number of descriptors that its files hold; thread-safe."""

    def __init__(self, limit: int = DEFAULT_OPEN_FILES) -> None:
        """Allow so many open descriptors, at least one."""
        if limit < 1:
            raise ValueError("a pool needs at least one open file")
        self.limit = limit
        # Least recently used first; files that went without `close` stay until somebody looks.
        self._open: OrderedDict[ref[PooledFile], None] = OrderedDict()
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        _POOLS.add(self)
        mind_forks(self)

    @property
    def open_files(self) -> int:
        """Number of descriptors open now."""
        return sum(file() is not None for file in self._open.copy())

    def _mend(self) -> None:
        """In a forked child no other thread reads or waits."""
        self._changed = threading.Condition(self._lock)
        for reference in self._open:
            file = reference()
            if file is not None:
                file._users = 0

    def _acquire(self, file: PooledFile) -> _Descriptor:
        with self._lock:
            while True:
                if file._closed:
                    raise ClosedTablebaseError(f"{file.path} is closed; open the tables again")
                descriptor = file._descriptor
                if descriptor is not None:
                    self._open.move_to_end(file._reference)
                    file._users += 1
                    return descriptor
                if len(self._open) >= self.limit and not self._close_idle():
                    self._changed.wait()  # every descriptor is being read from
                else:
                    self._try_open(file)

    def _try_open(self, file: PooledFile) -> None:
        """Open a file, or wait until another try may succeed."""
        try:
            file._descriptor = with_room(file._open)
        except CorruptTableError:
            raise
        except FileNotFoundError as error:
            raise MissingTableError(f"{file.path}: no such file") from error
        except OSError as error:
            if error.errno in NO_MORE_FILES and self._open:
                self._changed.wait()  # every descriptor is being read from
                return
            raise CorruptTableError(file.path, f"cannot be opened: {reason_of(error)}") from error
        self._open[file._reference] = None

    def _close_idle(self) -> bool:
        """Close the descriptor unused for longest; False if all are in use."""
        for reference in self._open:
            file = reference()
            if file is None or file._users == 0:
                del self._open[reference]
                if file is not None:
                    file._descriptor = None
                return True
        return False

    def _close(self, file: PooledFile) -> None:
        file._descriptor = None
        del self._open[file._reference]

    def _give_up_one(self) -> bool:
        """Close an idle descriptor for somebody else; False if there is none at hand."""
        if not self._lock.acquire(blocking=False):
            return False  # whoever waited here might be waited for
        try:
            return self._close_idle()
        finally:
            self._lock.release()

    def _release(self, file: PooledFile) -> None:
        with self._lock:
            file._users -= 1
            if file._users == 0:
                if file._closed and file._descriptor is not None:
                    self._close(file)
                self._changed.notify()

    def _forget(self, file: PooledFile) -> None:
        with self._lock:
            file._closed = True
            if file._users == 0 and file._descriptor is not None:
                self._close(file)
            self._changed.notify_all()


_POOLS: WeakSet[FilePool] = WeakSet()


def with_room(open_it: Callable[[], _T]) -> _T:
    """What *open_it* returns; idle files are closed as long as the system has no descriptor for it.

    Raises:
        OSError: of *open_it*; none could be given up if it is about descriptors.
    """
    while True:
        try:
            return open_it()
        except OSError as error:
            if error.errno not in NO_MORE_FILES:
                raise
            if not any(pool._give_up_one() for pool in tuple(_POOLS)):
                raise


def reason_of(error: OSError) -> str:
    """Why something cannot be opened, and what to do if it is the number of open files."""
    reason = error.strerror or str(error)
    if error.errno in NO_MORE_FILES:
        reason += "; close some, or allow this process more (ulimit -n)"
    return reason


def _read(descriptor: int, size: int, offset: int) -> bytes:
    data = _read_at(descriptor, size, offset)
    while len(data) < size:  # a signal or a network file system may cut a read short
        more = _read_at(descriptor, size - len(data), offset + len(data))
        if not more:
            break
        data += more
    return data


def _seek_and_read(descriptor: int, size: int, offset: int) -> bytes:
    with _SEEK_LOCK:
        os.lseek(descriptor, offset, os.SEEK_SET)
        return os.read(descriptor, size)


_read_at = getattr(os, "pread", _seek_and_read)  # Windows has no pread


def write_atomically(path: str | os.PathLike[str], pieces: Iterable[bytes]) -> None:
    """Make ``path`` hold these bytes, or leave it as it was.

    The directory is made if need be. A reader sees the old file or the new one, never a part,
    whatever is interrupted and when.

    Raises:
        BuildError: disk full, no permission or the like; names the file and the reason.
    """
    target = Path(path)
    temporary = target.with_name(f".{target.name}.{os.getpid()}-{next(_SERIAL)}.tmp")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(temporary, _CREATE_FLAGS, 0o666)
        try:
            try:
                for piece in pieces:
                    _write_all(descriptor, piece)
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
            os.replace(temporary, target)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
        _sync_directory(target.parent)
    except OSError as error:
        raise BuildError(f"cannot write {target}: {error.strerror or error}") from error


def remove_temporaries(directory: str | os.PathLike[str]) -> int:
    """Remove what killed writers left behind and return how many files that were.

    Only for a moment when nobody else writes into the directory.
    """
    count = 0
    for leftover in Path(directory).glob(".*.tmp"):
        with contextlib.suppress(OSError):
            leftover.unlink()
            count += 1
    return count


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _sync_directory(directory: Path) -> None:
    """Make a rename durable, where directories can be opened at all."""
    with contextlib.suppress(OSError):
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
