"""Class clocks of a running game: how their counts go on from ply to ply.

A count is -1 while a clock does not run, otherwise the moves counted so far (see ``ClassClock``).
A game keeps one tuple of counts a ply, so that taking a move back is taking a tuple back.
Perfect play counts in the same way along the history that it is given.
"""

from __future__ import annotations

from functools import cache

from crownbase.board.position import Position
from crownbase.rules import DrawRules
from crownbase.rules.draw import (
    COUNT_LOST,
    COUNT_PAUSED,
    EACH,
    MATERIAL,
    STRONG,
    WEAK,
    ClassClock,
    Side,
    main_road,
)

OFF = -1
"""The count of a clock that does not run."""

ClockCounts = tuple[int, ...]
"""One count for each of ``DrawRules.class_clocks``."""

OccurrenceKey = tuple[str, int, int, int, int]
"""(turn, white men, white kings, black men, black kings): the same for equal positions."""

_road = cache(main_road)


def sides(position: Position) -> tuple[Side, Side]:
    """(men, kings) of White and of Black."""
    return (
        (position.white_men.bit_count(), position.white_kings.bit_count()),
        (position.black_men.bit_count(), position.black_kings.bit_count()),
    )


def limit_of(clock: ClassClock) -> int:
    """The count at which a clock runs out."""
    return clock.plies if clock.counted == EACH else clock.moves


def plies_left(clock: ClassClock, count: int, position: Position) -> int:
    """After how many plies from *position* on a running clock draws the game, 0 = now."""
    strong = clock.stronger(*sides(position))
    if clock.counted == EACH or not strong:
        return max(0, limit_of(clock) - count)
    counted_side_moves_next = _counted_side(clock, strong) == position.turn
    return max(0, 2 * (clock.moves - count) - counted_side_moves_next)


def first_counts(draw: DrawRules, position: Position) -> ClockCounts:
    """The counts of a position that is set up.

    The plies on its draw clock changed no material, if moves of men restart that clock; a class
    clock has then run for at least as long. Where it has begun earlier, nobody can know.
    """
    white, black = sides(position)
    plies = position.clock if position.rules.man_moves_convert else 0
    found = []
    for clock in draw.class_clocks:
        strong = clock.stronger(white, black)
        if not strong or not _on_road(clock, position, strong):
            found.append(OFF)
        elif clock.road:
            found.append(0)
        elif clock.counted == EACH:
            found.append(plies)
        else:
            # The side to move did not make the last ply.
            found.append((plies + (0 if _counted_side(clock, strong) == position.turn else 1)) // 2)
    return tuple(found)


def next_counts(
    draw: DrawRules, counts: ClockCounts, before: Position, after: Position
) -> ClockCounts:
    """The counts after one more ply."""
    if not draw.class_clocks:
        return counts
    material = sides(after)
    changed = material != sides(before)
    return tuple(
        _next_count(clock, count, before.turn, after, material, changed)
        for clock, count in zip(draw.class_clocks, counts, strict=True)
    )


def _next_count(
    clock: ClassClock,
    count: int,
    mover: str,
    after: Position,
    material: tuple[Side, Side],
    changed: bool,
) -> int:
    strong = clock.stronger(*material)
    running = count != OFF
    if not strong:
        return count + 1 if running and clock.carries(*material) else OFF
    if running and changed and clock.restarts == MATERIAL:
        return 0
    if not _on_road(clock, after, strong):
        if not running or clock.off_road == COUNT_LOST:
            return OFF
        if clock.off_road == COUNT_PAUSED:
            return count
    if not running:
        return 0
    return count + (1 if clock.counted == EACH or _counted_side(clock, strong) == mover else 0)


def _counted_side(clock: ClassClock, strong: str) -> str:
    return strong if clock.counted == STRONG else ("B" if strong == "W" else "W")


def _on_road(clock: ClassClock, position: Position, strong: str) -> bool:
    """Whether the road condition of a clock holds (always, if it has none)."""
    if not clock.road:
        return True
    road = _road(position.rules.board)
    white = (position.white_men | position.white_kings) & road
    black = (position.black_men | position.black_kings) & road
    own, other = (white, black) if strong == "W" else (black, white)
    kings = position.white_kings if strong == "W" else position.black_kings
    if clock.road == WEAK:
        return other != 0 and own == 0
    return other == 0 and own & kings != 0


def occurrence_key(position: Position) -> OccurrenceKey:
    """What makes two positions of a game the same to the rules of repetition."""
    return (
        position.turn,
        position.white_men,
        position.white_kings,
        position.black_men,
        position.black_kings,
    )
