"""``build`` in one process: counts, resuming, refusals."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

import crownbase
from conftest import table_bytes
from crownbase import BuildError
from crownbase.build import folder as folder_module
from crownbase.build.folder import locked
from crownbase.build.plan import make_plan
from crownbase.build.report import Progress
from crownbase.build.stats import read_stats

ALL = ("wdl", "dtc", "dtw")

# Positions, wins, losses, draws, longest win and loss in plies; one side to move. Checked against
# three independent databases.
ENGLISH_TOTALS = {
    2: (3_488, 716, 402, 2_370, 13),
    3: (196_032, 100_250, 87_305, 8_477, 61),
}


@pytest.mark.parametrize("pieces", ENGLISH_TOTALS)
def test_english_totals(english_directory: Path, pieces: int) -> None:
    slices = [s for s in read_stats(english_directory, "english") if len(s.material) == pieces + 1]
    totals = tuple(
        sum(getattr(s, name) for s in slices) for name in ("positions", "wins", "losses", "draws")
    )
    longest = max(s.max_dtw for s in slices if s.max_dtw is not None)
    assert (*totals, longest) == ENGLISH_TOTALS[pieces]


def test_english_king_against_king(english_directory: Path) -> None:
    (found,) = [s for s in read_stats(english_directory, "english") if s.material == "KvK"]
    assert (found.wins, found.losses, found.draws) == (230, 108, 654)


def test_the_longest_win_is_shown_with_a_position(english_directory: Path) -> None:
    (found,) = [s for s in read_stats(english_directory, "english") if s.material == "KKvK"]
    assert found.max_dtw == 33
    assert found.max_dtw_fen is not None
    assert found.max_dtw_fen.startswith("W:WK")
    assert crownbase.Position.from_fen(found.max_dtw_fen).pieces == 3


def test_a_second_build_keeps_everything(english_directory: Path, tmp_path: Path) -> None:
    shutil.copytree(english_directory, tmp_path / "db")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "db").rglob("*.d*")}
    steps: list[Progress] = []
    report = crownbase.build(tmp_path / "db", pieces=3, metrics=ALL, progress=steps.append)
    assert {piece.engine for piece in report.slices} == {"kept"}
    assert {step.event for step in steps} == {"skip"}
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert report.bytes == sum(map(len, table_bytes(tmp_path / "db").values()))


def test_what_is_missing_or_damaged_is_made_again(english_directory: Path, tmp_path: Path) -> None:
    shutil.copytree(english_directory, tmp_path / "db")
    folder = tmp_path / "db" / "english"
    (folder / "KMvK.wdl").unlink()
    whole = (folder / "MMvM.dtw").read_bytes()
    (folder / "MMvM.dtw").write_bytes(whole[:-1])
    flipped = bytearray((folder / "KvM.dtc").read_bytes())
    flipped[len(flipped) // 2] ^= 0x10
    (folder / "KvM.dtc").write_bytes(flipped)
    shutil.copy(folder / "KKvM.dtc", folder / "KKvM.dtw")
    (folder / ".KKvK.wdl.1-0.tmp").write_bytes(b"left behind by a killed process")
    report = crownbase.build(tmp_path / "db", pieces=3, metrics=ALL)
    made = {piece.material for piece in report.slices if piece.engine != "kept"}
    assert made == {"KMvK", "MMvM", "KvM", "KKvM"}
    assert table_bytes(tmp_path / "db") == table_bytes(english_directory)


def test_a_lost_manifest_is_written_again(english_directory: Path, tmp_path: Path) -> None:
    shutil.copytree(english_directory, tmp_path / "db")
    (tmp_path / "db" / "english" / "manifest.json").unlink()
    crownbase.build(tmp_path / "db", pieces=3, metrics=ALL)
    assert read_stats(tmp_path / "db", "english") == read_stats(english_directory, "english")


def test_a_metric_can_be_added_later(english_directory: Path, tmp_path: Path) -> None:
    crownbase.build(tmp_path, pieces=2, metrics=("wdl",), jobs=1)
    assert set(table_bytes(tmp_path)) == {f"english/{name}.wdl" for name in ("KvK", "KvM", "MvM")}
    crownbase.build(tmp_path, pieces=3, metrics=("wdl",))
    crownbase.build(tmp_path, pieces=3, metrics=ALL)
    assert table_bytes(tmp_path) == table_bytes(english_directory)


def test_little_memory_changes_no_byte(english_directory: Path, tmp_path: Path) -> None:
    least = make_plan("english", 3, ALL).estimate().least_memory_bytes
    crownbase.build(tmp_path, pieces=3, metrics=ALL, jobs=3, memory=least)
    assert table_bytes(tmp_path) == table_bytes(english_directory)


def test_too_little_memory_is_refused_with_numbers(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match=r"needs about \d+ MiB .* only 0 MiB"):
        crownbase.build(tmp_path / "db", pieces=3, memory=100_000)
    assert not (tmp_path / "db").exists()


def test_two_builds_do_not_meet(tmp_path: Path) -> None:
    with locked(tmp_path / "english"):
        with pytest.raises(BuildError, match=f"process {os.getpid()} is building"):
            crownbase.build(tmp_path, pieces=2)
    crownbase.build(tmp_path, pieces=2)
    assert not list(tmp_path.rglob(".lock"))


def test_a_directory_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a directory")
    with pytest.raises(BuildError, match="cannot write to .*file"):
        crownbase.build(tmp_path / "file", pieces=2)


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is read-only for this user"
)
def test_a_read_only_directory(tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    try:
        with pytest.raises(BuildError, match="Permission denied"):
            crownbase.build(tmp_path / "db", pieces=2)
    finally:
        tmp_path.chmod(0o755)


def test_too_little_room_is_refused_with_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil._ntuple_diskusage(2**20, 2**20, 1000)
    monkeypatch.setattr(folder_module.shutil, "disk_usage", lambda path: usage)
    with pytest.raises(BuildError, match=r"0\.0 MiB free, but the tables need"):
        crownbase.build(tmp_path, pieces=3)
    assert not list((tmp_path / "english").iterdir())  # an empty manifest would look like tables


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"pieces": 1}, "2 to 12"),
        ({"jobs": 0}, "jobs"),
        ({"metrics": ("dtz",)}, "dtz"),
        ({"solver": "quantum"}, "quantum"),
    ],
)
def test_bad_arguments(tmp_path: Path, options: dict[str, object], words: str) -> None:
    with pytest.raises(BuildError, match=words):
        crownbase.build(tmp_path / "db", **options)
    assert not (tmp_path / "db").exists()


def test_progress_counts_up_to_the_total(tmp_path: Path) -> None:
    steps: list[Progress] = []
    report = crownbase.build(tmp_path, pieces=2, metrics=ALL, progress=steps.append)
    done = [step for step in steps if step.event == "done"]
    assert [step.finished for step in done] == sorted(step.finished for step in done)
    assert done[-1].finished == done[-1].total == 2 * report.positions
    assert {(step.material, step.metric) for step in done} == {
        (name, metric) for name in ("KvK", "KvM", "MvM") for metric in ("dtc", "dtw")
    }


def test_report_as_json(tmp_path: Path) -> None:
    report = crownbase.build(tmp_path, pieces=2).to_json()
    assert list(report) == ["rules", "seconds", "cpu_seconds", "slices"]
    assert list(report["slices"][0]) == [
        "material",
        "positions",
        "solve_cpu_s",
        "write_cpu_s",
        "bytes",
        "engine",
    ]


def test_the_row_solver_writes_the_same_bytes(tmp_path: Path) -> None:
    for solver in ("scalar", "row"):
        report = crownbase.build(
            tmp_path / solver, rules="english", pieces=3, metrics=("wdl", "dtc"), solver=solver
        )
        assert {piece.engine for piece in report.slices} == {solver}
    assert table_bytes(tmp_path / "scalar") == table_bytes(tmp_path / "row")


def test_the_row_solver_refuses_what_it_does_not_know(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="row solver does not know Turkish"):
        crownbase.build(tmp_path, rules="turkish", pieces=2, solver="row")
