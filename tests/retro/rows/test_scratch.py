"""Planes in a file: the same planes, and nothing left of the file."""

from __future__ import annotations

import mmap
from pathlib import Path

import numpy as np
import pytest

from crownbase.retro.rows import RowSolver
from crownbase.retro.rows.schedule import all_slices, mirror, slice_pairs
from crownbase.retro.rows.scratch import ScratchFile


def test_the_same_planes(tmp_path: Path) -> None:
    slices = all_slices(4)
    in_memory = RowSolver("english", slices)
    in_file = RowSolver("english", slices, scratch=tmp_path / "planes")
    assert not list(tmp_path.iterdir())
    for counts in slice_pairs(slices):
        in_memory.solve(counts)
        in_file.planes.keep_resident([])
        in_file.solve(counts)
    in_file.planes.keep_resident([])
    for counts in slices:
        pairs = zip(
            in_memory.planes.slice_planes(counts), in_file.planes.slice_planes(counts), strict=True
        )
        assert all((left == right).all() for left, right in pairs)
        assert in_file.positions(counts) == in_memory.positions(mirror(counts))


def test_what_is_released_comes_back(tmp_path: Path) -> None:
    words = 4 * mmap.PAGESIZE // 8
    file = ScratchFile(tmp_path / "planes", 8 * words)
    assert not file.words.any()
    file.words[:] = np.arange(words)
    for part in (file.words, file.words[5:-5], file.words[5:9], file.words[:0]):
        file.release(part)
    assert (file.words == np.arange(words)).all()


def test_a_file_in_the_way_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "planes").write_bytes(b"something")
    with pytest.raises(FileExistsError):
        ScratchFile(tmp_path / "planes", 4096)
    assert (tmp_path / "planes").read_bytes() == b"something"
