"""The one order of moves: what ``moves``, ``best_move``, ``line`` and every player go by.

By what a move achieves (win, cursed win, draw, blessed loss, loss, unknown), then

- winning: fewest plies to the end (without DTW: to the next conversion), then to the conversion;
  without any distance fewest repetitions, then conversions first;
- losing: longest resistance, then the larger share of replies that let the win slip;
- drawing: fewest repetitions, so that nothing can be claimed, then the larger share of replies
  that lose;

and at last by the squares of the move, so that the order is always the same. A move that repeats a
position as often as the draw rules allow (for the third time in most) achieves a draw, whatever the
tables say. Clocks are counted along the history that is given, as a game counts them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from crownbase.board import Move, Position, clocks, generator
from crownbase.board.clocks import Counts
from crownbase.errors import MissingTableError, TooManyPiecesError
from crownbase.probe.class_clocks import counts_along
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
    lookup: Lookup, position: Position, history: Sequence[Position] = ()
) -> list[MoveInfo]:
    """All legal moves of a position, best first.

    *history*: earlier positions of the game, oldest first. The first one counts as an occurrence
    unless the draw rules say otherwise (``Repetition.counts_setup``).
    """
    draw = position.rules.draw
    again = draw.repetition
    counted = history[1:] if again and not again.counts_setup else history
    occurred = Counter(position_key(earlier) for earlier in counted)
    counts = counts_along(draw, history, position)
    position = replace(position, clock=max(position.clock, quiet_plies(position, history)))
    children = {move: position.play(move) for move in position.legal_moves()}
    infos = []
    for move, child in children.items():
        after = clocks.next_counts(draw, counts, position, child)
        info = _move_info(lookup, move, child, after)
        repetitions = occurred[position_key(child)]
        drawn = again is not None and repetitions + 1 >= again.times
        outcome = DRAW if drawn else info.outcome
        infos.append(replace(info, outcome=outcome, repetitions=repetitions))

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


def quiet_plies(position: Position, history: Sequence[Position]) -> int:
    """Plies since the last conversion, as the positions of a game before this one show it."""
    plies, later = 0, position
    for earlier in reversed(history):
        if earlier.turn == later.turn or _is_converted(earlier, later):
            return plies
        plies, later = plies + 1, earlier
    return plies + later.clock if history else 0


def _is_converted(before: Position, after: Position) -> bool:
    if before.pieces != after.pieces:
        return True
    width = before.rules.board.width
    return before.rules.man_moves_convert and any(
        _rows(old, width) != _rows(new, width)
        for old, new in (
            (before.white_men, after.white_men),
            (before.black_men, after.black_men),
        )
    )


def _rows(men: int, width: int) -> int:
    """Sum of the rows that men stand on: a sideways move does not change it."""
    return sum(s // width for s in range(men.bit_length()) if men >> s & 1)


def _move_info(lookup: Lookup, move: Move, child: Position, counts: Counts) -> MoveInfo:
    tree = lookup.tree(child)
    wdl = dtc = dtw = outcome = None
    try:
        result = lookup.result(child, tree, counts)
    except (MissingTableError, TooManyPiecesError):
        wdl = lookup.code_if_here("wdl", tree)
    else:
        wdl, dtc, dtw = result.wdl, result.dtc, result.dtw
        outcome = other_side(result.category)
    return MoveInfo(
        move=move,
        fen=child.fen(),
        outcome=outcome,
        wdl=wdl,
        dtc=dtc,
        dtw=dtw,
        captured=move.captured,
        conversion=move.is_conversion,
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
