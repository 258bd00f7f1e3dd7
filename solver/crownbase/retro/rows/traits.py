"""What the row-parallel solver wants to know about a rule set, as compile-time constants."""

from __future__ import annotations

from dataclasses import dataclass

from crownbase.jit import compile_time
from crownbase.retro.rows.tables import Board
from crownbase.rules import Rules

BOARD_SHAPES = ((8, 8), (10, 10))
"""Rows and columns of the boards that the solver is tested on."""


@compile_time
@dataclass(frozen=True)
class RowTraits:
    """The move rules of a rule set; fields are named as in `rules.Traits`.

    Rule sets with equal traits share their compiled code. The board is not among them: what
    code knows of it is in `tables.Board`, the rest is data (`tables.neighbours`). *general*:
    captures need the search of general.py, which does every rule on every board; without it the
    faster one for one-step kings and a free choice on 32 squares is enough.
    """

    general: bool
    captures_mandatory: bool
    men_capture_kings: bool
    man_captures: int
    flying_kings: bool
    most_pieces: bool
    with_king: bool
    most_kings: bool
    kings_first: bool
    promotion: int
    leave_at_once: bool
    free_landing: bool

    @classmethod
    def of(cls, rules: Rules) -> RowTraits:
        """The traits of a rule set.

        Raises:
            ValueError: the row-parallel solver cannot solve this rule set.
        """
        if not can_solve(rules):
            raise ValueError(f"the row-parallel solver does not know the rules of {rules.title}")
        traits = rules.traits
        simple = (
            Board.of(rules.board).packed
            and not rules.flying_kings
            and not rules.capture_choice
            and rules.promotion_in_capture == "stop"
        )
        return cls(
            general=not simple,
            captures_mandatory=traits.captures_mandatory,
            men_capture_kings=traits.men_capture_kings,
            man_captures=traits.man_captures,
            flying_kings=traits.flying_kings,
            most_pieces=traits.most_pieces,
            with_king=traits.with_king,
            most_kings=traits.most_kings,
            kings_first=traits.kings_first,
            promotion=traits.promotion,
            leave_at_once=traits.leave_at_once,
            free_landing=traits.free_landing,
        )


def can_solve(rules: Rules) -> bool:
    """Whether the row-parallel solver knows a rule set's moves."""
    return (
        (rules.board.rows, rules.board.columns) in BOARD_SHAPES
        and not rules.board.orthogonal
        and (rules.about_turn or rules.captured_leave == "end")
        and not rules.lone_pieces_draw
    )


def can_time(rules: Rules) -> bool:
    """Whether it also knows the distances to conversion: every man move must be one."""
    return can_solve(rules) and rules.man_moves_convert
