"""What a build says about its pace."""

from __future__ import annotations

from typing import Any

import pytest

from crownbase import compiling
from crownbase.build import Progress, WarmStep
from crownbase.play.cli_progress import Pace, ProgressDisplay, WarmupDisplay


def step(event: str, positions: int, finished: int, total: int = 10_000_000) -> Progress:
    return Progress(event, "KKvK", "wdl", positions, finished, total)


def test_the_pace_counts_from_when_work_began() -> None:
    pace = Pace()
    pace.update(step("skip", 4_000_000, 4_000_000), 100.0)
    assert pace.text() == ""
    pace.update(step("start", 2_000_000, 4_000_000), 200.0)
    assert pace.text() == ""
    pace.update(step("done", 2_000_000, 6_000_000), 204.0)
    assert pace.text() == "0.5 M positions/s, 8.0 s left"
    pace.update(step("done", 4_000_000, 10_000_000), 210.0)
    assert pace.text() == "0.6 M positions/s"


def test_lines(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter(range(0, 100, 2))
    monkeypatch.setattr("crownbase.play.cli_progress.working_time", lambda: next(times))
    monkeypatch.setattr("sys.stderr.isatty", lambda: False, raising=False)
    with ProgressDisplay("building") as display:
        display.update(step("skip", 4_000_000, 4_000_000))
        display.update(step("start", 6_000_000, 4_000_000))
        display.update(step("done", 6_000_000, 10_000_000))
    line, last = capsys.readouterr().err.splitlines()
    assert line.split() == "100 % KKvK.wdl 6,000,000 0.0 s 3.0 M positions/s".split()
    assert last == "1 tables were there and check out"


def test_compiling_is_in_no_speed_and_no_time_left(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 64 s 60 went into compiling: 2 M positions in 4 s are 0.5 M/s, and 6 M take 12 s more."""
    now = [1000.0]
    monkeypatch.setattr("crownbase.compiling.time.perf_counter", lambda: now[0])
    monkeypatch.setattr("sys.stderr.isatty", lambda: False, raising=False)
    with ProgressDisplay("building") as display:
        display.update(step("start", 2_000_000, 0, 8_000_000))
        now[0] += 1.0
        compiling.started("crownbase.retro.scalar.solve_groups")
        now[0] += 60.0
        compiling.ended()
        now[0] += 3.0
        display.update(step("done", 2_000_000, 2_000_000, 8_000_000))
    assert capsys.readouterr().err.rstrip().endswith("0.5 M positions/s, 12.0 s left")


class Bars:
    """Stands for rich's bars and keeps what they were told."""

    def __init__(self) -> None:
        self.seen: list[tuple[int, int, str]] = []

    def add_task(self, *arguments: Any, **options: Any) -> int:
        return 0

    def start(self) -> None:
        pass

    stop = start

    def update(self, task: int, *, completed: int, total: int, pace: str) -> None:
        self.seen.append((completed, total, pace))


def test_a_warm_up_moves_its_bar_with_every_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    bars = Bars()
    monkeypatch.setattr("crownbase.play.cli_progress._bars", lambda: bars)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with WarmupDisplay("english") as display:
        display.update(WarmStep("the solver", 0, 2, 5))
        for kernel in ("a", "b", "c"):  # one more than expected: the bar waits
            display.heard(kernel, False)
        display.update(WarmStep("the search", 2, 3, 5))
        display.update(WarmStep("", 5, 0, 5))  # all came from the cache
    assert [done for done, _, _ in bars.seen] == [0, 1, 2, 2, 2, 5]
    assert {total for _, total, _ in bars.seen} == {5}
    assert bars.seen[-2][2] == "the search"
