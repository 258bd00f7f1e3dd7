"""The search itself: one recursive kernel, principal variation search over one ply.

Positions lie in the frames of ``Work``: the node of a ply finds its position in its own frame and
writes the next one for its child. Values are from the view of the side to move, as in ``scores``.
"""

from __future__ import annotations

from typing import Any

from crownbase.board.bits import popcount
from crownbase.board.moves import (
    CAPTURED,
    FIELDS,
    FROM,
    KING_BEFORE,
    TO,
    captures,
    has_capture,
    play,
    quiet_moves,
    turn_board,
)
from crownbase.jit import kernel
from crownbase.search.cache import (
    EXACT,
    LOWER,
    NO_BOUND,
    UPPER,
    entry_bound,
    entry_depth,
    entry_move,
    entry_score,
    find_entry,
    store_entry,
)
from crownbase.search.evaluate import evaluate
from crownbase.search.order import came_before, keep_line, next_move, order_moves, remember_cut
from crownbase.search.scores import MATE, PROVEN
from crownbase.search.tables import UNKNOWN, solved_code, table_code, table_score
from crownbase.search.work import (
    CLOCK,
    CLOCK_LIMIT,
    COUNT,
    DRAWN_AT,
    FRAME,
    FRAMES,
    HINT,
    INNER,
    KEY,
    LINE,
    LINES,
    MAX_PLY,
    NEVER,
    NODE_LIMIT,
    NODES,
    OK,
    OM,
    ORDER,
    PAST,
    PATH,
    PK,
    PM,
    REVERSIBLE,
    ROOT_BEST,
    ROOT_EXACT,
    ROOT_MOVES,
    STAND,
    STOP,
    TABLE_HITS,
    TABLE_PIECES,
    Work,
    position_key,
)


@kernel
def stopped(w: Work) -> bool:
    """Whether the search must end: told from outside, or out of nodes."""
    d = w.data
    if d[NODE_LIMIT] != 0 and d[NODES] >= d[NODE_LIMIT]:
        d[STOP] = 1
    return d[STOP] != 0


@kernel
def enter(rules: Any, w: Work, ply: int, i: int) -> None:
    """Play move i of this ply: write the frame of the next one."""
    d = w.data
    at = FRAMES + ply * FRAME
    om, ok, pm, pk = play(rules, d[at + OM], d[at + OK], d[at + PM], d[at + PK], w.moves[ply], i)
    child = at + FRAME
    d[child + OM], d[child + OK], d[child + PM], d[child + PK] = om, ok, pm, pk
    d[child + KEY] = position_key(om, ok, pm, pk)
    d[PATH + d[PAST] + ply + 1] = d[child + KEY]
    move = i * FIELDS
    man = w.moves[ply][move + KING_BEFORE] == 0
    captured = w.moves[ply][move + CAPTURED] != 0
    row = w.moves[ply][move + FROM] // rules.width
    forward = man and w.moves[ply][move + TO] // rules.width != row
    d[child + REVERSIBLE] = 0 if captured or forward else d[at + REVERSIBLE] + 1
    converts = captured or (forward and rules.man_moves_convert)
    d[child + CLOCK] = 0 if converts else d[at + CLOCK] + 1


@kernel
def leaf_value(rules: Any, w: Work, ply: int) -> int:
    """The value where the search ends without proof."""
    d = w.data
    at = FRAMES + ply * FRAME
    return evaluate(rules, d[INNER], d[at + OM], d[at + OK], d[at + PM], d[at + PK])


@kernel
def threatened(rules: Any, w: Work, ply: int) -> bool:
    """Whether the opponent could capture if it were its turn."""
    d = w.data
    at = FRAMES + ply * FRAME
    return has_capture(
        rules,
        turn_board(rules, d[at + PM]),
        turn_board(rules, d[at + PK]),
        turn_board(rules, d[at + OM]),
        turn_board(rules, d[at + OK]),
    )


@kernel
def drawn_by_rule(rules: Any, w: Work, ply: int) -> bool:
    """Draws that need no look at the moves: one piece each (where it is so), repetition."""
    d = w.data
    at = FRAMES + ply * FRAME
    if rules.lone_pieces_draw:
        if popcount(d[at + OM] | d[at + OK]) == 1 and popcount(d[at + PM] | d[at + PK]) == 1:
            return True
    return ply > 0 and came_before(w, ply)


@kernel
def cached_answer(ply: int, depth: int, alpha: int, beta: int, entry: int) -> int:
    """The entry's score if it settles this node, else a number beyond all scores."""
    score = entry_score(entry, ply)
    bound = entry_bound(entry)
    if entry_depth(entry) < depth and abs(score) < PROVEN:
        return NEVER
    if bound == EXACT or (bound == LOWER and score >= beta) or (bound == UPPER and score <= alpha):
        return score
    return NEVER


@kernel
def settle(rules: Any, w: Work, ply: int, depth: int, alpha: int, beta: int) -> int:
    """The value of a node that needs no moves tried, else ``NEVER``.

    Then the frame's ``count``, ``hint`` and ``stand`` say what to try.
    """
    d = w.data
    at = FRAMES + ply * FRAME
    if drawn_by_rule(rules, w, ply):
        return 0
    om, ok, pm, pk = d[at + OM], d[at + OK], d[at + PM], d[at + PK]
    small = popcount(om | ok | pm | pk) <= d[TABLE_PIECES]
    d[at + HINT] = -1
    if depth > 0 and not small:
        entry = find_entry(w, d[at + KEY])
        d[at + HINT] = entry_move(entry)
        if entry_bound(entry) != NO_BOUND and beta - alpha == 1:
            score = cached_answer(ply, depth, alpha, beta, entry)
            if score != NEVER:
                return score
    if not small:
        code = solved_code(w, om, ok, pm, pk)
        if code != UNKNOWN:
            d[TABLE_HITS] += 1
            return table_score(code, ply)
    n = captures(rules, om, ok, pm, pk, w.moves[ply], w.state)
    forced = n > 0 and rules.captures_mandatory
    if small and not forced:
        code = table_code(rules, w, om, ok, pm, pk)
        if code != UNKNOWN:
            d[TABLE_HITS] += 1
            return table_score(code, ply)
    hops = n
    if not forced:
        n = quiet_moves(rules, om, ok, pm, pk, w.moves[ply], n)
        if n == 0:
            return ply - MATE
    if d[CLOCK_LIMIT] != 0 and d[at + CLOCK] >= d[CLOCK_LIMIT]:
        return 0
    if d[DRAWN_AT] != 0 and ply >= d[DRAWN_AT]:
        return 0
    d[at + STAND] = -MATE
    if ply >= MAX_PLY:
        return leaf_value(rules, w, ply)
    if depth <= 0 and not forced:
        if depth < 0 or not threatened(rules, w, ply):
            d[at + STAND] = leaf_value(rules, w, ply)
            if hops == 0 or d[at + STAND] >= beta:
                return d[at + STAND]
            n = hops
    d[at + COUNT] = n
    return NEVER


@kernel
def depth_below(rules: Any, w: Work, ply: int, depth: int, n: int, i: int) -> int:
    """How deep to search move i of n: forced captures and captures beyond the depth are free."""
    captured = w.moves[ply][i * FIELDS + CAPTURED] != 0
    if captured and rules.captures_mandatory and (n == 1 or depth <= 0):
        return depth
    return depth - 1


@kernel
def reduction(w: Work, ply: int, depth: int, tried: int, i: int) -> int:
    """How many plies less the first look at a late quiet move gets.

    Steep reductions are safe here: a proven score rests on moves and tables at any depth.
    """
    if depth < 3 or tried < 2 or w.moves[ply][i * FIELDS + CAPTURED] != 0:
        return 0
    less = 1
    if tried >= 4 and depth >= 5:
        less = 2
    if tried >= 8 and depth >= 8:
        less = 3
    return less + 1 if depth >= 16 else less


@kernel
def keep_value(w: Work, ply: int, depth: int, first: int, beta: int, best: int, move: int) -> None:
    """Store a node's value; *first* is the lower end of its window."""
    if depth <= 0:
        return
    bound = EXACT
    if best >= beta:
        bound = LOWER
    elif best <= first:
        bound = UPPER
    store_entry(w, w.data[FRAMES + ply * FRAME + KEY], ply, depth, best, bound, move)


@kernel
def search_node(rules: Any, w: Work, ply: int, depth: int, alpha: int, beta: int) -> int:
    """The value of the position of frame *ply*, searched *depth* plies and captures to the end.

    Fail-soft: a result outside (alpha, beta) is a bound.
    """
    d = w.data
    at = FRAMES + ply * FRAME
    d[NODES] += 1
    d[LINES + ply * LINE] = 0
    if stopped(w):
        return 0
    value = settle(rules, w, ply, depth, alpha, beta)
    if value != NEVER:
        return value
    n = d[at + COUNT]
    order_moves(w, ply, n, d[at + HINT])
    best = d[at + STAND]
    best_move = -1
    first = alpha
    alpha = max(alpha, best)
    for tried in range(n):
        i = next_move(w, ply, n)
        enter(rules, w, ply, i)
        below = depth_below(rules, w, ply, depth, n, i)
        if tried > 0:
            less = reduction(w, ply, depth, tried, i)
            value = -search_node(rules, w, ply + 1, below - less, -alpha - 1, -alpha)
            if less > 0 and value > alpha:
                value = -search_node(rules, w, ply + 1, below, -alpha - 1, -alpha)
        if tried == 0 or (alpha < value and value < beta and beta - alpha > 1):
            value = -search_node(rules, w, ply + 1, below, -beta, -alpha)
        if d[STOP] != 0:
            return 0
        if value > best:
            best = value
            best_move = i
            if value > alpha:
                alpha = value
                keep_line(w, ply, i)
            if value >= beta:
                remember_cut(w, ply, i, depth)
                break
    keep_value(w, ply, depth, first, beta, best, best_move)
    return best


@kernel
def search_root(rules: Any, w: Work, ply: int, depth: int, alpha: int, beta: int) -> int:
    """The value of the root, whose ROOT_MOVES moves lie in buffer *ply* = 0, best first.

    ROOT_BEST tells the best move (-1: stopped before the first was done). With ROOT_EXACT, the
    score of move i is left in the first slots of the order.
    """
    d = w.data
    best = -MATE
    d[ROOT_BEST] = -1
    for i in range(d[ROOT_MOVES]):
        enter(rules, w, ply, i)
        floor = alpha if d[ROOT_EXACT] == 0 else -MATE
        value = floor + 1
        if i > 0 and d[ROOT_EXACT] == 0:
            value = -search_node(rules, w, ply + 1, depth - 1, -floor - 1, -floor)
        if i == 0 or (value > floor and value < beta):
            value = -search_node(rules, w, ply + 1, depth - 1, -beta, -floor)
        if d[STOP] != 0:
            break
        d[ORDER + i] = value
        if value > best:
            best = value
            d[ROOT_BEST] = i
            if value > alpha:
                alpha = value
                keep_line(w, ply, i)
            if value >= beta:
                break
    return best
