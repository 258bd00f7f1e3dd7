"""The one jit decorator, and rule sets as compile-time constants.

Three things live here, and none of them knows anything about draughts:

``kernel``
    Marks a function that Numba compiles. The compiled code is made on the first call and kept
    in a cache on disk under a digest of everything that it was made from: the byte code of the
    function, of every kernel and primitive that it calls, and the constants that it reads. An
    edited helper in another file therefore never leaves stale machine code behind (Numba's own
    cache looks at the defining file only), and every signature has a file of its own, so two
    processes that compile for different rule sets cannot mix up their files.

``kernel.plain``
    The same source as ordinary Python, calling the plain twins of the kernels it uses. A
    single probe in a new process runs this way: no import of Numba, no compilation. It is also
    what ``NUMBA_DISABLE_JIT=1`` selects.

``compile_time``
    A decorator for frozen dataclasses whose instances become Numba *types*: a field of such an
    object is a constant in compiled code, so ``if rules.flying_kings:`` costs nothing. The
    digest of the fields is in the type's name and so in the cache's key.

``Address``
    An address in memory with attributes: the fields of a ``compile_time`` object, which are known
    when kernels are compiled, and the words that a ``Record`` names, which lie there.

Numba is imported when the first kernel is compiled, not when this module is imported.
"""

from __future__ import annotations

import ctypes
import dataclasses
import functools
import hashlib
import os
import threading
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, overload

import numpy as np

from crownbase import compiling
from crownbase.records import Record

INTERPRETED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
"""True if ``NUMBA_DISABLE_JIT`` asks for plain Python everywhere."""

COMPILE_AFTER = 2000
"""Small questions that a kernel answers as plain Python before it is compiled."""

_Class = TypeVar("_Class", bound=type)

_lock = threading.RLock()
_loaded = False
_primitives: list[Primitive] = []


def _keep_over_forks(lock: Any) -> None:
    """Whoever forks waits for *lock*: the child has no thread that could ever open it."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(
            before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release
        )


_keep_over_forks(_lock)


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
            with _ready():
                if self._dispatcher is None:
                    from crownbase import _numba_compiler

                    self._dispatcher = _numba_compiler.make_outer(
                        self.function, cache_directory(), source_digest(self), **self._options
                    )
        return self._dispatcher

    @property
    def _options(self) -> dict[str, Any]:
        return {"nogil": True, "forceinline": self.inline, "_nrt": self.allocates}

    @property
    def plain(self) -> Callable[..., Any]:
        """The same function as ordinary Python; kernels that it calls are plain too."""
        if self._plain is None:
            self._plain = types.FunctionType(
                self.function.__code__,
                _PlainGlobals(self.function.__globals__),
                self.function.__name__,
                self.function.__defaults__,
                self.function.__closure__,
            )
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
            with _ready():
                if self._inner is None:
                    from crownbase import _numba_compiler

                    self._inner = _numba_compiler.make_inner(self.function, **self._options)
        return _dispatcher_type(self._inner)

    def __call__(self, *args: Any) -> Any:
        """Run the compiled function, compiling it or loading it from the cache at first."""
        if INTERPRETED:
            return self.plain(*(a.plain if hasattr(a, "_numba_type_") else a for a in args))
        return (self._dispatcher or self.compiled)(*args)

    def __repr__(self) -> str:
        return f"<kernel {self.__module__}.{self.__name__}>"


class Primitive:
    """A machine operation: plain Python here, one instruction in compiled code."""

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
            self._type = _primitive_type(self)
        return self._type

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
        made = Primitive(function, signature, emit)
        _primitives.append(made)
        return made

    return wrap


def record_at(record: type[Record]) -> Primitive:
    """A primitive that takes a number for the address of a record."""

    def at(address: int) -> Address:
        return Address(address, record=record)

    return Primitive(at, record, lambda builder, address: address)


def compile_time(cls: _Class) -> _Class:
    """Make the instances of a frozen dataclass compile-time constants of kernels.

    Every field must be a number, a bool or a NumPy array. Two instances with equal fields are
    one type and share their compiled code.
    """

    def numba_type(self: Any) -> Any:
        cached = self.__dict__.get("_numba_type")
        if cached is None:
            _load_numba()
            digest = fields_digest(self)
            _glue().INSTANCES.setdefault(digest, self)
            cached = _glue().ConstantType(cls.__name__, digest)
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
        _load_numba()
        facts = None if self._facts is None else self._facts._numba_type_
        return _glue().AddressType(facts, tuple(self._record.FIELDS))


def fields_digest(instance: Any) -> str:
    """A short hash of the values of all fields of a dataclass instance."""
    h = hashlib.sha256(type(instance).__qualname__.encode())
    for field in dataclasses.fields(instance):
        h.update(field.name.encode() + b"=" + _constant_bytes(getattr(instance, field.name)))
    return h.hexdigest()[:16]


# ------------------------------------------------------------------ plain Python twins


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
        if isinstance(value, (Kernel, Primitive)):
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


# ------------------------------------------------------------------ Numba's side


def _ready() -> threading.RLock:
    """The lock under which dispatchers are made, with Numba loaded."""
    _load_numba()
    return _lock


def _load_numba() -> None:
    global _loaded
    if _loaded:
        return
    with _lock:
        if _loaded:
            return
        from numba.core.compiler_lock import global_compiler_lock

        # Taken before ours in a fork (last registered, first called), as by a thread that compiles.
        _keep_over_forks(global_compiler_lock)
        _loaded = True


def _glue() -> Any:
    """The module that needs Numba."""
    from crownbase import _numba_glue

    return _numba_glue


def _primitive_type(made: Primitive) -> Any:
    signature: Any = made._signature
    if not isinstance(signature, str):
        signature = _glue().address_signature(tuple(signature.FIELDS))
    return _glue().primitive_type(made.__name__, signature, made._emit)


def _dispatcher_type(dispatcher: Any) -> Any:
    from numba import types as nb_types

    return nb_types.Dispatcher(dispatcher)


def source_digest(made: Kernel) -> str:
    """A hash of all that the compiled form of a kernel is made from."""
    h = hashlib.sha256(Path(__file__).read_bytes())
    for name in ("_numba_glue.py", "_numba_compiler.py"):
        h.update(Path(__file__).with_name(name).read_bytes())
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
            if isinstance(found, (Kernel, Primitive, *_PLAIN_CONSTANTS)):
                _hash_value(found, h, seen)
            elif _is_module(found) and found not in modules:
                modules.append(found)


_PLAIN_CONSTANTS = (int, float, str, bytes, tuple, np.ndarray, np.generic)


def _hash_value(value: Any, h: Any, seen: set[Any]) -> None:
    if isinstance(value, Kernel):
        h.update(f"{value.inline}{value.allocates}".encode())
        _hash_function(value.function, h, seen)
    elif isinstance(value, Primitive):
        _hash_function(value.function, h, seen)
        _hash_function(value._emit, h, seen)
        signature = value._signature
        text = signature if isinstance(signature, str) else ",".join(signature.FIELDS)
        h.update(text.encode())
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
