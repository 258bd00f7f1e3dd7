"""Sub-command ``rules``: which rule sets there are, what they are, and which tables are here."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from crownbase.play import cli_common as common
from crownbase.play.cli_common import DirectoriesOption, JsonOption
from crownbase.play.completion import complete_rules

if TYPE_CHECKING:
    from crownbase.rules import DrawRules, Rules


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command()(rules)


def rules(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[RULES]",
            help="Rule set to describe; all are listed if none.",
            autocompletion=complete_rules,
        ),
    ] = None,
    db: DirectoriesOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the rule sets with their other names and the tables that are here, or describe one."""
    from crownbase.rules import RULE_SETS

    directories = _different(common.search_directories(db))
    if name is not None:
        found = common.rules_named(name)
        if as_json:
            common.write_json(_description(found, directories))
        else:
            typer.echo(_description_text(found, directories))
        return
    if as_json:
        common.write_json([_entry(found, directories) for found in RULE_SETS.values()])
        return
    typer.echo("\n\n".join(_entry_text(found, directories) for found in RULE_SETS.values()))


def _different(directories: list[Path]) -> list[Path]:
    """The directories without repetitions, in order: one may be named in two ways."""
    return list({path.resolve(): path for path in reversed(directories)}.values())[::-1]


# -- for programs ------------------------------------------------------------------------------


def _entry(rules: Rules, directories: list[Path]) -> dict[str, Any]:
    return {
        "key": rules.key,
        "title": rules.title,
        "aliases": list(rules.aliases),
        "tables": _tables(rules, directories),
    }


def _tables(rules: Rules, directories: list[Path]) -> list[dict[str, Any]]:
    """For each directory with tables of *rules*: by metric, most pieces and number of files."""
    from crownbase.probe.catalog import tables_in

    listed = []
    for directory in directories:
        found = tables_in(directory, rules)
        if found:
            metrics = {
                metric: {"pieces": max(m.pieces for m in materials), "files": len(materials)}
                for metric, materials in found.items()
            }
            listed.append({"directory": str(directory), "metrics": metrics})
    return listed


def _description(rules: Rules, directories: list[Path]) -> dict[str, Any]:
    from crownbase.play.rule_words import move_words

    board = rules.board
    return {
        **_entry(rules, directories),
        "source": rules.source,
        "digest": rules.digest,
        "board": {"rows": board.rows, "columns": board.columns, "squares": board.n_squares},
        "first_player": rules.first_player,
        "game_type": rules.notation.game_type,
        "moves": list(move_words(rules)),
        "draws": [_preset(rules, draw) for draw in (rules.draw, *rules.draw_presets)],
    }


def _preset(rules: Rules, draw: DrawRules) -> dict[str, Any]:
    from crownbase.play.rule_words import draw_words

    said = [{"rule": words, "article": article} for words, article in draw_words(rules, draw)]
    return {
        "name": draw.name,
        "source": draw.source,
        "usual": draw is rules.draw,
        "rules": said,
    }


# -- for people --------------------------------------------------------------------------------


def _entry_text(rules: Rules, directories: list[Path]) -> str:
    lines = [f"{rules.key}: {rules.title}", *_facts(_names_and_tables(rules, directories))]
    return "\n".join(lines)


def _names_and_tables(rules: Rules, directories: list[Path]) -> list[tuple[str, str]]:
    facts = [("also", ", ".join(rules.aliases))] if rules.aliases else []
    tables = [("tables", _tables_words(entry)) for entry in _tables(rules, directories)]
    return facts + (tables or [("tables", "none here")])


def _tables_words(entry: dict[str, Any]) -> str:
    """``wdl, dtc up to 4 pieces in db``: metrics that reach as far are named together."""
    reach: dict[int, list[str]] = {}
    for metric, found in entry["metrics"].items():
        reach.setdefault(found["pieces"], []).append(metric)
    parts = [f"{', '.join(metrics)} up to {pieces} pieces" for pieces, metrics in reach.items()]
    return f"{'; '.join(parts)} in {entry['directory']}"


def _description_text(rules: Rules, directories: list[Path]) -> str:
    from crownbase.play.rule_words import board_words, move_words, notation_words

    first, *others = move_words(rules)
    facts = [
        *_names_and_tables(rules, directories),
        ("source", rules.source),
        ("board", board_words(rules)),
        ("squares", notation_words(rules)),
        ("moves", first),
        *(("", words) for words in others),
        *_draw_facts(rules),
    ]
    return "\n".join([f"{rules.key}: {rules.title}", *_facts(facts)])


def _draw_facts(rules: Rules) -> list[tuple[str, str]]:
    """The presets of ``--draw``, the usual one first, each rule with its article."""
    from crownbase.play.rule_words import draw_words

    found: list[tuple[str, str]] = []
    for draw in (rules.draw, *rules.draw_presets):
        usual = "usual: " if draw is rules.draw else "--draw "
        found.append(("" if found else "draws", f"{usual}{draw.name} ({draw.source})"))
        for words, article in draw_words(rules, draw):
            found.append(("", f"  {words} ({article})" if article else f"  {words}"))
    return found


def _facts(facts: list[tuple[str, str]]) -> list[str]:
    """Lines of a name and what stands behind it, long texts over several lines."""
    return [
        textwrap.fill(f"  {name:<8}{text}", 96, subsequent_indent=" " * 10, break_on_hyphens=False)
        for name, text in facts
    ]
