"""The command ``crownbase``: its sub-commands, and one place that turns faults into exit codes.

    0    done
    1    the reader of the output went away
    2    bad input or a failure; one line on stderr says what, where and what to do
    130  stopped by Ctrl-C

Nothing heavy is imported here or in the modules that declare the commands: ``--help`` must answer
at once, so that each command imports what it needs when it runs.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Sequence

import typer

from crownbase import __version__
from crownbase.errors import CrownbaseError
from crownbase.play import cli_build, cli_demo, cli_position, cli_probe, cli_search

INTERRUPTED = 130

app = typer.Typer(
    name="crownbase",
    help="Draughts endgame databases: build, verify and probe them, and play by them.",
    no_args_is_help=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"crownbase {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False, "--version", callback=_show_version, is_eager=True, help="Show the version and stop."
    ),
) -> None:
    """Draughts endgame databases: build, verify and probe them, and play by them."""


for _module in (cli_build, cli_probe, cli_position, cli_search, cli_demo):
    _module.register(app)


def run(arguments: Sequence[str]) -> int:
    """Run the command with *arguments* and return its exit code."""
    try:
        code = app(args=list(arguments) or ["--help"], prog_name="crownbase", standalone_mode=False)
        sys.stdout.flush()
        # The parser may turn Ctrl-C into this exit code by itself.
        return _interrupted() if code == INTERRUPTED else int(code or 0)
    except KeyboardInterrupt:
        return _interrupted()
    except CrownbaseError as error:
        return _fail(str(error))
    except BrokenPipeError:
        # Whoever read our output has gone (`| head`): close quietly, as other commands do.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (OSError, MemoryError) as error:
        return _fail(str(error) or "not enough memory")
    except Exception as error:
        if isinstance(error, typer.Abort):
            return _interrupted()
        # Usage errors of the parser (a private class of typer's) know how to say what is wrong.
        describe = getattr(error, "format_message", None)
        if describe is None:
            raise
        context = getattr(error, "ctx", None)
        where = context.command_path if context is not None else "crownbase"
        return _fail(f"{describe()} (see: {where} --help)")


def _fail(message: str) -> int:
    typer.echo("error: " + " ".join(message.split()), err=True)
    return 2


def _interrupted() -> int:
    typer.echo("stopped by Ctrl-C", err=True)
    return INTERRUPTED


def main() -> None:
    """Entry point of the console script."""
    code = run(sys.argv[1:])
    sys.stdout.flush()
    sys.stderr.flush()
    if code and threading.active_count() > 1:
        # A solver thread cannot be stopped inside a kernel, and a normal exit would wait for it.
        os._exit(code)
    sys.exit(code)
