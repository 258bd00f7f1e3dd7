"""A small Hub client for the scripts: drives an engine, one move at a time."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

from crownbase.board import Move
from crownbase.play.game import Game
from crownbase.play.hub_text import Dialect, split_command
from crownbase.rules import Rules


class HubClient:
    """An engine process. *command*: program and arguments; *seconds*: time for a move."""

    def __init__(self, command: Sequence[str], rules: Rules, seconds: float) -> None:
        self._dialect = Dialect(rules)
        self._seconds = seconds
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            bufsize=1,
        )
        self._send("hub")
        parameters = self._wait_for("wait")
        if rules.board.n_squares != 50 and any("name=variant" in line for line in parameters):
            self._send(f"set-param name=variant value={rules.key}")
        self._send("init")
        self._wait_for("ready")

    def choose(self, game: Game) -> Move:
        """The engine's move in a game."""
        line = f"pos pos={self._dialect.write_position(game.start)}"
        if game.moves:
            moves = " ".join(map(self._dialect.write_move, game.moves))
            line += f' moves="{moves}"'
        self._send(line)
        self._send(f"level move-time={self._seconds}")
        self._send("go think")
        answer = self._wait_for("done")[-1]
        return self._dialect.read_move(game.position, split_command(answer)[1]["move"])

    def close(self) -> None:
        """Let the engine go."""
        self._send("quit")
        self._process.wait(5)

    def _send(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")

    def _wait_for(self, word: str) -> list[str]:
        """All lines up to the first that starts with *word*."""
        assert self._process.stdout is not None
        lines = []
        for line in self._process.stdout:
            lines.append(line.rstrip("\n"))
            if lines[-1].split(" ")[0] == word:
                return lines
        raise EOFError(f"the engine left without {word!r}")
