"""The table files of a build: writing them, checking those that are there, the manifest."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from crownbase.build import engine
from crownbase.build.plan import Job
from crownbase.build.table_files import file_digest, open_table, position_fen, table_path
from crownbase.errors import CorruptTableError, MissingTableError
from crownbase.index import INDEX_RULE, Material
from crownbase.retro import SliceCounts, count_values
from crownbase.rules import Rules, table_key
from crownbase.table import (
    FileEntry,
    Manifest,
    PackedWdl,
    SectionInput,
    SectionStats,
    default_level,
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

    def __init__(
        self, rules: Rules, folder: Path, *, clock: bool = True, level: int | None = None
    ) -> None:
        """Read the manifest.

        Without *clock*, wdl files are written that do not say where the draw clock matters, and
        those that do say it are good, too. *level*: of zstd, by default by the size of a table.

        Raises:
            CorruptTableError: the manifest is damaged or belongs to other rules.
        """
        self._rules = rules
        self._folder = folder
        self._clock = clock
        self._level = level
        self._manifest = Manifest.load(folder, table_key(rules), rules.digest)
        self._lock = threading.Lock()
        self._saved_at = 0.0
        # Masks of free positions of pairs that another job is still to write.
        self._free: dict[Material, list[np.ndarray | None]] = {}
        self._to_write: Counter[Material] = Counter()

    def expect(self, jobs: Iterable[Job]) -> None:
        """Say which jobs are to be written, so that they share what is the same for all."""
        self._to_write.update(job.pair.material for job in jobs)

    def is_done(self, job: Job) -> bool:
        """Whether all files of a job are there and check out; the manifest then lists them."""
        return all(self._check(job.pair.material, metric) for metric in job.outputs) and (
            not self._needs_dtc(job) or self._check(job.pair.material, "dtc")
        )

    def _needs_dtc(self, job: Job) -> bool:
        """Whether a job that was asked for wdl alone must store its distances too."""
        if job.metric != "dtc" or "dtc" in job.outputs:
            return False
        entry = self._manifest.get(str(job.pair.material), "wdl")
        has_cursed = entry is not None and any(
            side.cursed_wins or side.blessed_losses for side in entry.sides.values()
        )
        return not engine.sign_is_enough(self._rules, has_cursed)

    def _check(self, material: Material, metric: str) -> bool:
        path = table_path(self._folder, material, metric)
        try:
            with open_table(self._rules, self._folder, material, metric) as table:
                table.check()
                header = table.header
        except (MissingTableError, CorruptTableError):
            return False
        made_for = (
            tuple(section.material for section in header.sections),
            header.index_rule,
            header.free_scheme,
        )
        if made_for != (tuple(map(str, material.pair)), INDEX_RULE, free_scheme(self._rules)):
            return False
        limits = {self._quiet_limit(metric), engine.quiet_limit(self._rules, metric)}
        if header.quiet_limit not in limits:
            return False
        digest = file_digest(path)
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

    def _quiet_limit(self, metric: str) -> int | None:
        return engine.quiet_limit(self._rules, metric) if self._clock else None

    def write(self, job: Job, values: engine.PairValues, seconds: float, threads: int) -> None:
        """Write the files of a job from the solved values of both sides, and list them.

        Raises:
            BuildError: the disk is full or the folder cannot be written.
        """
        free = self._take_free(job.pair.material, threads)
        for metric in job.outputs:
            self._write(job.pair.material, metric, values, free, seconds, threads)
        if self._needs_dtc(job):
            self._write(job.pair.material, "dtc", values, free, seconds, threads)

    def write_packed(
        self,
        job: Job,
        read: Callable[[Material], PackedWdl],
        stats: Mapping[Material, SectionStats],
        seconds: float,
        threads: int,
    ) -> None:
        """Write the wdl file of a job whose values *read* gives, one side after the other.

        Raises:
            BuildError: the disk is full or the folder cannot be written.
        """
        sides = job.pair.material.pair
        sections = (SectionInput(str(side), read(side), None, stats[side]) for side in sides)
        by_name = {str(side): stats[side] for side in sides}
        self._store(job.pair.material, "wdl", sections, by_name, {}, seconds, threads)

    def _take_free(self, material: Material, threads: int) -> list[np.ndarray | None]:
        """Which positions of each side need not be stored; kept if another job will ask again."""
        with self._lock:
            self._to_write[material] -= 1
            again = self._to_write[material] > 0
            free = self._free.pop(material, None)
        if free is None:
            if self._rules.captures_mandatory:
                free = [engine.find_free(self._rules, side, threads) for side in material.pair]
            else:
                free = [None for _ in material.pair]
        if again:
            self._free[material] = free
        return free

    def _write(
        self,
        material: Material,
        metric: str,
        values: engine.PairValues,
        free: list[np.ndarray | None],
        seconds: float,
        threads: int,
    ) -> None:
        sections = []
        longest = {}
        for side, unstored in zip(material.pair, free, strict=True):
            counts = count_values(values[side])
            stored = values[side]
            if metric == "wdl":
                stored = np.sign(stored).astype(np.int8)
            elif counts.longest_index >= 0:
                longest[str(side)] = position_fen(self._rules, side, counts.longest_index)
            sections.append(SectionInput(str(side), stored, unstored, _stats(counts, metric)))
        extra = {"longest_win_fen": dict(sorted(longest.items()))} if longest else {}
        by_name = {section.material: section.stats for section in sections}
        self._store(material, metric, sections, by_name, extra, seconds, threads)

    def _store(
        self,
        material: Material,
        metric: str,
        sections: Iterable[SectionInput],
        stats: Mapping[str, SectionStats],
        extra: dict[str, Any],
        seconds: float,
        threads: int,
    ) -> None:
        """Write one file and list it; *stats* of each section by its name."""
        positions = sum(side.positions for side in stats.values())
        path = table_path(self._folder, material, metric)
        written = write_table(
            path,
            rules_key=table_key(self._rules),
            rules_digest=self._rules.digest,
            metric=metric,
            free_scheme=free_scheme(self._rules),
            index_rule=INDEX_RULE,
            quiet_limit=self._quiet_limit(metric),
            sections=sections,
            level=default_level(positions) if self._level is None else self._level,
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
                sides=stats,
                extra=extra,
            ),
        )

    def save_sometimes(self) -> None:
        """Save the manifest if the last time was a while ago."""
        if time.monotonic() - self._saved_at > _SAVE_EVERY:
            self.save()

    def save(self) -> None:
        """Save the manifest; an empty one is not begun, since it would look like a database.

        Raises:
            BuildError: it cannot be written.
        """
        with self._lock:
            if any(True for _ in self._manifest.items()) or self._manifest.path.exists():
                self._manifest.save()
            self._saved_at = time.monotonic()

    def bytes_of(self, job: Job) -> int:
        """Size of the files of a job."""
        metrics = (*job.outputs, *(["dtc"] if self._needs_dtc(job) else []))
        material = job.pair.material
        entries = (self._manifest.get(str(material), metric) for metric in metrics)
        return sum(entry.bytes for entry in entries if entry is not None)


def _stats(counts: SliceCounts, metric: str) -> SectionStats:
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
