"""``crownbase build``, ``verify``, ``stats`` and ``warmup``: output, exit codes, bad input."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from crownbase.play import cli_common
from crownbase.play.cli import run


@pytest.fixture(autouse=True)
def no_tables_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "user-data"))
    monkeypatch.delenv("CROWNBASE_DB", raising=False)


def test_build_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["build", "english", "2", "--db", str(tmp_path), "--json"]) == 0
    captured = capsys.readouterr()
    report = json.loads(captured.out)
    assert list(report) == ["rules", "seconds", "cpu_seconds", "slices"]
    assert [piece["material"] for piece in report["slices"]] == ["KvK", "KvM", "MvM"]
    assert "100 %" in captured.err


def test_build_says_what_it_did(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for expected in ("3 built, 0 kept", "0 built, 3 kept"):
        assert run(["build", "american", "2", "--db", str(tmp_path)]) == 0
        captured = capsys.readouterr()
        assert captured.out.startswith("english: 3 slice pairs, 3,488 positions")
        assert expected in captured.out
    assert "were there and check out" in captured.err


def test_build_goes_to_the_first_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["build", "english", "2"]) == 0
    assert (tmp_path / "user-data" / "crownbase" / "english" / "KvK.wdl").is_file()
    # Empty parts of the path list are no directories.
    monkeypatch.setenv("CROWNBASE_DB", f":: :{tmp_path / 'first'}:{tmp_path / 'second'}:")
    assert run(["build", "english", "2"]) == 0
    assert (tmp_path / "first" / "english" / "KvK.wdl").is_file()
    assert not (tmp_path / "second").exists()
    assert run(["build", "english", "2", "--db", str(tmp_path / "named")]) == 0
    assert (tmp_path / "named" / "english" / "KvK.wdl").is_file()


def test_estimate_builds_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["build", "english", "6", "--estimate", "--db", str(tmp_path / "db"), "--jobs", "2"]
    assert run(argv) == 0
    out = capsys.readouterr().out
    for words in ("2,571,945,320", "memory", "disk", "time"):
        assert words in out
    assert run([*argv, "--json"]) == 0
    guess = json.loads(capsys.readouterr().out)
    assert guess["positions"] == 2_571_945_320
    assert not (tmp_path / "db").exists()


def test_verify_and_stats(english_directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    db = ["--db", str(english_directory)]
    assert run(["verify", "english", *db]) == 0
    assert "598,560 values" in capsys.readouterr().out
    assert run(["verify", "english", "--fast", "--json", *db]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["ok"] is True
    assert report["fast"] is True
    assert run(["stats", "english", *db]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split()[:7] == ["KvK", "992", "230", "108", "654", "11", "11"]
    assert run(["stats", "english", "--json", *db]) == 0
    stats = json.loads(capsys.readouterr().out)
    assert list(stats[0]) == [
        "material",
        "positions",
        "wins",
        "losses",
        "draws",
        "cursed_wins",
        "blessed_losses",
        "max_dtc",
        "max_dtw",
        "max_dtw_fen",
    ]


def test_verify_names_a_damaged_file(
    english_directory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(english_directory, tmp_path / "db")
    path = tmp_path / "db" / "english" / "KMvK.wdl"
    path.write_bytes(path.read_bytes()[:-1])
    assert run(["verify", "english", "--fast", "--db", str(tmp_path / "db")]) == 2
    captured = capsys.readouterr()
    assert "1 with faults" in captured.out
    (line,) = [line for line in captured.err.splitlines() if line.startswith("error: ")]
    assert "KMvK.wdl" in line


BAD = [
    (["build", "chess", "3"], "unknown rule set 'chess'"),
    (["build", "english", "1"], "2 to 12"),
    (["build", "english", "99"], "2 to 12"),
    (["build", "english", "three"], "integer"),
    (["build", "english"], "PIECES"),
    (["build", "english", "3", "--metric", "dtz"], "dtz"),
    (["build", "english", "3", "--metric", ","], "no metric"),
    (["build", "english", "3", "--memory", "much"], "much"),
    (["build", "english", "3", "--memory", "-4G"], "-4G"),
    (["build", "english", "3", "--memory", "10K"], "MiB"),
    (["build", "english", "3", "--jobs", "0"], "jobs"),
    (["build", "nowhere.toml", "3"], "nowhere.toml"),
    (["verify", "turkish"], "crownbase build turkish"),
    (["stats", "turkish"], "crownbase build turkish"),
    (["verify", "english", "--db", "no/such/directory"], "no/such/directory"),
    (["warmup", "chess"], "chess"),
]


@pytest.mark.parametrize(("arguments", "named"), BAD)
def test_bad_input_is_one_line_and_exit_code_2(
    arguments: list[str], named: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("error: ")
    assert captured.err.count("\n") == 1
    assert named in captured.err
    assert not (tmp_path / "user-data").exists()


def test_warmup_compiles_for_a_rule_set(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["warmup", "english", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["rules"] == "english"


@pytest.mark.parametrize(
    ("text", "count"), [("8G", 8 << 30), ("512MiB", 512 << 20), ("1.5k", 1536), ("77", 77)]
)
def test_amounts_of_memory(text: str, count: int) -> None:
    assert cli_common.parse_bytes(text) == count


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.04, "0.0 s"), (59.94, "59.9 s"), (125, "2 min 05 s"), (12_000, "3 h 20 min")],
)
def test_durations(seconds: float, text: str) -> None:
    assert cli_common.format_seconds(seconds) == text
