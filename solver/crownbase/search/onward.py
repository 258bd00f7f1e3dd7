"""On from a decided position of known value: a line to the end of the game, or most of the way.

Where tables have distances the line is theirs. Values without distances cannot show the way: there
a search goes ahead to the next position of fewer pieces that is known to be decided, and from that
one on again. Every position on the line has the value of the first: the side that wins chooses
among moves that keep it, and a step of more than one move is a proof.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from crownbase.board import Move, Position
from crownbase.errors import MissingTableError
from crownbase.search import work as layout
from crownbase.search.searcher import Limits, Searcher

if TYPE_CHECKING:
    from crownbase.probe import Tablebase

_MAX_LINE = 180
_ALL_NODES, _STEP_NODES = 600_000, 100_000
"""Positions visited for a line, less than a second, and for one step of it. Then the line ends."""
_LEAST = 1000
"""What a step costs at least, so that no line is endless."""


def table_line(tablebase: Tablebase | None, position: Position) -> tuple[Move, ...] | None:
    """Best play by both sides by the distances of tables; None if they have none here."""
    if tablebase is None or position.is_lone_pieces_draw:
        return None
    try:
        if tablebase.get_dtw(position) is None and tablebase.get_dtc(position) is None:
            return None
        return tuple(tablebase.line(position))
    except MissingTableError:
        return None


def play_on(
    searcher: Searcher,
    position: Position,
    look_up: Callable[[Position], int | None],
    stop: Callable[[], bool] | None = None,
) -> tuple[Move, ...]:
    """A line from a won or lost position whose value *look_up* knows; empty for any other.

    *look_up*: WDL of a position for its side to move, None if nobody knows.
    """
    data = searcher.work.data
    solved = int(data[layout.SOLVED_PIECES])
    searcher.clear()  # what is there may end in positions of as many pieces
    try:
        return _play_on(searcher, position, look_up, stop, solved)
    finally:
        data[layout.SOLVED_PIECES] = solved


def _play_on(
    searcher: Searcher,
    here: Position,
    look_up: Callable[[Position], int | None],
    stop: Callable[[], bool] | None,
    solved: int,
) -> tuple[Move, ...]:
    line: list[Move] = []
    past: list[Position] = []
    left = _ALL_NODES
    while left > 0 and len(line) < _MAX_LINE and not (stop and stop()):
        legal, value = here.legal_moves(), look_up(here)
        if not legal or not value:
            break
        shown = table_line(searcher.tablebase, here)
        if shown is not None:
            line += shown
            break
        kept = [move for move in legal if value < 0 or _is_lost(here.play(move), look_up)]
        if not kept:
            break
        # Values of as many pieces would only say what is known already.
        searcher.work.data[layout.SOLVED_PIECES] = min(solved, here.pieces - 1)
        limits = Limits(nodes=min(left, _STEP_NODES), stop=stop)
        found = searcher.search(here, limits, past, moves=kept)
        left -= max(found.nodes, _LEAST)
        proven = found.category == ("win" if value > 0 else "loss")
        for move in found.pv if proven else found.pv[:1]:
            line.append(move)
            past.append(here)
            here = here.play(move)
    return tuple(line)


def _is_lost(position: Position, look_up: Callable[[Position], int | None]) -> bool:
    if not position.legal_moves():
        return not position.is_lone_pieces_draw
    return look_up(position) == -1
