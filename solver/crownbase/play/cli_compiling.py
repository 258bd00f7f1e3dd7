"""What the command says of compilations: one line on stderr when a part of the kernels begins.

Nothing is said of code that comes from the cache, so a warm run is silent.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from crownbase.compiling import on_compile
from crownbase.play.cli_common import say


class Part(NamedTuple):
    """Kernels that are compiled together, in words, and about how many seconds that takes."""

    what: str
    seconds: int


# About what English takes with Numba 0.68 on one core; flying kings or a larger board take a little
# longer. By the longest beginning of the kernel's dotted name.
PARTS = {
    "crownbase.": Part("kernels", 5),
    "crownbase.board.": Part("the move generator", 3),
    "crownbase.probe.": Part("the look-up in tables", 3),
    "crownbase.table.": Part("the look-up in tables", 3),
    "crownbase.retro.": Part("the solver", 15),
    "crownbase.retro.verify.": Part("the verifier", 7),
    "crownbase.retro.rows.": Part("the solver of large slices", 40),
    "crownbase.retro.rows.reach": Part("the solver of positions beyond the tables", 60),
    "crownbase.search.": Part("the search for proofs", 20),
    "crownbase.search.node.": Part("the search", 12),
}


def part_of(kernel: str) -> Part:
    """The part that a kernel's dotted name belongs to."""
    fitting = [start for start in PARTS if kernel.startswith(start)]
    return PARTS[max(fitting, key=len, default="crownbase.")]


class Notices:
    """Hears of compilations and writes one line for each part, when it begins."""

    def __init__(self, write: Callable[[str], None] = say) -> None:
        self._write = write
        self._told: set[str] = set()

    def __call__(self, kernel: str, outermost: bool) -> None:
        """A kernel is being compiled."""
        part = part_of(kernel)
        if not outermost or part.what in self._told:
            return
        self._told.add(part.what)
        self._write(f"compiling {part.what}: {_how_often()}, about {part.seconds} s")


def _how_often() -> str:
    """Once, or each time if nothing can be kept."""
    from crownbase.jit import cache_directory

    folder = wanted = cache_directory()
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    if folder.is_dir() and os.access(folder, os.W_OK):
        return "once on this machine for these rules"
    return f"each time, since {Path(wanted)} cannot be written"


def say_when_compiling() -> None:
    """From now on, compilations of this process are told on stderr."""
    on_compile(Notices())
