"""Progress of long work on stderr: bars on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Any

from crownbase.compiling import working_time
from crownbase.play.cli_common import format_seconds, say

if TYPE_CHECKING:
    from crownbase.build import Progress, WarmStep


SECONDS_BETWEEN_LINES = 1.0


LEAST_SHARE = 100
"""Small tables come first and take their time: nothing is said before a hundredth is done."""


class Pace:
    """How fast the positions go by, from when work began; what was there before does not count.

    Times come from a clock that stands still while kernels are compiled: that happens once, and
    says nothing of the work that is left.
    """

    def __init__(self) -> None:
        self._began: float | None = None
        self._before = 0
        self._seconds = 0.0
        self._done = 0
        self._left = 0

    def update(self, step: Progress, now: float) -> None:
        """Hear of a step at a time in seconds."""
        if step.event == "skip":
            return
        if self._began is None:
            self._began = now - step.seconds
            self._before = step.finished - (step.positions if step.event == "done" else 0)
        self._seconds = now - self._began
        self._done = step.finished - self._before
        self._left = step.total - step.finished

    def text(self) -> str:
        """Positions a second, and the time that is left; empty while that would mislead."""
        if self._done * LEAST_SHARE <= self._left or self._seconds <= 0:
            return ""
        rate = self._done / self._seconds
        text = f"{rate / 1e6:,.1f} M positions/s"
        return f"{text}, {format_seconds(self._left / rate)} left" if self._left else text


class ProgressDisplay:
    """A context manager whose ``update`` is the callback that ``build`` and ``verify`` take."""

    def __init__(self, verb: str) -> None:
        self._verb = verb
        self._bars: Any = None
        self._total: Any = None
        self._running: dict[tuple[str, str], Any] = {}
        self._skipped = 0
        self._last_line = float("-inf")
        self._pace = Pace()

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
        self._pace.update(step, working_time())
        if self._bars is None:
            self._line(step)
            return
        key = (step.material, step.metric)
        if step.event == "start":
            self._running[key] = self._bars.add_task(".".join(key), total=None, pace="")
        elif key in self._running:
            self._bars.remove_task(self._running.pop(key))
        pace = self._pace.text()
        self._bars.update(self._total, completed=step.finished, total=step.total, pace=pace)

    def _line(self, step: Progress) -> None:
        if step.event == "skip":
            self._skipped += 1
        elif step.event == "done" and self._is_due(step):
            share = 100 * step.finished // max(step.total, 1)
            name = f"{step.material}.{step.metric}"
            took = format_seconds(step.seconds)
            line = f"{share:3d} %  {name:<16} {step.positions:>15,}  {took:<12}"
            say(f"{line}  {self._pace.text()}".rstrip())

    def _is_due(self, step: Progress) -> bool:
        """Whether to write a line: not more than one a second, and the last one."""
        now = time.monotonic()
        if now - self._last_line < SECONDS_BETWEEN_LINES and step.finished < step.total:
            return False
        self._last_line = now
        return True

    def _start_bars(self) -> None:
        self._bars = _bars()
        self._total = self._bars.add_task(self._verb, total=None, pace="")
        self._bars.start()


class WarmupDisplay:
    """A bar of what ``warm_up`` compiles, on a terminal; elsewhere nothing."""

    def __init__(self, rules: str) -> None:
        self._rules = rules
        self._bars: Any = None
        self._task: Any = None
        self._step: WarmStep | None = None
        self._heard = 0

    def __enter__(self) -> WarmupDisplay:
        if sys.stderr.isatty():
            self._bars = _bars()
            self._task = self._bars.add_task(self._rules, total=None, pace="")
            self._bars.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._bars is not None:
            self._bars.stop()

    def update(self, step: WarmStep) -> None:
        """A step begins: what ``warm_up`` calls."""
        self._step, self._heard = step, 0
        self._show()

    def heard(self, kernel: str, outermost: bool) -> None:
        """A kernel is compiled: a listener for ``compiling.on_compile``."""
        self._heard += 1
        self._show()

    def _show(self) -> None:
        step = self._step
        if self._bars is not None and step is not None:
            # A step of more kernels than it is said to have waits for the next one.
            done = step.done + min(self._heard, step.kernels)
            self._bars.update(self._task, completed=done, total=step.total, pace=step.what)


def _bars() -> Any:
    """Bars on stderr that go when they stop; a task has a ``pace``, a text behind its bar."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
    )

    return Progress(
        TextColumn("{task.description:<16}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[pace]}"),
        console=Console(stderr=True),
        transient=True,
    )
