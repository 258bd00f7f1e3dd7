"""The transposition table: what the search already knows of a position.

A bucket holds two entries of two words, the first kept while it is deeper and not from an older
search, the second always replaced::

    word 0   key
    word 1   score + 2**15 (16 bits) | depth (8) | bound (2) | move + 1 (10) | generation (8)
"""

from __future__ import annotations

from crownbase.jit import kernel
from crownbase.search.scores import from_cache, to_cache
from crownbase.search.work import CACHE_MASK, GENERATION, Work

NO_BOUND, LOWER, UPPER, EXACT = 0, 1, 2, 3
_BIAS = 1 << 15


@kernel
def find_entry(w: Work, key: int) -> int:
    """The packed data of a position, 0 if it is not in the cache."""
    c = w.cache
    at = (key & w.data[CACHE_MASK]) * 4
    if c[at] == key:
        return c[at + 1]
    if c[at + 2] == key:
        return c[at + 3]
    return 0


@kernel
def entry_score(entry: int, ply: int) -> int:
    """The score of an entry, distances counted from the root."""
    return from_cache((entry & 0xFFFF) - _BIAS, ply)


@kernel
def entry_depth(entry: int) -> int:
    """How deep the position was searched."""
    return (entry >> 16) & 0xFF


@kernel
def entry_bound(entry: int) -> int:
    """``LOWER``, ``UPPER`` or ``EXACT``."""
    return (entry >> 24) & 3


@kernel
def entry_move(entry: int) -> int:
    """The best move's place in the generated list, -1 if there is none."""
    return ((entry >> 26) & 0x3FF) - 1


@kernel
def store_entry(w: Work, key: int, ply: int, depth: int, score: int, bound: int, move: int) -> None:
    """Keep what a search to *depth* found; *move* is -1 if no move stood out."""
    c = w.cache
    generation = w.data[GENERATION] & 0xFF
    packed = (to_cache(score, ply) + _BIAS) | depth << 16 | bound << 24
    packed |= (move + 1) << 26 | generation << 36
    at = (key & w.data[CACHE_MASK]) * 4
    old = c[at + 1]
    if c[at] != key and entry_depth(old) > depth and (old >> 36) == generation:
        at += 2
    c[at] = key
    c[at + 1] = packed
