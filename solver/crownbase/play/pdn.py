"""PDN, the files in which draughts games are kept: reading them liberally, writing PDN 3.0.

Understood are tags, GameType, set-up positions, several games a file (separated by tags, results or
``*``), comments (nested too), variations (skipped), NAGs and move strengths, results of every rule
set, letters and numbers, any capture sign, ``01.`` and other numbers, leading zeros, captures with
or without middle squares, captures of which every hop stands alone.

Moves are found by their squares among the legal ones, never by the sign between them. A fault in
one game is kept with that game (``PdnGame.error``: file, line, token), and the next one is read.
Draw rules never stop a game that is read: records go on after a draw that nobody claimed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from crownbase.errors import CrownbaseError, IllegalMoveError, UnknownRulesError
from crownbase.play.game import Game
from crownbase.play.outcome import OTHER, Said
from crownbase.play.pdn_squares import (
    DRAWS_TAG,
    MOVE_LIMIT_TAG,
    RULES_TAG,
    Squares,
    choose_rules,
)
from crownbase.play.pdn_text import Kind, PdnError, Token, tokens
from crownbase.play.pdn_write import write_pdn
from crownbase.rules import DrawRules, Rules
from crownbase.rules.draw import NO_DRAW_RULES

__all__ = ["PdnError", "PdnGame", "first_game", "read_pdn", "read_pdn_file", "write_pdn"]

RESULTS = {
    "1-0": 1,
    "2-0": 1,
    "0-1": -1,
    "0-2": -1,
    "1/2-1/2": 0,
    "1/2": 0,
    "½-½": 0,
    "1-1": 0,
}
"""What a result says: 1 = the player who began won, -1 = the other one, 0 = a draw."""

_UNDECIDED = ("*", "0-0")
_RESULT_LIKE = re.compile(r"[\d./½+]+-[\d./½+]+")
_LONGEST_CHAIN = 12
_HUFFED = re.compile(rf"(?:White|Black) {Said.HUFF} (\S+)")


@dataclass
class PdnGame:
    """One game of a file.

    Attributes:
        line: where it begins.
        tags: the tags as they stand in the file.
        game: the game as far as it could be read; None if its rules or its set-up could not.
        comments: texts by the number of moves played before them.
        result: the result as written, ``*`` if there is none.
        warnings: oddities that cost nothing.
        error: the fault that ended the reading of this game.
    """

    line: int
    tags: dict[str, str]
    game: Game | None = None
    comments: dict[int, list[str]] = field(default_factory=dict)
    result: str = "*"
    warnings: list[PdnError] = field(default_factory=list)
    error: PdnError | None = None


def read_pdn_file(
    path: str | os.PathLike[str],
    rules: str | Rules | None = None,
    draw: str | DrawRules | None = None,
) -> Iterator[PdnGame]:
    """The games of a PDN file (UTF-8, or else Latin-1). See ``read_pdn``.

    Raises:
        OSError: the file cannot be read.
    """
    data = Path(path).read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return read_pdn(text, rules, draw, os.fspath(path))


def read_pdn(
    text: str,
    rules: str | Rules | None = None,
    draw: str | DrawRules | None = None,
    source: str = "PDN",
) -> Iterator[PdnGame]:
    """The games of a PDN text, one by one.

    Args:
        text: the text.
        rules: the rule set; None = what the GameType tag of each game says.
        draw: draw rules by name, as for ``Game``.
        source: what messages call the text.
    """
    for group in _games(text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")):
        yield _GameReader(source, group).read(rules, draw)


def first_game(text: str, rules: str | Rules | None = None) -> Game:
    """The first game of a PDN text.

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


def _games(text: str) -> Iterator[list[Token]]:
    """The tokens of each game; the result or ``*`` that ends one is its last token."""
    group: list[Token] = []
    body = False
    depth = 0
    for token in tokens(text):
        repeated = any(t.kind is Kind.TAG and t.text == token.text for t in group)
        if token.kind is Kind.TAG and (body or repeated):
            yield group
            group, body, depth = [], False, 0
        group.append(token)
        if token.kind is not Kind.TAG:
            depth += {Kind.OPEN: 1, Kind.CLOSE: -1}.get(token.kind, 0)
            body = body or token.kind is not Kind.COMMENT
        ends = token.text in RESULTS or token.text in _UNDECIDED
        if token.kind is Kind.WORD and ends and depth <= 0:
            if len(group) > 1:
                yield group
            group, body, depth = [], False, 0
    if any(token.kind is not Kind.COMMENT for token in group):
        yield group


class _GameReader:
    """Reads the tokens of one game into a ``PdnGame``."""

    def __init__(self, source: str, group: Sequence[Token]) -> None:
        self._source = source
        self._tags = {t.text: t for t in reversed(group) if t.kind is Kind.TAG}
        self._body = [t for t in group if t.kind is not Kind.TAG]
        tags = {t.text: t.value for t in group if t.kind is Kind.TAG}
        self._found = PdnGame(group[0].line, tags)
        self._line = group[0].line

    def read(self, rules: str | Rules | None, draw: str | DrawRules | None) -> PdnGame:
        """Read it; every fault ends up in the ``PdnGame``."""
        found = self._found
        try:
            self._set_up(rules, draw)
        except CrownbaseError as error:
            tag = self._faulty_tag(error)
            found.error = PdnError(
                self._source,
                tag.line if tag else self._line,
                tag.value if tag else found.tags.get("Event", ""),
                str(error),
            )
            return found
        try:
            self._read_body()
        except PdnError as error:
            found.error = error
        self._take_result()
        return found

    def _faulty_tag(self, error: CrownbaseError) -> Token | None:
        names = (
            (RULES_TAG, "GameType") if isinstance(error, UnknownRulesError) else ("FEN", "SetUp")
        )
        return next((self._tags[name] for name in names if name in self._tags), None)

    def _set_up(self, rules: str | Rules | None, draw: str | DrawRules | None) -> None:
        tags = self._found.tags
        rule_set = choose_rules(tags, rules)
        self._squares = Squares.of_game(rule_set, tags)
        for text in self._squares.warnings:
            self._warn(self._tags["GameType"], text)
        fen = tags.get("FEN")
        setups = [t for t in self._body if t.kind is Kind.SETUP]
        if fen is None and setups and setups[0] is self._body[0]:
            fen = setups[0].value
            self._body = self._body[1:]
        books = (rule_set.draw, *rule_set.draw_presets, NO_DRAW_RULES)
        if draw is None and tags.get(DRAWS_TAG) in {book.name for book in books}:
            draw = tags[DRAWS_TAG]
        limit = tags.get(MOVE_LIMIT_TAG, "")
        move_limit = int(limit) if limit.isascii() and limit.isdigit() else None
        start = None if not fen else self._squares.fen(fen)
        self._from_start = start is None
        self._found.game = Game(rule_set, start, draw, move_limit, play_on=True)

    def _game(self) -> Game:
        assert self._found.game
        return self._found.game

    def _warn(self, token: Token, problem: str) -> None:
        self._found.warnings.append(PdnError(self._source, token.line, token.text, problem))

    def _fault(self, token: Token, problem: str) -> PdnError:
        return PdnError(self._source, token.line, token.text, problem)

    # -- moves -----------------------------------------------------------------------------------

    def _read_body(self) -> None:
        main = self._main_line()
        words = [token for token in main if token.kind is Kind.WORD]
        at = taken = 0  # words read so far; words that the last move took
        for token in main:
            if token.kind is Kind.COMMENT and self._reads_huff(token):
                continue
            if token.kind in (Kind.COMMENT, Kind.NESTED_COMMENT):
                self._found.comments.setdefault(self._game().ply, []).append(token.text)
                if token.kind is Kind.NESTED_COMMENT:
                    self._warn(token, "a comment inside a comment is no PDN; read as one comment")
            elif token.kind is Kind.SETUP:
                raise self._fault(token, "a set-up in the middle of a game is not read")
            elif token.kind is Kind.BAD:
                self._warn(token, token.value)
            elif token.kind is Kind.WORD:
                if taken:
                    taken -= 1  # a hop of the capture before
                    continue
                read = self._read_word(words[at : at + _LONGEST_CHAIN + 1])
                if not read:
                    return
                at += read
                taken = read - 1

    def _reads_huff(self, token: Token) -> bool:
        """Whether a comment says that a piece is huffed, which is then done.

        Raises:
            PdnError: no such piece may be huffed here.
        """
        said = _HUFFED.fullmatch(token.text.strip())
        if said is None or not self._game().rules.huffing:
            return False
        try:
            self._game().huff(said.group(1))
        except IllegalMoveError as error:
            raise self._fault(token, str(error)) from None
        return True

    def _main_line(self) -> list[Token]:
        """The tokens outside variations.

        Raises:
            PdnError: a variation has no end.
        """
        main, opened = [], []
        for token in self._body:
            if token.kind is Kind.OPEN:
                opened.append(token)
            elif token.kind is Kind.CLOSE and opened:
                opened.pop()
            elif token.kind is Kind.CLOSE:
                self._warn(token, "closes no variation")
            elif not opened:
                main.append(token)
        if opened:
            raise self._fault(opened[0], "variation without end")
        return main

    def _read_word(self, words: Sequence[Token]) -> int:
        """Read the move or result at the head of *words*; how many it took, 0 = the game ends.

        Raises:
            PdnError: neither a legal move nor a result.
        """
        token, last = words[0], len(words) == 1
        word = re.sub(r"[!?*]+$", "", token.text)
        tagged = self._found.tags.get("Result", "").strip()
        if not word or word in _UNDECIDED or word in RESULTS or (last and word == tagged):
            self._end_with(token, word or "*", tagged)
            return 0
        if set(word) <= set("-–—"):
            raise self._fault(token, "an unknown move; the moves after it cannot be placed")
        try:
            self._play(token, word)
            return 1
        except ValueError as error:
            for taken in range(2, min(len(words), _LONGEST_CHAIN) + 1):
                if self._play_hops(words[:taken]):
                    return taken
            if last and _RESULT_LIKE.fullmatch(word):
                self._warn(token, "neither a legal move nor a known result; the game ends here")
                self._found.result = word
                return 0
            raise self._fault(token, self._explain(word, error)) from None

    def _play(self, token: Token, word: str) -> None:
        game = self._game()
        move = game.position.parse_move(self._squares.move_text(word))
        over = game.outcome()
        if over and not any("played on" in warning.problem for warning in self._found.warnings):
            self._warn(token, f"played on after the game was {over}")
        game.play(move)

    def _play_hops(self, words: Sequence[Token]) -> bool:
        """Play a capture whose hops stand alone, each starting where the one before ended."""
        hops = [re.split(r"[-x×:]", word.text.lower()) for word in words]
        if any(one[-1] != next_one[0] for one, next_one in zip(hops, hops[1:], strict=False)):
            return False
        try:
            text = "x".join([*hops[0], *(square for hop in hops[1:] for square in hop[1:])])
            self._play(words[0], text)
        except ValueError:
            return False
        return True

    def _explain(self, word: str, error: ValueError) -> str:
        game = self._game()
        if game.ply == 0 and self._from_start:
            turned = self._squares.turned_text(word)
            try:
                if turned and game.position.parse_move(turned):
                    return (
                        f"{error}; the move is legal if squares are counted from the other side: "
                        "say so in the GameType tag"
                    )
            except IllegalMoveError:
                pass
        return str(error)

    # -- the result ------------------------------------------------------------------------------

    def _end_with(self, token: Token, word: str, tagged: str) -> None:
        self._found.result = word
        if word == tagged and word not in RESULTS and word not in _UNDECIDED:
            try:
                self._game().position.parse_move(self._squares.move_text(word))
                self._warn(token, "taken as the result, as the Result tag has it; also a move")
            except ValueError:
                pass
        elif tagged and word != "*" and _meaning(word) != _meaning(tagged):
            self._warn(token, f"differs from the Result tag {tagged!r}")

    def _take_result(self) -> None:
        found, game = self._found, self._game()
        if found.result == "*" and "Result" in found.tags:
            found.result = found.tags["Result"].strip() or "*"
        if found.error or found.result not in RESULTS:
            return
        first = game.rules.first_player
        winners = {1: first, -1: OTHER[first], 0: None}
        try:
            game.record_result(winners[RESULTS[found.result]])
        except IllegalMoveError as error:
            self._warn(self._tags.get("Result") or self._body[-1], str(error))


def _meaning(result: str) -> int | str:
    return RESULTS.get(result, result)
