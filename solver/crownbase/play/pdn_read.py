"""Cutting a PDN text into games, and reading each into a game of a class that is given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from crownbase.board.characters import plain_text
from crownbase.errors import PdnError
from crownbase.play.pdn_game import GameReader
from crownbase.play.pdn_record import RESULTS, UNDECIDED, G, PdnGame
from crownbase.play.pdn_text import Kind, Token, tokens
from crownbase.rules import DrawRules, Rules


def read_games(
    text: str,
    game_class: type[G],
    rules: str | Rules | None = None,
    draw: str | DrawRules | None = None,
    source: str = "PDN",
) -> Iterator[PdnGame[G]]:
    """The games of a PDN text, one by one, as objects of *game_class*. See ``pdn.read_pdn``."""
    for group in _groups(text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")):
        yield from _read_games(source, group, game_class, rules, draw)


def first_game(text: str, game_class: type[G], rules: str | Rules | None = None) -> G:
    """The first game of a PDN text, with its tags, comments and NAGs.

    Raises:
        PdnError: no game, or a fault in it.
    """
    found = next(read_games(text, game_class, rules), None)
    if found is None:
        raise PdnError("PDN", 1, text[:20], "no game")
    if found.error:
        raise found.error
    assert found.game
    return found.game


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
    game_class: type[G],
    rules: str | Rules | None,
    draw: str | DrawRules | None,
) -> Iterator[PdnGame[G]]:
    """Read the tokens between two games; more than one game if a set-up stands between moves."""
    tags = [token for token in group if token.kind is Kind.TAG]
    reader: GameReader[G] | None = None
    for part in _parts([token for token in group if token.kind is not Kind.TAG]):
        if reader and reader.stands_as(part[0]):
            reader.read_moves(part[1:])
            continue
        if reader:
            yield reader.finish(is_last=False)
            tags = [token for token in tags if token.text not in ("FEN", "SetUp")]
        line = part[0].line if part and (not tags or part[0].kind is Kind.SETUP) else group[0].line
        reader = GameReader(source, line, tags, game_class, rules, draw)
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
