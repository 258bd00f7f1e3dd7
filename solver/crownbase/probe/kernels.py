"""Resolve forced captures: from positions to the stored values that decide them, and back.

A position whose mover must capture is not stored; its value follows from those of the positions
after its captures. ``expand`` writes a tree into a flat array, ``NODE_WORDS`` numbers for a
position::

    OM OK PM PK   the position in its mover's frame, see ``board.moves``
    PARENT        node that the capture came from, -1 for a position that was asked about
    SLICE, INDEX  where a quiet position is stored; else SLICE is FINISHED or CAPTURE
    CODE          its value

Children stand behind their parents, so one pass from the end to the start (``fold``) carries the
values of the stored nodes up. Nodes of many positions can stand in one array. The same source runs
compiled and as plain Python on lists.
"""

from __future__ import annotations

from typing import Any

from crownbase.board.bits import popcount
from crownbase.board.moves import OVERFLOW, captures, full_board, play, quiet_moves, turn_board
from crownbase.index.position import SLICE_NUMBERS, rank_position, slice_number
from crownbase.jit import kernel
from crownbase.retro.values import CURSED, LOST_NOW, distance, is_cursed

OM, OK, PM, PK, PARENT, SLICE, INDEX, CODE = 0, 1, 2, 3, 4, 5, 6, 7
NODE_WORDS = 8
FINISHED, CAPTURE = -1, -2
"""Values of SLICE for nodes that no table holds: the game is over, or a capture is forced."""

WDL, DTC, DTW = 0, 1, 2
"""Codes of the metrics in kernels."""

NO_ROOM, TOO_MANY_CAPTURES = -1, -2
"""Answers of ``expand`` that are not a number of nodes."""

_UNKNOWN = -32768
_SPAN = 1 << 14  # more than any distance


@kernel
def expand(rules: Any, nodes: Any, count: int, buffer: Any, state: Any) -> int:
    """Resolve the first *count* nodes (boards and PARENT are set) and all that come of them.

    *buffer*, *state*: see ``board.moves``. Returns the number of nodes, or ``NO_ROOM``, after which
    a call with more room starts again, or ``TOO_MANY_CAPTURES``.
    """
    i = 0
    while i < count:
        at = i * NODE_WORDS
        om, ok, pm, pk = nodes[at + OM], nodes[at + OK], nodes[at + PM], nodes[at + PK]
        nodes[at + SLICE] = FINISHED
        if om | ok == 0:
            nodes[at + CODE] = LOST_NOW
        elif rules.lone_pieces_draw and popcount(om | ok) == 1 and popcount(pm | pk) == 1:
            nodes[at + CODE] = 0
        elif pm | pk == 0:  # nobody is left to answer: any move wins
            nodes[at + CODE] = 1
            if quiet_moves(rules, om, ok, pm, pk, buffer, 0) == 0:
                nodes[at + CODE] = LOST_NOW
        else:
            n = 0
            if rules.captures_mandatory:
                n = captures(rules, om, ok, pm, pk, buffer, state)
                if state[OVERFLOW] != 0:
                    return TOO_MANY_CAPTURES
            if n == 0:
                number = slice_number(popcount(om), popcount(ok), popcount(pm), popcount(pk))
                nodes[at + SLICE] = number
                nodes[at + INDEX] = 0
                if number < SLICE_NUMBERS:  # larger materials have neither slices nor indices
                    nodes[at + INDEX] = rank_position(rules, om, ok, pm, pk)
            else:
                nodes[at + SLICE] = CAPTURE
                if (count + n) * NODE_WORDS > len(nodes):
                    return NO_ROOM
                for j in range(n):
                    om2, ok2, pm2, pk2 = play(rules, om, ok, pm, pk, buffer, j)
                    to = (count + j) * NODE_WORDS
                    nodes[to + OM] = om2
                    nodes[to + OK] = ok2
                    nodes[to + PM] = pm2
                    nodes[to + PK] = pk2
                    nodes[to + PARENT] = i
                count += n
        i += 1
    return count


@kernel
def before_capture(code: int, metric: int) -> int:
    """The value of a capture for who makes it; *code* is the opponent's value after it.

    A capture is a conversion, so that a DTC starts again: 1, whatever comes after.
    """
    if metric == WDL:
        return -code
    if code == 0:
        return 0
    if metric == DTC:
        plies = CURSED + 1 if is_cursed(code) else 1
    else:
        plies = distance(code) + 1
    return plies if code < 0 else ~plies


@kernel
def merit(code: int) -> int:
    """How good a value is: quick wins, slow wins, cursed wins, draws, blessed losses, losses."""
    if code == 0:
        return 0
    worth = (1 if is_cursed(code) else 2) * _SPAN - distance(code)
    return worth if code > 0 else -worth


@kernel
def fold(nodes: Any, count: int, metric: int) -> None:
    """Give every CAPTURE node its value; all other nodes have theirs."""
    for i in range(count):
        if nodes[i * NODE_WORDS + SLICE] == CAPTURE:
            nodes[i * NODE_WORDS + CODE] = _UNKNOWN
    for i in range(count - 1, -1, -1):
        parent = nodes[i * NODE_WORDS + PARENT]
        if parent >= 0:
            code = before_capture(nodes[i * NODE_WORDS + CODE], metric)
            best = nodes[parent * NODE_WORDS + CODE]
            if best == _UNKNOWN or merit(code) > merit(best):
                nodes[parent * NODE_WORDS + CODE] = code


@kernel
def load_positions(rules: Any, boards: Any, black: Any, start: int, count: int, nodes: Any) -> int:
    """Write *count* positions from row *start* on as the first nodes, turned to their movers.

    *boards*: int64[n, 4], white men, white kings, black men, black kings; *black*: bool[n], whose
    turn it is. Returns the row of the first position that cannot be, -1 if there is none.
    """
    board = full_board(rules)
    top = (1 << rules.width) - 1
    bottom = turn_board(rules, top)
    for i in range(count):
        row = start + i
        wm, wk, bm, bk = boards[row, 0], boards[row, 1], boards[row, 2], boards[row, 3]
        seen = wm | wk | bm | bk
        twice = (wm & wk) | ((wm | wk) & (bm | bk)) | (bm & bk)
        if seen == 0 or seen & ~board != 0 or twice | (wm & top) | (bm & bottom) != 0:
            return row
        at = i * NODE_WORDS
        if black[row]:
            wm, wk, bm, bk = (
                turn_board(rules, bm),
                turn_board(rules, bk),
                turn_board(rules, wm),
                turn_board(rules, wk),
            )
        nodes[at + OM] = wm
        nodes[at + OK] = wk
        nodes[at + PM] = bm
        nodes[at + PK] = bk
        nodes[at + PARENT] = -1
    return -1
