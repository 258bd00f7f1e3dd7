"""What a forked child must find in order: locks that other threads held, counts of what they did.

A child of ``os.fork`` has only the thread that forked. A lock that another thread held at that
moment would stay shut in the child for ever, with its data half changed. So whoever forks waits
until nobody is inside, and goes on with everything open on both sides.

Objects are registered, not locks: a child may have to mend more than the lock.
"""

from __future__ import annotations

import os
import threading
from typing import Protocol
from weakref import WeakSet


class Shared(Protocol):
    """What threads share behind a lock that they hold for a short time, taking no other one."""

    _lock: threading.RLock

    def _mend(self) -> None:
        """In a forked child: forget what the threads were doing that are not here any more."""


_registry_lock = threading.RLock()
_registry: WeakSet[Shared] = WeakSet()
_stopped: list[Shared] = []


def mind_forks(shared: Shared) -> None:
    """Keep an object in order across forks as long as it lives."""
    with _registry_lock:
        _registry.add(shared)


def _stop() -> None:
    _registry_lock.acquire()
    _stopped[:] = _registry
    for shared in _stopped:
        shared._lock.acquire()


def _go_on() -> None:
    for shared in _stopped:
        shared._lock.release()
    _stopped.clear()
    _registry_lock.release()


def _go_on_in_child() -> None:
    for shared in _stopped:
        shared._mend()
    _go_on()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_stop, after_in_parent=_go_on, after_in_child=_go_on_in_child)
