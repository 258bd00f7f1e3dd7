"""``Tablebase``: any legal position in, its exact value out; and the best moves."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Any

from crownbase.board import Move, Position
from crownbase.board.clocks import occurrence_key
from crownbase.probe import batch
from crownbase.probe.ranking import rank_moves
from crownbase.probe.result import LOSS, WIN, MoveInfo
from crownbase.probe.table_values import AnyPosition, TableValues
from crownbase.rules import Rules

MAX_LINE = 2000
"""Plies after which ``line`` stops; no known win up to 8 pieces takes 300."""


class Tablebase(TableValues):
    """Answers from the tables of one rule set. Thread-safe and read-only; a context manager.

    Without ``close``, files go back when nobody has the tablebase any more. A forked child may go
    on asking. A pickle (for pools of processes) says where the tables are; reading it opens them.

    Every method takes a ``Position`` or a FEN. The draw rules that count are those that the
    tablebase was opened with, else those of the position's rules (``Rules.with_draw``). All values
    are for the side to move. Forced captures are resolved here: what is asked may be any legal
    position, and an answer may need tables of fewer pieces than it has. ``probe_*`` raise
    MissingTableError if a table is not here, ``get_*`` return a default then, and only then. All
    methods raise, besides what they name:

    TooManyPiecesError (a kind of MissingTableError)
        The position, or one that captures lead to, has more pieces than any table here.
    CorruptTableError
        A table file is damaged, made for something else, or cannot be opened.
    ClosedTablebaseError
        The tablebase was closed.
    FenError, IllegalPositionError
        No position of these rules.

    In the examples, ``tb`` has the small tables that ship, and ``pos`` is First Position:

    >>> tb = cb.open_tablebase(rules="english")
    >>> pos = cb.Position.from_fen("W:WK19,K23:B12,K28", rules="english")
    """

    # ------------------------------------------------------------------ moves

    def moves(
        self,
        position: AnyPosition,
        history: Sequence[AnyPosition] = (),
        clock: int | None = None,
    ) -> list[MoveInfo]:
        """All legal moves with what they lead to, best first; the order is in ``ranking``.

        None where the game is over, also where it is drawn at once (one piece each in Turkish):
        ``probe`` tells which.

        A move whose tables are missing has no outcome and comes last.

        Args:
            position: the position.
            history: earlier positions of the game, oldest first: a move that leads to one of them
                for the third time is a draw (or as often as the draw rules say), and the class
                clocks are counted along them.
            clock: plies since the last conversion; by default those of the position (FEN ``H``)
                or of the history, whatever is more.

        >>> [(str(info.move), info.outcome) for info in tb.moves(pos)[:2]]
        [('23-27', 'win'), ('23-18', 'win')]
        """
        found = self._position(position, clock)
        earlier = [self._position(one) for one in batch.flatten(history)]
        return rank_moves(self._lookup, found, earlier)

    def best_move(
        self,
        position: AnyPosition,
        history: Sequence[AnyPosition] = (),
        clock: int | None = None,
    ) -> Move | None:
        """The first of ``moves``; None if the game is over.

        Raises:
            MissingTableError: a table is not here that might make another move the best.

        >>> str(tb.best_move(pos))
        '23-27'
        """
        found = self._position(position, clock)
        return self._best(found, self.moves(found, history))

    def _best(self, position: Position, ranked: list[MoveInfo]) -> Move | None:
        """The first of some ranked moves, None if there is none; as ``best_move``."""
        if not ranked:
            return None
        best = ranked[0]
        if len(ranked) == 1:
            return best.move
        unknown = next((info for info in ranked if info.outcome is None), None)
        if unknown is not None and not self._keeps_value(position, best):
            self._lookup.code("wdl", position.play(unknown.move))  # raises what is missing
        return best.move

    def line(
        self, position: AnyPosition, max_plies: int = MAX_LINE, clock: int | None = None
    ) -> list[Move]:
        """Best moves of both sides, to the end of the game.

        A line without a decision ends when a position comes again; a decided one may repeat a
        position where the draw clock forbids the shortest way, and ends all the same.

        *clock*: plies since the last conversion before the first move, as for ``probe``.

        Raises:
            MissingTableError: as ``best_move``.

        >>> [str(move) for move in tb.line(pos)[:3]]
        ['23-27', '28-32', '19-23']
        """
        found = self._position(position, clock)
        history: list[Position] = []
        played: list[Move] = []
        seen = {occurrence_key(found)}
        while len(played) < max_plies:
            ranked = self.moves(found, history)
            move = self._best(found, ranked)
            if move is None:
                break
            history.append(found)
            played.append(move)
            found = found.play(move)
            if occurrence_key(found) in seen and ranked[0].outcome not in (WIN, LOSS):
                break
            seen.add(occurrence_key(found))
        return played

    # ------------------------------------------------------------------ opening and closing

    def __enter__(self) -> Tablebase:
        self._opened_catalog.check_open()
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        self._opened_catalog.check_open()
        return _open_again, (self.rules, self._one_book, self._directories, self._limits)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._opened_catalog.is_closed:
            return f"<Tablebase {self.rules.key}: closed>"
        return f"<Tablebase {self.rules.key}: up to {self.max_pieces} pieces>"

    # ------------------------------------------------------------------ inside

    def _keeps_value(self, position: Position, best: MoveInfo) -> bool:
        """Whether a move is known to be as good as the position itself, so that none is better."""
        value = self.get(position)
        if value is None or best.outcome != value.category:
            return False
        return value.dtw is None or best.dtw is None or abs(value.dtw) == abs(best.dtw) + 1


def _open_again(
    rules: Rules, one_book: bool, directories: list[str], limits: dict[str, Any]
) -> Tablebase:
    """A tablebase from its pickle."""
    tables = Tablebase(rules, **limits)
    for directory in directories:
        tables.add_directory(directory)
    tables._one_book = one_book
    return tables
