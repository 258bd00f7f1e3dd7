"""Position <-> number: materials, ranks and the order of solving."""

from crownbase.index.binomial import BINOMIAL
from crownbase.index.material import (
    MAX_PIECES,
    MIN_PIECES,
    Material,
    slice_pairs,
    solving_key,
)
from crownbase.index.position import (
    count_positions,
    rank_position,
    slice_number,
    unrank_position,
)

INDEX_RULE = 1
"""Number of the index rule in ``position``; a table file names it."""

__all__ = [
    "BINOMIAL",
    "INDEX_RULE",
    "MAX_PIECES",
    "MIN_PIECES",
    "Material",
    "count_positions",
    "rank_position",
    "slice_number",
    "slice_pairs",
    "solving_key",
    "unrank_position",
]
