"""Table files as this stage sees them: by rule set, slice pair and metric."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np

from crownbase.board import Position
from crownbase.build.engine import PairValues
from crownbase.index import Material, unrank_position
from crownbase.rules import Rules, table_key
from crownbase.table import Table


def table_path(folder: Path, material: Material, metric: str) -> Path:
    """The file of a slice pair and a metric."""
    return folder / f"{material.canonical}.{metric}"


def open_table(rules: Rules, folder: Path, material: Material, metric: str) -> Table:
    """Open the table of a pair, made for these rules and this metric.

    Raises:
        MissingTableError, CorruptTableError: no such file, or not a good one.
    """
    path = table_path(folder, material, metric)
    return Table(path, rules_key=table_key(rules), rules_digest=rules.digest, metric=metric)


def read_values(rules: Rules, folder: Path, material: Material, metric: str) -> PairValues:
    """The stored values of both sides of a pair as int16; free positions hold anything.

    Raises:
        MissingTableError, CorruptTableError: as ``open_table``.
    """
    with open_table(rules, folder, material, metric) as table:
        return {
            side: table.read_all(str(side)).astype(np.int16, copy=False) for side in material.pair
        }


def file_digest(path: Path) -> str:
    """SHA-256 of a file, hexadecimal."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def position_fen(rules: Rules, side: Material, index: int) -> str:
    """The position that has an index in a slice, with White to move."""
    boards = unrank_position.plain(rules.traits.plain, index, *side.counts)
    return Position.from_boards(rules, "W", boards).fen()
