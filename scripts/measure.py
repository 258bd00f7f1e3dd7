"""Timing for the measuring scripts: user CPU of this process, wall time of a new one."""

from __future__ import annotations

import hashlib
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable


def cpu_seconds(action: Callable[[], object], repeat: int) -> float:
    """Median user CPU seconds of an action."""
    times = []
    for _ in range(repeat):
        begin = resource.getrusage(resource.RUSAGE_SELF).ru_utime
        action()
        times.append(resource.getrusage(resource.RUSAGE_SELF).ru_utime - begin)
    return statistics.median(times)


def reference_rate() -> float:
    """SHA-256 in MiB a second of user CPU: how fast this machine is now."""
    block = bytes(64 << 20)
    return 64 / cpu_seconds(lambda: hashlib.sha256(block).digest(), 3)


def wall_seconds(*arguments: str, repeat: int) -> float:
    """Least wall time of a command in a new process."""
    times = []
    for _ in range(repeat):
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-m", "crownbase", *arguments], check=True,
                       stdout=subprocess.DEVNULL)  # fmt: skip
        times.append(time.perf_counter() - begin)
    return min(times)
