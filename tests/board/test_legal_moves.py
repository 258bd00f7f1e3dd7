"""Every position with known legal moves, for all rule sets (sources in ``tests/data``)."""

import json
from pathlib import Path

import pytest

import crownbase as cb

DATA = Path(__file__).parent.parent / "data"
CASES = [
    json.loads(line)
    for line in (DATA / "legal_moves.jsonl").read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_legal_moves(case: dict) -> None:
    position = cb.Position.from_fen(case["fen"], rules=case["rules"])
    found = {
        (move.start, move.end, move.captured, move.promotes): position.play(move)
        for move in position.legal_moves()
    }
    expected = {
        (m["from"], m["to"], tuple(m["captured"]), m["promotes"]): cb.Position.from_fen(
            m["result_fen"], rules=case["rules"]
        )
        for m in case["legal"]
    }
    assert found == expected
    assert len(position.legal_moves()) == case["n_legal"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_move_is_read_as_it_is_written(case: dict) -> None:
    position = cb.Position.from_fen(case["fen"], rules=case["rules"])
    for move in position.legal_moves():
        assert position.parse_move(str(move)) == move
        assert position.play(str(move)) == position.play(move)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_fen_is_read_as_it_is_written(case: dict) -> None:
    position = cb.Position.from_fen(case["fen"], rules=case["rules"])
    assert cb.Position.from_fen(position.fen(), rules=case["rules"]) == position
    for move in position.legal_moves():
        after = position.play(move)
        assert cb.Position.from_fen(after.fen(), rules=case["rules"]) == after


@pytest.mark.parametrize(
    "boards", [(1, 0, 1, 0), (1 << 40, 0, 4, 0), (0, 0, 0, 0), (1, 0, 4, 0), (0, -1, 0, 0)]
)
def test_a_position_cannot_be_made_of_nonsense(boards: tuple[int, int, int, int]) -> None:
    with pytest.raises(cb.IllegalPositionError):
        cb.Position(cb.find_rules("english"), "W", *boards)
