"""Solve what play from a position can reach, and nothing else, and keep what is solved.

Men only move forward, so most groups of men can never come up after a given position. Those that
can, with all their kings, are solved from the fewest pieces up, however many calls that takes; a
position is solved when its group is. What was solved for one position counts for the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from crownbase.board.bits import popcount, signed
from crownbase.retro.rows import reach_kernels as kernels
from crownbase.retro.rows.context import Context, StaticTables
from crownbase.retro.rows.reach_kernels import NOT_SOLVED, MenSets
from crownbase.retro.rows.records import ContextWords
from crownbase.retro.rows.rowops import turn
from crownbase.retro.rows.schedule import mirror
from crownbase.retro.rows.scratch import PAGE, SparseWords
from crownbase.retro.rows.storage import COUNT_BASE, Counts, Planes, group_stride, slice_number
from crownbase.retro.rows.tables import DIRECTIONS, OFF_BOARD, Array, Board, neighbours
from crownbase.retro.rows.traits import RowTraits, can_solve
from crownbase.rules import Rules, find_rules

MOST_PIECES = 8
SIDE_PIECES = 5
"""Positions with more pieces, or more of one side, are beyond this solver."""
_CHUNK = 4_000_000
"""Positions solved between two looks at the clock, but at least one group."""

_ROOM = 8
"""One part in so many of the memory is free for a new position."""
_WITH_WORK = 3
"""A group takes so many times its block while it is solved."""
_SAMPLE = 100
"""Placements of each side's men that are looked at to count groups."""


def can_reach(rules: Rules, boards: Sequence[int]) -> bool:
    """Whether `ReachSolver` can work on a position of a rule set; *boards*: mover's frame."""
    sides = popcount(boards[0] | boards[1]), popcount(boards[2] | boards[3])
    return (
        can_solve(rules)
        and Board.of(rules.board).packed
        and sum(sides) <= MOST_PIECES
        and max(sides) <= SIDE_PIECES
    )


@dataclass(frozen=True)
class _Stage:
    """A slice and the men's placements in it that can be reached; one group's positions."""

    counts: Counts
    own: MenSets
    opp: MenSets
    group: int
    block: int

    @property
    def levels(self) -> int:
        """Numbers of rows that all men together can have advanced."""
        return len(self.own.first) + len(self.opp.first) - 3


class ReachSolver:
    """Solves the groups that play from a position can reach, the last aimed at.

    Attributes:
        memory: bytes of values that are kept; when they are full, the largest groups are given up
            for the next position.
        bytes: how many are in use, by number of pieces.
        solved: positions solved since `aim`, both sides to move.
        pieces: pieces of the largest groups that are solved, 0 = none.
        stop_word: an array and a place in it; what is not 0 there, written by any thread, ends
            `work_on` within a row of the group at work, which counts as not begun.

    Raises:
        ValueError: the row-parallel solver does not know the rule set.
        OSError: the system gives no sparse memory.
    """

    def __init__(self, rules: str | Rules, memory: int) -> None:
        rules = find_rules(rules)
        self.rules = rules
        self.memory = memory
        self.traits = RowTraits.of(rules)
        self.board = Board.of(rules.board)
        sides = [(n - k, k) for n in range(1, SIDE_PIECES + 1) for k in range(n + 1)]
        slices = [
            (*own, *opp) for own in sides for opp in sides if sum(own) + sum(opp) <= MOST_PIECES
        ]
        slices.sort(key=sum)
        self._planes = Planes(slices, None, self.board, sparse=True)
        self._flag_base = np.full(COUNT_BASE**4, -1, np.int64)
        flags = 0
        self._first_flag: dict[int, int] = {}
        for counts in slices:
            self._first_flag.setdefault(sum(counts), flags)
            self._flag_base[slice_number(counts)] = flags
            flags += -(-self._planes.groups[counts[0], counts[2]] // PAGE) * PAGE
        self._flags = SparseWords(flags // 8 + 1)
        self._static = StaticTables(SIDE_PIECES, rules.board, rules.flying_kings)
        self._context = self.new_context()
        self.bytes = [0] * (MOST_PIECES + 1)
        self.solved = self.pieces = 0
        self._stages: list[_Stage] = []
        self._todo: list[int] = []
        self._stage = self._level = 0
        self._cursor = np.zeros(kernels.CURSOR, np.int64)
        self.stop_word: tuple[Array, int] = (self._context.entries, ContextWords.stopped)

    def new_context(self) -> Context:
        """What `solved_value` reads in kernels of one thread."""
        context = Context(self._static, self._planes, self.traits.general)
        context.entries[ContextWords.solved] = self._flags.words.ctypes.data
        context.entries[ContextWords.solved_base] = self._flag_base.ctypes.data
        return context

    def warm_up(self) -> None:
        """Load or compile the kernels."""
        none = MenSets(np.zeros(0, np.int64), np.zeros(1, np.int64))
        self._run(_Stage((0, 1, 0, 1), none, none, 0, 0), 0)
        self._cursor[:] = 0
        self.value((0, 1, 0, 2))

    def aim(self, boards: Sequence[int]) -> None:
        """Work from now on for a position; *boards*: own men, own kings, opposing ones."""
        self.solved = 0
        self._stage = self._level = 0
        self._cursor[:] = 0
        own, opp = (_men_sets(men, self.rules, up) for men, up in ((boards[0], 1), (boards[2], 0)))
        kings = popcount(boards[1]), popcount(boards[3])
        stages = []
        for a, placed in enumerate(own):
            for c, others in enumerate(opp):
                for k in range(kings[0] + len(own) - 1 - a + 1):
                    for b in range(kings[1] + len(opp) - 1 - c + 1):
                        if a + k and c + b:
                            stages.append(self._stage_of((a, k, c, b), placed, others))
        self._stages = sorted(stages, key=lambda s: (sum(s.counts), s.counts[0] + s.counts[2]))
        self._make_room()
        self._todo = [stage.group * self._unsolved(stage) for stage in self._stages]

    def _make_room(self) -> None:
        """Forget groups, the largest first, if little is free or a root that would fit does not.

        Groups are counted for both sides, which may share them, so half of them are expected.
        """
        fits = sum(s.block * len(s.own.men) * len(s.opp.men) for s in self._stages) <= self.memory
        for pieces in range(MOST_PIECES, 1, -1):
            used = sum(self.bytes)
            needed = sum(s.block * self._unsolved(s) for s in self._stages) // 2 if fits else 0
            if max(used + needed, used // (_ROOM - 1) * _ROOM) <= self.memory:
                break
            if self.bytes[pieces]:
                self.clear(pieces)

    def _stage_of(self, counts: Counts, own: MenSets, opp: MenSets) -> _Stage:
        a, k, c, b = counts
        free = self.board.squares - a - c
        block = 2 * (group_stride(k, b, self.board) + group_stride(b, k, self.board))
        return _Stage(counts, own, opp, 2 * comb(free, k) * comb(free - k, b), block)

    def _unsolved(self, stage: _Stage) -> int:
        """Groups of a stage that are still to be solved, roughly."""
        _, k, _, b = stage.counts
        return int(
            kernels.count_unsolved(self._context.address, stage.own, stage.opp, k, b, _SAMPLE)
        )

    @property
    def next_pieces(self) -> int:
        """Pieces of the groups that are solved next, 0 = all are."""
        return 0 if self.is_done else sum(self._stages[self._stage].counts)

    def left(self, pieces: int = MOST_PIECES) -> int:
        """Positions of up to so many pieces that are to be solved yet, at most and roughly."""
        stages = zip(self._stages, self._todo, strict=True)
        return sum(todo for s, todo in list(stages)[self._stage :] if sum(s.counts) <= pieces)

    @property
    def is_done(self) -> bool:
        """Whether all that can be reached is solved."""
        return self._stage >= len(self._stages)

    @property
    def is_full(self) -> bool:
        """Whether the memory is used up: the next group does not fit with its work planes."""
        next_block = 0 if self.is_done else self._stages[self._stage].block
        return sum(self.bytes) + _WITH_WORK * next_block >= self.memory

    def work_on(self, most: int) -> int:
        """Solve about `_CHUNK` positions more; how many. No group of more than *most* is begun."""
        before = self.solved
        chunk = min(most, _CHUNK)
        while (
            self.solved - before < chunk
            and not self.is_done
            and not self.is_full
            and not self.is_stopped
        ):
            stage = self._stages[self._stage]
            if stage.group > most:
                break
            self._context.prepare(*self._kings(stage.counts))
            self._cursor[kernels.POSITIONS] = self._cursor[kernels.GROUPS] = 0
            finished = self._run(stage, chunk - (self.solved - before))
            self.solved += int(self._cursor[kernels.POSITIONS])
            pieces = sum(stage.counts)
            self.bytes[pieces] += int(self._cursor[kernels.GROUPS]) * stage.block
            if self._cursor[kernels.GROUPS]:
                self.pieces = max(self.pieces, pieces)
            self._forget_given_up(stage)
            if finished:
                self._cursor[:] = 0
                self._level += 1
                if self._level >= stage.levels:
                    self._stage, self._level = self._stage + 1, 0
        return self.solved - before

    @property
    def is_stopped(self) -> bool:
        """Whether the stop word is set."""
        array, place = self.stop_word
        return bool(array[place])

    def _forget_given_up(self, stage: _Stage) -> None:
        """Give back the memory of a group that was not solved to its end."""
        if not self._cursor[kernels.GIVEN_UP]:
            return
        self._cursor[kernels.GIVEN_UP] = 0
        _, k, _, b = stage.counts
        if k and b:
            ctx = self._context.address
            om, pm = int(self._cursor[kernels.OWN_MEN]), int(self._cursor[kernels.OPP_MEN])
            self._planes.release_group(ctx, om, pm, k, b)
            self._planes.release_group(ctx, turn.plain(ctx, pm), turn.plain(ctx, om), b, k)

    def _kings(self, counts: Counts) -> tuple[int, int]:
        _, k, _, b = counts
        return (k, b) if k and b else (0, k + b)

    def _run(self, stage: _Stage, most: int) -> bool:
        sides = self._context.side_addresses
        _, k, _, b = stage.counts
        # Every man move leads to a level of men further on.
        level = stage.levels - 1 - self._level
        return bool(
            kernels.solve_level(
                self._context.address,
                self.traits,
                *sides,
                stage.own,
                stage.opp,
                k,
                b,
                int(stage.counts == mirror(stage.counts)),
                level,
                most,
                self._cursor,
            )
        )

    def value(self, boards: Sequence[int]) -> int | None:
        """WDL of a position with at most `MOST_PIECES`, None if its group is not solved."""
        value = int(
            kernels.solved_value(self._context.address, *(np.int64(signed(x)) for x in boards))
        )
        return None if value == NOT_SOLVED else value

    def clear(self, least: int = 0) -> None:
        """Forget the values of all groups with at least so many pieces."""
        least = max(least, 2)
        self._planes.clear_sparse(least)
        self._flags.clear(self._first_flag[least] // 8)
        for pieces in range(least, MOST_PIECES + 1):
            self.bytes[pieces] = 0
        self.pieces = max((n for n, size in enumerate(self.bytes) if size), default=0)


def _men_sets(men: int, rules: Rules, up: int) -> list[MenSets]:
    """For 0, 1, .. men: the placements that moves and captures can lead to; *up*: own men."""
    board = Board.of(rules.board)
    found = [np.zeros(1, np.int64)]
    for s in range(board.squares):
        if not men >> s & 1:
            continue
        squares = [np.int64(1 << t) for t in _squares_ahead(s, rules, up)]
        more = [np.zeros(0, np.int64), *found]
        found.append(np.zeros(0, np.int64))
        for n, fewer in enumerate(more):
            placed = [(fewer | t)[(fewer & t) == 0] for t in squares]
            found[n] = np.unique(np.concatenate([found[n], *placed]))
    return [_by_rows(sets, board, up) for sets in found]


def _squares_ahead(start: int, rules: Rules, up: int) -> list[int]:
    """Squares on which a man that stands on *start* may stand later, as a man."""
    near, far = neighbours(rules.board)
    board = Board.of(rules.board)
    directions = (0, 1) if up else (2, 3)
    back = [d for d in range(DIRECTIONS) if d not in directions]
    met, todo = {start}, [start]
    while todo:
        s = todo.pop()
        targets = [near[s * DIRECTIONS + d] for d in directions]
        targets += [far[s * DIRECTIONS + d] for d in directions]
        if rules.traits.man_captures == DIRECTIONS:
            targets += [far[s * DIRECTIONS + d] for d in back]
        for t in map(int, targets):
            if t != OFF_BOARD and t not in met:
                met.add(t)
                todo.append(t)
    rows = board.rows - 1
    return sorted(t for t in met if t // board.width != (0 if up else rows))


def _by_rows(sets: Array, board: Board, up: int) -> MenSets:
    """Placements in the order of the rows that the men have advanced."""
    rows: Array = np.zeros(len(sets), np.int64)
    for s in range(board.squares):
        row = s // board.width
        rows += ((sets >> s) & 1) * (board.rows - 1 - row if up else row)
    order = np.argsort(rows, kind="stable")
    most = int(rows.max()) if len(rows) else 0
    return MenSets(sets[order], np.searchsorted(rows[order], np.arange(most + 2)).astype(np.int64))
