"""The table files of a build: writing them, checking those that are there, the manifest."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from crownbase.board import Position
from crownbase.build import engine
from crownbase.build.folder import table_path
from crownbase.errors import CorruptTableError, MissingTableError
from crownbase.index import INDEX_RULE, Material, unrank_position
from crownbase.retro import Counts, count_values
from crownbase.rules import Rules
from crownbase.table import (
    FileEntry,
    Manifest,
    SectionInput,
    SectionStats,
    Table,
    write_table,
)

CAPTURES_FREE, NOTHING_FREE = 1, 0
"""Free-position schemes of table files: who must capture is not stored; or everything is."""

_SAVE_EVERY = 2.0  # seconds; the manifest can be made again from the files


def free_scheme(rules: Rules) -> int:
    """The free-position scheme that files of a rule set use."""
    return CAPTURES_FREE if rules.captures_mandatory else NOTHING_FREE


class FileKeeper:
    """Writes and checks the files of one folder and keeps its manifest; thread-safe."""

    def __init__(self, rules: Rules, folder: Path) -> None:
        """Read the manifest.

        Raises:
            CorruptTableError: the manifest is damaged or belongs to other rules.
        """
        self._rules = rules
        self._folder = folder
        self._manifest = Manifest.load(folder, rules.key, rules.digest)
        self._lock = threading.Lock()
        self._saved_at = 0.0

    def check(self, material: Material, metric: str) -> bool:
        """Whether a good file is there; the manifest then lists it."""
        path = table_path(self._folder, material, metric)
        try:
            with self._open(material, metric) as table:
                table.check()
                header = table.header
        except (MissingTableError, CorruptTableError):
            return False
        sections = tuple(section.material for section in header.sections)
        if sections != tuple(map(str, material.pair)) or header.index_rule != INDEX_RULE:
            return False
        digest = _sha256(path)
        entry = self._manifest.get(str(material), metric)
        if entry is None or entry.sha256 != digest:
            self._manifest.record(
                str(material),
                metric,
                FileEntry(
                    file=path.name,
                    bytes=header.file_bytes,
                    sha256=digest,
                    content_digest=header.content_digest,
                    seconds=0.0,
                    sides={section.material: section.stats for section in header.sections},
                    extra=dict(header.extra),
                ),
            )
        return True

    def write(
        self,
        material: Material,
        metric: str,
        values: engine.Values,
        seconds: float,
        threads: int,
    ) -> None:
        """Write one file from the solved values of both sides, and list it.

        Raises:
            BuildError: the disk is full or the folder cannot be written.
        """
        sections = []
        longest = {}
        for side in material.pair:
            counts = count_values(values[side])
            stored = values[side]
            if metric == "wdl":
                stored = np.sign(stored).astype(np.int8)
            elif counts.longest_index >= 0:
                longest[str(side)] = _fen(self._rules, side, counts.longest_index)
            free = engine.free_positions(self._rules, side)
            sections.append(SectionInput(str(side), stored, free, _stats(counts, metric)))
        extra = {"longest_win_fen": longest} if longest else {}
        path = table_path(self._folder, material, metric)
        written = write_table(
            path,
            rules_key=self._rules.key,
            rules_digest=self._rules.digest,
            metric=metric,
            free_scheme=free_scheme(self._rules),
            index_rule=INDEX_RULE,
            sections=sections,
            extra=extra,
            threads=threads,
        )
        self._manifest.record(
            str(material),
            metric,
            FileEntry(
                file=path.name,
                bytes=written.bytes,
                sha256=written.sha256,
                content_digest=written.content_digest,
                seconds=round(seconds, 3),
                sides={section.material: section.stats for section in sections},
                extra=extra,
            ),
        )

    def save_sometimes(self) -> None:
        """Save the manifest if the last time was a while ago."""
        if time.monotonic() - self._saved_at > _SAVE_EVERY:
            self.save()

    def save(self) -> None:
        """Save the manifest.

        Raises:
            BuildError: it cannot be written.
        """
        with self._lock:
            self._manifest.save()
            self._saved_at = time.monotonic()

    def bytes_of(self, material: Material, metrics: Iterable[str]) -> int:
        """Size of the files of a slice pair."""
        entries = (self._manifest.get(str(material), metric) for metric in metrics)
        return sum(entry.bytes for entry in entries if entry is not None)

    def _open(self, material: Material, metric: str) -> Table:
        return Table(
            table_path(self._folder, material, metric),
            rules_key=self._rules.key,
            rules_digest=self._rules.digest,
            metric=metric,
        )


def _stats(counts: Counts, metric: str) -> SectionStats:
    has_plies = metric != "wdl"
    return SectionStats(
        positions=counts.positions,
        wins=counts.wins,
        losses=counts.losses,
        draws=counts.draws,
        cursed_wins=counts.cursed_wins,
        blessed_losses=counts.blessed_losses,
        longest_win=counts.longest_win if has_plies else -1,
        longest_loss=counts.longest_loss if has_plies else -1,
    )


def _fen(rules: Rules, side: Material, index: int) -> str:
    """The position of an index with White to move."""
    boards = unrank_position.plain(rules.traits.plain, index, *side.counts)
    return Position.from_boards(rules, "W", boards).fen()


def _sha256(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
