"""Solve slices in memory by retrograde analysis, and verify them by forward moves."""

from crownbase.retro.resolve import free_positions, resolve_captures
from crownbase.retro.solve import SolvedPair, solve_all, solve_pair
from crownbase.retro.values import CURSED, SliceCounts, count_values

__all__ = [
    "CURSED",
    "SliceCounts",
    "SolvedPair",
    "count_values",
    "free_positions",
    "resolve_captures",
    "solve_all",
    "solve_pair",
]
