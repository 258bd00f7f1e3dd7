"""Build win, draw or loss by rows: all slices stay in the solver's planes, two bits a position.

One thread solves, others write what is solved before; each with as many helpers as jobs::

    solving   KKvKK  KKKvKK  KKMvKK  ...            planes of all slices, never copied
    writing          KKvKK   KKKvKK  KKMvKK  ...    two bits a position, one side at a time

After an interruption, files that check out are kept, and the slices that others need are solved
again: that is no slower than reading them back and resolving their captures. If the planes do not
fit into memory they live in a scratch file, and only what a pair needs is kept in memory.
"""

from __future__ import annotations

import contextlib
import os
from collections import deque
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crownbase.build.file_keeper import FileKeeper
from crownbase.build.folder import check_free_space
from crownbase.build.plan import Job, Plan, with_dependencies
from crownbase.build.report import Progress, ProgressCallback, SliceReport
from crownbase.build.row_memory import RowMemory
from crownbase.compiling import working_thread_time, working_time
from crownbase.errors import BuildError
from crownbase.index import Material
from crownbase.retro.rows import RowSolver, SolvedSlice
from crownbase.retro.rows.quads import QuadsReader
from crownbase.table import PackedWdl, SectionStats

MOST_WAITING = 3
"""Pairs that are solved but not written, beyond which solving waits."""
WRITERS = 2
"""Pairs that are written at a time; a part of that cannot be shared out."""


@dataclass
class _Writing:
    job: Job
    started: float
    future: Future[float]


class RowRun:
    """The state of one build."""

    def __init__(
        self,
        plan: Plan,
        folder: Path,
        threads: int,
        limit: int,
        progress: ProgressCallback | None,
        keeper: FileKeeper,
    ) -> None:
        """Prepare; *limit*: most bytes of memory to use."""
        self._plan = plan
        self._folder = folder
        self._threads = threads
        self._limit = limit
        self._progress = progress
        self._keeper = keeper
        self._memory = RowMemory(plan, threads)
        self._jobs = {job.pair.material: job for job in plan.jobs()}
        self._reports = {
            material: SliceReport(str(material), job.pair.positions)
            for material, job in self._jobs.items()
        }
        self._total = plan.positions
        self._finished = 0
        self._writing: deque[_Writing] = deque()
        self._in_file = False

    def execute(self) -> list[SliceReport]:
        """Do all jobs; the reports in solving order."""
        missing = self._keep_what_is_there()
        if missing:
            needed = with_dependencies(missing)
            scratch = self._scratch_file(needed, missing)
            self._in_file = scratch is not None
            solver = RowSolver(
                self._plan.rules,
                [side.counts for material in needed for side in material.pair],
                self._threads,
                scratch,
            )
            self._solve_all(solver, needed, missing)
        self._keeper.save()
        for material, job in self._jobs.items():
            self._reports[material].bytes = self._keeper.bytes_of(job)
        return list(self._reports.values())

    def _keep_what_is_there(self) -> set[Material]:
        """Check the files that exist; the materials of those that are to be made."""
        with ThreadPoolExecutor(self._threads) as pool:
            done = list(pool.map(self._keeper.is_done, self._jobs.values()))
        missing = set()
        for job, good in zip(self._jobs.values(), done, strict=True):
            if good:
                self._finished += job.pair.positions
                self._tell("skip", job)
            else:
                missing.add(job.pair.material)
        return missing

    def _scratch_file(self, needed: list[Material], missing: set[Material]) -> Path | None:
        """Where the planes go if they do not fit into memory."""
        jobs = [self._jobs[material] for material in missing]
        disk = self._plan.disk_bytes(jobs)
        scratch = None
        if self._memory.in_memory(needed) > self._limit:
            disk += self._memory.all_planes(needed)
            # A name that the next build removes should a system keep it after a kill.
            scratch = self._folder / f".planes.{os.getpid()}.tmp"
        check_free_space(self._folder, disk)
        return scratch

    def _solve_all(self, solver: RowSolver, needed: list[Material], missing: set[Material]) -> None:
        reader = QuadsReader(solver, self._threads)
        solving = ThreadPoolExecutor(1, thread_name_prefix="crownbase-solve")
        writing = ThreadPoolExecutor(
            min(WRITERS, self._threads), thread_name_prefix="crownbase-write"
        )
        try:
            for material in needed:
                job = self._jobs[material]
                if material in missing:
                    self._tell("start", job)
                self._make_room(material)
                started = working_time()
                future = solving.submit(self._solve, solver, job)
                while not future.done():
                    running: list[Future[Any]] = [future, *(w.future for w in self._writing)]
                    wait(running, return_when=FIRST_COMPLETED)
                    self._finish_written(MOST_WAITING)
                solved = future.result()
                self._reports[material].solve_cpu_s = round(solved.cpu_seconds, 4)
                if material in missing:
                    self._reports[material].engine = "row"
                    self._finish_written(MOST_WAITING - 1)
                    written = writing.submit(self._write, reader, job, started)
                    self._writing.append(_Writing(job, started, written))
            self._finish_written(0)
        except BaseException:
            solving.shutdown(wait=False, cancel_futures=True)
            writing.shutdown(wait=False, cancel_futures=True)
            # Give the writer a moment; the solver writes nothing.
            wait([w.future for w in self._writing], 1.0)
            with contextlib.suppress(Exception):
                self._keeper.save()
            raise
        solving.shutdown()
        writing.shutdown()
        reader.close()

    def _make_room(self, material: Material) -> None:
        """Wait for writers as long as a pair does not fit beside them."""
        while self._in_file and self._writing:
            written = [w.job.pair.material for w in self._writing]
            if self._memory.at_work(material, written) <= self._limit:
                return
            self._finish_written(len(written) - 1)

    def _solve(self, solver: RowSolver, job: Job) -> SolvedSlice:
        material = job.pair.material
        at_work = [material, *job.pair.needs, *(w.job.pair.material for w in self._writing)]
        solver.planes.keep_resident(side.counts for one in at_work for side in one.pair)
        try:
            return solver.solve(material.counts)
        except MemoryError as error:
            raise BuildError(
                f"not enough memory for {material} ({job.pair.positions:,} positions); "
                "allow less with --memory, so that planes go to a scratch file"
            ) from error

    def _write(self, reader: QuadsReader, job: Job, started: float) -> float:
        cpu = working_thread_time()
        stats = {}
        for side in job.pair.material.pair:
            wins, draws, losses = reader.tally(side.counts)
            stats[side] = SectionStats(wins + draws + losses, wins, losses, draws)

        def read(side: Material) -> PackedWdl:
            return PackedWdl(reader.read(side.counts), stats[side].positions)

        seconds = working_time() - started
        self._keeper.write_packed(job, read, stats, seconds, self._threads)
        return working_thread_time() - cpu

    def _finish_written(self, most: int) -> None:
        """Report what is written, and wait until at most so many pairs are still to be."""
        while self._writing and (len(self._writing) > most or self._writing[0].future.done()):
            done = self._writing.popleft()
            report = self._reports[done.job.pair.material]
            report.write_cpu_s = round(done.future.result(), 4)
            self._finished += done.job.pair.positions
            self._keeper.save_sometimes()
            self._tell("done", done.job, working_time() - done.started)

    def _tell(self, event: str, job: Job, seconds: float = 0.0) -> None:
        if self._progress is not None:
            self._progress(
                Progress(
                    event,
                    str(job.pair.material),
                    "wdl",
                    job.pair.positions,
                    self._finished,
                    self._total,
                    seconds,
                )
            )
