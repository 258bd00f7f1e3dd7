"""Every exception that crownbase raises on purpose.

CrownbaseError
├── FenError             (also ValueError)  a text that is no FEN
├── IllegalPositionError (also ValueError)  a position that the rules do not allow
├── IllegalMoveError     (also ValueError)  a move that the rules do not allow, or an unclear one
├── UnknownRulesError    (also ValueError)  no rule set of this name
├── MissingTableError    (also KeyError)    an answer needs a table that is not here
│   └── TooManyPiecesError                  a position larger than the tables here reach
├── CorruptTableError    (also OSError)     a table file that cannot be trusted
├── PdnError             (also ValueError)  a fault in a game record
├── ClosedTablebaseError (also ValueError)  a question to tables that were closed
└── BuildError                              a database that could not be made or written

Each message is one line for a person: what is wrong, where, and what to do about it. A second
base from the standard library lets callers catch what they would expect to catch.
"""

from __future__ import annotations

import os

__all__ = [
    "BuildError",
    "ClosedTablebaseError",
    "CorruptTableError",
    "CrownbaseError",
    "FenError",
    "IllegalMoveError",
    "IllegalPositionError",
    "MissingTableError",
    "PdnError",
    "TooManyPiecesError",
    "UnknownRulesError",
    "one_line",
]

_LONGEST_SHOWN = 80
"""Characters of a token that a message repeats."""


def one_line(text: str) -> str:
    """The text with what cannot be printed, such as line breaks, written as ``\\n``, ``\\x1b``."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


class CrownbaseError(Exception):
    """Base of all errors of this package.

    What a message quotes of a file, its name or its content, cannot break the line.
    """

    def __str__(self) -> str:
        """The message as it was given, on one line."""
        return one_line(str(self.args[0]) if len(self.args) == 1 else super().__str__())


class FenError(CrownbaseError, ValueError):
    """A text could not be read as a FEN; the message quotes the faulty part."""


class IllegalPositionError(CrownbaseError, ValueError):
    """A position breaks the rules, such as a man on its crown row."""


class IllegalMoveError(CrownbaseError, ValueError):
    """A move is not legal here, is no move text at all, or fits several legal moves."""


class UnknownRulesError(CrownbaseError, ValueError):
    """No rule set has this key; the message lists near or known ones."""


class PdnError(CrownbaseError, ValueError):
    """A game record in PDN has a fault.

    Attributes:
        source: the name of the file, or ``PDN``.
        line: the line of the faulty token, from 1.
        token: the token.
        problem: what is wrong with it.
    """

    def __init__(self, source: str, line: int, token: str, problem: str) -> None:
        """Name the token, where it stands and what is wrong with it."""
        self.source = source
        self.line = line
        self.token = token
        self.problem = problem
        shown = token if len(token) <= _LONGEST_SHOWN else f"{token[:_LONGEST_SHOWN]}..."
        super().__init__(f"{source}:{line}: {shown!r}: {problem}")

    def __reduce__(self) -> tuple[type[PdnError], tuple[str, int, str, str]]:
        """Survive pickling."""
        return type(self), (self.source, self.line, self.token, self.problem)


class MissingTableError(CrownbaseError, KeyError):
    """An answer needs a table that no searched directory holds.

    The message says what was asked, which table is needed and how to get it.

    Attributes:
        material: the slice pair whose table is needed, such as ``KKMvK``; None if it is not one
            table that is missing.
        metric: which table of it, such as ``wdl``; None likewise.
        command: the command that makes the table, as it can be typed; None if there is none.
    """

    def __init__(
        self,
        message: str,
        *,
        material: str | None = None,
        metric: str | None = None,
        command: str | None = None,
    ) -> None:
        """A message, and what it says as data; both survive pickling."""
        super().__init__(message)
        self.material = material
        self.metric = metric
        self.command = command


class TooManyPiecesError(MissingTableError):
    """A position has more pieces than the open tables reach, or captures beyond counting."""


class CorruptTableError(CrownbaseError, OSError):
    """A table file is damaged, foreign, or made for other rules.

    Attributes:
        path: the file that cannot be trusted.
    """

    def __init__(self, path: str | os.PathLike[str], problem: str) -> None:
        """Name the file and the problem; the message reads ``<path>: <problem>``."""
        self.path = os.fspath(path)
        self.problem = problem
        super().__init__(f"{self.path}: {problem}")

    def __reduce__(self) -> tuple[type[CorruptTableError], tuple[str, str]]:
        """Survive pickling, so that a worker process can report the file."""
        return type(self), (self.path, self.problem)


class ClosedTablebaseError(CrownbaseError, ValueError):
    """Something was asked of tables after they were closed."""


class BuildError(CrownbaseError):
    """A table or database could not be made: disk full, directory not writable, bad input."""
