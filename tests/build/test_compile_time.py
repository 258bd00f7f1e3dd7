"""Compiling is in no time that claims to be building: reports, files, steps."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from crownbase import build, compiling
from crownbase.build import Progress
from crownbase.play.cli_build import _build_summary

HOURS = 10_000.0
"""Seconds of each pretended compilation; a build of two pieces takes none of that itself."""


def test_reports_and_files_leave_compiling_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ahead = [0.0]
    for name in ("perf_counter", "process_time", "thread_time"):
        real = getattr(time, name)
        monkeypatch.setattr(f"time.{name}", lambda real=real: real() + ahead[0])
    steps: list[Progress] = []

    def progress(step: Progress) -> None:
        steps.append(step)
        if step.event == "start":
            compiling.started("crownbase.retro.scalar.solve_groups")
            ahead[0] += HOURS
            compiling.ended()

    report = build(tmp_path, rules="english", pieces=2, progress=progress, jobs=1)
    assert report.compile_seconds >= HOURS  # told, and part of the time that passed
    assert report.seconds >= report.compile_seconds
    assert report.cpu_seconds < HOURS
    for piece in report.slices:
        assert piece.solve_cpu_s + piece.write_cpu_s < HOURS
    assert all(step.seconds < HOURS for step in steps)
    manifest = json.loads((tmp_path / "english" / "manifest.json").read_text())
    for metrics in manifest["slices"].values():
        assert all(entry["seconds"] < HOURS for entry in metrics.values())
    # The fields for programs are the promised ones; people are told.
    assert list(report.to_json()) == ["rules", "seconds", "cpu_seconds", "slices"]
    assert "of compiling beside it" in _build_summary(report, "db")
