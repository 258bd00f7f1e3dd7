"""Binomial coefficients and colexicographic ranks (the combinatorial number system).

A set of k squares q0 < q1 < ... has the rank C(q0, 1) + C(q1, 2) + ...: its place among all sets
of k squares ordered by their highest square, then the next (colexicographic order). Example, three
squares {1, 4, 5}: C(1, 1) + C(4, 2) + C(5, 3) = 1 + 6 + 10 = 17; {0, 1, 2} has rank 0.

All ranks here count only squares that are allowed: a square's number is how many allowed squares
lie below it. Sets then keep their order, so ranks stay dense. See Knuth, The Art of Computer
Programming 4A, 7.2.1.3.
"""

from __future__ import annotations

from math import comb

import numpy as np

from crownbase.board.bits import lowest, popcount
from crownbase.jit import kernel

MAX_SQUARES = 64
MAX_SET = 24

BINOMIAL = np.array(
    [[min(comb(n, k), 2**62) for k in range(MAX_SET + 1)] for n in range(MAX_SQUARES + 1)],
    dtype=np.int64,
)  # [n][k] = sets of k out of n, capped at 2**62


@kernel
def rank_set(board: int, blocked: int) -> int:
    """Rank of a set of squares among the squares that are not blocked."""
    rank = 0
    i = 1
    while board != 0:
        s = lowest(board)
        board &= board - 1
        rank += BINOMIAL[s - popcount(blocked & ((1 << s) - 1)), i]
        i += 1
    return rank


@kernel
def unrank_set(rank: int, count: int, blocked: int, n_squares: int) -> int:
    """The set of *count* squares below n_squares, not blocked, that has this rank."""
    board = 0
    free = n_squares - popcount(blocked & ((1 << n_squares) - 1 if n_squares < 64 else -1))
    s = n_squares - 1
    while count > 0:
        if not (blocked >> s) & 1:
            free -= 1
            below = BINOMIAL[free, count]
            if below <= rank:
                rank -= below
                count -= 1
                board |= 1 << s
        s -= 1
    return board
