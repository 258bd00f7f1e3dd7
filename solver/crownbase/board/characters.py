"""Characters that look like others: dashes, invisible ones, Cyrillic letters.

Texts from word processors, messengers and Russian keyboards carry them. What can mean one thing
only is read; a Cyrillic letter where a Latin one belongs is named, since no reader can see it.
"""

from __future__ import annotations

_DASHES = "\u00ad\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
INVISIBLE = "\u200b\u200c\u200d\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff"
"""Characters without width, as the inside of a character class of a pattern."""

_PLAIN = str.maketrans(
    dict.fromkeys(_DASHES, "-") | {"\u00d7": "x", "\u0445": "x", "\u0425": "x", "\u2236": ":"}
)
_GONE = dict.fromkeys(
    [
        *(ord(c) for c in "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"),
        *range(0x202A, 0x202F),
        *range(0x2066, 0x206A),
    ]
)
_CYRILLIC = str.maketrans("АВСЕНКавсенк", "ABCEHKabcehk")


def plain_text(text: str) -> str:
    """A move or a FEN with plain dashes and capture signs, and without invisible characters."""
    return text if text.isascii() else text.translate(_GONE).translate(_PLAIN)


def latin_text(text: str) -> str:
    """*text* with Cyrillic letters that look like Latin ones replaced by those."""
    return text if text.isascii() else text.translate(_CYRILLIC)


def look_alike_words(text: str) -> str:
    """What to say of the Cyrillic look-alikes in *text*, after a semicolon; empty without any."""
    for letter in text:
        latin = latin_text(letter)
        if latin != letter:
            return f"; {letter!r} is a Cyrillic letter, write the Latin {latin!r}"
    return ""
