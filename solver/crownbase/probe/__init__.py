"""Ask the tables: values of positions, ranked moves, lines of perfect play."""

from crownbase.probe.result import CATEGORIES, MoveInfo, Result
from crownbase.probe.shelf import shipped_directory
from crownbase.probe.tablebase import Tablebase, open_tablebase

__all__ = [
    "CATEGORIES",
    "MoveInfo",
    "Result",
    "Tablebase",
    "open_tablebase",
    "shipped_directory",
]
