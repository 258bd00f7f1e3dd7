"""Solved values in memory: who still needs them, and how they come back from their files."""

from __future__ import annotations

import threading
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

from crownbase.build.engine import PairValues, fill_captures
from crownbase.build.plan import VALUE_BYTES, Job
from crownbase.build.table_files import read_values, table_path
from crownbase.index import Material
from crownbase.rules import Rules

SliceKey = tuple[Material, str]
"""A canonical material and the metric that was solved."""


class ResidentSlices:
    """The values of solved slice pairs, by canonical material and metric; thread-safe.

    A pair stays while a job that is still to come needs it. It can be dropped earlier if its file
    is written; ``get`` then reads it back and resolves the positions that files leave free.
    """

    def __init__(self, rules: Rules, folder: Path, jobs: Iterable[Job]) -> None:
        self._rules = rules
        self._folder = folder
        self._values: dict[SliceKey, PairValues] = {}
        self._written: set[SliceKey] = set()
        self._uses: Counter[SliceKey] = Counter()
        self._lock = threading.RLock()
        self._loading: defaultdict[SliceKey, threading.Lock] = defaultdict(threading.Lock)
        for job in jobs:
            self._uses.update((material, job.metric) for material in job.pair.needs)

    @property
    def bytes(self) -> int:
        """Memory that the values take now."""
        with self._lock:
            return sum(array.nbytes for v in self._values.values() for array in v.values())

    def missing_bytes(self, job: Job) -> int:
        """Memory that reading back what *job* needs would take."""
        with self._lock:
            return sum(
                VALUE_BYTES * side.positions(self._rules)
                for material in job.pair.needs
                if (material, job.metric) not in self._values
                for side in material.pair
            )

    def put(self, job: Job, values: PairValues) -> None:
        """Keep what a job has solved, until it is written and nobody needs it."""
        with self._lock:
            self._values[job.pair.material, job.metric] = values

    def mark_written(self, job: Job) -> None:
        """The job's files are on the disk, so that its values may be dropped."""
        with self._lock:
            key = (job.pair.material, job.metric)
            self._written.add(key)
            self._drop_if_unused(key)

    def mark_solved(self, job: Job) -> None:
        """The job no longer needs what it depends on."""
        with self._lock:
            for material in job.pair.needs:
                key = (material, job.metric)
                self._uses[key] -= 1
                self._drop_if_unused(key)

    def drop_except(self, keep: set[SliceKey]) -> None:
        """Make room: drop everything that can be read back and is not in *keep*."""
        with self._lock:
            for key in [key for key in self._values if key in self._written and key not in keep]:
                del self._values[key]

    def get(self, material: Material, metric: str) -> PairValues:
        """The values of both sides of a pair, read back from its file if need be.

        Raises:
            CorruptTableError: the file went bad since it was checked.
        """
        key = (material, metric)
        with self._lock:
            found = self._values.get(key)
            loading = self._loading[key]
        if found is not None:
            return found
        with loading:
            with self._lock:
                found = self._values.get(key)
            if found is None:
                found = self._read_back(material, metric)
                with self._lock:
                    self._values[key] = found
        return found

    def _read_back(self, material: Material, metric: str) -> PairValues:
        stored = metric
        if metric == "dtc" and not table_path(self._folder, material, metric).exists():
            stored = "wdl"  # a build of wdl alone; see engine.sign_is_enough
        values = read_values(self._rules, self._folder, material, stored)
        smaller = [other for other in material.dependencies() if other.pieces < material.pieces]
        fill_captures(self._rules, values, [self.get(m, metric) for m in smaller], metric)
        with self._lock:
            for other in smaller:
                self._drop_if_unused((other, metric))
        return values

    def _drop_if_unused(self, key: SliceKey) -> None:
        if self._uses[key] <= 0 and key in self._written:
            self._values.pop(key, None)
