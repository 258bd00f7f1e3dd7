"""crownbase: draughts endgame databases, from rules to perfect play.

The names in ``__all__`` are the public interface. Each is imported when it is first used, so that
``import crownbase`` costs next to nothing and a command that needs no kernel never loads Numba.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from crownbase._version import __version__ as __version__

if TYPE_CHECKING:
    from crownbase.board import Move, Position, perft
    from crownbase.build import BuildReport, VerifyReport, build, verify
    from crownbase.errors import (
        BuildError,
        ClosedTablebaseError,
        CorruptTableError,
        CrownbaseError,
        FenError,
        IllegalMoveError,
        IllegalPositionError,
        MissingTableError,
        PdnError,
        TooManyPiecesError,
        UnknownRulesError,
    )
    from crownbase.play import Game, Player
    from crownbase.probe import MoveInfo, Result, Tablebase, open_tablebase
    from crownbase.rules import RULE_SETS, Rules, find_rules
    from crownbase.search import Proof, SearchResult, prove, search

__all__ = [
    "build",
    "BuildError",
    "BuildReport",
    "ClosedTablebaseError",
    "CorruptTableError",
    "CrownbaseError",
    "FenError",
    "find_rules",
    "Game",
    "IllegalMoveError",
    "IllegalPositionError",
    "MissingTableError",
    "Move",
    "MoveInfo",
    "open_tablebase",
    "PdnError",
    "perft",
    "Player",
    "Position",
    "Proof",
    "prove",
    "Result",
    "RULE_SETS",
    "Rules",
    "search",
    "SearchResult",
    "Tablebase",
    "TooManyPiecesError",
    "UnknownRulesError",
    "verify",
    "VerifyReport",
]

_STAGES = {
    "board": (
        "Move",
        "Position",
        "perft",
    ),
    "build": (
        "BuildReport",
        "VerifyReport",
        "build",
        "verify",
    ),
    "errors": (
        "BuildError",
        "ClosedTablebaseError",
        "CorruptTableError",
        "CrownbaseError",
        "FenError",
        "IllegalMoveError",
        "IllegalPositionError",
        "MissingTableError",
        "PdnError",
        "TooManyPiecesError",
        "UnknownRulesError",
    ),
    "play": ("Game", "Player"),
    "probe": (
        "MoveInfo",
        "Result",
        "Tablebase",
        "open_tablebase",
    ),
    "rules": (
        "RULE_SETS",
        "Rules",
        "find_rules",
    ),
    "search": (
        "Proof",
        "SearchResult",
        "prove",
        "search",
    ),
}
_HOME = {name: stage for stage, names in _STAGES.items() for name in names}


def __getattr__(name: str) -> object:
    """Import a public name on its first use (PEP 562)."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    stage = importlib.import_module(f"{__name__}.{_HOME[name]}")
    # A stage that shares its name with its main function is itself callable (see _callable).
    value = stage if name == _HOME[name] else getattr(stage, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
