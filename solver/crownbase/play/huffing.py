"""Huffing: the piece that could have taken and did not is removed, and then the opponent moves.

What may be huffed follows from the position before the last move and from that move. What the old
laws leave open is decided in the rule set's file.
"""

from __future__ import annotations

from dataclasses import replace

from crownbase.board import Move, Position


def offenders(before: Position, move: Move) -> tuple[int, ...]:
    """Where the pieces stand now that could have taken in place of *move* (FEN numbers).

    Empty if the move took something: who takes has not offended.
    """
    if not before.rules.huffing or move.captured:
        return ()
    could = {other.start for other in before.legal_moves() if other.captured}
    return tuple(sorted(move.end if start == move.start else start for start in could))


def without_piece(position: Position, square: int) -> Position:
    """The position without the piece on a square (FEN number); the draw clock begins anew."""
    kept = ~(1 << square - 1)
    return replace(
        position,
        white_men=position.white_men & kept,
        white_kings=position.white_kings & kept,
        black_men=position.black_men & kept,
        black_kings=position.black_kings & kept,
        clock=0,
    )
