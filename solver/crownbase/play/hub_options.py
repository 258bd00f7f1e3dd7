"""The Hub engine's parameters: what can be set, to what, and what it is now."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from crownbase._paths import check_directory, typed_path
from crownbase.errors import CrownbaseError, UnknownRulesError
from crownbase.play.hub_text import DIALECTS, Dialect
from crownbase.play.player import LEVELS, PERFECT
from crownbase.rules import RULE_SETS, Rules, find_rules

NORMAL = "normal"
"""Hub's own name for the game on 10x10."""
_INTERNATIONAL = "international"
USUAL = "usual"
"""The draw rules that a variant has by itself."""
MOST_PLIES = 100_000


class Options:
    """Parameters by name; ``variant`` takes a rule set's key or alias, or ``normal``.

    ``tb-path``: directories with tables, separated as in PATH, empty = those that the command line
    would use. ``hash``: MiB for the search, ``tb-memory``: MiB for tables in it. ``level``: 1 to
    8, see ``player.LEVELS``. ``draw``: draw rules of the variant by name, ``usual`` for its own;
    ``move-limit``: plies after which a game is drawn, 0 = never. A new variant has its own again.
    """

    def __init__(self, tables: str = "") -> None:
        self.rules: Rules = find_rules(_INTERNATIONAL)
        self.dialect = Dialect(self.rules)
        self.directories = _directories(tables)
        self.tables = tables
        self.level = PERFECT
        self.hash_bytes = 16 << 20
        self.table_bytes = 512 << 20
        self._variant = NORMAL
        self._draw = USUAL
        self._move_limit = 0

    def described(self) -> Iterator[dict[str, object]]:
        """The ``param`` lines as arguments."""
        known = [key for key, rules in RULE_SETS.items() if rules.has_tables]
        variants = " ".join([NORMAL, *known])
        yield {"name": "variant", "value": self._variant, "type": "enum", "values": variants}
        dialects = " ".join(DIALECTS)
        yield {"name": "dialect", "value": self.dialect.name, "type": "enum", "values": dialects}
        yield {"name": "draw", "value": self._draw, "type": "string"}
        limit = self._move_limit
        yield {"name": "move-limit", "value": limit, "type": "int", "min": 0, "max": MOST_PLIES}
        yield {"name": "tb-path", "value": self.tables, "type": "string"}
        megabytes = self.hash_bytes >> 20
        yield {"name": "hash", "value": megabytes, "type": "int", "min": 1, "max": 4096}
        megabytes = self.table_bytes >> 20
        yield {"name": "tb-memory", "value": megabytes, "type": "int", "min": 0, "max": 1 << 20}
        yield {"name": "level", "value": self.level, "type": "int", "min": 1, "max": len(LEVELS)}

    def set(self, name: str, value: str) -> None:
        """Set a parameter; an unknown name is ignored, as the protocol asks.

        Raises:
            CrownbaseError: a known parameter cannot have this value.
        """
        if name == "variant":
            rules = find_rules(_INTERNATIONAL if value == NORMAL else value)
            rules.check_has_tables()
            self.rules = rules
            self._variant, self._draw, self._move_limit = value, USUAL, 0
            self.dialect = Dialect(self.rules, self.dialect.name)
        elif name == "draw":
            self._play_under(value, self._move_limit)
        elif name == "move-limit":
            self._play_under(self._draw, _whole(name, value, 0, MOST_PLIES))
        elif name == "dialect":
            if value not in DIALECTS:
                raise UnknownRulesError(f"dialect is {' or '.join(DIALECTS)}, not {value!r}")
            self.dialect = Dialect(self.rules, value)
        elif name == "tb-path":
            self.directories = _directories("" if value == "none" else value)
            self.tables = "" if value == "none" else value
        elif name == "hash":
            self.hash_bytes = _whole(name, value, 1, 4096) << 20
        elif name == "tb-memory":
            self.table_bytes = _whole(name, value, 0, 1 << 20) << 20
        elif name == "level":
            self.level = _whole(name, value, 1, len(LEVELS))

    def _play_under(self, draw: str, move_limit: int) -> None:
        usual = find_rules(_INTERNATIONAL if self._variant == NORMAL else self._variant)
        self.rules = usual.with_draw(None if draw == USUAL else draw, move_limit or None)
        self.dialect = Dialect(self.rules, self.dialect.name)
        self._draw, self._move_limit = draw, move_limit


def _whole(name: str, text: str, low: int, high: int) -> int:
    digits = text.lstrip("0") or text[:1]
    if digits.isascii() and digits.isdigit() and len(digits) <= len(str(high)):
        if low <= int(digits) <= high:
            return int(digits)
    raise CrownbaseError(f"{name} is a number from {low} to {high}, not {text[:40]!r}")


def _directories(text: str) -> list[Path]:
    """The directories of a path list.

    Raises:
        CrownbaseError: one of them is not there.
    """
    parts = [part for part in text.split(os.pathsep) if part.strip()]
    return [check_directory(typed_path(part), "tb-path names those with tables") for part in parts]
