"""How a game ends, as data: outcomes, claims, and what the players said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from crownbase.board import Move
from crownbase.rules import Rules
from crownbase.rules.draw import EACH, ClassClock

COLOURS = {"W": "White", "B": "Black"}
OTHER = {"W": "B", "B": "W"}
_ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth")


class Reason(StrEnum):
    """Why a game is over. The first two decide it; ``RESIGNATION``, ``TIME``, ``RESULT`` may."""

    NO_PIECES = "no piece left"
    NO_MOVE = "no legal move"
    LONE_PIECES = "one piece each"
    REPETITION = "repetition"
    QUIET_CLOCK = "draw clock"
    CLASS_CLOCK = "class clock"
    MOVE_LIMIT = "move limit"
    AGREEMENT = "agreement"
    RESIGNATION = "resignation"
    TIME = "time forfeit"
    RESULT = "result as recorded"


@dataclass(frozen=True)
class Outcome:
    """The end of a game.

    Attributes:
        winner: ``"W"``, ``"B"``, or None for a draw.
        reason: why.
        article: where the rules say so, if they do.
        detail: the reason in words, for people.
        claimed: a player claimed it; else it came by itself, by agreement or by resignation.
    """

    winner: str | None
    reason: Reason
    article: str = ""
    detail: str = ""
    claimed: bool = False

    def result(self, rules: Rules) -> str:
        """The result as the PDN files of a rule set write it, such as ``1-0``.

        The first number belongs to the player who begins. Where Black does (English), the large
        collections are written so, though descriptions of PDN copy "White" from chess.
        """
        if self.winner is None:
            return rules.notation.results[1]
        return rules.notation.results[0 if self.winner == rules.first_player else 2]

    def __str__(self) -> str:
        end = f"{COLOURS[self.winner]} wins" if self.winner else "drawn"
        article = f" ({self.article})" if self.article else ""
        claim = ", claimed" if self.claimed else ""
        return f"{end}: {self.detail or self.reason.value}{claim}{article}"


@dataclass(frozen=True)
class Claim:
    """A draw that the side to move may claim.

    ``move``: the move that it must show, None if the position on the board is enough.
    """

    reason: Reason
    article: str
    detail: str
    move: Move | None = None


class Said(StrEnum):
    """What a player can say."""

    OFFER = "offers a draw"
    ACCEPT = "accepts the draw"
    DECLINE = "declines the draw"
    CLAIM = "claims a draw"
    RESIGN = "resigns"
    HUFF = "huffs"


@dataclass(frozen=True)
class Event:
    """Something a player said. ``ply``: how many moves had been played."""

    ply: int
    side: str
    said: Said
    detail: str = ""

    def __str__(self) -> str:
        return f"{COLOURS[self.side]} {self.said.value}{self.detail and ' ' + self.detail}"


def standing_offer(events: Sequence[Event], ply: int, turn: str) -> str | None:
    """The side whose offer of a draw stands after *ply* moves, with *turn* to move.

    It stands through the offerer's own move; a move of the opponent declines it.
    """
    for event in reversed(events):
        if event.said in (Said.ACCEPT, Said.DECLINE):
            return None
        if event.said is Said.OFFER:
            played = ply - event.ply
            mover_then = turn if played % 2 == 0 else OTHER[turn]
            own = 1 if mover_then == event.side else 0
            return event.side if played <= own else None
    return None


def ordinal(times: int) -> str:
    """``third``, ``10th``."""
    return _ORDINALS[times] if times < len(_ORDINALS) else f"{times}th"


def occurrence_words(times: int) -> str:
    """``third occurrence of the position``."""
    return f"{ordinal(times)} occurrence of the position"


def class_words(clock: ClassClock) -> str:
    """``three pieces against a king, 16 moves of each``."""
    whose = "each" if clock.counted == EACH else f"the {clock.counted}er side"
    return f"{clock.name}, {clock.moves} moves of {whose}"
