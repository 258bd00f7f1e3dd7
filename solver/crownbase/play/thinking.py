"""What a person at the terminal sees of the clocks of a game, and of a player that thinks."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

from crownbase.board import clocks
from crownbase.play.outcome import class_words
from crownbase.play.render import plies

if TYPE_CHECKING:
    from crownbase.play.game import Game
    from crownbase.search import SearchResult

Show = Callable[[str], None]
"""Shows a text in place of the one before; an empty one clears the line."""


def limits_left(game: Game) -> list[str]:
    """The draw limits that run, with the plies that are left to each, one sentence each.

    The clock of quiet moves is told once it stands at 1 or more, and if it is in force with so
    many pieces; class clocks while they run; a move limit always.
    """
    lines = []
    quiet = game.draw.quiet
    if quiet and game.clock and game.position.pieces >= quiet.min_pieces:
        kind = "capture or man move" if game.rules.man_moves_convert else "capture"
        lines.append(_left(quiet.limit - game.clock, f"no {kind}", quiet.article, quiet.limit))
    for clock, count in game.class_clocks:
        left = clocks.plies_left(clock, count, game.position)
        lines.append(_left(left, class_words(clock), clock.article))
    if game.move_limit is not None:
        lines.append(_left(game.move_limit - game.ply, "move limit", "", game.move_limit))
    return lines


def _left(count: int, why: str, article: str, limit: int | None = None) -> str:
    source = f", {article}" if article else ""
    of = f" of {limit}" if limit else ""
    return f"a draw in {plies(max(count, 0))}{of} ({why}{source})"


class LiveLine:
    """A ``Show`` on a terminal: each text is written over the one before."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._width = 0

    def __call__(self, text: str) -> None:
        """Show *text*, as much of it as fits into one line."""
        shown = text[: shutil.get_terminal_size().columns - 1]
        self._stream.write("\r" + shown.ljust(self._width) + ("" if shown else "\r"))
        self._stream.flush()
        self._width = len(shown)


class Thinking:
    """Shows that somebody thinks, and how deep, for the time of a ``with`` block."""

    def __init__(self, show: Show | None) -> None:
        """*show* is where; None = nowhere."""
        self._show = show

    def __enter__(self) -> Thinking:
        if self._show is not None:
            self._show("thinking ...")
        return self

    def __exit__(self, *error: object) -> None:
        if self._show is not None:
            self._show("")

    def heard(self, result: SearchResult) -> None:
        """An iteration is finished: what ``Player.choose`` calls."""
        if self._show is not None:
            self._show(f"thinking ... depth {result.depth}: {result.move} ({result.score:+.2f})")
