"""Kernels as ordinary Python: the same source, calling the plain twins of what it uses."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np


def plain_twin(function: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel's function with every kernel and primitive that it names replaced by its twin."""
    return types.FunctionType(
        function.__code__,
        _PlainGlobals(function.__globals__),
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )


class _PlainGlobals(dict):  # type: ignore[type-arg]
    """The globals of a kernel, with every kernel and primitive replaced by its plain twin."""

    def __init__(self, original: dict[str, Any]) -> None:
        super().__init__()
        self._original = original
        self["__builtins__"] = original["__builtins__"]

    def __missing__(self, name: str) -> Any:
        if name not in self._original:
            raise KeyError(name)
        value = self._original[name]
        if hasattr(value, "has_plain_twin"):
            value = value.plain
        elif isinstance(value, np.ndarray):
            value = _PlainArray(value)
        self[name] = value
        return value


class _PlainArray:
    """A read-only NumPy array as nested lists: far faster to index in plain Python."""

    __slots__ = ("_rows",)

    def __init__(self, array: np.ndarray) -> None:
        self._rows = array.tolist()

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, tuple):
            value = self._rows
            for index in at:
                value = value[index]
            return value
        return self._rows[at]

    def __len__(self) -> int:
        return len(self._rows)
