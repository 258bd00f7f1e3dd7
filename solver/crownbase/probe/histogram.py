"""How many positions of a slice have which distance: exact, captures resolved."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from crownbase.index import Material
from crownbase.index.position import unrank_position
from crownbase.jit import kernel
from crownbase.probe.tablebase import Tablebase

COUNTED_AT_ONCE = 1 << 17
"""Positions that are asked at a time."""


@dataclass
class Histogram:
    """Positions of a slice by value, for the side to move, which is on the left of the name.

    Attributes:
        material: the slice, such as ``KKvK``.
        metric: ``dtc`` or ``dtw``: what the distances are.
        draws: number of draws.
        wins, losses: number of positions by plies, ascending.
    """

    material: str
    metric: str
    draws: int = 0
    wins: dict[int, int] = field(default_factory=dict)
    losses: dict[int, int] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The fields; distances as pairs of plies and positions."""
        return {
            "material": self.material,
            "metric": self.metric,
            "draws": self.draws,
            "wins": [list(pair) for pair in self.wins.items()],
            "losses": [list(pair) for pair in self.losses.items()],
        }


@kernel
def list_boards(rules: Any, first: int, counts: Any, boards: Any) -> None:
    """Fill ``boards``, int64[n, 4], with the positions of a slice from index *first* on.

    ``counts``: int64[4], own men and kings, opponent's men and kings. Own pieces are White's.
    """
    a, k, c, b = counts[0], counts[1], counts[2], counts[3]
    for i in range(len(boards)):
        om, ok, pm, pk = unrank_position(rules, first + i, a, k, c, b)
        boards[i, 0] = om
        boards[i, 1] = ok
        boards[i, 2] = pm
        boards[i, 3] = pk


def slice_boards(
    tables: Tablebase, material: Material, first: int, count: int
) -> npt.NDArray[np.int64]:
    """Positions of a slice by index, int64[count, 4] as ``probe_many`` takes them, White to move.

    The mover's frame is White's.
    """
    boards = np.empty((count, 4), np.int64)
    counts = np.array(material.counts, np.int64)
    list_boards(tables.rules.traits.runtime, first, counts, boards)
    return boards


def distance_histogram(tables: Tablebase, material: str, metric: str = "dtw") -> Histogram:
    """Count the distances of a slice.

    A side that has lost already has distance 0.

    Raises:
        MissingTableError: a table is not here.
        ValueError: *material* is no slice, or *metric* none of ``dtc`` and ``dtw``.
    """
    if metric not in ("dtc", "dtw"):
        raise ValueError(f"distances are dtc or dtw, not {metric!r}")
    found = Material.parse(material)
    total = found.positions(tables.rules)
    wins: dict[int, int] = {}
    losses: dict[int, int] = {}
    draws = 0
    for first in range(0, total, COUNTED_AT_ONCE):
        boards = slice_boards(tables, found, first, min(COUNTED_AT_ONCE, total - first))
        plies = tables.probe_many(boards, metric)
        signs = tables.probe_many(boards, "wdl")
        draws += int((signs == 0).sum())
        for side, counted in ((1, wins), (-1, losses)):
            values, numbers = np.unique(np.abs(plies[signs == side]), return_counts=True)
            for value, number in zip(values.tolist(), numbers.tolist(), strict=True):
                counted[value] = counted.get(value, 0) + number
    return Histogram(
        str(found), metric, draws, dict(sorted(wins.items())), dict(sorted(losses.items()))
    )
