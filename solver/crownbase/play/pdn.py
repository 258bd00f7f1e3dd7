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
from collections.abc import Iterator, Sequence
from pathlib import Path

from crownbase.board.characters import plain_text
from crownbase.play.game import Game
from crownbase.play.pdn_game import GameReader
from crownbase.play.pdn_record import RESULTS, UNDECIDED, PdnGame
from crownbase.play.pdn_text import Kind, PdnError, Token, tokens
from crownbase.play.pdn_write import write_pdn
from crownbase.rules import DrawRules, Rules

__all__ = ["PdnError", "PdnGame", "first_game", "read_pdn", "read_pdn_file", "write_pdn"]


def read_pdn_file(
    path: str | os.PathLike[str],
    rules: str | Rules | None = None,
    draw: str | DrawRules | None = None,
) -> Iterator[PdnGame]:
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
) -> Iterator[PdnGame]:
    """The games of a PDN text, one by one.

    Args:
        text: the text.
        rules: the rule set; None = what the tags of each game say.
        draw: draw rules by name, as for ``Game``.
        source: what messages call the text.
    """
    for group in _groups(text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")):
        yield from _read_games(source, group, rules, draw)


def first_game(text: str, rules: str | Rules | None = None) -> Game:
    """The first game of a PDN text, with its tags, comments and NAGs.

    Raises:
        PdnError: no game, or a fault in it.
    """
    found = next(read_pdn(text, rules), None)
    if found is None:
        raise PdnError("PDN", 1, text[:20], "no game")
    if found.error:
        raise found.error
    assert found.game
    return found.game


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


def _groups(text: str) -> Iterator[list[Token]]:
    """The tokens of each game; the result or ``*`` that ends one is its last token.

    Of a variation nothing is kept but its first and its last parenthesis.
    """
    group: list[Token] = []
    names: set[str] = set()
    body = False
    depth = 0
    for token in tokens(text):
        kind = token.kind
        if kind is Kind.TAG:
            if body or token.text in names:
                yield group
                group, names, body, depth = [], set(), False, 0
            names.add(token.text)
        elif kind is Kind.OPEN:
            body = True
            depth += len(token.text)
            if depth > len(token.text):
                continue
        elif kind is Kind.CLOSE:
            body = True
            depth -= len(token.text)
            if depth > 0:
                continue
            surplus, depth = -depth, 0
            token = Token(kind, ")" * (1 + surplus), token.line)
        elif depth:
            continue
        else:
            body = body or kind is not Kind.COMMENT
        group.append(token)
        if kind is Kind.WORD:
            word = plain_text(token.text)
            if word in RESULTS or word in UNDECIDED:
                if len(group) > 1:
                    yield group
                group, names, body = [], set(), False
    if any(token.kind is not Kind.COMMENT for token in group):
        yield group


def _read_games(
    source: str,
    group: Sequence[Token],
    rules: str | Rules | None,
    draw: str | DrawRules | None,
) -> Iterator[PdnGame]:
    """Read the tokens between two games; more than one game if a set-up stands between moves."""
    tags = [token for token in group if token.kind is Kind.TAG]
    reader: GameReader | None = None
    for part in _parts([token for token in group if token.kind is not Kind.TAG]):
        if reader and reader.stands_as(part[0]):
            reader.read_moves(part[1:])
            continue
        if reader:
            yield reader.finish(is_last=False)
            tags = [token for token in tags if token.text not in ("FEN", "SetUp")]
        line = part[0].line if part and (not tags or part[0].kind is Kind.SETUP) else group[0].line
        reader = GameReader(source, line, tags, rules, draw)
        reader.read(part)
    assert reader
    yield reader.finish(is_last=True)


def _parts(body: Sequence[Token]) -> Iterator[list[Token]]:
    """The moves cut before each set-up that stands after moves."""
    part: list[Token] = []
    moves = False
    depth = 0
    for token in body:
        if token.kind is Kind.OPEN:
            depth += len(token.text)
        elif token.kind is Kind.CLOSE:
            depth = max(0, depth - len(token.text))
        elif token.kind is Kind.SETUP and not depth and moves:
            yield part
            part, moves = [], False
        moves = moves or token.kind in (Kind.WORD, Kind.SETUP)
        part.append(token)
    yield part
