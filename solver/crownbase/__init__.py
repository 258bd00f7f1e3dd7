"""crownbase: draughts endgame databases, from rules to perfect play.

The names in ``__all__`` are the public interface. Each is imported when it is first used, so that
``import crownbase`` costs next to nothing and a command that needs no kernel never loads Numba.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crownbase.board import Move, Position, perft
    from crownbase.errors import (
        BuildError,
        CorruptTableError,
        CrownbaseError,
        FenError,
        IllegalMoveError,
        IllegalPositionError,
        MissingTableError,
        TooManyPiecesError,
        UnknownRulesError,
    )
    from crownbase.rules import Rules

__version__ = "0.1.0"

__all__ = [
    "BuildError",
    "CorruptTableError",
    "CrownbaseError",
    "FenError",
    "IllegalMoveError",
    "IllegalPositionError",
    "MissingTableError",
    "Move",
    "perft",
    "Position",
    "Rules",
    "TooManyPiecesError",
    "UnknownRulesError",
]

_STAGES = {
    "board": (
        "Move",
        "perft",
        "Position",
    ),
    "errors": (
        "BuildError",
        "CorruptTableError",
        "CrownbaseError",
        "FenError",
        "IllegalMoveError",
        "IllegalPositionError",
        "MissingTableError",
        "TooManyPiecesError",
        "UnknownRulesError",
    ),
    "rules": ("Rules",),
}
_HOME = {name: stage for stage, names in _STAGES.items() for name in names}


def __getattr__(name: str) -> object:
    """Import a public name on its first use (PEP 562)."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
