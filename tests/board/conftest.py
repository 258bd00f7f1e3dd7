"""What the rule-book tests share."""

from collections.abc import Callable

import pytest

import crownbase as cb


def show(move: cb.Move) -> str:
    """``17-14``, or with the taken pieces ``9x16[6,11]``; ``=K`` if a man is crowned."""
    taken = f"[{','.join(map(str, move.captured))}]" if move.captured else ""
    return f"{move.start}{'x' if taken else '-'}{move.end}{taken}{'=K' if move.promotes else ''}"


@pytest.fixture
def moves() -> Callable[[str, str], set[str]]:
    """``moves(rules, fen)``: the legal moves, always with FEN numbers."""

    def shown(rules: str, fen: str) -> set[str]:
        return {show(move) for move in cb.Position.from_fen(fen, rules=rules).legal_moves()}

    return shown
