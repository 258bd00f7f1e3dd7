"""``TableValues``: what tables say of positions, and which tables are here."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from crownbase.board import Position
from crownbase.errors import IllegalPositionError, MissingTableError
from crownbase.index import Material
from crownbase.probe import batch
from crownbase.probe.catalog import Catalog, SliceReader
from crownbase.probe.lookup import Lookup
from crownbase.probe.result import Result, sign, signed_plies
from crownbase.rules import DrawRules, Rules, find_rules
from crownbase.table import METRICS, BlockCache, FilePool

DEFAULT_CACHE_BYTES = 256 << 20

_Default = TypeVar("_Default")
AnyPosition = Position | str


class TableValues:
    """The part of ``Tablebase`` that knows values; moves come on top of it."""

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
        """Search one more directory; returns the number of table files found in it.

        >>> cb.open_tablebase(rules="english").add_directory("/no/such/folder")
        0
        """
        found = self._catalog.add(directory)
        self._directories.append(os.path.abspath(directory))  # the process may change its own
        return found

    @property
    def max_pieces(self) -> int:
        """Pieces of the largest table, 0 if there is none.

        >>> tb.max_pieces
        4
        """
        return self._catalog.max_pieces

    @property
    def materials(self) -> tuple[str, ...]:
        """Slice pairs of which any metric is here, such as ``KKvK``, smallest first.

        >>> tb.materials[:4]
        ('KvK', 'KvM', 'MvM', 'KKvK')
        """
        return tuple(map(str, self._catalog.materials))

    @property
    def metrics(self) -> tuple[str, ...]:
        """Metrics of which any table is here.

        >>> tb.metrics
        ('wdl', 'dtc', 'dtw')
        """
        return self._catalog.metrics

    def missing(self, position: AnyPosition) -> list[str]:
        """File names of the tables that ``probe`` would need for a position and that are not here.

        All metrics count of which there is any table. Captures are resolved: a table of fewer
        pieces can be needed. Nothing is raised for a missing table or too many pieces.

        >>> tb.missing("W:WK1,K2,K3:BK31,K32")[:2]
        ['KKKvKK.wdl', 'KKKvKK.dtc']
        """
        return self._lookup.missing(self._lookup.tree(self._position(position)))

    def used(self, position: AnyPosition) -> list[str]:
        """File names of the tables here that ``probe`` reads for a position, sorted.

        >>> tb.used("W:WK18:BK29,K30")
        ['KKvK.dtc', 'KKvK.dtw', 'KKvK.wdl']
        """
        return self._lookup.here(self._lookup.tree(self._position(position)))

    # ------------------------------------------------------------------ values

    def probe_wdl(self, position: AnyPosition) -> int:
        """1 if the side to move wins, 0 for a draw, -1 if it loses; without any draw clock.

        Raises:
            MissingTableError: a table is not here.

        >>> tb.probe_wdl(pos)
        1
        >>> tb.probe_wdl("B:WK19,K27:B12,K28")
        -1
        """
        return sign(self._lookup.code("wdl", self._position(position)))

    def probe_dtc(self, position: AnyPosition) -> int:
        """Plies to the next conversion or the end of the game, negative if the side to move loses.

        0 for a draw, and for a side that has lost already (``probe_wdl`` is -1 then). A forced
        capture is a conversion: 1 or -1 if the game is decided.

        Raises:
            MissingTableError: a table is not here.

        >>> tb.probe_dtc(pos)
        17
        """
        return signed_plies(self._lookup.code("dtc", self._position(position)))

    def probe_dtw(self, position: AnyPosition) -> int:
        """Plies to the end of the game, negative if the side to move loses.

        0 for a draw, and for a side that has lost already (``probe_wdl`` is -1 then).

        Raises:
            MissingTableError: a table is not here.

        >>> tb.probe_dtw(pos)
        61
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

        >>> tb.probe(pos)
        Result(category='win', wdl=1, dtc=17, dtw=61)
        """
        found = self._position(position, clock)
        return self._lookup.result(found, self._lookup.tree(found))

    def get_wdl(
        self, position: AnyPosition, default: _Default | None = None
    ) -> int | _Default | None:
        """As ``probe_wdl``, but the default if a table is missing.

        >>> tb.get_wdl("W:WK1,K2,K3:BK31,K32") is None
        True
        """
        try:
            return self.probe_wdl(position)
        except MissingTableError:
            return default

    def get_dtc(
        self, position: AnyPosition, default: _Default | None = None
    ) -> int | _Default | None:
        """As ``probe_dtc``, but the default if a table is missing.

        >>> tb.get_dtc(pos)
        17
        """
        try:
            return self.probe_dtc(position)
        except MissingTableError:
            return default

    def get_dtw(
        self, position: AnyPosition, default: _Default | None = None
    ) -> int | _Default | None:
        """As ``probe_dtw``, but the default if a table is missing.

        >>> tb.get_dtw("W:WK1,K2,K3:BK31,K32", default=0)
        0
        """
        try:
            return self.probe_dtw(position)
        except MissingTableError:
            return default

    def get(
        self, position: AnyPosition, default: _Default | None = None
    ) -> Result | _Default | None:
        """As ``probe``, but the default if a table is missing.

        >>> tb.get(pos).category
        'win'
        """
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

        >>> tb.probe_many([pos, "B:WK19,K27:B12,K28"], metric="dtw")
        array([ 61, -60], dtype=int16)
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

        >>> tb.slice_values("KvK").shape
        (992,)
        """
        found = Material.parse(material) if isinstance(material, str) else material
        return self.slice_reader.values(found)

    @property
    def slice_reader(self) -> SliceReader:
        """What reads whole slices, and may be kept without keeping the tablebase.

        >>> reader = tb.slice_reader
        """
        return SliceReader(self._catalog)

    # ------------------------------------------------------------------ opening and closing

    def close(self) -> None:
        """Close all files; nothing can be asked any more. Threads that read now may finish.

        >>> other = cb.open_tablebase()
        >>> other.close()
        """
        self._opened_catalog.close()
        self._opened_lookup.cache.clear()

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
