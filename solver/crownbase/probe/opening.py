"""``open_tablebase``: the tables of a rule set, from one directory or several."""

from __future__ import annotations

import os
from collections.abc import Iterable

from crownbase.probe.catalog import shipped_directory
from crownbase.probe.table_values import DEFAULT_CACHE_BYTES
from crownbase.probe.tablebase import Tablebase
from crownbase.rules import DrawRules, Rules


def open_tablebase(
    directory: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] | None = None,
    rules: str | Rules = "english",
    *,
    draw: str | DrawRules | None = None,
    move_limit: int | None = None,
    cache_bytes: int = DEFAULT_CACHE_BYTES,
    open_files: int = 64,
) -> Tablebase:
    """Open the tables of one rule set.

    Args:
        directory: where to look (``db``, which has a folder for each rule set, or such a folder),
            or several of them, the first that has a table counts. None = the small tables that
            ship with the package.
        rules: rule set or its key.
        draw, move_limit: draw rules of the place of play, as for ``Game``: everything is answered
            under them. By default under those of each position's own rules.
        cache_bytes: bound on the memory for decoded blocks.
        open_files: bound on open files.

    A directory that is not there is searched in vain, without an error, until a table is missed.

    Raises:
        UnknownRulesError: no such rule set, no such draw rules.

    >>> with cb.open_tablebase(rules="english") as tb:
    ...     tb.probe_dtw("W:WK19,K23:B12,K28")
    61
    """
    tables = Tablebase(
        rules, draw=draw, move_limit=move_limit, cache_bytes=cache_bytes, open_files=open_files
    )
    if directory is None:
        directory = shipped_directory()
    several = [directory] if isinstance(directory, (str, os.PathLike)) else directory
    for one in several:
        tables.add_directory(one)
    return tables
