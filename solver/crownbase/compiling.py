"""Compilation made visible: who is told of it, and clocks that leave it out.

Numba compiles a kernel at its first call for a rule set, if the cache on disk does not have it;
``jit._numba_compiler`` reports here what is really compiled, and nothing that only comes from the
cache. A kernel that is compiled compiles those that it calls on the way: only the outermost one
counts as a compilation. Numba compiles in one thread at a time; others that need a compiler wait
for it.

Programs hear of compilations through ``on_compile``, or by the logger ``crownbase`` at level INFO.
The ``working`` clocks stand still while something is compiled, so that speeds, times left and
solving times are those of the work itself. All times are in seconds.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

Listener = Callable[[str, bool], None]
"""Hears the dotted name of each kernel when its compilation starts, and whether it is outermost.

Called in the thread that compiles, which waits; it must not raise.
"""


class _Total(NamedTuple):
    """Times of the compilations that are over, and when the running one began."""

    seconds: float = 0.0
    cpu_seconds: float = 0.0
    began: float | None = None


_listeners: list[Listener] = []
# Replaced as a whole, by the one thread that Numba lets compile: readers need no lock, which a
# forked child might find closed for ever.
_total = _Total()


class _OfThread(threading.local):
    """What this thread compiles, and has compiled."""

    depth = 0
    cpu_began = 0.0
    cpu_seconds = 0.0


_mine = _OfThread()


def on_compile(listener: Listener) -> Callable[[], None]:
    """Tell *listener* of every compilation from now on; call what is returned to end that."""
    _listeners.append(listener)
    return lambda: _listeners.remove(listener)


@contextlib.contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Tell *listener* of every compilation within a block."""
    stop = on_compile(listener)
    try:
        yield
    finally:
        stop()


def started(kernel: str) -> None:
    """Numba begins to compile a kernel, in this thread."""
    global _total
    outermost = _mine.depth == 0
    _mine.depth += 1
    if outermost:
        _mine.cpu_began = time.thread_time()
        _total = _total._replace(began=time.perf_counter())
        import logging

        logging.getLogger("crownbase").info("compiling %s", kernel)
    for listener in tuple(_listeners):
        listener(kernel, outermost)


def ended() -> None:
    """Numba is done with the kernel that this thread started last, or gave up."""
    global _total
    _mine.depth -= 1
    if _mine.depth:
        return
    cpu = time.thread_time() - _mine.cpu_began
    _mine.cpu_seconds += cpu
    _total = _Total(compile_seconds(), _total.cpu_seconds + cpu)


def is_compiling() -> bool:
    """Whether something is being compiled now, in any thread."""
    return _total.began is not None


def is_compiling_elsewhere() -> bool:
    """Whether another thread compiles, so that a call of a new kernel would wait for it."""
    return _total.began is not None and _mine.depth == 0


def compile_seconds() -> float:
    """Wall time of all compilations of this process, the running one included."""
    total = _total
    running = 0.0 if total.began is None else time.perf_counter() - total.began
    return total.seconds + running


def working_time() -> float:
    """``time.perf_counter`` without the time in which any thread compiled."""
    return time.perf_counter() - compile_seconds()


def working_thread_time() -> float:
    """CPU time of this thread without its compilations; not to be called during one."""
    return time.thread_time() - _mine.cpu_seconds


def working_process_time() -> float:
    """CPU time of all threads without the compilations that are over."""
    return time.process_time() - _total.cpu_seconds
