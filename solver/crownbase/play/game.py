"""``Game``: a game as programs use it, with its text as PDN."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from crownbase.play.base_game import BaseGame
from crownbase.play.outcome import Claim, Event, Outcome, Reason, Said
from crownbase.play.pdn_read import first_game
from crownbase.play.pdn_write import write_pdn
from crownbase.rules import Rules

__all__ = ["Claim", "Event", "Game", "Outcome", "Reason", "Said"]


class Game(BaseGame):
    """One game of draughts.

    Attributes:
        rules, draw: the rule set, and its draw rules in force (``rules.draw``).
        move_limit: plies after which the game is drawn, or None.
        tags: tags of the record that the game was read from; ``pdn`` writes them.
        comments, nags: what the record says of the moves, by the number of moves played before.

    In the examples of the methods, ``game`` has just begun:

    >>> game = cb.Game(rules="english")
    """

    def pdn(self, headers: Mapping[str, str] | None = None) -> str:
        """The game as PDN, with the tags, comments and NAGs of the record that it was read from.

        Args:
            headers: tags to write, instead of those of the record where both have one.

        >>> _ = game.play("11-15")
        >>> game.pdn().splitlines()[-1]
        '1. 11-15 *'
        """
        return write_pdn(self, headers)

    @classmethod
    def from_pdn(cls, text: str, rules: str | Rules | None = None) -> Self:
        """The first game of a PDN text; ``play.pdn.read_pdn`` reads them all and files too.

        Raises:
            PdnError: no game, or a fault in it; the message has line and token.

        >>> cb.Game.from_pdn("1. 11-15 22-18 *", rules="english").ply
        2
        """
        return first_game(text, cls, rules)
