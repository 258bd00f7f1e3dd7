"""Rules of the house for names and kernels: one name, one meaning, one file."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

import pytest

MAX_PARAMETERS = 8

TWICE = {
    # Of `retro.rows` and `search`, which are being rebuilt: to be emptied as their names go.
    "BINOMIAL", "CAPTURED", "CHUNKS_PER_THREAD", "COUNT", "Choice", "DRAW", "DRAWN", "Groups",
    "INNER", "KingTables", "MAN", "OK", "OM", "PK", "PM", "Run", "STOP", "category_of", "expand",
    "join_row", "king_tables", "leaf_value", "search", "signed", "slice_number", "slice_pairs",
    "solve_pair",
    # Until a metric is a record.
    "METRICS",
}  # fmt: skip
"""Public names that are still defined in more than one file."""

SAME_MODULES = {"kernels", "position", "records", "scores", "tables"}
"""Names that still stand for more than one module."""

MANY_PARAMETERS = "crownbase.retro.rows"
"""Where kernels may still have more parameters, while they are rebuilt."""


def defined_names(tree: ast.Module) -> Iterator[str]:
    """Public names that a module defines at its top level; imports do not count."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names = [node.name]
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            parts = [part for target in targets for part in ast.walk(target)]
            names = [part.id for part in parts if isinstance(part, ast.Name)]
        else:
            names = []
        yield from (name for name in names if not name.startswith("_"))


def command_names(tree: ast.Module) -> set[str]:
    """Functions of the command line: ``app.command()(build)`` is called as the command is."""
    return {"register"} | {
        node.args[0].id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Call)
        and ast.unparse(node.func).startswith("app.command(")
        and isinstance(node.args[0], ast.Name)
    }


def kernels_of(tree: ast.Module, marks: str = "kernel primitive") -> Iterator[ast.FunctionDef]:
    """The compiled functions of a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            own = {ast.unparse(mark).split("(")[0] for mark in node.decorator_list}
            if own & set(marks.split()):
                yield node


def test_a_public_name_is_defined_once(sources: dict[str, ast.Module]) -> None:
    places = defaultdict(set)
    for module, tree in sources.items():
        commands = command_names(tree) if module.startswith("crownbase.play.cli") else set()
        for name in set(defined_names(tree)) - commands:
            places[name].add(module)
    twice = {name: sorted(found) for name, found in places.items() if len(found) > 1}
    assert {name: found for name, found in twice.items() if name not in TWICE} == {}
    assert TWICE - twice.keys() == set(), "defined once by now: take it off the list"


def test_a_module_has_a_name_of_its_own(sources: dict[str, ast.Module]) -> None:
    packages = {name.rpartition(".")[0] for name in sources}
    places = defaultdict(list)
    for module in sorted(sources.keys() - packages):
        places[module.rpartition(".")[2]].append(module)
    twice = {name: found for name, found in places.items() if len(found) > 1}
    assert {name: found for name, found in twice.items() if name not in SAME_MODULES} == {}
    assert SAME_MODULES - twice.keys() == set(), "one module by now: take it off the list"


def test_kernels_have_few_parameters(sources: dict[str, ast.Module]) -> None:
    wrong = {}
    for module, tree in sources.items():
        for kernel in kernels_of(tree):
            arguments = kernel.args
            count = len(arguments.posonlyargs + arguments.args + arguments.kwonlyargs)
            if count > MAX_PARAMETERS and not module.startswith(MANY_PARAMETERS):
                wrong[f"{module}.{kernel.name}"] = count
    assert wrong == {}


def test_kernels_name_what_they_use(sources: dict[str, ast.Module]) -> None:
    """No attribute of a module inside a kernel: what it calls is imported by name."""
    wrong = []
    for module, tree in sources.items():
        modules = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                modules |= {alias.asname or alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    if f"{node.module}.{alias.name}" in sources:
                        modules.add(alias.asname or alias.name)
        modules -= {"np"}  # NumPy's types and functions are Numba's own words
        for kernel in kernels_of(tree, "kernel"):  # a primitive's body is its plain twin
            for node in ast.walk(kernel):
                if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                    if node.value.id in modules:
                        wrong.append(f"{module}.{kernel.name}: {ast.unparse(node)}")
    assert wrong == []


@pytest.mark.parametrize("text", ["A, b = 1, 2", "A: int = 1", "def A(): pass", "class A: pass"])
def test_the_test_of_names_sees_them(text: str) -> None:
    assert "A" in set(defined_names(ast.parse(text)))
