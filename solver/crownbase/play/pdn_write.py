"""Writing a game as PDN 3.0."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence

from crownbase.board import Position
from crownbase.play.base_game import BaseGame
from crownbase.play.numbering import numbered
from crownbase.play.outcome import Reason
from crownbase.play.pdn_squares import (
    DRAWS_TAG,
    MOVE_LIMIT_TAG,
    RULES_TAG,
    game_type_tag,
)
from crownbase.rules import RULE_SETS

_ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
_OWN = ("GameType", RULES_TAG, DRAWS_TAG, MOVE_LIMIT_TAG, "SetUp", "FEN")
"""Tags that follow from the game, whatever a record said."""
_UNKNOWN = {"Date": "????.??.??", "Result": "*"}


def write_pdn(
    game: BaseGame,
    tags: Mapping[str, str] | None = None,
    comments: Mapping[int, Sequence[str]] | None = None,
) -> str:
    """A game as PDN 3.0, with a line end.

    Numbers are crownbase's own and the GameType tag says which those are. Offers, claims and the
    reason of the end are written as comments. What the game was read with is written again: its
    tags, comments and NAGs.

    Args:
        game: the game.
        tags: tags to write before those of the game; what is needed and missing is added.
        comments: texts by the number of moves played before them; None = those of the game.
    """
    given = _kept_tags(game) | dict(tags or {})
    own = _own_tags(game)
    lines = [_tag(name, given.pop(name, _default_tag(name, game))) for name in _ROSTER]
    lines += [_tag(name, value) for name, value in own.items()]
    lines += [_tag(name, value) for name, value in given.items() if name not in _OWN]
    words = _words(game, game.comments if comments is None else comments)
    body = textwrap.fill(" ".join(words), 79, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*lines, "", body]) + "\n"


def _kept_tags(game: BaseGame) -> dict[str, str]:
    """The tags of the record; its result only while it is that of the game."""
    kept = dict(game.tags)
    outcome = game.outcome()
    if outcome and outcome.reason is not Reason.RESULT and kept.get("Result") != game.result:
        kept.pop("Result", None)
    if not outcome and kept.get("Result") in game.rules.notation.results:
        kept.pop("Result", None)
    return kept


def _default_tag(name: str, game: BaseGame) -> str:
    return game.result if name == "Result" else _UNKNOWN.get(name, "?")


def _own_tags(game: BaseGame) -> dict[str, str]:
    found = {}
    game_type = game_type_tag(game.rules)
    if game_type:
        found["GameType"] = game_type
    else:
        found[RULES_TAG] = game.rules.key
    usual = RULE_SETS.get(game.rules.key)
    if usual is None or game.draw.name != usual.draw.name:
        found[DRAWS_TAG] = game.draw.name
    if game.move_limit is not None:
        found[MOVE_LIMIT_TAG] = str(game.move_limit)
    if game.start != Position.start(game.rules) or game.start.clock:
        clock = f":H{game.start.clock}" if game.start.clock else ""
        found |= {"SetUp": "1", "FEN": game.start.fen() + clock}
    return found


def _tag(name: str, value: str) -> str:
    escaped = " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def _words(game: BaseGame, comments: Mapping[int, Sequence[str]]) -> list[str]:
    moves = list(numbered(game.start, map(str, game.moves)))
    words: list[str] = []
    for ply in range(game.ply + 1):
        texts = list(comments.get(ply, ()))
        said = [str(event) for event in game.events if event.ply == ply]
        texts += [text for text in said if text not in texts]
        outcome = game.outcome() if ply == game.ply else None
        if outcome and outcome.reason is not Reason.RESULT:
            texts = [*(text for text in texts if text != str(outcome)), str(outcome)]
        words += game.nags.get(ply, ())
        for text in texts:
            plain = text.replace("{", "(").replace("}", ")")
            words.append("{" + plain + "}")
        if ply < game.ply:
            words += filter(None, moves[ply])
    return [*words, "*"]
