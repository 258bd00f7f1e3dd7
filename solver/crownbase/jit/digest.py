"""Digests of all that compiled code is made from: the keys of the cache, and of types."""

from __future__ import annotations

import dataclasses
import hashlib
import types
from pathlib import Path
from typing import Any, Protocol

import numpy as np


def fields_digest(instance: Any) -> str:
    """A short hash of the values of all fields of a dataclass instance."""
    h = hashlib.sha256(type(instance).__qualname__.encode())
    for field in dataclasses.fields(instance):
        h.update(field.name.encode() + b"=" + _constant_bytes(getattr(instance, field.name)))
    return h.hexdigest()[:16]


class Digested(Protocol):
    """What is hashed by the parts that it names: kernels and primitives."""

    @property
    def digested(self) -> tuple[Any, ...]:
        """Functions, texts and numbers that its compiled form is made from."""


def source_digest(made: Digested) -> str:
    """A hash of all that the compiled form of a kernel is made from."""
    h = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        h.update(path.read_bytes())
    _hash_value(made, h, set())
    return h.hexdigest()[:24]


def _hash_function(function: Any, h: Any, seen: set[Any]) -> None:
    if function in seen:
        return
    seen.add(function)
    h.update(f"{function.__module__}.{function.__qualname__}".encode())
    closure = tuple(cell.cell_contents for cell in function.__closure__ or ())
    _hash_value((closure, function.__defaults__), h, seen)
    modules = [value for value in closure if _is_module(value)]
    _hash_code(function.__code__, function.__globals__, modules, h, seen)


def _hash_code(
    code: types.CodeType, names: dict[str, Any], modules: list[Any], h: Any, seen: set[Any]
) -> None:
    h.update(code.co_code)
    h.update(repr(code.co_varnames).encode())
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            _hash_code(constant, names, modules, h, seen)
        else:
            h.update(repr(constant).encode())
    modules = modules + [names[name] for name in code.co_names if _is_module(names.get(name))]
    for name in code.co_names:
        h.update(name.encode())
        _hash_value(names.get(name), h, seen)
        # `module.name`: byte code does not say which module, so what each of them has counts.
        for module in tuple(modules):
            found = getattr(module, name, None)
            if isinstance(found, _PLAIN_CONSTANTS) or hasattr(found, "digested"):
                _hash_value(found, h, seen)
            elif _is_module(found) and found not in modules:
                modules.append(found)


_PLAIN_CONSTANTS = (int, float, str, bytes, tuple, np.ndarray, np.generic)


def _hash_value(value: Any, h: Any, seen: set[Any]) -> None:
    if hasattr(value, "digested"):
        _hash_value(value.digested, h, seen)
    elif isinstance(value, types.FunctionType):
        _hash_function(value, h, seen)
    elif isinstance(value, tuple):
        for one in value:
            _hash_value(one, h, seen)
    elif not _is_module(value):
        h.update(_constant_bytes(value))


def _is_module(value: Any) -> bool:
    return isinstance(value, types.ModuleType)


def _constant_bytes(value: Any) -> bytes:
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}".encode() + value.tobytes()
    return repr(value).encode()
