"""A library that cannot read our files is blamed itself, not the files."""

from __future__ import annotations

import pytest
import xxhash
import zstandard

from crownbase.errors import CorruptTableError, CrownbaseError
from crownbase.probe import open_tablebase
from crownbase.table import libraries


class _Refuses:
    """What zstandard 0.22 and 0.23 do with a magicless frame without a content size."""

    def __init__(self, **options: object) -> None:
        pass

    def decompress(self, data: bytes, **options: object) -> bytes:
        raise zstandard.ZstdError("could not determine content size in frame header")


class _Differs(_Refuses):
    def decompress(self, data: bytes, **options: object) -> bytes:
        return b"something else"


@pytest.fixture(autouse=True)
def asked_anew():
    libraries.check_libraries.cache_clear()
    yield
    libraries.check_libraries.cache_clear()


@pytest.mark.parametrize("decoder", [_Refuses, _Differs])
def test_a_decoder_that_fails_is_not_the_fault_of_the_tables(monkeypatch, decoder):
    monkeypatch.setattr(zstandard, "ZstdDecompressor", decoder)
    with open_tablebase() as tables, pytest.raises(CrownbaseError) as caught:
        tables.probe_wdl("W:WK18:BK1")
    assert not isinstance(caught.value, CorruptTableError)
    said = str(caught.value)
    assert f"zstandard {zstandard.__version__}" in said and "delete" not in said
    assert len(said.splitlines()) == 1


def test_a_checksum_that_fails_is_not_the_fault_of_the_tables(monkeypatch):
    monkeypatch.setattr(xxhash, "xxh3_64_intdigest", lambda data: 0)
    with open_tablebase() as tables, pytest.raises(CrownbaseError, match="xxhash") as caught:
        tables.probe_wdl("W:WK18:BK1")
    assert not isinstance(caught.value, CorruptTableError)


def test_the_installed_libraries_are_good():
    libraries.check_libraries()
