"""What building by rows takes: bytes of planes, work space and packed values."""

from __future__ import annotations

from collections.abc import Iterable
from math import comb

from crownbase.build.plan import PROCESS_BYTES, Plan
from crownbase.index import Material
from crownbase.retro.rows.context import plane_words
from crownbase.retro.rows.storage import group_stride

LIST_BYTES = 40
"""Bytes of a placement of men while the groups of a pair are listed and ordered."""

WORK_PLANES = 8
"""Planes of one group that a thread works on."""

QUAD_BYTES = 0.4
"""Bytes per position of a side that is written: packed values, and the compressed blocks."""


class RowMemory:
    """Bytes that parts of a plan take with so many threads."""

    def __init__(self, plan: Plan, threads: int) -> None:
        self._rules = plan.rules
        self._threads = threads
        self._needs = {pair.material: pair.needs for pair in plan.pairs}

    def planes(self, material: Material) -> int:
        """Both planes of a pair, both sides to move."""
        total = 0
        for side in material.pair:
            a, k, c, b = side.counts
            stride = group_stride(k, b)
            total += 2 * (self._groups(side) * stride if stride else -(-self._groups(side) // 8))
        return total

    def all_planes(self, materials: Iterable[Material]) -> int:
        """The planes of several pairs."""
        return sum(map(self.planes, materials))

    def beside(self, material: Material) -> int:
        """Memory that solving and writing a pair takes besides planes."""
        _, k, _, b = material.counts
        work = 8 * WORK_PLANES * max(plane_words(k, b), plane_words(b, k)) * self._threads
        listed = LIST_BYTES * self._groups(material)
        largest = max(side.positions(self._rules) for side in material.pair)
        return work + listed + int(QUAD_BYTES * largest)

    def in_memory(self, materials: Iterable[Material]) -> int:
        """What the build of these pairs uses if it may."""
        materials = list(materials)
        beside = max(map(self.beside, materials), default=0)
        return PROCESS_BYTES + self.all_planes(materials) + beside

    def least(self, material: Material) -> int:
        """What it uses for one pair if all else is in a scratch file."""
        planes = self.all_planes((material, *self._needs[material]))
        return PROCESS_BYTES + planes + self.beside(material)

    def _groups(self, side: Material) -> int:
        free = self._rules.board.n_squares - side.men
        placements = comb(free, side.opponent_kings)
        placements *= comb(free - side.opponent_kings, side.own_kings)
        return side.positions(self._rules) // placements
