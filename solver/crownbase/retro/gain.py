"""What the moves of one position give: weighed one by one into ``gain``, an int64[5].

Every move is seen from the mover: the value after it is the opponent's, its distance either goes
on through the move or, if the move is a conversion, starts anew. Phase 1 takes only what holds
under the draw clock for sure; phase 2 decides the rest (see ``scalar``).
"""

from __future__ import annotations

from typing import Any

from crownbase.board.bits import popcount
from crownbase.index.position import rank_position, slice_number
from crownbase.jit import kernel
from crownbase.retro.values import CURSED, LOST_NOW, distance, is_cursed, load16

NEVER = 1 << 20
WIN, LOSS, ESCAPE, INNER, UNSURE = 0, 1, 2, 3, 4
"""Slots of ``gain``: plies of the quickest win (NEVER = none) and of the slowest loss, whether a
move holds at least a draw, reversible moves not yet decided, whether phase 2 could differ."""


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
    gain[WIN] = NEVER
    gain[LOSS] = 0
    gain[ESCAPE] = 0
    gain[INNER] = 0
    gain[UNSURE] = 0


@kernel(inline=True)
def best_of(gain: Any, phase: int) -> int:
    """The value code of a position all of whose moves were weighed; NO_GAIN if undecided."""
    mark = CURSED if phase == 2 else 0
    if gain[WIN] < NEVER:
        return gain[WIN] + mark
    if gain[ESCAPE] == 0 and gain[INNER] == 0:
        return ~(gain[LOSS] + mark)
    return NO_GAIN


@kernel(inline=True)
def weigh(code: int, adds: bool, phase: int, limit: int, gain: Any) -> None:
    """Add a move to ``gain``: *code* is the value after it, for the opponent.

    ``adds``: the distance goes on through this move; otherwise it is a conversion.
    """
    if code == 0:
        gain[ESCAPE] = 1
        return
    plies = distance(code) + 1 if adds else 1
    sure = not is_cursed(code) and plies <= limit
    if not sure:
        gain[UNSURE] = 1
    if code < 0:
        if sure or phase == 2:
            gain[WIN] = min(gain[WIN], plies)
        else:
            gain[ESCAPE] = 1
    elif phase == 1:
        if sure:
            gain[LOSS] = max(gain[LOSS], plies)
        else:
            gain[ESCAPE] = 1
    elif not sure:
        gain[LOSS] = max(gain[LOSS], plies)


@kernel(inline=True)
def weigh_inner(code: int, phase: int, limit: int, gain: Any) -> None:
    """Count a reversible move; in phase 2 what is decided already is weighed instead."""
    if code == 0:
        gain[INNER] += 1
    else:
        weigh(code, True, phase, limit, gain)
