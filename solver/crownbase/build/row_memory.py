"""What building by rows takes: bytes of planes, work space and packed values."""

from __future__ import annotations

from collections.abc import Iterable
from math import comb

from crownbase.build.plan import Plan
from crownbase.index import Material
from crownbase.retro.rows.context import plane_words
from crownbase.retro.rows.storage import group_stride
from crownbase.retro.rows.tables import Board

ROW_PROCESS_BYTES = 450 << 20
"""The interpreter, Numba, the compiled kernels, tables for five kings, and freed memory that the
allocator keeps: measured with 6 pieces."""

LIST_BYTES = 40
"""Bytes of a placement of men while the groups of a pair are listed and ordered to be solved."""

READ_LIST_BYTES = 12
"""The same while a pair is read in the order of its file."""

WORK_PLANES = 8
"""Planes of one group that a thread works on."""

QUAD_BYTES = 0.35
"""Bytes per position of a pair's larger side while it is written: packed values, and compressed
blocks."""


class RowMemory:
    """Bytes that parts of a plan take with so many threads."""

    def __init__(self, plan: Plan, threads: int) -> None:
        self._rules = plan.rules
        self._board = Board.of(plan.rules.board)
        self._threads = threads
        self._needs = {pair.material: pair.needs for pair in plan.pairs}

    def planes(self, material: Material) -> int:
        """Both planes of a pair, both sides to move."""
        total = 0
        for side in material.pair:
            a, k, c, b = side.counts
            stride = group_stride(k, b, self._board)
            total += 2 * (self._groups(side) * stride if stride else -(-self._groups(side) // 8))
        return total

    def all_planes(self, materials: Iterable[Material]) -> int:
        """The planes of several pairs."""
        return sum(map(self.planes, materials))

    def solving(self, material: Material) -> int:
        """Memory that solving a pair takes besides planes."""
        _, k, _, b = material.counts
        words = max(plane_words(*kings, self._board) for kings in ((k, b), (b, k)))
        return 8 * WORK_PLANES * words * self._threads + LIST_BYTES * self._groups(material)

    def writing(self, material: Material) -> int:
        """Memory that writing a pair takes besides planes."""
        listed = READ_LIST_BYTES * self._groups(material)
        return listed + int(QUAD_BYTES * max(side.positions(self._rules) for side in material.pair))

    def in_memory(self, materials: Iterable[Material]) -> int:
        """What the build of these pairs uses if it may."""
        materials = list(materials)
        solving = max(map(self.solving, materials), default=0)
        writing = max(map(self.writing, materials), default=0)
        return ROW_PROCESS_BYTES + self.all_planes(materials) + solving + 2 * writing

    def at_work(self, material: Material, written: Iterable[Material]) -> int:
        """What it uses while one pair is solved and others are written, the rest in a file."""
        written = list(written)
        planes = self.all_planes({material, *self._needs[material], *written})
        return ROW_PROCESS_BYTES + planes + self.solving(material) + sum(map(self.writing, written))

    def least(self, material: Material) -> int:
        """What it uses for one pair if all else is in a scratch file."""
        written = ROW_PROCESS_BYTES + self.planes(material) + self.writing(material)
        return max(self.at_work(material, ()), written)

    def _groups(self, side: Material) -> int:
        free = self._rules.board.n_squares - side.men
        placements = comb(free, side.opponent_kings)
        placements *= comb(free - side.opponent_kings, side.own_kings)
        return side.positions(self._rules) // placements
