"""``kernel`` and ``primitive``: functions with a compiled form and a plain twin."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, overload

from crownbase import compiling
from crownbase.jit import numba_side
from crownbase.jit.digest import source_digest
from crownbase.jit.facts import Address
from crownbase.jit.plain import plain_twin
from crownbase.jit.records import Record

INTERPRETED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
"""True if ``NUMBA_DISABLE_JIT`` asks for plain Python everywhere."""

COMPILE_AFTER = 2000
"""Small questions that a kernel answers as plain Python before it is compiled."""


def cache_directory() -> Path:
    """Where compiled kernels are kept.

    A folder for each version of Numba, since each throws away what another one left, inside
    ``NUMBA_CACHE_DIR`` if it is set, else the user's cache folder; a folder that cannot be
    written means that nothing is cached, never an error.
    """
    version = f"numba-{_numba_version()}"
    from_environment = os.environ.get("NUMBA_CACHE_DIR")
    if from_environment:
        return Path(from_environment) / "crownbase" / version
    import platformdirs

    return Path(platformdirs.user_cache_dir("crownbase")) / "kernels" / version


@functools.cache
def _numba_version() -> str:
    """The version of Numba that is installed; Numba itself takes long to import."""
    from importlib.metadata import version

    return version("numba")


class Kernel:
    """A function that is compiled on its first call. Made by ``kernel``."""

    has_plain_twin = True

    def __init__(
        self, function: Callable[..., Any], inline: bool = False, allocates: bool = False
    ) -> None:
        self.function = function
        self.inline = inline
        self.allocates = allocates
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self.__module__ = function.__module__
        self.__wrapped__ = function
        self._dispatcher: Any = None
        self._inner: Any = None
        self._plain: Callable[..., Any] | None = None
        self._plain_calls = 0

    @property
    def compiled(self) -> Any:
        """The Numba dispatcher of the form that Python calls."""
        if self._dispatcher is None:
            with numba_side.ready():
                if self._dispatcher is None:
                    self._dispatcher = numba_side.compiler().make_outer(
                        self.function, cache_directory(), source_digest(self), **self._options
                    )
        return self._dispatcher

    @property
    def digested(self) -> tuple[Any, ...]:
        """What the compiled form is made from."""
        return self.inline, self.allocates, self.function

    @property
    def _options(self) -> dict[str, Any]:
        return {"nogil": True, "forceinline": self.inline, "_nrt": self.allocates}

    @property
    def plain(self) -> Callable[..., Any]:
        """The same function as ordinary Python; kernels that it calls are plain too."""
        if self._plain is None:
            self._plain = plain_twin(self.function)
        return self._plain

    def worth_compiling(self) -> bool:
        """Whether a caller with one small question should use the compiled form.

        A few questions are answered sooner by ``plain`` than by loading Numba; from the
        ``COMPILE_AFTER``-th on, compiled code pays. Each call of this method counts as one.
        """
        if INTERPRETED or compiling.is_compiling_elsewhere():
            return False  # it would wait for a compiler that is busy
        if self._dispatcher is not None:
            return True
        self._plain_calls += 1
        return self._plain_calls > COMPILE_AFTER

    @property
    def _numba_type_(self) -> Any:
        if self._inner is None:
            with numba_side.ready():
                if self._inner is None:
                    compiler = numba_side.compiler()
                    self._inner = compiler.make_inner(self.function, **self._options)
        return numba_side.types().dispatcher_type(self._inner)

    def __call__(self, *args: Any) -> Any:
        """Run the compiled function, compiling it or loading it from the cache at first."""
        if INTERPRETED:
            return self.plain(*(a.plain if hasattr(a, "_numba_type_") else a for a in args))
        return (self._dispatcher or self.compiled)(*args)

    def __repr__(self) -> str:
        return f"<kernel {self.__module__}.{self.__name__}>"


class Primitive:
    """A machine operation: plain Python here, one instruction in compiled code."""

    has_plain_twin = True

    def __init__(
        self, function: Callable[..., Any], signature: str | type[Record], emit: Any
    ) -> None:
        self.function = function
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self.__module__ = function.__module__
        self._signature = signature
        self._emit = emit
        self._type: Any = None

    @property
    def plain(self) -> Callable[..., Any]:
        """The Python version."""
        return self.function

    @property
    def _numba_type_(self) -> Any:
        if self._type is None:
            made = numba_side.types()
            signature = self._signature
            if not isinstance(signature, str):
                signature = made.address_signature(tuple(signature.FIELDS))
            self._type = made.primitive_type(self.__name__, signature, self._emit)
        return self._type

    @property
    def digested(self) -> tuple[Any, ...]:
        """What the compiled form is made from."""
        signature = self._signature
        text = signature if isinstance(signature, str) else ",".join(signature.FIELDS)
        return self.function, self._emit, text

    def __call__(self, *args: Any) -> Any:
        """Run the Python version."""
        return self.function(*args)


@overload
def kernel(function: Callable[..., Any]) -> Kernel: ...
@overload
def kernel(
    *, inline: bool = False, allocates: bool = False
) -> Callable[[Callable[..., Any]], Kernel]: ...
def kernel(
    function: Callable[..., Any] | None = None, *, inline: bool = False, allocates: bool = False
) -> Kernel | Callable[[Callable[..., Any]], Kernel]:
    """Mark a function as a kernel: compiled without the interpreter lock, cached on disk.

    ``@kernel(inline=True)`` always puts its machine code into its callers; for small functions
    that take tuples of arrays, which are slow to pass. ``@kernel(allocates=True)`` lets it make,
    slice or return arrays. Otherwise kernels run without Numba's reference counts, which cost
    ten times the work of a solver: arrays come in as arguments and are only indexed.
    """
    if function is not None:
        return Kernel(function)
    return lambda f: Kernel(f, inline, allocates)


def primitive(signature: str, emit: Any) -> Callable[[Callable[..., Any]], Primitive]:
    """Give a plain Python function a machine instruction as its compiled form.

    *signature* is like ``"int64(int64)"``; *emit* takes an LLVM builder and the arguments.
    """

    def wrap(function: Callable[..., Any]) -> Primitive:
        return Primitive(function, signature, emit)

    return wrap


def record_at(record: type[Record]) -> Primitive:
    """A primitive that takes a number for the address (in bytes) of a record."""

    def at(address: int) -> Address:
        return Address(address, record=record)

    return Primitive(at, record, lambda builder, address: address)
