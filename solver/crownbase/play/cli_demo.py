"""Sub-command ``demo``: the draw rules of a rule set, shown in games."""

from __future__ import annotations

from typing import Annotated

import typer

from crownbase.play import cli_common as common
from crownbase.play.cli_common import JsonOption
from crownbase.play.completion import complete_rules


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command()(demo)


def demo(
    rules: Annotated[
        str, typer.Argument(metavar="RULES", help="Rule set.", autocompletion=complete_rules)
    ] = "english",
    as_json: JsonOption = False,
) -> None:
    """Show the draw rules at work: board, line and article.

    Repetitions, clocks that run out, wins one ply too late, limits of a material class, and the
    same position under other draw rules. The positions come from tables, the end from the rules.
    """
    from crownbase.play.demo import Demo, scene_json, scene_text

    found = common.rules_named(rules)
    if not as_json:
        typer.echo(f"Draw rules of {found.title}: {found.draw.name} ({found.draw.source})")
    with Demo(found) as shown:
        for scene in shown.scenes():
            if as_json:
                common.write_json(scene_json(scene))
            else:
                typer.echo(f"\n\n{scene_text(scene)}")
