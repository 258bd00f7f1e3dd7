"""``RuledGame``: moves with their history, and with it all that a position alone cannot know.

A game knows how often a position has occurred, how many plies each draw clock has run, what has
been offered, and from that whether it is over. At the end of a turn the order is: a win first, then
repetition, then the clocks, then the move limit. A win on the last ply of a limit stands.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NoReturn

from crownbase.board import Move, Position, clocks
from crownbase.errors import IllegalMoveError
from crownbase.play.history import History
from crownbase.play.huffing import offenders, without_piece
from crownbase.play.outcome import (
    COLOURS,
    OTHER,
    Claim,
    Event,
    Outcome,
    Reason,
    Said,
    class_words,
    occurrence_words,
    ordinal,
)
from crownbase.rules import DrawRules, Rules, find_rules
from crownbase.rules.draw import AUTOMATIC, CLAIM, CLAIM_WITH_MOVE


class RuledGame(History):
    """A game as the rules see it; ``BaseGame`` adds what the players say, ``Game`` the text.

    Attributes:
        rules, draw: the rule set, and its draw rules in force (``rules.draw``).
        move_limit: plies after which the game is drawn, or None.
        tags: tags of the record that the game was read from; ``pdn`` writes them.
        comments, nags: what the record says of the moves, by the number of moves played before.
    """

    def __init__(
        self,
        rules: str | Rules = "english",
        fen: str | Position | None = None,
        draw: str | DrawRules | None = None,
        move_limit: int | None = None,
        play_on: bool = False,
    ) -> None:
        """Start a game.

        Args:
            rules: the rule set.
            fen: a position to start from, as FEN or as ``Position`` (which brings its own rules);
                None = the normal start. Plies on its draw clock (FEN ``H``) count.
            draw: the name of a preset of the rule set (``"none"`` = no draw rules), or draw rules;
                None = the rule set's usual ones.
            move_limit: plies after which the game is drawn; None = what the draw rules say.
            play_on: moves may go on after the rules have drawn the game, as they do in records.

        Raises:
            FenError, IllegalPositionError: no good position.
            UnknownRulesError: no such rule set or preset.
        """
        if isinstance(fen, Position):
            start = fen
        else:
            start = Position.from_fen("start" if fen is None else fen, rules=find_rules(rules))
        # Tables and searches judge a position by its own rules: they are those of the game.
        played = start.rules.with_draw(draw, move_limit)
        super().__init__(start if played is start.rules else replace(start, rules=played))
        self.move_limit = self.draw.move_limit
        self._play_on = play_on
        self._events: list[Event] = []
        self._end: Outcome | None = None
        self.tags: dict[str, str] = {}
        self.comments: dict[int, list[str]] = {}
        self.nags: dict[int, list[str]] = {}

    # -- moves -----------------------------------------------------------------------------------

    def legal_moves(self) -> tuple[Move, ...]:
        """The moves that may be played now; none when the game is over.

        >>> [str(move) for move in game.legal_moves()[:3]]
        ['9-13', '9-14', '10-14']
        """
        return () if self._stopped() else self.position.legal_moves()

    def play(self, move: Move | str) -> Move:
        """Play a move, given as a ``Move`` or as text; it is returned.

        Raises:
            IllegalMoveError: not legal here, unclear, or the game is over.

        >>> str(game.play("11-15"))
        '11-15'
        """
        over = self._stopped()
        if over:
            raise IllegalMoveError(f"{move} cannot be played: the game is over, {over}")
        return self._push(move)

    def undo(self) -> Move:
        """Take the last move back, with all that was said since; it is returned.

        Raises:
            IllegalMoveError: no move has been played.

        >>> move = game.play("11-15")
        >>> str(game.undo())
        '11-15'
        """
        move = self._pop()
        self._events = [event for event in self._events if event.ply <= self.ply]
        for texts in (self.comments, self.nags):
            texts.pop(self.ply + 1, None)
        self._end = None
        return move

    # -- huffing ---------------------------------------------------------------------------------

    def huffs(self) -> tuple[int, ...]:
        """Squares of the pieces that the side to move may huff now (FEN numbers): those that could
        have taken in the move before. Empty under other rules, and after one has been huffed.

        >>> game = cb.Game("english-huffing")
        >>> _ = [game.play(text) for text in ("11-15", "22-18", "8-11")]
        >>> game.huffs()
        (15,)
        """
        done = any(event.said is Said.HUFF and event.ply == self.ply for event in self._events)
        if done or self._end or not self.ply:
            return ()
        return offenders(self._positions[-2], self._moves[-1])

    def huff(self, square: int | str) -> None:
        """Remove a piece of the opponent that could have taken; the side to move stays to move.

        ``undo`` takes it back together with the move that it was for.

        Raises:
            IllegalMoveError: no piece there may be huffed.

        >>> game = cb.Game("english-huffing")
        >>> _ = [game.play(text) for text in ("11-15", "22-18", "8-11")]
        >>> game.huff(game.huffs()[0])
        """
        over = self.outcome()
        known = {} if over else {self.rules.square_name(one - 1): one for one in self.huffs()}
        names = [name for name, one in known.items() if str(square).strip() in (name, str(one))]
        if not names:
            which = f"; {' or '.join(known)} may be huffed" if known else ""
            which = f": the game is over, {over}" if over else which
            raise IllegalMoveError(f"no piece that could have taken stands on {square}{which}")
        self._events.append(Event(self.ply, self.turn, Said.HUFF, names[0]))
        self._amend(without_piece(self.position, known[names[0]]))

    # -- the end ---------------------------------------------------------------------------------

    def outcome(self) -> Outcome | None:
        """How the game has ended; None while it goes on.

        >>> game.outcome() is None
        True
        >>> str(cb.Game(fen="W:W32:B23,24,27,28").outcome())
        'Black wins: White has no legal move'
        """
        return self._end or self._win() or self._automatic_draw()

    @property
    def is_over(self) -> bool:
        """Whether the game has ended.

        >>> game.is_over
        False
        """
        return self.outcome() is not None

    @property
    def result(self) -> str:
        """The result as PDN writes it, ``*`` while the game goes on.

        >>> game.result
        '*'
        """
        outcome = self.outcome()
        return outcome.result(self.rules) if outcome else "*"

    def _stopped(self) -> Outcome | None:
        return (self._end or self._win()) if self._play_on else self.outcome()

    def _win(self) -> Outcome | None:
        position = self.position
        om, ok, pm, pk = position.boards
        if self.rules.huffing and not pm | pk:  # the last piece was huffed
            words = f"{COLOURS[OTHER[position.turn]]} has {Reason.NO_PIECES.value}"
            return Outcome(position.turn, Reason.NO_PIECES, detail=words)
        if position.value_at_once != -1:
            return None
        if any(without_piece(position, one).legal_moves() for one in self.huffs()):
            return None  # a huff makes room for a move
        reason = Reason.NO_MOVE if om | ok else Reason.NO_PIECES
        return Outcome(
            OTHER[position.turn], reason, detail=f"{COLOURS[position.turn]} has {reason.value}"
        )

    def _automatic_draw(self) -> Outcome | None:
        draw = self.draw
        if self.position.is_lone_pieces_draw:
            return Outcome(None, Reason.LONE_PIECES, self.rules.source, "one piece each")
        again = draw.repetition
        if again and again.declared == AUTOMATIC and self.occurrences() >= again.times:
            return Outcome(
                None, Reason.REPETITION, again.article, occurrence_words(self.occurrences())
            )
        if draw.quiet and draw.quiet.declared == AUTOMATIC and self._quiet_is_out():
            return Outcome(None, Reason.QUIET_CLOCK, draw.quiet.article, self._quiet_words())
        for clock, count in self.class_clocks:
            if count >= clocks.limit_of(clock):
                return Outcome(None, Reason.CLASS_CLOCK, clock.article, class_words(clock))
        if self.move_limit is not None and self.ply >= self.move_limit:
            return Outcome(None, Reason.MOVE_LIMIT, detail=f"limit of {self.move_limit} plies")
        return None

    def _quiet_is_out(self) -> bool:
        quiet = self.draw.quiet
        if quiet is None or self.clock < quiet.limit:
            return False
        return self.position.pieces >= quiet.min_pieces

    def _quiet_words(self) -> str:
        kind = "capture or man move" if self.rules.man_moves_convert else "capture"
        return f"{self.clock} plies without {kind}"

    # -- claims ----------------------------------------------------------------------------------

    def claims(self) -> tuple[Claim, ...]:
        """The draws that the side to move may claim now, with the move to show where one is.

        >>> game.claims()
        ()
        """
        if self.outcome():
            return ()
        found = []
        again, quiet = self.draw.repetition, self.draw.quiet
        if quiet and quiet.declared == CLAIM and self._quiet_is_out():
            found.append(Claim(Reason.QUIET_CLOCK, quiet.article, self._quiet_words()))
        if again and again.declared == CLAIM and self.occurrences() >= again.times:
            found.append(
                Claim(Reason.REPETITION, again.article, occurrence_words(self.occurrences()))
            )
        if again and again.declared == CLAIM_WITH_MOVE:
            for move in self.position.legal_moves():
                # A capture never leads back; everything else may (men move sideways in Turkish).
                times = 0 if move.captured else self.occurrences(self.position.play(move)) + 1
                if times >= again.times:
                    words = f"{move} brings the position for the {ordinal(times)} time"
                    found.append(Claim(Reason.REPETITION, again.article, words, move))
        return tuple(found)

    def can_claim_draw(self) -> bool:
        """Whether the side to move may claim a draw now, with or without showing a move.

        >>> game.can_claim_draw()
        False
        """
        return bool(self.claims())

    def claim_draw(self, move: Move | str | None = None) -> Outcome:
        """Claim a draw for the side to move; the game ends with it.

        Under WCDF a repetition is claimed with the NEXT move, which is shown and not played: the
        position must arise for the third time with it. Other claims need no move.

        Raises:
            IllegalMoveError: the claim is not right, or the move not legal; the game goes on.

        >>> game = cb.Game(fen="W:WK32:BK1")
        >>> _ = [game.play(text) for text in ("32-28", "1-6", "28-32", "6-1") * 2]
        >>> str(game.claim_draw("32-28"))
        'drawn: 32-28 brings the position for the third time, claimed (WCDF 1.32.1)'
        """
        over = self.outcome()
        if over:
            raise IllegalMoveError(f"no draw can be claimed: the game is over, {over}")
        shown = self.position.parse_move(move) if isinstance(move, str) else move
        for claim in self.claims():
            if claim.move is None or claim.move == shown:
                detail = f"with {claim.move}" if claim.move else ""
                self._events.append(Event(self.ply, self.turn, Said.CLAIM, detail))
                self._end = Outcome(None, claim.reason, claim.article, claim.detail, claimed=True)
                return self._end
        self._refuse_claim(shown)

    def _refuse_claim(self, shown: Move | None) -> NoReturn:
        facts = []
        again, quiet = self.draw.repetition, self.draw.quiet
        if again:
            after = self.position.play(shown) if shown else None
            times = self.occurrences(after) + (1 if shown else 0)
            how = f"with {shown}" if shown else "on the board"
            facts.append(f"the position {how} occurs {times} of {again.times} times")
        if quiet:
            facts.append(f"{self.clock} of {quiet.limit} plies are on the draw clock")
        if not facts:
            facts.append("no rule gives one")
        hint = ""
        moves = [str(claim.move) for claim in self.claims() if claim.move]
        if moves:
            hint = f"; show one of: {', '.join(moves)}"
        raise IllegalMoveError(f"no draw can be claimed: {', '.join(facts)}{hint}")
