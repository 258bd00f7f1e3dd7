"""The directory that a build writes to: whose turn it is, what is there, whether more fits.

DIRECTORY/                 what --db names
    english/               one folder per rule set
        manifest.json
        KKvK.wdl  KKvK.dtc ...
        .lock              held while somebody builds here
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from crownbase.errors import BuildError

LOCK_NAME = ".lock"


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Make the folder and hold it, so that two builds never write to the same place.

    The operating system drops the lock when the process ends, however it ends.

    Raises:
        BuildError: the folder cannot be written, or another process is building there.
    """
    path = folder / LOCK_NAME
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = _acquire(path)
    except OSError as error:
        raise BuildError(
            f"cannot write to {folder}: {error.strerror}; choose another directory with --db"
        ) from error
    try:
        yield
    finally:
        # Removed while it is still held: _acquire notices a lock file that is no longer there.
        with contextlib.suppress(OSError):
            path.unlink()
        file.close()


def _acquire(path: Path) -> IO[str]:
    while True:
        file = _open(path)
        try:
            _lock(file)
        except OSError:
            file.seek(0)
            owner = file.read().strip()
            file.close()
            who = f"process {owner}" if owner else "another process"
            raise BuildError(
                f"{who} is building in {path.parent}; wait for it or choose another --db"
            ) from None
        if _is_still(file, path):
            break
        file.close()
    file.seek(0)
    file.truncate()
    file.write(f"{os.getpid()}\n")
    file.flush()
    return file


def _open(path: Path) -> IO[str]:
    """The lock file, made if need be; a pipe of that name is not waited for.

    Raises:
        BuildError: something else has its name.
        OSError: it cannot be opened or made.
    """
    strange = BuildError(f"{path}: not an ordinary file; remove it, or choose another --db")
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND
    flags |= getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        descriptor = os.open(path, flags, 0o666)
    except OSError:
        if path.exists() and not path.is_file():
            raise strange from None
        raise
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise strange
    return open(descriptor, "a+", encoding="ascii")


def _is_still(file: IO[str], path: Path) -> bool:
    """Whether the locked file is the one that the path names now."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), os.stat(path))
    except OSError:
        return False


if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[str]) -> None:
        # The first bytes stay readable for others, since Windows locks are mandatory.
        file.seek(2**30)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(file: IO[str]) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)


def check_free_space(folder: Path, needed: int) -> None:
    """Refuse a build that cannot end well.

    Raises:
        BuildError: with the numbers, if less than *needed* bytes are free.
    """
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise BuildError(
            f"{folder} has {_megabytes(free)} free, but the tables need about "
            f"{_megabytes(needed)}; make room or choose another directory with --db"
        )


def available_memory() -> int:
    """Bytes of memory that may be used without swapping; a guess where nobody tells."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return _address_space(int(line.split()[1]) * 1024)
    with contextlib.suppress(OSError, ValueError, AttributeError):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * 3 // 4
    return 4 << 30


def _address_space(memory: int) -> int:
    """*memory*, or less if the process has a limit (``ulimit -v``)."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        soft, _ = resource.getrlimit(resource.RLIMIT_AS)
        if soft != resource.RLIM_INFINITY:
            return min(memory, soft)
    return memory


def _megabytes(count: int) -> str:
    return f"{count / 2**20:,.1f} MiB"
