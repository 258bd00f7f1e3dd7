"""Imports go one way, along the stages that a position goes through."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

LAYERS = (
    "errors",
    "compiling",
    "jit",
    "rules",
    "board",
    "index",
    "retro",
    "table",
    "probe",
    "search",
    "build",
    "play",
)
"""Each may import itself and what stands before it, and nothing after it."""

FORBIDDEN = {
    "retro": {"table"},
    "table": {"rules", "board", "index", "retro"},
    "jit": {"errors"},
    "compiling": {"errors"},
}
"""Beyond the order: bytes on disk know no rules, the solver knows no files."""

SOLVERS = {"retro"}
JOINERS = {"build", "play"}
"""Only these may import both a solver and the tables."""

VALUE_MODULES = ("crownbase.retro.values", "crownbase.retro.resolve", "crownbase.retro.captures")
"""What a value means and how a capture is resolved: read by everybody, part of no solver."""


def imported_modules(name: str, tree: ast.Module, is_package: bool) -> set[str]:
    """Dotted names of the package's own modules that *name* imports, also inside functions."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                drop = node.level - (1 if is_package else 0)
                parent = name.split(".")[: len(name.split(".")) - drop]
                base = ".".join([*parent, base] if base else parent)
            found.add(base)
            # `from crownbase import table` names a stage in the list of names.
            found |= {f"{base}.{alias.name}" for alias in node.names}
    return {module for module in found if module.split(".")[0] == "crownbase"}


def layer_of(module: str) -> str | None:
    """The stage of a dotted name; None for the package itself and its entry points."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in LAYERS else None


@pytest.fixture(scope="module")
def layer_imports(sources: dict[str, ast.Module]) -> dict[str, set[str]]:
    packages = {name.rpartition(".")[0] for name in sources}
    return {name: imported_modules(name, tree, name in packages) for name, tree in sources.items()}


def test_every_module_belongs_to_a_layer(sources: dict[str, ast.Module]) -> None:
    outside = {name for name in sources if layer_of(name) is None}
    assert outside <= {
        "crownbase",
        "crownbase.__main__",
        "crownbase._callable",
        "crownbase._paths",
        "crownbase._version",
    }


def test_imports_go_one_way(layer_imports: dict[str, set[str]]) -> None:
    wrong = []
    for name, targets in layer_imports.items():
        layer = layer_of(name)
        if layer is None:
            continue
        for target in targets:
            other = layer_of(target)
            if other and LAYERS.index(other) > LAYERS.index(layer):
                wrong.append(f"{name} imports {target}")
    assert not wrong


def test_forbidden_imports(layer_imports: dict[str, set[str]]) -> None:
    wrong = [
        f"{name} imports {target}"
        for name, targets in layer_imports.items()
        for target in targets
        if layer_of(target) in FORBIDDEN.get(layer_of(name) or "", set())
    ]
    assert not wrong


def test_only_build_joins_solver_and_tables(layer_imports: dict[str, set[str]]) -> None:
    joiners = set()
    for name, targets in layer_imports.items():
        solving = {t for t in targets if layer_of(t) in SOLVERS}
        solving -= {t for t in solving if t.startswith(VALUE_MODULES)}
        solving.discard("crownbase.retro")
        if solving and any(layer_of(t) == "table" for t in targets):
            joiners.add(layer_of(name))
    assert joiners <= JOINERS


def names_imported(tree: ast.Module) -> Iterator[tuple[str, str | None]]:
    """(module, name) for every import, also late ones and those for the type checker alone."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, None) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", alias.name) for alias in node.names)


def home_of(sources: dict[str, ast.Module], module: str, name: str | None) -> str:
    """The module that gives *name* its meaning: packages pass on what their modules define."""
    if name is None or module not in sources:
        return module
    for other, passed_on in names_imported(sources[module]):
        if passed_on == name and other != module:
            return home_of(sources, other, name)
    return f"{module}.{name}" if f"{module}.{name}" in sources else module


def circles(arrows: dict[str, set[str]]) -> list[list[str]]:
    """The groups of modules that reach each other: what is left when ends are taken away."""
    left = {name: set(targets) for name, targets in arrows.items()}
    while ends := {name for name, targets in left.items() if not targets & left.keys()}:
        left = {name: targets for name, targets in left.items() if name not in ends}
    while starts := left.keys() - set().union(*left.values()):
        left = {name: targets for name, targets in left.items() if name not in starts}
    return [sorted(left)] if left else []


def test_no_circles(sources: dict[str, ast.Module]) -> None:
    """Not among modules, not through late imports, not for the type checker's sake."""
    arrows = {
        name: {home_of(sources, *found) for found in names_imported(tree)} - {name}
        for name, tree in sources.items()
        if name != "crownbase"  # it passes on the public names of all stages
    }
    assert not circles(arrows)


def test_nothing_imports_the_package_from_within(sources: dict[str, ast.Module]) -> None:
    """``crownbase`` stands above all stages; what they share has a module of its own."""
    wrong = [
        f"{name} imports {found[1]}"
        for name, tree in sources.items()
        for found in names_imported(tree)
        if found[0] == "crownbase" and f"crownbase.{found[1]}" not in sources
    ]
    assert not wrong


def test_the_test_of_circles_sees_one() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == [["b", "c"]]
    assert not circles({"a": {"b", "c"}, "b": {"c"}, "c": set()})


def test_the_layer_test_sees_relative_and_late_imports() -> None:
    tree = ast.parse(
        "def f():\n    from ..table import reader\n    import crownbase.retro.scalar\n"
    )
    found = imported_modules("crownbase.probe.values", tree, is_package=False)
    assert "crownbase.table.reader" in found
    assert "crownbase.retro.scalar" in found
