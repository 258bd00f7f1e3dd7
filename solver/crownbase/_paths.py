"""Paths that people type: on the command line, in the environment, in what programs send us."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from crownbase.errors import CrownbaseError

_SHOWN = 200


def typed_path(text: str | os.PathLike[str]) -> Path:
    """The path that a text names, ``~`` and ``~user`` expanded.

    Raises:
        CrownbaseError: no path can look like this, or that user has no home directory.
    """
    path = os.fspath(text)
    shown = path if len(path) <= _SHOWN else path[:_SHOWN] + "..."
    try:
        if not path or b"\0" in os.fsencode(path):
            raise ValueError
    except ValueError:  # also a character that no file system can write
        raise CrownbaseError(f"{shown!r} is no name of a file or directory") from None
    try:
        return Path(path).expanduser()
    except RuntimeError:
        raise CrownbaseError(f"{shown!r}: no such user, or no home directory") from None


def read_text(path: Path, most: int) -> str:
    """The text of an ordinary file in UTF-8 of at most *most* bytes.

    Never waits, as opening a pipe would.

    Raises:
        CrownbaseError: it is no ordinary file, too large, or no text in UTF-8.
        OSError: it is not there or may not be read.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    descriptor = os.open(path, flags)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise CrownbaseError(f"{path}: not an ordinary file")
        with open(descriptor, "rb", closefd=False) as file:
            data = file.read(most + 1)
    finally:
        os.close(descriptor)
    if len(data) > most:
        raise CrownbaseError(f"{path}: has more than {most} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CrownbaseError(f"{path}: not a text file in UTF-8") from None


def check_directory(path: Path, what: str) -> Path:
    """The path of a directory that is there; *what* says how to name or make another one.

    Raises:
        CrownbaseError: nothing is there, no directory, or it cannot be looked at.
    """
    reason = "no directory"
    try:
        if path.is_dir():
            return path
    except OSError as error:
        reason = f"{error.strerror or error}:"
    name = str(path)
    raise CrownbaseError(f"{reason} {name[:_SHOWN]!r}; {what}")


def check_writable(path: Path | None) -> None:
    """Refuse a file that cannot be written before the work for it is done.

    A pipe is refused as well: to open one waits until somebody reads it.

    Raises:
        CrownbaseError: no such folder, no ordinary file, or no right to write there.
    """
    if path is None:
        return
    try:
        there = path.exists()
        fits = path.is_file() or path.is_char_device() if there else path.parent.is_dir()
        good = fits and os.access(path if there else path.parent, os.W_OK)
    except OSError:
        good = False
    if not good:
        name = str(path)
        shown = name if len(name) <= _SHOWN else name[:_SHOWN] + "..."
        raise CrownbaseError(f"cannot write to {shown}; name a file in a folder that you may write")
