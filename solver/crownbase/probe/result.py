"""What the tables answer: values of positions and of moves, for people and programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NotRequired, TypedDict

from crownbase.board import Move
from crownbase.retro.values import CURSED

WIN, CURSED_WIN, DRAW = "win", "cursed-win", "draw"
BLESSED_LOSS, LOSS = "blessed-loss", "loss"

CATEGORIES = (WIN, CURSED_WIN, DRAW, BLESSED_LOSS, LOSS)
"""Best first. Cursed wins and blessed losses are decided, but drawn by the draw clock."""

_SEEN_FROM_THE_OTHER_SIDE = dict(zip(CATEGORIES, CATEGORIES[::-1], strict=True))


class ResultJson(TypedDict):
    """What ``Result.to_json`` gives: its fields; ``assumes`` only where there is something."""

    category: str
    wdl: int
    dtc: int | None
    dtw: int | None
    assumes: NotRequired[list[str]]


class MoveJson(TypedDict):
    """What ``MoveInfo.to_json`` gives: its fields, the move and the squares also as text."""

    move: str
    fen: str
    outcome: str | None
    wdl: int | None
    dtc: int | None
    dtw: int | None
    captured: list[int]
    conversion: bool
    captured_text: list[str]


@dataclass(frozen=True)
class Result:
    """The value of a position, for the side to move.

    Attributes:
        category: ``win``, ``cursed-win``, ``draw``, ``blessed-loss`` or ``loss``: the result under
            the draw clock, and under the class clocks as far as distances tell.
        wdl: 1, 0 or -1: the result without any clock.
        dtc: plies to the next conversion or the end, positive if won, negative if lost, 0 for a
            draw and for a side that has lost already; None without ``.dtc`` tables. It is that of
            the draw clock which the tables were made under (see ``probe.under_clock``).
        dtw: plies to the end of the game, signed likewise; None without ``.dtw`` tables.
        assumes: what the category rests on or leaves out, in words: counts that only the game
            knows, clocks that no table knows (see ``probe.class_clocks``). Empty if the category
            is exact. How often positions have occurred is never weighed here.
    """

    category: str
    wdl: int
    dtc: int | None
    dtw: int | None
    assumes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        fields = [f"category={self.category!r}, wdl={self.wdl}, dtc={self.dtc}, dtw={self.dtw}"]
        fields += [f"assumes={self.assumes!r}"] * bool(self.assumes)
        return f"Result({', '.join(fields)})"

    def to_json(self) -> ResultJson:
        """The fields as JSON has them.

        >>> Result("win", 1, 17, 61).to_json()
        {'category': 'win', 'wdl': 1, 'dtc': 17, 'dtw': 61}
        """
        known = ResultJson(category=self.category, wdl=self.wdl, dtc=self.dtc, dtw=self.dtw)
        if self.assumes:
            known["assumes"] = list(self.assumes)
        return known


@dataclass(frozen=True)
class MoveInfo:
    """A legal move and what it leads to.

    Attributes:
        move: the move.
        fen: the position after it.
        outcome: what the move achieves for who makes it, one of ``CATEGORIES``; None if the tables
            that would tell are missing.
        wdl, dtc, dtw: the value of the position after the move, for the OPPONENT, as in ``Result``.
        captured: squares of the taken pieces (FEN numbers).
        conversion: whether the move restarts the draw clock.
        repetitions: how often the position after it has occurred in the game before.
        captured_text: ``captured`` as the rule set writes squares, such as ``("c3",)``.
    """

    move: Move
    fen: str
    outcome: str | None
    wdl: int | None
    dtc: int | None
    dtw: int | None
    captured: tuple[int, ...]
    conversion: bool
    repetitions: int = 0
    captured_text: tuple[str, ...] = ()

    def to_json(self) -> MoveJson:
        """The fields as JSON has them; values are those of the position after the move.

        >>> sorted(tb.moves(pos)[0].to_json())[:3]
        ['captured', 'captured_text', 'conversion']
        """
        return MoveJson(
            move=str(self.move),
            fen=self.fen,
            outcome=self.outcome,
            wdl=self.wdl,
            dtc=self.dtc,
            dtw=self.dtw,
            captured=list(self.captured),
            conversion=self.conversion,
            captured_text=list(self.captured_text),
        )


def other_side(category: str) -> str:
    """The category as the opponent sees it."""
    return _SEEN_FROM_THE_OTHER_SIDE[category]


def sign(code: int) -> int:
    """1, 0 or -1 for a value code."""
    return (code > 0) - (code < 0)


def signed_plies(code: int) -> int:
    """Plies of a value code, negative for losses; 0 for a draw and for a loss in 0."""
    plies = code if code >= 0 else ~code
    plies -= CURSED if plies >= CURSED else 0
    return plies if code >= 0 else -plies


def category_of(wdl: int, dtc_code: int | None, clock: int, limit: int | None) -> str:
    """The result under the draw clock.

    Args:
        wdl: the result without a clock.
        dtc_code: the DTC code, if known; without it nothing is cursed.
        clock: plies played since the last conversion.
        limit: plies without a conversion after which the game is drawn, if there is such a limit.
    """
    if wdl == 0:
        return DRAW
    spoilt = False
    if dtc_code is not None:
        plies = dtc_code if dtc_code >= 0 else ~dtc_code
        spoilt = plies >= CURSED or (limit is not None and clock + plies > limit)
    if wdl > 0:
        return CURSED_WIN if spoilt else WIN
    return BLESSED_LOSS if spoilt else LOSS
