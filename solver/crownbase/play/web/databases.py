"""The tables that a server answers from: one tablebase for each rule set, opened when asked for."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from crownbase.board import Position
from crownbase.build import SliceStats, has_any_table, read_stats
from crownbase.errors import MissingTableError, UnknownRulesError
from crownbase.play.player import Player
from crownbase.probe import Tablebase, open_tablebase
from crownbase.probe.histogram import Histogram, distance_histogram
from crownbase.rules import RULE_SETS, Rules, find_rules
from crownbase.search.loader import Loader

MOST_COUNTED = 1 << 21
"""Positions of a slice whose distances are counted on request; that takes seconds."""
_MOST_SPECIAL = 64
"""Rule sets under other draw rules that are kept."""


class Databases:
    """Tables and players by rule set. Thread-safe.

    Args:
        directories: where tables are looked for, in order.
        cache_bytes: memory for decoded blocks of each rule set.
    """

    def __init__(self, directories: Sequence[Path], cache_bytes: int = 64 << 20) -> None:
        self.directories = [Path(one) for one in directories]
        self._cache_bytes = cache_bytes
        self._lock = threading.Lock()
        self._opened: dict[str, Tablebase] = {}
        self._players: dict[str, tuple[threading.Lock, Player]] = {}
        self._special: OrderedDict[tuple[str, str | None, int | None], Rules] = OrderedDict()
        self.histogram = lru_cache(maxsize=256)(self._histogram)

    def rules(self, name: str, draw: str | None = None, move_limit: int | None = None) -> Rules:
        """A rule set that ships, by key or alias, under the draw rules of a preset.

        Names of files are no names here.

        Raises:
            UnknownRulesError: no such rule set or preset.
        """
        key = name.strip().lower()
        known = {alias: rules for rules in RULE_SETS.values() for alias in rules.aliases}
        found = RULE_SETS.get(key) or known.get(key)
        if found is None:
            raise UnknownRulesError(
                f"unknown rules {name[:40]!r}; known are {', '.join(RULE_SETS)}"
            )
        if draw is None and move_limit is None:
            return found
        asked = (found.key, draw, move_limit)
        with self._lock:
            rules = self._special.get(asked)
            if rules is None:
                rules = self._special[asked] = find_rules(found.key).with_draw(draw, move_limit)
                if len(self._special) > _MOST_SPECIAL:
                    self._special.popitem(last=False)
        return rules

    def tables(self, rules: Rules) -> Tablebase:
        """The tables of a rule set; positions bring their own draw rules.

        Raises:
            CrownbaseError: the rules have no tables (huffing).
        """
        with self._lock:
            found = self._opened.get(rules.key)
            if found is None:
                found = open_tablebase(
                    self.directories, RULE_SETS[rules.key], cache_bytes=self._cache_bytes
                )
                self._opened[rules.key] = found
        return found

    def player(self, position: Position) -> tuple[threading.Lock, Player]:
        """The perfect player of a rule set, and the lock to hold while it thinks.

        Until the search is compiled it thinks in plain Python, less deep.
        """
        rules = position.rules
        tables = self.tables(rules)
        name = f"{rules.key} {rules.draw.name} {rules.draw.move_limit}"
        with self._lock:
            if name not in self._players:
                if len(self._players) >= _MOST_SPECIAL:
                    self._players.clear()
                loader = Loader(rules, tables)
                loader.start()
                player = Player(rules, tables, seconds=1.0, loader=loader, timed=True)
                self._players[name] = (threading.Lock(), player)
            return self._players[name]

    def stats(self, rules: Rules) -> list[SliceStats]:
        """Counts of all slices, of the first directory that has tables of the rule set.

        Raises:
            MissingTableError: there are none.
        """
        rules.check_has_tables()
        for directory in self.directories:
            if has_any_table(directory, rules):
                return read_stats(directory, rules)
        raise MissingTableError(f"no {rules.key} tables are here")

    def _histogram(self, key: str, material: str, metric: str) -> Histogram:
        """Distances of a slice; kept."""
        return distance_histogram(self.tables(RULE_SETS[key]), material, metric)

    def close(self) -> None:
        """Close all tables."""
        with self._lock:
            for tables in self._opened.values():
                tables.close()
            self._opened.clear()
            self._players.clear()
