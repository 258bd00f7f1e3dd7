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
import threading
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from crownbase.errors import BuildError, CorruptTableError
from crownbase.table.files import write_atomically
from crownbase.table.format import METRICS, SectionStats

MANIFEST_NAME = "manifest.json"
MANIFEST_FORMAT = 1
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
            data = json.loads(manifest.path.read_bytes())
        except FileNotFoundError:
            return manifest
        except OSError as error:
            raise CorruptTableError(path, f"cannot be read: {error.strerror or error}") from error
        except (ValueError, RecursionError) as error:
            raise CorruptTableError(path, f"no JSON ({error}); {_REPAIR}") from error
        try:
            manifest._parse(data)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            problem = f"not in the form of a manifest ({error!r}); {_REPAIR}"
            raise CorruptTableError(path, problem) from error
        return manifest

    def _parse(self, data: Any) -> None:
        if data["format"] != MANIFEST_FORMAT:
            problem = f"manifest format {data['format']}, this program reads {MANIFEST_FORMAT}"
            raise CorruptTableError(os.fspath(self.path), problem)
        found = (data["rules"]["key"], data["rules"]["digest"])
        if found != (self.rules_key, self.rules_digest):
            raise CorruptTableError(
                os.fspath(self.path),
                f"belongs to the rules {found[0]!r} (digest {found[1]}), not to "
                f"{self.rules_key!r} (digest {self.rules_digest}); use another directory",
            )
        for name, metrics in data["slices"].items():
            for metric, entry in metrics.items():
                if metric not in METRICS:
                    raise ValueError(f"unknown metric {metric!r}")
                sides = {side: SectionStats(**stats) for side, stats in entry["sides"].items()}
                fields = {**entry, "sides": sides}
                self._slices.setdefault(name, {})[metric] = FileEntry(**fields)

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


def _order(name: str) -> tuple[int, str]:
    """Sort key of slice pairs: pieces, then name; every letter but the ``v`` is a piece."""
    return len(name), name
