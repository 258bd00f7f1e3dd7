"""What compiled code knows of its arguments: compile-time objects, addresses with attributes."""

from __future__ import annotations

import ctypes
from typing import Any, TypeVar

from crownbase.jit import numba_side
from crownbase.jit.digest import fields_digest
from crownbase.jit.records import Record

_Class = TypeVar("_Class", bound=type)


def compile_time(cls: _Class) -> _Class:
    """Make the instances of a frozen dataclass compile-time constants of kernels.

    Every field must be a number, a bool or a NumPy array. Two instances with equal fields are
    one type and share their compiled code.
    """

    def numba_type(self: Any) -> Any:
        cached = self.__dict__.get("_numba_type")
        if cached is None:
            digest = fields_digest(self)
            numba_side.types().INSTANCES.setdefault(digest, self)
            cached = numba_side.types().ConstantType(cls.__name__, digest)
            object.__setattr__(self, "_numba_type", cached)
        return cached

    cls._numba_type_ = property(numba_type)  # type: ignore[attr-defined]
    return cls


class Address:
    """An address that knows what is there; kernels take it for a number (int64) with attributes.

    *facts*: an instance of a ``compile_time`` class, whose fields are constants in compiled code,
    so that kernels need no further argument for them. *record*: a ``Record``, whose words in
    memory can be read and written by their names.
    """

    __slots__ = ("_facts", "_record", "value")

    def __init__(self, value: int, facts: Any = None, record: type[Record] = Record) -> None:
        object.__setattr__(self, "value", int(value))
        object.__setattr__(self, "_facts", facts)
        object.__setattr__(self, "_record", record)

    def __getattr__(self, name: str) -> Any:
        if name in self._record.FIELDS:
            return self._word(name).value
        return getattr(self._facts, name)

    def __setattr__(self, name: str, value: int) -> None:
        self._word(name).value = value

    def _word(self, name: str) -> ctypes.c_int64:
        return ctypes.c_int64.from_address(self.value + 8 * self._record.FIELDS[name])

    def __int__(self) -> int:
        return int(self.value)

    def __add__(self, other: int) -> int:
        return int(self.value) + other

    @property
    def plain(self) -> Address:
        """The same address for plain kernels."""
        return self

    @property
    def _numba_type_(self) -> Any:
        facts = None if self._facts is None else self._facts._numba_type_
        return numba_side.types().AddressType(facts, tuple(self._record.FIELDS))
