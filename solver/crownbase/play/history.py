"""What has been played: positions, moves, clocks and repetitions, without any judgement."""

from __future__ import annotations

from crownbase.board import Move, Position, clocks
from crownbase.board.clocks import OccurrenceKey, occurrence_key
from crownbase.errors import IllegalMoveError
from crownbase.rules.draw import ClassClock


class History:
    """The moves of a game with everything that is counted along them.

    Attributes:
        rules: the rule set.
        draw: its draw rules, whose clocks are counted.
    """

    def __init__(self, start: Position) -> None:
        self.rules = start.rules
        self.draw = draw = start.rules.draw
        self._positions = [start]
        self._moves: list[Move] = []
        self._counts = [clocks.first_counts(draw, start)]
        counts_setup = draw.repetition is None or draw.repetition.counts_setup
        self._seen: dict[OccurrenceKey, int] = {occurrence_key(start): 1} if counts_setup else {}

    @property
    def position(self) -> Position:
        """The position on the board.

        >>> game.position.turn
        'B'
        """
        return self._positions[-1]

    @property
    def start(self) -> Position:
        """The position in which the game began.

        >>> game.start.pieces
        24
        """
        return self._positions[0]

    @property
    def turn(self) -> str:
        """``"W"`` or ``"B"``: whose move it is.

        >>> game.turn
        'B'
        """
        return self.position.turn

    @property
    def moves(self) -> tuple[Move, ...]:
        """All moves so far.

        >>> _ = game.play("11-15")
        >>> [str(move) for move in game.moves]
        ['11-15']
        """
        return tuple(self._moves)

    @property
    def history(self) -> tuple[Position, ...]:
        """All earlier positions, oldest first: what ``Tablebase.best_move`` takes.

        >>> _ = game.play("11-15")
        >>> len(game.history)
        1
        """
        return tuple(self._positions[:-1])

    @property
    def ply(self) -> int:
        """How many moves have been played.

        >>> game.ply
        0
        """
        return len(self._moves)

    def _push(self, move: Move | str) -> Move:
        before = self.position
        chosen = before.parse_move(move) if isinstance(move, str) else move
        after = before.play(chosen)
        self._moves.append(chosen)
        self._positions.append(after)
        self._counts.append(clocks.next_counts(self.draw, self._counts[-1], before, after))
        key = occurrence_key(after)
        self._seen[key] = self._seen.get(key, 0) + 1
        return chosen

    def _amend(self, position: Position) -> None:
        """Put another position in place of the one on the board: a piece of it is removed."""
        self._forget(self.position)
        self._positions[-1] = position
        before = self._positions[-2]
        self._counts[-1] = clocks.next_counts(self.draw, self._counts[-2], before, position)
        key = occurrence_key(position)
        self._seen[key] = self._seen.get(key, 0) + 1

    def _forget(self, position: Position) -> None:
        key = occurrence_key(position)
        self._seen[key] -= 1
        if not self._seen[key]:
            del self._seen[key]

    def _pop(self) -> Move:
        if not self._moves:
            raise IllegalMoveError("no move to take back")
        self._forget(self._positions.pop())
        self._counts.pop()
        return self._moves.pop()

    @property
    def clock(self) -> int:
        """Plies since the last conversion: the draw clock.

        >>> game.clock
        0
        """
        return self.position.clock

    @property
    def class_clocks(self) -> tuple[tuple[ClassClock, int], ...]:
        """The class clocks that run, each with its count (see ``ClassClock.counted``).

        >>> cb.Game("russian").class_clocks
        ()
        """
        pairs = zip(self.draw.class_clocks, self._counts[-1], strict=True)
        return tuple((clock, count) for clock, count in pairs if count != clocks.OFF)

    def occurrences(self, position: Position | None = None) -> int:
        """How often a position (None: the one on the board) has occurred, same side to move.

        >>> game.occurrences()
        1
        """
        return self._seen.get(occurrence_key(position or self.position), 0)
