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

from typing import Any

from crownbase.board.bits import lowest, popcount
from crownbase.board.moves import captures, full_board, play, turn_board
from crownbase.index.binomial import BINOMIAL, rank_set
from crownbase.index.position import rank_group
from crownbase.jit import kernel
from crownbase.retro.move_summary import (
    ESCAPE,
    INNER,
    NO_WIN,
    QUICKEST_WIN,
    SLOWEST_LOSS,
    UNSURE,
    add_inner_move,
    add_move,
    clear_summary,
    lookup,
)
from crownbase.retro.values import CURSED, distance
from crownbase.retro.work_space import MAX_ROUNDS

CLOSED = 255
"""``left`` of a position without reversible moves, or of no position at all."""
NOT_LOST = 254
"""``left`` of a position that cannot be lost by running out of moves."""

_END, _WAITING, _CUT = 0, 1, 2


@kernel(inline=True)
def wait_for(y: int, code: int, work: Any) -> None:
    """Let a position be decided in the round of its code."""
    d = distance(code)
    work.pending[y] = code
    work.next[y] = work.head[d]
    work.head[d] = y
    work.tally[_WAITING] += 1


@kernel(inline=True)
def set_state(y: int, closed: bool, work: Any) -> None:
    """Turn ``summary`` into the state of a position before the first round."""
    summary = work.summary
    work.left[y] = CLOSED if closed else NOT_LOST
    work.tally[_CUT] |= summary[UNSURE]
    if summary[QUICKEST_WIN] < NO_WIN:
        wait_for(y, summary[QUICKEST_WIN], work)
    elif summary[ESCAPE] == 0:
        if summary[INNER] == 0:
            work.left[y] = CLOSED
            wait_for(y, ~summary[SLOWEST_LOSS], work)
        else:
            work.left[y] = summary[INNER]
            work.pending[y] = ~summary[SLOWEST_LOSS]


@kernel(inline=True)
def inner_value(task: Any, work: Any, other: int, ok: int, pk: int, m: int) -> int:
    """The value of a position of this class for the side ``other``, given in its own frame.

    *m*: the number of its group of men within the class.
    """
    own, opponent = (task.masks_b, task.masks_k) if other == 1 else (task.masks_k, task.masks_b)
    at = (m * opponent.shape[0] + rank_set(pk, 0)) * own.shape[0] + rank_set(ok, 0)
    return work.value[(work.value.shape[0] // 2) * other + at]


@kernel(inline=True)
def open_position(
    rules: Any, task: Any, work: Any, y: int, boards: tuple[int, int, int, int], m: int,
    other: int, phase: int,
) -> None:  # fmt: skip
    """Sum up all moves of the position with number *y* in the work space, and set its state.

    *m*: the number of its group of men within the class. *other*: the side to move after it.
    """
    om, ok, pm, pk = boards
    accumulate, limit = task.accumulate, task.limit
    summary = work.summary
    clear_summary(summary)
    n = captures(rules, om, ok, pm, pk, work.buffer, work.state)
    for i in range(n):
        om2, ok2, pm2, pk2 = play(rules, om, ok, pm, pk, work.buffer, i)
        code = lookup(rules, task.addresses, om2, ok2, pm2, pk2)
        add_move(code, accumulate, phase, limit, summary)
    if n > 0 and rules.captures_mandatory:
        set_state(y, True, work)
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
                    code = inner_value(task, work, other, pk2, kings, at)
                add_inner_move(code, phase, limit, summary)
            else:
                code = lookup(rules, task.addresses, pm2, pk2, men, kings)
                add_move(code, accumulate or not rules.man_moves_convert, phase, limit, summary)
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
                    code = inner_value(task, work, other, pk2, kings, work.twin[m])
                add_inner_move(code, phase, limit, summary)
                t = rules.neighbour[t * 4 + d] if rules.flying_kings else -1
    set_state(y, summary[INNER] == 0, work)


@kernel
def open_class(
    rules: Any, task: Any, work: Any, side: int, other: int, groups: int, phase: int
) -> None:
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
                    open_position(rules, task, work, y, (om, ok, pm, pk), m, other, phase)
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
    elif left != NOT_LOST:
        work.left[z] = left - 1
        if left == 1:
            plies = max(d + 1, distance(work.pending[z]))
            if plies == d + 1:
                decide(z, ~(plies + mark), work)
            else:
                wait_for(z, ~plies, work)


@kernel(inline=True)
def push_men_back(
    rules: Any, task: Any, work: Any, other: int, m: int, ranks: tuple[int, int],
    decided: tuple[bool, int, int],
) -> None:  # fmt: skip
    """``push_back`` through the sideways moves of men, which stay in the class as kings' moves do.

    *m*: the group of men. *ranks*: those of the kings of the side that moved and of the other one.
    *decided*: whether the position is lost, in how many plies, and the mark of cursed values.
    """
    back, ahead = ranks
    lost, d, mark = decided
    half = work.value.shape[0] // 2
    if other == 0:
        kings, theirs = task.masks_k[back], task.masks_b[ahead]
        nb = task.masks_k.shape[0]
        na = task.masks_b.shape[0]
    else:
        kings, theirs = task.masks_b[back], task.masks_k[ahead]
        nb = task.masks_b.shape[0]
        na = task.masks_k.shape[0]
    om, pm = work.men[other, m, 0], work.men[other, m, 1]
    empty = full_board(rules) & ~(kings | theirs | om | pm)
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
    if rules.sideways_men:
        push_men_back(rules, task, work, other, m, (back, ahead), (lost, d, mark))
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


@kernel
def propagate(rules: Any, task: Any, work: Any, selfs: bool, phase: int) -> int:
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
        if phase == 1 and d >= task.limit:
            tally[_CUT] = 1
            break
        for i in range(begin, end):
            push_back(rules, task, work, work.queue[i], d, mark, selfs)
        begin = end
        d += 1
    return d


@kernel
def store_side(rules: Any, task: Any, work: Any, side: int, groups: int, begin: int) -> None:
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
def solve_classes(rules: Any, task: Any, work: Any, begin: int, end: int, symmetric: bool) -> int:
    """Solve the classes begin..end-1; 1 if the clock made a position cursed, else 0."""
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
                after = other - side if sides == 2 else 0
                open_class(rules, task, work, side, after, groups, phase)
            decided = work.tally[_END]
            propagate(rules, task, work, selfs, phase)
            if phase == 2 and work.tally[_END] > decided:
                any_cursed = 1
        for side in range(sides):
            store_side(rules, task, work, side, groups, first)
    return any_cursed
