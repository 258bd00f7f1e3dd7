"""Results and errors as data: what programs read instead of messages."""

from __future__ import annotations

import json
import pickle

import pytest

import crownbase as cb
from crownbase.probe.result import MoveJson, ResultJson


@pytest.fixture(scope="module")
def shipped() -> cb.Tablebase:
    return cb.open_tablebase()


def test_a_result_is_its_fields(shipped: cb.Tablebase) -> None:
    # First Position: R. Pask, Key Endings; 61 plies, tests/data/endings.jsonl ke001
    found = shipped.probe("W:WK19,K23:B12,K28").to_json()
    assert found["category"] == "win" and found["wdl"] == 1
    assert set(found) == ResultJson.__annotations__.keys() - {"assumes"}
    assert json.loads(json.dumps(found)) == found


def test_assumptions_are_there_only_where_there_are_any() -> None:
    assumed = cb.Result("draw", 0, 0, None, ("the count of 5 moves",))
    assert assumed.to_json()["assumes"] == ["the count of 5 moves"]


def test_a_move_is_its_fields_with_squares_as_text() -> None:
    with cb.open_tablebase(rules="russian") as tables:
        infos = tables.moves("W:Wc3:Bd4")
    assert [info.to_json()["captured_text"] for info in infos] == [["d4"]]
    for info in infos:
        found = info.to_json()
        assert set(found) == MoveJson.__required_keys__
        assert json.loads(json.dumps(found)) == found


def test_a_missing_table_says_which_and_how_to_make_it(tmp_path: object) -> None:
    with cb.open_tablebase(str(tmp_path)) as tables, pytest.raises(cb.MissingTableError) as caught:
        tables.probe("W:WK1,22:BK30")
    again = pickle.loads(pickle.dumps(caught.value))
    for error in (caught.value, again):
        assert (error.material, error.metric) == ("KMvK", "wdl")
        assert error.command == "crownbase build english 3"
        assert error.command in str(error)


def test_so_does_a_position_with_too_many_pieces(shipped: cb.Tablebase) -> None:
    with pytest.raises(cb.TooManyPiecesError) as caught:
        shipped.probe("W:WK1,K2,K3,K4:BK29,K30,K31")
    assert caught.value.material == "KKKKvKKK"
    assert caught.value.command == "crownbase build english 7"


def test_what_no_machine_can_make_has_no_command(shipped: cb.Tablebase) -> None:
    with pytest.raises(cb.TooManyPiecesError) as caught:
        shipped.probe("start")
    assert caught.value.command is None
    assert isinstance(caught.value, cb.MissingTableError)


def test_a_faulty_record_is_one_of_our_errors() -> None:
    assert issubclass(cb.PdnError, cb.CrownbaseError)
    with pytest.raises(cb.PdnError) as caught:
        cb.Game.from_pdn("1. 99-98")
    assert caught.value.line == 1
