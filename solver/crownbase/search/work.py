"""The memory of one search: where its kernels keep moves, the path, the cache and the counters.

All of it lies in a handful of flat arrays, so that a recursive kernel passes few words to itself.
``data`` is divided by the offsets below; a *frame* is what a kernel knows of one ply::

    data = | control | frames, one a ply | killers | history | order | lines | path |

    frame = om ok pm pk   the position, mover's frame
            key           hash of the position
            reversible    plies since a move that can never be undone
            clock         plies since a conversion, as the draw clock counts
            count         moves to try, in the move buffer of this ply
            hint          the move that the cache advises, -1 = none
            stand         value of moving nothing more where the search may end, else lowest

Compiled kernels get NumPy arrays; plain ones get lists, whose integers cannot overflow.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from crownbase.board.moves import FIELDS, MAX_MOVES
from crownbase.index.position import SLICE_NUMBERS
from crownbase.jit import primitive
from crownbase.retro.rows import NOTHING_SOLVED

MAX_PLY = 100
"""Deepest ply of a search; the root is ply 0."""

MAX_PAST = 2048
"""Earlier positions of the game that a search remembers."""

# Control slots.
STOP, NODES, NODE_LIMIT, TABLE_HITS, TABLE_PIECES, PAST = 0, 1, 2, 3, 4, 5
CLOCK_LIMIT, CACHE_MASK, GENERATION, ROOT_MOVES, ROOT_BEST, ROOT_EXACT, INNER, SOLVED_PIECES = (
    6, 7, 8, 9, 10, 11, 12, 13,
)  # fmt: skip
REPEATS, DRAWN_AT = 14, 15
CONTROL = 16
"""STOP is polled by the kernel and may be set by another thread. TABLE_PIECES: largest position
that is looked up. PAST: earlier positions at the start of the path. ROOT_EXACT: every root move
gets an exact score. INNER: ``inner_mask``. SOLVED_PIECES: largest position that is looked up in
``Work.solved``, 0 = none. REPEATS: earlier occurrences in the game with which a position is drawn.
DRAWN_AT: the ply at which a game that is not won is drawn (move limit, class clocks), 0 = none."""

OM, OK, PM, PK, KEY, REVERSIBLE, CLOCK, COUNT, HINT, STAND = range(10)
FRAME = 10
FRAMES = CONTROL
KILLERS = FRAMES + FRAME * (MAX_PLY + 2)
HISTORY = KILLERS + 2 * (MAX_PLY + 2)
HISTORY_SIDE = 4096
ORDER = HISTORY + 2 * HISTORY_SIDE
LINES = ORDER + MAX_MOVES * (MAX_PLY + 2)
LINE = 1 + 3 * (MAX_PLY + 2)
"""A line: its length, then (start, end, captured) of each move."""
PATH = LINES + LINE * (MAX_PLY + 2)
SIZE = PATH + MAX_PAST + MAX_PLY + 2

NEVER = 1 << 30
"""No score: beyond all of them."""


class Work(NamedTuple):
    """What every search kernel gets besides the rules and the numbers of its node."""

    moves: Any  # int64[MAX_PLY + 2, MAX_MOVES * FIELDS], one move buffer a ply
    state: Any  # int64[3], scratch of the move generator
    data: Any  # int64[SIZE], see above
    cache: Any  # int64[buckets * 4], transposition table
    slices: Any  # int64[SLICE_NUMBERS], address of the packed values of a slice, 0 = not here
    solved: Any  # the context of a ReachSolver


def make_work(cache_bits: int = 18, plain: bool = False) -> Work:
    """Fresh memory with 2**cache_bits buckets of 32 bytes in its cache."""
    buckets = 1 << cache_bits
    if plain:
        rows: Any = [[0] * (MAX_MOVES * FIELDS) for _ in range(MAX_PLY + 2)]
        made = Work(
            rows, [0] * 3, [0] * SIZE, [0] * (buckets * 4), [0] * SLICE_NUMBERS, NOTHING_SOLVED
        )
    else:
        made = Work(
            np.zeros((MAX_PLY + 2, MAX_MOVES * FIELDS), np.int64),
            np.zeros(3, np.int64),
            np.zeros(SIZE, np.int64),
            np.zeros(buckets * 4, np.int64),
            np.zeros(SLICE_NUMBERS, np.int64),
            NOTHING_SOLVED,
        )
    made.data[CACHE_MASK] = buckets - 1
    return made


def clear_cache(work: Work) -> None:
    """Forget what earlier searches found."""
    if isinstance(work.cache, list):
        work.cache[:] = [0] * len(work.cache)
    else:
        work.cache.fill(0)


_MULTIPLIER = 0x9E3779B97F4A7C15  # 2**64 / golden ratio: Fibonacci hashing (Knuth 6.4)
_MASK64 = (1 << 64) - 1


def _emit_key(builder: Any, *boards: Any) -> Any:
    import llvmlite.ir as ir

    word = ir.IntType(64)
    key = ir.Constant(word, 0)
    for board in boards:
        key = builder.mul(builder.xor(key, board), ir.Constant(word, _MULTIPLIER))
        key = builder.xor(key, builder.lshr(key, ir.Constant(word, 29)))
    return key


@primitive("int64(int64, int64, int64, int64)", _emit_key)
def position_key(om: int, ok: int, pm: int, pk: int) -> int:
    """A 64-bit hash of a position in its mover's frame."""
    key = 0
    for board in (om, ok, pm, pk):
        key = ((key ^ (board & _MASK64)) * _MULTIPLIER) & _MASK64
        key ^= key >> 29
    return key - (1 << 64) if key >> 63 else key
