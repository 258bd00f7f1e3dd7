"""Sub-commands that other programs play with: ``hub`` and ``dxp``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from crownbase.play import cli_common as common
from crownbase.play.cli_common import (
    DirectoriesOption,
    DrawOption,
    LevelOption,
    MoveLimitOption,
    RulesOption,
)
from crownbase.play.completion import complete_colour

if TYPE_CHECKING:
    from crownbase.play.hub_options import Options
    from crownbase.probe import Tablebase


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command()(hub)
    app.command()(dxp)


def hub() -> None:
    """Play as an engine for other programs: Hub protocol 2 on stdin and stdout.

    Tables: the parameter `tb-path`, else CROWNBASE_DB, the user's data folder and those that ship.
    """
    from crownbase.play.hub import run_hub

    run_hub(_hub_tables)


def _hub_tables(options: Options) -> Tablebase | None:
    from crownbase.probe import open_tablebase, shipped_directory

    listed = options.directories or common.user_directories(None)
    tables = open_tablebase([*listed, shipped_directory()], rules=options.rules)
    return tables if tables.max_pieces else None


def dxp(
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="Address to listen on.")
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(
            "--port", metavar="N", min=0, max=65535, help="TCP port; 0 = listen on any free one."
        ),
    ] = 27531,
    connect: Annotated[
        str | None,
        typer.Option("--connect", metavar="HOST[:PORT]", help="Begin games there."),
    ] = None,
    side: Annotated[
        str,
        typer.Option(
            "--side",
            metavar="SIDE",
            help="With --connect: our side in the first game, w or b.",
            autocompletion=complete_colour,
        ),
    ] = "w",
    fen: Annotated[
        str, typer.Option("--fen", metavar="FEN", help="With --connect: where games begin.")
    ] = "start",
    minutes: Annotated[
        int,
        typer.Option(
            "--minutes",
            metavar="N",
            min=0,
            max=999,
            help="With --connect, of each; 0 = no limit.",
        ),
    ] = 5,
    moves: Annotated[
        int,
        typer.Option(
            "--moves",
            metavar="N",
            min=0,
            max=999,
            help="With --connect, of each; 0 = no limit.",
        ),
    ] = 0,
    games: Annotated[
        int,
        typer.Option("--games", metavar="N", min=1, help="With --connect: number, sides in turn."),
    ] = 1,
    rules: RulesOption = "international",
    level: LevelOption = 8,
    draw: DrawOption = None,
    move_limit: MoveLimitOption = None,
    directories: DirectoriesOption = None,
) -> None:
    """Play with other programs by DamExchange (10x10 only).

    Waits for programs that begin a game, or with --connect begins games itself.
    """
    from crownbase.play import dxp_server
    from crownbase.play.dxp_text import Request
    from crownbase.play.outcome import OTHER
    from crownbase.play.player import Player
    from crownbase.search import Loader

    rule_set = common.rules_named(rules, draw, move_limit)
    if rule_set.board.n_squares != 50:
        raise typer.BadParameter(f"DamExchange is for 10x10 boards, not for {rule_set.title}")
    ours = {"w": "W", "white": "W", "b": "B", "black": "B"}.get(side.lower())
    if ours is None:
        raise typer.BadParameter(f"--side is w or b, not {side!r}")
    with common.open_tables(rule_set, directories) as tables:
        loader = Loader(rule_set, tables).start()

        def make_player() -> Player:
            return Player(rule_set, tables, level=level, loader=loader, timed=True)

        if connect is not None:
            address = dxp_server.read_address(connect, port)
            start = common.read_position(fen, rule_set)
            request = Request(start, OTHER[ours], minutes, moves)
            dxp_server.connect(make_player(), address, request, games, typer.echo)
            return
        server = dxp_server.Server(make_player, host, port, typer.echo)
        typer.echo("waiting on {}:{}".format(*server.address))
        server.run()
