"""Known faults of other packages, each as a test whether it alone explains a difference."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import crownbase as cb
from peers.positions import Moves, legal_moves


def _first_king_only(text: str, ours: Moves, theirs: Moves) -> bool:
    """Italian 6.9: between captures equal in pieces and kings, the whole order decides."""
    rules = cb.find_rules("italian")
    choice = tuple(name for name in rules.capture_choice if name != "kings-first")
    loose = dataclasses.replace(rules, key="italian-loose", capture_choice=choice)
    return ours < theirs <= legal_moves(loose, text)


def _through_pieces(text: str, ours: Moves, theirs: Moves) -> bool:
    """Turkish: kings that move quietly, and only their moves over occupied squares, are extra."""

    def over_a_piece(start: int, end: int) -> bool:
        first, last = sorted((start, end))
        step = 1 if (first - 1) // 8 == (last - 1) // 8 else 8
        return any(text[square] != "e" for square in range(first + step, last, step))

    return ours < theirs and all(
        not taken and text[start].isupper() and over_a_piece(start, end)
        for start, end, taken, _ in theirs - ours
    )


_Test = Callable[[str, Moves, Moves], bool]
_KNOWN: dict[tuple[str, str], tuple[_Test, str]] = {
    ("pydraughts", "italian"): (
        _first_king_only,
        "it is wrong: compares only where the first king comes, not the whole order (FID 6.9)",
    ),
    ("pydraughts", "turkish"): (
        _through_pieces,
        "it is wrong: its kings move quietly through pieces (TUDAF R4: over free squares)",
    ),
}


def explain(package: str, rules: str, text: str, ours: Moves, theirs: Moves) -> str | None:
    """The known fault that explains a difference, None if there is none."""
    test, reason = _KNOWN.get((package, rules), (None, ""))
    return reason if test and test(text, ours, theirs) else None
