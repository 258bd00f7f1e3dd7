"""Commands that messages give: such as can be typed as they stand, and can be carried out."""

from __future__ import annotations

import os
import shlex
from functools import cache

from crownbase.index import MAX_PIECES, slice_pairs
from crownbase.rules import Rules, build_name

MOST_POSITIONS = 10**12
"""Positions of the largest database that is advised: English with 8 pieces has 4.4e11."""

_ALWAYS = 6  # pieces that stay below it on every board of up to 64 squares


def build_command(
    rules: Rules,
    pieces: int,
    metric: str = "wdl",
    directory: str | os.PathLike[str] | None = None,
) -> str:
    """``crownbase build ...`` for a metric of all tables up to so many pieces."""
    words = ["crownbase", "build", build_name(rules), str(pieces)]
    if metric != "wdl":
        words += ["--metric", metric]
    if directory is not None:
        words += ["--db", os.fspath(directory)]
    return shlex.join(words)


@cache
def most_pieces(rules: Rules) -> int:
    """The pieces of the largest database of these rules that it makes sense to advise."""
    total, most = 0, 2
    for pieces in range(2, MAX_PIECES + 1):
        pairs = slice_pairs(pieces, pieces)
        total += sum(side.positions(rules) for pair in pairs for side in pair.pair)
        if total > MOST_POSITIONS:
            break
        most = pieces
    return most


def command_to_make(rules: Rules, pieces: int, metric: str = "wdl") -> str | None:
    """The command that makes all tables up to so many pieces; None if one machine cannot."""
    if pieces > MAX_PIECES or (pieces > _ALWAYS and pieces > most_pieces(rules)):
        return None
    return build_command(rules, pieces, metric)


def how_to_make(rules: Rules, pieces: int, metric: str = "wdl") -> str:
    """What to do about tables that are not here: a command, or why there is none."""
    command = command_to_make(rules, pieces, metric)
    if command is not None:
        return f"make them with: {command}"
    if pieces > MAX_PIECES:
        return "no table has so many"
    most = most_pieces(rules)
    return f"tables of more than {most} pieces are too large to be made on one machine"
