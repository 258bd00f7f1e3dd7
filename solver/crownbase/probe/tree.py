"""One position resolved: the stored positions that decide its value, and the value from theirs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from crownbase.board.bits import signed
from crownbase.board.generator import Boards
from crownbase.board.moves import FIELDS, MAX_MOVES
from crownbase.errors import TooManyPiecesError
from crownbase.jit import INTERPRETED
from crownbase.probe import kernels
from crownbase.probe.kernels import CODE, INDEX, NO_ROOM, NODE_WORDS, PARENT, SLICE
from crownbase.rules import Rules

METRIC_CODES = {"wdl": kernels.WDL, "dtc": kernels.DTC, "dtw": kernels.DTW}
_START_ROOM = 128
_PLAIN_ROOM = 1 << 13  # beyond, compiling is quicker than going on in plain Python
_MAX_ROOM = 1 << 20


class Leaf(NamedTuple):
    """A stored position that a value depends on."""

    node: int
    slice_number: int
    place: int  # index within the slice


class _Workspace(threading.local):
    """Room for one tree and its moves for each thread, as lists and as arrays."""

    def __init__(self) -> None:
        moves, room = MAX_MOVES * FIELDS, _START_ROOM * NODE_WORDS
        self.lists: list[Any] = [[0] * room, [0] * moves, [0, 0, 0]]
        self.arrays: list[Any] = [np.zeros(size, np.int64) for size in (room, moves, 3)]


_workspace = _Workspace()


class Tree:
    """The nodes of one resolved position; see ``kernels`` for their layout."""

    __slots__ = ("_nodes", "count")

    def __init__(self, nodes: list[int], count: int) -> None:
        self._nodes = nodes
        self.count = count

    @property
    def forced(self) -> bool:
        """Whether the side to move must capture."""
        return self._nodes[SLICE] == kernels.CAPTURE

    def leaves(self) -> Iterator[Leaf]:
        """The stored positions, in order of distance."""
        nodes = self._nodes
        for node in range(self.count):
            number = nodes[node * NODE_WORDS + SLICE]
            if number >= 0:
                yield Leaf(node, number, nodes[node * NODE_WORDS + INDEX])

    def captures_before(self, node: int) -> int:
        """How many captures lead to a node."""
        count = 0
        while self._nodes[node * NODE_WORDS + PARENT] >= 0:
            node = self._nodes[node * NODE_WORDS + PARENT]
            count += 1
        return count

    def value(self, metric: str, read: Callable[[Leaf], int]) -> int:
        """The value code of the position, from those that *read* finds for the leaves."""
        nodes = self._nodes
        if self.count == 1:
            if nodes[SLICE] < 0:
                return nodes[CODE]
            return read(Leaf(0, nodes[SLICE], nodes[INDEX]))
        for leaf in self.leaves():
            nodes[leaf.node * NODE_WORDS + CODE] = read(leaf)
        kernels.fold.plain(nodes, self.count, METRIC_CODES[metric])
        return nodes[CODE]


def grow(rules: Rules, boards: Boards) -> Tree:
    """Resolve one position, given in its mover's frame.

    Raises:
        TooManyPiecesError: so many pieces that their captures cannot all be followed.
    """
    compiled = kernels.expand.worth_compiling()
    space = _workspace.arrays if compiled else _workspace.lists
    while True:
        nodes, buffer, state = space
        if compiled:
            nodes[:PARENT] = [signed(board) for board in boards]
            nodes[PARENT] = -1
            count = kernels.expand(rules.traits, nodes, 1, buffer, state)
        else:
            nodes[:PARENT] = boards
            nodes[PARENT] = -1
            count = kernels.expand.plain(rules.traits.plain, nodes, 1, buffer, state)
        if count > 0:
            kept = nodes[: count * NODE_WORDS]
            return Tree(kept.tolist() if compiled else kept, count)
        if count != NO_ROOM or len(nodes) > _MAX_ROOM * NODE_WORDS:
            pieces = sum(board.bit_count() for board in boards)
            raise TooManyPiecesError(
                f"too many captures to follow in a position of {pieces} pieces"
            )
        grown = 4 * len(nodes)
        if not compiled and not INTERPRETED and grown > _PLAIN_ROOM * NODE_WORDS:
            compiled, space = True, _workspace.arrays
            continue
        space[0] = np.zeros(grown, np.int64) if compiled else [0] * grown
