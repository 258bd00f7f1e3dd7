"""Whatever stands where a path is expected: one line on stderr, exit code 2, and no waiting."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from crownbase._paths import check_directory, check_writable, typed_path
from crownbase.errors import CrownbaseError
from crownbase.play.cli import run
from crownbase.probe import shipped_directory

FEN = "W:WK1:BK32"
WITH_TABLES = {
    "probe": (FEN,),
    "line": (FEN,),
    "search": (FEN, "--depth", "1"),
    "solve": (FEN,),
    "play": (),
    "verify": ("english",),
    "stats": ("english",),
    "build": ("english", "2"),
    "rules": ("english",),
    "dxp": (),
}
NO_PATHS = ("~nosuchuser/x", "a\0b", "x" * 5000, "/dev/null", "FIFO", "FILE", "")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory to be in, with a pipe that nobody reads or writes and a file that is no table."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "user-data"))
    monkeypatch.setenv("CROWNBASE_DB", "")
    os.mkfifo("FIFO")
    Path("FILE").write_text("nothing")
    return tmp_path


def fails(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line that a command says when it fails."""
    assert run(arguments) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: ") and said.endswith("\n")
    assert said.count("\n") == 1 and len(said) < 1100
    return said


@pytest.mark.parametrize("name", WITH_TABLES)
def test_directories_of_tables(name: str, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if "--db" not in _help(name, capsys):
        pytest.skip("takes no directory")
    for path in NO_PATHS:
        fails(capsys, name, *WITH_TABLES[name], "--db", path)


def _help(name: str, capsys: pytest.CaptureFixture[str]) -> str:
    run([name, "--help"])
    return capsys.readouterr().out


def test_directories_of_the_environment(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROWNBASE_DB", "~nosuchuser/x")
    assert "nosuchuser" in fails(capsys, "probe", FEN)
    monkeypatch.setenv("CROWNBASE_DB", "x" * 5000)
    fails(capsys, "probe", FEN)
    for path in ("FIFO", "FILE", "/dev/null"):  # has no tables, as one that is gone
        monkeypatch.setenv("CROWNBASE_DB", path)
        assert run(["probe", FEN]) == 0


@pytest.mark.parametrize("path", ["~nosuchuser/x", "a\0b", "x" * 5000, "", ".", "no/such"])
def test_files_of_positions_and_rules(
    path: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fails(capsys, "probe", "--batch", path)
    fails(capsys, "moves", FEN, "--rules", f"{path}.toml")
    os.mkfifo("pipe.toml")
    fails(capsys, "moves", FEN, "--rules", "pipe.toml")


@pytest.mark.parametrize("path", ["~nosuchuser/x", "a\0b", "x" * 5000, ".", "no/such", "FIFO"])
def test_files_of_games(path: str, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fails(capsys, "play", FEN, "--save", path)


def test_no_right_to_read_or_write(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if os.geteuid() == 0:
        pytest.skip("this user may do everything")
    os.mkdir("closed", 0)
    for arguments in (
        ("probe", FEN, "--db", "closed/x"),
        ("probe", "--batch", "closed/x"),
        ("play", FEN, "--save", "closed/x"),
        ("build", "english", "2", "--db", "closed"),
    ):
        fails(capsys, *arguments)


def test_a_typed_path_is_expanded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert typed_path("~/x") == tmp_path / "x"
    assert typed_path("a/~b") == Path("a/~b")
    for wrong in ("", "a\0b", "\ud800.toml"):
        with pytest.raises(CrownbaseError, match="no name of a file"):
            typed_path(wrong)


def test_checks_say_what_to_do(tmp_path: Path) -> None:
    assert check_directory(tmp_path, "make one") == tmp_path
    with pytest.raises(CrownbaseError, match="no directory .*; make one"):
        check_directory(tmp_path / "x", "make one")
    check_writable(None)
    check_writable(tmp_path / "new")
    check_writable(Path("/dev/null"))
    with pytest.raises(CrownbaseError, match="cannot write to"):
        check_writable(tmp_path)


@pytest.mark.parametrize("kind", ["pipe", "directory"])
@pytest.mark.parametrize("name", ["manifest.json", ".lock", "KvK.dtc"])
def test_what_stands_for_a_file_of_a_database(
    name: str, kind: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = place / "db" / "english"
    folder.mkdir(parents=True)
    shipped = shipped_directory() / "english"
    for file in ("manifest.json", "KvM.dtc"):
        (folder / file).write_bytes((shipped / file).read_bytes())
    bad = folder / name
    bad.unlink(missing_ok=True)
    os.mkfifo(bad) if kind == "pipe" else bad.mkdir()
    fails_to_build = name != "KvK.dtc" or kind == "directory"  # a table takes the place of a pipe
    if fails_to_build:
        assert run(["build", "english", "2", "--metric", "dtc", "--db", "db"]) == 2
        (said,) = (line for line in capsys.readouterr().err.splitlines() if "error: " in line)
        assert name in said and said.isprintable()
    if name == "manifest.json":
        assert name in fails(capsys, "stats", "english", "--db", "db")
    if name != ".lock":
        assert run(["verify", "english", "--fast", "--db", "db"]) == 2
        said = [line for line in capsys.readouterr().err.splitlines() if "ordinary" in line]
        assert len(said) == 1 and name in said[0]
    if name == "KvK.dtc":
        assert name in fails(capsys, "probe", FEN, "--db", "db")
    else:
        assert run(["probe", FEN, "--db", "db"]) == 0


def test_faults_of_a_database_with_a_strange_name(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "a\n\x1b[31mb" / "english").mkdir(parents=True)
    (place / "a\n\x1b[31mb" / "english" / "KvM.wdl").write_bytes(b"nothing")
    assert run(["verify", "english", "--fast", "--db", "a\n\x1b[31mb"]) == 2
    said = [line for line in capsys.readouterr().err.splitlines() if line.startswith("error: ")]
    assert len(said) > 1
    assert all(r"a\n\x1b[31mb" in line and line.isprintable() for line in said)
