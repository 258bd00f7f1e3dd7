"""Sub-commands that ask the tables: ``probe`` and ``line``."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from crownbase._paths import typed_path
from crownbase.errors import CrownbaseError
from crownbase.play import cli_common as common
from crownbase.play.cli_common import (
    DirectoriesOption,
    DrawOption,
    FenArgument,
    JsonOption,
    MoveLimitOption,
    RulesOption,
)

if TYPE_CHECKING:
    from crownbase.board import Position
    from crownbase.probe import Tablebase
    from crownbase.rules import Rules


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command()(probe)
    app.command()(line)


def probe(
    fens: Annotated[
        list[str] | None, typer.Argument(metavar="[FEN]...", help="Positions to look up.")
    ] = None,
    rules: RulesOption = "english",
    batch: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Read one FEN per line from FILE (- is stdin)."),
    ] = None,
    draw: DrawOption = None,
    move_limit: MoveLimitOption = None,
    db: DirectoriesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say who wins a position, and rank its moves.

    With --batch, each line is answered by FEN, category, wdl, dtc and dtw with tabs between, or
    by FEN and an error (with --json by an object, or one of `fen` and `error`); the exit code is 2
    if there was any error.
    """
    found = common.rules_named(rules, draw, move_limit)
    asked = common.draw_json(found, draw, move_limit)
    if bool(fens) == (batch is not None):
        raise typer.BadParameter("give one or more FENs, or --batch FILE")
    with common.open_tables(found, db) as tables:
        if batch is not None:
            if not _probe_batch(batch, found, tables, asked, as_json):
                raise typer.Exit(2)
            return
        positions = [common.read_position(fen, found) for fen in fens or []]
        for number, position in enumerate(positions):
            if as_json:
                common.write_json(_probe_json(tables, position) | asked)
            else:
                typer.echo("\n" * bool(number) + _probe_text(tables, position))


def _probe_json(tables: Tablebase, position: Position) -> dict[str, Any]:
    return {
        "rules": position.rules.key,
        "fen": position.fen(),
        "turn": position.turn,
        **tables.probe(position).to_json(),
        "moves": [info.to_json() for info in tables.moves(position)],
        "missing": [str(name) for name in tables.missing(position)],
    }


def _probe_text(tables: Tablebase, position: Position) -> str:
    from crownbase.play import render

    result = tables.probe(position)
    words = render.value_words(position.turn, result.category, result.dtc, result.dtw)
    parts = [position.fen(), "", render.position_text(position), "", words, *result.assumes]
    ranked = tables.moves(position)
    if ranked:
        parts += ["", render.moves_table(ranked)]
    return "\n".join(parts)


def _probe_batch(
    name: str, rules: Rules, tables: Tablebase, asked: dict[str, Any], as_json: bool
) -> bool:
    """Answer every line of a file; False if there was a fault in any."""
    good = True
    for text in _lines(name):
        try:
            position = common.read_position(text, rules)
            if as_json:
                common.write_json(_probe_json(tables, position) | asked)
            else:
                typer.echo(_tabbed_answer(text, position, tables))
        except CrownbaseError as error:
            good = False
            fault = " ".join(str(error).split())
            if as_json:
                common.write_json({"fen": text, "error": fault})
            else:
                typer.echo(f"{text}\terror: {fault}")
    return good


def _tabbed_answer(text: str, position: Position, tables: Tablebase) -> str:
    result = tables.probe(position)
    numbers = ("" if n is None else str(n) for n in (result.wdl, result.dtc, result.dtw))
    return "\t".join((text, result.category, *numbers))


def _lines(name: str) -> Iterator[str]:
    """The FENs of a file, one per line; empty lines are left out.

    A byte order mark is no part of a FEN, and a tab within one would look like the end of it.
    """

    def kept(lines: Iterable[str]) -> Iterator[str]:
        clean = (line.removeprefix("\ufeff").replace("\t", " ").strip() for line in lines)
        return (line for line in clean if line)

    if name == "-":
        yield from kept(sys.stdin)
        return
    with open(typed_path(name), encoding="utf-8", errors="replace") as file:
        yield from kept(file)


def line(
    fen: FenArgument,
    rules: RulesOption = "english",
    draw: DrawOption = None,
    move_limit: MoveLimitOption = None,
    db: DirectoriesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show a line of perfect play by both sides.

    It goes to the end of the game, or in a draw until a position comes again.
    """
    from crownbase.play import render

    found = common.rules_named(rules, draw, move_limit)
    position = common.read_position(fen, found)
    with common.open_tables(found, db) as tables:
        result = tables.probe(position)
        played = list(tables.line(position))
    if as_json:
        common.write_json(
            {
                "rules": found.key,
                "fen": position.fen(),
                "category": result.category,
                "dtw": result.dtw,
                "moves": [str(move) for move in played],
                **common.draw_json(found, draw, move_limit),
            }
        )
        return
    typer.echo(render.value_words(position.turn, result.category, result.dtc, result.dtw))
    typer.echo(render.line_text(position, [str(move) for move in played]))
