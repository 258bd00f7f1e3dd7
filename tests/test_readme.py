"""What the README shows is what happens: its Python and its commands are run."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from conftest import ROOT
from crownbase.build import read_stats
from crownbase.play.cli import run

README = (ROOT / "README.md").read_text(encoding="utf-8")
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks(language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


@pytest.fixture(autouse=True)
def empty_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("CROWNBASE_DB", raising=False)


def test_python_examples() -> None:
    text = "\n".join(blocks("python"))
    test = doctest.DocTestParser().get_doctest(text, {}, "README.md", "README.md", 0)
    assert len(test.examples) > 10
    problems: list[str] = []
    doctest.DocTestRunner(verbose=False, optionflags=OPTIONS).run(test, out=problems.append)
    assert not problems, "".join(problems)


@pytest.mark.parametrize("block", blocks("console"))
def test_commands(block: str, capsys: pytest.CaptureFixture[str]) -> None:
    command, expected = block.split("\n", 1)
    arguments = shlex.split(command.removeprefix("$ crownbase "))
    assert run(arguments) == 0
    shown = capsys.readouterr().out
    assert doctest.OutputChecker().check_output(expected, shown, doctest.ELLIPSIS), shown


def test_the_table_of_english_totals() -> None:
    rows = re.findall(r"^\| (\d) \| (.*) \|$", README, re.MULTILINE)
    stats = read_stats(ROOT / "db", "english")
    for pieces, text in rows:
        found = [s for s in stats if len(s.material) == int(pieces) + 1]
        counts = [
            f"{sum(getattr(s, name) for s in found):,}"
            for name in ("positions", "wins", "losses", "draws")
        ]
        longest = [
            f"{max(getattr(s, n) or 0 for s in found)} plies" for n in ("max_dtw", "max_dtc")
        ]
        cells = text.split(" | ")
        assert cells[:4] == counts
        assert [cells[4], cells[6]] == longest
    assert [pieces for pieces, _ in rows] == ["2", "3", "4"]
