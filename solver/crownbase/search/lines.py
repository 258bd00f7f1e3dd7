"""Lines that show a proof: every position on them is proven, by the workers' cache or anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from crownbase.board import Move, Position
from crownbase.search.judge import judge_deeper, set_question
from crownbase.search.work import NODES, STOP, Work
from crownbase.search.worker import kernel_boards

_MAX_LINE = 200
_DEPTH, _VISITS = 12, 50_000
"""How hard a position of a line is searched if the cache has forgotten it."""
_ALL_VISITS = 1_000_000
"""Positions visited for all lines; a third of a second. Then a line ends."""

Choice = Callable[[Position], Move | None]


class Lines:
    """Walks through proven positions. *look_up*: the tables' value of a position, or None."""

    def __init__(self, traits: Any, work: Work, look_up: Callable[[Position], int | None]) -> None:
        self._traits = traits
        self._work = work
        self._look_up = look_up
        self._left = _ALL_VISITS

    def answer(self, position: Position, holder: int) -> int:
        """1 / -1 / 0 = open, for the side to move: does it hold (*holder* 1), does it win (0)?"""
        known = self._look_up(position)
        if known is None:
            known = position.value_at_once
        if known is not None:
            return (1 if known >= 0 else -1) if holder else (1 if known > 0 else -1)
        if self._left <= 0:
            return 0
        data = self._work.data
        data[STOP] = 0
        before = int(data[NODES])
        set_question(self._work, *kernel_boards(position))
        limits = (np.int64(_DEPTH), np.int64(_VISITS), np.int64(holder))
        found = int(judge_deeper(self._traits, self._work, *limits))
        self._left -= int(data[NODES]) - before
        return found

    def of_win(self, root: Position, attacker_moves: bool) -> tuple[Move, ...]:
        """A line of a win by force, up to a table, the end of the game or what is forgotten."""
        here, holder = root, 0 if attacker_moves else 1
        line: list[Move] = []
        seen = {root}
        while len(line) < _MAX_LINE and self._look_up(here) is None:
            proven = []
            for move in here.legal_moves():
                child = here.play(move)
                if child not in seen and self.answer(child, 1 - holder) == (1 if holder else -1):
                    proven.append((self._is_known(child), move, child))
            if not proven:
                break
            # The winner ends it as soon as it can, the loser as late.
            known, move, here = (min if holder else max)(proven, key=lambda entry: entry[0])
            line.append(move)
            seen.add(here)
            holder = 1 - holder
        return tuple(line)

    def of_draw(self, root: Position, choices: tuple[Choice, Choice]) -> tuple[Move, ...]:
        """A line in which both sides hold; *choices*: how the side to move and the other do."""
        here = root
        line: list[Move] = []
        seen: set[Position] = set()
        while here not in seen and len(line) < _MAX_LINE and self._look_up(here) is None:
            seen.add(here)
            move = choices[len(line) % 2](here) or self._holding_move(here)
            if move is None:
                break
            line.append(move)
            here = here.play(move)
        return tuple(line)

    def _holding_move(self, position: Position) -> Move | None:
        for move in position.legal_moves():
            if self.answer(position.play(move), 0) == -1:
                return move
        return None

    def _is_known(self, position: Position) -> bool:
        return self._look_up(position) is not None or position.value_at_once is not None
