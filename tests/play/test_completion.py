"""What a shell offers behind Tab, and that every option says what it takes."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer

from crownbase import table
from crownbase.build.engine import SOLVERS
from crownbase.play import completion
from crownbase.play.cli import app
from crownbase.rules import RULE_SETS

Command = Callable[..., subprocess.CompletedProcess[str]]


def names(found: completion.Completions) -> list[str]:
    return [name for name, _ in found]


def test_rule_sets_by_key_and_begun_aliases() -> None:
    assert names(completion.complete_rules("")) == list(RULE_SETS)
    assert names(completion.complete_rules("ru")) == ["russian", "russian-draughts"]
    assert names(completion.complete_rules("sha")) == ["shashki"]
    assert ("shashki", RULE_SETS["russian"].title) in completion.complete_rules("shas")


def test_rule_files_of_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own.toml").write_text("")
    (tmp_path / "pyproject.toml").write_text("")
    monkeypatch.chdir(tmp_path)
    assert names(completion.complete_rules("ow")) == ["own.toml"]
    assert names(completion.complete_rules(f"{tmp_path}/")) == [str(tmp_path / "own.toml")]
    assert completion.complete_rules("no/such/folder/x") == []


def test_metrics_are_a_list() -> None:
    assert tuple(completion.METRIC_WORDS) == table.METRICS
    assert names(completion.complete_metrics("")) == ["wdl", "dtc", "dtw"]
    assert names(completion.complete_metrics("wdl,d")) == ["wdl,dtc", "wdl,dtw"]
    assert names(completion.complete_metrics("wdl,dtc,dtw,")) == []


def test_sides_and_solvers() -> None:
    assert names(completion.complete_side("")) == ["w", "b", "both", "none"]
    assert names(completion.complete_side("B")) == ["b", "both"]
    assert names(completion.complete_colour("")) == ["w", "b"]
    assert tuple(completion.SOLVER_WORDS) == SOLVERS


def test_draw_presets_are_those_of_the_rule_set_on_the_line() -> None:
    group = typer.main.get_command(app)

    def presets(rules: str) -> list[str]:
        context = typer.Context(group)
        context.params["rules"] = rules
        return names(completion.complete_draw(context, ""))

    assert presets("english") == ["wcdf", "automatic", "qdan", "older", "none"]
    assert presets("no such rules") == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("probe --rules tu", {"turkish", "turkish-draughts"}),
        ("build english 4 --metric dtc,", {"dtc,wdl", "dtc,dtw"}),
        ("play --side b", {"b", "both"}),
    ],
)
def test_the_command_answers_a_shell(command: Command, line: str, expected: set[str]) -> None:
    words = f"crownbase {line}"
    asked = {
        "_CROWNBASE_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    ran = command(environment=asked)
    assert (set(ran.stdout.split()), ran.stderr) == (expected, "")


COMMANDS = dict(typer.main.get_command(app).commands)  # type: ignore[attr-defined]


@pytest.mark.parametrize(("name", "found"), sorted(COMMANDS.items()))
def test_every_option_with_a_value_has_a_metavar(name: str, found: Any) -> None:
    """Or help would show the type of a Python parameter, such as ``<int range>``."""
    for parameter in found.params:
        if not getattr(parameter, "is_flag", False) and parameter.name != "help":
            assert parameter.metavar, f"{name} {parameter.name}"
