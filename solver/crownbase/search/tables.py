"""Table values inside the search: whole slices in memory, two bits a position.

A kernel cannot call into Python, so the slices that a search may reach are loaded beforehand. Each
is one byte array, four positions a byte, lowest bits first::

    code of position i = byte[i >> 2] >> 2 * (i & 3) & 3      0 loss, 1 draw, 2 win, 3 unknown

``Work.slices`` holds the array's address under the slice's number; a slice that is not there has
address 0, and the search simply goes on. Where captures are mandatory, values of positions with a
capture are never read: the search plays the captures and looks again.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, ref

import numpy as np

from crownbase.board.bits import popcount
from crownbase.errors import ClosedTablebaseError, IllegalPositionError
from crownbase.index import MAX_PIECES, Material, rank_position, slice_number, slice_pairs
from crownbase.index.position import SLICE_NUMBERS
from crownbase.jit import kernel, primitive
from crownbase.retro.rows import NOT_SOLVED, solved_value
from crownbase.rules import Rules
from crownbase.search.scores import IN_TABLES
from crownbase.search.watch import POLL
from crownbase.search.work import SOLVED_PIECES, Work

if TYPE_CHECKING:
    from crownbase.probe import Tablebase

LOST, DRAWN, WON, UNKNOWN = 0, 1, 2, 3
DEFAULT_MEMORY = 1 << 30
"""Bytes of packed slices that a view holds unless told otherwise."""


def _emit_load(builder: Any, address: Any, offset: Any) -> Any:
    import llvmlite.ir as ir

    pointer = builder.inttoptr(builder.add(address, offset), ir.IntType(8).as_pointer())
    return builder.zext(builder.load(pointer), ir.IntType(64))


@primitive("int64(int64, int64)", _emit_load)
def load_byte(address: int, offset: int) -> int:
    """The byte at a memory address plus an offset. No check of any kind."""
    return ctypes.c_uint8.from_address(address + offset).value


@kernel
def table_code(rules: Any, w: Work, om: int, ok: int, pm: int, pk: int) -> int:
    """The code of a position, ``UNKNOWN`` if its slice is not in memory."""
    number = slice_number(popcount(om), popcount(ok), popcount(pm), popcount(pk))
    address = w.slices[number]
    if address == 0:
        return UNKNOWN
    index = rank_position(rules, om, ok, pm, pk)
    return (load_byte(address, index >> 2) >> (2 * (index & 3))) & 3


@kernel
def solved_code(w: Work, om: int, ok: int, pm: int, pk: int) -> int:
    """The code of a position beyond the tables, ``UNKNOWN`` if its group was not solved."""
    if popcount(om | ok | pm | pk) > w.data[SOLVED_PIECES]:
        return UNKNOWN
    value = solved_value(w.solved, om, ok, pm, pk)
    return UNKNOWN if value == NOT_SOLVED else value + 1


@kernel
def table_score(code: int, ply: int) -> int:
    """The score of a table's code for the side to move at *ply*."""
    if code == WON:
        return IN_TABLES - ply
    if code == LOST:
        return ply - IN_TABLES
    return 0


def pack_values(values: np.ndarray) -> np.ndarray:
    """uint8[(n + 3) // 4] from int8[n] of -1, 0, +1 (anything else becomes unknown)."""
    codes = np.full((len(values) + 3) // 4 * 4, UNKNOWN, dtype=np.uint8)
    known = codes[: len(values)]
    np.add(values, 1, out=known, casting="unsafe")
    known[known > UNKNOWN] = UNKNOWN
    return codes[0::4] | codes[1::4] << 2 | codes[2::4] << 4 | codes[3::4] << 6


class TableView:
    """Slices of one rule set in memory, for the search.

    *read* returns the WDL values (int8[n], side to move's view) of a slice, or None if it is not
    at hand. Slices are read when a search first needs them, smallest first, up to *memory* bytes;
    a view only grows. *extent*: (pieces of the largest slice that *read* may have, a number that
    changes when there may be more of them); None = any size, and what was not at hand never is.
    """

    def __init__(
        self,
        rules: Rules,
        read: Callable[[Material], np.ndarray | None],
        memory: int = DEFAULT_MEMORY,
        extent: Callable[[], tuple[int, int]] | None = None,
    ) -> None:
        self.rules = rules
        self.memory = memory
        self.bytes = 0
        self._read = read
        self._extent = extent
        self._known_extent = (MAX_PIECES, 0)
        self._packed: dict[Material, np.ndarray | None] = {}
        self._lock = threading.Lock()
        self._helper: threading.Thread | None = None
        self._trouble: list[Exception] = []

    @property
    def materials(self) -> tuple[Material, ...]:
        """The slices that are in memory."""
        return tuple(m for m, packed in self._packed.copy().items() if packed is not None)

    def prepare(self, work: Work, max_pieces: int) -> int:
        """Point *work* at the slices of up to *max_pieces* that are in memory.

        Returns the pieces of the largest, 0 for none.
        """
        work.slices[:] = [0] * SLICE_NUMBERS if isinstance(work.slices, list) else 0
        largest = 0
        for material, packed in self._packed.copy().items():
            if packed is not None and material.pieces <= max_pieces:
                work.slices[material.number] = packed.ctypes.data
                largest = max(largest, material.pieces)
        return largest

    def load(
        self, root: Material, max_pieces: int, must_stop: Callable[[], bool] | None = None
    ) -> None:
        """Read every slice of up to *max_pieces* that play from *root* can reach.

        May run in a thread beside searches that take what is here. Once *must_stop*, asked every
        ``POLL`` seconds, returns True, the rest is read in the background.

        Raises:
            CorruptTableError: a table cannot be read; also one that was read in the background.
                All others are here nevertheless.
        """
        while True:
            wanted = self._wanted(root, max_pieces)
            if self._trouble:
                raise self._trouble.pop()
            if not wanted:
                return
            if must_stop is None:
                _load_all(ref(self), wanted)
                if self._trouble:
                    raise self._trouble.pop()
                return
            if self._helper is None or not self._helper.is_alive():
                self._helper = threading.Thread(
                    target=_load_all,
                    args=(ref(self), wanted),
                    name="crownbase-tables",
                    daemon=True,
                )
                self._helper.start()
            while self._helper.is_alive():
                if must_stop():
                    return
                self._helper.join(POLL)

    def _wanted(self, root: Material, max_pieces: int) -> list[Material]:
        """The slices that *root* can reach and that nobody has tried to read."""
        if self._extent is not None:
            extent = self._extent()
            if extent != self._known_extent:
                self._forget_missing()
                self._known_extent = extent
            max_pieces = min(max_pieces, extent[0])
        return [m for m in reachable(root, max_pieces) if m not in self._packed]

    def tried(self, material: Material) -> bool:
        """Whether this slice, and with it all that it leads to, was read or is not at hand."""
        return material in self._packed

    def allow(self, memory: int) -> None:
        """Raise the limit of memory; slices that did not fit before get another try."""
        if memory > self.memory:
            self.memory = memory
            self._forget_missing()

    def _forget_missing(self) -> None:
        with self._lock:
            self._packed = {m: packed for m, packed in self._packed.items() if packed is not None}

    def value(self, boards: tuple[int, int, int, int]) -> int | None:
        """WDL of a position as the search sees it, None if its slice is not in memory."""
        packed = self._packed.get(Material.of(*boards))
        if packed is None:
            return None
        index = int(rank_position.plain(self.rules.traits.plain, *boards))
        code = int(packed[index >> 2]) >> 2 * (index & 3) & 3
        return None if code == UNKNOWN else code - 1

    def _load(self, material: Material) -> None:
        with self._lock:
            if material in self._packed:
                return
            packed = None
            if self.bytes + material.positions(self.rules) // 4 <= self.memory:
                values = self._read(material)
                if values is not None:
                    packed = np.ascontiguousarray(pack_values(values))
                    self.bytes += packed.nbytes
            self._packed[material] = packed


def _load_all(view: ref[TableView], wanted: list[Material]) -> None:
    """Read slices as long as somebody has the view; one that cannot be read costs no other."""
    troubles: list[Exception] = []
    for material in wanted:
        found = view()
        if found is None:
            return
        try:
            found._load(material)
        except ClosedTablebaseError as error:
            found._trouble = [error]
            return
        except Exception as error:
            troubles.append(error)
            found._trouble = troubles[:1]
        del found


@lru_cache(maxsize=256)
def reachable(root: Material, max_pieces: int) -> tuple[Material, ...]:
    """The slices of up to *max_pieces* into which captures and promotions lead, smallest first."""
    men, kings, other_men, other_kings = root.counts
    found = []
    for pair in slice_pairs(min(max_pieces, root.pieces)):
        for side in {pair, pair.mirror}:
            for a, k, c, b in (side.counts, side.mirror.counts):
                if a <= men and a + k <= men + kings and c <= other_men:
                    if c + b <= other_men + other_kings:
                        found.append(side)
                        break
    return tuple(sorted(found, key=lambda m: (m.pieces, m.men)))


def view_of(
    tablebase: Tablebase | TableView | None, rules: Rules, memory: int = DEFAULT_MEMORY
) -> TableView | None:
    """The view of a tablebase, kept with it so that its slices are read once.

    A larger *memory* than before is allowed from then on. The view goes when the tablebase does.

    Raises:
        IllegalPositionError: a view of another rule set's tables.
    """
    if tablebase is None:
        return None
    if isinstance(tablebase, TableView):
        if tablebase.rules != rules:
            raise IllegalPositionError(
                f"these are tables of {tablebase.rules.title}, not of {rules.title}"
            )
        return tablebase
    kept = _views.get(tablebase)
    if kept is None:
        # The reader has the files, not the tablebase, which would never be let go otherwise.
        reader = tablebase.slice_reader
        kept = _views[tablebase] = TableView(rules, reader.values, memory, reader.extent)
    kept.allow(memory)
    return kept


_views: WeakKeyDictionary[Tablebase, TableView] = WeakKeyDictionary()
