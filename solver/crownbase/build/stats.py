"""What a directory holds, as its manifest says: no table is opened."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crownbase.errors import MissingTableError
from crownbase.probe.advice import build_command
from crownbase.probe.catalog import rules_folder
from crownbase.rules import Rules, find_rules, table_key
from crownbase.table import MANIFEST_NAME, METRICS, FileEntry, Manifest


@dataclass(frozen=True)
class SliceStats:
    """SliceCounts of one slice, seen by its side to move, which is on the left of ``material``.

    ``max_dtc`` and ``max_dtw`` are the longest wins in plies and ``max_dtw_fen`` a position with
    that win, White to move; None where the side to move never wins or the metric is not built.
    """

    material: str
    positions: int
    wins: int
    losses: int
    draws: int
    cursed_wins: int
    blessed_losses: int
    max_dtc: int | None
    max_dtw: int | None
    max_dtw_fen: str | None

    def to_json(self) -> dict[str, Any]:
        """One element of the list that ``crownbase stats --json`` writes."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def has_any_table(directory: str | os.PathLike[str], rules: Rules) -> bool:
    """Whether a directory has any tables of a rule set."""
    folder = Path(directory) / rules_folder(rules)
    try:
        names = os.listdir(folder)
    except OSError:
        return False
    return any(name.rpartition(".")[2] in METRICS or name == MANIFEST_NAME for name in names)


def read_stats(directory: str | os.PathLike[str], rules: str | Rules) -> list[SliceStats]:
    """SliceCounts of all slices of a rule set, by number of pieces and name.

    Raises:
        UnknownRulesError: no such rule set.
        MissingTableError: the directory has no manifest of it.
        CorruptTableError: the manifest is damaged or belongs to other rules.
    """
    found = find_rules(rules)
    found.check_has_tables()
    folder = Path(directory) / rules_folder(found)
    if not (folder / MANIFEST_NAME).exists():
        raise MissingTableError(
            f"no {MANIFEST_NAME} in {folder}; run: {build_command(found, 4, directory=directory)}"
        )
    pairs: dict[str, dict[str, FileEntry]] = {}
    for name, metric, entry in Manifest.load(folder, table_key(found), found.digest).items():
        pairs.setdefault(name, {})[metric] = entry
    return [
        _slice_stats(side, entries)
        for entries in pairs.values()
        for side in next(iter(entries.values())).sides
    ]


def _slice_stats(side: str, entries: dict[str, FileEntry]) -> SliceStats:
    # A distance to conversion knows the draw clock; win/draw/loss is what is left without it.
    best = next(entries[metric] for metric in ("dtc", "wdl", "dtw") if metric in entries)
    counts = best.sides[side]
    longest = {
        metric: entry.sides[side].longest_win if entry.sides[side].longest_win >= 0 else None
        for metric, entry in entries.items()
    }
    fens = entries["dtw"].extra.get("longest_win_fen", {}) if "dtw" in entries else {}
    return SliceStats(
        material=side,
        positions=counts.positions,
        wins=counts.wins,
        losses=counts.losses,
        draws=counts.draws,
        cursed_wins=counts.cursed_wins,
        blessed_losses=counts.blessed_losses,
        max_dtc=longest.get("dtc"),
        max_dtw=longest.get("dtw"),
        max_dtw_fen=fens.get(side),
    )
