"""Running a kernel in a thread of its own, so that something outside can stop it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

POLL = 0.01
"""Seconds between two looks at the outside."""


def run_watched(
    kernel: Callable[..., Any],
    arguments: tuple[Any, ...],
    must_stop: Callable[[], bool],
    flags: Any,
    slot: int,
) -> Any:
    """The kernel's result. *must_stop* is asked every ``POLL`` seconds until it says True,
    which sets ``flags[slot]``.

    That is the word which the kernel polls. An exception here, KeyboardInterrupt too, stops the
    kernel before it goes on its way; one of the kernel is raised here.
    """
    box: list[Any] = []

    def run() -> None:
        try:
            box.append(kernel(*arguments))
        except BaseException as error:
            box.append(error)

    thread = threading.Thread(target=run, name="crownbase-search", daemon=True)
    thread.start()
    try:
        thread.join(POLL / 10)
        while thread.is_alive():
            if must_stop():
                flags[slot] = 1
                break  # it is not asked again, however long the kernel takes
            thread.join(POLL)
        thread.join()
    except BaseException:
        flags[slot] = 1
        thread.join()
        raise
    if isinstance(box[0], BaseException):
        raise box[0]
    return box[0]
