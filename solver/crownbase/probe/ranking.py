"""The one order of moves: what ``moves``, ``best_move``, ``line`` and every player go by.

By what a move achieves (win, cursed win, draw, blessed loss, loss, unknown), then

- winning: fewest plies to the end (without DTW: to the next conversion), then to the conversion;
  without any distance fewest repetitions, then conversions first;
- losing: longest resistance, then the larger share of replies that let the win slip;
- drawing: fewest repetitions, so that nothing can be claimed, then the larger share of replies
  that lose;

and at last by the squares of the move, so that the order is always the same. A move that repeats a
position for the third time achieves a draw, whatever the tables say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from crownbase.board import Move, Position, generator
from crownbase.errors import MissingTableError, TooManyPiecesError
from crownbase.probe.lookup import Lookup
from crownbase.probe.result import (
    CATEGORIES,
    CURSED_WIN,
    DRAW,
    WIN,
    MoveInfo,
    other_side,
    sign,
)
from crownbase.probe.tree import grow

REPETITION_DRAW = 3
"""A position that occurs so often can be claimed as a draw."""

SortKey = tuple[int, int, int, int, float, int, int, tuple[int, ...]]


def sort_key(info: MoveInfo, share_of_errors: Callable[[MoveInfo], float]) -> SortKey:
    """Sort key of a move, smallest is best.

    *share_of_errors* tells which part of the opponent's replies gives something away; it is asked
    only where it counts.
    """
    squares = (info.move.start, info.move.end, info.captured)
    if info.outcome is None:
        return (len(CATEGORIES), 0, 0, 0, 0.0, *squares)
    place = CATEGORIES.index(info.outcome)
    if info.outcome == DRAW:
        return (place, info.repetitions, 0, 0, -share_of_errors(info), *squares)
    to_end = 0 if info.dtw is None else abs(info.dtw) + 1
    to_conversion = 0 if info.dtc is None else 1 if info.conversion else abs(info.dtc) + 1
    if info.outcome in (WIN, CURSED_WIN):
        quiet = 0 if info.conversion else 1
        return (place, to_end, to_conversion, 2 * info.repetitions + quiet, 0.0, *squares)
    return (place, -to_end, -to_conversion, 0, -share_of_errors(info), *squares)


def rank_moves(
    lookup: Lookup, position: Position, history: Iterable[Position] = ()
) -> list[MoveInfo]:
    """All legal moves of a position, best first; *history* = earlier positions of the game."""
    occurred = Counter(position_key(earlier) for earlier in history)
    children = {move: position.play(move) for move in position.legal_moves()}
    infos = [
        _move_info(lookup, move, child, occurred[position_key(child)])
        for move, child in children.items()
    ]

    def share_of_errors(info: MoveInfo) -> float:
        return _share_of_errors(lookup, children[info.move], info.wdl or 0)

    return sorted(infos, key=lambda info: sort_key(info, share_of_errors))


def position_key(position: Position) -> tuple[str, int, int, int, int]:
    """What makes two positions of a game the same."""
    return (
        position.turn,
        position.white_men,
        position.white_kings,
        position.black_men,
        position.black_kings,
    )


def _move_info(lookup: Lookup, move: Move, child: Position, repetitions: int) -> MoveInfo:
    tree = lookup.tree(child)
    wdl = dtc = dtw = outcome = None
    try:
        result = lookup.result(child, tree, child.clock)
    except (MissingTableError, TooManyPiecesError):
        wdl = lookup.code_if_here("wdl", tree)
    else:
        wdl, dtc, dtw = result.wdl, result.dtc, result.dtw
        outcome = other_side(result.category)
    if repetitions + 1 >= REPETITION_DRAW:
        outcome = DRAW
    return MoveInfo(
        move=move,
        fen=child.fen(),
        outcome=outcome,
        wdl=wdl,
        dtc=dtc,
        dtw=dtw,
        captured=move.captured,
        conversion=move.is_conversion,
        repetitions=repetitions,
    )


def _share_of_errors(lookup: Lookup, position: Position, wdl: int) -> float:
    """Share of the moves here that give a worse result than *wdl*; unknown ones do not."""
    raw_moves = generator.list_moves(lookup.rules, position.boards)
    errors = 0
    for raw in raw_moves:
        tree = grow(lookup.rules, generator.play_raw(lookup.rules, position.boards, raw))
        code = lookup.code_if_here("wdl", tree)
        errors += code is not None and -sign(code) < wdl
    return errors / len(raw_moves) if raw_moves else 0.0
