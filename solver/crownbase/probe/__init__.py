"""Ask the tables: values of positions, ranked moves, lines of perfect play."""

from crownbase.probe.catalog import shipped_directory
from crownbase.probe.opening import open_tablebase
from crownbase.probe.result import CATEGORIES, MoveInfo, Result
from crownbase.probe.tablebase import Tablebase

__all__ = [
    "CATEGORIES",
    "MoveInfo",
    "Result",
    "Tablebase",
    "open_tablebase",
    "shipped_directory",
]
