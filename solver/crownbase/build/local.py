"""Build a database on this machine: solve what can be solved, write it, go on after any stop.

The main thread decides; a pool of ``jobs`` threads works (kernels and the compressor run without
the interpreter lock). A job is one slice pair and one metric::

    waiting --(what it needs is solved, and it fits into memory)--> solving --> writing --> done
                                                                        |
                                     others that need it may start here +

A file is written under a temporary name and renamed, so whatever stands under its own name is
complete. That is all there is to resuming: files that check out are kept, the rest is made.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path

from crownbase.build import engine
from crownbase.build.file_keeper import FileKeeper
from crownbase.build.folder import (
    available_memory,
    check_free_space,
    locked,
)
from crownbase.build.plan import PROCESS_BYTES, Job, Plan, default_metrics, make_plan
from crownbase.build.report import BuildReport, Progress, ProgressCallback, SliceReport
from crownbase.build.resident import ResidentSlices
from crownbase.build.row_memory import RowMemory
from crownbase.build.row_run import RowRun
from crownbase.compiling import (
    compile_seconds,
    working_process_time,
    working_thread_time,
    working_time,
)
from crownbase.errors import BuildError
from crownbase.probe.catalog import rules_folder
from crownbase.rules import Rules
from crownbase.table import remove_temporaries

MAX_LEVEL = 22
MEMORY_SHARE = 0.8
"""How much of the free memory a build takes if nobody says how much it may."""


def default_jobs() -> int:
    """Number of threads that this process may run at once."""
    with contextlib.suppress(AttributeError):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def build(
    directory: str | os.PathLike[str],
    rules: str | Rules = "english",
    pieces: int = 4,
    metrics: Sequence[str] | None = None,
    jobs: int | None = None,
    memory: int | None = None,
    progress: ProgressCallback | None = None,
    solver: str = "auto",
    *,
    max_side: int | None = None,
    clock: bool = True,
    level: int | None = None,
) -> BuildReport:
    """Build all tables with 2 to *pieces* pieces into ``directory/<rules>``.

    Files that are there and check out are kept, so the same call goes on after an interruption,
    and the files come out the same, byte for byte.

    Args:
        directory: made if need be.
        rules: a key, an alias, a ``.toml`` file or a ``Rules``.
        pieces: most pieces on the board, both sides together.
        metrics: some of ``wdl``, ``dtc``, ``dtw``; by default all up to 4 pieces and ``wdl`` and
            ``dtc`` beyond, or ``wdl`` without the clock.
        jobs: threads; all cores by default.
        memory: most bytes to use; by default most of what is free now.
        progress: called with every step, always from the calling thread.
        solver: ``scalar``, ``row``, or ``auto`` for the faster one; the values are the same.
        max_side: most pieces of one side, if not as many as there can be.
        clock: whether the draw clock of the rules counts. Without it, ``wdl`` alone can be built,
            several times faster; the tables do not say which wins the clock spoils.
        level: zstd level, 1 to 22; by default 19 for small tables, and a fast one for large ones.

    Raises:
        UnknownRulesError: no such rule set.
        BuildError: bad arguments, too little memory (with the numbers), a directory that cannot
            be written or where another build runs, a full disk.
        KeyboardInterrupt: after Ctrl-C; nothing half-written stays behind.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     report = cb.build(folder, rules="english", pieces=2)
    >>> len(report.slices)
    3
    """
    start, start_cpu = time.perf_counter(), working_process_time()
    compiled = compile_seconds()
    wanted = default_metrics(pieces, clock) if metrics is None else metrics
    plan = make_plan(rules, pieces, wanted, max_side, clock)
    engine.check_solver(solver, plan.rules)
    if level is not None and not 1 <= level <= MAX_LEVEL:
        raise BuildError(f"no zstd level {level}; choose 1 to {MAX_LEVEL}")
    threads = jobs if jobs is not None else default_jobs()
    if threads < 1:
        raise BuildError(f"cannot build with {threads} jobs; give 1 or more")
    limit = memory if memory is not None else int(available_memory() * MEMORY_SHARE)
    by_rows = engine.wdl_by_rows(plan, solver)
    _check_memory(plan, limit, threads if by_rows else None)
    folder = Path(directory) / rules_folder(plan.rules)
    with locked(folder):
        remove_temporaries(folder)
        keeper = FileKeeper(plan.rules, folder, clock=clock, level=level)
        run: _Run | RowRun
        if by_rows:
            run = RowRun(plan, folder, threads, limit, progress, keeper)
        else:
            run = _Run(plan, folder, threads, limit, progress, solver, keeper)
        try:
            slices = run.execute()
        finally:
            # Also what a writer leaves that Ctrl-C or an error did not let finish.
            remove_temporaries(folder)
    return BuildReport(
        rules=plan.rules.key,
        seconds=round(time.perf_counter() - start, 3),
        cpu_seconds=round(working_process_time() - start_cpu, 3),
        compile_seconds=round(compile_seconds() - compiled, 3),
        slices=slices,
    )


def _check_memory(plan: Plan, limit: int, row_threads: int | None) -> None:
    """Refuse what cannot fit; *row_threads*: threads of a build by rows, else None."""
    rows = None if row_threads is None else RowMemory(plan, row_threads)
    needed, pair = max(
        (rows.least(pair.material) if rows else plan.least_memory(pair), str(pair.material))
        for pair in plan.pairs
    )
    if needed > limit:
        raise BuildError(
            f"{pair} needs about {needed / 2**20:,.0f} MiB of memory, but only "
            f"{limit / 2**20:,.0f} MiB may be used; build fewer pieces or allow more with --memory"
        )


class _Run:
    """The state of one build."""

    def __init__(
        self,
        plan: Plan,
        folder: Path,
        threads: int,
        limit: int,
        progress: ProgressCallback | None,
        solver: str,
        keeper: FileKeeper,
    ) -> None:
        self._plan = plan
        self._threads = threads
        self._limit = limit
        self._progress = progress
        self._solver = solver
        self._keeper = keeper
        self._reports = {
            pair.material: SliceReport(str(pair.material), pair.positions) for pair in plan.pairs
        }
        jobs = plan.jobs()
        self._total = sum(job.pair.positions for job in jobs)
        self._finished = 0
        self._waiting: list[Job] = list(jobs)
        self._to_write: deque[tuple[Job, engine.PairValues]] = deque()
        self._solved: set[tuple[object, str]] = set()
        self._running: dict[Future[float], tuple[str, Job]] = {}
        self._started: dict[Job, float] = {}
        self._resident = ResidentSlices(plan.rules, folder, ())
        self._folder = folder

    def execute(self) -> list[SliceReport]:
        """Do all jobs; the reports in solving order."""
        pool = ThreadPoolExecutor(self._threads, thread_name_prefix="crownbase-build")
        try:
            self._keep_what_is_there(pool)
            while self._waiting or self._to_write or self._running:
                self._start_what_can(pool)
                done, _ = wait(self._running, return_when=FIRST_COMPLETED)
                for future in done:
                    self._finish(future)
        except BaseException:
            self._stop(pool)
            raise
        pool.shutdown()
        self._keeper.save()
        for job in self._plan.jobs():
            self._reports[job.pair.material].bytes += self._keeper.bytes_of(job)
        return list(self._reports.values())

    def _stop(self, pool: ThreadPoolExecutor) -> None:
        """Leave quickly: give a writer a moment, abandon the solvers, which write nothing."""
        pool.shutdown(wait=False, cancel_futures=True)
        wait([future for future, (kind, _) in self._running.items() if kind == "write"], 1.0)
        with contextlib.suppress(Exception):
            self._keeper.save()

    def _keep_what_is_there(self, pool: ThreadPoolExecutor) -> None:
        """Check the files that exist; what is good needs not be done."""
        done = list(pool.map(self._keeper.is_done, self._waiting))
        kept = [job for job, good in zip(self._waiting, done, strict=True) if good]
        self._waiting = [job for job, good in zip(self._waiting, done, strict=True) if not good]
        self._resident = ResidentSlices(self._plan.rules, self._folder, self._waiting)
        self._keeper.expect(self._waiting)
        for job in kept:
            self._solved.add((job.pair.material, job.metric))
            self._resident.mark_written(job)
            self._finished += job.pair.positions
            self._tell("skip", job)
        check_free_space(self._folder, self._plan.disk_bytes(self._waiting))

    def _start_what_can(self, pool: ThreadPoolExecutor) -> None:
        while self._to_write and len(self._running) < self._threads:
            job, values = self._to_write.popleft()
            self._submit(pool, "write", job, values)
        for job in list(self._waiting):
            if len(self._running) >= self._threads:
                return
            if self._is_ready(job) and self._fits(job):
                self._waiting.remove(job)
                self._tell("start", job)
                self._started[job] = working_time()
                self._submit(pool, "solve", job, None)

    def _submit(
        self, pool: ThreadPoolExecutor, kind: str, job: Job, values: engine.PairValues | None
    ) -> None:
        # Threads that have nothing else to do help inside the one task that there is.
        idle = self._threads - len(self._running) - self._startable()
        if values is None:
            future = pool.submit(self._solve, job, max(1, idle))
        else:
            future = pool.submit(self._write, job, values, max(1, idle))
        self._running[future] = (kind, job)

    def _startable(self) -> int:
        return len(self._to_write) + sum(map(self._is_ready, self._waiting))

    def _is_ready(self, job: Job) -> bool:
        return all((material, job.metric) in self._solved for material in job.pair.needs)

    def _fits(self, job: Job) -> bool:
        """Whether there is memory for a job now; makes room if nothing else is running."""
        used = PROCESS_BYTES + sum(
            self._plan.solving_bytes(other.pair)
            if kind == "solve"
            else self._plan.writing_bytes(other.pair)
            for kind, other in self._running.values()
        )
        own = self._plan.solving_bytes(job.pair)
        needed = own + self._resident.missing_bytes(job)
        if used + needed + self._resident.bytes <= self._limit:
            return True
        busy = [other for kind, other in self._running.values() if kind == "solve"]
        keep = {(material, other.metric) for other in (job, *busy) for material in other.pair.needs}
        self._resident.drop_except(keep)
        needed = own + self._resident.missing_bytes(job)
        if used + needed + self._resident.bytes <= self._limit:
            return True
        # Alone it may go ahead: _check_memory has seen that it fits.
        return not self._running and not self._to_write

    def _solve(self, job: Job, threads: int) -> float:
        start = working_thread_time()
        needed = {m: self._resident.get(m, job.metric) for m in job.pair.needs}
        loaded = working_thread_time() - start
        try:
            solved = engine.solve(
                self._plan.rules, job.pair.material, job.metric, needed, threads, self._solver
            )
        except MemoryError as error:
            raise BuildError(
                f"not enough memory for {job.pair.material} ({job.pair.positions:,} positions); "
                "build fewer pieces, use fewer --jobs, or allow less with --memory"
            ) from error
        self._resident.put(job, solved.values)
        self._reports[job.pair.material].engine = solved.engine
        return loaded + solved.cpu_seconds

    def _write(self, job: Job, values: engine.PairValues, threads: int) -> float:
        start = working_thread_time()
        seconds = working_time() - self._started[job]
        self._keeper.write(job, values, seconds, threads)
        return working_thread_time() - start

    def _finish(self, future: Future[float]) -> None:
        kind, job = self._running.pop(future)
        cpu_seconds = future.result()
        report = self._reports[job.pair.material]
        if kind == "solve":
            report.solve_cpu_s = round(report.solve_cpu_s + cpu_seconds, 4)
            self._solved.add((job.pair.material, job.metric))
            self._to_write.append((job, self._resident.get(job.pair.material, job.metric)))
            self._resident.mark_solved(job)
            return
        report.write_cpu_s = round(report.write_cpu_s + cpu_seconds, 4)
        self._resident.mark_written(job)
        self._finished += job.pair.positions
        self._keeper.save_sometimes()
        self._tell("done", job, working_time() - self._started[job])

    def _tell(self, event: str, job: Job, seconds: float = 0.0) -> None:
        if self._progress is None:
            return
        self._progress(
            Progress(
                event=event,
                material=str(job.pair.material),
                metric=job.metric,
                positions=job.pair.positions,
                finished=self._finished,
                total=self._total,
                seconds=seconds,
            )
        )
