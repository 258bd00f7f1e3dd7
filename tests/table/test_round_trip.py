"""What is written is read: any values, any mask, any block size, always the same bytes."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from crownbase.table import BlockCache, SectionInput, SectionStats, Table, content_digest
from table.samples import RULES, distance_table, read_everything, runs, section, small_table, write
from table.samples import with_alphabet as alphabet_of


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 255, 256, 257, 2000])
@pytest.mark.parametrize("block_positions", [None, 64])
def test_alphabets_of_every_size(tmp_path, size, block_positions):
    values = alphabet_of(size)
    write(tmp_path / "KvK.dtc", section(values), block_positions=block_positions)
    assert np.array_equal(read_everything(tmp_path / "KvK.dtc")["KvK"], values)


@given(data=st.data(), metric=st.sampled_from(["wdl", "dtc", "dtw"]))
@settings(max_examples=60, deadline=None)
def test_round_trip(data, metric):
    elements = st.integers(-1, 1) if metric == "wdl" else st.integers(-32767, 32767)
    kind = np.int8 if metric == "wdl" else np.int16
    count = data.draw(st.integers(1, 400))
    few = data.draw(st.lists(elements, min_size=1, max_size=6))
    drawn = data.draw(hnp.arrays(kind, count, elements=st.one_of(st.sampled_from(few), elements)))
    free = data.draw(st.one_of(st.none(), hnp.arrays(bool, count)))
    block_positions = data.draw(st.sampled_from([None, 4, 64, 1024]))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "KvK"
        given_section = section(drawn, free)
        written = write(path, given_section, metric=metric, block_positions=block_positions)
        found = read_everything(path)["KvK"]
        with Table(path) as table:
            assert table.content_digest({"KvK": free}) == written.content_digest
    assert found.dtype == kind
    stored = np.ones(count, bool) if free is None else ~free
    assert np.array_equal(found[stored], drawn[stored])
    assert written.content_digest == content_digest([("KvK", drawn, free)])


@pytest.mark.parametrize("metric", ["wdl", "dtc"])
def test_everything_free(tmp_path, metric):
    values = runs(1000, [-1, 0, 1], np.int8 if metric == "wdl" else np.int16)
    path = tmp_path / "KvK"
    write(path, section(values, np.ones(1000, bool)), metric=metric)
    assert len(read_everything(path)["KvK"]) == 1000
    with Table(path) as table:
        assert table.header.sections[0].symbol_bits == 0


def test_an_empty_mask_is_no_mask(tmp_path):
    values = alphabet_of(9)
    first = write(tmp_path / "a", section(values, np.zeros(len(values), bool)))
    second = write(tmp_path / "b", section(values))
    assert first == second


def test_a_constant_section_has_no_data(tmp_path):
    million = np.full(1_000_000, 7, np.int16)
    written = write(tmp_path / "KvK.dtc", section(million))
    assert written.bytes < 300
    assert np.array_equal(read_everything(tmp_path / "KvK.dtc")["KvK"], million)


def test_same_input_same_bytes(tmp_path):
    for name in ("a", "b"):
        small_table(tmp_path / name)
        distance_table(tmp_path / (name + "d"))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert (tmp_path / "ad").read_bytes() == (tmp_path / "bd").read_bytes()


def test_the_bytes_do_not_depend_on_threads(tmp_path):
    values = runs(40_000, list(range(-40, 40)), np.int16)
    for threads in (1, 2, 3):
        write(tmp_path / str(threads), section(values), threads=threads, block_positions=512)
    assert len({(tmp_path / str(threads)).read_bytes() for threads in (1, 2, 3)}) == 1


def test_what_write_table_returns(tmp_path):
    path = tmp_path / "KKvK.dtc"
    values = alphabet_of(30)
    written = write(path, section(values))
    assert written.bytes == path.stat().st_size
    assert written.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert written.content_digest == content_digest([("KvK", values, None)])


def test_the_content_digest_survives_another_compressor_and_filling(tmp_path):
    values = runs(5000, list(range(-9, 9)), np.int16)
    free = np.random.default_rng(5).random(5000) < 0.3
    refilled = np.where(free, 5, values).astype(np.int16)
    first = write(tmp_path / "a", section(values, free), level=19)
    second = write(tmp_path / "b", section(refilled, free), level=1, block_positions=64)
    assert first.sha256 != second.sha256
    assert first.content_digest == second.content_digest


def test_the_header_says_everything_it_was_told(tmp_path):
    values = alphabet_of(5)
    told = SectionStats(len(values), 1, 2, 3, 4, 5, 66, 77)
    path = tmp_path / "KvK.dtc"
    write(
        path,
        SectionInput("KvK", values, None, told),
        quiet_limit=80,
        producer="somebody 3",
        extra={"b": [1, None], "a": "größte"},
    )
    with Table(path, **RULES, metric="dtc") as table:
        header = table.header
    assert header.sections[0].stats == told
    assert header.sections[0].material == "KvK"
    assert (header.rules_key, header.rules_digest) == tuple(RULES.values())
    assert (header.metric, header.quiet_limit, header.producer) == ("dtc", 80, "somebody 3")
    assert (header.free_scheme, header.index_rule, header.format_version) == (1, 1, 1)
    assert header.extra == {"a": "größte", "b": [1, None]}


def test_no_quiet_limit_and_the_default_producer(tmp_path):
    write(tmp_path / "KvK.dtc", section(alphabet_of(5)))
    with Table(tmp_path / "KvK.dtc") as table:
        assert table.header.quiet_limit is None
        assert "crownbase" in table.header.producer and "zstd" in table.header.producer


def test_many_blocks_in_one_batch(tmp_path):
    """More blocks than are laid side by side at a time, asked for in random order."""
    values = runs(20_000, [-1, 0, 1], np.int8)
    path = tmp_path / "KvK.wdl"
    write(path, section(values), metric="wdl", block_positions=4)
    indices = np.random.default_rng(6).integers(0, len(values), 30_000)
    with Table(path) as table:
        found = table.values("KvK", indices, BlockCache())
    assert found.dtype == np.int16
    assert np.array_equal(found, values[indices])


def test_questions_that_make_no_sense(tmp_path):
    path = tmp_path / "KvK.wdl"
    content = small_table(path)
    cache = BlockCache()
    with Table(path) as table:
        size = len(content["KKvK"])
        for index in (-1, size):
            with pytest.raises(IndexError):
                table.value("KKvK", index, cache)
            with pytest.raises(IndexError):
                table.values("KKvK", np.array([0, index]), cache)
        for ask in (table.read_all, lambda name: table.value(name, 0, cache)):
            with pytest.raises(KeyError):
                ask("KvM")
        assert table.values("KKvK", np.empty(0, np.int64), cache).shape == (0,)
    for read in (lambda: table.value("KKvK", 0, BlockCache()), table.check):
        with pytest.raises(ValueError, match="closed"):
            read()


def test_input_that_makes_no_sense(tmp_path):
    path = tmp_path / "KvK"
    good = alphabet_of(5)
    wrong = [
        (section(good.astype(np.int32)), {}),
        (section(good), {"metric": "wdl"}),
        (section(good.astype(np.int8)), {"metric": "wdl"}),
        (section(good), {"metric": "dtz"}),
        (section(good, np.zeros(3, bool)), {}),
        (section(good, np.zeros(len(good), np.int8)), {}),
        (SectionInput("KvK", good, None, SectionStats(1, 1, 0, 0)), {}),
        (SectionInput("KvK", good, None, SectionStats(len(good), -1, 0, 0)), {}),
        (section(good), {"block_positions": 100}),
        (section(good), {"block_positions": 1 << 30}),
        (section(good), {"producer": "x" * 70_000}),
    ]
    for part, options in wrong:
        with pytest.raises(ValueError):
            write(path, part, **options)
    assert os.listdir(tmp_path) == []
