"""Numba, imported when the first kernel is compiled, and the lock under which that happens."""

from __future__ import annotations

import logging  # noqa: F401  # before the hooks below, see there
import os
import threading
from typing import Any

_import_lock = threading.RLock()
_compiler_lock: Any = None
"""Numba's own, under which everything is compiled; None until Numba is here."""
_held: list[tuple[Any, ...]] = []


def _before_fork() -> None:
    """Wait for whoever imports or compiles: a child has no thread that could open their locks."""
    while True:
        compiler_lock = _compiler_lock
        locks = (_import_lock,) if compiler_lock is None else (compiler_lock, _import_lock)
        for lock in locks:
            lock.acquire()
        if _compiler_lock is compiler_lock:
            _held.append(locks)
            return
        for lock in reversed(locks):  # Numba came while we waited
            lock.release()


def _after_fork() -> None:
    for lock in reversed(_held.pop()):
        lock.release()


# An import of Numba takes the lock of ``logging`` while it holds ours, so a fork must take ours
# first. Forks call what was registered last first: ``logging`` had to be imported above.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork
    )


def ready() -> Any:
    """The lock under which dispatchers are made, with Numba loaded.

    It is the compiler's: a lock of our own would be taken before it by a thread that makes the
    first dispatcher, and after it by one that compiles.
    """
    load_numba()
    return _compiler_lock


def load_numba() -> None:
    """Import Numba, and all that is imported late with it; forks wait for that.

    A module whose import another thread has begun can never be imported in a child.
    """
    global _compiler_lock
    if _compiler_lock is None:
        with _import_lock:
            import numba
            import numpy as np
            from numba.core.compiler_lock import global_compiler_lock

            from crownbase.jit import _numba_compiler, _numba_types  # noqa: F401

            for value in (np.empty(0), memoryview(b"")):  # the first make Numba import more
                numba.typeof(value)  # type: ignore[no-untyped-call]
            _compiler_lock = global_compiler_lock


def types() -> Any:
    """The module with the types that kernels know besides Numba's."""
    load_numba()
    from crownbase.jit import _numba_types

    return _numba_types


def compiler() -> Any:
    """The module that compiles kernels and keeps what it made."""
    load_numba()
    from crownbase.jit import _numba_compiler

    return _numba_compiler
