"""Which tables are here: directories, files by slice and metric, opened when first needed.

db/                       a directory that is added
  english/                the folder of a rule set; or the tables lie in ``db`` itself
    KKvK.wdl  KKvK.dtc
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from crownbase.errors import ClosedTablebaseError, CorruptTableError
from crownbase.index import Material, solving_key
from crownbase.rules import Rules, shipped_twin, table_key
from crownbase.table import METRICS, FilePool, Table
from crownbase.table.files import NO_MORE_FILES, reason_of, with_room


def rules_folder(rules: Rules) -> str:
    """The folder that tables of these rules are written to.

    It is the key of the rule set that ships with the same moves, and where another draw clock
    makes other distances to conversion, that clock; for moves of the user's own, key and digest.
    """
    twin = shipped_twin(rules)
    if twin is None:
        return f"{rules.key}-{rules.digest}"
    if rules.quiet_limit == twin.quiet_limit:
        return twin.key
    return f"{twin.key}-clock-{rules.quiet_limit or 'none'}"


def _folders(rules: Rules) -> tuple[str, ...]:
    """The folders to look into: tables made under another draw clock serve (``under_clock``)."""
    twin = shipped_twin(rules)
    usual = rules_folder(rules) if twin is None else twin.key
    return tuple(dict.fromkeys((rules_folder(rules), usual)))


def shipped_directory() -> Path:
    """Where the small tables are that come with the package, or in a checkout its ``db``."""
    package = Path(__file__).resolve().parent.parent
    checkout = package.parent.parent
    if (checkout / "pyproject.toml").is_file() and (checkout / "db").is_dir():
        return checkout / "db"
    return package / "data"


class TableFile:
    """A table file that is opened, and checked against its name, at the first use."""

    def __init__(
        self, path: Path, material: Material, metric: str, rules: Rules, pool: FilePool
    ) -> None:
        self.path = path
        self.material = material
        self.metric = metric
        self._rules = rules
        self._pool = pool
        self._table: Table | None = None
        self._closed = False
        self.cursed: frozenset[str] = frozenset()
        """Sections of the open table in which the draw clock turns wins into draws."""

    @property
    def table(self) -> Table:
        """The open table.

        Raises:
            CorruptTableError: damaged, or not what its name and directory say.
            MissingTableError: the file has gone.
            ClosedTablebaseError: closed.
        """
        table = self._table
        if table is None:
            # No lock, which a forked child might find shut: threads that come together open it
            # several times, and all but one go when they have been read from.
            table = self._table = self._open()
            if self._closed:
                table.close()
        return table

    def _open(self) -> Table:
        rules = self._rules
        table = Table(
            self.path,
            rules_key=table_key(rules),
            rules_digest=rules.digest,
            metric=self.metric,
            pool=self._pool,
        )
        try:
            self._check(table)
        except BaseException:
            table.close()
            raise
        self.cursed = frozenset(
            section.material
            for section in table.header.sections
            if section.stats.cursed_wins or section.stats.blessed_losses
        )
        return table

    def _check(self, table: Table) -> None:
        expected = {str(side): side.positions(self._rules) for side in self.material.pair}
        found = {part.material: part.positions for part in table.header.sections}
        if set(found) != set(expected):
            problem = f"holds {' and '.join(found)}, not {' and '.join(expected)}"
        elif found != expected:
            problem = f"holds {found} positions, but the slices have {expected}"
        elif table.header.free_scheme and not self._rules.captures_mandatory:
            problem = "leaves out captures, but these rules do not force them"
        else:
            return
        raise CorruptTableError(table.path, f"{problem}; delete the file and build it again")

    def close(self) -> None:
        """Close the table if it is open; it does not open again."""
        self._closed = True
        table = self._table
        if table is not None:
            table.close()


class Slot(NamedTuple):
    """One side to move of a table file."""

    file: TableFile
    material: Material
    text: str  # of the material, the name of the section


class Catalog:
    """All tables of one rule set in the directories added so far; the first one found counts."""

    def __init__(self, rules: Rules, pool: FilePool) -> None:
        self.rules = rules
        self.searched: list[str] = []  # directories for people, in order
        self._pool = pool
        self._slots: dict[str, dict[int, Slot]] = {metric: {} for metric in METRICS}
        self._files: list[TableFile] = []
        self._max_pieces = 0
        self.is_closed = False

    def add(self, directory: str | os.PathLike[str]) -> int:
        """Look for tables in a directory; their number. One that is not there has none.

        Raises:
            CorruptTableError: the process has too many open files to look.
        """
        self.check_open()
        return sum(map(self._add_folder, _folders_of_tables(directory, self.rules)))

    def _add_folder(self, folder: Path) -> int:
        try:
            names = _names_in(folder)
        except CorruptTableError:
            raise
        except OSError as error:
            self.searched.append(f"{folder} ({(error.strerror or str(error)).lower()})")
            return 0
        self.searched.append(str(folder))
        count = 0
        for material, metric, name in _table_names(names):
            path = Path(os.path.abspath(folder / name))  # the process may change its directory
            file = TableFile(path, material, metric, self.rules, self._pool)
            self._files.append(file)
            self._max_pieces = max(self._max_pieces, material.pieces)
            count += 1
            for side in material.pair:
                self._slots[metric].setdefault(side.number, Slot(file, side, str(side)))
        return count

    def slot(self, metric: str, number: int) -> Slot | None:
        """Where a slice is stored, by ``slice_number``; None if it is not here."""
        self.check_open()
        return self._slots[metric].get(number)

    def wdl_slot(self, number: int) -> Slot | None:
        """Where the results of a slice are stored: any metric tells who wins."""
        self.check_open()
        for slots in self._slots.values():
            found = slots.get(number)
            if found is not None:
                return found
        return None

    @property
    def metrics(self) -> tuple[str, ...]:
        """Metrics of which there is any table."""
        return tuple(metric for metric in METRICS if self._slots[metric])

    @property
    def materials(self) -> tuple[Material, ...]:
        """Canonical slices of which there is any table, in solving order."""
        found = {slot.file.material for slots in self._slots.values() for slot in slots.values()}
        return tuple(sorted(found, key=solving_key))

    @property
    def max_pieces(self) -> int:
        """Pieces of the largest slice that is here, 0 without any."""
        self.check_open()
        return self._max_pieces

    @property
    def found(self) -> int:
        """Number of table files found so far."""
        return len(self._files)

    def close(self) -> None:
        """Close all tables; `check_open` raises from now on."""
        self.is_closed = True
        for file in self._files:
            file.close()

    def check_open(self) -> None:
        """Raise ClosedTablebaseError after `close`."""
        if self.is_closed:
            raise ClosedTablebaseError(
                f"these tables of {self.rules.key} are closed; open them again"
            )


class SliceReader:
    """Reads whole slices from a catalog. It keeps the catalog, not the tablebase that it is of."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def values(self, material: Material) -> npt.NDArray[np.int8] | None:
        """As ``Tablebase.slice_values``."""
        slot = self._catalog.wdl_slot(material.number)
        if slot is None:
            return None
        return np.sign(slot.file.table.read_all(slot.text)).astype(np.int8)

    def extent(self) -> tuple[int, int]:
        """(pieces of the largest slice, number of table files found so far)."""
        return self._catalog.max_pieces, self._catalog.found


def tables_in(directory: str | os.PathLike[str], rules: Rules) -> dict[str, list[Material]]:
    """The canonical slices of a rule set that a directory has files of, by metric; none is opened.

    Metrics and slices are in order; a directory that is not there or cannot be read has none.
    """
    if not rules.has_tables:
        return {}
    names: set[str] = set()
    for folder in _folders_of_tables(directory, rules):
        with contextlib.suppress(OSError):
            names.update(_names_in(folder))
    found: dict[str, list[Material]] = {}
    for material, metric, _ in _table_names(sorted(names)):
        found.setdefault(metric, []).append(material)
    return {m: sorted(found[m], key=solving_key) for m in METRICS if m in found}


def _folders_of_tables(directory: str | os.PathLike[str], rules: Rules) -> list[Path]:
    """Where the tables of a rule set would lie in a directory: its folders, or the directory."""
    named = [Path(directory) / name for name in _folders(rules)]
    found = [folder for folder in named if folder.is_dir()]
    if not found:
        found = [Path(directory)] if _has_tables(Path(directory)) else named[-1:]
    return found


def _table_names(names: list[str]) -> Iterator[tuple[Material, str, str]]:
    """The file names that are canonical names of tables: (material, metric, name)."""
    for name in names:
        stem, _, metric = name.rpartition(".")
        if metric not in METRICS:
            continue
        try:
            material = Material.parse(stem)
        except ValueError:
            continue
        if str(material.canonical) == stem and material.own and material.opponent:
            yield material, metric, name


def _has_tables(directory: Path) -> bool:
    try:
        return any(True for _ in _table_names(_names_in(directory)))
    except CorruptTableError:
        raise
    except OSError:
        return False


def _names_in(folder: Path) -> list[str]:
    """What is in a folder, sorted.

    Raises:
        CorruptTableError: this process has too many open files to look.
        OSError: there is no such folder, or it cannot be read.
    """
    try:
        return sorted(with_room(lambda: os.listdir(folder)))
    except OSError as error:
        if error.errno in NO_MORE_FILES:
            raise CorruptTableError(folder, f"cannot be searched: {reason_of(error)}") from error
        raise
