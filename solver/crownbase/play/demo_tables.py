"""The endings of kings that demonstrations come from: tables that ship, or solved on the spot."""

from __future__ import annotations

from pathlib import Path

from crownbase.index import Material
from crownbase.probe.catalog import rules_folder
from crownbase.retro import count_values, solve_all
from crownbase.rules import Rules, table_key
from crownbase.table import SectionInput, SectionStats, write_table

ONE, TWO, THREE, FOUR = map(Material.parse, ("KvK", "KKvK", "KKKvK", "KKvKK"))
ENDINGS = (ONE, TWO, THREE, FOUR)
_METRICS = ("dtc", "dtw")


def has_ending(directory: Path, rules: Rules, ending: Material) -> bool:
    """Whether a directory has the tables of an ending."""
    folder = directory / rules_folder(rules)
    return all((folder / f"{ending}.{metric}").is_file() for metric in _METRICS)


def write_tables(directory: Path, rules: Rules) -> None:
    """Solve the endings of kings and write them where ``open_tablebase`` finds them."""
    for metric in _METRICS:
        limit = rules.quiet_limit if metric == "dtc" else None
        values = solve_all(rules, ENDINGS, metric, limit)
        for ending in ENDINGS:
            sections = [
                SectionInput(
                    str(side), values[side], None, SectionStats(*count_values(values[side])[:8])
                )
                for side in ending.pair
            ]
            write_table(
                directory / rules_folder(rules) / f"{ending}.{metric}",
                rules_key=table_key(rules),
                rules_digest=rules.digest,
                metric=metric,
                free_scheme=0,
                quiet_limit=limit,
                sections=sections,
            )
