"""``crownbase probe`` and ``line``: values for people and programs, batches, bad input."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from crownbase.play.cli import run

Probe = Callable[..., int]

KEYS = ["rules", "fen", "turn", "category", "wdl", "dtc", "dtw", "moves", "missing"]
MOVE_KEYS = ["move", "fen", "outcome", "wdl", "dtc", "dtw", "captured", "conversion"]
MOVE_KEYS += ["captured_text"]


@pytest.fixture(autouse=True)
def no_tables_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "user-data"))
    monkeypatch.delenv("CROWNBASE_DB", raising=False)


@pytest.fixture
def probe(english_directory: Path) -> Probe:
    return lambda *arguments: run(["probe", *arguments, "--db", str(english_directory)])


def test_probe_json_has_the_promised_keys(probe: Probe, capsys: pytest.CaptureFixture[str]) -> None:
    assert probe("B:WK16:BK3,K4", "B:WK2:B3,4", "--json") == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert list(first) == KEYS
    assert (first["rules"], first["turn"], first["category"]) == ("english", "B", "win")
    assert (first["wdl"], first["dtw"], first["missing"]) == (1, 33, [])
    assert second["dtw"] == 61
    assert list(second["moves"][0]) == MOVE_KEYS
    # A move's own values are the opponent's; its outcome is the mover's.
    best = second["moves"][0]
    assert (best["outcome"], best["wdl"], best["dtw"]) == ("win", -1, -60)


def test_probe_for_people(probe: Probe, capsys: pytest.CaptureFixture[str]) -> None:
    assert probe("B:WK16:BK3,K4") == 0
    out = capsys.readouterr().out
    assert "Black to move wins in 33 plies (next conversion in 33)" in out
    assert "  13  .   .   .   W    16" in out
    assert "3-7" in out


def test_the_first_minute_of_the_readme(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`build russian` without metrics, then its probe: the game lasts so and so many plies."""
    monkeypatch.setenv("CROWNBASE_DB", str(tmp_path))
    assert run(["build", "russian", "3"]) == 0
    assert {path.suffix for path in (tmp_path / "russian").glob("K*")} == {".wdl", ".dtc", ".dtw"}
    capsys.readouterr()
    assert run(["probe", "W:Wa1,Kc3:Bh8", "--rules", "russian"]) == 0
    said, _, table = capsys.readouterr().out.partition("move   result  plies  to conversion\n")
    assert "White to move wins in 3 plies (next conversion in 1)" in said
    rows = [line.split() for line in table.splitlines()]
    assert len(rows) == 10
    assert all(len(row) == 4 and int(row[2]) > 0 for row in rows if row[1] != "draws")
    assert ["a1-b2", "wins", "3", "1"] in rows  # h8 must go to g7, where b2 takes it


def test_a_lost_position(probe: Probe, capsys: pytest.CaptureFixture[str]) -> None:
    assert probe("W:W5:BK1,K9") == 0
    out = capsys.readouterr().out
    assert "White to move" in out
    assert probe("W:W:BK1", "--json") == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["dtw"] == 0


def test_batch(probe: Probe, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "positions.txt"
    file.write_text("B:WK16:BK3,K4\n\nB:WK2:B3,4\n")
    assert probe("--batch", str(file)) == 0
    assert capsys.readouterr().out.splitlines() == [
        "B:WK16:BK3,K4\twin\t1\t33\t33",
        "B:WK2:B3,4\twin\t1\t1\t61",
    ]


def test_batch_goes_on_after_faults(
    probe: Probe, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("nonsense\nW:WK32:BK26\nW:W19,20,21:BK1,K2\n"))
    assert probe("--batch", "-") == 2
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("nonsense\terror: ")
    assert lines[1] == "W:WK32:BK26\twin\t1\t9\t9"
    assert lines[2].startswith("W:W19,20,21:BK1,K2\terror: ")
    assert "5 pieces" in lines[2]


def test_batch_reads_what_other_programs_write(
    probe: Probe, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "positions.txt"
    file.write_bytes(b"\xef\xbb\xbfW:WK32:BK26\r\n \r\nW:WK32\t:BK26\r\n\xff:bad\tW:")
    assert probe("--batch", str(file)) == 2
    first, second, third = capsys.readouterr().out.splitlines()
    assert first == "W:WK32:BK26\twin\t1\t9\t9"
    assert second == "W:WK32 :BK26\twin\t1\t9\t9"
    assert third.startswith("\ufffd:bad W:\terror: ")


def test_batch_as_json(probe: Probe, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "positions.txt"
    file.write_text("W:WK32:BK26\nnonsense\nW:W:BK1\n")
    assert probe("--batch", str(file), "--json") == 2
    first, fault, last = map(json.loads, capsys.readouterr().out.splitlines())
    assert list(first) == list(last) == KEYS
    assert list(fault) == ["fen", "error"]
    assert fault["fen"] == "nonsense"


def test_line(english_directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    db = ["--db", str(english_directory)]
    assert run(["line", "B:WK16:BK3,K4", *db]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Black to move wins in 33 plies")
    assert "\n1. 3-7 16-19 2. " in out  # Black begins by the rules
    assert run(["line", "B:WK16:BK3,K4", "--json", *db]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert len(answer["moves"]) == answer["dtw"] == 33


BAD = [
    (["probe", "nonsense"], "nonsense"),
    (["probe", "W:W19,x:B12"], "x"),
    (["probe", "W:W19:B19"], "19"),
    (["probe", "W:W33:B12"], "33"),
    (["probe", "W:W1:B12"], "crown row"),
    (["probe", "W19:B12"], "side to move"),
    (["probe", "?:W19:B12"], "side to move"),
    (["probe", "W:W40:B12", "--rules", "english"], "40"),
    (["probe", "W:Wb8:Ba1", "--rules", "russian"], "b8"),
    (["probe", "W:WK19:BK1", "--rules", "chess"], "chess"),
    (["probe"], "FEN"),
    (["probe", "W:WK19:BK1", "--batch", "file"], "FEN"),
    (["probe", "--batch", "no/such/file"], "no/such/file"),
    (["probe", "W:W1:B12"], "W:W1:B12"),
    (["probe", "W:WK19:BK1", "--db", ""], "--db"),
    (["build", "english", "2", "--db", " "], "--db"),
    (["probe", "W:WK19:BK1", "--db", "no/such/directory"], "no/such/directory"),
    (["line", "nonsense"], "nonsense"),
]


@pytest.mark.parametrize(("arguments", "named"), BAD)
def test_bad_input_is_one_line_and_exit_code_2(
    arguments: list[str], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("error: ")
    assert captured.err.count("\n") == 1
    assert named in captured.err


def test_too_many_pieces_and_missing_tables(
    probe: Probe, english_directory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert probe("W:WK29,K30,K31:BK1,K2,K3") == 2
    assert "6 pieces" in capsys.readouterr().err
    # The table itself is here, but a capture leads to one that is not.
    (tmp_path / "db" / "russian").mkdir(parents=True)
    assert run(["probe", "W:Wc3:Bd4,a7", "--rules", "russian", "--db", str(tmp_path / "db")]) == 2
    error = capsys.readouterr().err
    assert "MvM.wdl, reached by a capture" in error
    assert "crownbase build russian 2" in error


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda content: content[:-1], "truncated"),
        (lambda content: content[:70] + bytes([content[70] ^ 1]) + content[71:], "damaged"),
        (lambda content: content[:8] + b"\x63\x00" + content[10:], "format 99"),
        (lambda content: b"anything at all", "not a crownbase table"),
    ],
)
def test_a_bad_file_is_named(
    damage: Callable[[bytes], bytes],
    words: str,
    english_directory: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shutil.copytree(english_directory, tmp_path / "db")
    path = tmp_path / "db" / "english" / "KKvK.wdl"
    path.write_bytes(damage(path.read_bytes()))
    assert run(["probe", "B:WK16:BK3,K4", "--db", str(tmp_path / "db")]) == 2
    error = capsys.readouterr().err
    assert "KKvK.wdl" in error
    assert words in error
    assert error.count("\n") == 1


def test_tables_of_other_rules_are_refused(
    english_directory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(english_directory / "english", tmp_path / "db" / "pool")
    assert run(["probe", "B:WK16:BK3", "--rules", "pool", "--db", str(tmp_path / "db")]) == 2
    error = capsys.readouterr().err
    assert "'english'" in error
    assert "'pool'" in error
