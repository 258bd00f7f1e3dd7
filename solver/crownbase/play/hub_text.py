"""Hub protocol 2 as text: lines, positions and moves, and the dialects of 8x8 boards.

A line is ``command arg=value arg="a value" flag``. A position is the side to move (``W`` or ``B``)
and one character for each square, ``w b`` men, ``W B`` kings, ``e`` empty. A move is ``32-28``, or
``28x19x23`` with every taken square behind start and end, in any order.

Hub itself knows 10x10 only. On other boards *standard* means: squares as our FENs count them. The
dialect *pydraughts* is what that client's version 0.6.7 sends, found by trying:

    square 1 at White's left hand (letter notations)   moves count from there, positions do not
    Black begins                                       positions upside down, colours swapped
    all others                                         the same as standard
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TextIO

from crownbase.board import Move, Position
from crownbase.board.fen import FenFields, check_boards
from crownbase.errors import FenError, IllegalMoveError
from crownbase.rules import Rules

_ARGUMENT = re.compile(r'([^\s="]+)(?:=(?:"([^"]*)"|(\S*)))?')
_MOVE = re.compile(r"[0-9]{1,3}(?:-[0-9]{1,3}|(?:x[0-9]{1,3})+)")
LONGEST_LINE = 1 << 20
"""Characters of a line that is listened to; games of ten thousand moves fit."""
DIALECTS = ("standard", "pydraughts")


def lines_of(stream: TextIO) -> Iterator[str]:
    """The lines of a stream. One of more than ``LONGEST_LINE`` characters is cut to one more, so
    that no client fills the memory."""
    while line := stream.readline(LONGEST_LINE + 1):
        yield line
        while len(line) > LONGEST_LINE and not line.endswith("\n"):
            line = stream.readline(LONGEST_LINE + 1)


def split_command(line: str) -> tuple[str, dict[str, str]]:
    """The command and its arguments; a flag has the value ``""``. An empty line is ``("", {})``."""
    command, _, rest = line.strip().partition(" ")
    found = {}
    for match in _ARGUMENT.finditer(rest):
        name, quoted, plain = match.groups()
        found[name] = quoted if quoted is not None else (plain or "")
    return command, found


def write_line(command: str, arguments: Mapping[str, object]) -> str:
    """A line; values that need quotes get them. Clients split at ``=``, so no value keeps one.

    Whatever stands in a value, the line stays one line.
    """
    words = [command]
    for name, value in arguments.items():
        text = str(value).replace('"', "'").replace("=", ":")
        text = "".join(c if c.isprintable() else " " for c in text)
        words.append(f'{name}="{text}"' if not text or " " in text else f"{name}={text}")
    return " ".join(words)


@dataclass(frozen=True)
class Dialect:
    """How a client writes the squares and colours of a rule set; see the module's docstring."""

    rules: Rules
    name: str = "standard"

    @property
    def _from_white_left(self) -> bool:
        return self.name == "pydraughts" and self.rules.notation.letters

    @property
    def _upside_down(self) -> bool:
        return self.name == "pydraughts" and self.rules.black_begins

    def number(self, square: int) -> int:
        """Our square number as the client writes it in moves, and the other way round."""
        if not self._from_white_left:
            return square
        width = self.rules.board.width
        row, column = divmod(square - 1, width)
        return (self.rules.board.rows - 1 - row) * width + column + 1

    def read_position(self, text: str) -> Position:
        """A position.

        Raises:
            FenError: not a position of this board.
            IllegalPositionError: a man on its crown row, or no piece at all.
        """
        n = self.rules.board.n_squares
        if text == "start":
            return Position.start(self.rules)
        if len(text) != n + 1 or text[0] not in "WB" or set(text[1:]) - set("wWbBe"):
            raise FenError(f"no Hub position of {self.rules.title} ({n + 1} characters): {text}")
        if self._upside_down:
            text = (text[0] + text[:0:-1]).translate(_SWAPPED)
        boards = {
            letter: sum(1 << s for s in range(n) if text[s + 1] == letter) for letter in "wWbB"
        }
        fields = FenFields(text[0], boards["w"], boards["W"], boards["b"], boards["B"])
        check_boards(fields, self.rules)
        return Position(self.rules, text[0], *(boards[letter] for letter in "wWbB"))

    def write_position(self, position: Position) -> str:
        """The inverse of ``read_position``."""
        letters = ["e"] * self.rules.board.n_squares
        boards = {
            "w": position.white_men,
            "W": position.white_kings,
            "b": position.black_men,
            "B": position.black_kings,
        }
        for letter, board in boards.items():
            for square in range(len(letters)):
                if board >> square & 1:
                    letters[square] = letter
        text = position.turn + "".join(letters)
        return (text[0] + text[:0:-1]).translate(_SWAPPED) if self._upside_down else text

    def write_move(self, move: Move) -> str:
        """A move: start, end, taken squares in ascending order."""
        squares = [move.start, move.end, *move.captured]
        sign = "x" if move.captured else "-"
        return sign.join(str(self.number(square)) for square in squares)

    def read_move(self, position: Position, text: str) -> Move:
        """The legal move of a text.

        Raises:
            IllegalMoveError: no legal move has these squares.
        """
        if _MOVE.fullmatch(text):
            start, end, *captured = (self.number(int(part)) for part in re.split("[-x]", text))
            for move in position.legal_moves():
                if (move.start, move.end) == (start, end) and set(move.captured) == set(captured):
                    return move
        raise IllegalMoveError(f"no legal Hub move in {position.fen()}: {text}")


_SWAPPED = str.maketrans("wWbB", "bBwW")
