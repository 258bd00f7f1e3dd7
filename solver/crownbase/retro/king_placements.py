"""King placements of the solvers: every set of k squares by its colexicographic rank.

Inside a class of positions that share their men, kings are numbered over the WHOLE board, not
over the free squares: the tables below then serve every class. Placements that hit a man are
marked closed and cost only their place.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import Any, NamedTuple

import numpy as np

from crownbase.board.bits import lowest
from crownbase.board.moves import turn_board
from crownbase.index.binomial import rank_set, unrank_set
from crownbase.jit import kernel
from crownbase.rules import Rules


class KingTables(NamedTuple):
    """All placements of one number of kings.

    Attributes:
        masks: int64[placements], the bit board of each rank.
        turned: int32[placements], the rank after half a turn of the board.
        first: int32[placements + 1], where the steps of a rank begin in ``steps``.
        steps: int32[...], ranks after one king has made one step to a square that no king of
            the set holds. Steps can be made both ways. Empty for flying kings.
    """

    masks: np.ndarray
    turned: np.ndarray
    first: np.ndarray
    steps: np.ndarray


@kernel
def _fill_masks(rules: Any, kings: int, masks: Any) -> None:
    for rank in range(masks.shape[0]):
        masks[rank] = unrank_set(rank, kings, 0, rules.n_squares)


@kernel
def _fill_turned(rules: Any, masks: Any, turned: Any) -> None:
    for rank in range(masks.shape[0]):
        turned[rank] = rank_set(turn_board(rules, masks[rank]), 0)


@kernel
def _fill_steps(rules: Any, masks: Any, first: Any, steps: Any) -> int:
    n = 0
    for rank in range(masks.shape[0]):
        first[rank] = n
        rest = masks[rank]
        while rest != 0:
            s = lowest(rest)
            rest &= rest - 1
            for d in range(4):
                t = rules.neighbour[s * 4 + d]
                if t >= 0 and not (masks[rank] >> t) & 1:
                    if steps.shape[0] > 0:
                        steps[n] = rank_set(masks[rank] ^ (1 << s) ^ (1 << t), 0)
                    n += 1
    first[masks.shape[0]] = n
    return n


@lru_cache(maxsize=64)
def king_tables(rules: Rules, kings: int) -> KingTables:
    """The tables for a number of kings; kept, since every slice needs the same few."""
    traits = rules.traits
    n = comb(traits.n_squares, kings)
    masks = np.zeros(n, np.int64)
    turned, first = np.zeros(n, np.int32), np.zeros(n + 1, np.int32)
    _fill_masks(traits, kings, masks)
    _fill_turned(traits, masks, turned)
    steps = np.zeros(0, np.int32)
    if not traits.flying_kings:
        steps = np.zeros(_fill_steps(traits, masks, first, steps), np.int32)
        _fill_steps(traits, masks, first, steps)
    return KingTables(masks, turned, first, steps)
