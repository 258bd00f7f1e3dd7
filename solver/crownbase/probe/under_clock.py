"""The quiet clock: what tables made under one limit say under another.

A position is won under a limit of N plies if its side can force a conversion into such a win, or
the end, within N plies; DTC tables count the plies to that. Let a table be made under N, and M be
the limit that is asked for (no clock at all = endless). ``M = N`` is exact. Otherwise:

* win, draw and loss (``wdl``) and plies to the end (``dtw``) depend on no clock;
* a win under N is one under any larger M, after c plies if ``c + DTC <= M``. A smaller M leaves
  fewer conversions to choose from, so that it needs no fewer plies: ``c + DTC > M`` is spoilt, and
  what is spoilt under N is spoilt under M;
* ``c + DTW <= M`` wins: no stretch of a game can be longer than the game;
* where no win that conversions lead to is longer than M and none is spoilt under N, every
  conversion that wins at all wins under both limits: DTC is then the same number, and exact.

What none of these tells is said in ``Result.assumes``.
"""

from __future__ import annotations

from typing import NamedTuple

from crownbase.probe.result import DRAW, category_of
from crownbase.retro.values import CURSED, distance

_ENDLESS = 1 << 30


class TableLimits(NamedTuple):
    """The limits that the tables of one answer were made under; they may differ from slice to
    slice. Endless is a number that no distance reaches."""

    low: int
    high: int

    @classmethod
    def of(cls, limits: set[int | None]) -> TableLimits:
        """The lowest and the highest of several limits; None = without a clock."""
        plies = [_endless(limit) for limit in limits]
        return cls(min(plies), max(plies))


class Asked(NamedTuple):
    """One question: ``limit`` in plies (None = no clock), ``clock`` = plies on it already."""

    limit: int | None
    clock: int


def category_under(
    asked: Asked,
    made: TableLimits,
    wdl: int,
    dtc: int | None,
    dtw: int | None,
    same_conversions: bool,
) -> tuple[str, str]:
    """(category, what it leaves out, in words; empty if it is exact).

    Args:
        asked: the limit and the clock.
        made: what the tables were made under.
        wdl: the result without a clock.
        dtc: DTC code, if known.
        dtw: plies to the end, if known.
        same_conversions: the last of the cases above.
    """
    limit, clock = asked
    if wdl == 0:
        return DRAW, ""
    won = category_of(wdl, None, 0, None)
    if limit is None or (dtw is not None and clock + abs(dtw) <= limit):
        return won, ""
    spoilt = category_of(wdl, CURSED, 0, None)
    if dtc is None:
        return won, _without_distance(asked, made)
    late = clock + distance.plain(dtc) > limit
    cursed = category_of(wdl, dtc, 0, None) == spoilt
    if same_conversions:
        return (spoilt if late else won), ""
    if made.low >= limit and (cursed or late):
        return spoilt, ""
    if made.high <= limit and not (cursed or late):
        return won, ""
    return (spoilt if cursed or late else won), (
        f"these tables were made with {_words(made)}: whether {limit} plies spoil this they cannot "
        "tell"
    )


def _without_distance(asked: Asked, made: TableLimits) -> str:
    if made.high > _endless(asked.limit):
        return "the draw clock may spoil this: these tables cannot tell, .dtc tables can"
    if asked.clock:
        return (
            f"draw clock at {asked.clock} of {asked.limit} plies not weighed: that takes .dtc "
            "tables"
        )
    return ""


def _endless(limit: int | None) -> int:
    return _ENDLESS if limit is None else limit


def _words(made: TableLimits) -> str:
    names = ["no draw clock" if n == _ENDLESS else f"a draw clock of {n} plies" for n in made]
    return " or ".join(dict.fromkeys(names))
