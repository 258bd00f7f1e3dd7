"""A build that is killed, stopped or runs into a limit, and the same command afterwards."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import command_environment, table_bytes

resource = pytest.importorskip("resource", reason="needs POSIX limits and signals")

ARGUMENTS = ("build", "english", "3", "--metric", "wdl,dtc,dtw", "--jobs", "2")


def start_build(directory: Path, home: Path) -> subprocess.Popen[str]:
    argv = [sys.executable, "-m", "crownbase", *ARGUMENTS, "--db", str(directory)]
    return subprocess.Popen(
        argv,
        env=command_environment(home),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for_files(directory: Path, count: int, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline and process.poll() is None:
        if len(list(directory.glob("english/*.*"))) >= count:
            return
        time.sleep(0.001)


@pytest.mark.parametrize("files", [1, 12, 25])
def test_kill_9_and_the_same_command(
    files: int,
    english_directory: Path,
    tmp_path: Path,
    command: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    directory = tmp_path / "db"
    process = start_build(directory, tmp_path)
    wait_for_files(directory, files, process)
    process.kill()
    process.communicate()
    whole = table_bytes(english_directory)
    for name, content in table_bytes(directory).items():
        if not Path(name).name.startswith("."):
            assert content == whole[name]
    assert command(*ARGUMENTS, "--db", str(directory)).returncode == 0
    assert table_bytes(directory) == whole


def test_ctrl_c_leaves_a_clean_state(english_directory: Path, tmp_path: Path) -> None:
    directory = tmp_path / "db"
    process = start_build(directory, tmp_path)
    wait_for_files(directory, 3, process)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "stopped by Ctrl-C" in errors.splitlines()[-1]
    assert "Traceback" not in errors
    whole = table_bytes(english_directory)
    left = table_bytes(directory)
    assert left.items() < whole.items()


def test_a_limit_of_the_file_system(
    english_directory: Path,
    tmp_path: Path,
    command: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    """No file may grow beyond 4 KiB: the same path as a full disk, in the middle of a build."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    directory = tmp_path / "db"
    # Compiled kernels are files too; where they cannot be kept, nothing else changes.
    answer = command(*ARGUMENTS, "--db", str(directory), preexec_fn=limit)
    assert answer.returncode == 2
    last = answer.stderr.splitlines()[-1]
    assert last.startswith("error: cannot write ")
    assert "File too large" in last
    assert "Traceback" not in answer.stderr
    left = table_bytes(directory)
    assert left.items() < table_bytes(english_directory).items()


def test_too_little_address_space_is_one_line(
    tmp_path: Path, command: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))

    answer = command("build", "english", "7", "--db", str(tmp_path / "db"), preexec_fn=limit)
    assert answer.returncode == 2
    assert answer.stderr.startswith("error: ")
    assert "needs about" in answer.stderr
    assert answer.stderr.count("\n") == 1
