"""The scalar solver's kernels: one class of positions at a time, one position after the other.

A class (see ``groups``) is solved for both sides to move together. Side 0 is the slice itself,
side 1 its mirror, where the other side moves. Inside, a position is the number::

    y = side * Z + (group * placements(opponent's kings) + rank(opponent's kings))
                   * placements(own kings) + rank(own kings)

with ranks over the whole board (``tables``). Reversible moves stay in the class; all others
("leaving" moves: captures, moves of men) lead to values that are known already.

1. ``open_class``: for every position, what leaving moves give: the quickest win, the slowest loss,
   an escape; and how many reversible moves there are.
2. ``propagate``: rounds d = 0, 1, 2, ...: what is decided in d plies is pushed to the positions
   one reversible move earlier. A loss makes them wins in d + 1; a win takes one of their moves
   away, and when none is left they are lost. So the round IS the distance.
3. What is never reached is a draw.

With a draw clock of N plies, phase 1 counts only what keeps the value under the clock and stops
after round N; phase 2 decides the rest as cursed wins and blessed losses.

A position that waits for a later round (its value comes from a leaving move, or its slowest loss
does) hangs in the list ``head[round]``, linked through ``next``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from crownbase.board.bits import lowest, popcount
from crownbase.board.moves import captures, full_board, play, turn_board
from crownbase.index.binomial import BINOMIAL, rank_set
from crownbase.index.position import rank_group, rank_position, slice_number
from crownbase.jit import kernel
from crownbase.retro.values import CURSED, LOST_NOW, distance, is_cursed, load16

CLOSED = 255
"""``left`` of a position without reversible moves, or of no position at all."""
SAFE = 254
"""``left`` of a position that cannot be lost by running out of moves."""

_NEVER = 1 << 20
_WIN, _LOSS, _ESCAPE, _INNER, _UNSURE = 0, 1, 2, 3, 4  # slots of ``gain``
MAX_ROUNDS = 8190


class Task(NamedTuple):
    """What one run of the kernel needs besides its work space; numbers are int64.

    Attributes:
        addresses: int64[SLICE_NUMBERS], where the int16 values of each slice lie.
        own, opponent, order, first, mirror: see ``Groups``.
        local: int32[groups], place of a group within its class.
        masks_k, turned_k, first_k, steps_k: ``KingTables`` of the own kings of side 0.
        masks_b, turned_b, first_b, steps_b: the same of the opponent's.
        out0, out1: int16[positions], values of the slice and of its mirror.
    """

    addresses: np.ndarray
    own: np.ndarray
    opponent: np.ndarray
    order: np.ndarray
    first: np.ndarray
    mirror: np.ndarray
    local: np.ndarray
    masks_k: np.ndarray
    turned_k: np.ndarray
    first_k: np.ndarray
    steps_k: np.ndarray
    masks_b: np.ndarray
    turned_b: np.ndarray
    first_b: np.ndarray
    steps_b: np.ndarray
    out0: np.ndarray
    out1: np.ndarray


class Work(NamedTuple):
    """Work space of one thread for the largest class; 2Z positions.

    Attributes:
        left: uint8[2Z], reversible moves that are not yet known to lose, or CLOSED, SAFE.
        value: int16[2Z], value code, 0 = not decided.
        pending: int16[2Z], the code that leaving moves give, until its round comes.
        next, queue: int32[2Z], links of waiting positions; decided positions in order.
        head: int32[MAX_ROUNDS + 2], first waiting position of each round, -1 = none.
        men: int64[2, groups of a class, 2], own and opponent's men of each side.
        twin: int32[groups of a class], place of the mirrored group seen from the other side.
        buffer, state: see ``board.moves``.
        gain: int64[5], what the leaving moves of one position give.
        tally: int64[4], queue end, waiting positions, whether a clock cut something off, spare.
    """

    left: np.ndarray
    value: np.ndarray
    pending: np.ndarray
    next: np.ndarray
    queue: np.ndarray
    head: np.ndarray
    men: np.ndarray
    twin: np.ndarray
    buffer: np.ndarray
    state: np.ndarray
    gain: np.ndarray
    tally: np.ndarray


_END, _WAITING, _CUT = 0, 1, 2


@kernel(inline=True)
def lookup(rules: Any, addresses: Any, om: int, ok: int, pm: int, pk: int) -> int:
    """The value code of a position of a solved slice, or of a finished game."""
    own = om | ok
    if own == 0:
        return LOST_NOW
    if rules.lone_pieces_draw and popcount(own) == 1 and popcount(pm | pk) == 1:
        return 0
    number = slice_number(popcount(om), popcount(ok), popcount(pm), popcount(pk))
    return load16(addresses[number], rank_position(rules, om, ok, pm, pk))


NO_GAIN = 1 << 20
"""What ``best_of`` says if a phase does not decide."""


@kernel(inline=True)
def clear_gain(gain: Any) -> None:
    """Forget all moves."""
    gain[_WIN] = _NEVER
    gain[_LOSS] = 0
    gain[_ESCAPE] = 0
    gain[_INNER] = 0
    gain[_UNSURE] = 0


@kernel(inline=True)
def best_of(gain: Any, phase: int) -> int:
    """The value code of a position all of whose moves were weighed; NO_GAIN if undecided."""
    mark = CURSED if phase == 2 else 0
    if gain[_WIN] < _NEVER:
        return gain[_WIN] + mark
    if gain[_ESCAPE] == 0 and gain[_INNER] == 0:
        return ~(gain[_LOSS] + mark)
    return NO_GAIN


@kernel(inline=True)
def weigh(code: int, adds: bool, phase: int, limit: int, gain: Any) -> None:
    """Add a move to ``gain``: *code* is the value after it, for the opponent.

    ``adds``: the distance goes on through this move; otherwise it is a conversion.
    """
    if code == 0:
        gain[_ESCAPE] = 1
        return
    plies = distance(code) + 1 if adds else 1
    sure = not is_cursed(code) and plies <= limit
    if not sure:
        gain[_UNSURE] = 1
    if code < 0:
        if sure or phase == 2:
            gain[_WIN] = min(gain[_WIN], plies)
        else:
            gain[_ESCAPE] = 1
    elif phase == 1:
        if sure:
            gain[_LOSS] = max(gain[_LOSS], plies)
        else:
            gain[_ESCAPE] = 1
    elif not sure:
        gain[_LOSS] = max(gain[_LOSS], plies)


@kernel(inline=True)
def weigh_inner(code: int, phase: int, limit: int, gain: Any) -> None:
    """Count a reversible move; in phase 2 what is decided already is weighed instead."""
    if code == 0:
        gain[_INNER] += 1
    else:
        weigh(code, True, phase, limit, gain)


@kernel(inline=True)
def wait_for(y: int, code: int, work: Any) -> None:
    """Let a position be decided in the round of its code."""
    d = distance(code)
    work.pending[y] = code
    work.next[y] = work.head[d]
    work.head[d] = y
    work.tally[_WAITING] += 1


@kernel(inline=True)
def settle(y: int, closed: bool, work: Any) -> None:
    """Turn ``gain`` into the state of a position before the first round."""
    gain = work.gain
    work.left[y] = CLOSED if closed else SAFE
    work.tally[_CUT] |= gain[_UNSURE]
    if gain[_WIN] < _NEVER:
        wait_for(y, gain[_WIN], work)
    elif gain[_ESCAPE] == 0:
        if gain[_INNER] == 0:
            work.left[y] = CLOSED
            wait_for(y, ~gain[_LOSS], work)
        else:
            work.left[y] = gain[_INNER]
            work.pending[y] = ~gain[_LOSS]


@kernel(inline=True)
def inner_value(
    rules: Any, task: Any, work: Any, other: int, om: int, ok: int, pm: int, pk: int, m: int
) -> int:
    """The value of a position of this class for the side ``other``, given in its own frame."""
    own, opponent = (task.masks_b, task.masks_k) if other == 1 else (task.masks_k, task.masks_b)
    at = (m * opponent.shape[0] + rank_set(pk, 0)) * own.shape[0] + rank_set(ok, 0)
    return work.value[(work.value.shape[0] // 2) * other + at]


@kernel(inline=True)
def open_position(
    rules: Any, task: Any, work: Any, y: int, om: int, ok: int, pm: int, pk: int, m: int,
    other: int, accumulate: bool, phase: int, limit: int,
) -> None:  # fmt: skip
    """Weigh all moves of one position and settle it."""
    gain = work.gain
    clear_gain(gain)
    n = captures(rules, om, ok, pm, pk, work.buffer, work.state)
    for i in range(n):
        om2, ok2, pm2, pk2 = play(rules, om, ok, pm, pk, work.buffer, i)
        code = lookup(rules, task.addresses, om2, ok2, pm2, pk2)
        weigh(code, accumulate, phase, limit, gain)
    if n > 0 and rules.captures_mandatory:
        settle(y, True, work)
        return
    empty = full_board(rules) & ~(om | ok | pm | pk)
    pm2, pk2 = turn_board(rules, pm), turn_board(rules, pk)
    rest = om
    while rest != 0:
        s = lowest(rest)
        rest &= rest - 1
        for d in range(rules.man_moves):
            t = rules.neighbour[s * 4 + d]
            if t < 0 or not (empty >> t) & 1:
                continue
            men = om & ~(1 << s)
            kings = ok
            if t < rules.width:
                kings |= 1 << t
            else:
                men |= 1 << t
            men, kings = turn_board(rules, men), turn_board(rules, kings)
            if rules.sideways_men and d > 0:
                code = 0
                if phase == 2:
                    if other == 0:
                        at = task.local[rank_group(rules, pm2, men)]
                    else:
                        at = task.local[rank_group(rules, turn_board(rules, men), pm)]
                    code = inner_value(rules, task, work, other, pm2, pk2, men, kings, at)
                weigh_inner(code, phase, limit, gain)
            else:
                code = lookup(rules, task.addresses, pm2, pk2, men, kings)
                weigh(code, accumulate or not rules.man_moves_convert, phase, limit, gain)
    rest = ok
    while rest != 0:
        s = lowest(rest)
        rest &= rest - 1
        for d in range(4):
            t = rules.neighbour[s * 4 + d]
            while t >= 0 and (empty >> t) & 1:
                code = 0
                if phase == 2:
                    kings = turn_board(rules, ok ^ (1 << s) ^ (1 << t))
                    men = turn_board(rules, om)
                    code = inner_value(rules, task, work, other, pm2, pk2, men, kings, work.twin[m])
                weigh_inner(code, phase, limit, gain)
                t = rules.neighbour[t * 4 + d] if rules.flying_kings else -1
    settle(y, gain[_INNER] == 0, work)


@kernel
def open_class(
    rules: Any, task: Any, work: Any, side: int, other: int, groups: int,
    accumulate: bool, phase: int, limit: int,
) -> None:  # fmt: skip
    """Settle all positions of one side of a class before the first round of a phase."""
    own, opponent = (task.masks_b, task.masks_k) if side == 1 else (task.masks_k, task.masks_b)
    y = (work.value.shape[0] // 2) * side
    for m in range(groups):
        om = work.men[side, m, 0]
        pm = work.men[side, m, 1]
        for c in range(opponent.shape[0]):
            pk = opponent[c]
            hit = pk & (om | pm) != 0
            for r in range(own.shape[0]):
                ok = own[r]
                if phase == 1:
                    work.value[y] = 0
                    work.left[y] = CLOSED
                if not hit and ok & (om | pm | pk) == 0 and work.value[y] == 0:
                    open_position(
                        rules, task, work, y, om, ok, pm, pk, m, other, accumulate, phase, limit
                    )
                y += 1


@kernel(inline=True)
def decide(y: int, code: int, work: Any) -> None:
    """Give a position its value and queue it."""
    work.value[y] = code
    work.queue[work.tally[_END]] = y
    work.tally[_END] += 1


@kernel(inline=True)
def reach(z: int, lost: bool, d: int, mark: int, work: Any) -> None:
    """A move leads from z to a position that is lost (or won) in d for the side to move there."""
    left = work.left[z]
    if left == CLOSED or work.value[z] != 0:
        return
    if lost:
        decide(z, d + 1 + mark, work)
    elif left != SAFE:
        work.left[z] = left - 1
        if left == 1:
            plies = max(d + 1, distance(work.pending[z]))
            if plies == d + 1:
                decide(z, ~(plies + mark), work)
            else:
                wait_for(z, ~plies, work)


@kernel(inline=True)
def push_back(rules: Any, task: Any, work: Any, y: int, d: int, mark: int, selfs: bool) -> None:
    """Tell every position one reversible move before y that y is decided in d plies."""
    half = work.value.shape[0] // 2
    side = 1 if y >= half else 0
    x = y - half if side == 1 else y
    other = 0 if selfs else 1 - side
    if side == 0:
        na, nb = task.masks_k.shape[0], task.masks_b.shape[0]
    else:
        na, nb = task.masks_b.shape[0], task.masks_k.shape[0]
    r = x % na
    x //= na
    c = x % nb
    m = work.twin[x // nb]
    if side == 0:  # seen by the other side: its kings have rank back, ours rank ahead
        back, ahead = task.turned_b[c], task.turned_k[r]
    else:
        back, ahead = task.turned_k[c], task.turned_b[r]
    lost = work.value[y] < 0
    row = half * other + (m * na + ahead) * nb
    if not rules.flying_kings:
        if side == 0:
            for i in range(task.first_b[back], task.first_b[back + 1]):
                reach(row + task.steps_b[i], lost, d, mark, work)
        else:
            for i in range(task.first_k[back], task.first_k[back + 1]):
                reach(row + task.steps_k[i], lost, d, mark, work)
        return
    if side == 0:
        kings, theirs = task.masks_b[back], task.masks_k[ahead]
    else:
        kings, theirs = task.masks_k[back], task.masks_b[ahead]
    om, pm = work.men[other, m, 0], work.men[other, m, 1]
    empty = full_board(rules) & ~(kings | theirs | om | pm)
    rest = kings
    while rest != 0:
        s = lowest(rest)
        rest &= rest - 1
        for direction in range(4):
            t = rules.neighbour[s * 4 + direction]
            while t >= 0 and (empty >> t) & 1:
                reach(row + rank_set(kings ^ (1 << s) ^ (1 << t), 0), lost, d, mark, work)
                t = rules.neighbour[t * 4 + direction]
    if rules.sideways_men:
        rest = om
        while rest != 0:
            s = lowest(rest)
            rest &= rest - 1
            for direction in range(1, 3):
                t = rules.neighbour[s * 4 + direction]
                if t >= 0 and (empty >> t) & 1:
                    men = om ^ (1 << s) ^ (1 << t)
                    if other == 0:
                        at = task.local[rank_group(rules, men, pm)]
                    else:
                        mine, yours = turn_board(rules, pm), turn_board(rules, men)
                        at = task.local[rank_group(rules, mine, yours)]
                    reach(half * other + (at * na + ahead) * nb + back, lost, d, mark, work)


@kernel
def propagate(rules: Any, task: Any, work: Any, selfs: bool, phase: int, limit: int) -> int:
    """Run the rounds of one phase; the number of the last round."""
    mark = CURSED if phase == 2 else 0
    tally = work.tally
    begin = tally[_END]
    d = 0
    while d < MAX_ROUNDS:
        y = work.head[d]
        work.head[d] = -1
        while y >= 0:
            if work.value[y] == 0:
                code = work.pending[y]
                decide(y, code + mark if code > 0 else code - mark, work)
            tally[_WAITING] -= 1
            y = work.next[y]
        end = tally[_END]
        if begin == end and tally[_WAITING] == 0:
            break
        if phase == 1 and d >= limit:
            tally[_CUT] = 1
            break
        for i in range(begin, end):
            push_back(rules, task, work, work.queue[i], d, mark, selfs)
        begin = end
        d += 1
    return d


@kernel
def write_side(rules: Any, task: Any, work: Any, side: int, groups: int, begin: int) -> None:
    """Copy the values of one side to its slice, leaving out what is no position."""
    own, opponent = (task.masks_b, task.masks_k) if side == 1 else (task.masks_k, task.masks_b)
    out = task.out1 if side == 1 else task.out0
    y = (work.value.shape[0] // 2) * side
    for m in range(groups):
        group = task.order[begin + m]
        men = task.own[group] | task.opponent[group]
        free = rules.n_squares - popcount(men)
        if side == 1:
            group = task.mirror[group]
            men = turn_board(rules, men)
        b, k = popcount(opponent[0]), popcount(own[0])
        at = group * BINOMIAL[free, b] * BINOMIAL[free - b, k]
        for c in range(opponent.shape[0]):
            pk = opponent[c]
            if pk & men != 0:
                y += own.shape[0]
                continue
            for r in range(own.shape[0]):
                if own[r] & (men | pk) == 0:
                    out[at] = work.value[y]
                    at += 1
                y += 1


@kernel
def solve_classes(
    rules: Any, task: Any, work: Any, begin: int, end: int, symmetric: bool,
    accumulate: bool, limit: int,
) -> int:  # fmt: skip
    """Solve the classes begin..end-1; 1 if the clock made a position cursed, else 0.

    ``accumulate``: distances run through conversions (DTW).
    """
    any_cursed = 0
    for number in range(begin, end):
        first = task.first[number]
        groups = task.first[number + 1] - first
        group = task.order[first]
        twin = task.mirror[group]
        selfs = symmetric and (
            task.local[twin] < groups and task.order[first + task.local[twin]] == twin
        )
        for m in range(groups):
            group = task.order[first + m]
            om, pm = task.own[group], task.opponent[group]
            work.men[0, m, 0] = om
            work.men[0, m, 1] = pm
            work.men[1, m, 0] = turn_board(rules, pm)
            work.men[1, m, 1] = turn_board(rules, om)
            work.twin[m] = task.local[task.mirror[group]] if selfs else m
        for i in range(3):
            work.tally[i] = 0
        other = 0 if selfs else 1
        sides = 1 if selfs else 2
        for phase in range(1, 3):
            if phase == 2 and work.tally[_CUT] == 0:
                break
            if phase == 2:
                for d in range(MAX_ROUNDS):
                    work.head[d] = -1
                work.tally[_WAITING] = 0
            for side in range(sides):
                open_class(
                    rules, task, work, side, other - side if sides == 2 else 0, groups,
                    accumulate, phase, limit,
                )  # fmt: skip
            decided = work.tally[_END]
            propagate(rules, task, work, selfs, phase, limit)
            if phase == 2 and work.tally[_END] > decided:
                any_cursed = 1
        for side in range(sides):
            write_side(rules, task, work, side, groups, first)
    return any_cursed
