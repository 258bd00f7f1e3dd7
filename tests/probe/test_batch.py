"""Many positions at once: the same answers as one by one."""

from __future__ import annotations

import numpy as np
import pytest

from crownbase.board import Position
from crownbase.errors import FenError, IllegalPositionError, MissingTableError, TooManyPiecesError
from crownbase.index import slice_pairs, unrank_position
from crownbase.jit import INTERPRETED
from crownbase.probe import batch, kernels, open_tablebase

needs_compiler = pytest.mark.skipif(INTERPRETED, reason="compiled code is switched off")
both_engines = pytest.mark.parametrize(
    "engine", [False, True], ids=["plain", "compiled"], indirect=True
)


@pytest.fixture
def engine(request, monkeypatch):
    monkeypatch.setattr(kernels.expand, "worth_compiling", lambda: request.param)


def sample(rules, pieces=3, each=25):
    plain = rules.traits.plain
    return [
        Position.from_boards(
            rules,
            "WB"[number % 2],
            unrank_position.plain(plain, 7919 * number % side.positions(rules), *side.counts),
        )
        for pair in slice_pairs(pieces)
        for side in pair.pair
        for number in range(each)
    ]


@needs_compiler
@both_engines
@pytest.mark.parametrize("metric", ["wdl", "dtc", "dtw"])
def test_a_batch_answers_as_single_questions_do(english, engine, metric):
    positions = sample(english.rules)
    ask = {"wdl": english.probe_wdl, "dtc": english.probe_dtc, "dtw": english.probe_dtw}[metric]
    wanted = [ask(position) for position in positions]
    found = english.probe_many(positions, metric)
    assert found.dtype == (np.int8 if metric == "wdl" else np.int16)
    assert found.tolist() == wanted
    fens = [position.fen() for position in positions]
    assert english.probe_many(fens, metric).tolist() == wanted
    boards = np.array(
        [(p.white_men, p.white_kings, p.black_men, p.black_kings) for p in positions], np.uint64
    )
    letters = [p.turn for p in positions]
    numbers = np.array([p.turn == "B" for p in positions], np.uint8)
    for turns in (letters, np.array(letters), numbers, numbers.astype(bool)):
        assert english.probe_many(boards, metric, turns=turns).tolist() == wanted


@needs_compiler
@both_engines
def test_faults_in_a_batch(english, engine):
    assert english.probe_many([]).shape == (0,)
    with pytest.raises(FenError):
        english.probe_many(["W:WK1:BK32", "nonsense"])
    good, four = "W:WK1:BK32", "W:WK1,K2:BK31,K32"
    with pytest.raises(TooManyPiecesError, match=four):
        english.probe_many([good, four, good])
    boards = np.array([[0, 1, 0, 1 << 31]] * 4, np.uint64)
    for row, wrong in enumerate(
        ([0, 0, 0, 0], [0, 1, 0, 1], [1, 0, 0, 2], [0, 1, 1 << 31, 0], [0, 1 << 32, 0, 1])
    ):
        faulty = boards.copy()
        faulty[row % 4] = wrong
        with pytest.raises(IllegalPositionError):
            english.probe_many(faulty)
    for shape in ((4,), (4, 3)):
        with pytest.raises(ValueError, match="shape"):
            english.probe_many(np.zeros(shape, np.uint64))
    for turns in ("WB", ["W", "B"], ["W", "X", "W", "W"], np.array([0, 1, 2, 0])):
        with pytest.raises(ValueError, match="turns"):
            english.probe_many(boards, turns=turns)
    with pytest.raises(ValueError, match="turns"):
        english.probe_many([good], turns=["B"])
    with pytest.raises(ValueError, match="metric"):
        english.probe_many(boards, "dtz")
    with pytest.raises(TypeError):
        english.probe_many("W:WK1:BK32")


@needs_compiler
def test_a_batch_of_finished_games_needs_no_table(monkeypatch):
    monkeypatch.setattr(kernels.expand, "worth_compiling", lambda: True)
    with open_tablebase([]) as tables:
        assert tables.probe_many(["W:W18:B14", "W:W:BK1", "W:WK1:B"], "dtw").tolist() == [1, 0, 1]


@needs_compiler
def test_batches_larger_than_a_chunk_or_its_room(english, monkeypatch):
    positions = sample(english.rules)
    wanted = english.probe_many(positions).tolist()
    monkeypatch.setattr(kernels.expand, "worth_compiling", lambda: True)
    monkeypatch.setattr(batch, "CHUNK", 10)
    monkeypatch.setattr(batch, "_SPARE", 0)
    assert english.probe_many(positions).tolist() == wanted


CROWDED = (
    "B:WK2,K4,K5,K8,9,11,13,K17,K24,K25,31:"
    "BK1,K6,K7,K10,12,K14,K15,16,K19,K20,21,K22,K23,26,K27,K28,K29,K30,K32"
)


@needs_compiler
def test_more_captures_than_can_be_followed(monkeypatch):
    with open_tablebase([], rules="pure") as tables:
        with pytest.raises(TooManyPiecesError, match="captures to follow in a position of"):
            tables.probe(CROWDED)
        monkeypatch.setattr(kernels.expand, "worth_compiling", lambda: True)
        monkeypatch.setattr(batch, "_MOST_NODES", 1 << 12)
        monkeypatch.setattr(batch, "CHUNK", 4)
        with pytest.raises(TooManyPiecesError, match=f"captures to follow in {CROWDED}"):
            tables.probe_many(["W:WK1:B", "W:W:BK1", "W:WK9:B", CROWDED, "W:WK1:B"])
        assert tables.probe_wdl("W:WK1:B") == 1


@needs_compiler
def test_a_missing_table_names_the_first_position(tmp_path, english_two, monkeypatch):
    monkeypatch.setattr(kernels.expand, "worth_compiling", lambda: True)
    (english_two / "english" / "KvK.wdl").unlink()
    (english_two / "english" / "KvK.dtc").unlink()
    (english_two / "english" / "KvK.dtw").unlink()
    with open_tablebase(english_two) as tables:
        with pytest.raises(MissingTableError) as caught:
            tables.probe_many(["W:WK18:B1", "W:WK18:BK14,K28", "W:WK1:BK32"])
        assert "W:WK18:BK14,K28 (KvKK) needs KvK.wdl, reached by a capture" in str(caught.value)
