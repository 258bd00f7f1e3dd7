"""What is told of compilations, and clocks that leave them out."""

from __future__ import annotations

import logging
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from crownbase import compiling
from crownbase.jit import INTERPRETED
from crownbase.play.cli_compiling import PARTS, Notices, part_of

Command = Callable[..., subprocess.CompletedProcess[str]]
needs_compiler = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")


class Clock:
    """A time that stands still until it is told to go on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        for name in ("perf_counter", "thread_time", "process_time"):
            monkeypatch.setattr(f"crownbase.compiling.time.{name}", lambda: self.now)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    monkeypatch.setattr(compiling, "_total", compiling._Total())
    monkeypatch.setattr(compiling, "_mine", compiling._OfThread())
    return Clock(monkeypatch)


def test_working_clocks_stand_still_while_something_is_compiled(clock: Clock) -> None:
    clocks = (
        compiling.working_time,
        compiling.working_thread_time,
        compiling.working_process_time,
    )
    before = [read() for read in clocks]
    compiling.started("crownbase.retro.scalar.solve")
    clock.now += 5.0
    assert compiling.working_time() == before[0]  # also during the compilation
    compiling.started("crownbase.retro.scalar.reach")  # compiled on the way
    clock.now += 5.0
    compiling.ended()
    compiling.ended()
    assert [read() for read in clocks] == before
    clock.now += 2.0
    assert [read() - then for read, then in zip(clocks, before, strict=True)] == [2.0] * 3
    assert compiling.compile_seconds() == 10.0


def test_the_cpu_time_of_other_threads_is_their_own(clock: Clock) -> None:
    before = compiling.working_thread_time()

    def other() -> None:
        compiling.started("crownbase.board.moves.legal_moves")
        assert compiling.is_compiling() and not compiling.is_compiling_elsewhere()
        clock.now += 3.0
        compiling.ended()

    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert compiling.working_thread_time() - before == 3.0
    assert compiling.working_time() == 100.0


def test_listeners_hear_every_kernel_and_which_is_outermost() -> None:
    heard: list[tuple[str, bool]] = []
    with compiling.listening(lambda kernel, outermost: heard.append((kernel, outermost))):
        compiling.started("a")
        compiling.started("b")
        compiling.ended()
        compiling.ended()
    compiling.started("c")
    compiling.ended()
    assert heard == [("a", True), ("b", False)]


def test_a_python_user_may_listen_by_logging(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="crownbase"):
        compiling.started("crownbase.search.node.search_root")
        compiling.ended()
    assert caplog.messages == ["compiling crownbase.search.node.search_root"]


# -- the command -------------------------------------------------------------------------------


def test_one_line_for_each_part(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    lines: list[str] = []
    notices = Notices(lines.append)
    notices("crownbase.retro.scalar.solve_groups", True)
    notices("crownbase.board.moves.legal_moves", False)
    notices("crownbase.retro.king_placements.king_steps", True)
    notices("crownbase.search.node.search_root", True)
    assert lines == [
        "compiling the solver: once on this machine for these rules, about 15 s",
        "compiling the search: once on this machine for these rules, about 12 s",
    ]


def test_a_cache_that_cannot_be_written_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("a file where the folder should be")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(blocked))
    lines: list[str] = []
    Notices(lines.append)("crownbase.search.node.search_root", True)
    assert "each time, since" in lines[0] and "cannot be written" in lines[0]


def test_every_kernel_belongs_to_a_part() -> None:
    assert part_of("crownbase.retro.rows.reach_kernels.solved_place").seconds == 60
    assert part_of("crownbase.retro.rows.runs.run_groups") == PARTS["crownbase.retro.rows."]
    assert part_of("somewhere.else") == PARTS["crownbase."]


@needs_compiler
def test_only_the_first_run_says_so(command: Command, tmp_path: Path) -> None:
    """That a library user hears nothing is held by every process of test_jit."""
    cold = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    arguments = ("perft", "start", "3", "--json")
    first = command(*arguments, environment=cold)
    assert first.returncode == 0 and '"nodes":302' in first.stdout  # tests/data/perft.jsonl
    (line,) = first.stderr.splitlines()
    assert line.startswith("compiling the move generator: once on this machine")
    again = command(*arguments, environment=cold)
    assert (again.stdout.split(",")[0], again.stderr) == (first.stdout.split(",")[0], "")
