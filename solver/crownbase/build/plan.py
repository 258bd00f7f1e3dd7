"""What a database consists of, in which order it is made, and what it will cost.

The unit of work is a slice *pair*: a material with either side to move. A pair is solved once per
distance; win/draw/loss is the sign of one::

    metrics wanted         solved          files of one pair
    wdl                    dtc             KKvK.wdl  (and KKvK.dtc where the draw clock matters)
    wdl, dtc               dtc             KKvK.wdl  KKvK.dtc
    wdl, dtc, dtw          dtc, dtw        KKvK.wdl  KKvK.dtc  KKvK.dtw
    wdl, dtw               dtw             KKvK.wdl  KKvK.dtw  (dtc too if there is a draw clock)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import comb

from crownbase.errors import BuildError
from crownbase.index import MAX_PIECES, MIN_PIECES, Material, slice_pairs, solving_key
from crownbase.retro.rows.scoring import can_score
from crownbase.rules import Rules, find_rules
from crownbase.table import SMALL_TABLE

METRICS = ("wdl", "dtc", "dtw")

VALUE_BYTES = 2
"""Bytes per position and metric of a solved slice that others still need."""

PROCESS_BYTES = 160 << 20
"""The interpreter, Numba and the compiled kernels."""

WRITING_BYTES = 6
"""Bytes per position while a pair is packed and compressed, besides its values."""

WORK_BYTES = 13
"""Bytes per position of the one group of men that a thread of the solver works on."""

SCORE_BYTES = 1.5
"""Bytes per position of a pair and all it needs while the row solver counts plies to the end."""

# Measured on English and Russian slices: positions that share a byte of a file, by metric, for two
# pieces, three, four and more.
_PER_BYTE = {
    "wdl": (2.5, 20.0, 28.0, 50.0),
    "dtc": (2.0, 14.0, 15.0, 20.0),
    "dtw": (2.0, 4.0, 6.0, 3.0),
}
# CPU seconds for a million positions: to solve one distance one position at a time (with men that
# move sideways many placements of men are solved together) or by rows (more where captures take
# longer to find), to find what a file leaves free, and to pack, compress and write one metric.
_SOLVE_SECONDS, _SOLVE_SECONDS_SIDEWAYS = 0.13, 2.5
_ROW_SECONDS, _LONG_CAPTURES = {"wdl": 0.005, "dtc": 0.02, "dtw": 0.025}, 3
_FREE_SECONDS = 0.09
_WRITE_SECONDS = {"wdl": 0.15, "dtc": 0.25, "dtw": 0.35}
_FAST_WRITE_SECONDS = {"wdl": 0.015, "dtc": 0.05, "dtw": 0.08}


@dataclass(frozen=True)
class PlannedPair:
    """A slice pair: its canonical material, positions of both sides, and what must come before."""

    material: Material
    positions: int
    needs: tuple[Material, ...]


@dataclass(frozen=True)
class Job:
    """One run of the solver: the metric it computes and the metrics whose files come from it."""

    pair: PlannedPair
    metric: str
    outputs: tuple[str, ...]


@dataclass(frozen=True)
class Estimate:
    """What a build will take: numbers for a person to decide by, right within a factor of two.

    ``memory_bytes`` is what it uses if it may; with less, down to ``least_memory_bytes``, solved
    slices are read back from their files.
    """

    positions: int
    memory_bytes: int
    least_memory_bytes: int
    disk_bytes: int
    seconds: float


@dataclass(frozen=True)
class Plan:
    """All slice pairs of a database in solving order."""

    rules: Rules
    pieces: int
    metrics: tuple[str, ...]
    pairs: tuple[PlannedPair, ...]
    clock: bool = True
    """Whether the draw clock of the rules counts; without it, only wdl is made."""

    @property
    def wdl_alone(self) -> bool:
        """Whether win, draw or loss is all that is wanted, and no draw clock asks for more."""
        return self.metrics == ("wdl",) and not (self.clock and self.rules.quiet_limit is not None)

    @property
    def positions(self) -> int:
        """Positions of all pairs, both sides to move."""
        return sum(pair.positions for pair in self.pairs)

    def jobs(self) -> tuple[Job, ...]:
        """All solver runs, each after those it depends on."""
        if not self.clock:
            return tuple(Job(pair, "wdl", ("wdl",)) for pair in self.pairs)
        solved = [name for name in METRICS if name != "wdl" and name in self.metrics]
        # Only DTC knows the draw clock, and win/draw/loss tells where that matters.
        clocked = "wdl" in self.metrics and self.rules.quiet_limit is not None
        if "dtc" not in solved and (clocked or not solved):
            solved.insert(0, "dtc")
        outputs: dict[str, tuple[str, ...]] = {
            name: (name,) if name in self.metrics else () for name in solved
        }
        if "wdl" in self.metrics:
            outputs[solved[0]] = ("wdl", *outputs[solved[0]])
        return tuple(Job(pair, name, outputs[name]) for pair in self.pairs for name in solved)

    def estimate(self, jobs: int = 1, by_rows: Callable[[Job], bool] | None = None) -> Estimate:
        """Memory, disk and time with *jobs* threads, before anything is done.

        *by_rows*: whether the row solver does a job; by default it does none.
        """
        runs = self.jobs()
        seconds = sum(self._cpu_seconds(job, by_rows is not None and by_rows(job)) for job in runs)
        return Estimate(
            positions=self.positions,
            memory_bytes=_peak_memory(self, jobs),
            least_memory_bytes=max(map(self.least_memory, self.pairs)),
            disk_bytes=self.disk_bytes(runs),
            seconds=seconds / jobs + 1.0,
        )

    def _cpu_seconds(self, job: Job, by_rows: bool) -> float:
        """CPU time of a job, from a warm cache."""
        if by_rows:
            long = self.rules.flying_kings or bool(self.rules.capture_choice)
            each = _ROW_SECONDS[job.metric] * (_LONG_CAPTURES if long else 1)
        else:
            each = _SOLVE_SECONDS_SIDEWAYS if self.rules.board.orthogonal else _SOLVE_SECONDS
            each += _FREE_SECONDS
        fast = job.pair.positions > SMALL_TABLE
        write = _FAST_WRITE_SECONDS if fast else _WRITE_SECONDS
        return job.pair.positions * (each + sum(write[name] for name in job.outputs)) / 1e6

    def disk_bytes(self, jobs: Iterable[Job]) -> int:
        """About how much the files of these jobs will take."""
        total = 0.0
        for job in jobs:
            step = min(job.pair.material.pieces - 2, 3)
            for name in job.outputs:
                total += 300 + job.pair.positions / _PER_BYTE[name][step]
        return int(total)

    def solving_bytes(self, pair: PlannedPair, threads: int = 1) -> int:
        """Memory that solving a pair takes besides what it depends on: its values, work space.

        The work space holds all king placements of a group (of men that move sideways: of the
        groups that they connect), whole boards of them, for both sides to move.
        """
        material, board = pair.material, self.rules.board
        placements = comb(board.n_squares, material.own_kings)
        placements *= comb(board.n_squares, material.opponent_kings)
        connected = board.width**material.men if board.orthogonal else 1
        work = min(2 * placements * connected, 2 * pair.positions) * WORK_BYTES
        scores = 0.0
        if "dtw" in self.metrics and can_score(self.rules):
            scores = SCORE_BYTES * (pair.positions + self._positions_below(pair))
        return pair.positions * VALUE_BYTES + threads * work + int(scores)

    def _positions_below(self, pair: PlannedPair) -> int:
        size = {other.material: other.positions for other in self.pairs}
        return sum(size[material] for material in pair.needs)

    def writing_bytes(self, pair: PlannedPair) -> int:
        """Memory that writing a pair takes besides its values."""
        return pair.positions * WRITING_BYTES

    def least_memory(self, pair: PlannedPair) -> int:
        """Bytes that a process must have to solve one pair for one metric, and to write it."""
        needed = VALUE_BYTES * self._positions_below(pair)
        writing = self.writing_bytes(pair) + pair.positions * VALUE_BYTES
        return PROCESS_BYTES + max(self.solving_bytes(pair) + needed, writing)


SMALL_PIECES = 4
"""Up to so many pieces a build makes every metric: seconds of work, and lines show their plies."""


def default_metrics(pieces: int, clock: bool = True) -> tuple[str, ...]:
    """What a build of so many pieces makes if nobody says; without the draw clock, wdl alone."""
    if not clock:
        return ("wdl",)
    return METRICS if pieces <= SMALL_PIECES else ("wdl", "dtc")


def make_plan(
    rules: str | Rules,
    pieces: int,
    metrics: Sequence[str],
    max_side: int | None = None,
    clock: bool = True,
) -> Plan:
    """Plan the database of all slices with 2 to *pieces* pieces, at most *max_side* of a side.

    Without *clock* the draw clock of the rules is left out of account.

    Raises:
        UnknownRulesError: no such rule set.
        BuildError: too few or too many pieces, no metric or an unknown one, or distances without
            the clock.
    """
    found = find_rules(rules)
    found.check_has_tables()
    if not MIN_PIECES <= pieces <= MAX_PIECES:
        raise BuildError(
            f"cannot build {pieces} pieces; "
            f"choose {MIN_PIECES} to {MAX_PIECES} (both sides together)"
        )
    if isinstance(metrics, str):
        metrics = (metrics,)
    for name in metrics:
        if name not in METRICS:
            raise BuildError(f"unknown metric {name!r}; known are {', '.join(METRICS)}")
    if not metrics:
        raise BuildError(f"no metric to build; known are {', '.join(METRICS)}")
    if max_side is not None and max_side < 1:
        raise BuildError(f"a side of at most {max_side} pieces leaves nothing to build")
    if not clock and tuple(metrics) != ("wdl",):
        raise BuildError("without the draw clock, only wdl can be built")
    pairs = tuple(
        PlannedPair(
            material,
            sum(side.positions(found) for side in material.pair),
            material.dependencies(),
        )
        for material in slice_pairs(pieces)
        if max_side is None or max(material.own, material.opponent) <= max_side
    )
    return Plan(found, pieces, tuple(name for name in METRICS if name in metrics), pairs, clock)


def with_dependencies(materials: Iterable[Material]) -> list[Material]:
    """Pairs and all that their values depend on, in solving order."""
    closed: set[Material] = set()
    waiting = list(materials)
    while waiting:
        material = waiting.pop()
        if material not in closed:
            closed.add(material)
            waiting.extend(material.dependencies())
    return sorted(closed, key=solving_key)


def _peak_memory(plan: Plan, jobs: int) -> int:
    """Most bytes in memory if the runs are done in order and nothing is read back."""
    order = plan.jobs()
    last_use = {}
    for at, job in enumerate(order):
        last_use[job.pair.material, job.metric] = at
        for material in job.pair.needs:
            last_use[material, job.metric] = at
    resident: dict[tuple[Material, str], int] = {}
    peak = 0
    for at, job in enumerate(order):
        held = sum(resident.values())
        beside = sum(
            max(plan.solving_bytes(other.pair), plan.writing_bytes(other.pair))
            for other in order[at : at + jobs]
        )
        peak = max(peak, PROCESS_BYTES + held + beside)
        resident[job.pair.material, job.metric] = job.pair.positions * VALUE_BYTES
        resident = {key: size for key, size in resident.items() if last_use[key] > at}
    return peak
