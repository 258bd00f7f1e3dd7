"""Win, draw or loss by rows: the same tables whatever the memory, and after any stop."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import crownbase
from conftest import ROOT, command_environment, table_bytes
from crownbase import BuildError
from crownbase.build import Progress, estimate, row_memory, row_run, verify
from crownbase.build.plan import make_plan
from crownbase.retro.rows import RowSolver
from crownbase.rules import find_rules
from crownbase.table import Manifest

PIECES = 4
ENGLISH = find_rules("english")


def build(directory: Path, **options: object) -> crownbase.build.BuildReport:
    return crownbase.build(
        directory, pieces=PIECES, metrics=("wdl",), clock=False, jobs=2, **options
    )


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("rows")
    report = build(directory)
    assert {piece.engine for piece in report.slices} == {"row"}
    return directory


def test_the_values_are_those_of_the_shipped_tables(built: Path) -> None:
    found, shipped = (
        Manifest.load(directory / "english", ENGLISH.key, ENGLISH.digest)
        for directory in (built, ROOT / "db")
    )
    names = [name for name, metric, _ in shipped.items() if metric == "wdl"]
    assert len(names) > 20
    for name in names:
        left, right = found.get(name, "wdl"), shipped.get(name, "wdl")
        assert left is not None and right is not None
        assert left.content_digest == right.content_digest
        for side, stats in right.sides.items():
            assert left.sides[side].wins == stats.wins + stats.cursed_wins
            assert left.sides[side].losses == stats.losses + stats.blessed_losses


def test_verification_finds_no_fault(built: Path) -> None:
    assert verify(built, "english", fast=True).ok


def test_planes_in_a_file_give_the_same_bytes(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    used: list[object] = []

    class Watched(RowSolver):
        def __init__(self, *arguments: object) -> None:
            super().__init__(*arguments)  # type: ignore[arg-type]
            used.append(arguments[3])
            assert not list(tmp_path.rglob(".planes*"))

    monkeypatch.setattr(row_run, "RowSolver", Watched)
    plan = make_plan("english", PIECES, ("wdl",), clock=False)
    needed = row_memory.RowMemory(plan, 2)
    least = max(needed.least(pair.material) for pair in plan.pairs)
    assert least < needed.in_memory(pair.material for pair in plan.pairs)
    build(tmp_path, memory=least)
    assert used[0] is not None
    assert table_bytes(tmp_path) == table_bytes(built)
    with pytest.raises(BuildError, match="allow more with --memory"):
        build(tmp_path, memory=least - 1)


def test_what_is_there_is_kept(built: Path, tmp_path: Path) -> None:
    shutil.copytree(built / "english", tmp_path / "english")
    gone = ("KKvKK", "KMvKM", "MMMvM")
    for name in gone:
        (tmp_path / "english" / f"{name}.wdl").unlink()
    report = build(tmp_path)
    assert {piece.material for piece in report.slices if piece.engine == "row"} == set(gone)
    assert table_bytes(tmp_path) == table_bytes(built)


def test_tables_made_with_the_clock_are_kept(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "db" / "english", tmp_path / "english")
    report = build(tmp_path)
    assert {piece.engine for piece in report.slices} == {"kept"}


def test_sides_of_few_pieces(built: Path, tmp_path: Path) -> None:
    report = build(tmp_path, max_side=2)
    names = {piece.material for piece in report.slices}
    assert "KKvKK" in names and "KKKvK" not in names
    assert table_bytes(tmp_path).items() <= table_bytes(built).items()


def test_ctrl_c_leaves_whole_tables_and_nothing_else(built: Path, tmp_path: Path) -> None:
    def stop(step: Progress) -> None:
        if step.event == "done" and step.finished > step.total // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(tmp_path, progress=stop)
    left = table_bytes(tmp_path)
    assert 0 < len(left) < len(table_bytes(built))
    assert left.items() <= table_bytes(built).items()
    build(tmp_path)
    assert table_bytes(tmp_path) == table_bytes(built)


@pytest.mark.parametrize("files", [1, 10])
def test_kill_9_and_the_same_command(
    files: int,
    built: Path,
    tmp_path: Path,
    command: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    plan = make_plan("english", PIECES, ("wdl",), clock=False)
    needed = row_memory.RowMemory(plan, 2)
    least = max(needed.least(pair.material) for pair in plan.pairs)
    arguments = ("build", "english", str(PIECES), "--metric", "wdl", "--no-clock", "--jobs", "2")
    arguments += ("--memory", str(least), "--db", str(tmp_path / "db"))
    process = subprocess.Popen(
        [sys.executable, "-m", "crownbase", *arguments],
        env=command_environment(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline and process.poll() is None:
        if len(list(tmp_path.glob("db/english/*.wdl"))) >= files:
            break
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    whole = table_bytes(built)
    for name, content in table_bytes(tmp_path / "db").items():
        if not Path(name).name.startswith("."):
            assert content == whole[name]
    assert command(*arguments).returncode == 0
    assert table_bytes(tmp_path / "db") == whole


def test_the_level_changes_bytes_and_nothing_else(tmp_path: Path) -> None:
    for level in (1, 19):
        crownbase.build(tmp_path / str(level), pieces=3, metrics=("wdl",), clock=False, level=level)
    tables = [
        {
            name: (entry.content_digest, entry.bytes)
            for name, _, entry in Manifest.load(
                tmp_path / level / "english", ENGLISH.key, ENGLISH.digest
            ).items()
        }
        for level in ("1", "19")
    ]
    assert {name: digest for name, (digest, _) in tables[0].items()} == {
        name: digest for name, (digest, _) in tables[1].items()
    }
    sizes = [sum(size for _, size in table.values()) for table in tables]
    assert sizes[0] > sizes[1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metrics": ("wdl", "dtc"), "clock": False}, "only wdl"),
        ({"rules": "turkish", "metrics": ("wdl",), "clock": False}, "row solver only"),
        ({"metrics": ("wdl",), "clock": False, "solver": "scalar"}, "row solver only"),
        ({"metrics": ("wdl",), "max_side": 0}, "leaves nothing"),
        ({"metrics": ("wdl",), "level": 23}, "no zstd level"),
    ],
)
def test_refusals(options: dict[str, object], message: str, tmp_path: Path) -> None:
    with pytest.raises(BuildError, match=message):
        crownbase.build(tmp_path, pieces=2, **options)  # type: ignore[arg-type]


def test_a_probe_says_that_the_clock_was_left_out(built: Path) -> None:
    with crownbase.open_tablebase(built) as tables:
        won, drawn = (
            tables.probe(crownbase.Position.from_fen(fen))
            for fen in ("W:WK19,K23:B12,K28", "W:WK1:BK32")
        )
    assert won.category == "win" and "draw clock" in won.assumes[0]
    assert drawn.category == "draw" and not drawn.assumes


def test_an_estimate_of_rows_takes_less() -> None:
    plan = make_plan("english", 7, ("wdl",), max_side=4, clock=False)
    guess = estimate.estimate(plan, 2)
    assert guess.positions == plan.positions == 21_159_204_224
    assert guess.least_memory_bytes < guess.memory_bytes < 12 << 30
    assert guess.seconds < plan.estimate(2).seconds / 5
