"""For people and programs: games with their history, PDN, the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crownbase.play.game import Game

__all__ = ["Game"]


def __getattr__(name: str) -> object:
    """Import the game when it is first used: ``crownbase --help`` needs no rules and no NumPy."""
    if name != "Game":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from crownbase.play.game import Game

    return Game
