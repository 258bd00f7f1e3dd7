"""Kernels: plain twins, compile-time constants, and a cache that never gives stale code."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
import types
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest

from conftest import SOURCE
from crownbase.board import Position, perft
from crownbase.board import moves as move_kernels
from crownbase.board.bits import lowest, popcount, reverse64, signed, unsigned
from crownbase.jit import (
    INTERPRETED,
    Address,
    Kernel,
    compile_time,
    fields_digest,
    kernel,
    source_digest,
)
from crownbase.jit import kernels as jit
from crownbase.retro.rows.words import load
from crownbase.rules import RULE_SETS, find_rules

PERFT = """
import sys, crownbase as cb
for key in sys.argv[1:]:
    print(key, cb.perft(cb.Position.start(key), 5))
"""


def run_python(code: str, *arguments: str, **environment: str) -> str:
    env = os.environ | {"PYTHONPATH": str(SOURCE)} | environment
    argv = [sys.executable, "-c", code, *arguments]
    ran = subprocess.run(argv, env=env, check=True, capture_output=True, text=True)
    assert ran.stderr == ""  # a library says nothing, also while it compiles
    return ran.stdout


def test_perft_twice_in_fresh_processes_on_a_fresh_cache(tmp_path: Path) -> None:
    """Numba's own trap: cached recursive kernels that crash or lie in the second process."""
    keys = ("english", "russian")
    first = run_python(PERFT, *keys, NUMBA_CACHE_DIR=str(tmp_path))
    files = {path.name for path in tmp_path.rglob("*.kernel")}
    second = run_python(PERFT, *keys, NUMBA_CACHE_DIR=str(tmp_path))
    assert first == second == "english 7361\nrussian 7482\n"
    assert files, "nothing was cached"
    assert files == {path.name for path in tmp_path.rglob("*.kernel")}, "second process recompiled"


def test_an_unwritable_cache_only_costs_time(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("a file where the folder should be")
    assert run_python(PERFT, "czech", NUMBA_CACHE_DIR=str(blocked)) == "czech 7361\n"


def test_a_damaged_cache_only_costs_time(tmp_path: Path) -> None:
    """Cut short, one bit wrong, one file in another's place: compiled again, same answers."""
    assert run_python(PERFT, "english", NUMBA_CACHE_DIR=str(tmp_path)) == "english 7361\n"
    kept = {path: path.read_bytes() for path in tmp_path.rglob("*.kernel")}
    first = next(iter(kept.values()))
    for damage in (
        lambda content: content[: len(content) // 2],
        lambda content: _flip_bit(content, len(content) * 3 // 4),
        lambda content: first[::-1] if content == first else first,
    ):
        for path, content in kept.items():
            path.write_bytes(damage(content))
        assert run_python(PERFT, "english", NUMBA_CACHE_DIR=str(tmp_path)) == "english 7361\n"
        assert {path: path.stat().st_size for path in kept} != {}


def _flip_bit(content: bytes, at: int) -> bytes:
    return content[:at] + bytes([content[at] ^ 8]) + content[at + 1 :]


def test_every_wrong_bit_in_a_cache_file_is_seen(tmp_path: Path) -> None:
    """One flipped bit of machine code is a crash at best; no such file is unpickled."""
    compiler = pytest.importorskip("crownbase.jit._numba_compiler")
    path = tmp_path / "some.kernel"
    file = compiler.CacheFile(path, "stamp")
    assert file.load("key") is None
    file.save("key", b"machine code" * 20)
    content = path.read_bytes()
    assert file.load("key") == b"machine code" * 20
    for at in range(len(content)):
        path.write_bytes(_flip_bit(content, at))
        assert file.load("key") is None, at
    path.write_bytes(content)
    assert file.load("other key") is None
    assert compiler.CacheFile(path, "other stamp").load("key") is None
    assert [one.name for one in tmp_path.iterdir()] == ["some.kernel"]


def test_everything_runs_as_plain_python() -> None:
    out = run_python(PERFT, "english", "turkish", NUMBA_DISABLE_JIT="1")
    assert out == "english 7361\nturkish 85090\n"


@pytest.mark.parametrize("key", RULE_SETS)
def test_plain_twin_counts_the_same(key: str) -> None:
    rules = find_rules(key)
    boards = Position.start(rules).boards
    size = move_kernels.MAX_MOVES * move_kernels.FIELDS
    buffers = [[0] * size for _ in range(4)]
    plain = move_kernels.count_nodes.plain(rules.traits.plain, *boards, 4, buffers, [0, 0, 0])
    assert plain == perft(Position.start(rules), 4)


def test_run_time_rules_share_a_compilation_and_agree() -> None:
    import numpy as np

    shape = (4, move_kernels.MAX_MOVES * move_kernels.FIELDS)
    for key in ("italian", "pure"):
        rules = find_rules(key)
        boards = map(signed, Position.start(rules).boards)
        buffers, state = np.zeros(shape, np.int64), np.zeros(3, np.int64)
        count = move_kernels.count_nodes(rules.traits.runtime, *boards, np.int64(4), buffers, state)
        assert count == perft(Position.start(rules), 4)
    if not INTERPRETED:
        names = {str(s[0]) for s in move_kernels.count_nodes.compiled.signatures}
        assert sum("RuntimeTraits" in name for name in names) == 1


def test_digest_follows_every_called_kernel() -> None:
    """The digest of a caller changes with a callee, a constant and the inline flag."""
    before = source_digest(move_kernels.has_capture)
    namespace = move_kernels.has_capture.function.__globals__
    original = namespace["can_capture_from"]
    try:
        namespace["can_capture_from"] = move_kernels.first_piece
        changed = source_digest(move_kernels.has_capture)
    finally:
        namespace["can_capture_from"] = original
    assert changed != before
    assert source_digest(move_kernels.has_capture) == before


def test_digest_follows_modules_closures_and_defaults() -> None:
    """A kernel that calls `module.helper`, or one of its closure, is not served stale code."""
    module = types.ModuleType("helpers")

    def made_with(helper: Kernel, default: int = 3) -> Kernel:
        module.helper = helper  # type: ignore[attr-defined]

        @kernel
        def by_module(x: int) -> int:
            return module.helper(x)

        @kernel
        def by_closure(x: int, y: int = default) -> int:
            return helper(x) + y

        # As if the module stood among the globals of a file.
        outside = types.FunctionType(
            compile("lambda x: module.helper(x)", "file", "eval").co_consts[0], {"module": module}
        )
        return [source_digest(one) for one in (by_module, by_closure, kernel(outside))]

    @kernel
    def helper(x: int) -> int:
        return x + 1

    one = helper

    @kernel
    def helper(x: int) -> int:
        return x + 2

    other = helper
    before, after = made_with(one), made_with(other)
    assert made_with(one) == before
    assert [a != b for a, b in zip(before, after, strict=True)] == [True, True, True]
    assert made_with(one, default=4)[1] != before[1]


def test_digest_of_rules_follows_every_trait() -> None:
    traits = find_rules("english").traits
    for field in dataclasses.fields(traits):
        value = getattr(traits, field.name)
        other = value + 1 if not isinstance(value, bool) else not value
        changed = dataclasses.replace(traits, **{field.name: other})
        assert fields_digest(changed) != fields_digest(traits), field.name


@pytest.mark.parametrize("board", [1, 2**63, 2**63 + 4, 0xF0F0, 2**64 - 1])
def test_bit_operations(board: int) -> None:
    bits = [s for s in range(64) if board >> s & 1]
    for value in (board, signed(board)):
        assert popcount(value) == len(bits)
        assert lowest(value) == bits[0]
        assert unsigned(reverse64(value)) == sum(1 << (63 - s) for s in bits)
    assert unsigned(signed(board)) == board


@compile_time
@dataclass(frozen=True)
class Facts:
    offset: int
    doubled: bool


@kernel
def read_at(address: int, index: int) -> int:
    if address.doubled:
        return 2 * load(address, index)
    return load(address, index) + address.offset


@kernel
def read_all(address: int, count: int) -> int:
    total = 0
    for i in range(count):
        total += read_at(address, i)
    return total


@pytest.mark.parametrize("facts", [Facts(0, False), Facts(7, False), Facts(7, True)])
def test_an_address_is_a_number_with_facts(facts: Facts) -> None:
    values = np.array([3, -1, 1 << 40])
    address = Address(values.ctypes.data, facts)
    assert int(address) == values.ctypes.data
    expected = 2 * values.sum() if facts.doubled else values.sum() + 3 * facts.offset
    assert read_all(address, 3) == read_all.plain(address, 3) == expected


def test_versions_of_numba_do_not_share_a_cache(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    folder = jit.cache_directory()
    assert folder.parent == tmp_path / "crownbase" and metadata.version("numba") in folder.name
    jit._numba_version.cache_clear()
    monkeypatch.setattr(metadata, "version", lambda name: f"{name} 99.1")
    assert jit.cache_directory() != folder
    jit._numba_version.cache_clear()
