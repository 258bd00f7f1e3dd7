"""Draw rules as data: which games are drawn although a move is left, and on whose word.

Five kinds of rule, each optional and each with the article it stands in:

* **repetition**: the same position, same side to move, for the third or fourth time;
* the **quiet clock**: so many plies without a conversion. What restarts it is not stated here but
  by ``Rules.man_moves_convert``: captures and moves of men, or captures alone;
* **class clocks**: limits that belong to a material class, such as three kings against one. They
  run from the ply on which the class arises and a capture or a man's move does not restart them;
* a **move limit** for the whole game;
* one piece each, drawn at once: that is ``Rules.lone_pieces_draw``, a rule of moves.

A ply is a move of one side. Rule books count moves; "25 moves each" is 50 plies here. A limit of
N plies means: when N plies have been played and the last of them did not win, the game is drawn.

A rule set names its usual draw rules (``Rules.draw``) and those of other places of play
(``Rules.draw_presets``); ``Rules.draw_rules`` finds them by name, and ``Rules.with_draw`` makes the
rule set that is played under them. Tables depend on none of this: only ``Rules.quiet_limit`` enters
them, and their header says with which limit they were made.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from crownbase.errors import UnknownRulesError
from crownbase.rules.geometry import Geometry

AUTOMATIC, CLAIM, CLAIM_WITH_MOVE = "automatic", "claim", "claim-with-move"
DECLARATIONS = (AUTOMATIC, CLAIM, CLAIM_WITH_MOVE)
"""How a draw comes about: by itself; when the side to move claims it in the position on the
board; when the side to move claims it and shows the move that would bring it about (WCDF)."""

EACH, STRONG, WEAK = "each", "strong", "weak"
COUNTED_MOVES = (EACH, STRONG, WEAK)
"""Whose moves a class clock counts: so many of each side, of the stronger or the weaker side."""

ROADS = ("", WEAK, STRONG)
COUNT_LOST, COUNT_PAUSED, COUNT_RUNS = "lost", "paused", "runs"
OFF_ROAD = (COUNT_LOST, COUNT_PAUSED, COUNT_RUNS)
NO_RESTART, MATERIAL = "never", "material"
RESTARTS = (NO_RESTART, MATERIAL)

Side = tuple[int, int]
"""(men, kings) of one side."""


@dataclass(frozen=True)
class Repetition:
    """A position that comes back.

    ``times``: at which occurrence the game is drawn. ``declared``: one of ``DECLARATIONS``.
    ``counts_setup``: the position before the first move counts as an occurrence.
    """

    times: int = 3
    declared: str = AUTOMATIC
    counts_setup: bool = True
    article: str = ""


@dataclass(frozen=True)
class QuietClock:
    """A limit of plies in a row without a conversion (see ``Rules.man_moves_convert``).

    ``limit``: in plies. ``declared``: ``automatic`` or ``claim``. ``min_pieces``: the rule is in
    force only with at least so many pieces on the board.
    """

    limit: int
    declared: str = AUTOMATIC
    min_pieces: int = 0
    article: str = ""


@dataclass(frozen=True)
class ClassClock:
    """A limit that belongs to a material class and runs from the ply on which the class arises.

    name
        In words, for messages: "three pieces against a king".
    materials
        Material names such as ``KKMvK``, the stronger side on the left; either colour may be
        the stronger one.
    moves
        The limit, in moves of the side or sides that ``counted`` says.
    counted
        One of ``COUNTED_MOVES``. ``each``: the clock runs for 2 * moves plies.
    restarts
        ``never``: the clock runs on through captures and crownings that stay in the class.
        ``material``: each capture or crowning starts it anew.
    carries_into
        Materials in which a running clock runs on although it does not start there.
    road
        ``weak``: the clock is in force while the weaker side's king is the only piece on the main
        road (the diagonal from corner to corner); ``strong``: while the stronger side has a king
        on it and the weaker side none; empty: everywhere.
    off_road
        What becomes of a running clock while the road condition fails: it is ``lost``, ``paused``,
        or ``runs`` on.
    """

    name: str
    materials: tuple[str, ...] = field(repr=False)
    moves: int
    counted: str = EACH
    restarts: str = NO_RESTART
    carries_into: tuple[str, ...] = field(default=(), repr=False)
    road: str = ""
    off_road: str = COUNT_LOST
    article: str = ""

    @property
    def plies(self) -> int:
        """The limit in plies, if the side whose moves do not matter moves first."""
        return 2 * self.moves

    @cached_property
    def _classes(self) -> frozenset[tuple[Side, Side]]:
        return frozenset(map(read_material, self.materials))

    @cached_property
    def _carried(self) -> frozenset[tuple[Side, Side]]:
        return frozenset(map(read_material, self.carries_into))

    def stronger(self, white: Side, black: Side) -> str:
        """``"W"`` or ``"B"``: the stronger side of the class, ``""`` outside it.

        With equal forces (a king each) White is called the stronger side.
        """
        return _stronger(self._classes, white, black)

    def carries(self, white: Side, black: Side) -> bool:
        """Whether a running clock runs on here although it would not start here."""
        return bool(self._carried) and _stronger(self._carried, white, black) != ""


def _stronger(classes: frozenset[tuple[Side, Side]], white: Side, black: Side) -> str:
    if (white, black) in classes:
        return "W"
    return "B" if (black, white) in classes else ""


@dataclass(frozen=True)
class DrawRules:
    """The draw rules of one place of play.

    ``name``, ``aliases``: how a preset is asked for. ``source``: where the rules are published.
    ``move_limit``: plies after which any game is drawn, None = no limit. No rule at all is
    ``DrawRules()``.
    """

    name: str = "none"
    source: str = ""
    repetition: Repetition | None = None
    quiet: QuietClock | None = None
    class_clocks: tuple[ClassClock, ...] = ()
    move_limit: int | None = None
    aliases: tuple[str, ...] = ()

    def __hash__(self) -> int:
        # Rules are part of every position; hashing all clocks each time would be slow.
        return hash((self.name, self.quiet, self.move_limit))

    @property
    def quiet_limit(self) -> int | None:
        """The quiet clock's limit in plies, None without one or if it spares small endings."""
        return None if self.quiet is None or self.quiet.min_pieces else self.quiet.limit

    def clocks_of(self, white: Side, black: Side) -> tuple[ClassClock, ...]:
        """The class clocks that start or run with this material: (men, kings) of either side."""
        return tuple(clock for clock in self.class_clocks if clock.stronger(white, black))


NO_DRAW_RULES = DrawRules()


def find_preset(wanted: str, presets: Sequence[DrawRules], key: str) -> DrawRules:
    """The draw rules of this name among the *presets* of the rule set *key*, or none at all.

    Raises:
        UnknownRulesError: no preset has this name.
    """
    presets = (*presets, NO_DRAW_RULES)
    known = {found.name: found for found in presets}
    named = {name: found for found in presets for name in (*found.aliases, found.name)}
    name = wanted.strip().lower().replace("_", "-")
    if name not in named:
        near = difflib.get_close_matches(name, named, 1)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        raise UnknownRulesError(
            f"no draw rules {wanted!r} for {key}{hint}; known are {', '.join(known)}"
        )
    return named[name]


def read_material(text: str) -> tuple[Side, Side]:
    """(men, kings) of the left and the right side of a material name such as ``KKMvK``.

    Raises:
        ValueError: the text is no material name.
    """
    sides = text.split("v")
    if len(sides) != 2 or not all(sides) or set(text) - set("KMv"):
        raise ValueError(f"no material {text!r}; write for example KKMvK")
    left, right = ((side.count("M"), side.count("K")) for side in sides)
    return left, right


def against_a_king(*pieces: int, only_kings: bool = False) -> tuple[str, ...]:
    """Materials of so many pieces, at least one of them a king, against a lone king."""
    return tuple(
        "K" * kings + "M" * (total - kings) + "vK"
        for total in pieces
        for kings in range(total, total - 1 if only_kings else 0, -1)
    )


def kings_on_both_sides(*pieces: int) -> tuple[str, ...]:
    """Materials of so many pieces in all in which either side has a king."""
    found = []
    for total in pieces:
        for left in range((total + 1) // 2, total):
            right = total - left
            for kings in range(1, left + 1):
                for other in range(1, right + 1):
                    strong = "K" * kings + "M" * (left - kings)
                    found.append(f"{strong}v{'K' * other}{'M' * (right - other)}")
    return tuple(found)


def main_road(board: Geometry) -> int:
    """Bit board of the diagonal that joins two corners; 0 on an orthogonal board."""
    if board.orthogonal or board.rows != board.columns:
        return 0
    rising = board.dark_corner == "left"
    last = board.rows - 1
    return sum(
        1 << square
        for square, (row, column) in enumerate(board.coordinates)
        if (row + column == last if rising else row == column)
    )
