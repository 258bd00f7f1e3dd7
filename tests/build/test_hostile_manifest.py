"""Manifests that a person or a disk has changed: an answer or one line, never a traceback."""

from __future__ import annotations

import copy
import json
import random

import pytest

from crownbase.build import read_stats, verify
from crownbase.errors import CorruptTableError, CrownbaseError
from crownbase.play.cli import run
from crownbase.probe import shipped_directory

RUBBISH = (None, True, -1, 2**70, 1e308, "", "two\nlines", "\x1b[31m", [], {}, [[]], {"a": 1})


@pytest.fixture
def folder(tmp_path):
    """The manifest that ships, cut to two pieces, without the tables."""
    (tmp_path / "english").mkdir()
    shipped = json.loads((shipped_directory() / "english" / "manifest.json").read_text())
    names = ("KvK", "KvM", "MvM")
    shipped["slices"] = {name: shipped["slices"][name] for name in names}
    path = tmp_path / "english" / "manifest.json"
    path.write_text(json.dumps(shipped))
    (tmp_path / "english" / "KvK.wdl").write_bytes(
        (shipped_directory() / "english" / "KvK.wdl").read_bytes()
    )
    return tmp_path


def places(data, path=()):
    """Every place in a JSON value, as keys from the outermost."""
    yield path
    items = data.items() if isinstance(data, dict) else ()
    for key, value in items:
        yield from places(value, (*path, key))


def mutated(data, generator):
    changed = copy.deepcopy(data)
    *way, last = generator.choice([path for path in places(data) if path])
    inner = changed
    for key in way:
        inner = inner[key]
    how = generator.randrange(3)
    if how == 0:
        del inner[last]
    elif how == 1:
        inner[last] = generator.choice(RUBBISH)
    else:
        inner[generator.choice(("unknown", "a\nb", "KvKK", "dtz"))] = inner.pop(last)
    return changed


def check(folder, seeds):
    path = folder / "english" / "manifest.json"
    good = json.loads(path.read_text())
    refused = 0
    for seed in seeds:
        path.write_text(json.dumps(mutated(good, random.Random(seed))))
        try:
            for piece in read_stats(folder, "english"):
                json.dumps(piece.to_json())
                assert isinstance(piece.positions, int)
        except CrownbaseError as error:
            refused += 1
            assert str(error).isprintable() and len(str(error)) < 600, seed
        for fault in verify(folder, "english", fast=True, jobs=1).faults:
            assert fault.isprintable(), seed
    assert refused > len(seeds) // 2


def test_changed_manifests(folder):
    check(folder, range(150))


@pytest.mark.slow
def test_many_changed_manifests(folder):
    check(folder, range(1000, 21_000))


@pytest.mark.parametrize("text", ["9" * 5000, "[" * 100_000, '{"format": "a\\nb"}'])
def test_the_command_says_one_line(folder, capsys, text):
    (folder / "english" / "manifest.json").write_text(text)
    assert run(["stats", "english", "--db", str(folder)]) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: ") and len(said.splitlines()) == 1


def test_a_pipe_is_no_manifest(folder):
    import os

    path = folder / "english" / "manifest.json"
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(CorruptTableError, match="not an ordinary file"):
        read_stats(folder, "english")
