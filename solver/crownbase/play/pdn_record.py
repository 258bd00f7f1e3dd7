"""What is kept of a game of a PDN text, and what results mean."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

from crownbase.errors import PdnError
from crownbase.play.base_game import BaseGame

RESULTS = {
    "1-0": 1,
    "2-0": 1,
    "0-1": -1,
    "0-2": -1,
    "1/2-1/2": 0,
    "1/2": 0,
    "½-½": 0,
    "1-1": 0,
}
"""What a result says: 1 = the player who began won, -1 = the other one, 0 = a draw."""

UNDECIDED = ("*", "0-0")

G = TypeVar("G", bound=BaseGame)
"""The class of the games that are read: ``Game``, or a class of the user's."""


@dataclass
class PdnGame(Generic[G]):
    """One game of a file.

    Attributes:
        line: where it begins.
        tags: the tags as they stand in the file.
        game: the game as far as it could be read; None if its rules or its set-up could not.
        comments: texts by the number of moves played before them.
        nags: NAGs such as ``$1`` by the number of moves played before them; ``!`` is one, too.
        result: the result as written, ``*`` if there is none.
        warnings: oddities that cost nothing.
        error: the fault that ended the reading of this game.
    """

    line: int
    tags: dict[str, str]
    game: G | None = None
    comments: dict[int, list[str]] = field(default_factory=dict)
    nags: dict[int, list[str]] = field(default_factory=dict)
    result: str = "*"
    warnings: list[PdnError] = field(default_factory=list)
    error: PdnError | None = None
