"""The order in which the groups of a slice are solved."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from crownbase.board.bits import lowest
from crownbase.board.moves import turn_board
from crownbase.index import Material
from crownbase.index.position import count_groups, rank_group, unrank_group
from crownbase.jit import kernel
from crownbase.rules import Rules


class Groups(NamedTuple):
    """The placements of men of a slice, in the order of solving.

    A *class* is what reversible moves connect: one placement of men, or where men move sideways
    all placements with the same number of men in every row. Of a slice that is its own mirror,
    only one of two mirrored classes is listed.

    Attributes:
        own, opponent: int64[groups], the men of every group number.
        mirror: int64[groups], the group number after half a turn and a swap of colours.
        order: int64[...], group numbers, class after class, most advanced men first.
        first: int64[classes + 1], where each class begins in ``order``.
        levels: int64[levels + 1], where each level begins among the classes; the classes of one
            level do not need each other.
    """

    own: np.ndarray
    opponent: np.ndarray
    mirror: np.ndarray
    order: np.ndarray
    first: np.ndarray
    levels: np.ndarray


@kernel
def _describe(rules: Any, a: int, c: int, own: Any, opponent: Any, mirror: Any, key: Any) -> None:
    """Fill men, mirror and the class key of every group.

    The key of a class has its level (total advancement) above 48 bits that count the men of
    either side in every row, three bits a row: enough for 8 rows, and on larger boards a class
    is a single group anyway.
    """
    rows = rules.n_squares // rules.width
    for group in range(own.shape[0]):
        om, pm = unrank_group(rules, group, a, c)
        own[group] = om
        opponent[group] = pm
        mirror[group] = rank_group(rules, turn_board(rules, pm), turn_board(rules, om))
        level = 0
        counts = 0
        rest = om
        while rest != 0:
            row = lowest(rest) // rules.width
            rest &= rest - 1
            level += rows - 1 - row
            counts += 1 << (3 * row)
        rest = pm
        while rest != 0:
            row = lowest(rest) // rules.width
            rest &= rest - 1
            level += row
            counts += 1 << (24 + 3 * row)
        key[group] = (level << 48) | (counts if rules.sideways_men else 0)


def solving_groups(rules: Rules, material: Material) -> Groups:
    """All groups of a slice in solving order: most advanced men first, class by class."""
    a, _, c, _ = material.counts
    traits = rules.traits
    n = int(count_groups.plain(traits.plain, a, c))
    own, opponent, mirror, key = (np.zeros(n, np.int64) for _ in range(4))
    _describe(traits, a, c, own, opponent, mirror, key)
    group = np.arange(n)
    if traits.sideways_men:
        same_class = key
        smaller = key[mirror] < key
    else:
        same_class = group
        smaller = mirror < group
    listed = group[~smaller] if material.is_symmetric else group
    order = listed[np.lexsort((listed, same_class[listed], -(key[listed] >> 48)))]
    starts = np.flatnonzero(np.r_[True, same_class[order][1:] != same_class[order][:-1]])
    first = np.r_[starts, len(order)].astype(np.int64)
    level = key[order[starts]] >> 48
    levels = np.r_[np.flatnonzero(np.r_[True, level[1:] != level[:-1]]), len(level)]
    return Groups(own, opponent, mirror, order, first, levels.astype(np.int64))
