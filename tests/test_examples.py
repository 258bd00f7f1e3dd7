"""Every public function and method has an example in its docstring, and the examples are true."""

from __future__ import annotations

import doctest
import functools
import inspect
from collections.abc import Iterator
from typing import Any

import pytest

import crownbase

CLASSES = [
    value for name in crownbase.__all__ if inspect.isclass(value := getattr(crownbase, name))
]
FUNCTIONS = {
    "build": "crownbase.build.local.build",
    "find_rules": "crownbase.rules.find.find_rules",
    "open_tablebase": "crownbase.probe.opening.open_tablebase",
    "perft": "crownbase.board.position.perft",
    "prove": "crownbase.search.proof.prove",
    "search": "crownbase.search.searcher.search",
    "verify": "crownbase.build.verification.verify",
}
"""Where the public functions are defined; a stage of the same name stands before some of them."""


def public_members(owner: type) -> Iterator[tuple[str, Any]]:
    """Methods and properties that are ours, inherited ones too, each once."""
    seen = set()
    for parent in owner.__mro__:
        if parent.__module__.startswith("crownbase"):
            for name, member in vars(parent).items():
                is_one = callable(member) or isinstance(
                    member, classmethod | staticmethod | property | functools.cached_property
                )
                if is_one and not name.startswith("_") and name not in seen:
                    seen.add(name)
                    yield f"{owner.__name__}.{name}", member


def documented() -> dict[str, str]:
    """Every public class, function and method with its docstring."""
    found = {}
    for owner in CLASSES:
        found[owner.__name__] = inspect.getdoc(owner) or ""
        for name, member in public_members(owner):
            found[name] = inspect.getdoc(member) or ""
    for name, path in FUNCTIONS.items():
        found[name] = inspect.getdoc(named(path)) or ""
    return found


def named(path: str) -> Any:
    """The function of a dotted name."""
    module, _, name = path.rpartition(".")
    return getattr(__import__(module, fromlist=[name]), name)


DOCUMENTED = documented()
EXAMPLES = sorted(name for name, text in DOCUMENTED.items() if ">>>" in text)


@pytest.fixture(scope="module")
def globs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the examples take for granted: they say so in the docstrings of their classes."""
    folder = tmp_path_factory.mktemp("examples")
    return {name: getattr(crownbase, name) for name in crownbase.__all__} | {
        "cb": crownbase,
        "tb": crownbase.open_tablebase(rules="english"),
        "pos": crownbase.Position.from_fen("W:WK19,K23:B12,K28", rules="english"),
        "built": crownbase.build(folder, rules="english", pieces=2),
        "verified": crownbase.verify(folder, rules="english"),
    }


def test_every_public_function_is_known_here() -> None:
    functions = {name for name in crownbase.__all__ if callable(getattr(crownbase, name))}
    assert functions - {owner.__name__ for owner in CLASSES} == set(FUNCTIONS)


def test_every_function_and_method_has_an_example() -> None:
    classes = {owner.__name__ for owner in CLASSES}
    assert [name for name in DOCUMENTED if name not in {*EXAMPLES, *classes}] == []


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples(name: str, globs: dict[str, Any]) -> None:
    own = globs | {"game": crownbase.Game(rules="english")}
    example = doctest.DocTestParser().get_doctest(DOCUMENTED[name], own, name, None, None)
    said: list[str] = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
    runner.run(example, out=said.append)
    assert not runner.failures, "".join(said)
