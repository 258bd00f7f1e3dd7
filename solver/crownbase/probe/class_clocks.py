"""Class clocks (``rules.draw.ClassClock``): what they leave of a decided value.

Tables know the quiet clock, not the class clocks, which depend on when a material arose. But a
distance is often enough to tell, and exactly three things are said here about a win (or a loss):

* it is **spoilt**, for certain, if the clock leaves too few plies from here on. Two distances prove
  that. DTW, where nothing that can be reached escapes the clock: two kings against one, say.
  DTC, where both sides have kings only, since then only a capture changes the material.
* it **holds**, for certain, if DTW is within the quiet clock and within the plies that each class
  clock leaves. One that could only start later does no harm either if no win of its class takes
  longer than it allows, which the ``.dtw`` tables say.
* otherwise the tables cannot tell, and the answer says which clock it leaves out.

How long a clock has run is the game's business: along a history it is counted as a game counts it,
for a lone position it is assumed to start there (after as many plies as FEN ``H`` says).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import product

from crownbase.board import Position, clocks
from crownbase.board.clocks import OFF, ClockCounts
from crownbase.probe.advice import how_to_make
from crownbase.probe.result import BLESSED_LOSS, CURSED_WIN, LOSS, WIN, Result
from crownbase.rules import DrawRules
from crownbase.rules.draw import COUNT_RUNS, EACH, NO_RESTART, ClassClock, Side

_SPOILT = {WIN: CURSED_WIN, LOSS: BLESSED_LOSS}


def counts_along(draw: DrawRules, history: Sequence[Position], position: Position) -> ClockCounts:
    """The counts of the class clocks after a game: *history* and then *position*.

    Where two positions in a row have the same side to move, the game is taken to begin anew.
    """
    before, counts = None, clocks.first_counts(draw, position)
    for after in (*history, position) if history else ():
        if before is None or before.turn == after.turn:
            counts = clocks.first_counts(draw, after)
        else:
            counts = clocks.next_counts(draw, counts, before, after)
        before = after
    return counts


def drawn_after(position: Position, history: Sequence[Position] = ()) -> int | None:
    """Plies from here after which the game is drawn, unless it is won before; None = no such end.

    The move limit, and the class clocks that run on whatever is captured or crowned.
    """
    draw = position.rules.draw
    left = [] if draw.move_limit is None else [draw.move_limit - len(history)]
    if draw.class_clocks:
        white, black = clocks.sides(position)
        for clock, count in zip(
            draw.class_clocks, counts_along(draw, history, position), strict=True
        ):
            stays = not clock.road or clock.off_road == COUNT_RUNS
            if count != OFF and stays and _is_closed(clock, white, black):
                left.append(clocks.plies_left(clock, count, position))
    return min(left, default=None)


def judge_clocks(
    result: Result,
    position: Position,
    counts: ClockCounts | None,
    played: int,
    longest: Callable[[Side, Side], int | None],
) -> Result:
    """A table's answer with the class clocks weighed in; ``category`` and ``assumes`` may change.

    Args:
        result: the answer under the quiet clock alone, which stands at ``position.clock``.
        position: the position that it is about.
        counts: the counts of the class clocks; None = nobody knows the game.
        played: plies of the game before this position, which a move limit counts.
        longest: the plies of the longest win or loss with a material; None = nobody knows.
    """
    draw = position.rules.draw
    if result.category not in _SPOILT or 0 in (result.dtw, result.dtc):
        return result
    if draw.move_limit is not None:
        result = _under_move_limit(result, position, draw.move_limit, played)
    if result.category not in _SPOILT or not draw.class_clocks:
        return result
    white, black = clocks.sides(position)
    known = clocks.first_counts(draw, position) if counts is None else counts
    to_end = None if result.dtw is None else abs(result.dtw)
    in_time = to_end is not None and (
        draw.quiet_limit is None or position.clock + to_end <= draw.quiet_limit
    )
    reachable_from_here = materials_ahead(white, black)
    says = []
    for clock, count in zip(draw.class_clocks, known, strict=True):
        if count != OFF:
            left = clocks.plies_left(clock, count, position)
            if _is_too_late(clock, left, white, black, to_end, result.dtc) and (
                left or position.legal_moves()
            ):
                late = f"{_words(clock)} ends {_after(left)}, before the game can be decided"
                return replace(result, category=_SPOILT[result.category], assumes=(late,))
            if counts is None:
                says.append(f"{_words(clock)} assumed to {_standing(count)}")
        else:
            left = 2 * clock.moves - (clock.counted != EACH)
            starts = [longest(*after) for after in reachable_from_here if clock.stronger(*after)]
            if all(known_longest is not None and known_longest <= left for known_longest in starts):
                continue
        if not in_time or (to_end or 0) > left:
            why = f": {_needs_dtw(position)}" if to_end is None else ""
            says.append(f"{_words(clock)} not weighed{why}")
    return replace(result, assumes=result.assumes + tuple(says))


def _under_move_limit(result: Result, position: Position, limit: int, played: int) -> Result:
    """The answer under a limit of plies for the whole game: DTW tells, DTC is a lower bound."""
    left = max(0, limit - played)
    known = result.dtc if result.dtw is None else result.dtw
    if known is not None and abs(known) > left:
        late = f"the move limit ends the game {_after(left)}, before it can be decided"
        return replace(result, category=_SPOILT[result.category], assumes=(late,))
    quiet = position.rules.quiet_limit
    says = ["assumed to start here"] * (played == 0)
    if result.dtw is None:
        says = [f"not weighed: {_needs_dtw(position)}"]
    elif quiet is not None and position.clock + abs(result.dtw) > quiet:
        says = ["weighed alone: the shortest way to the end may break the draw clock"]
    added = tuple(f"move limit of {limit} plies {words}" for words in says)
    return replace(result, assumes=result.assumes + added)


def _needs_dtw(position: Position) -> str:
    return f"that takes .dtw tables; {how_to_make(position.rules, position.pieces, 'dtw')}"


def _is_too_late(
    clock: ClassClock, left: int, white: Side, black: Side, to_end: int | None, dtc: int | None
) -> bool:
    """Whether a running clock is sure to draw the game first."""
    if clock.road and clock.off_road != COUNT_RUNS:
        return left == 0
    if to_end is not None and to_end > left and _is_closed(clock, white, black):
        return True
    # Kings only: within the plies that are left nothing can be captured.
    only_kings = white[0] == 0 and black[0] == 0
    return left == 0 or (only_kings and dtc is not None and abs(dtc) > left)


def _is_closed(clock: ClassClock, white: Side, black: Side) -> bool:
    """Whether a running clock runs on in whatever can be reached, until the game is over."""
    return clock.restarts == NO_RESTART and all(
        clock.stronger(*after) or clock.carries(*after) for after in materials_ahead(white, black)
    )


@cache
def materials_ahead(white: Side, black: Side) -> tuple[tuple[Side, Side], ...]:
    """All materials, of both sides, that captures and crownings can lead to, and this one."""
    return tuple(product(_shrunk(white), _shrunk(black)))


def _shrunk(side: Side) -> Iterator[Side]:
    men, kings = side
    for lost_men, crowned in product(range(men + 1), repeat=2):
        left = men - lost_men - crowned
        if left >= 0:
            yield from ((left, after) for after in range(kings + crowned + 1) if left + after > 0)


def _words(clock: ClassClock) -> str:
    whose = "each" if clock.counted == EACH else f"the {clock.counted}er side"
    return f'class clock "{clock.name}" ({clock.moves} moves of {whose}; {clock.article})'


def _standing(count: int) -> str:
    return "start here" if count == 0 else f"stand at {count}"


def _after(left: int) -> str:
    return "here" if left == 0 else f"in {left} {'ply' if left == 1 else 'plies'}"
