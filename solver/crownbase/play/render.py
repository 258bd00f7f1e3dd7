"""Positions and values for people: the board as text, values in words, tables of moves.

Pure functions from values to text; nothing here writes to a stream.

A board is drawn as White sees it. Rule sets that write numbers get the first and the last square
number of each row at the sides; the others get files and ranks::

     1  .   .   b   .       4            8  .   .   b   .
     5    .   .   .   W     8            7    .   .   .   W
    ...                                 ...
                                            a b c d e f g h

``w`` is a white man, ``W`` a white king, ``b`` and ``B`` are black; ``.`` is an empty square.
"""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from crownbase.play.numbering import numbered
from crownbase.play.outcome import COLOURS

if TYPE_CHECKING:
    from crownbase.board import Position
    from crownbase.probe import MoveInfo
    from crownbase.rules import Rules

_JOINED = "\x1f"  # stands for a blank at which no line ends


def board_text(rules: Rules, pieces: Mapping[int, str]) -> str:
    """The board with *pieces*: square index to one of ``w W b B``."""
    board = rules.board
    letters = rules.notation.letters
    rows: list[list[str]] = [[" "] * board.columns for _ in range(board.rows)]
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    for square, (row, column) in enumerate(board.coordinates):
        rows[row][column] = pieces.get(square, ".")
        first.setdefault(row, square + 1)
        last[row] = square + 1
    lines = []
    for row, cells in enumerate(rows):
        left = str(board.rows - row) if letters else str(first[row])
        right = "" if letters else str(last[row])
        lines.append(f"{left:>4}  {' '.join(cells)}  {right:>2}".rstrip())
    if letters:
        lines.append(" " * 6 + " ".join("abcdefghijklmnopqrstuvwxyz"[: board.columns]))
    if rules.notation.official_reversed:
        total = board.n_squares + 1
        lines.append(f"      official numbers count from the other end: {total} - n")
    return "\n".join(lines)


def position_text(position: Position) -> str:
    """The board of a position."""
    boards = {
        "w": position.white_men,
        "W": position.white_kings,
        "b": position.black_men,
        "B": position.black_kings,
    }
    pieces = {
        square: letter
        for letter, board in boards.items()
        for square in range(position.rules.board.n_squares)
        if board >> square & 1
    }
    return board_text(position.rules, pieces)


def turn_words(side: str) -> str:
    """``White to move``."""
    return f"{COLOURS[side]} to move"


def plies(count: int) -> str:
    """``1 ply``, ``61 plies``."""
    return f"{count} {'ply' if count == 1 else 'plies'}"


def value_words(
    side: str, category: str, dtc: int | None, dtw: int | None, limit: int | None = None
) -> str:
    """What a value means, in a sentence without a full stop.

    *side* is ``W`` or ``B``: whose turn it is; *category* and the signed distances are from its
    point of view; *limit* is the rule set's draw clock in plies, where the category depends on it.
    """
    name = turn_words(side)
    if category == "draw":
        return f"{name} draws"
    if category == "loss" and dtw == 0:
        return f"{name} has no legal move and has lost"
    verb = "wins" if category in ("win", "cursed-win") else "loses"
    text = f"{name} {verb}"
    if dtw is not None:
        text += f" in {plies(abs(dtw))}"
    if dtc:
        text += f" (next conversion in {abs(dtc)})"
    if category in ("cursed-win", "blessed-loss"):
        clock = f"the draw clock of {plies(limit)}" if limit else "the draw clock"
        text += f", but is drawn under {clock}"
    return text


OUTCOME_WORDS = {
    "win": "wins",
    "cursed-win": "wins, but for the draw clock",
    "draw": "draws",
    "blessed-loss": "loses, but for the draw clock",
    "loss": "loses",
}


def moves_table(ranked: Sequence[MoveInfo]) -> str:
    """Moves, best first, with what each leads to in the mover's view.

    Distances count the move itself: one ply more than the value of the position after it.
    """
    rows = [
        (
            str(info.move),
            OUTCOME_WORDS.get(info.outcome or "", "unknown"),
            _with_this_move(info.outcome, info.dtw),
            "1" if info.conversion else _with_this_move(info.outcome, info.dtc),
        )
        for info in ranked
    ]
    return table(("move", "result", "plies", "to conversion"), rows, left=(0, 1))


def _with_this_move(outcome: str | None, distance: int | None) -> str:
    return "" if distance is None or outcome in (None, "draw") else str(abs(distance) + 1)


def table(
    header: Sequence[str], rows: Iterable[Sequence[str]], left: Collection[int] = (0,)
) -> str:
    """Columns of text under a header; those in *left* are set flush left, the others right."""
    lines = [list(header), *(list(row) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column in left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def line_text(start: Position, moves: Sequence[str], width: int = 78) -> str:
    """Moves from a position with their numbers, as in a game record: ``1. 19-24 12-16 2. ...``."""
    if not moves:
        return "no move"
    words = [
        f"{number}{_JOINED}{move}" if number else move for number, move in numbered(start, moves)
    ]
    text = textwrap.fill(" ".join(words), width, break_long_words=False, break_on_hyphens=False)
    return text.replace(_JOINED, " ")
