"""The one order of moves: what ``moves``, ``best_move``, ``line`` and every player go by.

By what a move achieves (win, cursed win, draw, blessed loss, loss, unknown), then

- winning: fewest plies to the end (without DTW: to the next conversion), then to the conversion;
  once a position has come twice since the last irreversible move, the other way round; without any
  distance fewest repetitions, then conversions first;
- losing: longest resistance, then the larger share of replies that let the win slip; an unknown
  distance counts as longer than a known one, for the winner, too;
- drawing: fewest repetitions, so that nothing can be claimed, then wins that repetition alone takes
  away, then the larger share of replies that lose;

and at last by the squares of the move, so that the order is always the same.

What a move achieves is exact under the quiet clock and repetition together. Clocks are counted
along the history that is given, as a game counts them. A move that repeats a position as often as
the draw rules allow (for the third time in most) achieves a draw, whatever the tables say, and so
does one after which the opponent can force that (``Past.stands``).

**The first move of a won position wins**, whatever the opponent does: by the exact value there is
always a move that keeps the win; every ply without a conversion brings the quiet clock nearer to
its limit, which a kept win never reaches, so a conversion comes in time; and conversions are
bounded, since pieces only become fewer and men only advance. Repetition cannot come first, and the
rule sees to it without search: until a position has come twice none can be there for the third
time, and the shortest DTW may be followed wherever the clock allows it. From then on DTC is
followed. It falls with every ply of either side, up to the next irreversible move, so each position
comes at most once more, and those that had come twice lie behind (their DTC is larger). A search is
needed only where somebody else has repeated positions before.

That holds where DTC tables are at hand. With DTW tables alone the same holds for repetition, but
not for the quiet clock; where only WDL is known, no move goes to a spent position or lets the
opponent go there with its next move, and nothing more can be promised.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from crownbase.board import Move, Position, generator
from crownbase.errors import MissingTableError
from crownbase.probe.lookup import Lookup
from crownbase.probe.past import Past
from crownbase.probe.result import (
    CATEGORIES,
    CURSED_WIN,
    DRAW,
    LOSS,
    WIN,
    MoveInfo,
    other_side,
    sign,
)
from crownbase.probe.tree import grow

_FAR = 1 << 14
"""For a distance that no table tells: farther than any that is known. Where the tables of a metric
are missing it is still known of a game that is over, which the winner wants and the loser not."""

SortKey = tuple[int, int, int, int, float, int, int, tuple[int, ...]]


def sort_key(
    info: MoveInfo, share_of_errors: Callable[[MoveInfo], float], is_repeated: bool = False
) -> SortKey:
    """Sort key of a move, smallest is best.

    *share_of_errors* tells which part of the opponent's replies gives something away; it is asked
    only where it counts. *is_repeated*: a position has come twice since the last irreversible move.
    """
    squares = (info.move.start, info.move.end, info.captured)
    if info.outcome is None:
        return (len(CATEGORIES), 0, 0, 0, 0.0, *squares)
    place = CATEGORIES.index(info.outcome)
    if info.outcome == DRAW:
        return (place, info.repetitions, info.wdl or 0, 0, -share_of_errors(info), *squares)
    to_end = _FAR if info.dtw is None else abs(info.dtw) + 1
    to_conversion = _FAR if info.dtc is None else 1 if info.conversion else abs(info.dtc) + 1
    if info.outcome in (WIN, CURSED_WIN):
        quiet = 0 if info.conversion else 1
        first, second = to_end, to_conversion
        if is_repeated and info.outcome == WIN:
            first, second = to_conversion, to_end
        return (place, first, second, 2 * info.repetitions + quiet, 0.0, *squares)
    return (place, -to_end, -to_conversion, 0, -share_of_errors(info), *squares)


def rank_moves(
    lookup: Lookup, position: Position, history: Sequence[Position] = ()
) -> list[MoveInfo]:
    """All legal moves of a position, best first; none where one piece each ends the game.

    *history*: earlier positions of the game, oldest first, see ``Past``.
    """
    if position.is_lone_pieces_draw:
        return []
    past = Past(lookup, position, history)
    children = {move: past.position.play(move) for move in position.legal_moves()}
    infos = [_move_info(lookup, past, move, child) for move, child in children.items()]

    def share_of_errors(info: MoveInfo) -> float:
        return _share_of_errors(lookup, children[info.move], info.wdl or 0)

    return sorted(infos, key=lambda info: sort_key(info, share_of_errors, past.is_repeated))


def _move_info(lookup: Lookup, past: Past, move: Move, child: Position) -> MoveInfo:
    tree = lookup.tree(child)
    wdl = dtc = dtw = outcome = None
    try:
        result = lookup.result(child, tree, past.counts_after(child), past.played + 1)
    except MissingTableError:
        wdl = lookup.code_if_here("wdl", tree)
    else:
        wdl, dtc, dtw = result.wdl, result.dtc, result.dtw
        outcome = other_side(result.category)
        if outcome in (WIN, LOSS) and not past.stands(child, result, outcome == WIN):
            outcome = DRAW
    return MoveInfo(
        move=move,
        fen=child.fen(),
        outcome=DRAW if past.is_spent(child) else outcome,
        wdl=wdl,
        dtc=dtc,
        dtw=dtw,
        captured=move.captured,
        conversion=move.is_conversion,
        repetitions=past.occurrences(child),
        captured_text=tuple(child.rules.square_name(square - 1) for square in move.captured),
    )


def _share_of_errors(lookup: Lookup, position: Position, wdl: int) -> float:
    """Share of the moves here that give a worse result than *wdl*; unknown ones do not."""
    if position.is_lone_pieces_draw:
        return 0.0
    raw_moves = generator.list_moves(lookup.rules, position.boards)
    errors = 0
    for raw in raw_moves:
        tree = grow(lookup.rules, generator.play_raw(lookup.rules, position.boards, raw))
        code = lookup.code_if_here("wdl", tree)
        errors += code is not None and -sign(code) < wdl
    return errors / len(raw_moves) if raw_moves else 0.0
