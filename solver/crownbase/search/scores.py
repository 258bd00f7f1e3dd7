"""What the numbers of a search mean.

Kernels count in hundredths of a man from the mover's point of view:

    MATE - p      the opponent has no move left p plies after the root
    IN_TABLES - p a won table position is reached p plies after the root
    |s| <= LIMIT  an evaluation, or 0 = drawn by repetition, clock or tables

Both zones beyond ``LIMIT`` are proven: they rest on moves and tables only. People and Hub clients
get men: ``100 - p/100`` for a win in p plies, ``90 - p/100`` for a won table position after p plies
whose length no table tells; losses are negative.
"""

from __future__ import annotations

from crownbase.jit import kernel

MATE = 30000
IN_TABLES = 20000
PROVEN = 15000
"""Scores beyond this, on either side, are proven."""
LIMIT = 9000
INFINITE = 32000


@kernel
def to_cache(score: int, ply: int) -> int:
    """A score as the cache keeps it: distances counted from the node, not from the root."""
    if score > PROVEN:
        return score + ply
    if score < -PROVEN:
        return score - ply
    return score


@kernel
def from_cache(score: int, ply: int) -> int:
    """The inverse of ``to_cache``."""
    if score > PROVEN:
        return score - ply
    if score < -PROVEN:
        return score + ply
    return score


def in_men(score: int) -> float:
    """A kernel's score in men, as Hub clients and people read it."""
    if score > PROVEN:
        return plies_to_men(MATE - score) if score > IN_TABLES else 90 - (IN_TABLES - score) / 100
    if score < -PROVEN:
        return -in_men(-score)
    return score / 100


def known_in_men(wdl: int, score: int) -> float:
    """The score of a root whose value a table tells; the search only ranks within it."""
    if wdl == 0:
        return 0.0
    if score * wdl > PROVEN:
        return in_men(score)
    return 88 * wdl + max(-1.0, min(1.0, score / 1000))


def plies_to_men(plies: int) -> float:
    """The score of a win in so many plies: ``100 - plies/100``, not below 91."""
    return 100 - min(plies, 900) / 100


def plies_of(score: int) -> int | None:
    """Plies to the end of a game that the moves alone decide; None for any other score."""
    return MATE - abs(score) if abs(score) > IN_TABLES else None


def category_of(score: int) -> str | None:
    """``win`` or ``loss`` if the score is proven, else None: a 0 is no proof of a draw."""
    if abs(score) <= PROVEN:
        return None
    return "win" if score > 0 else "loss"
