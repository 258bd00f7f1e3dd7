"""Sub-command ``serve``: the explorer, an HTTP API and a web page."""

from __future__ import annotations

import importlib.util
from typing import Annotated

import typer

from crownbase.errors import CrownbaseError
from crownbase.play import cli_common as common
from crownbase.play.cli_common import DirectoriesOption


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command()(serve)


def need_extra(extra: str, *modules: str) -> None:
    """Refuse in one line what an extra that is not installed would be needed for.

    Raises:
        CrownbaseError: a module is missing; the message says how to get it.
    """
    for module in modules:
        if importlib.util.find_spec(module) is None:
            raise CrownbaseError(
                f"this needs {module}, which is not here; run: pip install 'crownbase[{extra}]'"
            )


def serve(
    host: Annotated[
        str, typer.Option(metavar="HOST", help="Address to listen on; 0.0.0.0 for all.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="Port; 0 takes a free one.")
    ] = 8000,
    db: DirectoriesOption = None,
    cache: Annotated[
        str, typer.Option(metavar="SIZE", help="Memory for decoded tables of each rule set.")
    ] = "64M",
    at_a_time: Annotated[
        int, typer.Option(metavar="N", min=1, max=65536, help="Requests at a time; then 429.")
    ] = 256,
) -> None:
    """Serve the tables: a web page at / and an HTTP API for programs.

    Ctrl-C stops it when running requests are answered.
    """
    need_extra("web", "fastapi", "uvicorn")
    import socket

    import uvicorn

    from crownbase.play.web.app import make_app
    from crownbase.play.web.databases import Databases

    databases = Databases(common.search_directories(db), common.parse_bytes(cache))
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except (OSError, OverflowError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise CrownbaseError(f"cannot listen on {host} port {port}: {reason}") from None
    shown = f"[{host}]" if family == socket.AF_INET6 else host
    common.say(f"crownbase serves on http://{shown}:{listener.getsockname()[1]}/ (Ctrl-C stops)")
    config = uvicorn.Config(
        make_app(databases, at_a_time),
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=10,
        server_header=False,
    )
    try:
        uvicorn.Server(config).run(sockets=[listener])
    finally:
        listener.close()
