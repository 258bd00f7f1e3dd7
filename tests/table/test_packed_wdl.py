"""Values of two bits: the same files as from arrays, byte for byte."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from crownbase.table import PackedWdl, SectionInput
from table.samples import runs, section, write


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 255, 256, 257, 5003])
@pytest.mark.parametrize("present", [(-1, 0, 1), (0, 1), (-1, 1), (-1,), (0,)])
def test_the_same_bytes(count: int, present: tuple[int, ...], tmp_path: Path) -> None:
    values = runs(count, list(present), np.int8, seed=count)
    for share in (0.0, 0.4, 1.0):
        free = np.random.default_rng(count).random(count) < share
        plain = section(values, free)
        packed = SectionInput("KvK", PackedWdl.of(values, free), None, plain.stats)
        for name, given in (("plain", plain), ("packed", packed)):
            write(tmp_path / name, given, metric="wdl", block_positions=64)
        assert (tmp_path / "packed").read_bytes() == (tmp_path / "plain").read_bytes()


def test_counts() -> None:
    values = np.array([-1, 0, 1, 1, 0], np.int8)
    free = np.array([False, False, False, True, False])
    assert PackedWdl.of(values, free).counts().tolist() == [1, 2, 1, 1]
    assert PackedWdl.of(values, None).counts().tolist() == [1, 2, 2, 0]


def test_refusals(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="must be uint8"):
        PackedWdl(np.zeros(2, np.uint8), 4)
    with pytest.raises(ValueError, match="more than its positions"):
        PackedWdl(np.full(1, 255, np.uint8), 3)
    values = np.zeros(8, np.int8)
    both = SectionInput("KvK", PackedWdl.of(values, None), np.zeros(8, bool), section(values).stats)
    with pytest.raises(ValueError, match="packed values"):
        write(tmp_path / "KvK", both, metric="wdl")
