"""What other people's programs may rely on: the names that `crownbase` exports."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from types import ModuleType

import pytest

import crownbase
from conftest import SOURCE


def test_all_equals_the_public_names() -> None:
    for name in crownbase.__all__:
        getattr(crownbase, name)
    public = {
        name
        for name, value in vars(crownbase).items()
        if not name.startswith("_") and (callable(value) or not isinstance(value, ModuleType))
    }
    assert public - {"annotations", "TYPE_CHECKING"} == set(crownbase.__all__)
    assert set(crownbase._HOME) == set(crownbase.__all__)
    assert set(dir(crownbase)) == {*crownbase.__all__, "__version__"}


def test_the_type_checker_sees_the_same_names(sources: dict[str, ast.Module]) -> None:
    """The block under TYPE_CHECKING imports every public name from the stage it lives in."""
    seen = {}
    for node in ast.walk(sources["crownbase"]):
        if isinstance(node, ast.ImportFrom) and node.module != "__future__":
            seen |= {alias.asname or alias.name: node.module for alias in node.names}
    seen.pop("TYPE_CHECKING")
    assert seen.pop("__version__") == "crownbase._version"
    assert seen == {name: f"crownbase.{stage}" for name, stage in crownbase._HOME.items()}


def test_all_is_sorted_and_every_name_is_there() -> None:
    assert sorted(crownbase.__all__, key=str.lower) == list(crownbase.__all__)
    for name in crownbase.__all__:
        assert getattr(crownbase, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        crownbase.no_such_name  # noqa: B018


def test_importing_the_package_imports_nothing_heavy() -> None:
    code = (
        "import sys, crownbase; "
        "heavy = {'numpy', 'numba', 'rich', 'typer', 'zstandard'} & set(sys.modules); "
        "sys.exit(f'imported: {heavy}' if heavy else 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": str(SOURCE)})


@pytest.mark.parametrize("name", sorted(crownbase.__all__))
def test_public_names_are_documented(name: str) -> None:
    value = getattr(importlib.import_module("crownbase"), name)
    if callable(value):
        assert value.__doc__


def test_a_stage_with_the_name_of_its_function_can_be_called() -> None:
    code = (
        "import crownbase.build.plan, crownbase, inspect; "
        "assert callable(crownbase.build); "
        "assert 'pieces' in inspect.signature(crownbase.build).parameters; "
        "import pydoc; "
        "shown = pydoc.render_doc(crownbase.build, renderer=pydoc.plaintext); "
        "assert 'build(directory: ' in shown and 'pieces: most pieces on the board' in shown; "
        "shown = pydoc.render_doc(crownbase.search, renderer=pydoc.plaintext); "
        "assert 'search(pos' in shown"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": str(SOURCE)})


def test_a_position_is_shown_as_fen_and_rules() -> None:
    position = crownbase.Position.from_fen("W:WK18:BK1", rules="english")
    assert repr(position) == "<Position W:WK18:BK1 english>"
