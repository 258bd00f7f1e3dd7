"""DamExchange (DXP) as text: the messages of two programs that play on 10x10 over TCP.

Messages are at most 127 ASCII characters and end with NUL. Squares have two digits. Described at
mesander.nl/damexchange/edxplg2.htm; ``W`` is White, ``Z`` (zwart) Black::

    R 01 name[32] follower's colour, minutes[3] moves[3], A or B side squares[50]   request
    A name[32] code      answer: 0 accepted, 1 version, 2 not this game, 3 no game at all
    M seconds[4] from[2] to[2] count[2] taken[2 each]                               move
    E reason stop        end: reason 0 none, 1 I lose, 2 draw, 3 I win; stop 1 = no other game
    C text               chat        B number[3] side -> K code     take back: 1 = no

Minutes are for the whole game of each player, moves are those of each player; 000 = no limit. An
end always ends the game; the other side confirms it with an end of its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from crownbase.board import Move, Position
from crownbase.errors import FenError, IllegalMoveError
from crownbase.play.hub_text import Dialect
from crownbase.play.outcome import OTHER
from crownbase.rules import Rules

PORT = 27531
LONGEST_MESSAGE = 127
"""Characters of the longest message."""
NAME = "crownbase"
NO_REASON, I_LOSE, GAME_DRAWN, I_WIN = "0123"
ACCEPTED, OTHER_VERSION, NOT_THIS_GAME, NO_GAME = "0123"
_VERSION = "01"
_TO_HUB = str.maketrans("zZ", "bB")
_FROM_HUB = str.maketrans("bB", "zZ")
_SIDES = {"W": "W", "Z": "B"}
_LETTERS = {"W": "W", "B": "Z"}
_REQUEST = re.compile(r"R01(.{32})([WZ])([0-9]{3})([0-9]{3})(A|B[WZ][wWzZe]{50}).*", re.DOTALL)
_MOVE = re.compile(r"M.{4}((?:[0-9]{2}){3,})", re.DOTALL)
_OFFER = re.compile(r"\W*(?:draw|remise|remis)\W*|.*\b(?:draw|remise|remis)\b.*\?\W*", re.DOTALL)
_OFFER_WORDS = re.compile(r"\b(?:offer|propose|bied|stel)\b.*\b(?:draw|remise|remis)\b", re.DOTALL)


class Inbox:
    """Cuts the bytes of a connection into messages.

    Of a message that has not ended, and of one that is too long, no more than
    ``LONGEST_MESSAGE`` + 1 bytes are kept: whoever handles it sees by its length that it is none.
    """

    def __init__(self) -> None:
        self._kept = b""

    def take(self, received: bytes) -> list[str]:
        """The messages that end in *received*; what is not ASCII becomes a replacement sign."""
        whole = []
        *ends, rest = received.split(b"\0")
        for part in ends:
            whole.append(
                (self._kept + part[: LONGEST_MESSAGE + 1])[: LONGEST_MESSAGE + 1].decode(
                    "ascii", "replace"
                )
            )
            self._kept = b""
        self._kept = (self._kept + rest[: LONGEST_MESSAGE + 1])[: LONGEST_MESSAGE + 1]
        return whole


def as_bytes(text: str) -> bytes:
    """A message as it is sent, whatever the text."""
    return text.replace("\0", "?")[:LONGEST_MESSAGE].encode("ascii", "replace") + b"\0"


def printable(text: str) -> str:
    """A text of the other program as people may see it: no control characters."""
    return "".join(c if " " <= c <= "~" else "?" for c in text).strip()


@dataclass(frozen=True)
class Request:
    """A game that the initiator asks for.

    ``follower``: the other program's side, ``W`` or ``B``. ``minutes`` for all moves of a player
    and ``moves`` of each player, 0 to 999; 0 = no limit. ``name``: the initiator's.
    """

    start: Position
    follower: str
    minutes: int = 5
    moves: int = 0
    name: str = NAME

    @property
    def initiator(self) -> str:
        """The side of the program that asks."""
        return OTHER[self.follower]

    def write(self) -> str:
        """The request as a message."""
        begin = "A"
        if self.start != Position.start(self.start.rules):
            squares = Dialect(self.start.rules).write_position(self.start).translate(_FROM_HUB)
            begin = "B" + squares
        side = _LETTERS[self.follower]
        numbers = f"{self.minutes:03}{self.moves:03}"
        return f"R{_VERSION}{self.name[:32]:<32}{side}{numbers}{begin}"


def is_other_version(text: str) -> bool:
    """Whether a request is one of another version of the protocol."""
    return text[1:3] != _VERSION


def read_request(text: str, rules: Rules) -> Request:
    """The request of a message.

    Raises:
        FenError, IllegalPositionError: no request, or no position of these rules.
    """
    found = _REQUEST.fullmatch(text)
    if found is None:
        raise FenError(f"no DXP game request: {text[:60]!r}")
    name, follower, minutes, moves, begin = found.groups()
    start = Position.start(rules)
    if begin != "A":
        start = Dialect(rules).read_position(begin[1:].translate(_TO_HUB))
    return Request(start, _SIDES[follower], int(minutes), int(moves), printable(name))


def write_move(move: Move, seconds: float) -> str:
    """A move message."""
    taken = "".join(f"{square:02}" for square in move.captured)
    spent = min(int(seconds), 9999)
    return f"M{spent:04}{move.start:02}{move.end:02}{len(move.captured):02}{taken}"


def read_move(position: Position, text: str) -> Move:
    """The legal move of a move message.

    Raises:
        IllegalMoveError: no legal move has these squares.
    """
    found = _MOVE.fullmatch(text)
    if found is not None:
        squares = found[1]
        start, end, count, *taken = (int(squares[i : i + 2]) for i in range(0, len(squares), 2))
        for move in position.legal_moves():
            if (move.start, move.end) == (start, end) and set(move.captured) == set(taken):
                if count == len(taken):
                    return move
    raise IllegalMoveError(f"no legal DXP move in {position.fen()}: {printable(text)}")


def is_draw_offer(chat: str) -> bool:
    """Whether a chat offers a draw; the protocol has no message for it, people write one."""
    text = chat.strip().lower()
    return bool(_OFFER.fullmatch(text) or _OFFER_WORDS.search(text))
