"""What several test files share: paths, the source files as syntax trees, running the command."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "solver"
PACKAGE = SOURCE / "crownbase"


@pytest.fixture(scope="session")
def sources() -> dict[str, ast.Module]:
    """Every module of the package by dotted name, as a syntax tree."""
    trees = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        trees[name] = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
    return trees


@pytest.fixture
def command(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run ``crownbase`` in a fresh process, away from the user's own tables.

    The keyword ``environment`` adds variables; everything else goes to ``subprocess.run``.
    """

    def run(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
        environment = os.environ | {
            "PYTHONPATH": str(SOURCE),
            "XDG_DATA_HOME": str(tmp_path / "user-data"),
            "CROWNBASE_DB": "",
        }
        environment |= options.pop("environment", {})
        options = {"capture_output": True, "text": True, "timeout": 600} | options
        argv = [sys.executable, "-m", "crownbase", *arguments]
        return subprocess.run(argv, env=environment, **options)

    return run
