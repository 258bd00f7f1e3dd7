"""The way of a capture: over which squares it goes. Needed only to write and read move text.

A capture is known by its first and last square and the set of taken pieces; several ways may
give the same. PDN 3.0 writes an ambiguous capture in full: every turning square, otherwise the
square just behind each victim.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, pairwise

from crownbase.board import moves as kernels
from crownbase.board.generator import Boards, RawMove
from crownbase.rules import Rules

_MOST_WAYS = 20_000  # far beyond any capture of a game

Hop = tuple[int, int, int]
"""(direction, victim, landing square) of one hop."""


def capture_ways(rules: Rules, boards: Boards, move: RawMove) -> Iterator[list[Hop]]:
    """All ways in which a capture can be carried out, as lists of hops."""
    om, ok, pm, pk = boards
    occupied = (om | ok | pm | pk) & ~(1 << move.start)
    yield from _extend(rules, move, move.start, move.king_before, occupied, pm, pk, [])


def _extend(
    rules: Rules,
    move: RawMove,
    s: int,
    king: bool,
    occupied: int,
    pm: int,
    pk: int,
    hops: list[Hop],
) -> Iterator[list[Hop]]:
    traits = rules.traits.plain
    left = move.captured & (pm | pk)
    if not left:
        if s == move.end:
            yield list(hops)
        return
    last = hops[-1][0] if hops else -1
    for d in range(4 if king else traits.man_captures):
        t = kernels.victim.plain(traits, s, d, king, occupied, pm, pk, last)
        if t < 0 or not left >> t & 1:
            continue
        gone = ~(1 << t)
        after = occupied & gone if traits.leave_at_once else occupied
        land = traits.neighbour[t * 4 + d]
        while land >= 0 and not occupied >> land & 1:
            crowned = king or (land < traits.width and rules.promotion_in_capture == "king")
            hops.append((d, t, land))
            yield from _extend(rules, move, land, crowned, after, pm & gone, pk & gone, hops)
            hops.pop()
            land = traits.neighbour[land * 4 + d] if king and traits.flying_kings else -1


def written_squares(rules: Rules, boards: Boards, move: RawMove) -> list[int]:
    """The squares of a capture in full, first and last included, as PDN 3.0 writes them."""
    hops = next(capture_ways(rules, boards, move))
    squares = [move.start]
    for i, (direction, taken, land) in enumerate(hops):
        goes_straight_on = i + 1 < len(hops) and hops[i + 1][0] == direction
        behind = int(rules.traits.plain.neighbour[taken * 4 + direction])
        if len(hops) == 1 and behind != land:
            squares.append(behind)  # the only square that tells this capture from a longer one
        squares.append(behind if goes_straight_on else land)
    return squares


def turning_squares(rules: Rules, hops: Sequence[Hop]) -> Iterator[int]:
    """The squares where a capture changes its direction."""
    for hop, after in pairwise(hops):
        if hop[0] != after[0]:
            yield hop[2]


def crossed_squares(rules: Rules, hops: Sequence[Hop]) -> Iterator[int]:
    """The victims of a capture, the squares behind them and those where it lands."""
    for direction, taken, land in hops:
        yield from (taken, int(rules.traits.plain.neighbour[taken * 4 + direction]), land)


def passes(
    rules: Rules,
    boards: Boards,
    move: RawMove,
    squares: Sequence[int],
    squares_of: Callable[[Rules, Sequence[Hop]], Iterable[int]],
) -> bool:
    """Whether *squares* are among the *squares_of* some way of the capture, in this order.

    Squares may be left out. No more than ``_MOST_WAYS`` ways are tried.
    """
    for hops in islice(capture_ways(rules, boards, move), _MOST_WAYS):
        wanted = 0
        for square in squares_of(rules, hops):
            if wanted < len(squares) and squares[wanted] == square:
                wanted += 1
        if wanted == len(squares):
            return True
    return False
