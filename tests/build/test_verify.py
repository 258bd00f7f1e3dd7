"""``verify``: good tables pass, any single wrong value or byte is found and named."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import crownbase
from crownbase import MissingTableError
from crownbase.build import verify
from crownbase.build.report import Progress
from crownbase.index import Material
from crownbase.retro import free_positions
from crownbase.rules import find_rules
from crownbase.table import Manifest, SectionInput, Table, write_table

ENGLISH = find_rules("english")


@pytest.fixture
def database(english_directory: Path, tmp_path: Path) -> Path:
    shutil.copytree(english_directory, tmp_path / "db")
    return tmp_path / "db"


def rewrite(directory: Path, name: str, metric: str, changes: dict[int, int]) -> None:
    """Give positions of a table's first side other values; counts and checksums are right."""
    path = directory / "english" / f"{name}.{metric}"
    sections = []
    with Table(path) as table:
        header = table.header
        for number, section in enumerate(header.sections):
            material = section.material
            values = table.read_all(material)
            stats = section.stats
            for index, value in changes.items() if number == 0 else ():
                for count, sign in (("wins", 1), ("draws", 0), ("losses", -1)):
                    change = (np.sign(value) == sign) * 1 - (np.sign(values[index]) == sign) * 1
                    stats = replace(stats, **{count: getattr(stats, count) + int(change)})
                values[index] = value
            free = free_positions(ENGLISH, Material.parse(material))
            sections.append(SectionInput(material, values, free, stats))
    write_table(
        path,
        rules_key=header.rules_key,
        rules_digest=header.rules_digest,
        metric=metric,
        free_scheme=header.free_scheme,
        quiet_limit=header.quiet_limit,
        sections=sections,
    )
    manifest = Manifest.load(directory / "english", ENGLISH.key, ENGLISH.digest)
    manifest.remove(name, metric)
    manifest.save()


@pytest.mark.parametrize("fast", [False, True])
def test_good_tables_pass(english_directory: Path, fast: bool) -> None:
    report = verify(english_directory, "english", fast=fast)
    assert report.ok
    assert report.fast is fast
    # Three metrics of every slice with 2 and 3 pieces.
    assert report.positions == 3 * (3_488 + 196_032)
    assert list(report.to_json()) == ["rules", "ok", "fast", "seconds", "slices"]


def test_progress_counts_up_to_the_total(english_directory: Path) -> None:
    steps: list[Progress] = []
    verify(english_directory, "english", progress=steps.append)
    assert steps[-1].finished == steps[-1].total == 3 * (3_488 + 196_032)


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda content: content[:-1], "truncated"),
        (lambda content: content[:100], "truncated"),
        (lambda content: b"", "empty"),
        (lambda content: b"PK" + content[2:], "not a crownbase table"),
        (lambda content: content[:-9] + bytes([content[-9] ^ 4]) + content[-8:], "damaged"),
        (lambda content: content[:8] + b"\x63\x00" + content[10:], "format 99"),
    ],
)
def test_a_damaged_file_is_named(database: Path, damage: object, words: str, fast: bool) -> None:
    path = database / "english" / "KMvK.dtw"
    path.write_bytes(damage(path.read_bytes()))
    report = verify(database, "english", fast=fast)
    (fault,) = report.faults
    assert str(path) in fault
    assert words in fault
    assert {piece.material for piece in report.slices if piece.faults} == {"KMvK"}


def test_another_table_under_this_name(database: Path) -> None:
    shutil.copy(database / "english" / "KKvM.wdl", database / "english" / "KKvK.wdl")
    (fault,) = verify(database, "english", fast=True).faults
    assert "KKvK.wdl" in fault


def test_tables_of_other_rules(database: Path) -> None:
    (database / "english").rename(database / "russian")
    report = verify(database, "russian", fast=True)
    assert all("'english'" in fault and "'russian'" in fault for fault in report.faults)
    assert len(report.faults) == 9 * 3 + 1  # every file and the manifest


@pytest.mark.parametrize("metric", ["dtc", "dtw"])
def test_a_wrong_distance_is_found(database: Path, metric: str) -> None:
    with Table(database / "english" / f"KKvK.{metric}") as table:
        values = table.read_all("KKvK")
    free = free_positions(ENGLISH, Material.parse("KKvK"))
    index = int(np.flatnonzero((values > 4) & ~free)[7])
    rewrite(database, "KKvK", metric, {index: int(values[index]) + 2})
    assert verify(database, "english", fast=True).ok
    faults = verify(database, "english").faults
    assert any(f"KKvK.{metric}" in fault and "is stored as a " in fault for fault in faults)


def test_a_wrong_result_is_found(database: Path) -> None:
    with Table(database / "english" / "KvK.wdl") as table:
        values = table.read_all("KvK")
    free = free_positions(ENGLISH, Material.parse("KvK"))
    index = int(np.flatnonzero((values == 0) & ~free)[0])
    rewrite(database, "KvK", "wdl", {index: 1})
    assert verify(database, "english", fast=True).ok
    (fault,) = verify(database, "english").faults
    assert "KvK.wdl" in fault
    assert "stored as win, but is a draw" in fault


def test_win_draw_loss_alone_is_proved_too(tmp_path: Path) -> None:
    crownbase.build(tmp_path, pieces=3, metrics=("wdl",))
    assert verify(tmp_path, "english").ok
    with Table(tmp_path / "english" / "KvK.wdl") as table:
        values = table.read_all("KvK")
    free = free_positions(ENGLISH, Material.parse("KvK"))
    index = int(np.flatnonzero((values == 1) & ~free)[0])
    rewrite(tmp_path, "KvK", "wdl", {index: 0})
    (fault,) = verify(tmp_path, "english").faults
    assert "stored as draw, but is a win" in fault


def test_missing_tables(database: Path, tmp_path: Path) -> None:
    (database / "english" / "KvM.dtw").unlink()
    (fault,) = verify(database, "english", fast=True).faults
    assert "KvM.dtw" in fault
    assert "not there" in fault
    for metric in ("wdl", "dtc", "dtw"):
        (database / "english" / f"KvK.{metric}").unlink()
    (database / "english" / "manifest.json").unlink()
    (fault,) = verify(database, "english").faults
    assert "no table of KvK" in fault
    with pytest.raises(MissingTableError, match="crownbase build english"):
        verify(tmp_path / "nowhere", "english")
