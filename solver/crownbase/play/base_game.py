"""``BaseGame``: a game with all that the players say, but without its text as PDN."""

from __future__ import annotations

from crownbase.errors import IllegalMoveError
from crownbase.play.numbering import move_number
from crownbase.play.outcome import (
    COLOURS,
    OTHER,
    Event,
    Outcome,
    Reason,
    Said,
    standing_offer,
)
from crownbase.play.ruled_game import RuledGame


class BaseGame(RuledGame):
    """A game by the rules in which players offer draws, accept, decline and resign."""

    # -- what the players say --------------------------------------------------------------------

    @property
    def events(self) -> tuple[Event, ...]:
        """Offers, claims and resignations, in order.

        >>> game.offer_draw()
        >>> [str(event) for event in game.events]
        ['Black offers a draw']
        """
        return tuple(self._events)

    @property
    def draw_offer(self) -> str | None:
        """The side whose offer of a draw stands. A move of the opponent declines an offer.

        >>> game.offer_draw()
        >>> game.draw_offer
        'B'
        """
        return standing_offer(self._events, self.ply, self.turn)

    def offer_draw(self, side: str | None = None) -> None:
        """Offer a draw, for the side to move or the one named.

        Raises:
            IllegalMoveError: the game is over, or an offer stands already.

        >>> game.offer_draw("W")
        """
        if self.draw_offer:
            raise IllegalMoveError(f"an offer of {COLOURS[self.draw_offer]} stands already")
        self._say(side, Said.OFFER)

    def accept_draw(self) -> Outcome:
        """Accept the draw that the opponent offers.

        Raises:
            IllegalMoveError: no offer stands.

        >>> game.offer_draw()
        >>> str(game.accept_draw())
        'drawn: agreement'
        """
        self._answer(Said.ACCEPT)
        self._end = Outcome(None, Reason.AGREEMENT)
        return self._end

    def decline_draw(self) -> None:
        """Decline the draw that the opponent offers.

        Raises:
            IllegalMoveError: no offer stands.

        >>> game.offer_draw()
        >>> game.decline_draw()
        """
        self._answer(Said.DECLINE)

    def resign(self, side: str | None = None) -> Outcome:
        """Give the game up, for the side to move or the one named.

        Raises:
            IllegalMoveError: the game is over.

        >>> str(game.resign("W"))
        'Black wins: White resigns'
        """
        loser = self._say(side, Said.RESIGN)
        detail = f"{COLOURS[loser]} resigns"
        self._end = Outcome(OTHER[loser], Reason.RESIGNATION, detail=detail)
        return self._end

    def forfeit(self, side: str, detail: str) -> Outcome:
        """End the game: *side* has lost by the clock of the players, as *detail* says in words.

        Raises:
            IllegalMoveError: the game is over.

        >>> str(game.forfeit("W", "5 minutes for 20 moves"))
        'Black wins: time forfeit, 5 minutes for 20 moves'
        """
        over = self.outcome()
        if over:
            raise IllegalMoveError(f"the game is over, {over}")
        self._end = Outcome(OTHER[side], Reason.TIME, detail=f"{Reason.TIME.value}, {detail}")
        return self._end

    def record_result(self, winner: str | None) -> Outcome:
        """End the game with a result from elsewhere: a record, an arbiter, time run out.

        Raises:
            IllegalMoveError: the game is over with another result.

        >>> game.record_result("B").winner
        'B'
        """
        over = self.outcome()
        if over and over.winner == winner:
            return over
        if over and (over.winner or not self._play_on):
            raise IllegalMoveError(f"the game is over with another result: {over}")
        self._end = Outcome(winner, Reason.RESULT)
        return self._end

    def _say(self, side: str | None, said: Said) -> str:
        over = self.outcome()
        if over:
            raise IllegalMoveError(f"the game is over, {over}")
        speaker = side or self.turn
        if speaker not in OTHER:
            raise IllegalMoveError(f"no side {side!r}; sides are 'W' and 'B'")
        self._events.append(Event(self.ply, speaker, said))
        return speaker

    def _answer(self, said: Said) -> None:
        offerer = self.draw_offer
        if offerer is None or self.outcome():
            raise IllegalMoveError("no draw is offered")
        self._say(OTHER[offerer], said)

    # -- text ------------------------------------------------------------------------------------

    def fen(self, counters: bool = False) -> str:
        """The FEN of the position; with ``counters`` also ``:H`` (draw clock) and ``:F`` (move).

        >>> game.fen(counters=True)[-6:]
        ':H0:F1'
        """
        text = self.position.fen()
        number = move_number(self.start, self.ply).rstrip(".")
        return f"{text}:H{self.clock}:F{number}" if counters else text

    def __repr__(self) -> str:
        return f"<Game of {self.rules.key}: {self.ply} plies, {self.fen()}>"
