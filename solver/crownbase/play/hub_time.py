"""How long the Hub engine may think: the ``level`` command."""

from __future__ import annotations

from dataclasses import dataclass

_MOVES_TO_GO = 30
_RESERVE = 0.05
"""Seconds kept for the pipe between us and the client."""
_LEAST = 0.01
DEFAULT_SECONDS = 1.0
"""For one move, if the client sets no limit that can be read."""


@dataclass(frozen=True)
class HubLevel:
    """Limits of the next searches; ``seconds`` is for one move."""

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None

    @classmethod
    def read(cls, arguments: dict[str, str]) -> HubLevel:
        """The limits that a ``level`` line sets; what cannot be read is ignored.

        On a clock the increment is added before the move, and a share of what is left is used:
        one part in the moves to the next control, or in 30.
        """
        depth = _number(arguments.get("depth"))
        nodes = _number(arguments.get("nodes"))
        seconds = _number(arguments.get("move-time"))
        if depth is nodes is seconds is _number(arguments.get("time")) is None:
            return cls() if "infinite" in arguments else cls(seconds=DEFAULT_SECONDS)
        left = _number(arguments.get("time"))
        if seconds is not None:
            seconds = max(seconds - _RESERVE, seconds / 2)
        elif left is not None:
            increment = _number(arguments.get("inc")) or 0.0
            moves = _number(arguments.get("moves")) or _MOVES_TO_GO
            left = max(left, 0.0) + increment
            share = left / max(moves, 1.0) + 0.8 * increment
            seconds = max(min(share, left * 0.5 - _RESERVE), _LEAST)
        return cls(
            None if depth is None else max(1, int(depth)),
            None if nodes is None else max(1, int(nodes)),
            seconds,
        )


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if abs(number) < 1e9 else None
