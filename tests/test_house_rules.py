"""Rules of the house, as tests: what may not be found in the package's sources."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator

from conftest import PACKAGE, ROOT

MAX_LINES = 420
RULE_SETS = {
    "english",
    "english-optional",
    "pure",
    "pool",
    "russian",
    "brazilian",
    "italian",
    "spanish",
    "czech",
    "turkish",
    "international",
    "english-huffing",
}


def test_files_are_short() -> None:
    paths = [*PACKAGE.rglob("*.py"), *(ROOT / "tests").rglob("*.py")]
    paths += [path for path in (ROOT / "scripts").iterdir() if path.is_file()]
    lengths = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in paths}
    assert not {name: length for name, length in lengths.items() if length > MAX_LINES}


def test_scripts_are_under_a_hundred_lines() -> None:
    scripts = [path for path in (ROOT / "scripts").iterdir() if path.is_file()]
    lengths = {p.name: len(p.read_text(encoding="utf-8").splitlines()) for p in scripts}
    assert not {name: length for name, length in lengths.items() if length >= 100}


def test_every_module_has_a_docstring(sources: dict[str, ast.Module]) -> None:
    assert not [name for name, tree in sources.items() if not ast.get_docstring(tree)]


def test_no_print_outside_play(sources: dict[str, ast.Module]) -> None:
    def prints(tree: ast.Module) -> Iterator[int]:
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                if node.func.id in ("print", "exit", "quit"):
                    yield node.lineno

    library = {n: t for n, t in sources.items() if not n.startswith("crownbase.play")}
    assert not [f"{name}:{line}" for name, tree in library.items() for line in prints(tree)]


def test_no_code_asks_for_a_rule_set_by_name(sources: dict[str, ast.Module]) -> None:
    """A comparison, ``match`` or ``in`` with a rule set's key is a special case in disguise."""

    def named(node: ast.AST) -> bool:
        return any(
            isinstance(child, ast.Constant) and child.value in RULE_SETS for child in ast.walk(node)
        )

    wrong = []
    for name, tree in sources.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Compare | ast.MatchValue) and named(node):
                wrong.append(f"{name}:{node.lineno}")
    assert not wrong


def test_nothing_unfinished(sources: dict[str, ast.Module]) -> None:
    marks = ("TO" + "DO", "FIX" + "ME", "XX" + "X", "NotImplemented" + "Error")
    wrong = [
        f"{path.name}: {mark}"
        for path in [*PACKAGE.rglob("*.py"), *(ROOT / "scripts").glob("*.py")]
        for mark in marks
        if mark in path.read_text(encoding="utf-8")
    ]
    assert not wrong


def test_the_test_extra_and_the_dependency_group_are_the_same() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"]
    assert extras["test"] == project["dependency-groups"]["test"]
    assert set(extras) == {"test", "web"}  # an extra comes with the code that needs it
