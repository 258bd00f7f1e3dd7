"""A DamExchange program that shares no code with ours but the rules: strict, as Scan is.

It alternates moves, ends a game only in its own turn and in place of a move, confirms an end with
reason 0, counts clocks and moves, and takes whatever the protocol does not allow for a fault.
"""

from __future__ import annotations

import random
import socket
from collections.abc import Callable, Iterator

from crownbase.board import Move
from crownbase.play.game import Game

Chooser = Callable[[Game], Move]


def any_move(seed: int) -> Chooser:
    rng = random.Random(seed)
    return lambda game: rng.choice(game.position.legal_moves())


def messages(connection: socket.socket) -> Iterator[str]:
    kept = b""
    while data := connection.recv(4096):
        *whole, kept = (kept + data).split(b"\0")
        for message in whole:
            assert 1 <= len(message) <= 127
            yield message.decode("ascii")


class Peer:
    """One connection. *results*: of each game, seen from here: ``win``, ``draw``, ``loss``, ``?``.

    ``log`` has all messages, ``<`` heard and ``>`` said; ``seconds`` what the other side's moves
    say they took.
    """

    def __init__(self, connection: socket.socket, choose: Chooser) -> None:
        self._connection = connection
        self._heard = messages(connection)
        self._choose = choose
        self.log: list[str] = []
        self.results: list[str] = []
        self.seconds = 0
        self.games: list[Game] = []
        connection.settimeout(60)

    def say(self, text: str) -> None:
        self.log.append("> " + text)
        self._connection.sendall(text.encode("ascii") + b"\0")

    def hear(self) -> str:
        text = next(self._heard)
        self.log.append("< " + text)
        return text

    def begin(self, follower: str, minutes: int, moves: int, game: Game, squares: str = "") -> None:
        """As the initiator: ask, and play the game."""
        begin = "B" + squares if squares else "A"
        self.say(f"R01{'Peer 1.0':<32}{follower}{minutes:03}{moves:03}{begin}")
        answer = self.hear()
        assert answer[0] == "A" and answer[33:] == "0" and answer[1:33].rstrip() == "crownbase"
        self.play(game, "B" if follower == "W" else "W", moves)

    def follow(self, game_of: Callable[[str], Game]) -> bool:
        """As the follower: wait for a request, play the game; False if none comes."""
        try:
            request = self.hear()
        except StopIteration:
            return False
        assert request[:3] == "R01" and request[3:35].rstrip() == "crownbase"
        side, moves = {"W": "W", "Z": "B"}[request[35]], int(request[39:42])
        self.say(f"A{'Peer 1.0':<32}0")
        self.play(game_of(request[42:]), side, moves)
        return True

    def play(self, game: Game, side: str, moves: int) -> None:
        """One game to its end and to the confirmation of it."""
        self.games.append(game)
        while True:
            if game.turn == side:
                end = self._my_end(game, side, moves)
                if end:
                    self.say(f"E{end}0")
                    confirmed = self.hear()
                    while confirmed[0] == "C":
                        confirmed = self.hear()
                    assert confirmed[0] == "E", confirmed
                    self.results.append({"1": "loss", "2": "draw", "3": "win", "0": "?"}[end])
                    return
                move = self._choose(game)
                game.play(move)
                taken = "".join(f"{square:02}" for square in move.captured)
                number = len(move.captured)
                self.say(f"M0000{move.start:02}{move.end:02}{number:02}{taken}")
            else:
                text = self.hear()
                if text[0] == "E":
                    self.say("E0" + text[2])
                    self.results.append({"1": "win", "2": "draw", "3": "loss", "0": "?"}[text[1]])
                    return
                if text[0] != "C":
                    self._their_move(game, text)

    def _my_end(self, game: Game, side: str, moves: int) -> str:
        outcome = game.outcome()
        if outcome is not None:
            return "2" if outcome.winner is None else "3" if outcome.winner == side else "1"
        return "0" if moves and game.ply >= 2 * moves else ""

    def _their_move(self, game: Game, text: str) -> None:
        assert text[0] == "M", text
        self.seconds += int(text[1:5])
        start, end, count = int(text[5:7]), int(text[7:9]), int(text[9:11])
        taken = {int(text[at : at + 2]) for at in range(11, len(text), 2)}
        assert len(taken) == count
        (move,) = (
            m
            for m in game.position.legal_moves()
            if (m.start, m.end, set(m.captured)) == (start, end, taken)
        )
        game.play(move)
