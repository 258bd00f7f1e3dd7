"""What a game has seen already, and whether a win survives it.

A position that has occurred so often that once more makes a draw is **spent**: whoever brings it
about again, the game is drawn. Draws that may be claimed count as claimed. The tables know nothing
of that, so ``Past.stands`` asks whether their win can still be carried out: whether the winner has
a way to the next irreversible move (a capture, or a man that advances, after which nothing of the
past can come back) on which the opponent cannot reach a spent position, within the clocks.

That is the exact value, although positions could be spent on the way, too: with fewer plies on the
clock a won position stays won, so a winner who has a way need not see a position twice on it.

Mostly no search is needed. Along a shortest way (in DTC; in DTW where that is all there is) the
distance falls with every ply of either side. So a spent position as far from the goal as this one
or farther cannot come up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from crownbase.board import Position, clocks
from crownbase.board.clocks import ClockCounts, OccurrenceKey, occurrence_key
from crownbase.errors import MissingTableError
from crownbase.probe.class_clocks import counts_along
from crownbase.probe.lookup import Lookup
from crownbase.probe.result import LOSS, WIN, Result

MAX_NODES = 4000
"""Positions of one search for a way around spent ones: about a second. Then there is none."""
_MAX_PLIES = 120
"""Plies of such a way, where no clock ends it sooner."""
_FAR = 1 << 30


class Past:
    """A position with the game before it.

    Attributes:
        position: the position, its clock as the history shows it.
        counts: the counts of the class clocks.
        played: plies of the game before it, which a move limit counts.
        is_repeated: whether any position has occurred twice since the last irreversible move.
    """

    def __init__(self, lookup: Lookup, position: Position, history: Sequence[Position]) -> None:
        """*history*: earlier positions of the game, oldest first.

        The first position of all counts as an occurrence unless the draw rules say otherwise
        (``Repetition.counts_setup``).
        """
        draw = position.rules.draw
        again = draw.repetition
        self._lookup = lookup
        self._draw = draw
        self.counts = counts_along(draw, history, position)
        self.played = len(history)
        plies = max(position.clock, quiet_plies(position, history))
        self.position = replace(position, clock=plies)
        game = [*history, position]
        counted = game[1:] if again and not again.counts_setup else game
        self._occurred = Counter(map(occurrence_key, counted))
        self._most = again.times - 1 if again else _FAR
        recent = {
            occurrence_key(one): one for one in counted if not _is_irreversible(one, position)
        }
        self.is_repeated = any(self._occurred[key] > 1 for key in recent)
        self._spent = [one for key, one in recent.items() if self._occurred[key] >= self._most]
        self._nearest: dict[str, int] = {}
        self._standing: dict[tuple[OccurrenceKey, ClockCounts], int] = {}
        self._falling: dict[tuple[OccurrenceKey, ClockCounts], int] = {}
        self._left = MAX_NODES

    def occurrences(self, position: Position) -> int:
        """How often a position has occurred."""
        return self._occurred[occurrence_key(position)]

    def is_spent(self, position: Position) -> bool:
        """Whether the game is drawn if this position comes up (once more)."""
        return self.occurrences(position) >= self._most

    def counts_after(self, child: Position) -> ClockCounts:
        """The counts of the class clocks after a move from the position to *child*."""
        return clocks.next_counts(self._draw, self.counts, self.position, child)

    def stands(self, child: Position, result: Result, winner_moved: bool) -> bool:
        """Whether a decided position after one more move keeps its value.

        *result*: the tables' answer for *child*, a ``win`` or a ``loss`` within the clocks.
        Where the search for a way gives up, the answer is the worse one for who made the move.
        Without distances only the opponent's next move is looked at.
        """
        if not self._spent or _is_irreversible(self.position, child):
            return True
        self._left = MAX_NODES
        winner = self.position.turn if winner_moved else child.turn
        try:
            return self._stands(child, result, self.counts_after(child), winner)
        except _GivenUpError:
            return not winner_moved

    def _stands(self, position: Position, result: Result, counts: ClockCounts, winner: str) -> bool:
        distance = _distance(result)
        if distance is not None and distance <= self._nearest_spent(winner):
            return True
        if distance is None and position.turn == winner:
            return True
        if self._plies(position) > _MAX_PLIES:
            return False
        key = (occurrence_key(position), counts)
        # What holds at one count of the quiet clock holds at any smaller one.
        if position.clock <= self._standing.get(key, -1):
            return True
        if position.clock >= self._falling.get(key, _FAR):
            return False
        self._left -= 1
        if self._left < 0:
            raise _GivenUpError
        found = (self._finds if position.turn == winner else self._cannot_spoil)(
            position, counts, winner
        )
        if found:
            self._standing[key] = position.clock
        else:
            self._falling[key] = position.clock
        return found

    def _finds(self, position: Position, counts: ClockCounts, winner: str) -> bool:
        """Whether the winner, to move, has a move after which the win stands."""
        ways: list[tuple[int, int, Position, Result, ClockCounts]] = []
        for child, after in self._children(position, counts):
            if self.is_spent(child):
                continue
            result = self._result(child, after, self._plies(position) + 1)
            if result is None or result.category != LOSS:
                continue
            if _is_irreversible(position, child):
                return True
            ways.append((_distance(result) or 0, len(ways), child, result, after))
        return any(
            self._stands(child, result, after, winner)
            for _, _, child, result, after in sorted(ways)
        )

    def _cannot_spoil(self, position: Position, counts: ClockCounts, winner: str) -> bool:
        """Whether the win stands whatever the other side, to move, does."""
        children = list(self._children(position, counts))
        if any(self.is_spent(child) for child, _ in children):
            return False
        for child, after in children:
            result = self._result(child, after, self._plies(position) + 1)
            if result is None or _is_irreversible(position, child):
                continue
            if result.category != WIN or not self._stands(child, result, after, winner):
                return False
        return True

    def _children(
        self, position: Position, counts: ClockCounts
    ) -> Iterator[tuple[Position, ClockCounts]]:
        for move in position.legal_moves():
            child = position.play(move)
            yield child, clocks.next_counts(self._draw, counts, position, child)

    def _plies(self, position: Position) -> int:
        """Plies from the position of the game to one that is searched: no conversion between."""
        return position.clock - self.position.clock

    def _result(self, position: Position, counts: ClockCounts, plies: int) -> Result | None:
        try:
            tree = self._lookup.tree(position)
            return self._lookup.result(position, tree, counts, self.played + plies)
        except MissingTableError:
            return None

    def _nearest_spent(self, winner: str) -> int:
        """The shortest distance of a spent position that this side wins."""
        if winner not in self._nearest:
            distances = (self._distance_of(spent, winner) for spent in self._spent)
            self._nearest[winner] = min(distances, default=_FAR)
        return self._nearest[winner]

    def _distance_of(self, spent: Position, winner: str) -> int:
        # Its own clock counts no more: it would come up at this one or later.
        result = self._result(replace(spent, clock=self.position.clock), self.counts, 0)
        if result is None or result.category != (WIN if spent.turn == winner else LOSS):
            return _FAR
        return _distance(result) or 0


class _GivenUpError(Exception):
    """A search took too many positions; a signal within this module."""


def quiet_plies(position: Position, history: Sequence[Position]) -> int:
    """Plies since the last conversion, as the positions of a game before this one show it."""
    plies, later = 0, position
    for earlier in reversed(history):
        if earlier.turn == later.turn or _is_converted(earlier, later):
            return plies
        plies, later = plies + 1, earlier
    return plies + later.clock if history else 0


def _distance(result: Result) -> int | None:
    known = result.dtw if result.dtc is None else result.dtc
    return None if known is None else abs(known)


def _is_converted(before: Position, after: Position) -> bool:
    if before.pieces != after.pieces:
        return True
    return before.rules.man_moves_convert and _men_differ(before, after)


def _is_irreversible(before: Position, after: Position) -> bool:
    """Whether the earlier of two positions cannot come back once the later one has arisen."""
    return before.pieces != after.pieces or _men_differ(before, after)


def _men_differ(before: Position, after: Position) -> bool:
    """Whether a man has advanced or was crowned."""
    width = before.rules.board.width
    return any(
        old.bit_count() != new.bit_count() or _rows(old, width) != _rows(new, width)
        for old, new in (
            (before.white_men, after.white_men),
            (before.black_men, after.black_men),
        )
    )


def _rows(men: int, width: int) -> int:
    """Sum of the rows that men stand on: a sideways move does not change it."""
    return sum(s // width for s in range(men.bit_length()) if men >> s & 1)
