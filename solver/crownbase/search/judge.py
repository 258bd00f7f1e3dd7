"""Three answers about a position: held, lost, or not known; a search that knows no evaluation.

The question is always whether one side, the *holder*, gets at least a draw. Values are from the
view of the side to move: for the holder 1 = held, -1 = lost; for the attacker 1 = it wins,
-1 = it does not; 0 = open. Both 1 and -1 rest on moves and tables alone, at whatever depth they
were found, and on no path: a repetition is open. So the cache may keep them for ever, and they
are the same whichever colour holds: a position is stored by who moves, holder or attacker.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from crownbase.board.bits import popcount
from crownbase.board.moves import captures, quiet_moves
from crownbase.jit import kernel
from crownbase.search.cache import (
    EXACT,
    LOWER,
    NO_BOUND,
    UPPER,
    entry_bound,
    entry_depth,
    entry_move,
    find_entry,
    store_entry,
)
from crownbase.search.node import depth_below, enter, reduction, search_node, stopped
from crownbase.search.order import came_before, next_move, order_moves, remember_cut
from crownbase.search.scores import INFINITE
from crownbase.search.tables import LOST, UNKNOWN, WON, solved_code, table_code
from crownbase.search.work import (
    COUNT,
    FRAME,
    FRAMES,
    HINT,
    KEY,
    LINE,
    LINES,
    MAX_PLY,
    NEVER,
    NODE_LIMIT,
    NODES,
    OK,
    OM,
    PAST,
    PATH,
    PK,
    PM,
    REVERSIBLE,
    STOP,
    TABLE_HITS,
    TABLE_PIECES,
    Work,
    position_key,
)

FOR_EVER = 255
"""Depth of a cache entry that no search can better."""
_SALT = 0x5DEECE66D
_BIAS = 1 << 15


@kernel
def question_key(key: int, holder: int) -> int:
    """The cache's key of a position; *holder*: 1 if the side to move is to hold, else 0."""
    return key ^ (_SALT + holder * 0x2545F491)


@kernel
def known_value(w: Work, key: int, depth: int, alpha: int, beta: int) -> int:
    """What the cache says of a position, else ``NEVER``; leaves nothing behind."""
    entry = find_entry(w, key)
    bound = entry_bound(entry)
    if bound == NO_BOUND:
        return NEVER
    value = (entry & 0xFFFF) - _BIAS
    if value != 0:
        return value
    if entry_depth(entry) < depth:
        return NEVER
    if bound == EXACT or (bound == LOWER and beta <= 0) or (bound == UPPER and alpha >= 0):
        return 0
    return NEVER


@kernel
def leaf_value(code: int, holder: int) -> int:
    """A table's code as the answer for the side to move."""
    if holder != 0:
        return -1 if code == LOST else 1
    return 1 if code == WON else -1


@kernel
def settle_question(rules: Any, w: Work, ply: int, depth: int, holder: int) -> int:
    """The answer at a node that needs no moves tried, else ``NEVER``; then ``count`` is set."""
    d = w.data
    at = FRAMES + ply * FRAME
    om, ok, pm, pk = d[at + OM], d[at + OK], d[at + PM], d[at + PK]
    if rules.lone_pieces_draw and popcount(om | ok) == 1 and popcount(pm | pk) == 1:
        return 1 if holder != 0 else -1
    small = popcount(om | ok | pm | pk) <= d[TABLE_PIECES]
    if not small:
        code = solved_code(w, om, ok, pm, pk)
        if code != UNKNOWN:
            d[TABLE_HITS] += 1
            return leaf_value(code, holder)
    n = captures(rules, om, ok, pm, pk, w.moves[ply], w.state)
    forced = n > 0 and rules.captures_mandatory
    if not forced:
        if small:
            code = table_code(rules, w, om, ok, pm, pk)
            if code != UNKNOWN:
                d[TABLE_HITS] += 1
                return leaf_value(code, holder)
        n = quiet_moves(rules, om, ok, pm, pk, w.moves[ply], n)
        if n == 0:
            return -1
        if depth <= 0:
            return 0
    d[at + COUNT] = n
    return NEVER if ply < MAX_PLY else 0


@kernel
def judge(rules: Any, w: Work, ply: int, depth: int, alpha: int, beta: int, holder: int) -> int:
    """The answer for the position of frame *ply*, *depth* plies and captures deep."""
    d = w.data
    at = FRAMES + ply * FRAME
    d[NODES] += 1
    d[LINES + ply * LINE] = 0
    if stopped(w):
        return 0
    if ply > 0 and came_before(w, ply):
        return 0
    key = question_key(d[at + KEY], holder)
    small = popcount(d[at + OM] | d[at + OK] | d[at + PM] | d[at + PK]) <= d[TABLE_PIECES]
    d[at + HINT] = -1
    if not small:
        value = known_value(w, key, depth, alpha, beta)
        if value != NEVER:
            return value
        d[at + HINT] = entry_move(find_entry(w, key))
    value = settle_question(rules, w, ply, depth, holder)
    if value != NEVER:
        return value
    n = d[at + COUNT]
    order_moves(w, ply, n, d[at + HINT])
    best, best_move, first = -1, -1, alpha
    for tried in range(n):
        i = next_move(w, ply, n)
        enter(rules, w, ply, i)
        below = depth_below(rules, w, ply, depth, n, i)
        less = reduction(w, ply, depth, tried, i)
        value = -judge(rules, w, ply + 1, below - less, -beta, -alpha, 1 - holder)
        if less > 0 and value > alpha and value < 1:
            value = -judge(rules, w, ply + 1, below, -beta, -alpha, 1 - holder)
        if d[STOP] != 0:
            return 0
        if value > best or best_move < 0:
            best = value
            best_move = i
            alpha = max(alpha, value)
            if value >= beta:
                remember_cut(w, ply, i, depth)
                break
    if not small and depth > 0:
        if best != 0:
            store_entry(w, key, ply, FOR_EVER, best, EXACT, best_move)
        else:
            bound = LOWER if best >= beta else UPPER if best <= first else EXACT
            store_entry(w, key, ply, depth, best, bound, best_move)
    return best


@kernel
def set_question(w: Work, om: int, ok: int, pm: int, pk: int) -> None:
    """Make a position the root of the next ``judge``."""
    d = w.data
    at = FRAMES
    d[at + OM], d[at + OK], d[at + PM], d[at + PK] = om, ok, pm, pk
    d[at + KEY] = position_key(om, ok, pm, pk)
    d[at + REVERSIBLE] = 0
    d[PAST] = 0
    d[PATH] = d[at + KEY]


@kernel
def judge_deeper(rules: Any, w: Work, depth: int, most: int, holder: int) -> int:
    """The answer for the root of ``set_question``, first from short searches, then deeper ones.

    *most*: positions to visit at most; then the answer is open.
    """
    d = w.data
    limit = d[NODE_LIMIT]
    d[NODE_LIMIT] = d[NODES] + max(most, 1)
    value = 0
    for shorter in range(2, depth + 1, 2):
        value = judge(rules, w, np.int64(0), shorter, np.int64(-1), np.int64(1), holder)
        if value != 0 or d[STOP] != 0:
            break
    if d[NODES] >= d[NODE_LIMIT]:
        d[STOP] = 0
    d[NODE_LIMIT] = limit
    return value


@kernel
def weigh(rules: Any, w: Work, depth: int) -> int:
    """What the ordinary search thinks of the root of ``set_question``, to its side to move."""
    limit = w.data[NODE_LIMIT]
    w.data[NODE_LIMIT] = 0
    value = search_node(rules, w, np.int64(0), depth, np.int64(-INFINITE), np.int64(INFINITE))
    w.data[NODE_LIMIT] = limit
    return value
