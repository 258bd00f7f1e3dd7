"""The manifest: what goes in comes out, in a stable order, all or nothing."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from crownbase.errors import BuildError, CorruptTableError
from crownbase.table import FileEntry, Manifest, SectionStats

ENTRY = FileEntry(
    file="KKvK.dtc",
    bytes=1234,
    sha256="ab" * 32,
    content_digest="cd" * 32,
    seconds=0.5,
    sides={
        "KKvK": SectionStats(10, 5, 3, 2, 1, 0, 33, 12),
        "KvKK": SectionStats(10, 0, 8, 2, longest_loss=32),
    },
    extra={"note": [1, 2]},
)


def entry_of(name, metric):
    sides = {name: ENTRY.sides["KKvK"], "v".join(name.split("v")[::-1]): ENTRY.sides["KvKK"]}
    return replace(ENTRY, file=f"{name}.{metric}", sides=sides)


def load(folder):
    return Manifest.load(folder, "english", "0123")


def test_what_is_saved_is_loaded(tmp_path):
    manifest = load(tmp_path)
    assert list(manifest.items()) == []
    manifest.record("KKvK", "dtc", ENTRY)
    manifest.save()
    again = load(tmp_path)
    assert again.get("KKvK", "dtc") == ENTRY
    assert again.get("KKvK", "wdl") is None
    assert again.get("KvK", "dtc") is None
    assert ENTRY.longest_win == 33


def test_the_order_is_stable(tmp_path):
    texts = []
    names = ["MMvM", "KvK", "KKvKK", "KKvK", "KvM"]
    for order in (names, names[::-1]):
        manifest = Manifest(tmp_path, "english", "0123")
        for name in order:
            for metric in ("dtw", "wdl"):
                manifest.record(name, metric, entry_of(name, metric))
        manifest.save()
        texts.append(manifest.path.read_text())
    assert texts[0] == texts[1]
    listed = [(name, metric) for name, metric, _ in load(tmp_path).items()]
    assert [name for name, _ in listed[::2]] == ["KvK", "KvM", "KKvK", "MMvM", "KKvKK"]
    assert [metric for _, metric in listed[:2]] == ["wdl", "dtw"]
    assert os.listdir(tmp_path) == ["manifest.json"]


def test_entries_can_be_removed(tmp_path):
    manifest = load(tmp_path)
    manifest.record("KKvK", "dtc", ENTRY)
    manifest.remove("KKvK", "dtc")
    manifest.remove("KKvK", "dtw")
    assert list(manifest.items()) == []


START = '{"format": 1, "rules": {"key": "english", "digest": "0123"}, "slices": '


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "7",
        "{}",
        '{"format": 1}',
        "\xff\x00",
        "[" * 100_000,
        START + "[]}",
        START + '{"KvK": 3}}',
        START + '{"KvK": {"dtz": {}}}}',
        START + '{"KvK": {"wdl": {}}}}',
        START + '{"KvK": {"wdl": {"sides": {"KvK": {"positions": 1}}}}}}',
    ],
)
def test_damage_is_named(tmp_path, text):
    (tmp_path / "manifest.json").write_text(text, encoding="latin-1")
    with pytest.raises(CorruptTableError, match=r"manifest\.json"):
        load(tmp_path)


def test_another_version_or_other_rules(tmp_path):
    Manifest(tmp_path, "english", "0123").save()
    with pytest.raises(CorruptTableError, match="russian"):
        Manifest.load(tmp_path, "russian", "0123")
    with pytest.raises(CorruptTableError, match="4567"):
        Manifest.load(tmp_path, "english", "4567")
    path = tmp_path / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"format": 2}))
    with pytest.raises(CorruptTableError, match="format 2"):
        load(tmp_path)


def test_a_manifest_that_cannot_be_written_keeps_the_old_one(tmp_path, monkeypatch):
    manifest = load(tmp_path)
    manifest.save()
    before = manifest.path.read_bytes()
    manifest.record("KKvK", "dtc", ENTRY)

    def fail(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", fail)
        with pytest.raises(BuildError, match="No space"):
            manifest.save()
    manifest.record("KKvK", "wdl", replace(ENTRY, extra={"x": object()}))
    with pytest.raises(BuildError):
        manifest.save()
    assert manifest.path.read_bytes() == before
    with pytest.raises(ValueError):
        manifest.record("KvK", "dtz", ENTRY)


def test_threads_record_and_save(tmp_path):
    manifest = load(tmp_path)

    def work(number: int) -> None:
        name = "K" * (number + 1) + "vK"
        manifest.record(name, "dtc", entry_of(name, "dtc"))
        manifest.save()

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(work, range(24)))
    manifest.save()
    assert len(list(load(tmp_path).items())) == 24
