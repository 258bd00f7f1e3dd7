"""PDN, the files in which draughts games are kept: reading them liberally, writing PDN 3.0.

Understood are tags, GameType, set-up positions, several games a file (separated by tags, results or
``*``), comments (nested too), variations (skipped), NAGs and move strengths, results of every rule
set, letters and numbers, short letters (``cd4``), any capture sign, white space inside a move,
``01.`` and other numbers, leading zeros, captures with or without middle squares, captures of which
every hop stands alone, the dashes of word processors, invisible characters.

Moves are found by their squares among the legal ones, never by the sign between them. A short
capture that fits several ways is decided by the moves after it, where those leave one. A set-up in
the middle of a game begins a game of its own. A fault in one game is kept with that game
(``PdnGame.error``: file, line, token), and the next one is read. Draw rules never stop a game that
is read: records go on after a draw that nobody claimed.
"""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterator
from pathlib import Path

from crownbase.errors import PdnError
from crownbase.play.game import Game
from crownbase.play.pdn_read import read_games
from crownbase.play.pdn_record import PdnGame
from crownbase.play.pdn_write import write_pdn
from crownbase.rules import DrawRules, Rules

__all__ = ["PdnError", "PdnGame", "read_pdn", "read_pdn_file", "write_pdn"]


def read_pdn_file(
    path: str | os.PathLike[str],
    rules: str | Rules | None = None,
    draw: str | DrawRules | None = None,
) -> Iterator[PdnGame[Game]]:
    """The games of a PDN file (UTF-8, UTF-16, or else Windows-1252). See ``read_pdn``.

    Raises:
        OSError: the file cannot be read.
    """
    return read_pdn(decode(Path(path).read_bytes()), rules, draw, os.fspath(path))


def read_pdn(
    text: str,
    rules: str | Rules | None = None,
    draw: str | DrawRules | None = None,
    source: str = "PDN",
) -> Iterator[PdnGame[Game]]:
    """The games of a PDN text, one by one.

    Args:
        text: the text.
        rules: the rule set; None = what the tags of each game say.
        draw: draw rules by name, as for ``Game``.
        source: what messages call the text.
    """
    return read_games(text, Game, rules, draw, source)


def decode(data: bytes) -> str:
    """The text of a file, by its byte order mark, as UTF-8, or as older Windows programs wrote."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", errors="replace")
    for place, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        if len(data) > 1 and not data[place] and data[1 - place]:
            return data.decode(encoding, errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:
        return data.decode("latin-1")
