"""The page as it is without JavaScript: board, status and moves, drawn by the server."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from pathlib import Path
from string import Template
from typing import Any
from urllib.parse import urlencode

from crownbase._version import __version__
from crownbase.board import Position
from crownbase.board.drawing import board_svg
from crownbase.errors import CorruptTableError, CrownbaseError, UnknownRulesError
from crownbase.play.web import answers
from crownbase.play.web.databases import Databases
from crownbase.play.web.gallery import endings, first_ending
from crownbase.rules import Rules

MOVE_GROUPS = (
    ("Winning moves", ("win",)),
    ("Wins that the draw clock spoils", ("cursed-win",)),
    ("Drawing moves", ("draw",)),
    ("Losses that the draw clock saves", ("blessed-loss",)),
    ("Losing moves", ("loss",)),
    ("Unknown", ("unknown",)),
)
"""How moves are grouped, by their outcome."""


@cache
def _template() -> Template:
    text = (Path(__file__).parent / "static" / "page.html").read_text(encoding="utf-8")
    return Template(text)


def front_page(
    databases: Databases, name: str, fen: str, rule_sets: Sequence[dict[str, Any]]
) -> str:
    """The page for a position, as HTML; faults of the address are told on it.

    Args:
        databases: the tables.
        name: rule set, as the address has it.
        fen: position likewise; empty = the first ending of the gallery.
        rule_sets: what the page's program knows of all rule sets.
    """
    fault = ""
    try:
        rules = databases.rules(name)
        rules.check_has_tables()
    except CrownbaseError as error:
        fault, rules = str(error), databases.rules("english")
        fen = fen if isinstance(error, UnknownRulesError) else ""
    shown = fen.strip() or first_ending(rules.key)
    try:
        position = Position.from_fen(shown, rules=rules)
    except CrownbaseError as error:
        fault = fault or str(error)
        position = Position.from_fen(first_ending(rules.key), rules=rules)
    answer = _answer(databases, position)
    words = answer["words"]
    return _template().substitute(
        title=escape(f"{position.fen()} - {rules.title}"),
        version=__version__,
        rule_sets=json.dumps(list(rule_sets), separators=(",", ":")).replace("<", "\\u003c"),
        options="".join(_option(one, rules) for one in rule_sets),
        fen=escape(position.fen() if not fault else shown),
        fault=escape(fault),
        board=board_svg(position),
        status=escape(words["status"]),
        reasons="".join(f"<p>{escape(text)}</p>" for text in words["reasons"]),
        moves=_moves(rules, answer["moves"]),
        gallery=_gallery(rules),
        reach=escape(_reach(rule_sets)),
    )


def _answer(databases: Databases, position: Position) -> dict[str, Any]:
    try:
        return answers.position_answer(databases.tables(position.rules), position)[0]
    except CorruptTableError as error:
        return {"words": {"status": answers.damage_words(error), "reasons": []}, "moves": []}


def _option(one: dict[str, Any], chosen: Rules) -> str:
    selected = " selected" if one["key"] == chosen.key else ""
    return f'<option value="{escape(one["key"])}"{selected}>{escape(one["title"])}</option>'


def _address(rules: str, fen: str) -> str:
    return escape("/?" + urlencode({"rules": rules, "fen": fen}, safe=":,"))


def _moves(rules: Rules, moves: Sequence[dict[str, Any]]) -> str:
    parts = []
    for title, outcomes in MOVE_GROUPS:
        rows = [_row(rules, move) for move in moves if move["outcome"] in outcomes]
        if rows:
            parts.append(f"<h2>{title}</h2><ul class='moves {outcomes[0]}'>{''.join(rows)}</ul>")
    return "".join(parts) or "<p>No legal move.</p>"


def _row(rules: Rules, move: dict[str, Any]) -> str:
    distance = ""
    if move["outcome"] != "draw" and move["dtw"] is not None:
        distance = f" <span class='plies'>{abs(move['dtw']) + 1} plies</span>"
    link = _address(rules.key, move["fen"])
    return f"<li><a href='{link}'>{escape(move['pdn'])}</a>{distance}</li>"


def _gallery(rules: Rules) -> str:
    links = "".join(
        f"<li><a href='{_address(one['rules'], one['fen'])}'>{escape(one['name'])}</a></li>"
        for one in endings()
        if one["rules"] == rules.key
    )
    return f"<h2>Known endings</h2><ul>{links}</ul>" if links else ""


def _reach(rule_sets: Iterable[dict[str, Any]]) -> str:
    reached = [f"{one['key']} to {one['pieces']} pieces" for one in rule_sets if one["pieces"]]
    return ", ".join(reached) or "none here"
