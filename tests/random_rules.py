"""Random rule files, and the same rules as the second implementation writes them down.

Every field of a rule file that a move or a value depends on is drawn; what the package refuses as
a contradiction is not drawn. ``shared`` lets all rule sets use one compilation.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import naive
import naive_moves
from crownbase.rules import Rules
from crownbase.rules.rule_files import load_rules
from crownbase.rules.rules import RuntimeTraits

SMALL = [
    *((rows, columns, False) for rows, columns in ((4, 4), (4, 6), (6, 4), (6, 6), (4, 8), (8, 4))),
    *((rows, columns, True) for rows, columns in ((4, 4), (5, 4), (4, 5), (5, 5), (6, 4), (5, 6))),
]
TINY = [board for board in SMALL if board[0] * board[1] <= (20 if board[2] else 36)]
LARGE = [(8, 8, False), (10, 10, False), (8, 8, True), (10, 8, False), (7, 9, True)]
"""Rows, columns, whether all squares are used."""

CRITERIA = {
    "free": [],
    "most": ["most-pieces"],
    "spanish": ["most-pieces", "most-kings"],
    "italian": ["most-pieces", "with-king", "most-kings", "kings-first"],
    "czech": ["with-king"],
    "fewer words": ["most-pieces", "with-king"],
    "kings only": ["most-kings"],
    "by king, kings": ["with-king", "most-kings"],
    "early": ["most-pieces", "kings-first"],
}
LAST_ROW = {"stop": "stops", "king": "becomes king", "pass": "passes"}
TWIN_CRITERIA = {
    "most-pieces": "pieces",
    "with-king": "by king",
    "most-kings": "kings",
    "kings-first": "kings early",
}


class Drawn(NamedTuple):
    """A rule file's text, its rules, and their name in ``naive.RULES``."""

    text: str
    rules: Rules
    name: str


class SharedTraits(RuntimeTraits):
    """Traits as run-time values, for plain and compiled kernels alike."""

    @property
    def plain(self) -> RuntimeTraits:
        """The same for plain kernels: no NumPy scalars."""
        return RuntimeTraits(*self._replace(neighbour=self.neighbour.tolist()))

    @property
    def runtime(self) -> RuntimeTraits:
        """The same once more."""
        return self


def draw_rules(
    seed: int,
    folder: Path,
    boards: list[tuple[int, int, bool]],
    fixed: Mapping[str, bool | str] | None = None,
) -> Drawn:
    """The rule set of a seed; its twin is entered into ``naive.RULES``.

    *fixed*: flags that are not drawn, and ``choice``, ``promotion``, ``leave``.
    """
    given = fixed or {}
    rng = random.Random(f"rules {seed}")
    rows, columns, orthogonal = rng.choice(boards)
    choice = str(given.get("choice", rng.choice(list(CRITERIA))))
    flag = {name: rng.random() < 0.5 for name in (
        "black_begins", "men_capture_backwards", "men_capture_kings", "flying_kings",
        "captures_mandatory", "about_turn", "man_moves_convert",
    )}  # fmt: skip
    flag["free_landing"] = rng.random() < 0.5
    flag["lone_pieces_draw"] = rng.random() < 0.25
    flag |= {name: bool(given[name]) for name in flag if name in given}
    flag["free_landing"] &= flag["flying_kings"]
    promotion = str(given.get("promotion", rng.choice(list(LAST_ROW))))
    leave = str(given.get("leave", rng.choice(["end", "hop"])))
    corner = rng.choice(["left", "right"])
    empty = rng.choice([0, 0, 1]) if rows > 4 else 0
    sign = rng.choice(["x", ":"])
    letters = rng.random() < 0.3
    men_rows = rng.randint(1, rows // 2 - empty)
    limit = rng.choice([1, 2, 3, 4, 5, 8, 13])
    lines = [
        f'key = "drawn-{seed}"',
        *(f"{name} = {str(value).lower()}" for name, value in flag.items()),
        f"capture_choice = {CRITERIA[choice]}",
        f'promotion_in_capture = "{promotion}"',
        f'captured_leave = "{leave}"',
        f"men_rows = {men_rows}",
        f"empty_back_rows = {empty}",
        f"[board]\nrows = {rows}\ncolumns = {columns}",
        f'orthogonal = {str(orthogonal).lower()}\ndark_corner = "{corner}"',
        f'[notation]\nletters = {str(letters).lower()}\ncapture_sign = "{sign}"',
        f"[draw.quiet]\nlimit = {limit}",
    ]
    text = "\n".join(lines) + "\n"
    path = folder / f"drawn-{seed}.toml"
    path.write_text(text, encoding="utf-8")
    name = f"drawn-{seed}-{rows}-{columns}"
    naive_moves.CHOICES[choice] = tuple(TWIN_CRITERIA[word] for word in CRITERIA[choice])
    naive.RULES[name] = naive_moves.Rules(
        size=rows,
        columns=columns,
        diagonal=not orthogonal,
        top_left_played=corner == "right",
        men_take_backwards=flag["men_capture_backwards"],
        flying=flag["flying_kings"],
        choice=choice,
        optional=not flag["captures_mandatory"],
        man_on_last_row=LAST_ROW[promotion],
        removed_each_hop=leave == "hop",
        free_landing=flag["free_landing"],
        may_turn_back=flag["about_turn"],
        men_take_kings=flag["men_capture_kings"],
        one_each_is_draw=flag["lone_pieces_draw"],
        men_rows=men_rows,
        empty_back_rows=empty,
        first="B" if flag["black_begins"] else "W",
        converting_man_moves=("forward" if orthogonal else "all")
        if flag["man_moves_convert"]
        else "none",
    )
    return Drawn(text, load_rules(path), name)


def shared(rules: Rules) -> Rules:
    """The same rule set, its traits run-time values in every kernel."""
    values = rules.traits.runtime
    rules.digest  # noqa: B018  (of the true traits; kept from here on)
    rules.__dict__["traits"] = SharedTraits(*values)
    return rules
