"""DamExchange (DXP): games on 10x10 between two programs over TCP; we follow, others ask.

Messages are at most 127 ASCII characters and end with NUL. Squares have two digits. Described at
mesander.nl/damexchange/edxplg2.htm; ``W`` is White, ``Z`` (zwart) Black::

    R 01 name[32] follower's colour, minutes[3] moves[3], A or B side squares[50]   request
    A name[32] code      answer: 0 accepted, 1 version, 2 not this game, 3 busy
    M seconds[4] from[2] to[2] count[2] taken[2 each]                               move
    E reason stop        end: reason 0 unknown, 1 I lose, 2 draw, 3 I win; it is echoed
    C text               chat        B number[3] side -> K code     take back: 1 = no

pydraughts merges messages that arrive together, so the first move keeps its distance from the
answer (``ANSWER_GAP``).
"""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator

from crownbase.board import Move, Position
from crownbase.errors import CrownbaseError, FenError, IllegalMoveError
from crownbase.play.game import Game
from crownbase.play.hub_text import Dialect
from crownbase.play.player import Player
from crownbase.rules import Rules

PORT = 27531
ANSWER_GAP = 0.25
NAME = "crownbase"
_LIMIT = 127
_MOVES_TO_GO = 40
_TO_HUB = str.maketrans("zZ", "bB")
_SIDES = {"W": "W", "Z": "B"}


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
    numbers = [text[at : at + 2] for at in range(5, len(text), 2)]
    if len(numbers) >= 3 and all(part.isdigit() and len(part) == 2 for part in numbers):
        start, end, count, *taken = map(int, numbers)
        for move in position.legal_moves():
            if (move.start, move.end) == (start, end) and set(move.captured) == set(taken):
                if count == len(taken):
                    return move
    raise IllegalMoveError(f"no legal DXP move in {position.fen()}: {text}")


def read_request(text: str, rules: Rules) -> tuple[Position, str, float, int]:
    """(start, our side, minutes, moves; 0 = all) of a game request.

    Raises:
        FenError, IllegalPositionError: no request, or no position of these rules.
    """
    if len(text) < 43 or text[35] not in _SIDES or not text[36:42].isdigit():
        raise FenError(f"no DXP game request: {text[:60]!r}")
    if text[42] == "A":
        start = Position.start(rules)
    else:
        side = _SIDES.get(text[43:44], "")
        start = Dialect(rules).read_position(side + text[44:].translate(_TO_HUB))
    return start, _SIDES[text[35]], float(text[36:39]), int(text[39:42])


class Follower:
    """Our side of one connection. *player* chooses; a draw is never offered, ends are echoed."""

    def __init__(self, connection: socket.socket, player: Player) -> None:
        self._connection = connection
        self._player = player
        self._game: Game | None = None
        self._side = "W"
        self._left = 0.0
        self._moves = 0
        self._ended = False

    def run(self) -> None:
        """Play games until the other side closes the connection or asks to stop."""
        for text in self._messages():
            kind = text[:1]
            if kind == "R":
                self._request(text)
            elif kind == "M" and self._game is not None:
                self._their_move(text)
            elif kind == "E":
                if not self._ended:
                    self._send(text)
                self._game, self._ended = None, False
                if text[2:3] == "1":
                    return
            elif kind == "B":
                self._send("K1")

    def _messages(self) -> Iterator[str]:
        kept = b""
        while True:
            received = self._connection.recv(4096)
            if not received:
                return
            *whole, kept = (kept + received).split(b"\0")
            for message in whole:
                yield message[:_LIMIT].decode("ascii", "replace")

    def _send(self, text: str) -> None:
        self._connection.sendall(text.encode("ascii") + b"\0")

    def _request(self, text: str) -> None:
        code = "0"
        if text[1:3] != "01":
            code = "1"
        else:
            try:
                start, self._side, minutes, self._moves = read_request(text, self._player.rules)
            except CrownbaseError:
                code = "2"
        self._send(f"A{NAME:<32}{code}")
        if code != "0":
            return
        self._player.new_game()
        self._game, self._ended, self._left = Game(fen=start), False, minutes * 60
        time.sleep(ANSWER_GAP)
        self._our_move()

    def _their_move(self, text: str) -> None:
        game = self._game
        if game is None:
            return
        try:
            game.play(read_move(game.position, text))
        except IllegalMoveError:
            self._end("0")
            return
        self._our_move()

    def _our_move(self) -> None:
        game = self._game
        if game is None or game.turn != self._side:
            return
        if not game.legal_moves():
            outcome = game.outcome()
            self._end("2" if outcome is not None and outcome.winner is None else "1")
            return
        to_go = self._moves - game.ply // 2 if self._moves else _MOVES_TO_GO
        self._player.seconds = max(self._left / max(to_go, 5), 0.02)
        begin = time.monotonic()
        move = self._player.choose(game.position, game.history).move
        spent = time.monotonic() - begin
        self._left = max(self._left - spent, 0.0)
        game.play(move)
        self._send(write_move(move, spent))

    def _end(self, reason: str) -> None:
        self._ended = True
        self._send(f"E{reason}0")


def serve(player: Player, host: str = "127.0.0.1", port: int = PORT) -> None:
    """Wait for other programs and play with them, one after the other, until interrupted."""
    with socket.create_server((host, port)) as server:
        while True:
            connection, _ = server.accept()
            with connection:
                try:
                    Follower(connection, player).run()
                except OSError:
                    continue  # the other program went away
