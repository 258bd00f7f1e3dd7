"""Solve slices in memory by retrograde analysis, and verify them by forward moves."""

from crownbase.retro.solve import SolvedPair, solve_all, solve_pair
from crownbase.retro.values import CURSED, Counts, count_values

__all__ = ["CURSED", "Counts", "SolvedPair", "count_values", "solve_all", "solve_pair"]
