"""Numba, imported when the first kernel is compiled, and the lock under which that happens."""

from __future__ import annotations

import os
import threading
from typing import Any

_lock = threading.RLock()
_loaded = False


def _keep_over_forks(lock: Any) -> None:
    """Whoever forks waits for *lock*: the child has no thread that could ever open it."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(
            before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release
        )


_keep_over_forks(_lock)


def ready() -> threading.RLock:
    """The lock under which dispatchers are made, with Numba loaded."""
    load_numba()
    return _lock


def load_numba() -> None:
    """Import Numba; forks wait for its lock from then on."""
    global _loaded
    if _loaded:
        return
    with _lock:
        if _loaded:
            return
        from numba.core.compiler_lock import global_compiler_lock

        # Taken before ours in a fork (last registered, first called), as by a thread that compiles.
        _keep_over_forks(global_compiler_lock)
        _loaded = True


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
