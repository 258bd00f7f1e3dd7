"""Headers with right checksums and wrong contents: refused on one line, or harmless."""

from __future__ import annotations

import random
import struct
from dataclasses import replace

import pytest
import xxhash

from crownbase.errors import CorruptTableError
from crownbase.probe import shipped_directory
from crownbase.table import format as layout

PATH = shipped_directory() / "english" / "KvM.dtc"


def header_of(data):
    size = layout.header_size(data[: layout.PREFIX_BYTES], "x", len(data))
    return layout.unpack_header(data[:size], "x")


def read_again(header):
    packed = layout.pack_header(header, 0)
    return layout.unpack_header(packed, "x")


def with_section(header, **changes):
    first = replace(header.sections[0], **changes)
    return replace(header, sections=(first, *header.sections[1:]))


@pytest.mark.parametrize(
    ("metric", "alphabet"),
    [("wdl", (-2, 0, 1)), ("wdl", (-1, 0, 2)), ("dtc", (-32768, 0, 1)), ("dtw", (-32768, 0, 1))],
)
def test_values_outside_of_the_metric(metric, alphabet):
    good = with_section(
        replace(header_of(PATH.read_bytes()), metric=metric), alphabet=(-1, 0, 1), symbol_bits=2
    )
    rest = tuple(replace(one, alphabet=(0, 1), symbol_bits=2) for one in good.sections[1:])
    good = replace(good, sections=(good.sections[0], *rest))
    assert read_again(good).metric == metric
    with pytest.raises(CorruptTableError, match="values outside of"):
        read_again(with_section(good, alphabet=alphabet))


@pytest.mark.parametrize("text", ["two\nlines", "\x1b[31m", "\u2028", "\x00"])
@pytest.mark.parametrize("field", ["rules_key", "rules_digest", "metric", "producer", "material"])
def test_no_line_break_of_a_file_reaches_a_message(field, text):
    good = header_of(PATH.read_bytes())
    bad = (
        with_section(good, material=text) if field == "material" else replace(good, **{field: text})
    )
    with pytest.raises(CorruptTableError) as caught:
        read_again(bad)
    assert str(caught.value).isprintable()


def test_no_line_break_of_a_name_reaches_a_message():
    assert str(CorruptTableError("a\nb\x1b", "bad\r")) == r"a\nb\x1b: bad\r"


def check(seeds):
    """Change some bytes of the body, mend the checksum, read."""
    data = PATH.read_bytes()
    size = layout.header_size(data[: layout.PREFIX_BYTES], "x", len(data))
    refused = 0
    for seed in seeds:
        generator = random.Random(seed)
        changed = bytearray(data[:size])
        for _ in range(generator.randrange(1, 4)):
            changed[generator.randrange(layout.PREFIX_BYTES, size)] = generator.randrange(256)
        changed[72:80] = bytes(8)
        changed[72:80] = struct.pack("<Q", xxhash.xxh3_64_intdigest(bytes(changed)))
        try:
            header = layout.unpack_header(bytes(changed), "x")
        except CorruptTableError as error:
            refused += 1
            assert str(error).isprintable() and len(str(error)) < 400, seed
            continue
        for section in header.sections:
            assert layout.MATERIAL_PATTERN.fullmatch(section.material), seed
            assert -32768 < section.alphabet[0] <= section.alphabet[-1], seed
    assert refused > len(seeds) // 10


def test_changed_headers():
    check(range(2000))


@pytest.mark.slow
def test_many_changed_headers():
    check(range(10_000, 310_000))
