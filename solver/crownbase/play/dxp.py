"""One conversation in DamExchange, whatever carries its bytes; ``dxp_text`` has the messages.

The side to move ends a game in place of a move. A draw that our own move makes, and one that is
agreed on, are said at once: two programs that say the same at the same time have confirmed it.

pydraughts merges messages that arrive together, so two of ours keep their distance (``GAP``).
"""

from __future__ import annotations

import time
from collections.abc import Callable

from crownbase.errors import CrownbaseError, IllegalMoveError
from crownbase.play import dxp_text as text
from crownbase.play.dxp_text import GAME_DRAWN, I_LOSE, I_WIN, NO_REASON, Inbox, Request
from crownbase.play.game import Game
from crownbase.play.outcome import COLOURS, OTHER
from crownbase.play.player import Player

GAP = 0.25
"""Seconds between two messages that we send without hearing anything between them."""
IDLE = 600.0
"""Seconds that may pass without a game, or without a move in a game that has no time limit."""
GRACE = 60.0
"""Seconds beyond its thinking time that the other side may need for a move."""
LONGEST_WAIT = 3600.0
"""Seconds after which a move is no longer waited for, however long the game may last."""
_MOVES_TO_GO = 40
_RESULTS = {NO_REASON: "no result", I_LOSE: "we win", GAME_DRAWN: "drawn", I_WIN: "we lose"}


class Session:
    """Our side of a conversation: bytes come in by `receive`, bytes go out by *send*.

    Args:
        take_player: called for each game; the player, or None if there can be no game now.
        send: sends bytes to the other side.
        report: hears for people what begins and ends.
        gap: see ``GAP``.

    Attributes:
        deadline: when (``time.monotonic``) the other side has been silent for too long.
        ended: games that have ended so far.
        over: the other side wants no more games.
        refused: why the other side has declined the game that was asked for, else "".
    """

    def __init__(
        self,
        take_player: Callable[[], Player | None],
        send: Callable[[bytes], object],
        report: Callable[[str], object] = lambda line: None,
        gap: float = GAP,
    ) -> None:
        self._take_player = take_player
        self._send_bytes = send
        self._report = report
        self._gap = gap
        self._inbox = Inbox()
        self._player: Player | None = None
        self._game: Game | None = None
        self._asked: Request | None = None
        self._initiator = False
        self._unconfirmed = False
        self._side = "W"
        self._moves = 0
        self._left: dict[str, float] = {}  # seconds on the clocks of a game with a time limit
        self._since = time.monotonic()  # when the other side's clock began to run
        self.deadline = self._since + IDLE
        self.ended = 0
        self.over = False
        self.refused = ""

    @property
    def playing(self) -> bool:
        """Whether a game is in progress."""
        return self._game is not None

    @property
    def waits(self) -> float:
        """Seconds for which a game in progress has been waiting for the other side."""
        return time.monotonic() - self._since if self._game is not None else 0.0

    @property
    def settled(self) -> bool:
        """Whether nothing is under way: no game, no request and no end that waits for an answer."""
        return not (self._game or self._asked or self._unconfirmed)

    def receive(self, received: bytes) -> bool:
        """Answer the messages in these bytes. False once the other side wants no more games."""
        for message in self._inbox.take(received):
            if len(message) > text.LONGEST_MESSAGE:
                self._send(f"Cerror: a message has at most {text.LONGEST_MESSAGE} characters")
                continue
            handler = _HANDLERS.get(message[:1])
            if handler is not None:
                handler(self, message)
            if self.over:
                return False
        return True

    def ask(self, request: Request) -> None:
        """Ask the other side for a game."""
        self._asked, self._initiator = request, True
        self._send(request.write())
        self.deadline = time.monotonic() + GRACE

    def give_up(self) -> None:
        """Say goodbye to a side that was silent beyond the deadline."""
        if self._game is not None:
            self._say_end(I_WIN, "the other side's time is over", stop="1")
            self._pause()
        self._send("Ctoo long without a message; closed")

    # -- games -----------------------------------------------------------------------------------

    def _begin(self, request: Request, side: str, other_name: str) -> None:
        player = self._player
        if player is None:
            return
        player.new_game()
        self._game, self._unconfirmed = Game(fen=request.start), False
        self._side, self._moves, self._since = side, request.moves, time.monotonic()
        self._left = {}
        if request.minutes:
            self._left = {"W": request.minutes * 60.0, "B": request.minutes * 60.0}
        limits = f"{request.minutes or 'no'} minutes, {request.moves or 'no'} moves"
        self._report(f"{COLOURS[side]} against {other_name or 'somebody'} ({limits} limit)")

    def _turn(self) -> None:
        """If it is our turn, our move or our word that the game is over; then we wait."""
        game, player = self._game, self._player
        if game is None or player is None:
            return
        if game.turn == self._side:
            self._move(game, player)
        if self._game is None:
            return
        self._since = time.monotonic()
        patience = IDLE
        if self._left:
            patience = min(self._left[OTHER[self._side]] + GRACE, LONGEST_WAIT)
        self.deadline = self._since + patience

    def _move(self, game: Game, player: Player) -> None:
        over = game.outcome()
        if over is not None:
            self._say_end(GAME_DRAWN if over.winner is None else I_LOSE, str(over))
            return
        claims = game.claims()
        if claims and player.accepts_draw(game.position, self._side, game.history):
            self._say_end(GAME_DRAWN, str(game.claim_draw(claims[0].move)))
            return
        if self._moves and game.ply >= 2 * self._moves:
            self._say_end(self._reason_by_tables(game, player), f"{self._moves} moves each")
            return
        begin = time.monotonic()
        seconds = player.seconds
        if self._left:
            to_go = self._moves - game.ply // 2 if self._moves else _MOVES_TO_GO
            player.seconds = max(self._left[self._side] / max(to_go, 5), 0.02)
        try:
            move = player.choose(game.position, game.history).move
        finally:
            player.seconds = seconds
        spent = time.monotonic() - begin
        if self._left:
            self._left[self._side] = max(self._left[self._side] - spent, 0.0)
        game.play(move)
        self._send(text.write_move(move, spent))
        drawn = game.outcome()
        if drawn is not None and drawn.winner is None:
            self._pause()
            self._say_end(GAME_DRAWN, str(drawn))

    def _reason_by_tables(self, game: Game, player: Player) -> str:
        known = player.searcher.look_up(game.position) if player.tablebase is not None else None
        return NO_REASON if known is None else (I_LOSE, GAME_DRAWN, I_WIN)[known + 1]

    def _say_end(self, reason: str, words: str, stop: str = "0") -> None:
        self._send(f"E{reason}{stop}")
        self._unconfirmed = True
        mirrored = {I_LOSE: I_WIN, I_WIN: I_LOSE}.get(reason, reason)
        self._finish(f"{_RESULTS[mirrored]}: {words}")

    def _finish(self, words: str) -> None:
        self._game = None
        self.ended += 1
        self._report(words)
        waits_for_answer = self._initiator and self._unconfirmed
        self.deadline = time.monotonic() + (GRACE if waits_for_answer else IDLE)

    # -- messages --------------------------------------------------------------------------------

    def _send(self, message: str) -> None:
        self._send_bytes(text.as_bytes(message))

    def _pause(self) -> None:
        time.sleep(self._gap)

    def _hear_request(self, message: str) -> None:
        code, request = self._judge(message)
        if request is not None:
            self._begin(request, request.follower, request.name)
        self._send(f"A{text.NAME:<32}{code}")
        if request is not None:
            self._pause()
            self._turn()

    def _judge(self, message: str) -> tuple[str, Request | None]:
        """The answer's code, and the request if it is accepted."""
        if text.is_other_version(message):
            return text.OTHER_VERSION, None
        self._player = self._player or self._take_player()
        if self._player is None:
            return text.NO_GAME, None
        try:
            request = text.read_request(message, self._player.rules)
            playable = request.start.value_at_once is None
        except CrownbaseError:
            playable = False
        return (text.ACCEPTED, request) if playable else (text.NOT_THIS_GAME, None)

    def _hear_answer(self, message: str) -> None:
        request, self._asked = self._asked, None
        if request is None:
            return
        name, code = text.printable(message[1:33]), message[33:34]
        if code != text.ACCEPTED:
            self.refused = f"{name or 'the other program'} declines the game (code {code or '-'})"
            return
        self._player = self._player or self._take_player()
        self._begin(request, request.initiator, name)
        self._turn()

    def _hear_move(self, message: str) -> None:
        game = self._game
        if game is None:
            return  # it crossed our end of the game
        try:
            move = text.read_move(game.position, message)
            if game.turn == self._side:
                raise IllegalMoveError("a move out of turn")
            if game.is_over:
                raise IllegalMoveError("a move after the end of the game")
            game.play(move)
        except CrownbaseError as error:
            self._say_end(NO_REASON, str(error))
            return
        if self._left:
            other = OTHER[self._side]
            self._left[other] = max(self._left[other] - (time.monotonic() - self._since), 0.0)
        self._turn()

    def _hear_end(self, message: str) -> None:
        """The other side's end, in place of a move or as the answer to ours.

        There is no choice but to confirm. To a draw the answer is a draw if we think so as well.
        """
        reason = message[1:2]
        stop = "1" if message[2:3] == "1" else "0"
        if self._unconfirmed:
            self._unconfirmed = False
        elif self._game is None:
            self._send(f"E{NO_REASON}{stop}")
        else:
            agreed = reason == GAME_DRAWN and self._takes_draw()
            self._send(f"E{GAME_DRAWN if agreed else NO_REASON}{stop}")
            words = f"{_RESULTS.get(reason, _RESULTS[NO_REASON])}: said by the other side"
            self._finish(words if agreed or reason != GAME_DRAWN else f"{words}, we disagree")
        self.over = stop == "1"

    def _hear_chat(self, message: str) -> None:
        if self._game is None or not text.is_draw_offer(message[1:]):
            return
        if not self._takes_draw():
            self._send("Cno draw, thank you")
            return
        self._send("Cdraw accepted")
        self._pause()
        self._say_end(GAME_DRAWN, "agreed")

    def _takes_draw(self) -> bool:
        """Whether the game is drawn by rule, or our player would take a draw now."""
        game, player = self._game, self._player
        if game is None or player is None:
            return False
        over = game.outcome()
        if over is not None:
            return over.winner is None
        return player.accepts_draw(game.position, self._side, game.history)

    def _hear_take_back(self, message: str) -> None:
        self._send("K1")


_HANDLERS: dict[str, Callable[[Session, str], None]] = {
    "R": Session._hear_request,
    "A": Session._hear_answer,
    "M": Session._hear_move,
    "E": Session._hear_end,
    "C": Session._hear_chat,
    "B": Session._hear_take_back,
}
