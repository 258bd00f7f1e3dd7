"""Between Python and the root of a search: writing positions and moves in, reading lines out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from crownbase.board import Move, Position
from crownbase.board.bits import signed, unsigned
from crownbase.board.moves import FIELDS
from crownbase.rules import Rules
from crownbase.search import work as layout
from crownbase.search.evaluate import inner_mask
from crownbase.search.tables import TableView
from crownbase.search.work import Work, position_key

if TYPE_CHECKING:
    from crownbase.probe import Tablebase


def inner_squares(rules: Rules) -> int:
    """``inner_mask`` of a rule set's board, signed."""
    return signed(inner_mask.plain(rules.traits.plain))


def key_of(position: Position) -> int:
    """The search's hash of a position; the side to move is not part of it."""
    om, ok, pm, pk = (signed(board) for board in position.boards)
    return int(position_key(om, ok, pm, pk))


def write_root(
    work: Work, position: Position, moves: Sequence[Move], history: Sequence[Position]
) -> None:
    """Write the root's frame, its moves and the path that led to it.

    How often a position has to come back, and whether the first one counts, is what the draw rules
    of the position say.
    """
    data = work.data
    again = position.rules.draw.repetition
    data[layout.REPEATS] = again.times - 1 if again else layout.NEVER
    counted = history if again is None or again.counts_setup else history[1:]
    past = list(counted)[-layout.MAX_PAST :]
    if past and past[-1] == position:
        past.pop()
    # The path holds both sides in turn; a gap in the history ends it.
    for i in range(len(past) - 1, -1, -1):
        after = past[i + 1] if i + 1 < len(past) else position
        if past[i].turn == after.turn:
            past = past[i + 1 :]
            break
    for i, earlier in enumerate([*past, position]):
        data[layout.PATH + i] = key_of(earlier)
    data[layout.PAST] = len(past)
    at = layout.FRAMES
    for slot, board in enumerate(position.boards):
        data[at + slot] = signed(board)
    data[at + layout.KEY] = key_of(position)
    data[at + layout.REVERSIBLE] = len(past)
    data[at + layout.CLOCK] = position.clock
    for i, move in enumerate(moves):
        raw = move.raw
        numbers = (raw.start, raw.end, signed(raw.captured), raw.king_before, raw.king_after)
        for slot, number in enumerate(numbers):
            work.moves[0][i * FIELDS + slot] = int(number)
    data[layout.ROOT_MOVES] = len(moves)
    data[layout.LINES] = 0


def root_move(work: Work, position: Position, i: int) -> Move:
    """Move i of the root's buffer as a ``Move``."""
    start, end, captured = (int(x) for x in work.moves[0][i * FIELDS : i * FIELDS + 3])
    return _find(position, start, end, captured)


def bring_to_front(work: Work, best: int) -> None:
    """Make root move *best* the first, the others keep their order (and their scores)."""
    row, data = work.moves[0], work.data
    move = [int(x) for x in row[best * FIELDS : (best + 1) * FIELDS]]
    for at in range(best * FIELDS - 1, -1, -1):
        row[at + FIELDS] = row[at]
    row[:FIELDS] = move
    score = int(data[layout.ORDER + best])
    for i in range(best, 0, -1):
        data[layout.ORDER + i] = data[layout.ORDER + i - 1]
    data[layout.ORDER] = score


def read_line(work: Work, position: Position) -> tuple[Move, ...]:
    """The principal variation; the root's first move if the search kept none."""
    data = work.data
    length = int(data[layout.LINES])
    if length == 0:
        return (root_move(work, position, 0),)
    line = []
    for i in range(length):
        at = layout.LINES + 1 + 3 * i
        move = _find(position, *(int(x) for x in data[at : at + 3]))
        line.append(move)
        position = position.play(move)
    return tuple(line)


def _find(position: Position, start: int, end: int, captured: int) -> Move:
    """The legal move with these squares of the mover's frame."""
    wanted = (start, end, unsigned(captured))
    for move in position.legal_moves():
        if (move.raw.start, move.raw.end, move.raw.captured) == wanted:
            return move
    raise ValueError(f"no move {wanted} in {position.fen()}")


def look_up(tablebase: Tablebase | None, view: TableView | None, position: Position) -> int | None:
    """The table's WDL of a position, captures resolved; None if the tables do not tell.

    One piece each, where that ends the game, needs no table.
    """
    if position.is_lone_pieces_draw:
        return 0
    if tablebase is not None:
        return tablebase.get_wdl(position)
    if view is None:
        return None
    if not position.rules.captures_mandatory or not _captures(position):
        return view.value(position.boards)
    values = [_after(None, view, position.play(move)) for move in position.legal_moves()]
    known = [-value for value in values if value is not None]
    if 1 in known:
        return 1
    return max(known) if len(known) == len(values) else None


def preserving_moves(
    tablebase: Tablebase | None, view: TableView | None, position: Position, known: int | None
) -> list[Move] | None:
    """The moves after which the table's value stands; None if the tables do not tell."""
    if known is None:
        return None
    values = {move: _after(tablebase, view, position.play(move)) for move in position.legal_moves()}
    kept = [move for move, value in values.items() if value == -known]
    return kept or [move for move, value in values.items() if value is None] or None


def _after(tablebase: Tablebase | None, view: TableView | None, child: Position) -> int | None:
    known = child.value_at_once
    return look_up(tablebase, view, child) if known is None else known


def _captures(position: Position) -> bool:
    return any(move.captured for move in position.legal_moves())
