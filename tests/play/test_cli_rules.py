"""``crownbase rules``: rule sets, their names, their tables, and one of them in words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crownbase.play.cli import run
from crownbase.play.rule_words import draw_words, move_words
from crownbase.rules import RULE_SETS, find_rules


@pytest.fixture(autouse=True)
def no_tables_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "user-data"))
    monkeypatch.delenv("CROWNBASE_DB", raising=False)


def test_all_are_listed_with_aliases_and_tables(
    english_directory: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROWNBASE_DB", str(english_directory))
    assert run(["rules", "--json", "--db", str(english_directory)]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [entry["key"] for entry in listed] == list(RULE_SETS)
    assert "american" in listed[0]["aliases"]
    # The directory is named twice and counts once; behind it come the tables that ship.
    own, shipped = listed[0]["tables"]
    assert own["directory"] == str(english_directory)
    # 3 pieces: KvK KvM MvM KKvK KKvM KMvK KMvM MMvK MMvM.
    assert own["metrics"] == {m: {"pieces": 3, "files": 9} for m in ("wdl", "dtc", "dtw")}
    assert shipped["metrics"]["wdl"]["pieces"] == 4
    assert listed[-1]["tables"] == []


def test_the_list_for_people(english_directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "--db", str(english_directory)]) == 0
    out = capsys.readouterr().out
    for key, rules in RULE_SETS.items():
        assert f"{key}: {rules.title}\n" in out
    assert f"wdl, dtc, dtw up to 3 pieces in {english_directory}" in " ".join(out.split())
    assert "none here" in out


def test_one_rule_set_is_described(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "dama"]) == 0
    out = capsys.readouterr().out
    for words in ("Turkish draughts", "TUDAF rule book", "8 x 8, all 64 squares", "a1 to h8"):
        assert words in out
    assert run(["rules", "20", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["key"], found["first_player"]) == ("international", "W")
    assert found["board"] == {"rows": 10, "columns": 10, "squares": 50}
    assert found["digest"] == find_rules("international").digest


def test_a_rule_file_is_described(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "own.toml"
    path.write_text('key = "own"\nbase = "english"\ncaptures_mandatory = false\n')
    assert run(["rules", str(path)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("own: own") and "taking is optional" in out


def test_words_differ_where_rules_do() -> None:
    """Rule sets that play differently read differently (only draw rules set pure apart)."""
    words = {key: move_words(rules) for key, rules in RULE_SETS.items()}
    played = {key: rules.traits for key, rules in RULE_SETS.items()}
    for one in words:
        for other in words:
            if one != other and words[one] == words[other]:
                assert played[one].neighbour.tolist() == played[other].neighbour.tolist()
                assert {one, other} <= {"english", "pure"}


def test_an_unknown_one_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "chess"]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("error: unknown rule set 'chess'")
    assert captured.err.count("\n") == 1 and captured.out == ""


@pytest.mark.parametrize("key", RULE_SETS)
def test_presets_are_listed_with_their_articles(
    key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = RULE_SETS[key]
    books = (rules.draw, *rules.draw_presets)
    assert run(["rules", key]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert f"usual: {rules.draw.name}" in text
    assert all(f"--draw {book.name}" in text for book in rules.draw_presets)
    assert run(["rules", key, "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["draws"]
    assert [(one["name"], one["usual"]) for one in listed] == [
        (book.name, book is rules.draw) for book in books
    ]
    for one, book in zip(listed, books, strict=True):
        kinds = (book.repetition, book.quiet, *book.class_clocks)
        articles = [kind.article for kind in kinds if kind]
        assert [rule["article"] for rule in one["rules"]] == articles
        assert all(article in text for article in articles)


def test_presets_that_differ_read_differently() -> None:
    for rules in RULE_SETS.values():
        books = (rules.draw, *rules.draw_presets)
        assert len({draw_words(rules, book) for book in books}) == len(books)
