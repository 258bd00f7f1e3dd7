"""What a build and a verification tell their caller: progress on the way, a report at the end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from crownbase.errors import one_line


@dataclass(frozen=True)
class Progress:
    """One step of a build or a verification.

    event
        ``start`` work on a slice pair begins, ``done`` it is finished, ``skip`` its file was there
        and checks out.
    material, metric
        The canonical slice of the pair and what is made or checked, such as ``KKvK``, ``dtc``.
    positions
        Positions of the pair, both sides to move.
    finished, total
        Positions finished so far and in all, counted once per metric that is solved.
    seconds
        Wall time of this piece of work, without compiling; 0 at its start.
    """

    event: str
    material: str
    metric: str
    positions: int
    finished: int
    total: int
    seconds: float = 0.0


ProgressCallback = Callable[[Progress], None]


@dataclass
class SliceReport:
    """One slice pair of a build.

    ``engine`` names what gave the values: a solver, or ``kept`` for files that were there.
    ``bytes`` is the size of the pair's files of all metrics; times are CPU seconds, without those
    of compiling.
    """

    material: str
    positions: int
    solve_cpu_s: float = 0.0
    write_cpu_s: float = 0.0
    bytes: int = 0
    engine: str = "kept"


@dataclass
class BuildReport:
    """What a build did; slices in solving order.

    ``seconds``: wall time of all. ``cpu_seconds``: of all threads, without compiling.
    ``compile_seconds``: wall time in which kernels were compiled, 0 once the cache has them.
    """

    rules: str
    seconds: float
    cpu_seconds: float
    slices: list[SliceReport] = field(default_factory=list)
    compile_seconds: float = 0.0

    @property
    def positions(self) -> int:
        """Positions of all slices, both sides to move.

        >>> built.positions
        3488
        """
        return sum(piece.positions for piece in self.slices)

    @property
    def bytes(self) -> int:
        """Size of all files.

        >>> built.bytes > 0
        True
        """
        return sum(piece.bytes for piece in self.slices)

    def to_json(self) -> dict[str, Any]:
        """The object that ``crownbase build --json`` writes: what the build itself took.

        >>> sorted(built.to_json())
        ['cpu_seconds', 'rules', 'seconds', 'slices']
        """
        found = asdict(self)
        del found["compile_seconds"]
        return found


@dataclass(frozen=True)
class VerifiedSlice:
    """One slice of one file after verification; ``faults`` are sentences, none = good."""

    material: str
    metric: str
    positions: int
    faults: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Keep each fault on one line, whatever names of files it quotes."""
        object.__setattr__(self, "faults", tuple(map(one_line, self.faults)))


@dataclass
class VerifyReport:
    """What a verification found.

    ``fast`` says that only checksums were compared; otherwise every value of every position was
    derived again from its successors.
    """

    rules: str
    fast: bool
    seconds: float
    slices: list[VerifiedSlice] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """True if no slice has a fault.

        >>> verified.ok
        True
        """
        return not any(piece.faults for piece in self.slices)

    @property
    def positions(self) -> int:
        """Values that were checked: positions, counted once per metric.

        >>> verified.positions
        10464
        """
        return sum(piece.positions for piece in self.slices)

    @property
    def faults(self) -> list[str]:
        """All faults as sentences.

        >>> verified.faults
        []
        """
        return [fault for piece in self.slices for fault in piece.faults]

    def to_json(self) -> dict[str, Any]:
        """The object that ``crownbase verify --json`` writes.

        >>> sorted(verified.to_json())
        ['fast', 'ok', 'rules', 'seconds', 'slices']
        """
        return {"rules": self.rules, "ok": self.ok, **asdict(self)}
