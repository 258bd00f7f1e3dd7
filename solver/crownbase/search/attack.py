"""Can one side win by force? Best-first proof by numbers (depth-first proof-number search).

Each position carries two numbers from the view of its side to move: *phi*, how many open
positions must turn out well for it to reach its aim, and *delta*, how many for it to fail (Allis
1994; the depth-first form with thresholds is Nagai's, 2002). The attacker's aim is the win, the
holder's is not to lose. Moves lead to the other side's view, so::

    phi = least delta of the children        delta = greatest phi of the children + the others

The search always goes on where the least is missing, up to thresholds beyond which a sibling or
cousin is more promising; numbers are kept in a table, so that nothing is lost on return. A
position that comes again on the path counts as nearly hopeless for the attacker, not as refuted:
so a 0 among the numbers rests on moves and tables only, in either direction.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from crownbase.jit import kernel
from crownbase.search.cache import EXACT, store_entry
from crownbase.search.evaluate import evaluate
from crownbase.search.judge import FOR_EVER, judge, question_key, settle_question
from crownbase.search.node import enter, stopped
from crownbase.search.order import came_before
from crownbase.search.work import (
    COUNT,
    FRAME,
    FRAMES,
    INNER,
    KEY,
    MAX_PLY,
    NEVER,
    NODES,
    OK,
    OM,
    PK,
    PM,
    STOP,
    Work,
)

INFINITY = 1 << 30
HOPELESS = 1 << 24
"""The number of a side that could only repeat."""
_MASK = (1 << 32) - 1
MASK, LEAF, STEP = range(3)


class Numbers(NamedTuple):
    """Numbers of the positions met: a bucket holds the two stored last, two words each."""

    entries: Any  # int64[buckets * 4]: key, phi << 32 | delta
    control: Any  # int64[4]: mask of buckets, depth of a leaf's search, evaluation per number


def make_numbers(bits: int, leaf: int, step: int) -> Numbers:
    """An empty table of 2**bits buckets, 32 bytes each."""
    made = Numbers(np.zeros(4 << bits, np.int64), np.zeros(4, np.int64))
    made.control[MASK], made.control[LEAF], made.control[STEP] = (1 << bits) - 1, leaf, step
    return made


@kernel
def find_numbers(t: Numbers, key: int) -> int:
    """phi << 32 | delta of a position, -1 if it is not in the table."""
    at = (key & t.control[MASK]) * 4
    if t.entries[at] == key:
        return t.entries[at + 1]
    if t.entries[at + 2] == key:
        return t.entries[at + 3]
    return -1


@kernel
def keep_numbers(w: Work, t: Numbers, key: int, phi: int, delta: int) -> None:
    """Store a position's numbers; a proof is for every search to know."""
    if phi == 0 or delta == 0:
        store_entry(w, key, 0, FOR_EVER, 1 if phi == 0 else -1, EXACT, -1)
    at = (key & t.control[MASK]) * 4
    if t.entries[at] != key:
        t.entries[at + 2] = t.entries[at]
        t.entries[at + 3] = t.entries[at + 1]
    t.entries[at] = key
    t.entries[at + 1] = phi << 32 | delta


@kernel
def first_numbers(rules: Any, w: Work, t: Numbers, ply: int, holder: int) -> int:
    """Numbers of a position that was not met before, from a short search or a guess."""
    d = w.data
    value = judge(rules, w, ply, t.control[LEAF], np.int64(-1), np.int64(1), holder)
    if value == 1:
        return INFINITY
    if value == -1:
        return INFINITY << 32
    at = FRAMES + ply * FRAME
    lead = evaluate(rules, d[INNER], d[at + OM], d[at + OK], d[at + PM], d[at + PK])
    if holder != 0:
        lead = -lead
    proof = 1 + max(0, 100 - lead) // t.control[STEP]
    doubt = 1 + max(0, lead) // t.control[STEP]
    return (doubt << 32 | proof) if holder != 0 else (proof << 32 | doubt)


@kernel
def child_numbers(rules: Any, w: Work, t: Numbers, ply: int, i: int, holder: int) -> int:
    """Play move i of *ply*, where *holder* tells who moves; the child's numbers, its view."""
    enter(rules, w, ply, i)
    mover = 1 - holder
    if ply + 1 >= MAX_PLY - 6 or came_before(w, ply + 1):
        return (1 << 32 | HOPELESS) if mover != 0 else (HOPELESS << 32 | 1)
    key = question_key(w.data[FRAMES + (ply + 1) * FRAME + KEY], mover)
    found = find_numbers(t, key)
    if found < 0:
        found = first_numbers(rules, w, t, ply + 1, mover)
        keep_numbers(w, t, key, found >> 32, found & _MASK)
    return found


@kernel
def attack(rules: Any, w: Work, t: Numbers, ply: int, most: int, doubt: int, holder: int) -> int:
    """Work on the position of frame *ply* until phi >= *most* or delta >= *doubt*.

    Both thresholds at most ``HOPELESS``: then a repeated position is never entered. Returns the
    position's numbers, phi << 32 | delta.
    """
    d = w.data
    d[NODES] += 1
    key = question_key(d[FRAMES + ply * FRAME + KEY], holder)
    value = settle_question(rules, w, ply, 1, holder)
    if value != NEVER:
        phi, delta = (0, INFINITY) if value == 1 else (INFINITY, 0)
        keep_numbers(w, t, key, phi, delta)
        return phi << 32 | delta
    while True:
        phi, second, widest, others, best = INFINITY, INFINITY, 0, 0, -1
        for i in range(d[FRAMES + ply * FRAME + COUNT]):
            numbers = child_numbers(rules, w, t, ply, i, holder)
            child_phi, child_delta = numbers >> 32, numbers & _MASK
            if child_phi > 0:
                others += 1
                widest = max(widest, child_phi)
            if child_delta < phi:
                second = phi
                phi, best = child_delta, i
            elif child_delta < second:
                second = child_delta
        delta = widest + others - 1
        if phi == 0:
            delta = INFINITY
        elif others == 0:
            phi, delta = INFINITY, 0
        if stopped(w):
            return phi << 32 | delta
        keep_numbers(w, t, key, phi, delta)
        if phi >= most or delta >= doubt:
            return phi << 32 | delta
        enter(rules, w, ply, best)
        child_doubt = min(most, second + second // 4 + 1)
        attack(rules, w, t, ply + 1, doubt - (others - 1), child_doubt, 1 - holder)
        if d[STOP] != 0:
            return phi << 32 | delta
