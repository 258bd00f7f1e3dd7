"""What a person is told of a position: its value with the draw clock, and why a draw is one.

Sentences are made from values alone; they say nothing that the tables, or the rules, do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from crownbase.play.outcome import COLOURS
from crownbase.play.render import plies, value_words

if TYPE_CHECKING:
    from crownbase.board import Position
    from crownbase.probe import MoveInfo, Result

_MOST_NAMED = 8
"""Moves that a sentence lists."""


def status_words(position: Position, result: Result) -> str:
    """The value in a sentence, with what is left on the draw clock where that is known.

    ``White to move wins in 61 plies; conversion in 17, 63 to spare``. To spare are the plies
    that the winner could lose before the next conversion comes too late.
    """
    text = value_words(position.turn, result.category, None, result.dtw)
    if position.value_at_once is not None or result.category == "draw" or not result.dtc:
        return text
    text = text.removesuffix(", but is drawn under the draw clock")
    distance, limit = abs(result.dtc), position.rules.quiet_limit
    text += f"; conversion in {distance}"
    if limit is None:
        return text
    spare = limit - position.clock - distance
    if result.category in ("win", "loss"):
        return f"{text}, {spare} to spare" if spare >= 0 else text
    clock = f"the draw clock of {plies(limit)}"
    return f"{text}, but drawn under {clock}" + (f", {-spare} too late" if spare < 0 else "")


def reasons(position: Position, result: Result, ranked: Sequence[MoveInfo]) -> list[str]:
    """Why the value is what it is: the rule that ends or limits the game, or the moves that hold.

    Args:
        position: the position.
        result: its value.
        ranked: its moves, as ``Tablebase.moves`` gives them.
    """
    if position.is_lone_pieces_draw:
        return ["One piece each is a draw at once."]
    if position.value_at_once is not None:
        return [f"{COLOURS[position.turn]} cannot move and has lost."]
    found = []
    if result.category == "draw":
        found.append(_holding(ranked))
    elif result.category == "win":
        found.append(_keeping("win", "wins", ranked))
    elif result.category in ("cursed-win", "blessed-loss"):
        limit = position.rules.quiet_limit
        quiet = position.rules.draw.quiet
        article = f" ({quiet.article})" if quiet and quiet.article else ""
        winner = "The winner" if result.category == "cursed-win" else "The opponent"
        found.append(
            f"{winner} cannot make the next conversion within "
            f"{plies(limit or 0)}, so the game is drawn{article}."
        )
    return [*found, *(f"{text[:1].upper()}{text[1:]}." for text in result.assumes)]


def _holding(ranked: Sequence[MoveInfo]) -> str:
    holding = [info for info in ranked if info.outcome in ("draw", "cursed-win", "blessed-loss")]
    if len(holding) == len(ranked):
        return "Every move keeps the draw."
    return _keeping("draw", "holds the draw", ranked, "hold the draw")


def _keeping(outcome: str, one: str, ranked: Sequence[MoveInfo], several: str | None = None) -> str:
    """``Only 19-15 wins.`` or ``19-15 and 23-18 win, of 8 moves.``"""
    wanted = (outcome,) if outcome == "win" else ("draw", "cursed-win", "blessed-loss")
    kept = [str(info.move) for info in ranked if info.outcome in wanted]
    if not kept:
        return "No table here tells which moves keep the value."
    if len(kept) == 1:
        if len(ranked) == 1:
            return f"{kept[0]} is the only legal move."
        return f"Only {kept[0]} {one}, of {len(ranked)} moves."
    if len(kept) == len(ranked):
        return f"Every move {one}."
    named = kept[:_MOST_NAMED]
    more = f" and {len(kept) - len(named)} more" if len(kept) > len(named) else ""
    words = f"{', '.join(named)}{more}" if more else f"{', '.join(named[:-1])} and {named[-1]}"
    verb = several or one.removesuffix("s")
    return f"{words} {verb}, of {len(ranked)} moves."
