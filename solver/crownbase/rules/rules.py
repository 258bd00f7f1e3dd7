"""What a rule set is: one frozen record, every field cited in the rule set's own file.

An absent field has the default given here, which is the English/American rule. Rules that
follow from others are properties (``Traits``); no code asks for a rule set's key.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from crownbase.errors import CrownbaseError
from crownbase.jit import compile_time, fields_digest
from crownbase.rules.draw import NO_DRAW_RULES, DrawRules, find_preset
from crownbase.rules.geometry import Geometry

STOP, BECOMES_KING, PASSES = 0, 1, 2
"""Codes of ``Rules.promotion_in_capture`` in kernels."""

PROMOTION_IN_CAPTURE = {"stop": STOP, "king": BECOMES_KING, "pass": PASSES}
CAPTURE_CHOICES = ("most-pieces", "with-king", "most-kings", "kings-first")


@dataclass(frozen=True)
class Notation:
    """How positions, moves and results of a rule set are written.

    ``letters``: moves and FEN are written with letter squares (``a1``). ``reads_letters``:
    letters are understood when reading; numbers always are. ``official_reversed``: the official
    numbering counts from the other end, n_official = squares + 1 - n. ``game_type`` is the
    PDN GameType tag's value, None where the standard has none. ``results``: the player who begins
    wins, draw, loses.
    """

    letters: bool = False
    reads_letters: bool = False
    capture_sign: str = "x"
    game_type: str | None = None
    results: tuple[str, str, str] = ("1-0", "1/2-1/2", "0-1")
    official_reversed: bool = False


@dataclass(frozen=True)
class Rules:
    """A rule set. ``board`` and ``key`` are needed, every other field has a default.

    key, title, aliases, source
        Names that commands accept, a title for people, where the rules are published.
    board
        The geometry.
    black_begins
        Black has the first move of a game (else White).
    men_capture_backwards, men_capture_kings
        What a man may take: also backwards; also kings.
    flying_kings
        A king moves and takes over any distance.
    captures_mandatory
        Who can take must take. Otherwise any quiet move is legal too; a begun chain must be
        finished all the same.
    huffing
        Who could take and did not may lose a piece that could have, before the opponent's move.
        That depends on the move before, so that a position has no value of its own: no tables,
        no searches (``has_tables``). The moves of a position are those of optional captures.
    capture_choice
        Which captures are legal when there are several: criteria in order of priority, all
        from ``CAPTURE_CHOICES``; empty = free choice. ``with-king``: what begins the capture is
        a king; a man that is crowned on the way captures as a man.
    promotion_in_capture
        A man that reaches the last row in a capture: ``stop`` (crowned, the move ends), ``king``
        (goes on as a king), ``pass`` (goes on as a man, crowned only if it ends there).
    captured_leave
        Taken pieces leave the board at the ``end`` of the move or after each ``hop``.
    free_landing
        A flying king may land on any free square behind its victim; otherwise it must choose one
        from which the capture can go on, if there is one.
    about_turn
        A king may turn by 180 degrees between two hops. Matters only if pieces leave ``hop``.
    man_moves_convert
        A quiet move of a man restarts the draw clock, so that it ends a DTC count.
    lone_pieces_draw
        One piece each, of any kind, is a draw at once. It ends games; moves are listed as ever.
    men_rows, empty_back_rows
        Rows that each side fills with men at the start, and rows left empty behind them.
    notation
        How positions, moves and results are written.
    draw, draw_presets
        The usual draw rules, and those of other places of play (see ``draw``). Neither changes
        ``traits`` or ``digest``.
    """

    key: str
    board: Geometry
    title: str = ""
    aliases: tuple[str, ...] = ()
    source: str = ""
    black_begins: bool = False
    men_capture_backwards: bool = False
    men_capture_kings: bool = True
    flying_kings: bool = False
    captures_mandatory: bool = True
    huffing: bool = False
    capture_choice: tuple[str, ...] = ()
    promotion_in_capture: str = "stop"
    captured_leave: str = "end"
    free_landing: bool = False
    about_turn: bool = True
    man_moves_convert: bool = True
    lone_pieces_draw: bool = False
    men_rows: int = 3
    empty_back_rows: int = 0
    notation: Notation = field(default_factory=Notation)
    draw: DrawRules = NO_DRAW_RULES
    draw_presets: tuple[DrawRules, ...] = ()

    @cached_property
    def traits(self) -> Traits:
        """The same rules as kernels see them: a compile-time constant.

        >>> cb.RULE_SETS["english"].traits.flying_kings
        False
        """
        return Traits(
            n_squares=self.board.n_squares,
            width=self.board.width,
            neighbour=self.board.neighbour,
            man_moves=3 if self.board.orthogonal else 2,
            man_captures=4 if self.men_capture_backwards else (3 if self.board.orthogonal else 2),
            sideways_men=self.board.orthogonal,
            men_capture_kings=self.men_capture_kings,
            flying_kings=self.flying_kings,
            captures_mandatory=self.captures_mandatory,
            most_pieces="most-pieces" in self.capture_choice,
            with_king="with-king" in self.capture_choice,
            most_kings="most-kings" in self.capture_choice,
            kings_first="kings-first" in self.capture_choice,
            promotion=PROMOTION_IN_CAPTURE[self.promotion_in_capture],
            leave_at_once=self.captured_leave == "hop",
            free_landing=self.free_landing,
            about_turn=self.about_turn,
            man_moves_convert=self.man_moves_convert,
            lone_pieces_draw=self.lone_pieces_draw,
        )

    @cached_property
    def digest(self) -> str:
        """Hash of all that table values depend on (16 hex digits); names do not count.

        >>> len(cb.RULE_SETS["english"].digest)
        16
        """
        return fields_digest(self.traits)

    def draw_rules(
        self, preset: str | DrawRules | None = None, move_limit: int | None = None
    ) -> DrawRules:
        """Draw rules by the name of a preset of this rule set.

        Args:
            preset: None asks for the rule set's usual ones, ``"none"`` for no draw rules at all.
                A ``DrawRules`` object is taken as it is.
            move_limit: plies after which any game is drawn; None = what the preset says.

        Raises:
            UnknownRulesError: the rule set has no preset of this name.

        >>> cb.RULE_SETS["english"].draw_rules("none").quiet is None
        True
        """
        found = self.draw if preset is None else preset
        if isinstance(found, str):
            found = find_preset(found, (self.draw, *self.draw_presets), self.key)
        return found if move_limit is None else replace(found, move_limit=move_limit)

    def with_draw(
        self, draw: str | DrawRules | None = None, move_limit: int | None = None
    ) -> Rules:
        """The same game under other draw rules; moves, tables and ``digest`` stay the same.

        Everything that is asked about positions of the rules that come back is answered under
        these draw rules. *draw* and *move_limit*: as for ``draw_rules``.

        Raises:
            UnknownRulesError: no preset of this name.

        >>> cb.RULE_SETS["english"].with_draw("none").quiet_limit is None
        True
        """
        chosen = self.draw_rules(draw, move_limit)
        if chosen == self.draw:
            return self
        others = (preset for preset in (self.draw, *self.draw_presets) if preset != chosen)
        return replace(self, draw=chosen, draw_presets=tuple(others))

    @property
    def quiet_limit(self) -> int | None:
        """The usual draw clock: plies without a conversion that draw; None without such a rule.

        >>> cb.RULE_SETS["english"].quiet_limit
        80
        """
        return self.draw.quiet_limit

    @property
    def has_tables(self) -> bool:
        """Whether a position has a value by itself, so that tables and searches can know it.

        >>> cb.RULE_SETS["english-huffing"].has_tables
        False
        """
        return not self.huffing

    def check_has_tables(self) -> None:
        """Refuse rules under which positions have no value by themselves.

        Raises:
            CrownbaseError: with one line that says why, and what can be done.

        >>> cb.RULE_SETS["english"].check_has_tables()
        """
        if not self.has_tables:
            raise CrownbaseError(
                f"{self.key} has no tables and no search: what may be huffed hangs on the move "
                f"before, which no position shows; it can be played (crownbase play)"
            )

    @property
    def dutiful(self) -> Rules:
        """The game of players who never leave a capture that they could be huffed for.

        >>> cb.RULE_SETS["english-optional"].dutiful.captures_mandatory
        False
        """
        return replace(self, huffing=False, captures_mandatory=True) if self.huffing else self

    @property
    def first_player(self) -> str:
        """``"W"`` or ``"B"``: who has the first move of a game.

        >>> cb.RULE_SETS["english"].first_player
        'B'
        """
        return "B" if self.black_begins else "W"

    def square_name(self, square: int) -> str:
        """A square index as this rule set writes it.

        >>> cb.RULE_SETS["russian"].square_name(0)
        'b8'
        """
        return self.board.name(square) if self.notation.letters else str(square + 1)


@compile_time
@dataclass(frozen=True, eq=False)
class Traits:
    """The rules that kernels need, as numbers; fields are constants in compiled code.

    ``man_moves`` and ``man_captures`` count directions, forward ones first (see ``geometry``).
    """

    n_squares: int
    width: int
    neighbour: np.ndarray  # int64[n_squares * 4]
    man_moves: int
    man_captures: int
    sideways_men: bool
    men_capture_kings: bool
    flying_kings: bool
    captures_mandatory: bool
    most_pieces: bool
    with_king: bool
    most_kings: bool
    kings_first: bool
    promotion: int
    leave_at_once: bool
    free_landing: bool
    about_turn: bool
    man_moves_convert: bool
    lone_pieces_draw: bool

    @cached_property
    def plain(self) -> RuntimeTraits:
        """For plain Python kernels: no NumPy scalars, which would overflow."""
        return RuntimeTraits(
            **{name: _plain_value(getattr(self, name)) for name in RuntimeTraits._fields}
        )

    @cached_property
    def runtime(self) -> RuntimeTraits:
        """For compiled kernels that should share one compilation between rule sets."""
        return RuntimeTraits(**{name: getattr(self, name) for name in RuntimeTraits._fields})


def _plain_value(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


class RuntimeTraits(NamedTuple):
    """``Traits`` as run-time values; the fields are the same."""

    n_squares: int
    width: int
    neighbour: Any
    man_moves: int
    man_captures: int
    sideways_men: bool
    men_capture_kings: bool
    flying_kings: bool
    captures_mandatory: bool
    most_pieces: bool
    with_king: bool
    most_kings: bool
    kings_first: bool
    promotion: int
    leave_at_once: bool
    free_landing: bool
    about_turn: bool
    man_moves_convert: bool
    lone_pieces_draw: bool
