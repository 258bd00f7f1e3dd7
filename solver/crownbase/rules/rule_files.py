"""Rule sets that users make: one TOML file each.

The fields are those of ``Rules``, with the same names and defaults; ``base`` names a rule set that
ships, and then the file says only what differs. For example Pool with the kings of English::

    key = "pool-short-kings"
    base = "pool"
    title = "Pool with English kings"
    flying_kings = false
    draw = "tkabber"            # a preset of the base, or a table [draw] as below

The tables ``[board]`` and ``[notation]`` have the fields of ``Geometry`` and ``Notation``; a
table ``[draw]`` has those of ``DrawRules``, with ``[draw.repetition]``, ``[draw.quiet]`` and any
number of ``[[draw.class_clocks]]``, or starts from a preset: ``preset = "apca"``.

Every fault is an ``UnknownRulesError`` of one line that names the file, the field and what may
stand there. The rules are known by their contents: tables carry ``Rules.digest``.
"""

from __future__ import annotations

import dataclasses
import re
import tomllib
from pathlib import Path
from typing import Any

from crownbase._paths import read_text, typed_path
from crownbase.errors import CrownbaseError, UnknownRulesError
from crownbase.rules.draw import (
    AUTOMATIC,
    CLAIM,
    COUNTED_MOVES,
    DECLARATIONS,
    OFF_ROAD,
    RESTARTS,
    ROADS,
    ClassClock,
    DrawRules,
    QuietClock,
    Repetition,
    read_material,
)
from crownbase.rules.fields import Fields
from crownbase.rules.geometry import Geometry
from crownbase.rules.registry import RULE_SETS, find_shipped
from crownbase.rules.rules import CAPTURE_CHOICES, PROMOTION_IN_CAPTURE, Notation, Rules

_KEY = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_GAME_TYPE = re.compile(r"\d+(,[WB],(\d+),(\d+),[ANS][0-3](,[01])?)?")
_LARGEST = 1 << 16
"""Bytes of a rule file, at most; those of all sets that ship would fit."""
_MOST_DOTS = 100
_FLAGS = (
    "black_begins",
    "men_capture_backwards",
    "men_capture_kings",
    "flying_kings",
    "captures_mandatory",
    "huffing",
    "free_landing",
    "about_turn",
    "man_moves_convert",
    "lone_pieces_draw",
)


def load_rules(path: str | Path) -> Rules:
    """Read a rule file.

    Raises:
        UnknownRulesError: no such file, no TOML, or a missing, unknown, wrong or contradictory
            field; the message names the file and the field.
    """
    name = str(path)
    try:
        data = _parse(read_text(typed_path(path), _LARGEST))
    except FileNotFoundError:
        raise UnknownRulesError(f"no rule file {name!r}") from None
    except OSError as error:
        raise UnknownRulesError(f"{name}: {error.strerror or error}") from None
    except CrownbaseError as error:
        raise UnknownRulesError(str(error)) from None
    except RecursionError:
        raise UnknownRulesError(f"{name}: no TOML: nested too deeply") from None
    except ValueError as error:
        raise UnknownRulesError(f"{name}: no TOML: {error}") from None
    fields = Fields(name, data)
    base = _read_base(fields)
    rules = _read_rules(fields, base)
    fields.finish()
    _check(fields, rules)
    return rules


def _parse(text: str) -> dict[str, Any]:
    """The TOML of a text; a key of very many parts would take the parser minutes."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.count(".") > _MOST_DOTS:
            raise ValueError(f"more than {_MOST_DOTS} dots in line {number}")
    return tomllib.loads(text)


def _read_base(fields: Fields) -> Rules | None:
    name = fields.text("base", None)
    if name is None:
        return None
    if name.endswith(".toml"):
        raise fields.fault("base", f"must be a rule set that ships: {', '.join(RULE_SETS)}")
    try:
        return find_shipped(name)
    except UnknownRulesError as error:
        raise fields.fault("base", str(error)) from None


def _read_rules(fields: Fields, base: Rules | None) -> Rules:
    key = _read_key(fields)
    board = _read_board(fields.table("board", required=base is None), base)
    start = base or Rules(key=key, board=board)
    values: dict[str, Any] = {name: fields.flag(name, getattr(start, name)) for name in _FLAGS}
    if not values["flying_kings"] and not fields.has("free_landing"):
        values["free_landing"] = False
    return dataclasses.replace(
        start,
        key=key,
        board=board,
        title=fields.text("title", key),
        aliases=(),
        source=fields.text("source", fields.file),
        capture_choice=fields.choices("capture_choice", CAPTURE_CHOICES, start.capture_choice),
        promotion_in_capture=fields.choice(
            "promotion_in_capture", tuple(PROMOTION_IN_CAPTURE), start.promotion_in_capture
        ),
        captured_leave=fields.choice("captured_leave", ("end", "hop"), start.captured_leave),
        men_rows=fields.number("men_rows", 1, 12, start.men_rows),
        empty_back_rows=fields.number("empty_back_rows", 0, 12, start.empty_back_rows),
        notation=_read_notation(fields.table("notation"), start.notation),
        draw=_read_draw(fields, start),
        **values,
    )


def _read_key(fields: Fields) -> str:
    key = fields.text("key")
    aliases = {alias: name for name, rules in RULE_SETS.items() for alias in rules.aliases}
    if not _KEY.fullmatch(key):
        raise fields.fault("key", f"must be lower-case words joined by '-', not {key!r}")
    if key in RULE_SETS:
        raise fields.fault("key", f"{key!r} is the key of a rule set that ships; choose another")
    if key in aliases:
        raise fields.fault("key", f"{key!r} is another name of {aliases[key]!r}; choose another")
    return key


def _read_board(fields: Fields, base: Rules | None) -> Geometry:
    start = base.board if base else Geometry(rows=0, columns=0)
    board = Geometry(
        rows=fields.number("rows", 4, 16, start.rows if base else None),
        columns=fields.number("columns", 4, 16, start.columns if base else None),
        orthogonal=fields.flag("orthogonal", start.orthogonal),
        dark_corner=fields.choice("dark_corner", ("left", "right"), start.dark_corner),
    )
    fields.finish()
    if not board.orthogonal and (board.rows % 2 or board.columns % 2):
        raise fields.fault("rows", "and columns must be even on a diagonal board")
    if board.n_squares > 64:
        raise fields.fault("rows", f"and columns give {board.n_squares} squares; 64 are possible")
    return board


def _read_notation(fields: Fields, base: Notation) -> Notation:
    letters = fields.flag("letters", base.letters)
    results = fields.texts("results", base.results)
    if len(set(results)) != 3 or len(results) != 3:
        raise fields.fault(
            "results", "must be three different texts: first player wins, draw, loses"
        )
    notation = Notation(
        letters=letters,
        reads_letters=fields.flag("reads_letters", letters or base.reads_letters),
        capture_sign=fields.choice("capture_sign", ("x", ":"), base.capture_sign),
        # A PDN GameType names one game: rules that differ from the base's are not that game.
        game_type=fields.text("game_type", None),
        results=(results[0], results[1], results[2]),
        official_reversed=fields.flag("official_reversed", base.official_reversed),
    )
    fields.finish()
    if letters and not notation.reads_letters:
        raise fields.contradiction("letters = true", "reads_letters = false")
    return notation


def _read_draw(fields: Fields, start: Rules) -> DrawRules:
    if not fields.has("draw"):
        return start.draw
    if fields.is_text("draw"):
        try:
            return start.draw_rules(fields.text("draw"))
        except UnknownRulesError as error:
            raise fields.fault("draw", str(error)) from None
    table = fields.table("draw")
    preset = table.text("preset", "none")
    try:
        base = start.draw_rules(preset)
    except UnknownRulesError as error:
        raise table.fault("preset", str(error)) from None
    clocks = tuple(_read_clock(clock) for clock in table.tables("class_clocks"))
    found = DrawRules(
        name=table.text("name", "file"),
        source=table.text("source", fields.file),
        repetition=_read_repetition(table, base.repetition),
        quiet=_read_quiet(table, base.quiet),
        class_clocks=clocks or base.class_clocks,
        move_limit=table.number("move_limit", 1, 100_000, base.move_limit or 0) or None,
    )
    table.finish()
    return found


def _read_repetition(draw: Fields, base: Repetition | None) -> Repetition | None:
    if not draw.has("repetition"):
        return base
    fields = draw.table("repetition")
    found = Repetition(
        times=fields.number("times", 2, 100),
        declared=fields.choice("declared", DECLARATIONS, AUTOMATIC),
        counts_setup=fields.flag("counts_setup", True),
        article=fields.text("article", ""),
    )
    fields.finish()
    return found


def _read_quiet(draw: Fields, base: QuietClock | None) -> QuietClock | None:
    if not draw.has("quiet"):
        return base
    fields = draw.table("quiet")
    found = QuietClock(
        limit=fields.number("limit", 1, 8000),
        declared=fields.choice("declared", (AUTOMATIC, CLAIM), AUTOMATIC),
        min_pieces=fields.number("min_pieces", 0, 64, 0),
        article=fields.text("article", ""),
    )
    fields.finish()
    return found


def _read_clock(fields: Fields) -> ClassClock:
    default = ClassClock("", (), 0)
    found = ClassClock(
        name=fields.text("name"),
        materials=fields.texts("materials"),
        moves=fields.number("moves", 1, 4000),
        counted=fields.choice("counted", COUNTED_MOVES, default.counted),
        restarts=fields.choice("restarts", RESTARTS, default.restarts),
        carries_into=fields.texts("carries_into", ()),
        road=fields.choice("road", ROADS, default.road),
        off_road=fields.choice("off_road", OFF_ROAD, default.off_road),
        article=fields.text("article", ""),
    )
    fields.finish()
    for name in ("materials", "carries_into"):
        for text in getattr(found, name):
            try:
                read_material(text)
            except ValueError as error:
                raise fields.fault(name, str(error)) from None
    if fields.has("off_road") and not found.road:
        raise fields.contradiction(f"off_road = {found.off_road!r}", "no road")
    return found


def _check(fields: Fields, rules: Rules) -> None:
    """Refuse fields that contradict each other.

    Raises:
        UnknownRulesError: naming both fields.
    """
    if rules.free_landing and not rules.flying_kings:
        raise fields.contradiction("free_landing = true", "flying_kings = false")
    if rules.huffing and rules.captures_mandatory:
        raise fields.contradiction("huffing = true", "captures_mandatory = true")
    order = [CAPTURE_CHOICES.index(choice) for choice in rules.capture_choice]
    if order != sorted(set(order)):
        raise fields.fault(
            "capture_choice", f"must name criteria once, in the order {', '.join(CAPTURE_CHOICES)}"
        )
    if "kings-first" in rules.capture_choice and "most-pieces" not in rules.capture_choice:
        raise fields.contradiction(
            "capture_choice with 'kings-first'", "capture_choice without 'most-pieces'"
        )
    if 2 * (rules.men_rows + rules.empty_back_rows) > rules.board.rows:
        raise fields.contradiction(
            f"men_rows = {rules.men_rows} and empty_back_rows = {rules.empty_back_rows}",
            f"a board of {rules.board.rows} rows",
        )
    road = next((clock for clock in rules.draw.class_clocks if clock.road), None)
    if road and (rules.board.orthogonal or rules.board.rows != rules.board.columns):
        raise fields.contradiction(f"draw rule {road.name!r} with a main road", "this board")
    _check_game_type(fields, rules)


def _check_game_type(fields: Fields, rules: Rules) -> None:
    game_type = rules.notation.game_type
    if game_type is None:
        return
    found = _GAME_TYPE.fullmatch(game_type)
    if not found:
        raise fields.fault("notation.game_type", f"must be like '23,B,8,8,N1,0', not {game_type!r}")
    if found.group(1):
        size = f"{rules.first_player},{rules.board.columns},{rules.board.rows}"
        if not game_type.split(",", 1)[1].startswith(size):
            raise fields.contradiction(
                f"notation.game_type = {game_type!r}",
                f"first player {rules.first_player}, board of {rules.board.columns} columns and "
                f"{rules.board.rows} rows",
            )
