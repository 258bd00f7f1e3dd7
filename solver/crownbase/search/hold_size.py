"""How large the proof is that a ``Hold`` has found."""

from __future__ import annotations

from typing import Any

from crownbase.jit import kernel
from crownbase.search.hold import (
    BAD,
    CHOICE,
    FLAGS,
    HOLDER_MOVES,
    NODE,
    OPEN,
    REFUTED,
    SAFE,
    Hold,
    leaf_class,
    met_node,
    node_child,
    node_moves,
)
from crownbase.search.work import NEVER, Work

_IN_PROOF = 8
"""One more bit of FLAGS."""


@kernel
def proof_size(rules: Any, w: Work, h: Hold) -> int:
    """How many positions the proof has that answers the root. Only once, after the answer.

    Held: the holder's choices and all moves of the attacker. Refuted: the attacker's earliest
    refutation of each position and all moves of the holder.
    """
    count = 1
    h.failing[0] = 0
    h.nodes[FLAGS] |= _IN_PROOF
    done = 0
    while done < count:
        node = h.failing[done]
        done += 1
        if h.nodes[node * NODE + FLAGS] & SAFE != 0:
            continue
        holder = h.nodes[node * NODE + FLAGS] & HOLDER_MOVES
        if holder != 0 and h.nodes[REFUTED] == 0:
            if h.nodes[node * NODE + CHOICE] >= 0:
                count = into_proof(h, h.nodes[node * NODE + CHOICE], count)
            continue
        n = node_moves(rules, h, node)
        picked = earliest_refuted(rules, w, h, node, n) if h.nodes[REFUTED] != 0 else -2
        for i in range(n):
            a, k, c, d = node_child(rules, h, node, i)
            if leaf_class(rules, w, a, k, c, d, HOLDER_MOVES - holder) != OPEN:
                continue
            child = met_node(h, a, k, c, d, HOLDER_MOVES - holder)
            if child >= 0 and (holder != 0 or picked == -2 or picked == i):
                count = into_proof(h, child, count)
    return count


@kernel
def into_proof(h: Hold, node: int, count: int) -> int:
    """Add a node to the proof's queue if it is not in it; the new length of the queue."""
    if h.nodes[node * NODE + FLAGS] & _IN_PROOF != 0:
        return count
    h.nodes[node * NODE + FLAGS] |= _IN_PROOF
    h.failing[count] = node
    return count + 1


@kernel
def earliest_refuted(rules: Any, w: Work, h: Hold, node: int, n: int) -> int:
    """The attacker's move into a lost position, or into the one that was refuted first; -1."""
    best, order = -1, NEVER
    for i in range(n):
        a, k, c, d = node_child(rules, h, node, i)
        leaf = leaf_class(rules, w, a, k, c, d, HOLDER_MOVES)
        if leaf == BAD:
            return i
        if leaf == OPEN:
            met = met_node(h, a, k, c, d, HOLDER_MOVES)
            if met >= 0 and 0 < h.nodes[met * NODE + REFUTED] < order:
                best, order = i, h.nodes[met * NODE + REFUTED]
    return best
