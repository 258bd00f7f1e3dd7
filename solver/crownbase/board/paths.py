"""The way of a capture: over which squares it goes. Needed only to write and read move text.

A capture is known by its first and last square and the set of taken pieces; several ways may
give the same. PDN 3.0 writes an ambiguous capture in full: every turning square, otherwise the
square just behind each victim.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from crownbase.board import moves as kernels
from crownbase.board.generator import Boards, RawMove
from crownbase.rules import Rules

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


def passes(rules: Rules, boards: Boards, move: RawMove, squares: Sequence[int]) -> bool:
    """Whether some way of the capture goes over *squares*, in this order.

    Landing squares, the squares behind a victim and the victims themselves count, since texts
    name any of them; squares may be left out.
    """
    for hops in capture_ways(rules, boards, move):
        wanted = list(squares)
        for direction, taken, land in hops:
            behind = int(rules.traits.plain.neighbour[taken * 4 + direction])
            for square in (taken, behind, land):
                if wanted and wanted[0] == square:
                    wanted.pop(0)
        if not wanted:
            return True
    return False
