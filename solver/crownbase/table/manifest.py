"""The list of what a directory of tables holds: ``db/<rules>/manifest.json``.

    {"format": 1,
     "rules": {"key": "english", "digest": "..."},
     "slices": {
       "KvK": {                                        one entry per slice pair
         "wdl": {                                      one per file, by metric
           "file": "KvK.wdl", "bytes": 396, "sha256": "...", "content_digest": "...",
           "seconds": 0.02,                            time to build it, wall clock
           "sides": {                                  one per side to move
             "KvK": {"positions": 992, "wins": ..., "losses": ..., "draws": ...,
                     "cursed_wins": 0, "blessed_losses": 0,
                     "longest_win": -1, "longest_loss": -1}},
           "extra": {}}}}}                             whatever the builder wants to keep

Slices are ordered by number of pieces, then name; metrics and keys as above. The file is replaced
as a whole, so a reader sees the state before or after an update. One process writes at a time.
"""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from crownbase._paths import read_text
from crownbase.errors import BuildError, CorruptTableError, CrownbaseError
from crownbase.table.files import write_atomically
from crownbase.table.format import MATERIAL_PATTERN, MAX_POSITIONS, METRICS, SectionStats

MANIFEST_NAME = "manifest.json"
MANIFEST_FORMAT = 1
_LARGEST = 1 << 26
"""Bytes of a manifest, at most: all slices of twelve pieces take a quarter of it."""
_SHA256 = re.compile(r"[0-9a-f]{64}")
_REPAIR = "delete it; the next build lists the tables again"


@dataclass(frozen=True)
class FileEntry:
    """One table file: identity, size, and counts for each side to move."""

    file: str  # name within the directory
    bytes: int
    sha256: str
    content_digest: str
    seconds: float
    sides: Mapping[str, SectionStats]  # by material, side to move left
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def longest_win(self) -> int:
        """Plies of the longest win of either side, -1 if there is none."""
        return max((stats.longest_win for stats in self.sides.values()), default=-1)


class Manifest:
    """The entries of one directory; thread-safe within a process."""

    def __init__(
        self, directory: str | os.PathLike[str], rules_key: str, rules_digest: str
    ) -> None:
        """Start an empty manifest; `load` reads what is there."""
        self.path = Path(directory) / MANIFEST_NAME
        self.rules_key = rules_key
        self.rules_digest = rules_digest
        self._slices: dict[str, dict[str, FileEntry]] = {}
        self._lock = threading.Lock()

    @classmethod
    def load(cls, directory: str | os.PathLike[str], rules_key: str, rules_digest: str) -> Manifest:
        """Read a directory's manifest; an empty one if there is none.

        Raises:
            CorruptTableError: unreadable, damaged, or of other rules.
        """
        manifest = cls(directory, rules_key, rules_digest)
        path = os.fspath(manifest.path)
        try:
            data = json.loads(read_text(manifest.path, _LARGEST))
        except FileNotFoundError:
            return manifest
        except OSError as error:
            raise CorruptTableError(path, f"cannot be read: {error.strerror or error}") from error
        except CrownbaseError as error:
            problem = str(error).removeprefix(f"{path}: ")
            raise CorruptTableError(path, f"{problem}; {_REPAIR}") from error
        except (ValueError, RecursionError) as error:
            raise CorruptTableError(path, f"no JSON ({error}); {_REPAIR}") from error
        try:
            manifest._parse(data)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            problem = f"not in the form of a manifest ({error!r:.200}); {_REPAIR}"
            raise CorruptTableError(path, problem) from error
        return manifest

    def _parse(self, data: Any) -> None:
        if data["format"] != MANIFEST_FORMAT:
            problem = (
                f"manifest format {data['format']!r:.40}, this program reads {MANIFEST_FORMAT}"
            )
            raise CorruptTableError(os.fspath(self.path), problem)
        found = tuple(_checked(data["rules"][name], str, name)[:100] for name in ("key", "digest"))
        if found != (self.rules_key, self.rules_digest):
            raise CorruptTableError(
                os.fspath(self.path),
                f"belongs to the rules {found[0]!r} (digest {found[1]}), not to "
                f"{self.rules_key!r} (digest {self.rules_digest}); use another directory",
            )
        for name, metrics in _checked(data["slices"], dict, "slices").items():
            if not MATERIAL_PATTERN.fullmatch(name):
                raise ValueError("a slice is named after no material")
            for metric, entry in _checked(metrics, dict, name).items():
                if metric not in METRICS:
                    raise ValueError(f"unknown metric {metric!r:.40}")
                self._slices.setdefault(name, {})[metric] = _read_entry(name, metric, entry)

    def get(self, name: str, metric: str) -> FileEntry | None:
        """Return the entry of a slice pair's file, or None."""
        return self._slices.get(name, {}).get(metric)

    def items(self) -> Iterator[tuple[str, str, FileEntry]]:
        """Yield (slice pair, metric, entry) in the order of the file."""
        with self._lock:
            names = sorted(self._slices, key=_order)
            entries = [
                (name, metric, self._slices[name][metric])
                for name in names
                for metric in METRICS
                if metric in self._slices[name]
            ]
        return iter(entries)

    def record(self, name: str, metric: str, entry: FileEntry) -> None:
        """Add or replace one entry; `save` makes it last.

        Raises:
            ValueError: if the metric is unknown.
        """
        if metric not in METRICS:
            raise ValueError(f"unknown metric {metric!r}")
        with self._lock:
            self._slices.setdefault(name, {})[metric] = entry

    def remove(self, name: str, metric: str) -> None:
        """Drop an entry if it is there."""
        with self._lock:
            metrics = self._slices.get(name, {})
            metrics.pop(metric, None)
            if not metrics:
                self._slices.pop(name, None)

    def save(self) -> None:
        """Write the manifest in place of the old one.

        Raises:
            BuildError: if it cannot be written; the old one stays.
        """
        slices: dict[str, dict[str, Any]] = {}
        for name, metric, entry in self.items():
            slices.setdefault(name, {})[metric] = asdict(entry)
        data = {
            "format": MANIFEST_FORMAT,
            "rules": {"key": self.rules_key, "digest": self.rules_digest},
            "slices": slices,
        }
        try:
            text = json.dumps(data, indent=1, allow_nan=False) + "\n"
        except (TypeError, ValueError) as error:
            raise BuildError(f"cannot write {self.path}: {error}") from error
        write_atomically(self.path, [text.encode()])


def _read_entry(name: str, metric: str, data: Any) -> FileEntry:
    """One entry with every field there and of its type, nothing else taken on trust.

    Raises:
        ValueError: names the field that is wrong.
    """
    where = f"{name}.{metric}"
    entry = _fields(data, FileEntry, where)
    sides = {}
    for side, stats in _checked(entry["sides"], dict, f"{where}: sides").items():
        counts = _fields(stats, SectionStats, f"{where}: a side")
        for label, number in counts.items():
            least = -1 if label.startswith("longest_") else 0
            if _checked(number, int, f"{where}: {label}") < least or number > MAX_POSITIONS:
                raise ValueError(f"{where}: {label} is out of range")
        sides[side] = SectionStats(**counts)
    if set(sides) != {name, "v".join(reversed(name.split("v")))}:
        raise ValueError(f"{where}: has other sides than its name says")
    if entry["file"] != where:
        raise ValueError(f"{where}: file is named otherwise")
    if _checked(entry["bytes"], int, f"{where}: bytes") < 0:
        raise ValueError(f"{where}: bytes is out of range")
    for label in ("sha256", "content_digest"):
        if not _SHA256.fullmatch(_checked(entry[label], str, f"{where}: {label}")):
            raise ValueError(f"{where}: {label} is no SHA-256")
    seconds = entry["seconds"]
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not seconds >= 0:
        raise ValueError(f"{where}: seconds is no duration")
    _check_extra(_checked(entry.get("extra", {}), dict, f"{where}: extra"), sides, where)
    return FileEntry(**{**entry, "sides": sides})


def _check_extra(extra: dict[str, Any], sides: Mapping[str, SectionStats], where: str) -> None:
    """The one key that is read again: a position for each side, as a FEN."""
    fens = _checked(extra.get("longest_win_fen", {}), dict, f"{where}: longest_win_fen")
    for side, fen in fens.items():
        good = fen is None or (isinstance(fen, str) and fen.isprintable() and len(fen) <= 1000)
        if side not in sides or not good:
            raise ValueError(f"{where}: longest_win_fen holds no positions of its sides")


def _fields(data: Any, kind: type[FileEntry | SectionStats], where: str) -> dict[str, Any]:
    """The JSON object of a dataclass: no field unknown, none missing that has no default."""
    known = {one.name: one for one in fields(kind)}
    found: dict[str, Any] = _checked(data, dict, where)
    if not set(found) <= set(known):
        raise ValueError(f"{where}: has an unknown field")
    for label, one in known.items():
        if label not in found and one.default is MISSING and one.default_factory is MISSING:
            raise ValueError(f"{where}: {label} is missing")
    return found


def _checked(value: Any, kind: type[Any], where: str) -> Any:
    """The value if JSON gave one of this type; ``true`` is no number."""
    if not isinstance(value, kind) or isinstance(value, bool):
        raise ValueError(f"{where} is not what it should be")
    return value


def _order(name: str) -> tuple[int, str]:
    """Sort key of slice pairs: pieces, then name; every letter but the ``v`` is a piece."""
    return len(name), name
