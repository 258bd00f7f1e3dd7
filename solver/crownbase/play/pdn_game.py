"""Reading the tokens of one game of a PDN text into a ``PdnGame``: tags, moves, result."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Generic

from crownbase.board import Move, Position
from crownbase.board.characters import latin_text, plain_text
from crownbase.errors import CrownbaseError, IllegalMoveError, PdnError, UnknownRulesError
from crownbase.play.outcome import OTHER, Said
from crownbase.play.pdn_record import RESULTS, UNDECIDED, G, PdnGame
from crownbase.play.pdn_squares import (
    DRAWS_TAG,
    MOVE_LIMIT_TAG,
    RULES_TAG,
    Squares,
    choose_rules,
)
from crownbase.play.pdn_text import STRENGTHS, Kind, Token
from crownbase.play.pdn_ways import Ways
from crownbase.rules import DrawRules, Rules
from crownbase.rules.draw import NO_DRAW_RULES

_RESULT_LIKE = re.compile(r"[\d./½+]+-[\d./½+]+")
_SIGNS = re.compile(r"[-x:]")
_LONGEST_CHAIN = 12
_HUFFED = re.compile(rf"(?:White|Black) {Said.HUFF} (\S+)")
_MOST_WARNINGS = 100  # of one game; rubbish has no end
_MOST_LEGAL = 12  # legal moves that a message names


class GameReader(Generic[G]):
    """Reads one game; every fault ends up in its ``PdnGame``."""

    def __init__(
        self,
        source: str,
        line: int,
        tags: Sequence[Token],
        game_class: type[G],
        rules: str | Rules | None,
        draw: str | DrawRules | None,
    ) -> None:
        self.found = PdnGame[G](line, {token.text: token.value for token in tags})
        self._source = source
        self._tags = {token.text: token for token in reversed(tags)}
        self._game_class = game_class
        self._rules = rules
        self._draw = draw
        self._ways: Ways | None = None
        self._last: Token | None = None
        self._warned: set[str] = set()
        self._ended = False

    # -- the parts of a game ---------------------------------------------------------------------

    def read(self, body: Sequence[Token]) -> None:
        """Read tags and moves."""
        found = self.found
        setup = next((t for t in body if t.kind is Kind.SETUP), None)
        first = next((t for t in body if t.kind in (Kind.WORD, Kind.SETUP)), None)
        if setup is not None and setup is first:
            body = [token for token in body if token is not setup]
            found.tags |= {"SetUp": "1", "FEN": setup.value}
            self._tags["FEN"] = setup
        try:
            self._set_up()
        except CrownbaseError as error:
            tag = self._faulty_tag(error)
            found.error = PdnError(
                self._source,
                tag.line if tag else found.line,
                tag.value if tag else found.tags.get("Event", ""),
                str(error),
            )
            return
        self.read_moves(body)

    def read_moves(self, body: Sequence[Token]) -> None:
        """Read moves, comments and the result."""
        if body:
            self._last = body[-1]
        try:
            self._read_body(self._main_line(body))
        except PdnError as error:
            self.found.error = error

    def stands_as(self, setup: Token) -> bool:
        """Whether a set-up between moves is a picture of the position on the board."""
        if self.found.error or self._ended or (self._ways and self._ways.undecided):
            return False
        try:
            return Position.from_fen(self._squares.fen(setup.value), rules=self._game().rules) == (
                self._game().position
            )
        except CrownbaseError:
            return False

    def finish(self, is_last: bool) -> PdnGame[G]:
        """The game, with its result and with what is to be written again.

        ``is_last``: no set-up follows, so that the result of the tags is that of this game.
        """
        found, game = self.found, self.found.game
        if game is None:
            return found
        if self._ways and self._ways.undecided and not found.error:
            token, moves = self._ways.undecided
            found.error = self._fault(
                token,
                f"can mean several {_kind(moves)}, and the game ends before a move tells which; "
                f"write one of: {self._listed(moves)}",
            )
        if not is_last:
            found.warnings.append(
                PdnError(
                    self._source,
                    self._last.line if self._last else found.line,
                    self._last.text if self._last else "",
                    "a new set-up ends the game here; what follows it is read as another game",
                )
            )
            found.tags.pop("Result", None)
        self._take_result()
        game.tags = dict(found.tags)
        game.comments = {ply: list(texts) for ply, texts in found.comments.items()}
        game.nags = {ply: list(texts) for ply, texts in found.nags.items()}
        return found

    # -- tags ------------------------------------------------------------------------------------

    def _faulty_tag(self, error: CrownbaseError) -> Token | None:
        of_rules = isinstance(error, UnknownRulesError)
        names = (RULES_TAG, "GameType", "Variant") if of_rules else ("FEN", "SetUp")
        return next((self._tags[name] for name in names if name in self._tags), None)

    def _set_up(self) -> None:
        tags = self.found.tags
        rule_set = choose_rules(tags, self._rules)
        self._squares = Squares.of_game(rule_set, tags)
        for text in self._squares.warnings:
            self._warn(self._tags["GameType"], text)
        fen = tags.get("FEN", "").strip()
        latin = latin_text(fen)
        if latin != fen:
            self._warn(self._tags["FEN"], f"has Cyrillic letters; read as {latin!r}")
        draw = self._draw
        books = (rule_set.draw, *rule_set.draw_presets, NO_DRAW_RULES)
        if draw is None and tags.get(DRAWS_TAG) in {book.name for book in books}:
            draw = tags[DRAWS_TAG]
        limit = tags.get(MOVE_LIMIT_TAG, "")
        readable = limit.isascii() and limit.isdigit() and len(limit) < 10
        start = self._squares.fen(plain_text(latin)) if fen else None
        self._from_start = start is None
        limit_plies = int(limit) if readable else None
        self.found.game = self._game_class(rule_set, start, draw, limit_plies, True)
        self._ways = Ways(self.found.game)

    def _game(self) -> G:
        assert self.found.game
        return self.found.game

    def _warn(self, token: Token, problem: str) -> None:
        listed = self.found.warnings
        if len(listed) == _MOST_WARNINGS:
            problem = "and more; no further oddities of this game are listed"
        if len(listed) <= _MOST_WARNINGS:
            listed.append(self._fault(token, problem))

    def _warn_once(self, token: Token, kind: str, problem: str) -> None:
        if kind not in self._warned:
            self._warned.add(kind)
            self._warn(token, problem)

    def _fault(self, token: Token, problem: str) -> PdnError:
        return PdnError(self._source, token.line, token.text, problem)

    # -- moves -----------------------------------------------------------------------------------

    def _read_body(self, main: Sequence[Token]) -> None:
        words = [token for token in main if token.kind is Kind.WORD]
        at = taken = 0  # words read so far; words that the last move took
        for token in main:
            if token.kind is Kind.COMMENT and self._reads_huff(token):
                continue
            if token.kind in (Kind.COMMENT, Kind.NESTED_COMMENT):
                self.found.comments.setdefault(self._ply, []).append(token.text)
                if token.kind is Kind.NESTED_COMMENT:
                    self._warn(token, "a comment inside a comment is no PDN; read as one comment")
            elif token.kind is Kind.BAD:
                self._warn(token, token.value)
            elif token.kind is Kind.NAG:
                self._note(token.text)
            elif token.kind is Kind.WORD:
                if taken:
                    taken -= 1  # a hop of the capture before
                    continue
                if self._ended:
                    return
                read = self._read_word(words[at : at + _LONGEST_CHAIN + 1])
                if not read:
                    self._ended = True
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
        if self._ways and self._ways.undecided:
            raise self._fault(token, "huffed while it is open which capture was played")
        try:
            self._game().huff(said.group(1))
        except IllegalMoveError as error:
            raise self._fault(token, str(error)) from None
        return True

    @property
    def _ply(self) -> int:
        assert self._ways
        return self._ways.ply

    def _note(self, text: str) -> None:
        nag = text if text.startswith("$") else STRENGTHS.get(text)
        if nag and self._ply:
            self.found.nags.setdefault(self._ply, []).append(nag)

    def _main_line(self, body: Sequence[Token]) -> list[Token]:
        """The tokens outside variations.

        Raises:
            PdnError: a variation has no end.
        """
        main = []
        depth = 0
        opened: Token | None = None
        for token in body:
            if token.kind is Kind.OPEN:
                opened = opened if depth else token
                depth += len(token.text)
            elif token.kind is Kind.CLOSE:
                if len(token.text) > depth:
                    self._warn(token, "closes no variation")
                depth = max(0, depth - len(token.text))
            elif not depth:
                main.append(token)
        if depth and opened:
            raise self._fault(opened, "variation without end")
        return main

    def _read_word(self, words: Sequence[Token]) -> int:
        """Read the move or result at the head of *words*; how many it took, 0 = the game ends.

        Raises:
            PdnError: neither a legal move nor a result.
        """
        token, last = words[0], len(words) == 1
        bare = token.text.rstrip("!?*")
        strength = token.text[len(bare) :].rstrip("*")
        word = plain_text(bare)
        tagged = self.found.tags.get("Result", "").strip()
        if not word or word in UNDECIDED or word in RESULTS or (last and word == tagged):
            self._end_with(token, word or "*", tagged)
            return 0
        if set(word) == {"-"}:
            raise self._fault(token, "an unknown move; the moves after it cannot be placed")
        try:
            taken = self._play(words, word)
        except ValueError as error:
            if last and _RESULT_LIKE.fullmatch(word[:40]):
                self._warn(token, "neither a legal move nor a known result; the game ends here")
                self.found.result = word
                return 0
            raise self._fault(token, str(error)) from None
        if strength:
            self._note(strength)
        return taken

    def _play(self, words: Sequence[Token], word: str) -> int:
        """Play the move at the head of *words*; how many of them it took.

        Raises:
            ValueError: no legal move, in words for people.
        """
        assert self._ways
        latin = latin_text(word)
        try:
            texts = self._squares.move_texts(latin)
            played = self._ways.play(words[0], texts)
            problem = "" if played else self._illegal(texts, word)
        except ValueError as error:
            played, problem = False, str(error)
        taken = 1
        while not played and taken < min(len(words), _LONGEST_CHAIN):
            taken += 1
            chained = self._chained(words[:taken])
            played = bool(chained) and self._ways.play(words[0], chained)
        if not played:
            raise ValueError(problem)
        if latin != word:
            self._warn_once(words[0], "cyrillic", f"has Cyrillic letters; read as {latin!r}")
        self._ways.settle(self._decided, self._played_on)
        return taken

    def _chained(self, words: Sequence[Token]) -> list[str]:
        """A capture whose hops stand alone, each starting where the one before ended."""
        hops = [_SIGNS.split(latin_text(plain_text(token.text[:40])).lower()) for token in words]
        if any(one[-1] != next_one[0] for one, next_one in zip(hops, hops[1:], strict=False)):
            return []
        try:
            text = "x".join([*hops[0], *(square for hop in hops[1:] for square in hop[1:])])
            return self._squares.move_texts(text)
        except ValueError:
            return []

    def _decided(self, token: Token, move: Move) -> None:
        written = self._squares.shown(move.text)
        self._warn(token, f"fits several ways; the moves after it leave only {written}")

    def _played_on(self, token: Token) -> None:
        over = self._game().outcome()
        if over:
            self._warn_once(token, "played on", f"played on after the game was {over}")

    def _illegal(self, texts: Sequence[str], word: str) -> str:
        """Why no move fits, in the squares of the game."""
        assert self._ways
        if self._ways.undecided:
            token, moves = self._ways.undecided
            return (
                f"is not legal after {token.text!r} (line {token.line}), which can mean several "
                f"{_kind(moves)}; write one of: {self._listed(moves)}"
            )
        position = self._game().position
        near = position.moves_near(texts[0])
        words = f"{word[:40]!r} is not legal in {self._squares.shown_fen(position.fen())}"
        words += f"; legal here: {self._listed(near)}" if near else ": there is no legal move"
        turned = self._squares.turned_text(word) if self._game().ply == 0 else None
        if turned and self._from_start and _fits(position, turned):
            words += (
                "; the move is legal if squares are counted from the other side: "
                "say so in the GameType tag"
            )
        return words

    def _listed(self, moves: Sequence[Move]) -> str:
        listed = ", ".join(self._squares.shown(move.text) for move in moves[:_MOST_LEGAL])
        return listed + (", ..." if len(moves) > _MOST_LEGAL else "")

    # -- the result ------------------------------------------------------------------------------

    def _end_with(self, token: Token, word: str, tagged: str) -> None:
        self.found.result = word
        if word == tagged and word not in RESULTS and word not in UNDECIDED:
            try:
                texts = self._squares.move_texts(word)
            except ValueError:
                return
            if any(_fits(self._game().position, text) for text in texts):
                self._warn(token, "taken as the result, as the Result tag has it; also a move")
        elif tagged and word != "*" and _meaning(word) != _meaning(tagged):
            self._warn(token, f"differs from the Result tag {tagged[:40]!r}")

    def _take_result(self) -> None:
        found, game = self.found, self._game()
        if found.result == "*" and "Result" in found.tags:
            found.result = found.tags["Result"].strip() or "*"
        if found.error or found.result not in RESULTS:
            return
        first = game.rules.first_player
        winners = {1: first, -1: OTHER[first], 0: None}
        try:
            game.record_result(winners[RESULTS[found.result]])
        except IllegalMoveError as error:
            token = self._tags.get("Result") or self._last
            if token:
                self._warn(token, str(error))


def _kind(moves: Sequence[Move]) -> str:
    return "captures" if all(move.captured for move in moves) else "moves"


def _fits(position: Position, text: str) -> bool:
    try:
        return bool(position.moves_meant(text))
    except IllegalMoveError:
        return False


def _meaning(result: str) -> int | str:
    return RESULTS.get(result, result)
