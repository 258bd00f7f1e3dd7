"""Results as text."""

from __future__ import annotations

import pytest

import crownbase as cb
from crownbase.errors import IllegalMoveError


@pytest.mark.parametrize(
    ("key", "winner", "result"),
    [
        ("english", "B", "1-0"),  # the player who begins comes first
        ("english", "W", "0-1"),
        ("russian", "W", "1-0"),
        ("international", "W", "2-0"),
        ("international", "B", "0-2"),
        ("international", None, "1-1"),
        ("turkish", None, "1/2-1/2"),
    ],
)
def test_results_as_each_rule_set_writes_them(key: str, winner: str | None, result: str) -> None:
    game = cb.Game(key)
    game.record_result(winner)
    assert game.result == result
    with pytest.raises(IllegalMoveError, match="another result"):
        game.record_result("B" if winner != "B" else "W")
