"""The command ``crownbase``: its sub-commands, and one place that turns faults into exit codes.

    0    done
    1    the reader of the output went away
    2    bad input or a failure; one line on stderr says what, where and what to do
    130  stopped by Ctrl-C

Nothing heavy is imported here or in the modules that declare the commands: ``--help`` must answer
at once, so that each command imports what it needs when it runs.
"""

from __future__ import annotations

import io
import os
import sys
import threading
from collections.abc import Sequence
from typing import TextIO

import typer

from crownbase._version import __version__
from crownbase.errors import CrownbaseError
from crownbase.play import (
    cli_build,
    cli_demo,
    cli_engines,
    cli_position,
    cli_probe,
    cli_rules,
    cli_search,
    cli_serve,
)
from crownbase.play.cli_common import say
from crownbase.play.cli_compiling import say_when_compiling

INTERRUPTED = 130
_LONGEST = 1000
"""Characters of an error message, about."""

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


_MODULES = (
    cli_build,
    cli_probe,
    cli_position,
    cli_search,
    cli_engines,
    cli_serve,
    cli_rules,
    cli_demo,
)
for _module in _MODULES:
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
        _discard(sys.stdout)
        return 1
    except OSError as error:
        what = error.strerror or str(error)
        return _fail(what if error.filename is None else f"{what}: {error.filename!r}")
    except MemoryError as error:
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
    line = " ".join(message.split())
    if len(line) > _LONGEST:  # what was typed may be long; advice stands at the end
        line = f"{line[: _LONGEST // 2]} ... {line[-_LONGEST // 2 :]}"
    say(f"error: {line}")
    return 2


def _interrupted() -> int:
    say("stopped by Ctrl-C")
    return INTERRUPTED


def _open_streams() -> None:
    """Make the standard streams safe to use, whatever the caller closed and whatever text comes.

    A closed one (`<&-`) is None in Python, and the next file to be opened, such as a table, would
    take its place as the standard input or output of the process.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace" if mode == "r" else "backslashreplace")


def _discard(stream: TextIO) -> None:
    """Send what is written to a stream from now on to nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def main() -> None:
    """Entry point of the console script."""
    _open_streams()
    say_when_compiling()
    code = run(sys.argv[1:])
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            # What is still in the buffer has nowhere to go. Python would try again at exit, fail,
            # and change the exit code.
            _discard(stream)
    if threading.active_count() > 1:
        # A thread that solves or compiles cannot be stopped, and a normal exit would wait for it.
        os._exit(code)
    sys.exit(code)
