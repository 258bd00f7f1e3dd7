"""Reading fields out of a TOML table, with faults that name file, field and allowed values."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any, TypeVar

from crownbase.errors import UnknownRulesError

_NEEDED: Any = object()
_Text = TypeVar("_Text", str, str | None)


class Fields:
    """One table of a file. Every field that is asked for counts as known.

    Attributes:
        file: the name of the file, for messages.
    """

    def __init__(self, file: str, data: dict[str, Any], where: str = "") -> None:
        self.file = file
        self._data = data
        self._where = where
        self._known: set[str] = set()

    def fault(self, name: str, problem: str) -> UnknownRulesError:
        """The error to raise for a field."""
        return UnknownRulesError(f"{self.file}: {self._where}{name} {problem}")

    def contradiction(self, one: str, other: str) -> UnknownRulesError:
        """The error to raise for two statements that cannot both hold."""
        where = f"[{self._where.rstrip('.')}] " if self._where else ""
        return UnknownRulesError(f"{self.file}: {where}{one} contradicts {other}")

    def has(self, name: str) -> bool:
        """Whether the file has the field."""
        self._known.add(name)
        return name in self._data

    def is_text(self, name: str) -> bool:
        """Whether the field is a text (and not a table)."""
        return isinstance(self._data.get(name), str)

    def finish(self) -> None:
        """Refuse fields that nobody asked for.

        Raises:
            UnknownRulesError: an unknown field; the message has the nearest known one.
        """
        for name in self._data:
            if name not in self._known:
                near = difflib.get_close_matches(name, self._known, 1)
                known = f"did you mean {near[0]!r}?" if near else ", ".join(sorted(self._known))
                raise self.fault(name, f"is no field; {'' if near else 'known are '}{known}")

    def _get(self, name: str, default: Any) -> Any:
        self._known.add(name)
        if name in self._data:
            return self._data[name]
        if default is _NEEDED:
            example = ' = "mine"' if name == "key" else " = ..."
            raise self.fault(name, f"is missing; add a line {name}{example}")
        return default

    def text(self, name: str, default: _Text = _NEEDED) -> _Text:
        """A text. Without a default the field must be there."""
        value = self._get(name, default)
        if name in self._data and (not isinstance(value, str) or "\n" in value):
            raise self.fault(name, f"must be a text of one line, not {value!r}")
        return value

    def flag(self, name: str, default: bool) -> bool:
        """True or false."""
        value = self._get(name, default)
        if not isinstance(value, bool):
            raise self.fault(name, f"must be true or false, not {value!r}")
        return value

    def number(self, name: str, low: int, high: int, default: int | None = _NEEDED) -> int:
        """A whole number from *low* to *high*; the default may lie outside."""
        value = self._get(name, _NEEDED if default is None else default)
        if name in self._data:
            whole = isinstance(value, int) and not isinstance(value, bool)
            if not whole or not low <= value <= high:
                raise self.fault(name, f"must be a number from {low} to {high}, not {value!r}")
        return int(value)

    def choice(self, name: str, allowed: Sequence[str], default: str) -> str:
        """One of the allowed texts."""
        value = self._get(name, default)
        if value not in allowed:
            texts = ", ".join(repr(text) for text in allowed)
            raise self.fault(name, f"must be one of {texts}, not {value!r}")
        return str(value)

    def texts(self, name: str, default: tuple[str, ...] = _NEEDED) -> tuple[str, ...]:
        """A list of texts."""
        value = self._get(name, default)
        if name not in self._data:
            return default
        if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
            raise self.fault(name, f"must be a list of texts, not {value!r}")
        return tuple(value)

    def choices(
        self, name: str, allowed: Sequence[str], default: tuple[str, ...]
    ) -> tuple[str, ...]:
        """A list of allowed texts."""
        found = self.texts(name, default)
        for text in found:
            if text not in allowed:
                raise self.fault(name, f"may hold {', '.join(map(repr, allowed))}, not {text!r}")
        return found

    def table(self, name: str, required: bool = False) -> Fields:
        """A table of its own; an empty one if it is absent and not required."""
        value = self._get(name, _NEEDED if required else {})
        if not isinstance(value, dict):
            raise self.fault(name, f"must be a table, not {value!r}")
        return Fields(self.file, value, f"{self._where}{name}.")

    def tables(self, name: str) -> list[Fields]:
        """A list of tables (``[[name]]``), empty if absent."""
        value = self._get(name, [])
        if not isinstance(value, list) or not all(isinstance(table, dict) for table in value):
            raise self.fault(name, f"must be a list of tables, written [[{self._where}{name}]]")
        return [
            Fields(self.file, table, f"{self._where}{name}[{i}].")
            for i, table in enumerate(value, 1)
        ]
