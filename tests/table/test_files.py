"""Few open files whatever the number of tables; all or nothing when writing."""

from __future__ import annotations

import errno
import os
import random
import stat
import subprocess
import sys
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from conftest import SOURCE
from crownbase.errors import BuildError, CorruptTableError
from crownbase.table import BlockCache, FilePool, Table, files, remove_temporaries, write_atomically
from crownbase.table.files import PooledFile
from table.samples import runs, section, small_table, write


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """200 tables with different values."""
    folder = tmp_path_factory.mktemp("many")
    content = []
    for number in range(200):
        values = runs(600, [-1, 0, 1], np.int8, seed=number)
        path = folder / f"{number}.wdl"
        write(path, section(values), metric="wdl", block_positions=64, level=1)
        content.append((path, values))
    return content


@pytest.mark.parametrize("limit", [1, 3, 64])
def test_eight_threads_on_200_tables(many, limit):
    """More threads than descriptors allowed, blocks in random order, a cache that forgets."""
    pool, cache = FilePool(limit), BlockCache(2000)
    tables = [(Table(path, pool=pool), values) for path, values in many]
    most = []

    def probe(seed: int) -> None:
        rng = random.Random(seed)
        for _ in range(400):
            table, values = rng.choice(tables)
            index = rng.randrange(len(values))
            assert table.value("KvK", index, cache) == values[index]
            most.append(pool.open_files)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(probe, range(8)))
    assert max(most) <= limit
    for table, _ in tables:
        table.close()
    assert pool.open_files == 0


def test_under_a_system_limit_lower_than_the_pools(many):
    """Out of descriptors, the pool gives up idle ones instead of failing."""
    script = textwrap.dedent("""
        import os, resource, sys
        from crownbase.table import BlockCache, FilePool, Table
        resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))
        pool, folder = FilePool(64), sys.argv[1]
        tables = [Table(os.path.join(folder, name), pool=pool) for name in os.listdir(folder)]
        for table in tables:
            table.check()
        assert 20 < pool.open_files < 40
    """)
    environment = os.environ | {"PYTHONPATH": str(SOURCE)}
    subprocess.run(
        [sys.executable, "-c", script, many[0][0].parent], check=True, env=environment, timeout=60
    )


def test_no_descriptor_left_at_all(tmp_path, monkeypatch):
    small_table(tmp_path / "KvK.wdl")

    def refuse(*_):
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(CorruptTableError, match="Too many open files"):
        Table(tmp_path / "KvK.wdl", pool=FilePool(4))


def test_closing_waits_for_the_reader(tmp_path, monkeypatch):
    path = tmp_path / "data"
    path.write_bytes(b"abc")
    pool = FilePool(1)
    file = PooledFile(path, pool)
    reading, closed = threading.Event(), threading.Event()
    read_at = files._read_at

    def slow(*arguments):
        reading.set()
        assert closed.wait(10)
        return read_at(*arguments)

    monkeypatch.setattr(files, "_read_at", slow)
    with ThreadPoolExecutor(1) as threads:
        answer = threads.submit(file.read, 3, 0)
        assert reading.wait(10)
        file.close()
        assert pool.open_files == 1
        closed.set()
        assert answer.result() == b"abc"
    assert pool.open_files == 0
    with pytest.raises(ValueError, match="closed"):
        file.read(3, 0)


def test_tables_open_lazily_and_share_a_pool(many):
    pool = FilePool(2)
    tables = [Table(path, pool=pool) for path, _ in many[:10]]
    assert pool.open_files == 2
    for table in tables:
        table.close()


def test_many_threads_on_one_table(tmp_path):
    content = small_table(tmp_path / "KKvK.wdl")
    everything = {name: np.arange(len(values)) for name, values in content.items()}
    with Table(tmp_path / "KKvK.wdl") as table:

        def probe(number: int) -> None:
            name = list(content)[number % 2]
            cache = BlockCache(0)
            assert np.array_equal(table.values(name, everything[name], cache), content[name])

        with ThreadPoolExecutor(8) as threads:
            list(threads.map(probe, range(40)))


def test_reading_where_pread_is_missing(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "_read_at", files._seek_and_read)
    content = small_table(tmp_path / "KKvK.wdl")
    with Table(tmp_path / "KKvK.wdl") as table:
        table.check()
        assert np.array_equal(table.read_all("KvKK"), content["KvKK"])


def test_short_reads_are_continued(tmp_path, monkeypatch):
    read_at = files._read_at
    monkeypatch.setattr(files, "_read_at", lambda fd, size, at: read_at(fd, min(size, 7), at))
    small_table(tmp_path / "KKvK.wdl")
    with Table(tmp_path / "KKvK.wdl") as table:
        table.check()


def test_a_disk_that_fails(tmp_path, monkeypatch):
    small_table(tmp_path / "KKvK.wdl")
    with Table(tmp_path / "KKvK.wdl") as table:

        def fail(*_):
            raise OSError(errno.EIO, "Input/output error")

        monkeypatch.setattr(files, "_read_at", fail)
        with pytest.raises(CorruptTableError, match="Input/output error"):
            table.check()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_does_not_block(tmp_path):
    os.mkfifo(tmp_path / "KvK.wdl")
    with pytest.raises(CorruptTableError, match="ordinary file"):
        Table(tmp_path / "KvK.wdl")


# ---------------------------------------------------------------- writing


def test_writing_replaces_as_a_whole(tmp_path):
    path = tmp_path / "new" / "folder" / "file"
    write_atomically(path, [b"one"])
    write_atomically(path, [b"two", b"three"])
    assert path.read_bytes() == b"twothree"
    assert os.listdir(path.parent) == ["file"]


def test_permissions_follow_the_umask(tmp_path):
    old = os.umask(0o027)
    try:
        write_atomically(tmp_path / "file", [b"x"])
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o640


@pytest.mark.parametrize("function", ["write", "fsync", "replace", "open"])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_a_full_or_read_only_disk(tmp_path, monkeypatch, function, code):
    path = tmp_path / "KKvK.wdl"
    small_table(path)
    before = path.read_bytes()

    def fail(*_):
        raise OSError(code, os.strerror(code))

    with monkeypatch.context() as patch:
        patch.setattr(os, function, fail)
        with pytest.raises(BuildError) as caught:
            small_table(path)
    assert str(path) in str(caught.value)
    assert os.strerror(code) in str(caught.value)
    assert os.listdir(tmp_path) == ["KKvK.wdl"]
    assert path.read_bytes() == before


def test_a_disk_that_is_full_halfway(tmp_path):
    """A real limit of the system, met after some of the bytes are written."""
    script = textwrap.dedent("""
        import os, resource, sys
        from crownbase.errors import BuildError
        from crownbase.table import write_atomically
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        try:
            write_atomically(sys.argv[1], [bytes(700), bytes(700)])
        except BuildError as error:
            sys.stdout.write(str(error))
    """)
    environment = os.environ | {"PYTHONPATH": str(SOURCE)}
    command = [sys.executable, "-c", script, str(tmp_path / "KvK.wdl")]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert "KvK.wdl" in run.stdout and "too large" in run.stdout, run.stderr
    assert os.listdir(tmp_path) == []


def test_a_directory_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(BuildError, match="KvK"):
        small_table(tmp_path / "file" / "KvK.wdl")


def test_an_interrupt_leaves_nothing_behind(tmp_path):
    def pieces():
        yield b"some"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_atomically(tmp_path / "file", pieces())
    assert os.listdir(tmp_path) == []


def test_what_killed_writers_left_is_removed(tmp_path):
    for name in (".KvK.wdl.12-0.tmp", "KvK.wdl", ".lock"):
        Path(tmp_path / name).write_bytes(b"")
    assert remove_temporaries(tmp_path) == 1
    assert sorted(os.listdir(tmp_path)) == [".lock", "KvK.wdl"]
