"""Answers while the kernel is being compiled: in time, right, by the kernel once it is there."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from crownbase import compiling
from crownbase.board import Position
from crownbase.jit import INTERPRETED
from crownbase.play.game import Game
from crownbase.play.player import Player
from crownbase.play.terminal import Terminal
from crownbase.probe import open_tablebase
from crownbase.rules import find_rules
from crownbase.search import Loader, SearchResult, search_at_once
from crownbase.search.searcher import Searcher

ENGLISH = find_rules("english")
ABOVE_THE_TABLES = "W:WK19,K23,9:B12,K28"  # five pieces
pytestmark = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")


class SlowLoader(Loader):
    """A loader whose compiler is at work until it is let go."""

    def __init__(self) -> None:
        super().__init__(ENGLISH)
        self.go_on = threading.Event()
        self.kernels = 0
        self._thread = threading.Thread(target=self._compile, daemon=True)

    def _compile(self) -> None:
        compiling.started("crownbase.search.node.search_root")
        self.go_on.wait()
        compiling.ended()
        self._load_kernel()

    def start(self) -> Loader:
        self._thread.start()
        return self

    def end(self) -> None:
        self.go_on.set()
        self._thread.join()


@pytest.fixture
def slow() -> Iterator[SlowLoader]:
    loader = SlowLoader()
    loader.start()
    yield loader
    loader.end()


@pytest.fixture
def compiled_searches(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each search that ran used the compiled kernel."""
    ran: list[bool] = []
    original = Searcher.search

    def search(self: Searcher, *arguments: object, **options: object) -> SearchResult:
        ran.append(not isinstance(self.work.data, list))
        return original(self, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Searcher, "search", search)
    return ran


def test_a_search_does_not_wait_for_the_compiler(
    slow: SlowLoader, compiled_searches: list[bool]
) -> None:
    position = Position.from_fen(ABOVE_THE_TABLES)
    with open_tablebase() as tables:
        found = search_at_once(position, tables, depth=4, time=60.0, loader=slow)
    assert slow.is_compiling and compiled_searches == [False]
    assert found.move in position.legal_moves() and found.depth == 4


def test_its_answer_is_that_of_the_kernel(slow: SlowLoader) -> None:
    """The same source and the same depth give the same score, be it Python or machine code."""
    position = Position.from_fen(ABOVE_THE_TABLES)
    meanwhile = search_at_once(position, None, depth=5, time=600.0, loader=slow)
    slow.end()
    later = search_at_once(position, None, depth=5, loader=slow)
    assert slow.kernel_ready
    assert (meanwhile.score, meanwhile.depth) == (later.score, later.depth)


def test_inside_the_tables_it_is_exact(slow: SlowLoader) -> None:
    with open_tablebase() as tables:
        won = Position.from_fen("W:WK19,K23:B12,K28")  # a win in 61 plies, see README
        found = search_at_once(won, tables, time=0.2, loader=slow)
        assert found.category == "win"
        assert tables.get_wdl(won.play(found.move)) == -1
    assert slow.is_compiling


def test_the_kernel_takes_over_as_soon_as_it_is_ready(
    slow: SlowLoader, compiled_searches: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    polls = iter(range(1000))

    def ready(self: Loader) -> bool:
        if next(polls) == 5:
            slow.end()
        return self._loaded

    monkeypatch.setattr(Loader, "kernel_ready", property(ready))
    found = search_at_once(Position.start("english"), time=3.0, nodes=300_000, loader=slow)
    assert compiled_searches == [False, True]
    assert found.depth >= 6


def test_without_a_limit_of_time_it_waits(slow: SlowLoader, compiled_searches: list[bool]) -> None:
    threading.Timer(0.1, slow.go_on.set).start()
    search_at_once(Position.start("english"), depth=6, loader=slow)
    assert compiled_searches == [True]


def test_a_player_answers_meanwhile_and_gets_the_kernel_later(
    slow: SlowLoader, compiled_searches: list[bool]
) -> None:
    player = Player(ENGLISH, level=7, seconds=0.05, loader=slow)
    start = Position.start("english")
    assert player.choose(start).move in start.legal_moves()
    slow.end()
    assert player.choose(start).move in start.legal_moves()
    assert compiled_searches == [False, True]


def test_a_game_says_that_compiling_goes_on(slow: SlowLoader) -> None:
    output: list[str] = []
    lines = iter(["11-15", "quit"])
    player = Player(ENGLISH, level=7, seconds=0.05, loader=slow)
    game = Game("english")
    Terminal(game, player, None, "B", None, lambda _: next(lines), output.append).run()
    assert game.ply == 2 and any("still compiling)" in line for line in output)


def test_weak_levels_keep_their_time_in_plain_python(slow: SlowLoader) -> None:
    """Nine plies by plain Python would take minutes; the player's seconds end the search."""
    player = Player(ENGLISH, level=6, seconds=0.05, loader=slow)
    choice = player.choose(Position.start("english"))
    assert choice.source == "search" and choice.result.depth < 9
    assert slow.is_compiling
