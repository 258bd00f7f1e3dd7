"""What the row-parallel solver wants to know about a rule set, as compile-time constants."""

from __future__ import annotations

from dataclasses import dataclass

from crownbase.jit import compile_time
from crownbase.retro.rows.tables import SQUARES
from crownbase.rules import Rules


@compile_time
@dataclass(frozen=True)
class RowTraits:
    """The differences between rule sets with one-step kings and a free choice of captures.

    Rule sets with equal traits share their compiled code. The board is not among them: it is
    data (`tables.neighbours`).
    """

    captures_mandatory: bool
    men_take_kings: bool
    men_take_backwards: bool

    @classmethod
    def of(cls, rules: Rules) -> RowTraits:
        """The traits of a rule set.

        Raises:
            ValueError: the row-parallel solver cannot solve this rule set.
        """
        if not can_solve(rules):
            raise ValueError(f"the row-parallel solver does not know the rules of {rules.title}")
        return cls(
            captures_mandatory=rules.captures_mandatory,
            men_take_kings=rules.men_capture_kings,
            men_take_backwards=rules.men_capture_backwards,
        )


def can_solve(rules: Rules) -> bool:
    """Whether the row-parallel solver knows a rule set's moves."""
    return (
        rules.board.n_squares == SQUARES
        and not rules.flying_kings
        and not rules.capture_choice
        and rules.promotion_in_capture == "stop"
    )
