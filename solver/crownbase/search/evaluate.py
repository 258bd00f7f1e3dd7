"""A plain evaluation: what a position is worth where no search and no table can tell.

Hundredths of a man, from the mover's point of view. Terms: men and kings, advancement of men by
row, men kept on the back row while the opponent still has men to crown, kings near the centre,
and on boards where pieces move one step along diagonals *the move* (the opposition). Whoever is
ahead gains by exchanges.

*The move*: colour the files of the side to move's own back row squares; the squares of every
second row, counted from that row, lie on them. If the pieces of both sides on those rows are odd
in number, the side to move will have the last of the free moves (the textbook rule).
"""

from __future__ import annotations

from typing import Any

from crownbase.board.bits import popcount
from crownbase.board.moves import turn_board
from crownbase.jit import kernel
from crownbase.search.scores import LIMIT

MAN = 100
SHORT_KING = 145
FLYING_KING = 280
ADVANCE = 2
"""For each row a man has left behind it."""
LAST_STEPS = 8
"""More for a man on the two rows before the crown row."""
BACK_ROW = 5
"""For each man at home while the opponent has men."""
CENTRE = 4
"""For a king off the edge of the board."""
THE_MOVE = 6


@kernel
def rows_mask(rules: Any, first: int, step: int) -> int:
    """The squares of row *first* and of every *step*-th row below it; row 0 is the top."""
    mask = 0
    row = (1 << rules.width) - 1
    for r in range(first, rules.n_squares // rules.width, step):
        mask |= row << (r * rules.width)
    return mask


@kernel
def inner_mask(rules: Any) -> int:
    """The squares that do not lie on the edge."""
    mask = 0
    for s in range(rules.n_squares):
        inside = True
        for d in range(4):
            if rules.neighbour[s * 4 + d] < 0:
                inside = False
        if inside:
            mask |= 1 << s
    return mask


@kernel
def men_value(rules: Any, men: int, opponent_men: int) -> int:
    """What the men of the side that goes up are worth."""
    w = rules.width
    rows = rules.n_squares // w
    row = (1 << w) - 1
    value = popcount(men) * MAN
    for r in range(1, rows):
        count = popcount((men >> (r * w)) & row)
        value += count * (rows - 1 - r) * ADVANCE
        if r <= 2:
            value += count * LAST_STEPS
    if opponent_men != 0:
        value += popcount((men >> ((rows - 1) * w)) & row) * BACK_ROW
    return value


@kernel
def kings_value(rules: Any, kings: int, inner: int) -> int:
    """What the kings of one side are worth."""
    value = FLYING_KING if rules.flying_kings else SHORT_KING
    return popcount(kings) * value + popcount(kings & inner) * CENTRE


@kernel
def has_the_move(rules: Any, om: int, ok: int, pm: int, pk: int) -> bool:
    """Whether the side to move has the opposition."""
    rows = rules.n_squares // rules.width
    system = rows_mask(rules, (rows - 1) % 2, 2)
    return popcount((om | ok | pm | pk) & system) % 2 == 1


@kernel
def evaluate(rules: Any, inner: int, om: int, ok: int, pm: int, pk: int) -> int:
    """The worth of a position to the side to move, |result| <= LIMIT. *inner*: ``inner_mask``."""
    own = men_value(rules, om, pm) + kings_value(rules, ok, inner)
    other = men_value(rules, turn_board(rules, pm), om) + kings_value(rules, pk, inner)
    value = own - other
    pieces = popcount(om | ok | pm | pk)
    if pieces > 0:
        # Ahead by a man in 4 pieces is worth more than ahead by a man in 24.
        bonus = abs(value) * 3 // (2 * (pieces + 2))
        value += bonus if value > 0 else -bonus
    if not rules.flying_kings and not rules.sideways_men and pieces <= 12:
        value += THE_MOVE if has_the_move(rules, om, ok, pm, pk) else -THE_MOVE
    return min(max(value, -LIMIT), LIMIT)
