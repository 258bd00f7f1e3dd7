"""The number of a position within its slice, and the position of a number.

A slice is all positions of one material: the mover has a men and k kings, the opponent c men and
b kings. With n squares, w in a row, in the mover's frame (own men go up and never stand on the
top row; the opponent's men never on the bottom row)::

    j      own men on the bottom row, where no opponent's man can be
    group  = offset(j) + ((rank(own men of the bottom row) * C(n - 2w, a - j)
                          + rank(the other own men)) * C(n - w - (a - j), c)
                          + rank(opponent's men among squares free of own men))
    index  = (group * C(F, b) + rank(opponent's kings among the F = n - a - c free squares))
             * C(F - b, k) + rank(own kings among the squares that are still free)

    offset(j) = sum over i < j of C(w, i) * C(n - 2w, a - i) * C(n - w - (a - i), c)

so a slice has [sum over all j] * C(F, b) * C(F - b, k) positions, without gaps. All positions
that share their men lie together: a *group*, the unit of solving; the mover's kings vary fastest.

Example (English, n = 32, w = 4): own man 32 (index 31), opponent's king on 1, nothing else: j = 1,
offset(1) = 1 * C(24, 1) * 1 = 24, the man has rank 3 on the bottom row, group 27; F = 31 squares
are free, the king's rank is 0: index 27 * 31 + 0 = 837.
"""

from __future__ import annotations

from typing import Any

from crownbase.board.bits import popcount
from crownbase.index.binomial import BINOMIAL, rank_set, unrank_set
from crownbase.jit import kernel


@kernel
def groups_with(rules: Any, a: int, c: int, j: int) -> int:
    """Number of men placements with exactly j of the a own men on the bottom row."""
    n, w = rules.n_squares, rules.width
    if j > w or j > a or n - w - (a - j) < 0:
        return 0
    return BINOMIAL[w, j] * BINOMIAL[n - 2 * w, a - j] * BINOMIAL[n - w - (a - j), c]


@kernel
def count_groups(rules: Any, a: int, c: int) -> int:
    """Number of placements of a own and c opponent's men."""
    total = 0
    for j in range(a + 1):
        total += groups_with(rules, a, c, j)
    return total


@kernel
def count_positions(rules: Any, a: int, k: int, c: int, b: int) -> int:
    """Number of positions of a slice."""
    free = rules.n_squares - a - c
    if free < 0 or free - b < 0:
        return 0
    return count_groups(rules, a, c) * BINOMIAL[free, b] * BINOMIAL[free - b, k]


@kernel
def rank_group(rules: Any, om: int, pm: int) -> int:
    """The number of a placement of men."""
    n, w = rules.n_squares, rules.width
    below_home = (1 << (n - w)) - 1
    rest = om & below_home
    home = om & ~below_home
    a = popcount(om)
    c = popcount(pm)
    j = popcount(home)
    group = 0
    for i in range(j):
        group += groups_with(rules, a, c, i)
    men = rank_set(home, below_home) * BINOMIAL[n - 2 * w, a - j] + rank_set(rest, (1 << w) - 1)
    return group + men * BINOMIAL[n - w - (a - j), c] + rank_set(pm, om)


@kernel
def unrank_group(rules: Any, group: int, a: int, c: int) -> tuple[int, int]:
    """The men (own, opponent's) of a group number."""
    n, w = rules.n_squares, rules.width
    j = 0
    size = groups_with(rules, a, c, j)
    while group >= size:
        group -= size
        j += 1
        size = groups_with(rules, a, c, j)
    below_home = (1 << (n - w)) - 1
    placements = BINOMIAL[n - w - (a - j), c]
    men = group // placements
    rests = BINOMIAL[n - 2 * w, a - j]
    om = unrank_set(men // rests, j, below_home, n)
    om |= unrank_set(men % rests, a - j, (1 << w) - 1, n - w)
    return om, unrank_set(group % placements, c, om, n - w)


@kernel
def rank_kings(ok: int, pk: int, men: int, own_placements: int) -> int:
    """The number of a placement of kings within a group; ``own_placements`` = C(F - b, k)."""
    return rank_set(pk, men) * own_placements + rank_set(ok, men | pk)


@kernel
def rank_position(rules: Any, om: int, ok: int, pm: int, pk: int) -> int:
    """The index of a position in its slice. No check: a man on its crown row has no index."""
    men = om | pm
    free = rules.n_squares - popcount(men)
    b = popcount(pk)
    own_placements = BINOMIAL[free - b, popcount(ok)]
    kings = rank_kings(ok, pk, men, own_placements)
    return rank_group(rules, om, pm) * (BINOMIAL[free, b] * own_placements) + kings


@kernel
def unrank_position(
    rules: Any, index: int, a: int, k: int, c: int, b: int
) -> tuple[int, int, int, int]:
    """The position (om, ok, pm, pk) of an index; 0 <= index < ``count_positions``."""
    n = rules.n_squares
    free = n - a - c
    own_placements = BINOMIAL[free - b, k]
    kings = index % (BINOMIAL[free, b] * own_placements)
    om, pm = unrank_group(rules, index // (BINOMIAL[free, b] * own_placements), a, c)
    pk = unrank_set(kings // own_placements, b, om | pm, n)
    ok = unrank_set(kings % own_placements, k, om | pm | pk, n)
    return om, ok, pm, pk


SLICE_NUMBERS = 16**4
"""Size of a table addressed by the ``slice_number`` of up to 15 pieces of a kind."""


@kernel
def slice_number(a: int, k: int, c: int, b: int) -> int:
    """A number that is different for every material, and small for up to 15 pieces of a kind.

    ``slice_counts`` is the inverse. Larger materials have no slices, but a position on the board
    may have 20 men, and its number must not be that of a slice.
    """
    if a | k | c | b > 15:
        return SLICE_NUMBERS + (((a * 64 + k) * 64 + c) * 64 + b)
    return ((a * 16 + k) * 16 + c) * 16 + b


def slice_counts(number: int) -> tuple[int, int, int, int]:
    """The counts (a, k, c, b) of a ``slice_number``."""
    bits = 4
    if number >= SLICE_NUMBERS:
        number, bits = number - SLICE_NUMBERS, 6
    ones = (1 << bits) - 1
    return number >> 3 * bits, number >> 2 * bits & ones, number >> bits & ones, number & ones
