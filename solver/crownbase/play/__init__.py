"""For people and programs: games with their history, PDN, the command line."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crownbase.play.game import Game
    from crownbase.play.player import Player

__all__ = ["Game", "Player"]

_MODULES = {"Game": "game", "Player": "player"}


def __getattr__(name: str) -> object:
    """Import a name when it is first used: ``crownbase --help`` needs no rules and no NumPy."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
