"""Can one side hold at least a draw? The local solution of a safety game.

Going round in circles holds, so this is a greatest fixpoint: every position that is met is taken
to be held until it is refuted, and refutations run backwards along the edges by which positions
rest on each other (Liu and Smolka 1998). A position of the *holder* rests on ONE move, its present
choice; one of the *attacker* rests on all. Table values and finished games are known at once::

    attacker to move   refuted if one successor is lost for the holder or refuted
    holder to move     refuted if all are; until then it moves on to another choice

When no position waits any more and the root stands, the choices are a strategy that never loses.
If the root is refuted, the attacker wins by force. Both are proofs; only memory or time end the
work without an answer, and then it can go on where it stopped.

Nodes keep their positions in full; only answers of searches come from the cache by hash. All
arrays belong to one ``Hold``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from crownbase.board.bits import popcount
from crownbase.board.moves import FIELDS, MAX_MOVES, has_capture, legal_moves, play
from crownbase.jit import kernel
from crownbase.search.cache import EXACT, store_entry
from crownbase.search.evaluate import evaluate
from crownbase.search.judge import (
    FOR_EVER,
    judge_deeper,
    known_value,
    question_key,
    set_question,
    weigh,
)
from crownbase.search.tables import LOST, UNKNOWN, WON, solved_code, table_code
from crownbase.search.work import (
    INNER,
    NODES,
    SOLVED_PIECES,
    STOP,
    TABLE_HITS,
    TABLE_PIECES,
    Work,
    position_key,
)

MET, EDGES, WAITING, REFUTATIONS, ROOT, CAPACITY, EDGE_CAPACITY, TABLE_MASK, FULL = range(9)
DEPTH, MOST = 9, 10
"""Slots of ``Hold.control``; FULL: memory ran out. DEPTH: plies that every
position is searched, MOST: positions such a search may visit."""

HOLDER_MOVES, QUEUED, SAFE = 1, 2, 4
"""Bits of FLAGS; SAFE: a search says that it is held."""

GOOD, BAD, OPEN = 1, -1, 0
_KNOWN_BONUS = 60
"""Hundredths of a man by which a choice may be worse that needs no new position."""
_PRICE = 20
"""A node takes as long as so many positions of a search, besides the searches there."""
_RANK_DEPTH = 6
"""Plies of the search that ranks the choices, if positions are searched at all."""
_LOWEST = -(1 << 40)


class Hold(NamedTuple):
    """Positions met so far and how they rest on each other. Node 0 is the root.

    A node is one cache line of ``nodes``, eight words: four bit boards, then FLAGS; REFUTED, 0 if
    it stands, else the order of its refutation from 1; CHOICE, the node on which a holder's
    position rests, -1 for a safe leaf; RESTING, the first edge of those that rest on it, 0 = none.
    """

    nodes: Any  # int64[capacity * 8]
    edges: Any  # int64[edge capacity * 2]: node that rests, next edge
    places: Any  # int64[2**k], hash table of node + 1
    waiting: Any  # int64[capacity + 1], stack of nodes to look at
    failing: Any  # int64[capacity + 1], stack of nodes whose refutation must be told
    control: Any  # int64[16]
    buffer: Any  # int64[MAX_MOVES * FIELDS]
    found: Any  # int64[MAX_MOVES], class of each move's position
    state: Any  # int64[3]


NODE = 8
FLAGS, REFUTED, CHOICE, RESTING = 4, 5, 6, 7
BYTES_PER_NODE = NODE * 8 + 2 * 8 + 4 * 16 + 2 * 8


def make_hold(capacity: int) -> Hold:
    """Memory for so many positions, ``BYTES_PER_NODE`` each."""
    places = 1 << max(4, (3 * capacity // 2).bit_length())
    edges = 4 * capacity
    control = np.zeros(16, np.int64)
    control[CAPACITY], control[EDGE_CAPACITY], control[TABLE_MASK] = capacity, edges, places - 1
    control[EDGES] = 1  # edge 0 means none

    def words(size: int) -> np.ndarray:
        return np.zeros(size, np.int64)

    return Hold(
        nodes=words(capacity * NODE),
        edges=words(edges * 2),
        places=words(places),
        waiting=words(capacity + 1),
        failing=words(capacity + 1),
        control=control,
        buffer=words(MAX_MOVES * FIELDS),
        found=words(MAX_MOVES),
        state=words(3),
    )


@kernel
def find_place(h: Hold, om: int, ok: int, pm: int, pk: int, side: int) -> int:
    """Where a position with *side* = ``HOLDER_MOVES`` or 0 is in the hash table, or would be."""
    mask = h.control[TABLE_MASK]
    x = h.nodes
    at = (position_key(om, ok, pm, pk) ^ side * 0x9E37) & mask
    while h.places[at] != 0:
        b = (h.places[at] - 1) * NODE
        if x[b] == om and x[b + 1] == ok and x[b + 2] == pm and x[b + 3] == pk:
            if x[b + FLAGS] & HOLDER_MOVES == side:
                return at
        at = (at + 1) & mask
    return at


@kernel
def add_node(h: Hold, om: int, ok: int, pm: int, pk: int, side: int) -> int:
    """The node of a position, new and waiting if it was not met before; -1 = memory is full."""
    at = find_place(h, om, ok, pm, pk, side)
    if h.places[at] != 0:
        return h.places[at] - 1
    c = h.control
    node = c[MET]
    if node == c[CAPACITY]:
        c[FULL] = 1
        return -1
    c[MET] = node + 1
    x, b = h.nodes, node * NODE
    x[b], x[b + 1], x[b + 2], x[b + 3] = om, ok, pm, pk
    x[b + FLAGS] = side
    x[b + CHOICE] = -1
    h.places[at] = node + 1
    wait(h, node)
    return node


@kernel
def wait(h: Hold, node: int) -> None:
    """Put a node on the stack of those to look at."""
    if h.nodes[node * NODE + FLAGS] & QUEUED == 0:
        h.nodes[node * NODE + FLAGS] |= QUEUED
        h.waiting[h.control[WAITING]] = node
        h.control[WAITING] += 1


@kernel
def rest_on(h: Hold, node: int, support: int) -> None:
    """Note that *node* rests on *support*."""
    c = h.control
    edge = c[EDGES]
    if edge == c[EDGE_CAPACITY]:
        c[FULL] = 1
        return
    c[EDGES] = edge + 1
    h.edges[edge * 2] = node
    h.edges[edge * 2 + 1] = h.nodes[support * NODE + RESTING]
    h.nodes[support * NODE + RESTING] = edge


@kernel
def mark_refuted(w: Work, h: Hold, node: int) -> None:
    """Give a node its place in the order of refutations, and let every search know."""
    h.control[REFUTATIONS] += 1
    x, b = h.nodes, node * NODE
    x[b + REFUTED] = h.control[REFUTATIONS]
    holder = x[b + FLAGS] & HOLDER_MOVES
    key = question_key(position_key(x[b], x[b + 1], x[b + 2], x[b + 3]), holder)
    store_entry(w, key, 0, FOR_EVER, 1 - 2 * holder, EXACT, -1)


@kernel
def examine(rules: Any, w: Work, h: Hold, node: int, holder: int) -> int:
    """What a short search says of a node, from the view of its side to move."""
    if h.control[DEPTH] == 0:
        return 0
    x, b = h.nodes, node * NODE
    set_question(w, x[b], x[b + 1], x[b + 2], x[b + 3])
    return judge_deeper(rules, w, h.control[DEPTH], h.control[MOST], holder)


@kernel
def worth(rules: Any, w: Work, h: Hold, om: int, ok: int, pm: int, pk: int) -> int:
    """What a position seems to be worth to its side to move."""
    if h.control[DEPTH] == 0:
        return evaluate(rules, w.data[INNER], om, ok, pm, pk)
    set_question(w, om, ok, pm, pk)
    return weigh(rules, w, np.int64(_RANK_DEPTH))


@kernel
def refute(w: Work, h: Hold, node: int) -> None:
    """Refute a node and all that falls with it."""
    mark_refuted(w, h, node)
    h.failing[0] = node
    count = 1
    while count > 0:
        count -= 1
        fallen = h.failing[count]
        edge = h.nodes[fallen * NODE + RESTING]
        while edge != 0:
            other = h.edges[edge * 2]
            edge = h.edges[edge * 2 + 1]
            b = other * NODE
            if h.nodes[b + REFUTED] != 0:
                continue
            if h.nodes[b + FLAGS] & HOLDER_MOVES == 0:
                mark_refuted(w, h, other)
                h.failing[count] = other
                count += 1
            elif h.nodes[b + CHOICE] == fallen:
                wait(h, other)


@kernel
def leaf_class(rules: Any, w: Work, om: int, ok: int, pm: int, pk: int, side: int) -> int:
    """``GOOD`` or ``BAD`` for the holder if tables tell, else ``OPEN``."""
    if rules.lone_pieces_draw and popcount(om | ok) == 1 and popcount(pm | pk) == 1:
        return GOOD
    if om | ok == 0:
        return BAD if side == HOLDER_MOVES else GOOD
    if popcount(om | ok | pm | pk) > w.data[TABLE_PIECES]:
        code = solved_code(w, om, ok, pm, pk)
    elif rules.captures_mandatory and has_capture(rules, om, ok, pm, pk):
        return OPEN
    else:
        code = table_code(rules, w, om, ok, pm, pk)
    if code == UNKNOWN:
        return OPEN
    w.data[TABLE_HITS] += 1
    lost = LOST if side == HOLDER_MOVES else WON
    return BAD if code == lost else GOOD


@kernel
def node_moves(rules: Any, h: Hold, node: int) -> int:
    """Write the legal moves of a node into the buffer; their number."""
    x, b = h.nodes, node * NODE
    return legal_moves(rules, x[b], x[b + 1], x[b + 2], x[b + 3], h.buffer, h.state)


@kernel
def node_child(rules: Any, h: Hold, node: int, i: int) -> tuple[int, int, int, int]:
    """The position after move i of the buffer."""
    x, b = h.nodes, node * NODE
    return play(rules, x[b], x[b + 1], x[b + 2], x[b + 3], h.buffer, i)


@kernel
def met_node(h: Hold, om: int, ok: int, pm: int, pk: int, side: int) -> int:
    """The node of a position, -1 if it was not met."""
    return h.places[find_place(h, om, ok, pm, pk, side)] - 1


@kernel
def choose(rules: Any, w: Work, h: Hold, node: int, n: int) -> None:
    """Let a holder's position rest on its most promising move that stands; refute it if none."""
    answer = examine(rules, w, h, node, np.int64(1))
    if answer > 0:
        h.nodes[node * NODE + CHOICE] = -1
        h.nodes[node * NODE + FLAGS] |= SAFE
        return
    if answer < 0:
        refute(w, h, node)
        return
    best, best_rank = -1, _LOWEST
    for i in range(n):
        a, k, c, d = node_child(rules, h, node, i)
        leaf = leaf_class(rules, w, a, k, c, d, 0)
        if leaf == GOOD:
            h.nodes[node * NODE + CHOICE] = -1
            return
        if leaf == BAD:
            continue
        known = known_value(w, question_key(position_key(a, k, c, d), 0), 0, -1, 1)
        if known == 1:
            continue
        rank = -worth(rules, w, h, a, k, c, d)
        met = met_node(h, a, k, c, d, 0)
        if met >= 0:
            if h.nodes[met * NODE + REFUTED] != 0:
                continue
            rank += _KNOWN_BONUS
        if rank > best_rank:
            best, best_rank = i, rank
    if best < 0:
        refute(w, h, node)
        return
    a, k, c, d = node_child(rules, h, node, best)
    child = add_node(h, a, k, c, d, 0)
    if child >= 0:
        h.nodes[node * NODE + CHOICE] = child
        rest_on(h, node, child)


@kernel
def face_all(rules: Any, w: Work, h: Hold, node: int, n: int) -> None:
    """Let an attacker's position rest on all its moves; refute it if one is lost.

    The most dangerous one, by the evaluation, will be looked at first.
    """
    answer = examine(rules, w, h, node, np.int64(0))
    if answer > 0:
        refute(w, h, node)
        return
    if answer < 0:
        h.nodes[node * NODE + FLAGS] |= SAFE
        return
    worst, danger = -1, -_LOWEST
    for i in range(n):
        a, k, c, d = node_child(rules, h, node, i)
        h.found[i] = leaf_class(rules, w, a, k, c, d, HOLDER_MOVES)
        if h.found[i] == OPEN:
            met = met_node(h, a, k, c, d, HOLDER_MOVES)
            if met >= 0 and h.nodes[met * NODE + REFUTED] != 0:
                h.found[i] = BAD
            elif known_value(w, question_key(position_key(a, k, c, d), 1), 0, -1, 1) == 1:
                h.found[i] = GOOD
            elif met < 0:
                value = worth(rules, w, h, a, k, c, d)
                if value < danger:
                    worst, danger = i, value
        if h.found[i] == BAD:
            refute(w, h, node)
            return
    for j in range(n + 1):
        i = j if j < n else worst
        if i < 0 or h.found[i] != OPEN or (j < n and i == worst):
            continue
        a, k, c, d = node_child(rules, h, node, i)
        child = add_node(h, a, k, c, d, HOLDER_MOVES)
        if child < 0:
            return
        rest_on(h, node, child)


@kernel
def recognise(rules: Any, w: Work, h: Hold, node: int) -> bool:
    """Whether a node was solved since it was met; then it is safe, or refuted."""
    x, b = h.nodes, node * NODE
    if w.data[SOLVED_PIECES] == 0:
        return False
    side = x[b + FLAGS] & HOLDER_MOVES
    leaf = leaf_class(rules, w, x[b], x[b + 1], x[b + 2], x[b + 3], side)
    if leaf == GOOD:
        x[b + FLAGS] |= SAFE
        x[b + CHOICE] = -1
    elif leaf == BAD:
        refute(w, h, node)
    return leaf != OPEN


@kernel
def settle_hold(rules: Any, w: Work, h: Hold, work: int) -> int:
    """Work on: look at waiting nodes until the searches there visited *work* positions.

    The root is answered when nothing waits, or when it is refuted; ``FULL`` or ``STOP`` end it.
    """
    c = h.control
    first = w.data[NODES]
    while c[WAITING] > 0 and h.nodes[REFUTED] == 0 and c[FULL] == 0:
        if w.data[NODES] - first >= work:
            break
        if w.data[STOP] != 0:
            break
        c[WAITING] -= 1
        node = h.waiting[c[WAITING]]
        b = node * NODE
        h.nodes[b + FLAGS] &= ~QUEUED
        if h.nodes[b + REFUTED] != 0:
            continue
        if node > 0 and recognise(rules, w, h, node):
            continue
        w.data[NODES] += _PRICE
        n = node_moves(rules, h, node)
        if h.nodes[b + FLAGS] & HOLDER_MOVES == 0:
            face_all(rules, w, h, node, n)
        else:
            choose(rules, w, h, node, n)
    return w.data[NODES] - first
