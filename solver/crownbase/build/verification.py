"""Verify a database: every value of every position by forward moves, or checksums only.

The full check trusts no solver. Distances are checked by moves made forward on a plain board
(``retro.verify``): each is one more than the right successor's, which proves it. Win, draw or loss
must be the sign of a distance. Where no good distance is stored, a solver gives one as a
certificate, and that is checked by forward moves like a stored one.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from crownbase.build import engine
from crownbase.build.local import default_jobs
from crownbase.build.plan import with_dependencies
from crownbase.build.report import Progress, ProgressCallback, VerifiedSlice, VerifyReport
from crownbase.build.table_files import (
    file_digest,
    open_table,
    position_fen,
    read_values,
    table_path,
)
from crownbase.compiling import working_time
from crownbase.errors import BuildError, CorruptTableError, MissingTableError
from crownbase.index import Material, solving_key
from crownbase.probe.advice import build_command
from crownbase.probe.catalog import rules_folder
from crownbase.retro import count_values
from crownbase.retro.values import CURSED
from crownbase.retro.verify import Fault, check_slice
from crownbase.rules import Rules, find_rules, table_key
from crownbase.table import METRICS, Manifest

_REPAIR = "delete the file and build it again"
_PART = 1 << 18  # positions that a thread checks at a time

Found = dict[Material, list[str]]
"""Metrics that are stored of each slice pair, in solving order."""


def verify(
    directory: str | os.PathLike[str],
    rules: str | Rules = "english",
    fast: bool = False,
    jobs: int | None = None,
    progress: ProgressCallback | None = None,
) -> VerifyReport:
    """Check all tables of a rule set in ``directory/<rules>``.

    Faults do not stop the check and are not raised: the report lists them.

    Args:
        directory: as for ``build``.
        rules: a key, an alias, a ``.toml`` file or a ``Rules``.
        fast: compare checksums only, of every block and of the manifest.
        jobs: threads; all cores by default.
        progress: called with every step, from the calling thread.

    Raises:
        UnknownRulesError: no such rule set.
        MissingTableError: the directory has no tables of it.
        BuildError: a number of jobs that makes no sense.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = cb.build(folder, rules="english", pieces=2)
    ...     report = cb.verify(folder, rules="english")
    >>> report.ok
    True
    """
    start = time.perf_counter()
    found_rules = find_rules(rules)
    found_rules.check_has_tables()
    threads = jobs if jobs is not None else default_jobs()
    if threads < 1:
        raise BuildError(f"cannot verify with {threads} jobs; give 1 or more")
    check = _Check(found_rules, Path(directory) / rules_folder(found_rules), threads, progress)
    if not check.found:
        raise MissingTableError(
            f"no {found_rules.key} tables in {directory}; "
            f"run: {build_command(found_rules, 4, directory=directory)}"
        )
    with ThreadPoolExecutor(threads, thread_name_prefix="crownbase-verify") as pool:
        try:
            slices = list(check.bytes_only(pool) if fast else check.values(pool))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return VerifyReport(
        rules=found_rules.key,
        fast=fast,
        seconds=round(time.perf_counter() - start, 3),
        slices=slices,
    )


class _Check:
    """The state of one verification."""

    def __init__(
        self, rules: Rules, folder: Path, threads: int, progress: ProgressCallback | None
    ) -> None:
        self._rules = rules
        self._folder = folder
        self._threads = threads
        self._progress = progress
        self.found = _find_tables(folder)
        self._total = sum(self._positions(m) * len(names) for m, names in self.found.items())
        self._finished = 0
        self._manifest_fault = ""
        self._manifest = Manifest(folder, table_key(rules), rules.digest)
        try:
            self._manifest = Manifest.load(folder, table_key(rules), rules.digest)
        except CorruptTableError as error:
            self._manifest_fault = str(error)

    def bytes_only(self, pool: ThreadPoolExecutor) -> Iterator[VerifiedSlice]:
        """Compare checksums of every file."""
        files = [(material, name) for material, names in self.found.items() for name in names]
        faults = pool.map(lambda file: self._byte_faults(*file), files)
        for (material, metric), problems in zip(files, faults, strict=True):
            yield from self._verified(material, metric, problems)
            self._step("done", material, metric)
        yield from self._missing_files()

    def values(self, pool: ThreadPoolExecutor) -> Iterator[VerifiedSlice]:
        """Check every value; one distance after the other, so that one at a time is in memory."""
        names = {name for metrics in self.found.values() for name in metrics}
        distances = [name for name in ("dtc", "dtw") if name in names] or ["dtc"]
        signs_to_check = {material for material, metrics in self.found.items() if "wdl" in metrics}
        for distance in distances:
            last = distance == distances[-1]
            yield from self._values_of(distance, signs_to_check, last, pool)
        yield from self._missing_files()

    def _values_of(
        self, distance: str, signs: set[Material], last: bool, pool: ThreadPoolExecutor
    ) -> Iterator[VerifiedSlice]:
        """Check one distance of all pairs, and the signs of wdl files that are not checked yet."""
        pairs = with_dependencies(self.found)
        uses = Counter(need for material in pairs for need in material.dependencies())
        store: engine.PairValues = {}
        for material in pairs:
            stored = distance in self.found.get(material, ())
            signed = material in signs and (stored or last)
            self._step("start", material, distance)
            start = working_time()
            faults = self._load(material, distance, store) if stored else []
            if material.canonical not in store:
                self._solve(material, distance, store)
            if not faults:
                faults = self._wrong_values(material, distance, store, pool)
                if stored:
                    faults += self._wrong_counts(material, distance, store)
            seconds = working_time() - start
            if stored:
                yield from self._verified(material, distance, faults)
                self._step("done", material, distance, seconds)
            if signed:
                signs.discard(material)
                wrong = self._wrong_signs(material, store)
                yield from self._verified(material, "wdl", wrong if stored else faults + wrong)
                self._step("done", material, "wdl", seconds)
            _forget_unused(material, uses, store)

    def _load(self, material: Material, metric: str, store: engine.PairValues) -> list[str]:
        """Put the stored values of both sides of a pair into *store*, unless the file is bad."""
        faults = self._byte_faults(material, metric)
        if not faults:
            values = read_values(self._rules, self._folder, material, metric)
            self._fill_captures(material, metric, values, store)
            store.update(values)
        return faults

    def _solve(self, material: Material, metric: str, store: engine.PairValues) -> None:
        """Put a certificate for both sides of a pair into *store*."""
        solved = engine.solve(
            self._rules, material, metric, {material: store}, self._threads, "auto"
        )
        store.update(solved.values)

    def _fill_captures(
        self, material: Material, metric: str, values: engine.PairValues, store: engine.PairValues
    ) -> None:
        sides = [side for need in material.dependencies() for side in need.pair]
        smaller = {side: store[side] for side in sides if side.pieces < material.pieces}
        engine.fill_captures(self._rules, values, [smaller], metric)

    def _wrong_values(
        self,
        material: Material,
        metric: str,
        store: engine.PairValues,
        pool: ThreadPoolExecutor,
    ) -> list[str]:
        """What the forward check finds, at most one position of each side."""
        limit = engine.quiet_limit(self._rules, metric)

        def part(side: Material, first: int) -> Fault | None:
            end = min(first + _PART, len(store[side]))
            return check_slice(self._rules, side, store, metric, limit, first, end)

        faults = []
        for side in material.pair:
            starts = range(0, len(store[side]), _PART)
            found = [fault for fault in pool.map(part, [side] * len(starts), starts) if fault]
            for fault in found[:1]:
                fen = position_fen(self._rules, side, fault.index)
                faults.append(
                    f"{table_path(self._folder, material, metric)}: {fen} is stored as "
                    f"{_words(fault.found)}, but its moves give {_words(fault.expected)}; {_REPAIR}"
                )
        return faults

    def _wrong_signs(self, material: Material, store: engine.PairValues) -> list[str]:
        """Where a wdl file differs from the sign of the distances."""
        faults = self._byte_faults(material, "wdl")
        if faults:
            return faults
        path = table_path(self._folder, material, "wdl")
        read = read_values(self._rules, self._folder, material, "wdl")
        self._fill_captures(material, "wdl", read, store)
        for side, values in read.items():
            wrong = np.flatnonzero(np.sign(values) != np.sign(store[side]))
            if len(wrong):
                index = int(wrong[0])
                faults.append(
                    f"{path}: {position_fen(self._rules, side, index)} is stored as "
                    f"{_result(int(values[index]))}, but is a {_result(int(store[side][index]))}; "
                    f"{_REPAIR}"
                )
        return faults or self._wrong_counts(material, "wdl", store)

    def _wrong_counts(
        self, material: Material, metric: str, values: engine.PairValues
    ) -> list[str]:
        """Where the counts in a file's header are not those of its values."""
        faults = []
        with open_table(self._rules, self._folder, material, metric) as table:
            for section in table.header.sections:
                counts = count_values(values[Material.parse(section.material)])
                stats = section.stats
                right = (counts.wins + counts.cursed_wins, counts.losses + counts.blessed_losses)
                if (stats.wins + stats.cursed_wins, stats.losses + stats.blessed_losses) != right:
                    faults.append(
                        f"{table.path}: counts of {section.material} in the header are wrong"
                    )
        return faults

    def _byte_faults(self, material: Material, metric: str) -> list[str]:
        """Everything that checksums can tell about a file."""
        path = table_path(self._folder, material, metric)
        try:
            with open_table(self._rules, self._folder, material, metric) as table:
                table.check()
                header = table.header
        except (CorruptTableError, MissingTableError) as error:
            return [str(error)]
        expected = {str(side): side.positions(self._rules) for side in material.pair}
        if {part.material: part.positions for part in header.sections} != expected:
            return [f"{path}: holds other slices than its name says; build it again"]
        limits = {engine.quiet_limit(self._rules, metric), None if metric == "wdl" else -1}
        if header.quiet_limit not in limits:  # win, draw or loss may be made without the clock
            return [
                f"{path}: made with a draw clock of {header.quiet_limit} plies, but the rules have "
                f"{engine.quiet_limit(self._rules, metric)}; build it again"
            ]
        entry = self._manifest.get(str(material), metric)
        if entry is not None and file_digest(path) != entry.sha256:
            return [f"{path}: is not the file that the manifest lists; build it again"]
        return []

    def _missing_files(self) -> Iterator[VerifiedSlice]:
        """Faults of the manifest, and tables that others cannot be probed without."""
        if self._manifest_fault:
            yield VerifiedSlice("manifest", "", 0, (self._manifest_fault,))
        for name, metric, entry in self._manifest.items():
            path = self._folder / entry.file
            if not path.exists():
                problem = f"{path}: listed in the manifest, but not there; build it again"
                yield VerifiedSlice(name, metric, 0, (problem,))
        for material in with_dependencies(self.found):
            if material not in self.found and self._manifest.get(str(material), "wdl") is None:
                problem = (
                    f"no table of {material} in {self._folder}, to which moves from larger ones "
                    f"lead; run: "
                    f"{build_command(self._rules, material.pieces, directory=self._folder.parent)}"
                )
                yield VerifiedSlice(str(material), "", 0, (problem,))

    def _verified(
        self, material: Material, metric: str, faults: list[str]
    ) -> Iterator[VerifiedSlice]:
        """The result for both sides; faults of the file are told with the first one."""
        for side in material.pair:
            yield VerifiedSlice(str(side), metric, side.positions(self._rules), tuple(faults))
            faults = []

    def _positions(self, material: Material) -> int:
        return sum(side.positions(self._rules) for side in material.pair)

    def _step(self, event: str, material: Material, metric: str, seconds: float = 0.0) -> None:
        positions = self._positions(material)
        if event == "done":
            self._finished += positions
        if self._progress is not None:
            self._progress(
                Progress(
                    event, str(material), metric, positions, self._finished, self._total, seconds
                )
            )


def _find_tables(folder: Path) -> Found:
    """The tables of a folder by their names; other files are no concern of ours."""
    found: Found = {}
    names = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    for name in names:
        text, _, metric = name.rpartition(".")
        if metric in METRICS:
            try:
                material = Material.parse(text)
            except ValueError:
                continue
            if str(material.canonical) == text and material.own and material.opponent:
                found.setdefault(material, []).append(metric)
    return {material: found[material] for material in sorted(found, key=solving_key)}


def _forget_unused(material: Material, uses: Counter[Material], store: engine.PairValues) -> None:
    """Drop what only *material* was still to need, and *material* if nobody does."""
    for need in material.dependencies():
        uses[need] -= 1
    for pair in (material, *material.dependencies()):
        if uses[pair] <= 0:
            for side in pair.pair:
                store.pop(side, None)


def _words(code: int) -> str:
    """A value code in words."""
    if code == 0:
        return "a draw"
    distance = code if code > 0 else ~code
    cursed = distance >= CURSED
    name = ("a cursed win" if cursed else "a win") if code > 0 else "a loss"
    if cursed and code < 0:
        name = "a blessed loss"
    return f"{name} in {distance - CURSED if cursed else distance}"


def _result(sign: int) -> str:
    return "draw" if sign == 0 else "win" if sign > 0 else "loss"
