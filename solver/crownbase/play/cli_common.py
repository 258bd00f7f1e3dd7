"""What several sub-commands share: options, where tables lie, output for machines."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from crownbase._paths import check_directory, typed_path
from crownbase.play.completion import METRIC_WORDS, complete_draw, complete_rules

if TYPE_CHECKING:
    from crownbase.board import Position
    from crownbase.probe import Tablebase
    from crownbase.rules import Rules

_RULES_HELP = "Rule set: a key, an alias or a .toml file."
RulesOption = Annotated[
    str,
    typer.Option("--rules", "-r", metavar="RULES", help=_RULES_HELP, autocompletion=complete_rules),
]
RulesArgument = Annotated[
    str, typer.Argument(metavar="RULES", help=_RULES_HELP, autocompletion=complete_rules)
]
JobsOption = Annotated[
    int | None,
    typer.Option("--jobs", metavar="N", min=1, max=1024, help="Threads; all cores by default."),
]
DirectoriesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--db",
        metavar="DIR",
        help="Directory of tables; may be repeated. Then: CROWNBASE_DB (a path list), the user's "
        "data folder, the small tables that ship.",
    ),
]
DrawOption = Annotated[
    str | None,
    typer.Option(
        "--draw",
        metavar="PRESET",
        autocompletion=complete_draw,
        help="Draw rules of another book, or `none`; `crownbase rules RULES` lists them.",
    ),
]
MoveLimitOption = Annotated[
    int | None,
    typer.Option(
        "--move-limit", metavar="N", min=1, help="Draw after N plies, counted from the position."
    ),
]
LevelOption = Annotated[
    int, typer.Option("--level", metavar="N", min=1, max=8, help="1 weak to 8 perfect.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Write JSON for programs.")]
FenArgument = Annotated[
    str,
    typer.Argument(
        metavar="FEN",
        help="Position, such as W:WK19,K23:B12,K28; squares count from the top left, White below.",
    ),
]

ENVIRONMENT_VARIABLE = "CROWNBASE_DB"


def user_directories(given: Sequence[str] | None) -> list[Path]:
    """Where tables of the user may lie: ``--db``, then the environment, then the data folder.

    Empty parts of the environment's path list are ignored.

    Raises:
        typer.BadParameter: an empty name was given with ``--db``.
        CrownbaseError: a name is no path.
    """
    import platformdirs

    if any(not name.strip() for name in given or []):
        raise typer.BadParameter("--db needs the name of a directory, not an empty text")
    listed = os.environ.get(ENVIRONMENT_VARIABLE, "").split(os.pathsep)
    named = [*(given or []), *(part.strip() for part in listed if part.strip())]
    return [typed_path(part) for part in named] + [
        Path(platformdirs.user_data_dir("crownbase", appauthor=False))
    ]


def search_directories(given: Sequence[str] | None) -> list[Path]:
    """All directories where tables are looked for, in order; those that ship come last.

    Raises:
        typer.BadParameter: an empty name was given with ``--db``.
        CrownbaseError: a directory given with ``--db`` is not there, or a name is no path.
    """
    from crownbase.probe import shipped_directory

    own = user_directories(given)
    for name in given or []:
        check_directory(typed_path(name), "crownbase build makes one")
    return [*own, shipped_directory()]


def build_directory(given: Sequence[str] | None) -> Path:
    """Where ``build`` writes: the first of the user's directories."""
    return user_directories(given)[0]


def rules_named(name: str, draw: str | None = None, move_limit: int | None = None) -> Rules:
    """The rule set of a name given on the command line, under the draw rules of ``--draw`` and
    ``--move-limit``; faults are UnknownRulesError."""
    from crownbase.rules import find_rules

    return find_rules(name).with_draw(draw, move_limit)


def draw_json(rules: Rules, draw: str | None, move_limit: int | None) -> dict[str, Any]:
    """Which draw rules were asked for, as keys of an answer for programs; none if the usual."""
    named = {"draw": rules.draw.name} if draw is not None else {}
    return named | ({"move_limit": move_limit} if move_limit is not None else {})


def read_position(fen: str, rules: Rules) -> Position:
    """The position of a FEN given on the command line."""
    from crownbase.board import Position

    return Position.from_fen(fen, rules=rules)


def square_texts(rules: Rules, numbers: Iterable[int]) -> list[str]:
    """FEN numbers of squares as the rule set writes these squares: letters in Russian draughts."""
    return [rules.square_name(number - 1) for number in numbers]


def say(line: str) -> None:
    """A line on stderr; that nobody can read it (a full disk, a closed pipe) stops nothing."""
    with contextlib.suppress(OSError):
        typer.echo(line, err=True)


def write_json(value: Any) -> None:
    """One JSON value on one line of stdout."""
    typer.echo(json_text(value))


def json_text(value: Any) -> str:
    """A JSON value as programs read it: on one line, without blanks."""
    return json.dumps(value, separators=(",", ":"))


def parse_bytes(text: str) -> int:
    """``8G``, ``512M``, ``100000``: a number of bytes, in powers of 1024."""
    units = {"K": 10, "M": 20, "G": 30, "T": 40}
    plain = text.strip().upper().removesuffix("B").removesuffix("I")
    shift = units.get(plain[-1:], 0)
    try:
        amount = float(plain[:-1] if shift else plain) * 2**shift
    except ValueError:
        amount = -1.0
    if not 0 < amount < 2**60:
        raise typer.BadParameter(f"{text!r} is no amount of memory; write for example 8G or 512M")
    return int(amount)


def parse_metrics(text: str) -> tuple[str, ...]:
    """``wdl,dtc``: the metrics to build, in their fixed order."""
    known = tuple(METRIC_WORDS)
    wanted = [part.strip().lower() for part in text.split(",") if part.strip()]
    for name in wanted:
        if name not in known:
            raise typer.BadParameter(f"unknown metric {name!r}; known are {', '.join(known)}")
    if not wanted:
        raise typer.BadParameter(f"no metric given; known are {', '.join(known)}")
    return tuple(name for name in known if name in wanted)


def format_bytes(count: float) -> str:
    """A number of bytes for people: ``1.4 MiB``."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if count < 1024:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024
    return f"{count:.1f} TiB"


def format_seconds(seconds: float) -> str:
    """A duration for people: ``0.3 s``, ``2 min 05 s``, ``3 h 20 min``."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest:02d} s"
    return f"{minutes // 60} h {minutes % 60:02d} min"


def open_tables(rules: Rules, given: Sequence[str] | None) -> Tablebase:
    """All tables of a rule set that the search path leads to; the first of its kind counts."""
    from crownbase.probe import open_tablebase

    return open_tablebase(search_directories(given), rules=rules)
