"""What a shell offers behind Tab (``crownbase --install-completion``): names and short lists.

Each function takes what is typed so far and returns what it may become, with a few words of help
where that says more.
"""

from __future__ import annotations

from pathlib import Path

import typer

from crownbase.errors import UnknownRulesError

Completions = list[tuple[str, str]]

SIDES = {"w": "White", "b": "Black", "both": "you move for both", "none": "watch the player"}
SOLVER_WORDS = {
    "auto": "the faster one",
    "row": "many positions at a time",
    "scalar": "one position after the other",
}
METRIC_WORDS = {
    "wdl": "who wins",
    "dtc": "plies to the next conversion",
    "dtw": "plies to the end of the game",
}


def complete_rules(incomplete: str) -> Completions:
    """Rule sets by key; by another name once it is begun; rule files of the folder typed so far."""
    from crownbase.rules import RULE_SETS

    found = [(key, rules.title) for key, rules in RULE_SETS.items() if key.startswith(incomplete)]
    if incomplete:
        found += [
            (name, rules.title)
            for rules in RULE_SETS.values()
            for name in rules.aliases
            if name.startswith(incomplete)
        ]
    return found + _rule_files(incomplete)


def _rule_files(incomplete: str) -> Completions:
    typed = Path(incomplete)
    folder = typed if incomplete.endswith("/") else typed.parent
    try:
        names = sorted(path for path in folder.glob("*.toml") if str(path).startswith(incomplete))
    except OSError:
        return []
    return [(str(path), "rule file") for path in names if path.name != "pyproject.toml"]


def complete_draw(ctx: typer.Context, incomplete: str) -> Completions:
    """Presets of draw rules of the rule set that is on the line already."""
    from crownbase.rules import find_rules

    try:
        rules = find_rules(ctx.params.get("rules") or ctx.params.get("name") or "english")
    except UnknownRulesError:
        return []
    presets = {preset.name: preset.source for preset in (rules.draw, *rules.draw_presets)}
    presets["none"] = "no draw rules"
    return _starting(presets, incomplete)


def complete_metrics(incomplete: str) -> Completions:
    """A list of metrics: what is typed up to the last comma stays."""
    before, comma, last = incomplete.rpartition(",")
    taken = before.split(",")
    rest = {name: words for name, words in METRIC_WORDS.items() if name not in taken}
    return [(before + comma + name, words) for name, words in _starting(rest, last)]


def complete_side(incomplete: str) -> Completions:
    """Sides of the board."""
    return _starting(SIDES, incomplete)


def complete_colour(incomplete: str) -> Completions:
    """One of the two sides."""
    return _starting({name: SIDES[name] for name in ("w", "b")}, incomplete)


def complete_solver(incomplete: str) -> Completions:
    """Solvers of ``build``."""
    return _starting(SOLVER_WORDS, incomplete)


def _starting(choices: dict[str, str], incomplete: str) -> Completions:
    return [(name, words) for name, words in choices.items() if name.startswith(incomplete.lower())]
