"""Material: which pieces are on the board, and the order in which slices are solved."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from crownbase.index.position import count_positions, slice_number
from crownbase.rules import Rules

MIN_PIECES, MAX_PIECES = 2, 12
"""Pieces of the slices that can be built, both sides together."""

_TEXT = re.compile(r"(K*)(M*)v(K*)(M*)")


@dataclass(frozen=True)
class Material:
    """Pieces of both sides, the side to move first (on the left of the text).

    ``str(Material(1, 2, 1, 1))`` is ``KKMvKM``: kings first, then men.
    """

    own_men: int
    own_kings: int
    opponent_men: int
    opponent_kings: int

    @classmethod
    def parse(cls, text: str) -> Material:
        """Read ``KKMvKM``.

        Raises:
            ValueError: the text is no material.
        """
        match = _TEXT.fullmatch(text.strip())
        if match is None:
            raise ValueError(f"{text!r} is no material; write kings, then men, as in KKMvKM")
        k, a, b, c = (len(part) for part in match.groups())
        return cls(a, k, c, b)

    @classmethod
    def of(cls, om: int, ok: int, pm: int, pk: int) -> Material:
        """The material of four bit boards."""
        return cls(om.bit_count(), ok.bit_count(), pm.bit_count(), pk.bit_count())

    def __str__(self) -> str:
        return (
            "K" * self.own_kings
            + "M" * self.own_men
            + "v"
            + "K" * self.opponent_kings
            + "M" * self.opponent_men
        )

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """(own men, own kings, opponent's men, opponent's kings), as kernels take them."""
        return self.own_men, self.own_kings, self.opponent_men, self.opponent_kings

    @property
    def own(self) -> int:
        """Pieces of the side to move."""
        return self.own_men + self.own_kings

    @property
    def opponent(self) -> int:
        """Pieces of the other side."""
        return self.opponent_men + self.opponent_kings

    @property
    def pieces(self) -> int:
        """All pieces."""
        return self.own + self.opponent

    @property
    def men(self) -> int:
        """All men."""
        return self.own_men + self.opponent_men

    @property
    def mirror(self) -> Material:
        """The same pieces with the other side to move."""
        return Material(self.opponent_men, self.opponent_kings, self.own_men, self.own_kings)

    @property
    def is_symmetric(self) -> bool:
        """Whether both sides have the same pieces."""
        return self == self.mirror

    @property
    def canonical(self) -> Material:
        """The one of the pair whose left side has more pieces, then more kings: the file's name."""
        if (self.own, self.own_kings) >= (self.opponent, self.opponent_kings):
            return self
        return self.mirror

    @property
    def pair(self) -> tuple[Material, ...]:
        """The canonical slice and its mirror; one slice if both are the same."""
        left = self.canonical
        return (left,) if left.is_symmetric else (left, left.mirror)

    @property
    def number(self) -> int:
        """``slice_number`` of the counts."""
        return int(slice_number.plain(*self.counts))

    def positions(self, rules: Rules) -> int:
        """Number of positions of the slice."""
        return int(count_positions.plain(rules.traits.plain, *self.counts))

    def dependencies(self) -> tuple[Material, ...]:
        """Other canonical slices that one move from this pair can lead to.

        Every capture (one or more pieces, also with promotion) and every promotion of either
        side; slices in which a side has nothing left are no tables and are left out.
        """
        found: dict[Material, None] = {}
        for side in self.pair:
            for after in _after_moves(side):
                if after.own and after.opponent and after.canonical != self.canonical:
                    found[after.canonical] = None
        return tuple(sorted(found, key=solving_key))


def _after_moves(material: Material) -> Iterator[Material]:
    a, k, c, b = material.counts
    for men in range(c + 1):
        for kings in range(b + 1):
            yield Material(a, k, c - men, b - kings)
            if a:
                yield Material(a - 1, k + 1, c - men, b - kings)


def solving_key(material: Material) -> tuple[int, int, int, tuple[int, ...]]:
    """Sort key: whatever a slice depends on comes before it.

    By number of pieces, then of men (a promotion makes one fewer), then by size of the sides.
    """
    left = material.canonical
    return left.pieces, left.men, left.own, left.counts


def slice_pairs(max_pieces: int, min_pieces: int = 2) -> tuple[Material, ...]:
    """All canonical slices with both sides on the board, in solving order."""
    found = [
        Material(a, own - a, c, opponent - c)
        for pieces in range(min_pieces, max_pieces + 1)
        for own in range(1, pieces)
        for opponent in (pieces - own,)
        for a in range(own + 1)
        for c in range(opponent + 1)
    ]
    return tuple(sorted({m.canonical for m in found}, key=solving_key))
