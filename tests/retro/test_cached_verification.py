"""Verification in a second process, which loads its machine code from the cache."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import PACKAGE, SOURCE
from crownbase.rules import RULE_SETS

VERIFY = """
import sys
from crownbase.index import slice_pairs
from crownbase.retro import solve_all
from crownbase.retro.verify import check_slice
values = solve_all(sys.argv[1], slice_pairs(2), "dtw")
print([check_slice(sys.argv[1], material, values, "dtw") for material in values])
"""


def verify(key: str, cache: Path) -> str:
    environment = os.environ | {"PYTHONPATH": str(SOURCE), "NUMBA_CACHE_DIR": str(cache)}
    argv = [sys.executable, "-c", VERIFY, key]
    return subprocess.run(
        argv, env=environment, check=True, capture_output=True, text=True, timeout=600
    ).stdout


@pytest.mark.slow
@pytest.mark.parametrize("key", RULE_SETS)
def test_two_processes_on_a_fresh_cache(key: str, tmp_path: Path) -> None:
    expected = f"{[None] * 4}\n"
    assert verify(key, tmp_path) == expected
    files = {path.name for path in tmp_path.rglob("*.nbc")}
    assert verify(key, tmp_path) == expected
    assert files == {path.name for path in tmp_path.rglob("*.nbc")}, "second process recompiled"


def test_no_kernel_calls_itself_with_a_literal() -> None:
    """Numba 0.68 compiles such a kernel once more, and what the cache holds then crashes."""
    wrong = []
    for path in PACKAGE.rglob("*.py"):
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(function, ast.FunctionDef):
                continue
            for call in ast.walk(function):
                if isinstance(call, ast.Call) and getattr(call.func, "id", "") == function.name:
                    if any(isinstance(argument, ast.Constant) for argument in call.args):
                        wrong.append(f"{path.name}:{call.lineno}")
    assert not wrong
