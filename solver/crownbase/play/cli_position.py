"""Sub-commands about one position without tables: ``moves`` and ``perft``."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from crownbase.play import cli_common as common
from crownbase.play.cli_common import FenArgument, JsonOption, RulesOption

if TYPE_CHECKING:
    from crownbase.board import Move, Position


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command()(moves)
    app.command()(perft)


def moves(
    fen: FenArgument,
    played: Annotated[
        list[str] | None,
        typer.Argument(metavar="MOVE", help="Moves to make first, such as 11-15 23x16."),
    ] = None,
    rules: RulesOption = "english",
    as_json: JsonOption = False,
) -> None:
    """List the legal moves of a position."""
    from crownbase.play.render import position_text, turn_words

    position = common.read_position(fen, common.rules_named(rules))
    for text in played or ():
        position = position.play(text)
    legal = position.legal_moves()
    if as_json:
        listed = [_move_json(position, move) for move in legal]
        common.write_json({"fen": position.fen(), "moves": listed})
        return
    typer.echo(f"{position_text(position)}\n\n{turn_words(position.turn)}\n")
    if position.is_lone_pieces_draw:
        typer.echo("one piece each is a draw at once; without that rule one could play:\n")
    elif not legal:
        typer.echo("no legal move")
    for move in legal:
        typer.echo(str(move))


def _move_json(position: Position, move: Move) -> dict[str, Any]:
    squares = (move.start, move.end, *move.captured)
    start, end, *captured = common.square_texts(position.rules, squares)
    return {
        "move": str(move),
        "from": move.start,
        "to": move.end,
        "captured": list(move.captured),
        "promotes": move.promotes,
        "fen": position.play(move).fen(),
        "from_text": start,
        "to_text": end,
        "captured_text": captured,
    }


def perft(
    fen: Annotated[str, typer.Argument(metavar="FEN|start", help="Position, or `start`.")],
    depth: Annotated[
        int, typer.Argument(metavar="DEPTH", min=0, max=60, help="Plies to look ahead.")
    ],
    rules: RulesOption = "english",
    as_json: JsonOption = False,
) -> None:
    """Count the move sequences of DEPTH plies, each distinct move once."""
    from crownbase.board import perft as count

    position = common.read_position(fen, common.rules_named(rules))
    count(position, min(depth, 1))  # compiles, or loads what was compiled: not part of the time
    start = time.perf_counter()
    nodes = count(position, depth)
    seconds = time.perf_counter() - start
    if as_json:
        common.write_json({"nodes": nodes, "seconds": round(seconds, 6)})
    else:
        typer.echo(f"{nodes:,} nodes at depth {depth} in {common.format_seconds(seconds)}")
