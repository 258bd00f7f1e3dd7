"""Values from the tables: resolve a position, read what decides it, or say what is missing."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from crownbase.board import Position, clocks
from crownbase.board.clocks import ClockCounts
from crownbase.errors import CrownbaseError, MissingTableError, TooManyPiecesError
from crownbase.index import Material, solving_key
from crownbase.index.position import slice_counts, slice_number
from crownbase.jit import COMPILE_AFTER, INTERPRETED
from crownbase.probe import batch, class_clocks, kernels
from crownbase.probe.advice import command_to_make, how_to_make
from crownbase.probe.catalog import Catalog, Slot
from crownbase.probe.result import Result, sign, signed_plies
from crownbase.probe.tree import Leaf, Tree, grow
from crownbase.probe.under_clock import Asked, TableLimits, category_under
from crownbase.rules import Rules
from crownbase.rules.draw import Side
from crownbase.table import METRICS, BlockCache


class Lookup:
    """Reads value codes (``retro.values``) of any position of one rule set.

    The metric ``wdl`` has the codes -1, 0, 1 here and is read from any file that is there, since
    every metric tells who wins.
    """

    def __init__(self, rules: Rules, catalog: Catalog, cache: BlockCache) -> None:
        self.rules = rules
        self.catalog = catalog
        self.cache = cache

    def tree(self, position: Position) -> Tree:
        """The position with its captures resolved."""
        return grow(self.rules, position.boards)

    def code(self, metric: str, position: Position, tree: Tree | None = None) -> int:
        """The value code of a position.

        Raises:
            MissingTableError, TooManyPiecesError: a table is not here.
        """
        found = self.tree(position) if tree is None else tree

        def read(leaf: Leaf) -> int:
            slot = self._slot(metric, leaf.slice_number)
            if slot is None:
                raise self._missing_error(position, found, leaf, metric)
            return self._read(metric, slot, leaf.place)

        return found.value(metric, read)

    def code_if_here(self, metric: str, tree: Tree) -> int | None:
        """The value code of a resolved position, None if a table is not here."""
        slots = {}
        for leaf in tree.leaves():
            slot = self._slot(metric, leaf.slice_number)
            if slot is None:
                return None
            slots[leaf.node] = slot
        return tree.value(metric, lambda leaf: self._read(metric, slots[leaf.node], leaf.place))

    def codes(
        self, boards: batch.BoardRows, black: npt.NDArray[np.bool_], metric: str
    ) -> npt.NDArray[np.int16]:
        """Value codes of a batch, int16[n], compiled if that pays; errors as in ``code``."""
        count = len(boards)
        large = count > COMPILE_AFTER and not INTERPRETED
        if not large and not kernels.expand.worth_compiling():
            found = (batch.position_at(self.rules, boards, black, row) for row in range(count))
            return np.array([self.code(metric, position) for position in found], np.int16)

        def read(number: int, places: npt.NDArray[np.int64]) -> npt.NDArray[Any] | None:
            slot = self._slot(metric, number)
            if slot is None:
                return None
            codes = slot.file.table.values(slot.text, places, self.cache)
            return np.sign(codes) if metric == "wdl" else codes

        try:
            return batch.value_codes(self.rules, boards, black, metric, read)
        except batch.MissingSlice as missing:
            position = batch.position_at(self.rules, boards, black, missing.row)
            self.code(metric, position)  # raises the error with all that can be said
            raise CrownbaseError(f"the table of {position.fen()} appeared just now") from None

    def result(
        self, position: Position, tree: Tree, counts: ClockCounts | None = None, played: int = 0
    ) -> Result:
        """Everything the tables know, the draw clock standing at ``position.clock`` plies.

        The draw rules are those of the position's rules, whatever the tables were made for.
        *counts*: those of the class clocks; None = nobody knows the game. *played*: plies of the
        game before this position, which a move limit counts.

        Raises:
            MissingTableError, TooManyPiecesError: who wins, or whether the clock spoils it, is in
                a table that is not here.
        """
        wdl = self.code("wdl", position, tree)
        dtc = self.code_if_here("dtc", tree)
        dtw = self.code_if_here("dtw", tree)
        to_end = None if dtw is None else signed_plies(dtw)
        asked = Asked(position.rules.quiet_limit, position.clock)
        limits: set[int | None] = set()
        for leaf in tree.leaves():
            slot = self._slot("wdl" if dtc is None else "dtc", leaf.slice_number)
            if slot is not None:
                limits.add(slot.file.table.header.quiet_limit)
                matters = dtc is None and wdl != 0 and asked.limit is not None
                if matters and slot.text in slot.file.cursed:
                    raise self._missing_error(position, tree, leaf, "dtc")
        counted = dtc
        if dtc is None and wdl != 0 and tree.forced:  # a capture comes next; none here is cursed
            counted = 1 if wdl > 0 else ~1
        made = TableLimits.of(limits or {asked.limit})
        same = made != TableLimits.of({asked.limit}) and self._has_same_conversions(position)
        category, left_out = category_under(asked, made, wdl, counted, to_end, same)
        result = Result(
            category,
            wdl,
            None if dtc is None else signed_plies(dtc),
            to_end,
            (left_out,) if left_out else (),
        )
        return class_clocks.judge_clocks(result, position, counts, played, self._longest)

    def _has_same_conversions(self, position: Position) -> bool:
        """Whether no win that a conversion leads to is spoilt in its table, or longer than the
        position's draw clock allows (see ``under_clock``)."""
        limit = position.rules.quiet_limit
        sides = clocks.sides(position)
        # Without men, every conversion is a capture, and the same material does not come again.
        own = {sides, sides[::-1]} if sides[0][0] == sides[1][0] == 0 else set()
        for white, black in set(class_clocks.materials_ahead(*sides)) - own:
            slot = self.catalog.slot("dtc", slice_number(*white, *black))
            if slot is None or limit is None:
                return False
            for section in slot.file.table.header.sections:
                stats = section.stats
                if stats.cursed_wins or stats.blessed_losses:
                    return False
                if max(stats.longest_win, stats.longest_loss) > limit:
                    return False
        return True

    def missing(self, tree: Tree) -> list[str]:
        """File names that ``result`` would need and that are not here; see ``Tablebase``."""
        found = {
            (_material(leaf.slice_number).canonical, metric)
            for metric in self.catalog.metrics or ("wdl",)
            for leaf in tree.leaves()
            if self._slot(metric, leaf.slice_number) is None
        }
        ordered = sorted(found, key=lambda key: (solving_key(key[0]), METRICS.index(key[1])))
        return [f"{material}.{metric}" for material, metric in ordered]

    def here(self, tree: Tree) -> list[str]:
        """File names of the tables that are here and that `result` reads of."""
        slots = {
            (metric, leaf.slice_number): self._slot(metric, leaf.slice_number)
            for metric in self.catalog.metrics
            for leaf in tree.leaves()
        }
        return sorted({slot.file.path.name for slot in slots.values() if slot is not None})

    def _longest(self, white: Side, black: Side) -> int | None:
        """The plies of the longest win or loss with a material, None without its DTW table."""
        slot = self.catalog.slot("dtw", slice_number(*white, *black))
        if slot is None:
            return None
        stats = [section.stats for section in slot.file.table.header.sections]
        return max(max(one.longest_win, one.longest_loss) for one in stats)

    def _slot(self, metric: str, number: int) -> Slot | None:
        if metric == "wdl":
            return self.catalog.wdl_slot(number)
        return self.catalog.slot(metric, number)

    def _read(self, metric: str, slot: Slot, place: int) -> int:
        code = slot.file.table.value(slot.text, place, self.cache)
        return sign(code) if metric == "wdl" else code

    def _missing_error(
        self, position: Position, tree: Tree, leaf: Leaf, metric: str
    ) -> CrownbaseError:
        """The error that says what was asked, what it needs and why, and how to get it."""
        material = _material(leaf.slice_number).canonical
        most = self.catalog.max_pieces
        asked = f"{position.fen()} ({Material.of(*position.boards)})"
        depth = tree.captures_before(leaf.node)
        way = {0: "", 1: ", reached by a capture"}.get(depth, f", reached by {depth} captures")
        if most and material.pieces > most:
            return TooManyPiecesError(
                f"{asked} needs {material} with {material.pieces} pieces{way}, but the "
                f"{self.rules.key} tables here end at {most}; "
                f"{how_to_make(self.rules, material.pieces)}",
                material=str(material),
                metric=metric,
                command=command_to_make(self.rules, material.pieces, metric),
            )
        searched = ", ".join(self.catalog.searched) or "no directory"
        make = how_to_make(self.rules, material.pieces, metric)
        return MissingTableError(
            f"{asked} needs {material}.{metric}{way}; searched {searched}; {make}",
            material=str(material),
            metric=metric,
            command=command_to_make(self.rules, material.pieces, metric),
        )


def _material(number: int) -> Material:
    """The material of a ``slice_number``."""
    return Material(*slice_counts(number))
