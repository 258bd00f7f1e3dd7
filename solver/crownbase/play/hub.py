"""A Hub engine: draughts programs drive the player through protocol 2 (``hub_text`` has the text).

What real clients need, beyond the protocol:

* py-draughts 1.10 loses lines that arrive together: ``LINE_GAP`` seconds lie between any two.
* pydraughts 0.6.7 reads stderr as protocol and waits for ``done`` for ever: stderr is closed, any
  failure still ends in ``done`` with a legal move, and without a position the engine leaves.
* pydraughts splits tokens at every ``=``: no flags, no ``=`` inside values (``write_line``).
* py-draughts gives an engine ten seconds from ``hub`` to ``ready`` and sets no parameter: tables
  come from the environment, and a cold kernel is compiled behind ``ready``.

One thread reads lines into a queue; while a search runs, its stop callback looks for ``stop``,
``ping``, ``ponder-hit`` and ``quit`` there, the only commands that are allowed then.
"""

from __future__ import annotations

import collections
import contextlib
import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TextIO

from crownbase._version import __version__
from crownbase.board import Move, Position
from crownbase.errors import CrownbaseError
from crownbase.jit import INTERPRETED
from crownbase.play.hub_options import Options
from crownbase.play.hub_text import LONGEST_LINE, lines_of, split_command, write_line
from crownbase.play.hub_time import DEFAULT_SECONDS, HubLevel
from crownbase.play.player import Player
from crownbase.search import Limits, Loader, SearchResult

if TYPE_CHECKING:
    from crownbase.probe import Tablebase

LINE_GAP = 0.012
"""Seconds between two lines of output."""
MOST_LINES = 1000
"""Lines that wait to be read, and those that wait for the end of a search, at most."""
LINES_AT_ONCE = 16
"""Lines that are heard between two looks of a search at its clock."""
LONGEST_FAULT = 400
"""Characters of the longest error message."""
INFO_GAP = 0.2
"""Seconds between two reports of a search; the last result is always reported."""
READY_WITHIN = 6.0
"""Seconds that ``init`` waits for the kernel at most."""


class _Writer:
    """Writes lines, never two of them within ``LINE_GAP``; any thread may."""

    def __init__(self, stream: TextIO, gap: float) -> None:
        self._stream = stream
        self._gap = gap
        self._last = -gap
        self._lock = threading.Lock()

    def write(self, command: str, **arguments: object) -> None:
        """Write one line; ``_`` in an argument's name stands for ``-``."""
        named = {name.replace("_", "-"): value for name, value in arguments.items()}
        with self._lock:
            wait = self._last + self._gap - time.monotonic()
            if wait > 0:
                time.sleep(wait)
            self._stream.write(write_line(command, named) + "\n")
            self._stream.flush()
            self._last = time.monotonic()


class HubEngine:
    """The engine's side of one conversation."""

    def __init__(
        self,
        lines: Iterable[str],
        output: TextIO,
        options: Options | None = None,
        open_tables: Callable[[Options], Tablebase | None] | None = None,
        gap: float = LINE_GAP,
        compiled: bool = True,
    ) -> None:
        """*open_tables* opens the tables that the options ask for; None = play without tables.

        *gap*: seconds between two lines. *compiled*: False never loads the compiled kernel.
        """
        self.options = options or Options()
        self._open_tables = open_tables
        self._out = _Writer(output, gap)
        self._queue: queue.Queue[str | None] = queue.Queue(MOST_LINES)
        self._kept: collections.deque[str] = collections.deque()  # came too early, during a search
        self._reader = threading.Thread(target=self._read, args=(lines,), daemon=True)
        self._level = HubLevel(seconds=DEFAULT_SECONDS)
        self._position: Position | None = None
        self._history: list[Position] = []
        self._player: Player | None = None
        self._tables: Tablebase | None = None
        self._loader: Loader | None = None
        self._compiled = compiled and not INTERPRETED
        self._quit = False

    def run(self) -> None:
        """Answer commands until ``quit`` or the end of input."""
        self._reader.start()
        while not self._quit:
            line = self._kept.popleft() if self._kept else self._queue.get()
            if line is None:
                return
            if len(line) > LONGEST_LINE:
                self._fault(f"a line has at most {LONGEST_LINE} characters")
                continue
            command, arguments = split_command(line)
            handler = _COMMANDS.get(command)
            if handler is None:
                continue
            try:
                handler(self, arguments)
            except Exception as error:  # no line of a client may end the engine
                self._fault(error)

    def _fault(self, fault: Exception | str) -> None:
        """Tell the client in a line what is wrong."""
        words = str(fault)
        if isinstance(fault, Exception) and not isinstance(fault, CrownbaseError):
            words = f"{type(fault).__name__}: {words}"
        cut = words if len(words) <= LONGEST_FAULT else words[: LONGEST_FAULT - 3] + "..."
        self._out.write("error", message=" ".join(cut.split()))

    def _read(self, lines: Iterable[str]) -> None:
        try:
            for line in lines:
                self._queue.put(line)
        except (OSError, ValueError):
            pass  # the pipe is gone; the same as its end
        self._queue.put(None)

    # -- commands --------------------------------------------------------------------------------

    def _hub(self, arguments: dict[str, str]) -> None:
        self._out.write(
            "id", name="crownbase", version=__version__, author="The crownbase authors", country="-"
        )
        for parameter in self.options.described():
            self._out.write("param", **parameter)
        self._out.write("wait")

    def _set_param(self, arguments: dict[str, str]) -> None:
        self.options.set(arguments.get("name", ""), arguments.get("value", ""))
        if self._tables is not None:
            self._tables.close()  # its loader ends, too
        self._position, self._player, self._tables = None, None, None
        if self._loader is not None:
            self._start_loading()

    def _init(self, arguments: dict[str, str]) -> None:
        self._start_loading().join(READY_WITHIN)
        self._out.write("ready")

    def _new_game(self, arguments: dict[str, str]) -> None:
        if self._player is not None:
            self._player.new_game()

    def _pos(self, arguments: dict[str, str]) -> None:
        self._position, self._history = None, []
        text = "start" if "start" in arguments else arguments.get("pos", "")
        dialect = self.options.dialect
        position = dialect.read_position(text)
        history = []
        for word in arguments.get("moves", "").split():
            history.append(position)
            position = position.play(dialect.read_move(position, word))
        self._position, self._history = position, history

    def _set_level(self, arguments: dict[str, str]) -> None:
        self._level = HubLevel.read(arguments)

    def _ping(self, arguments: dict[str, str]) -> None:
        self._out.write("pong")

    def _leave(self, arguments: dict[str, str]) -> None:
        self._quit = True

    def _go(self, arguments: dict[str, str]) -> None:
        position = self._position
        if position is None or position.value_at_once is not None:
            problem = "no position to search"
            if position is not None:
                problem = "one piece each is a draw" if position.legal_moves() else "no legal move"
            self._out.write("error", message=problem)
            self._quit = True  # a client that waits for `done` would wait for ever
            return
        pondering = "ponder" in arguments
        talk = _Talk(self, self._level, pondering, endless=pondering or "analyze" in arguments)
        move, line = self._think(position, talk)
        talk.wait_while_pondering()
        if self._quit:
            return
        answer = {"move": self.options.dialect.write_move(move)}
        reply = self._reply(position, move, line)
        if reply:
            answer["ponder"] = reply
        self._out.write("done", **answer)

    # -- thinking --------------------------------------------------------------------------------

    def _think(self, position: Position, talk: _Talk) -> tuple[Move, Sequence[Move]]:
        """The move and the line that it begins, whatever goes wrong on the way."""
        for _ in range(2):
            try:
                choice = self._ready_player().choose(
                    position, self._history, talk.limits(), talk.heard
                )
            except Exception as error:
                # A table that cannot be read: said, and once more without any.
                self._fault(error)
                self._player, self._tables = None, None
            else:
                talk.report(choice.result)
                return choice.move, choice.result.pv
        return position.legal_moves()[0], ()

    def _ready_player(self) -> Player:
        if self._player is not None:
            return self._player
        compiled = (self._loader or self._start_loading()).kernel_ready
        player = Player(
            self.options.rules,
            self._tables,
            level=self.options.level,
            memory=self.options.hash_bytes if compiled else 1 << 20,
            compiled=compiled,
            load_tables=False,
        )
        if compiled:  # until then, plain Python plays
            self._player = player
        return player

    def _start_loading(self) -> Loader:
        """Load the kernel and the tables of the options in the background."""
        self._tables = self._opened_tables()
        self._loader = Loader(
            self.options.rules,
            self._tables,
            table_memory=self.options.table_bytes,
            compiled=self._compiled,
            on_trouble=lambda error: self._out.write("error", message=error),
        )
        return self._loader.start()

    def _opened_tables(self) -> Tablebase | None:
        try:
            return self._open_tables(self.options) if self._open_tables else None
        except Exception as error:
            self._fault(error)
            return None

    def _reply(self, position: Position, move: Move, line: Sequence[Move]) -> str:
        """The move that we expect next, if the line has a legal one."""
        if len(line) < 2 or line[0] != move or line[1] not in position.play(move).legal_moves():
            return ""
        return self.options.dialect.write_move(line[1])


class _Talk:
    """What is said while a search runs: ``info`` lines out, ``stop`` and the like in."""

    def __init__(self, engine: HubEngine, level: HubLevel, pondering: bool, endless: bool) -> None:
        self._engine = engine
        self._level = level
        self._pondering = pondering
        self._endless = endless
        self._stopped = False
        self._flooded = False
        self._clock = self._reported = time.monotonic()

    def limits(self) -> Limits:
        """The limits for the search; time is watched here, since pondering does not count."""
        level = self._level
        if self._endless:
            return Limits(stop=self.must_stop)
        return Limits(depth=level.depth, nodes=level.nodes, stop=self.must_stop)

    def must_stop(self) -> bool:
        """Hear what the client says; True ends the search."""
        self._hear_all()
        spent = time.monotonic() - self._clock
        seconds = self._level.seconds
        if seconds is not None and not self._endless and spent >= seconds:
            return True
        return self._stopped

    def wait_while_pondering(self) -> None:
        """A search that ended early waits for ``ponder-hit`` or ``stop``."""
        while self._endless and not self._stopped:
            self._hear(self._engine._queue.get())

    def heard(self, result: SearchResult) -> None:
        """Report an iteration, unless one was reported just now."""
        if time.monotonic() - self._reported >= INFO_GAP:
            self.report(result)

    def report(self, result: SearchResult) -> None:
        """Write an ``info`` line."""
        self._reported = time.monotonic()
        dialect = self._engine.options.dialect
        seconds = max(result.seconds, 1e-6)
        self._engine._out.write(
            "info",
            depth=result.depth,
            mean_depth=f"{float(result.depth):.1f}",
            score=f"{round(result.score, 2) + 0.0:.2f}",
            nodes=result.nodes,
            time=f"{result.seconds:.3f}",
            nps=f"{result.nodes / seconds / 1e6:.3f}",
            pv=" ".join(dialect.write_move(move) for move in result.pv),
        )

    def _hear_all(self) -> None:
        with contextlib.suppress(queue.Empty):
            for _ in range(LINES_AT_ONCE):
                self._hear(self._engine._queue.get_nowait())

    def _hear(self, line: str | None) -> None:
        command = "quit" if line is None else split_command(line)[0]
        if command == "ping":
            self._engine._out.write("pong")
        elif command == "ponder-hit" and self._pondering:
            self._pondering = self._endless = False
            self._clock = time.monotonic()
        elif command in ("stop", "quit"):
            self._stopped = True
            self._engine._quit |= command == "quit"
        elif line is not None and len(self._engine._kept) < MOST_LINES:
            self._engine._kept.append(line)
        elif not self._flooded:
            self._flooded = True
            self._engine._fault("too many commands during a search; the rest is not heard")


_COMMANDS: dict[str, Callable[[HubEngine, dict[str, str]], None]] = {
    "hub": HubEngine._hub,
    "set-param": HubEngine._set_param,
    "init": HubEngine._init,
    "new-game": HubEngine._new_game,
    "pos": HubEngine._pos,
    "level": HubEngine._set_level,
    "go": HubEngine._go,
    "ping": HubEngine._ping,
    "quit": HubEngine._leave,
}


def run_hub(open_tables: Callable[[Options], Tablebase | None]) -> None:
    """Talk Hub on stdin and stdout until the client leaves. Nothing is written to stderr."""
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, sys.stderr.fileno())
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    HubEngine(lines_of(sys.stdin), sys.stdout, open_tables=open_tables).run()
    sys.stdout.flush()
    os._exit(0)  # a search or a compilation in the background must not keep the client waiting
