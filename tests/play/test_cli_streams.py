"""The command when its standard streams are closed, full or not in UTF-8."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from conftest import command_environment

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")


def shell(tmp_path: Path, command: str, unbuffered: str = "") -> subprocess.CompletedProcess[bytes]:
    """Run a line of shell in which ``$crownbase`` is the command."""
    environment = command_environment(tmp_path) | {
        "crownbase": f"{sys.executable} -m crownbase",
        "PYTHONIOENCODING": "utf-8:strict",
        "PYTHONUNBUFFERED": unbuffered,
    }
    return subprocess.run(
        ["sh", "-c", command], env=environment, cwd=tmp_path, capture_output=True, timeout=600
    )


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("$crownbase probe --batch - <&-", 0),
        ("$crownbase probe W:WK32:BK26 >&-", 0),
        ("$crownbase probe nonsense 2>&-", 2),
        ("$crownbase play W:WK32:BK26 <&-", 0),
        ("$crownbase hub <&-", 0),
    ],
)
def test_closed_streams(tmp_path: Path, command: str, code: int) -> None:
    done = shell(tmp_path, command)
    assert (done.returncode, done.stderr) == (code, b"")


needs_dev_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")


@needs_dev_full
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_behind_stdout(tmp_path: Path, unbuffered: str) -> None:
    done = shell(tmp_path, "$crownbase stats english >/dev/full", unbuffered)
    assert done.returncode == 2
    assert done.stderr == b"error: No space left on device\n"


@needs_dev_full
def test_a_full_disk_behind_stderr(tmp_path: Path) -> None:
    assert shell(tmp_path, "$crownbase probe nonsense 2>/dev/full").returncode == 2
    assert shell(tmp_path, "$crownbase verify english --fast 2>/dev/full").returncode == 0


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    done = shell(tmp_path, r"printf '\377:bad\nW:WK32:BK26\n' | $crownbase probe --batch -")
    assert done.returncode == 2
    first, second = done.stdout.decode().splitlines()
    assert first.startswith("\ufffd:bad\terror: ")
    assert second == "W:WK32:BK26\twin\t1\t9\t9"
    assert done.stderr == b""
