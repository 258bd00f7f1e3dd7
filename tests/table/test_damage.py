"""A file that is not what was written is refused by name, and never answers with a wrong value."""

from __future__ import annotations

import json
import random
import struct
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import xxhash

from crownbase.errors import CorruptTableError, MissingTableError
from crownbase.table import BlockCache, Table
from crownbase.table.format import MAX_POSITIONS, PREFIX, SectionHeader, pack_header, unpack_header
from table.samples import RULES, distance_table, read_everything, section, small_table, write

FLIPS = [1 << bit for bit in range(8)]


def refused(path: Path, **expected: str) -> str:
    """The message of the one error that the file may raise, wherever it is noticed."""
    with pytest.raises(CorruptTableError) as caught:
        with Table(path, **{**RULES, **expected}) as table:
            table.check()
    assert caught.value.path == str(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.fixture(params=[small_table, distance_table])
def victim(request, tmp_path):
    path = tmp_path / "KKvK.table"
    request.param(path)
    return path


def test_truncation_anywhere(victim):
    data = victim.read_bytes()
    for size in range(len(data)):
        victim.write_bytes(data[:size])
        message = refused(victim)
        assert "truncated" in message or size == 0


def test_bytes_after_the_end(victim):
    victim.write_bytes(victim.read_bytes() + b"\0")
    assert "too long" in refused(victim)


def test_bit_flips_everywhere(victim):
    """`check` finds each, and no read returns another value; every bit of a small file."""
    right = read_everything(victim)
    data = bytearray(victim.read_bytes())
    for at in range(len(data)):
        for flip in FLIPS if len(data) < 1000 else FLIPS[at % 8 :: 8]:
            data[at] ^= flip
            victim.write_bytes(data)
            data[at] ^= flip
            refused(victim)
            try:
                with Table(victim) as table:
                    for material, values in right.items():
                        assert np.array_equal(table.read_all(material), values)
            except CorruptTableError:
                pass


def test_random_damage_never_answers_wrongly(victim):
    right = read_everything(victim)
    data = victim.read_bytes()
    rng = random.Random(7)
    for _ in range(300):
        damaged = bytearray(data)
        for _ in range(rng.randint(1, 30)):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        if rng.random() < 0.3:
            del damaged[rng.randrange(len(damaged)) :]
        victim.write_bytes(damaged)
        cache = BlockCache()
        try:
            with Table(victim) as table:
                for material, values in right.items():
                    everything = np.arange(len(values))
                    assert np.array_equal(table.values(material, everything, cache), values)
        except CorruptTableError:
            pass


def test_random_bytes(tmp_path):
    rng = random.Random(5)
    path = tmp_path / "KvK.wdl"
    for size in [*range(0, 300, 7), 5000]:
        for start in (b"", PREFIX.pack(b"\x89CBT\r\n\x1a\n", 1, 1, 0, 0, 0, b"", 0, 0)[:10]):
            path.write_bytes(start + rng.randbytes(size))
            refused(path)


def test_blocks_that_changed_places(tmp_path):
    """Every block is right in itself, but not where it is."""
    path = tmp_path / "KvK.dtc"
    values = np.concatenate([np.arange(1, 17, dtype=np.int16)] * 8)
    values[64:] = values[64:][::-1]
    write(path, section(values), block_positions=64)
    with Table(path) as table:
        start = table.header.header_bytes + table.header.index_bytes
    data = path.read_bytes()
    half = (len(data) - start) // 2
    path.write_bytes(data[:start] + data[start + half :] + data[start : start + half])
    refused(path)


@pytest.mark.parametrize(
    ("old", "new"), [(b"\r\n", b"\n"), (b"\n", b"\r\n"), (b"\r", b""), (b"\x1a", b"")]
)
def test_text_mode_transfer(victim, old, new):
    victim.write_bytes(victim.read_bytes().replace(old, new))
    assert "text mode" in refused(victim)


def test_not_a_table(tmp_path):
    path = tmp_path / "KvK.wdl"
    path.write_text("something else")
    assert "not a crownbase table" in refused(path)
    path.write_bytes(b"")
    assert "empty" in refused(path)
    (tmp_path / "folder.wdl").mkdir()
    assert "ordinary file" in refused(tmp_path / "folder.wdl")


def test_no_file(tmp_path):
    with pytest.raises(MissingTableError, match="no such file"):
        Table(tmp_path / "KvK.wdl")


def test_foreign_version(victim):
    data = bytearray(victim.read_bytes())
    struct.pack_into("<H", data, 8, 2)
    victim.write_bytes(data)
    message = refused(victim)
    assert "format 2" in message and "format 1" in message


def test_wrong_rules_name_both(victim):
    message = refused(victim, rules_key="russian")
    assert "'english'" in message and "'russian'" in message
    message = refused(victim, rules_digest="feedface")
    assert RULES["rules_digest"] in message and "feedface" in message


def test_wrong_metric(tmp_path):
    small_table(tmp_path / "KKvK.dtw")
    message = refused(tmp_path / "KKvK.dtw", metric="dtw")
    assert "'wdl'" in message and "'dtw'" in message


def test_a_file_replaced_while_it_is_open(tmp_path):
    path = tmp_path / "KvK.wdl"
    small_table(path)
    with Table(path) as table:
        table._file._pool._close(table._file)  # as if other tables had needed the descriptor
        small_table(path)
        with pytest.raises(CorruptTableError, match="replaced"):
            table.check()


# ---------------------------------------------------------------- headers with a right checksum


def forge(path: Path, **changes: object) -> None:
    """Rewrite the header with other fields and a right checksum."""
    data = path.read_bytes()
    size = struct.unpack_from("<I", data, 12)[0]
    header = unpack_header(data[:size], str(path))
    rest = data[size:]
    fields = {name: value for name, value in changes.items() if hasattr(header, name)}
    first = {name: value for name, value in changes.items() if name not in fields}
    if first:
        fields["sections"] = (replace(header.sections[0], **first), *header.sections[1:])
    forged = pack_header(replace(header, **fields), len(rest) - header.index_bytes)
    path.write_bytes(forged + rest)


@pytest.mark.parametrize(
    "changes",
    [
        {"metric": "dtz"},
        {"free_scheme": 9},
        {"index_rule": 2},
        {"extra": [1]},
        {"alphabet": (1, 0, -1)},
        {"alphabet": (0, 0, 1)},
        {"alphabet": (0,)},
        {"alphabet": ()},
        {"alphabet": (0, 1)},
        {"symbol_bits": 8},
        {"symbol_bits": 3},
        {"block_shift": 60},
        {"block_shift": 0},
        {"block_shift": 9},
        {"material": "KvKK"},
        {"packed_checksum": 1},
    ],
)
def test_contradictions_in_the_header(tmp_path, changes):
    path = tmp_path / "KKvK.wdl"
    small_table(path)
    forge(path, **changes)
    refused(path)


@pytest.mark.parametrize("positions", [0, 1, 255, 10**6, MAX_POSITIONS, 1 << 60])
def test_forged_number_of_positions(tmp_path, positions):
    """Lengths that would take gigabytes are noticed before anything is allocated."""
    path = tmp_path / "KKvK.wdl"
    small_table(path)
    data = path.read_bytes()
    size = struct.unpack_from("<I", data, 12)[0]
    stats = unpack_header(data[:size], str(path)).sections[0].stats
    forge(path, stats=replace(stats, positions=positions))
    refused(path)


def test_a_constant_section_of_absurd_size(tmp_path):
    path = tmp_path / "KvK.dtc"
    write(path, section(np.full(50, 7, np.int16)))
    data = path.read_bytes()
    size = struct.unpack_from("<I", data, 12)[0]
    stats = unpack_header(data[:size], str(path)).sections[0].stats
    forge(path, stats=replace(stats, positions=MAX_POSITIONS))
    with Table(path) as table, pytest.raises(CorruptTableError, match="too many"):
        table.read_all("KvK")


@pytest.mark.parametrize("field", ["header", "index", "file"])
def test_forged_lengths(victim, field):
    data = bytearray(victim.read_bytes())
    layout, at = {"header": ("<I", 12), "index": ("<Q", 16), "file": ("<Q", 24)}[field]
    top = 1 << 8 * struct.calcsize(layout)
    (right,) = struct.unpack_from(layout, data, at)
    for value in {0, 1, 79, 81, len(data), len(data) + 1, top // 4, top - 1} - {right}:
        struct.pack_into(layout, data, at, value)
        victim.write_bytes(data)
        refused(victim)


def test_forged_index(tmp_path):
    """Block lengths that run out of the file, with right checksums all the way up."""
    path = tmp_path / "KKvK.wdl"
    small_table(path)
    data = bytearray(path.read_bytes())
    size = struct.unpack_from("<I", data, 12)[0]
    header = unpack_header(bytes(data[:size]), str(path))
    for length in (0, 1 << 31, (1 << 32) - 1):
        struct.pack_into("<I", data, size, length)
        index = bytes(data[size : size + header.index_bytes])
        path.write_bytes(data)
        forge(path, index_checksum=xxhash.xxh3_64_intdigest(index))
        assert "index" in refused(path)


def test_a_symbol_outside_of_the_alphabet(tmp_path):
    """A three-valued section whose blocks hold the fourth symbol: never an IndexError."""
    path = tmp_path / "KvK.dtc"
    write(path, section(np.arange(400, dtype=np.int16) % 4), block_positions=64)
    forge(path, alphabet=(0, 1, 2))
    message = refused(path)
    assert "outside of its alphabet" in message
    with Table(path) as table:
        for read in (
            lambda: table.value("KvK", 3, BlockCache()),
            lambda: table.values("KvK", np.arange(9), BlockCache()),
            lambda: table.read_all("KvK"),
        ):
            with pytest.raises(CorruptTableError):
                read()


def test_deeply_nested_extra_data(tmp_path):
    path = tmp_path / "KvK.dtc"
    depth = 20_000
    write(path, section(np.arange(9, dtype=np.int16)), extra={"x": "y" * 2 * depth})
    data = path.read_bytes()
    size = struct.unpack_from("<I", data, 12)[0]
    text = json.dumps({"x": "y" * 2 * depth}, separators=(",", ":")).encode()
    nested = b'{"x":' + (b"[" * depth + b"]" * depth).ljust(len(text) - 6) + b"}"
    body = data[:size].replace(text, nested)
    assert len(body) == size and body != data[:size]
    zeroed = body[:72] + bytes(8) + body[80:]
    checksum = struct.pack("<Q", xxhash.xxh3_64_intdigest(zeroed))
    path.write_bytes(body[:72] + checksum + body[80:] + data[size:])
    try:
        Table(path).close()
    except CorruptTableError:
        pass


def test_section_header_sizes():
    from table.samples import stats

    header = SectionHeader("KvK", stats(np.zeros(10, np.int8)), (0, 1), 2, 2, 0)
    assert (header.blocks, header.packed_bytes(0), header.packed_bytes(2)) == (3, 1, 1)
