"""What a build says about its pace."""

from __future__ import annotations

import pytest

from crownbase.build import Progress
from crownbase.play.cli_progress import Pace, ProgressDisplay


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
