"""What the moves of one position give: added one by one to a move summary, an int64[5].

Every move is seen from the mover: the value after it is the opponent's, its distance either goes
on through the move or, if the move is a conversion, starts anew. Phase 1 takes only what holds
under the draw clock for sure; phase 2 decides the rest (see ``scalar``).
"""

from __future__ import annotations

from typing import Any

from crownbase.board.bits import popcount
from crownbase.index.position import rank_position, slice_number
from crownbase.jit import kernel
from crownbase.retro.values import CURSED, LOST_NOW, distance, is_cursed, load_code

NO_WIN = 1 << 20
QUICKEST_WIN, SLOWEST_LOSS, ESCAPE, INNER, UNSURE = 0, 1, 2, 3, 4
"""Slots of a move summary: plies of the quickest win (NO_WIN = none) and of the slowest loss,
whether a move holds at least a draw, reversible moves not yet decided, whether phase 2 could
differ."""


@kernel(inline=True)
def lookup(rules: Any, addresses: Any, om: int, ok: int, pm: int, pk: int) -> int:
    """The value code of a position of a solved slice, or of a finished game.

    *addresses*: int64[SLICE_NUMBERS], address in bytes of the int16 values of each slice.
    """
    own = om | ok
    if own == 0:
        return LOST_NOW
    if rules.lone_pieces_draw and popcount(own) == 1 and popcount(pm | pk) == 1:
        return 0
    number = slice_number(popcount(om), popcount(ok), popcount(pm), popcount(pk))
    return load_code(addresses[number], rank_position(rules, om, ok, pm, pk))


UNDECIDED_CODE = 1 << 20
"""What ``best_of`` says if a phase does not decide."""


@kernel(inline=True)
def clear_summary(summary: Any) -> None:
    """Forget all moves."""
    summary[QUICKEST_WIN] = NO_WIN
    summary[SLOWEST_LOSS] = 0
    summary[ESCAPE] = 0
    summary[INNER] = 0
    summary[UNSURE] = 0


@kernel(inline=True)
def best_of(summary: Any, phase: int) -> int:
    """The value code of a position all of whose moves were weighed; UNDECIDED_CODE if undecided."""
    mark = CURSED if phase == 2 else 0
    if summary[QUICKEST_WIN] < NO_WIN:
        return summary[QUICKEST_WIN] + mark
    if summary[ESCAPE] == 0 and summary[INNER] == 0:
        return ~(summary[SLOWEST_LOSS] + mark)
    return UNDECIDED_CODE


@kernel(inline=True)
def add_move(code: int, adds: bool, phase: int, limit: int, summary: Any) -> None:
    """Add a move to ``summary``: *code* is the value after it, for the opponent.

    ``adds``: the distance goes on through this move; otherwise it is a conversion.
    """
    if code == 0:
        summary[ESCAPE] = 1
        return
    plies = distance(code) + 1 if adds else 1
    sure = not is_cursed(code) and plies <= limit
    if not sure:
        summary[UNSURE] = 1
    if code < 0:
        if sure or phase == 2:
            summary[QUICKEST_WIN] = min(summary[QUICKEST_WIN], plies)
        else:
            summary[ESCAPE] = 1
    elif phase == 1:
        if sure:
            summary[SLOWEST_LOSS] = max(summary[SLOWEST_LOSS], plies)
        else:
            summary[ESCAPE] = 1
    elif not sure:
        summary[SLOWEST_LOSS] = max(summary[SLOWEST_LOSS], plies)


@kernel(inline=True)
def add_inner_move(code: int, phase: int, limit: int, summary: Any) -> None:
    """Count a reversible move; in phase 2 what is decided already is weighed instead."""
    if code == 0:
        summary[INNER] += 1
    else:
        add_move(code, True, phase, limit, summary)
