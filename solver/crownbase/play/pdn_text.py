"""The tokens of PDN text, each with its line.

After the PDN 3.0 reading grammar (wiegerw/pdn, doc/grammar.rst), with what real files have
besides: nested comments, ``;`` comments, move numbers such as ``01.``, stray dots, tags with quotes
inside their value. The grammar lets white space stand inside a move (``1- 6``, ``47 x 15``).
Nothing here knows a move from a result.

Every character is looked at a bounded number of times, so that reading takes time in proportion to
the length of the text, whatever stands there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from crownbase.board.characters import INVISIBLE

MOST_TOKENS = 100_000
"""Tokens of one game, a bad one counting as a hundred. What has more is no record, and is not read
up to the next tag; the longest annotated games have some thousands."""
_BAD_COUNTS = 100
_ENDS = frozenset(("*", "1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1"))


class Kind(Enum):
    """What a token is. ``WORD`` is a move, a result, a dash; the reader finds out which.

    An ``OPEN`` or ``CLOSE`` token can be several parentheses.
    """

    TAG = "tag"
    WORD = "word"
    COMMENT = "comment"
    NESTED_COMMENT = "nested comment"
    NAG = "nag"
    SETUP = "set-up"
    OPEN = "("
    CLOSE = ")"
    BAD = "bad"


class Token(NamedTuple):
    """A token. ``value``: the value of a tag or a set-up."""

    kind: Kind
    text: str
    line: int
    value: str = ""


_BLANK = rf"[\s{INVISIBLE}]"
_DASH = "[-\u00ad\u2010-\u2015\u2212\ufe58\ufe63\uff0d]"
_SQUARE = r"(?:[^\W\d_]\d{1,2}|\d{1,3})"
_MOVE = (
    rf"(?:1/2{_BLANK}*{_DASH}{_BLANK}*1/2"
    rf"|{_SQUARE}{_BLANK}*{_DASH}{_BLANK}*{_SQUARE}(?!{_BLANK}*{_DASH})"
    rf"|{_SQUARE}(?:{_BLANK}*[x×хХ:]{_BLANK}*{_SQUARE})+)"
    r"[!?*]*(?=[\s{}()\[\]$;]|\Z)"
)
# A move, or a result that looks like one, with white space before or after its signs. A number
# with a dot behind it is the number of the next move and no square.
_NEXT = re.compile(
    rf"(?:{_BLANK}+|%[^\n]*|;[^\n]*|\.+|\d+\.+(?!\d+-\d+\.\d))*"
    rf"(?:(?P<move>{_MOVE})"
    r"|(?P<nag>\$\d+)"
    r"|(?P<strength>\([!?]+\)|[!?]+)"
    rf"|(?P<open>\((?:{_BLANK}*\((?![!?]))*)"
    rf"|(?P<close>\)(?:{_BLANK}*\))*)"
    r'|(?P<setup>/\s*FEN\s+"(?P<fen>[^"\n]*)"\s*/)'
    r"|(?P<bracket>\[)"
    r"|(?P<brace>\{)"
    rf"|(?P<word>[^\s{INVISIBLE}{{}}()\[\]$;][^\s{{}}()\[\]$;]*)"
    r"|(?P<bad>\]+|.)"
    r"|\Z)",
    re.IGNORECASE | re.DOTALL,
)
# What is skipped, then a token. Something fits everywhere, so that nothing is tried twice.
_TAG = re.compile(r'\[\s*([A-Za-z]\w*)\s+"((?:[^"\\\n]|\\.)*)"\s*\]')
_LOOSE_TAG = re.compile(r'\[\s*([A-Za-z]\w*)\s+"(.*)"\s*\][^\S\n]*$', re.MULTILINE)
_TAG_LINE = re.compile(r'^[^\S\n]*\[\s*[A-Za-z]\w*\s+"', re.MULTILINE)
_BRACE = re.compile(r"[{}]|^[^\S\n]*\[[A-Za-z]\w*[^\S\n]+\"", re.MULTILINE)
_WITHIN = re.compile(rf"{_BLANK}+")
_KINDS = {
    "move": Kind.WORD,
    "word": Kind.WORD,
    "nag": Kind.NAG,
    "strength": Kind.NAG,
    "open": Kind.OPEN,
    "close": Kind.CLOSE,
}

STRENGTHS = {"!": "$1", "?": "$2", "!!": "$3", "??": "$4", "!?": "$5", "?!": "$6"}
"""The numbers that PDN 3.0 gives to move strengths."""


def tokens(text: str) -> Iterator[Token]:
    """All tokens of a text, in order; faults are ``BAD`` tokens."""
    counted, line = 0, 1
    at = weight = 0
    comments = _Comments(text)
    match, count = _NEXT.match, text.count
    while at < len(text):
        found = match(text, at)
        assert found
        name = found.lastgroup
        if name is None:
            return
        start, at = found.span(name)
        line += count("\n", counted, start)
        counted = start
        if name == "bracket":
            token, at = _read_tag(text, start, line)
        elif name == "brace":
            token, at = comments.read(start, line)
        elif name == "bad":
            token = Token(Kind.BAD, text[start:at], line, "nothing in PDN starts with this")
        elif name == "setup":
            token = Token(Kind.SETUP, text[start:at], line, found.group("fen"))
        else:
            token = Token(_KINDS[name], _shown_as(name, text[start:at]), line)
        if token.kind is Kind.TAG or token.text in _ENDS:
            weight = 0
        weight += _BAD_COUNTS if token.kind is Kind.BAD else 1
        if weight > MOST_TOKENS:
            token = Token(
                Kind.BAD, token.text, line, "too much for one game; left up to the next tag"
            )
            next_tag = _TAG_LINE.search(text, at)
            at = next_tag.start() if next_tag else len(text)
        yield token


def _shown_as(name: str, text: str) -> str:
    """The text of a token without what only surrounds it."""
    if name in ("move", "open", "close"):
        return text if text.isalnum() else _WITHIN.sub("", text)
    return text.strip("()") if name == "strength" else text


def _read_tag(text: str, at: int, line: int) -> tuple[Token, int]:
    found = _TAG.match(text, at) or _LOOSE_TAG.match(text, at)
    if not found:
        return _bad(text, at, line, 'no tag; write [Name "value"]')
    value = re.sub(r"\\(.)", r"\1", found.group(2))
    return Token(Kind.TAG, found.group(1), line, value), found.end()


def _bad(text: str, at: int, line: int, problem: str) -> tuple[Token, int]:
    end = text.find("\n", at)
    end = len(text) if end < 0 else end
    return Token(Kind.BAD, text[at:end].strip(), line, problem), end


class _Comments:
    """The comments of a text, with the comments inside them.

    The standard knows no comments inside comments. They are read if every brace is closed before
    the next tag; otherwise the first closing brace ends the comment, as the standard has it.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._ends: dict[int, int] | None = None  # end of the comment by the place of its brace
        self._last_close = text.rfind("}")

    def read(self, at: int, line: int) -> tuple[Token, int]:
        text = self._text
        if at > self._last_close:
            return _bad(text, at, line, "comment without end")
        if self._ends is None:
            self._ends = _matching_braces(text)
        first_end = text.find("}", at) + 1
        end = self._ends.get(at, first_end)
        body = text[at + 1 : end - 1]
        kind = Kind.NESTED_COMMENT if end != first_end else Kind.COMMENT
        return Token(kind, " ".join(body.split()), line), end


def _matching_braces(text: str) -> dict[int, int]:
    ends: dict[int, int] = {}
    opened: list[int] = []
    for brace in _BRACE.finditer(text):
        if brace.group() == "{":
            opened.append(brace.start())
        elif brace.group() != "}":
            opened.clear()
        elif opened:
            ends[opened.pop()] = brace.end()
    return ends
