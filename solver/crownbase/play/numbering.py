"""Move numbers: a move is one ply of each side; the first player of the rules has its first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crownbase.board import Position


def move_number(start: Position, ply: int) -> str:
    """The number before ply *ply* (from 0) of a line that starts in *start*: ``3.`` or ``3...``.

    Three dots stand before a move of the player who does not begin a game by the rules.
    """
    number, second = divmod(ply + (start.turn != start.rules.first_player), 2)
    return f"{number + 1}{'...' if second else '.'}"


def numbered(start: Position, moves: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each move with the number that a record writes before it, empty where it writes none."""
    for ply, move in enumerate(moves):
        number = move_number(start, ply)
        yield "" if ply and number.endswith("...") else number, move
