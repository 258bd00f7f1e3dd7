"""The ways in which the moves read so far can be played: one, but after a short capture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from crownbase.board import Move, Position
from crownbase.play.base_game import BaseGame
from crownbase.play.pdn_text import Token

_MOST_WAYS = 64
"""Ways kept at once: with more, the text is refused, so that reading stays linear in its length."""


class _Played(NamedTuple):
    """A move, with those played before it since the ways parted."""

    before: _Played | None
    token: Token
    move: Move


class _Way(NamedTuple):
    position: Position
    last: _Played | None


class Ways:
    """Plays moves in a game as soon as it is known which they are.

    A text that fits several moves parts the ways; later moves that cannot be played on one of them
    close it.

    Attributes:
        undecided: the text that fits several moves, and those; None while all is known.
    """

    def __init__(self, game: BaseGame) -> None:
        self._game = game
        self._ways: list[_Way] = []
        self._pending = 0  # plies since the ways parted
        self.undecided: tuple[Token, tuple[Move, ...]] | None = None

    @property
    def ply(self) -> int:
        """Moves read so far."""
        return self._game.ply + self._pending

    def play(self, token: Token, texts: Sequence[str]) -> bool:
        """Play what any of *texts* means wherever it is legal; False if it is nowhere."""
        ways = self._ways or [_Way(self._game.position, None)]
        after: list[_Way] = []
        first: tuple[Move, ...] = ()
        for way in ways:
            moves = _meant(way.position, texts)
            first = first or moves
            single = len(ways) == 1 and len(moves) == 1
            for move in moves:
                # A move that is certain is played by the game itself.
                position = way.position if single else way.position.play(move)
                after.append(_Way(position, _Played(way.last, token, move)))
            if len(after) > _MOST_WAYS:
                return False
        if not after:
            return False
        if not self.undecided and len(after) > 1:
            self.undecided = token, first
        self._ways = after
        self._pending += 1
        return True

    def settle(
        self,
        decided: Callable[[Token, Move], None],
        before_move: Callable[[Token], None],
    ) -> None:
        """Play the moves in the game if only one way is left.

        Args:
            decided: is told the text that fitted several moves, and the one that it means.
            before_move: is called before each move is played.
        """
        if len(self._ways) != 1:
            return
        chain = []
        played = self._ways[0].last
        while played:
            chain.append(played)
            played = played.before
        for number, (_, token, move) in enumerate(reversed(chain)):
            if self.undecided and not number:
                decided(token, move)
            before_move(token)
            self._game.play(move)
        self._ways, self._pending, self.undecided = [], 0, None


def _meant(position: Position, texts: Sequence[str]) -> tuple[Move, ...]:
    """The legal moves that any of *texts* can mean.

    Raises:
        IllegalMoveError: a text is none of a move.
    """
    found: list[Move] = []
    for text in texts:
        found += (move for move in position.moves_meant(text) if move not in found)
    return tuple(found)
