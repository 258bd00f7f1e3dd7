"""``Tablebase``: any legal position in, its exact value out; and the best moves."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from types import TracebackType
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from crownbase.board import Move, Position
from crownbase.board.clocks import occurrence_key
from crownbase.errors import IllegalPositionError, MissingTableError
from crownbase.index import Material
from crownbase.probe import batch
from crownbase.probe.catalog import Catalog, SliceReader
from crownbase.probe.lookup import Lookup
from crownbase.probe.ranking import rank_moves
from crownbase.probe.result import LOSS, WIN, MoveInfo, Result, sign, signed_plies
from crownbase.rules import DrawRules, Rules, find_rules
from crownbase.table import METRICS, BlockCache, FilePool

DEFAULT_CACHE_BYTES = 256 << 20
MAX_LINE = 2000
"""Plies after which ``line`` stops; no known win up to 8 pieces takes 300."""

_Default = TypeVar("_Default")
AnyPosition = Position | str


class Tablebase:
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
    """

    def __init__(
        self,
        rules: str | Rules = "english",
        *,
        draw: str | DrawRules | None = None,
        move_limit: int | None = None,
        cache_bytes: int = DEFAULT_CACHE_BYTES,
        open_files: int = 64,
    ) -> None:
        """Start without tables; see ``open_tablebase``."""
        self.rules = find_rules(rules).with_draw(draw, move_limit)
        self.rules.check_has_tables()
        self._one_book = draw is not None or move_limit is not None
        self._limits = {"cache_bytes": cache_bytes, "open_files": open_files}
        self._directories: list[str] = []  # as added, absolute
        self._opened_catalog = Catalog(self.rules, FilePool(open_files))
        self._opened_lookup = Lookup(self.rules, self._opened_catalog, BlockCache(cache_bytes))

    @property
    def _catalog(self) -> Catalog:
        """The tables; every question passes here or by `_lookup`, so that none is answered late."""
        self._opened_catalog.check_open()
        return self._opened_catalog

    @property
    def _lookup(self) -> Lookup:
        self._opened_catalog.check_open()
        return self._opened_lookup

    # ------------------------------------------------------------------ what is here

    def add_directory(self, directory: str | os.PathLike[str]) -> int:
        """Search one more directory; returns the number of table files found in it."""
        found = self._catalog.add(directory)
        self._directories.append(os.path.abspath(directory))  # the process may change its own
        return found

    @property
    def max_pieces(self) -> int:
        """Pieces of the largest table, 0 if there is none."""
        return self._catalog.max_pieces

    @property
    def materials(self) -> tuple[str, ...]:
        """Slice pairs of which any metric is here, such as ``KKvK``, smallest first."""
        return tuple(map(str, self._catalog.materials))

    @property
    def metrics(self) -> tuple[str, ...]:
        """Metrics of which any table is here."""
        return self._catalog.metrics

    def missing(self, position: AnyPosition) -> list[str]:
        """File names of the tables that ``probe`` would need for a position and that are not here.

        All metrics count of which there is any table. Captures are resolved: a table of fewer
        pieces can be needed. Nothing is raised for a missing table or too many pieces.
        """
        return self._lookup.missing(self._lookup.tree(self._position(position)))

    # ------------------------------------------------------------------ values

    def probe_wdl(self, position: AnyPosition) -> int:
        """1 if the side to move wins, 0 for a draw, -1 if it loses; without any draw clock.

        Raises:
            MissingTableError: a table is not here.
        """
        return sign(self._lookup.code("wdl", self._position(position)))

    def probe_dtc(self, position: AnyPosition) -> int:
        """Plies to the next conversion or the end of the game, negative if the side to move loses.

        0 for a draw, and for a side that has lost already (``probe_wdl`` is -1 then). A forced
        capture is a conversion: 1 or -1 if the game is decided.

        Raises:
            MissingTableError: a table is not here.
        """
        return signed_plies(self._lookup.code("dtc", self._position(position)))

    def probe_dtw(self, position: AnyPosition) -> int:
        """Plies to the end of the game, negative if the side to move loses.

        0 for a draw, and for a side that has lost already (``probe_wdl`` is -1 then).

        Raises:
            MissingTableError: a table is not here.
        """
        return signed_plies(self._lookup.code("dtw", self._position(position)))

    def probe(self, position: AnyPosition, clock: int | None = None) -> Result:
        """Everything the tables know about a position; distances without tables are None.

        Args:
            position: the position.
            clock: plies since the last conversion; by default those of the position (FEN ``H``).

        Raises:
            MissingTableError: the table that tells who wins is not here, or the draw clock matters
                in its slice and the ``.dtc`` table is not here.
            ValueError: a negative clock.
        """
        found = self._position(position, clock)
        return self._lookup.result(found, self._lookup.tree(found))

    def get_wdl(
        self, position: AnyPosition, default: _Default | None = None
    ) -> int | _Default | None:
        """As ``probe_wdl``, but the default if a table is missing."""
        try:
            return self.probe_wdl(position)
        except MissingTableError:
            return default

    def get_dtc(
        self, position: AnyPosition, default: _Default | None = None
    ) -> int | _Default | None:
        """As ``probe_dtc``, but the default if a table is missing."""
        try:
            return self.probe_dtc(position)
        except MissingTableError:
            return default

    def get_dtw(
        self, position: AnyPosition, default: _Default | None = None
    ) -> int | _Default | None:
        """As ``probe_dtw``, but the default if a table is missing."""
        try:
            return self.probe_dtw(position)
        except MissingTableError:
            return default

    def get(
        self, position: AnyPosition, default: _Default | None = None
    ) -> Result | _Default | None:
        """As ``probe``, but the default if a table is missing."""
        try:
            return self.probe(position)
        except MissingTableError:
            return default

    def probe_many(
        self, positions: Any, metric: str = "wdl", turns: Any = None
    ) -> npt.NDArray[Any]:
        """Values of many positions; large batches are answered in compiled code.

        Args:
            positions: ``Position`` objects or FENs; or integers [n, 4], the bit boards of white
                men, white kings, black men and black kings (bit 0 = square 1).
            metric: ``wdl``, ``dtc`` or ``dtw``.
            turns: for bit boards only, n sides to move: ``W`` or 0, ``B`` or 1; None = White.

        Returns:
            int8[n] for wdl, else int16[n] signed plies, as ``probe_wdl``, ``probe_dtc`` and
            ``probe_dtw`` answer.

        Raises:
            MissingTableError: a table is not here; the message names the first position.
        """
        if metric not in METRICS:
            raise ValueError(f"metric is one of {', '.join(METRICS)}, not {metric!r}")
        if isinstance(positions, np.ndarray) and positions.dtype.kind in "iu":
            boards, black = batch.as_boards(positions, turns)
        else:
            if turns is not None:
                raise ValueError("turns go with integers of shape [n, 4] only")
            listed = [self._position(one) for one in batch.flatten(positions)]
            boards, black = batch.position_boards(listed)
        codes = self._lookup.codes(boards, black, metric)
        return np.sign(codes).astype(np.int8) if metric == "wdl" else batch.signed_plies_of(codes)

    def slice_values(self, material: Material | str) -> npt.NDArray[np.int8] | None:
        """WDL values of a whole slice (``"KKvK"``) by index, int8[n]; None if its table is missing.

        As they lie in the file: a position whose mover can capture has no meaning there if
        captures are mandatory. For searches that keep slices in memory.
        """
        found = Material.parse(material) if isinstance(material, str) else material
        return self.slice_reader.values(found)

    @property
    def slice_reader(self) -> SliceReader:
        """What reads whole slices, and may be kept without keeping the tablebase."""
        return SliceReader(self._catalog)

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

    def close(self) -> None:
        """Close all files; nothing can be asked any more. Threads that read now may finish."""
        self._opened_catalog.close()
        self._opened_lookup.cache.clear()

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

    def _position(self, position: AnyPosition, clock: int | None = None) -> Position:
        if clock is not None:
            if clock < 0:
                raise ValueError(f"clock is a number of plies, not {clock}")
            return replace(self._position(position), clock=clock)
        if isinstance(position, str):
            return Position.from_fen(position, rules=self.rules)
        if not isinstance(position, Position):
            raise TypeError(f"a position is a Position or a FEN, not {type(position).__name__}")
        position.rules.check_has_tables()
        if position.rules is not self.rules and position.rules.digest != self.rules.digest:
            raise IllegalPositionError(
                f"{position.fen()} is a position of {position.rules.key}, "
                f"but these are tables of {self.rules.key}"
            )
        if self._one_book and position.rules.draw is not self.rules.draw:
            return replace(position, rules=self.rules)
        return position

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
