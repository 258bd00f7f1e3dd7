"""A tablebase and its process: descriptors, forks, pools of processes, and life after `close`."""

from __future__ import annotations

import gc
import inspect
import multiprocessing
import operator
import os
import pickle
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from conftest import SOURCE
from crownbase.board import Position
from crownbase.errors import ClosedTablebaseError, CrownbaseError
from crownbase.index import Material
from crownbase.probe import Tablebase, open_tablebase

DESCRIPTORS = Path("/proc/self/fd")
needs_descriptors = pytest.mark.skipif(not DESCRIPTORS.exists(), reason="no list of descriptors")
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
needs_limits = pytest.mark.skipif(sys.platform == "win32", reason="no limit of open files")

SAMPLES = ("W:WK18:BK2", "B:WK18:BK2", "W:WK32,K31:BK1", "W:W21:BK1", "W:WK5,17:B4", "B:W30:B3,K4")


@pytest.fixture
def no_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def run_script(script: str, *arguments: object) -> None:
    """Run a script in a fresh process; its assertions are ours."""
    environment = os.environ | {"PYTHONPATH": str(SOURCE)}
    argv = [sys.executable, "-c", textwrap.dedent(script), *map(str, arguments)]
    done = subprocess.run(argv, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


@needs_descriptors
def test_a_dropped_tablebase_gives_its_descriptors_back(
    english_directory: Path, no_collector: None
) -> None:
    before = len(os.listdir(DESCRIPTORS))
    for _ in range(3):
        tables = open_tablebase(english_directory)
        for fen in SAMPLES:
            tables.probe(fen)
        assert len(os.listdir(DESCRIPTORS)) > before + 5
        del tables
        assert len(os.listdir(DESCRIPTORS)) == before


@needs_limits
def test_out_of_descriptors_one_tablebase_gives_way_to_another(english_directory: Path) -> None:
    run_script(
        """
        import os, resource, sys
        from crownbase.probe import open_tablebase
        files = [os.path.join(d, n) for d, _, names in os.walk(sys.argv[1]) for n in names]
        resource.setrlimit(resource.RLIMIT_NOFILE, (25, 25))
        assert 4 * len(files) > 50  # as many as all four would like to have open
        several = [open_tablebase(sys.argv[1], open_files=100) for _ in range(4)]
        for _ in range(2):
            for tables in several:
                values = [tables.probe(fen) for fen in sys.argv[2:]]
        """,
        english_directory,
        *SAMPLES,
    )


@needs_limits
def test_tables_that_cannot_be_opened_are_not_missing_ones(english_directory: Path) -> None:
    run_script(
        """
        import resource, sys
        import crownbase as cb
        from crownbase.probe import open_tablebase
        tables = open_tablebase(sys.argv[1])
        position = cb.Position.from_fen("W:WK18:BK2", rules="english")
        tables.moves(position)  # whatever is imported late is here
        resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))
        blocked = []
        try:
            while True:
                blocked.append(open("/dev/null"))
        except OSError:
            pass
        tables.close()
        for ask in (
            lambda: open_tablebase(sys.argv[1]),
            lambda: again.get_wdl("W:WK18:BK2"),
        ):
            while len(blocked) < 200:
                try:
                    blocked.append(open("/dev/null"))
                except OSError:
                    break
            try:
                print(ask())
            except cb.CorruptTableError as error:
                assert "Too many open files" in str(error) and "ulimit -n" in str(error)
            else:
                raise SystemExit("no word about it")
            while blocked:
                blocked.pop().close()
            again = open_tablebase(sys.argv[1])
        assert again.get_wdl("W:WK18:BK2") is not None
        """,
        english_directory,
    )


@needs_fork
def test_a_fork_waits_for_an_import_of_numba_that_waits_for_logging() -> None:
    run_script(
        """
        import os, threading, time
        from crownbase.jit import numba_side
        import logging
        importing = threading.Event()

        def load():
            with numba_side._import_lock:
                importing.set()
                time.sleep(0.2)  # the fork begins
                logging.getLogger("another")

        thread = threading.Thread(target=load)
        thread.start()
        importing.wait()
        child = os.fork()
        if child == 0:
            numba_side.load_numba()
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        thread.join()
        """
    )


@needs_fork
def test_children_forked_while_others_probe_go_on(english_directory: Path) -> None:
    run_script(
        """
        import os, signal, sys, threading, time
        from crownbase.board import Position
        from crownbase.probe import open_tablebase
        # Every probe reads: the locks of cache and pool are hardly ever open.
        tables = open_tablebase(sys.argv[1], cache_bytes=0, open_files=2)
        positions = [Position.from_fen(fen, rules="english") for fen in sys.argv[2:]]
        expected = [tables.probe(position) for position in positions]
        over = threading.Event()

        def ask():
            while not over.is_set():
                for position in positions:
                    tables.probe(position)

        threads = [threading.Thread(target=ask, daemon=True) for _ in range(4)]
        for thread in threads:
            thread.start()
        waiting = []
        for _ in range(30):
            child = os.fork()
            if child == 0:
                right = [tables.probe(position) for position in positions] == expected
                os._exit(0 if right else 1)
            waiting.append(child)
            time.sleep(0.003)
        over.set()
        until = time.monotonic() + 120
        failed = 0
        while waiting and time.monotonic() < until:
            for child in list(waiting):
                done, status = os.waitpid(child, os.WNOHANG)
                if done:
                    waiting.remove(child)
                    failed += status != 0
            time.sleep(0.01)
        for child in waiting:
            os.kill(child, signal.SIGKILL)
        assert (len(waiting), failed) == (0, 0), (len(waiting), failed)
        for thread in threads:
            thread.join()
        assert [tables.probe(position) for position in positions] == expected
        """,
        english_directory,
        *SAMPLES,
    )


def test_a_pickle_opens_the_same_tables(
    english_directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(english_directory.parent)
    tables = open_tablebase(english_directory.name, cache_bytes=1 << 16, open_files=3)
    packed = pickle.dumps(tables)
    assert len(packed) < 10_000
    monkeypatch.chdir("/")
    again = pickle.loads(packed)
    assert again.materials == tables.materials
    assert [again.probe(fen) for fen in SAMPLES] == [tables.probe(fen) for fen in SAMPLES]
    assert again._opened_lookup.cache.max_bytes == 1 << 16
    tables.close()
    with pytest.raises(ClosedTablebaseError):
        pickle.dumps(tables)


def test_a_tablebase_goes_into_a_pool_of_processes(english_directory: Path) -> None:
    tables = open_tablebase(english_directory)
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        answers = [pool.submit(operator.methodcaller("probe_wdl", x), tables) for x in SAMPLES]
        found = [answer.result(timeout=300) for answer in answers]
    assert found == [tables.probe_wdl(fen) for fen in SAMPLES]


QUESTIONS: dict[str, Callable[[Tablebase], Any]] = {
    "add_directory": lambda tables: tables.add_directory("."),
    "materials": lambda tables: tables.materials,
    "max_pieces": lambda tables: tables.max_pieces,
    "metrics": lambda tables: tables.metrics,
    "probe_many": lambda tables: tables.probe_many(["W:WK18:BK2"]),
    "slice_reader": lambda tables: tables.slice_reader,
    "slice_values": lambda tables: tables.slice_values(Material.parse("KvK")),
}
"""How to ask what does not take just a position."""
NO_QUESTIONS = {"close", "rules"}


@pytest.mark.parametrize("fen", ["W:WK18:BK2", "W:W32:B28,24"])
def test_every_question_to_a_closed_tablebase_is_refused(english_directory: Path, fen: str) -> None:
    """Also where no table would be needed: in the second position White cannot move."""
    names = {name for name, _ in inspect.getmembers(Tablebase) if not name.startswith("_")}
    position = Position.from_fen(fen, rules="english")
    with open_tablebase(english_directory) as tables:
        tables.probe("W:WK18:BK2")
    assert "closed" in repr(tables)
    tables.close()  # once more does no harm
    for name in sorted(names - NO_QUESTIONS):
        asked = QUESTIONS.get(name, operator.methodcaller(name, position))
        with pytest.raises(ClosedTablebaseError, match="closed") as caught:
            asked(tables)
        assert isinstance(caught.value, (CrownbaseError, ValueError)), name
    with pytest.raises(ClosedTablebaseError), tables:
        pass
