"""Databases of two pieces for every rule set, made from the naive second implementation."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np

import naive
from crownbase.board import moves as board_kernels
from crownbase.index import Material, rank_position, slice_pairs
from crownbase.probe.catalog import rules_folder
from crownbase.rules import Rules
from crownbase.table import SectionInput, SectionStats, write_table

Boards = tuple[int, int, int, int]
FILLER = 77
"""What the tables hold where a capture is forced: nobody may ever read it."""


@lru_cache
def naive_values(key: str) -> dict[Boards, naive.Value]:
    """The true value of every position of two pieces, by its boards in the mover's frame."""
    return {naive_boards(position): value for position, value in naive.solve(key, 2).items()}


def naive_boards(position: naive.Key) -> Boards:
    boards = dict.fromkeys("wWbB", 0)
    for square, piece in position:
        boards[piece] |= 1 << (square - 1)
    return boards["w"], boards["W"], boards["b"], boards["B"]


def code(value: naive.Value, metric: str) -> int:
    if metric == "wdl" or value.wdl == 0:
        return value.wdl
    plies = getattr(value, metric)
    return plies if value.wdl > 0 else -1 - plies


def write_database(
    directory: Path,
    rules: Rules,
    values: dict[Boards, naive.Value],
    metrics: tuple[str, ...] = ("wdl", "dtc", "dtw"),
    quiet_limit: int | None = None,
) -> Path:
    """Write the tables of all slices of two pieces, with a filler at forced captures."""
    plain = rules.traits.plain
    placed: dict[Material, dict[int, Boards]] = {}
    for boards in values:
        place = int(rank_position.plain(plain, *boards))
        placed.setdefault(Material.of(*boards), {})[place] = boards
    folder = directory / rules_folder(rules)
    for pair in slice_pairs(2):
        for metric in metrics:
            sections = [_section(rules, side, placed[side], values, metric) for side in pair.pair]
            write_table(
                folder / f"{pair}.{metric}",
                rules_key=rules.key,
                rules_digest=rules.digest,
                metric=metric,
                free_scheme=int(rules.captures_mandatory),
                quiet_limit=quiet_limit,
                sections=sections,
            )
    return directory


def _section(
    rules: Rules,
    side: Material,
    placed: dict[int, Boards],
    values: dict[Boards, naive.Value],
    metric: str,
) -> SectionInput:
    assert sorted(placed) == list(range(side.positions(rules)))
    free = np.zeros(len(placed), bool)
    codes = np.zeros(len(placed), np.int8 if metric == "wdl" else np.int16)
    for place, boards in placed.items():
        if rules.captures_mandatory and not rules.lone_pieces_draw:
            free[place] = board_kernels.has_capture.plain(rules.traits.plain, *boards)
        codes[place] = 1 if metric == "wdl" else FILLER
        if not free[place]:
            codes[place] = code(values[boards], metric)
    counts = SectionStats(len(codes), 0, 0, 0)
    return SectionInput(str(side), codes, free, counts)
