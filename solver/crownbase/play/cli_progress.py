"""Progress of a build or a verification on stderr: bars on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Any

from crownbase.play.cli_common import format_seconds, say

if TYPE_CHECKING:
    from crownbase.build import Progress


SECONDS_BETWEEN_LINES = 1.0


class ProgressDisplay:
    """A context manager whose ``update`` is the callback that ``build`` and ``verify`` take."""

    def __init__(self, verb: str) -> None:
        self._verb = verb
        self._bars: Any = None
        self._total: Any = None
        self._running: dict[tuple[str, str], Any] = {}
        self._skipped = 0
        self._last_line = float("-inf")

    def __enter__(self) -> ProgressDisplay:
        if sys.stderr.isatty():
            self._start_bars()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bars is not None:
            self._bars.stop()
        elif self._skipped and kind is None:
            say(f"{self._skipped} tables were there and check out")

    def update(self, step: Progress) -> None:
        """Show one step; called from one thread at a time."""
        if self._bars is None:
            self._line(step)
            return
        key = (step.material, step.metric)
        if step.event == "start":
            self._running[key] = self._bars.add_task(".".join(key), total=None)
        elif key in self._running:
            self._bars.remove_task(self._running.pop(key))
        self._bars.update(self._total, completed=step.finished, total=step.total)

    def _line(self, step: Progress) -> None:
        if step.event == "skip":
            self._skipped += 1
        elif step.event == "done" and self._is_due(step):
            share = 100 * step.finished // max(step.total, 1)
            name = f"{step.material}.{step.metric}"
            took = format_seconds(step.seconds)
            say(f"{share:3d} %  {name:<16} {step.positions:>15,}  {took}")

    def _is_due(self, step: Progress) -> bool:
        """Whether to write a line: not more than one a second, and the last one."""
        now = time.monotonic()
        if now - self._last_line < SECONDS_BETWEEN_LINES and step.finished < step.total:
            return False
        self._last_line = now
        return True

    def _start_bars(self) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            Progress,
            TaskProgressColumn,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        self._bars = Progress(
            TextColumn("{task.description:<16}"),
            BarColumn(),
            TaskProgressColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._total = self._bars.add_task(self._verb, total=None)
        self._bars.start()
