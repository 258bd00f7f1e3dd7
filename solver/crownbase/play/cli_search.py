"""Sub-commands that look ahead: ``search``, ``solve`` and ``play``."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from crownbase._paths import check_writable, typed_path
from crownbase.play import cli_common as common
from crownbase.play.cli_common import (
    DirectoriesOption,
    DrawOption,
    FenArgument,
    JsonOption,
    LevelOption,
    MoveLimitOption,
    RulesOption,
)
from crownbase.play.completion import complete_side

if TYPE_CHECKING:
    from crownbase.board import Move, Position
    from crownbase.probe import Tablebase
    from crownbase.search import Proof, SearchResult

DepthOption = Annotated[
    int | None, typer.Option("--depth", metavar="N", min=1, help="Plies to look ahead.")
]
NodesOption = Annotated[
    int | None, typer.Option("--nodes", metavar="N", min=1, help="Positions to visit.")
]
TimeOption = Annotated[
    float | None, typer.Option("--time", metavar="SECONDS", min=0.0, help="Time to think.")
]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command()(search)
    app.command()(solve)
    app.command()(play)


def search(
    fen: FenArgument,
    rules: RulesOption = "english",
    time: TimeOption = None,
    depth: DepthOption = None,
    nodes: NodesOption = None,
    draw: DrawOption = None,
    move_limit: MoveLimitOption = None,
    directories: DirectoriesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Search a position; tables count where they reach. Without a limit: 5 seconds."""
    from crownbase.search import Loader, search_at_once

    position = common.read_position(fen, common.rules_named(rules, draw, move_limit))
    with common.open_tables(position.rules, directories) as tables:
        loader = Loader(position.rules).start()
        found = search_at_once(position, tables, depth, time, nodes, loader=loader)
    if loader.is_compiling:
        common.say(f"still compiling; plain Python has answered (before: crownbase warmup {rules})")
    if as_json:
        under = common.draw_json(position.rules, draw, move_limit)
        common.write_json({"fen": position.fen(), **_search_json(found), **under})
        return
    from crownbase.play.render import line_text, position_text, turn_words

    typer.echo(position_text(position))
    typer.echo()
    typer.echo(turn_words(position.turn))
    if found.move is None:
        typer.echo("the game is over: no legal move" if found.category == "loss" else "a draw")
        return
    proven = f", a proven {found.category}" if found.category else ""
    length = f" in {found.plies} plies" if found.plies is not None else ""
    typer.echo(f"best move {found.move}, score {found.score:+.2f}{proven}{length}")
    typer.echo(line_text(position, [str(move) for move in found.pv]))
    typer.echo(_effort(found.nodes, found.depth, found.seconds, found.table_hits))


def _search_json(found: SearchResult) -> dict[str, object]:
    return {
        "score": round(found.score, 2),
        "category": found.category,
        "plies": found.plies,
        "move": None if found.move is None else str(found.move),
        "pv": [str(move) for move in found.pv],
        "nodes": found.nodes,
        "depth": found.depth,
        "seconds": round(found.seconds, 6),
        "table_hits": found.table_hits,
    }


def solve(
    fen: FenArgument,
    rules: RulesOption = "english",
    time: TimeOption = None,
    nodes: NodesOption = None,
    table_memory: Annotated[
        str, typer.Option(metavar="SIZE", help="Most memory for table values, such as 7G.")
    ] = "1G",
    solving_memory: Annotated[
        str,
        typer.Option(metavar="SIZE", help="Most memory for what is solved on the way; 0 = none."),
    ] = "2G",
    draw: DrawOption = None,
    move_limit: MoveLimitOption = None,
    directories: DirectoriesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Prove a position won, drawn or lost. Without a limit: 60 seconds.

    Searches end in the tables, and in what is solved on the way: what the position can lead to, by
    retrograde analysis, from the fewest pieces up. The answer is `unknown` if a limit comes first.
    Draw clocks play no part; with --draw or --move-limit, a line says whether the proof stands
    under them. Time counts once tables and kernels are in memory; tables that do not fit are left
    out.
    """
    from crownbase.search import prove

    position = common.read_position(fen, common.rules_named(rules, draw, move_limit))
    if time is None and nodes is None:
        time = 60.0
    memory = common.parse_bytes(table_memory)
    solving = 0 if solving_memory.strip() == "0" else common.parse_bytes(solving_memory)
    with common.open_tables(position.rules, directories) as tables:
        found = prove(position, tables, time, nodes, table_memory=memory, solving_memory=solving)
        asked = common.draw_json(position.rules, draw, move_limit)
        verdict = _under_draw_rules(found, position, tables) if asked else ""
    if as_json:
        under = asked | ({"verdict": verdict} if asked else {})
        common.write_json({"fen": position.fen(), **_proof_json(found), **under})
        return
    from crownbase.play.render import line_text, position_text, turn_words

    typer.echo(position_text(position))
    typer.echo()
    typer.echo(f"{turn_words(position.turn)}: {_proof_words(found)}")
    if verdict:
        typer.echo(verdict)
    if found.line:
        typer.echo(line_text(position, [str(move) for move in found.line]))
        if found.outcome != "draw" and not _ends_the_game(position, found.line):
            typer.echo("the line goes as far as a second of search shows the way")
    if found.nodes == 0:
        typer.echo("read from the tables" if position.legal_moves() else "the game is over")
        return
    if found.size:
        typer.echo(f"proof: {found.size:,} positions")
    if found.solved and found.solved != found.size:
        typer.echo(f"solved on the way: {found.solved:,} positions")
    typer.echo(_effort(found.nodes, found.depth, found.seconds, found.table_hits))


def _proof_words(found: Proof) -> str:
    if found.outcome != "unknown":
        length = f" within {found.plies} plies" if found.plies is not None else ""
        return f"{found.outcome}, proven{length}"
    bounds = {(0, 1): "at least a draw", (-1, 0): "at most a draw"}
    known = bounds.get((found.lower, found.upper), "neither a win nor a loss is ruled out")
    return f"unknown within the limit; {known}"


def _ends_the_game(position: Position, line: tuple[Move, ...]) -> bool:
    for move in line:
        position = position.play(move)
    return not position.legal_moves()


def _under_draw_rules(found: Proof, position: Position, tables: Tablebase) -> str:
    """What becomes of a proof, which knows no draw clock, under the draw rules of the position."""
    from crownbase.errors import TooManyPiecesError

    draw = position.rules.draw
    with contextlib.suppress(TooManyPiecesError):
        known = tables.get(position)
        if known is not None:
            return "; ".join((f"draw rules {draw.name}: {known.category}", *known.assumes))
    if found.outcome == "unknown":
        return f"draw rules {draw.name}: unknown"
    if found.outcome == "draw":
        return f"draw rules {draw.name}: draw, clocks only add draws"
    limits = [2 * clock.moves - 1 - position.clock for clock in draw.class_clocks]
    limits += [draw.quiet.limit - position.clock] if draw.quiet else []
    limits += [draw.move_limit] if draw.move_limit is not None else []
    if not limits or (found.plies is not None and found.plies <= min(limits)):
        return f"draw rules {draw.name}: {found.outcome}, no limit comes before"
    return f"draw rules {draw.name}: not weighed, a limit of {min(limits)} plies may come before"


def _proof_json(found: Proof) -> dict[str, object]:
    return {
        "outcome": found.outcome,
        "lower": found.lower,
        "upper": found.upper,
        "plies": found.plies,
        "size": found.size,
        "line": [str(move) for move in found.line],
        "nodes": found.nodes,
        "depth": found.depth,
        "seconds": round(found.seconds, 6),
        "table_hits": found.table_hits,
        "solved": found.solved,
    }


def _effort(nodes: int, depth: int, seconds: float, table_hits: int) -> str:
    speed = f", {nodes / seconds / 1e6:.2f} M/s" if seconds > 0 and nodes > 1000 else ""
    return (
        f"depth {depth}, {nodes:,} positions in {common.format_seconds(seconds)}{speed}, "
        f"{table_hits:,} table values"
    )


def play(
    fen: Annotated[str, typer.Argument(metavar="[FEN]", help="Position to start from.")] = "start",
    rules: RulesOption = "english",
    side: Annotated[
        str,
        typer.Option(
            "--side",
            metavar="SIDE",
            help="Your side: w, b, both or none (watch).",
            autocompletion=complete_side,
        ),
    ] = "w",
    level: LevelOption = 8,
    time: Annotated[
        float,
        typer.Option("--time", metavar="SECONDS", min=0.01, help="The player's time for a move."),
    ] = 1.0,
    turn_time: Annotated[
        float | None,
        typer.Option(
            min=0.1,
            metavar="SECONDS",
            help="A turn of yours that takes longer loses the game (looked at when you type); "
            "the player always keeps it.",
        ),
    ] = None,
    save: Annotated[
        str | None, typer.Option("--save", metavar="FILE", help="PDN file to append the game to.")
    ] = None,
    draw: DrawOption = None,
    move_limit: MoveLimitOption = None,
    directories: DirectoriesOption = None,
) -> None:
    """Play a game in the terminal; type `help` there for all commands.

    On a terminal the player's thinking is seen, and `rematch` begins another game with the sides
    swapped; a script sees and types plain lines.
    """
    from crownbase.play.game import Game
    from crownbase.play.player import Player
    from crownbase.play.terminal import Terminal
    from crownbase.play.thinking import LiveLine
    from crownbase.search import Loader

    sides = {"w": "W", "white": "W", "b": "B", "black": "B", "both": "WB", "none": ""}
    if side.lower() not in sides:
        raise typer.BadParameter(f"--side is w, b, both or none, not {side!r}")
    position = common.read_position(fen, common.rules_named(rules, draw, move_limit))
    target = None if save is None else typed_path(save)
    check_writable(target)
    with common.open_tables(position.rules.dutiful, directories) as tables:
        loader = Loader(position.rules.dutiful).start()
        seconds = time if turn_time is None else min(time, 0.8 * turn_time)
        player = Player(
            position.rules,
            tables,
            level=level,
            seconds=seconds,
            loader=loader,
            timed=turn_time is not None,
        )
        seen = sys.stdout.isatty()
        Terminal(
            Game(fen=position),
            player,
            tables,
            sides[side.lower()],
            target,
            turn_time=turn_time,
            show=LiveLine(sys.stdout) if seen else None,
            stay=seen and sys.stdin.isatty(),
        ).run()
