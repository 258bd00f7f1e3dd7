"""What is said when a table is not here, and when it should not be trusted."""

from __future__ import annotations

import shutil

import pytest

from crownbase.board import Position
from crownbase.errors import (
    CorruptTableError,
    FenError,
    IllegalPositionError,
    MissingTableError,
    TooManyPiecesError,
)
from crownbase.probe import open_tablebase

pytestmark = pytest.mark.usefixtures("plain")


def test_no_table_at_all(tmp_path):
    with open_tablebase(tmp_path / "nowhere") as tables:
        assert (tables.max_pieces, tables.materials, tables.metrics) == (0, (), ())
        with pytest.raises(MissingTableError) as caught:
            tables.probe_wdl("W:WK1:BK32")
    message = str(caught.value)
    assert "W:WK1:BK32 (KvK) needs KvK.wdl;" in message
    assert f"{tmp_path}/nowhere/english (no such file or directory)" in message
    assert message.endswith("crownbase build english 2")
    assert isinstance(caught.value, KeyError)


def test_rules_of_the_user_are_built_from_their_file(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('key = "mine"\nbase = "english"\nmen_capture_kings = false\n')
    with open_tablebase(tmp_path, rules=str(file)) as tables:
        with pytest.raises(MissingTableError) as caught:
            tables.probe("W:WK18:BK1")
    assert str(caught.value).endswith(f"crownbase build {file} 2")


def test_a_table_that_only_a_capture_leads_to(english_two):
    """White must take one of two kings; the table of what is left is not here."""
    (english_two / "english" / "KvK.wdl").unlink()
    (english_two / "english" / "KvK.dtc").unlink()
    (english_two / "english" / "KvK.dtw").unlink()
    fen = "W:WK18:BK14,K28"
    with open_tablebase(english_two) as tables:
        with pytest.raises(MissingTableError) as caught:
            tables.probe(fen)
        message = str(caught.value)
        assert f"{fen} (KvKK) needs KvK.wdl, reached by a capture;" in message
        assert f"{english_two}/english" in message
        assert message.endswith("crownbase build english 2")
        assert tables.missing(fen) == ["KvK.wdl", "KvK.dtc", "KvK.dtw"]
        assert tables.missing("W:WK18:B1") == []
        assert tables.get_wdl(fen, 7) == 7
        assert tables.get_wdl(fen) is None
        assert tables.get_dtc(fen, 7) == tables.get_dtw(fen, 7) == tables.get(fen, 7) == 7
        with pytest.raises(MissingTableError, match="--metric dtw"):
            tables.probe_dtw(fen)


def test_a_missing_metric(english_two):
    for path in (english_two / "english").glob("*.dtw"):
        path.unlink()
    with open_tablebase(english_two) as tables:
        result = tables.probe("W:WK18:BK1")
        assert (result.dtw, tables.metrics) == (None, ("wdl", "dtc"))
        assert tables.missing("W:WK18:BK1") == []
        with pytest.raises(MissingTableError, match=r"KvK\.dtw"):
            tables.probe_dtw("W:WK18:BK1")


def test_too_many_pieces(english_two):
    fen = "W:WK18,K19:BK1,K2"
    with open_tablebase(english_two) as tables:
        with pytest.raises(TooManyPiecesError) as caught:
            tables.probe_wdl(fen)
        assert "4 pieces" in str(caught.value) and "end at 2" in str(caught.value)
        assert tables.missing(fen) == ["KKvKK.wdl", "KKvKK.dtc", "KKvKK.dtw"]
        assert issubclass(TooManyPiecesError, MissingTableError)
        assert tables.get_wdl(fen, 7) == tables.get_dtc(fen, 7) == tables.get(fen, 7) == 7


def test_more_pieces_than_the_tables_but_captures_lead_into_them(english_two):
    with open_tablebase(english_two) as tables:
        assert tables.max_pieces == 2
        before, after = tables.probe("W:WK18:BK14,K28"), tables.probe("B:WK9:BK28")
        assert before.wdl == -after.wdl
        assert abs(before.dtw) == (abs(after.dtw) + 1 if after.wdl else 0)


@pytest.mark.parametrize(
    ("key", "fen", "material"),
    [
        ("international", "W:W50:BK15,1-4,6-9,11-14,21-24", "KMMMMMMMMMMMMMMMMvM"),
        ("international", "start", "v".join(["M" * 20] * 2)),
        ("turkish", "W:WKa1:BKh8,b7-h7,b6-h6,b5-c5", "KMMMMMMMMMMMMMMMMvK"),
        ("english", "W:WK1-30:BK32", "K" * 30 + "vK"),
    ],
)
def test_more_pieces_of_a_kind_than_any_slice_has(tmp_path, key, fen, material):
    # Sixteen men in the number of a slice once looked like a king more.
    (tmp_path / key).mkdir()
    for name in ("KMvK", "KMvM", "KKvK"):
        (tmp_path / key / f"{name}.wdl").write_bytes(b"not to be opened")
    with open_tablebase(tmp_path, rules=key) as tables:
        position = Position.from_fen(fen, rules=key)
        with pytest.raises(TooManyPiecesError, match=f"needs {material} with") as caught:
            tables.probe(position)
        assert str(caught.value).endswith("end at 3; no table has so many")
        with pytest.raises(TooManyPiecesError, match=f"needs {material} with"):
            tables.probe_many([position] * 3)
        assert tables.missing(position) == [f"{material}.wdl"]


def test_unknown_moves_come_last_and_are_not_hidden(english):
    """Four pieces, tables of three: captures are known, quiet moves of other positions not."""
    infos = english.moves("W:WK18,K32:BK1,K10")
    outcomes = [info.outcome for info in infos]
    assert None in outcomes
    assert outcomes == sorted(outcomes, key=lambda outcome: outcome is None)
    with pytest.raises(MissingTableError):
        english.best_move("W:WK18,K32:BK1,K10")


def test_damage_is_an_error_for_every_verb(english_two):
    path = english_two / "english" / "KvK.wdl"
    data = bytearray(path.read_bytes())
    data[-1] ^= 4
    path.write_bytes(data)
    with open_tablebase(english_two) as tables:
        for ask in (tables.probe, tables.probe_wdl, tables.get_wdl, tables.get, tables.moves):
            with pytest.raises(CorruptTableError, match=r"KvK\.wdl"):
                ask("W:WK18:BK1")
        with pytest.raises(CorruptTableError, match=r"KvK\.wdl"):
            tables.probe_many(["W:WK18:BK1"])


def test_tables_of_other_rules_are_refused(english_two):
    """A folder of English tables opened as Russian: named with both rule sets."""
    with open_tablebase(english_two / "english", rules="russian") as tables:
        with pytest.raises(CorruptTableError) as caught:
            tables.probe_wdl("W:WKa1:BKh8")
    assert "'english'" in str(caught.value) and "'russian'" in str(caught.value)


@pytest.mark.parametrize(("found", "name"), [("KvM.wdl", "KvK.wdl"), ("KvK.dtc", "KvK.wdl")])
def test_a_file_under_a_wrong_name(english_two, found, name):
    folder = english_two / "english"
    shutil.copy(folder / found, folder / name)
    with open_tablebase(english_two) as tables:
        with pytest.raises(CorruptTableError, match=name):
            tables.probe_wdl("W:WK18:BK1")


def test_a_file_that_went_away_is_missing(english_two):
    with open_tablebase(english_two) as tables:
        (english_two / "english" / "KvK.wdl").unlink()
        with pytest.raises(MissingTableError, match="no such file"):
            tables.probe_wdl("W:WK18:BK1")


def test_what_is_no_position(english_two):
    with open_tablebase(english_two) as tables:
        for fen, error in (
            ("nonsense", FenError),
            ("W:WK40:BK1", FenError),
            ("W:W1:BK5", IllegalPositionError),
            ("W:WK5:BK5", IllegalPositionError),
        ):
            for ask in (tables.probe, tables.get_wdl, tables.moves, tables.missing, tables.line):
                with pytest.raises(error):
                    ask(fen)


def test_what_is_not_even_a_fen(english_two):
    with open_tablebase(english_two) as tables:
        for wrong in (None, 7, b"W:WK18:BK1", (0, 1, 0, 4)):
            with pytest.raises(TypeError, match="Position or a FEN"):
                tables.probe(wrong)
            with pytest.raises(TypeError, match="Position or a FEN"):
                tables.probe_many([wrong])
        with pytest.raises(TypeError, match="list of positions"):
            tables.moves("W:WK18:BK1", history="W:WK18:BK1")


def test_a_forced_move_is_the_best_without_its_table(english_two):
    (english_two / "english" / "KvM.wdl").unlink()
    (english_two / "english" / "KvM.dtc").unlink()
    (english_two / "english" / "KvM.dtw").unlink()
    with open_tablebase(english_two) as tables:
        (info,) = tables.moves("W:W15:BK10,K32")
        assert info.outcome is None
        assert str(tables.best_move("W:W15:BK10,K32")) == str(info.move) == "15x6"


def test_after_closing(english_two):
    with open_tablebase(english_two) as tables:
        tables.probe_wdl("W:WK18:BK1")
    for opened_or_not in ("W:WK18:BK2", "W:WK18:B2"):
        with pytest.raises(ValueError, match="closed"):
            tables.probe_wdl(opened_or_not)
