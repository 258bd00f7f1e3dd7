"""The tokens of PDN text, each with its line.

After the PDN 3.0 reading grammar (wiegerw/pdn, doc/grammar.rst), with what real files have
besides: nested comments, ``;`` comments, move numbers such as ``01.``, stray dots, tags with quotes
inside their value. Nothing here knows a move from a result.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from crownbase.errors import CrownbaseError


class PdnError(CrownbaseError, ValueError):
    """A fault in PDN text.

    Attributes:
        source: the name of the file, or ``PDN``.
        line: the line of the faulty token, from 1.
        token: the token.
        problem: what is wrong with it.
    """

    def __init__(self, source: str, line: int, token: str, problem: str) -> None:
        self.source = source
        self.line = line
        self.token = token
        self.problem = problem
        super().__init__(f"{source}:{line}: {token!r}: {problem}")

    def __reduce__(self) -> tuple[type[PdnError], tuple[str, int, str, str]]:
        """Survive pickling."""
        return type(self), (self.source, self.line, self.token, self.problem)


class Kind(Enum):
    """What a token is. ``WORD`` is a move, a result, a dash; the reader finds out which."""

    TAG = "tag"
    WORD = "word"
    COMMENT = "comment"
    NESTED_COMMENT = "nested comment"
    NAG = "nag"
    SETUP = "set-up"
    OPEN = "("
    CLOSE = ")"
    BAD = "bad"


@dataclass(frozen=True)
class Token:
    """A token. ``value``: the value of a tag, what a ``BAD`` one should have been."""

    kind: Kind
    text: str
    line: int
    value: str = ""


_SKIP = re.compile(r"\s+|%[^\n]*|;[^\n]*|\([!?]+\)|[!?]+|\.+|\d+\.+(?!\d+-\d+\.\d)")
_TAG = re.compile(r'\[\s*([A-Za-z]\w*)\s+"((?:[^"\\\n]|\\.)*)"\s*\]')
_LOOSE_TAG = re.compile(r'\[\s*([A-Za-z]\w*)\s+"(.*)"\s*\][^\S\n]*$', re.MULTILINE)
_NAG = re.compile(r"\$\d+")
_SETUP = re.compile(r'/\s*FEN\s+"([^"\n]*)"\s*/', re.IGNORECASE)
_WORD = re.compile(r"[^\s{}()\[\]$;]+")
_BRACE = re.compile(r"[{}]|^\s*\[[A-Za-z]\w*\s+\"", re.MULTILINE)


def tokens(text: str) -> Iterator[Token]:
    """All tokens of a text, in order; faults are ``BAD`` tokens."""
    at, line = 0, 1
    while at < len(text):
        skipped = _SKIP.match(text, at)
        if skipped:
            token, end = None, skipped.end()
        else:
            token, end = _read_token(text, at, line)
        if token:
            yield token
        line += text.count("\n", at, end)
        at = end


def _read_token(text: str, at: int, line: int) -> tuple[Token, int]:
    first = text[at]
    if first == "[":
        found = _TAG.match(text, at) or _LOOSE_TAG.match(text, at)
        if found:
            value = re.sub(r"\\(.)", r"\1", found.group(2))
            return Token(Kind.TAG, found.group(1), line, value), found.end()
        return _bad(text, at, line, 'no tag; write [Name "value"]')
    if first == "{":
        return _read_comment(text, at, line)
    if first in "()":
        return Token(Kind.OPEN if first == "(" else Kind.CLOSE, first, line), at + 1
    setup, nag = _SETUP.match(text, at), _NAG.match(text, at)
    if setup:
        return Token(Kind.SETUP, setup.group(0), line, setup.group(1)), setup.end()
    if nag:
        return Token(Kind.NAG, nag.group(0), line), nag.end()
    word = _WORD.match(text, at)
    if word:
        return Token(Kind.WORD, word.group(0), line), word.end()
    return Token(Kind.BAD, first, line, "nothing in PDN starts with this"), at + 1


def _bad(text: str, at: int, line: int, problem: str) -> tuple[Token, int]:
    end = text.find("\n", at)
    end = len(text) if end < 0 else end
    return Token(Kind.BAD, text[at:end].strip(), line, problem), end


def _read_comment(text: str, at: int, line: int) -> tuple[Token, int]:
    """A comment, with the comments inside it.

    The standard knows no comments inside comments. They are read if every brace is closed before
    the next tag; otherwise the first closing brace ends the comment, as the standard has it.
    """
    depth, end = 0, -1
    for brace in _BRACE.finditer(text, at):
        if brace.group() == "{":
            depth += 1
        elif brace.group() == "}":
            depth -= 1
            if depth == 0:
                end = brace.end()
                break
        else:
            break
    first_end = text.find("}", at) + 1
    if end < 0:
        end = first_end
    if not end:
        return _bad(text, at, line, "comment without end")
    body = text[at + 1 : end - 1]
    kind = Kind.NESTED_COMMENT if end != first_end else Kind.COMMENT
    return Token(kind, " ".join(body.split()), line), end
