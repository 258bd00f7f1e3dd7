"""What several test files share: paths, the source files as syntax trees, running the command."""

from __future__ import annotations

import ast
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "solver"
PACKAGE = SOURCE / "crownbase"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--part", metavar="K/N", help="run the K-th of N parts of the chosen tests")


def pytest_configure() -> None:
    """Commands that the tests start must hear Ctrl-C, also where a shell in the background, whose
    children ignore it, has started the tests."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def part_of(text: str) -> slice:
    """Which of the chosen tests belong to part ``K/N``: every N-th from the K-th on.

    Cases of one test stand side by side and cost about the same, so that parts are of a length.
    """
    number, _, parts = text.partition("/")
    if not (number.isdecimal() and parts.isdecimal() and 1 <= int(number) <= int(parts)):
        raise pytest.UsageError(f"--part {text}: write K/N with K from 1 to N, such as 2/6")
    return slice(int(number) - 1, None, int(parts))


@pytest.hookimpl(trylast=True)  # after -m and -k
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if text := config.getoption("--part"):
        chosen = items[part_of(text)]
        kept = set(chosen)
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = chosen


@pytest.fixture(scope="session")
def sources() -> dict[str, ast.Module]:
    """Every module of the package by dotted name, as a syntax tree."""
    trees = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        trees[name] = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
    return trees


def command_environment(home: Path) -> dict[str, str]:
    """The variables of a process that must not see the user's own tables."""
    return os.environ | {
        "PYTHONPATH": str(SOURCE),
        "XDG_DATA_HOME": str(home / "user-data"),
        "CROWNBASE_DB": "",
    }


@pytest.fixture
def command(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run ``crownbase`` in a fresh process, away from the user's own tables.

    The keyword ``environment`` adds variables; everything else goes to ``subprocess.run``.
    """

    def run(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
        environment = command_environment(tmp_path) | options.pop("environment", {})
        options = {"capture_output": True, "text": True, "timeout": 600} | options
        argv = [sys.executable, "-m", "crownbase", *arguments]
        return subprocess.run(argv, env=environment, **options)

    return run


@pytest.fixture(scope="session")
def english_directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with English tables of 2 and 3 pieces, all metrics; read only, please."""
    import crownbase

    directory = tmp_path_factory.mktemp("english")
    crownbase.build(directory, rules="english", pieces=3, metrics=("wdl", "dtc", "dtw"))
    return directory


def table_bytes(directory: Path) -> dict[str, bytes]:
    """Every file of a database but the manifest, which holds times, by its path."""
    return {
        path.relative_to(directory).as_posix(): path.read_bytes()
        for path in sorted(directory.rglob("*"))
        if path.is_file() and path.name != "manifest.json"
    }
