"""How kernels are compiled and kept: the other part of this package that needs Numba at import.

**Compiling.** Numba optimizes a function together with all that it calls, makes machine code and
a Python wrapper of it, and does so again for every function that calls it: with hundreds of small
kernels that is most of the time. Here a kernel has two forms. Its *inner* form, for the kernels
that call it, is typed and lowered, nothing more. Its *outer* form, which Python calls, is linked
from its own code and the inner forms of all that it calls, optimized once, and cached.

**Keeping.** One file for each outer form and signature, written at once or not at all. Before any
of it is used, its checksum is tested: machine code with one wrong bit can do anything.

All names here that Numba does not document are listed in ``tests/test_numba_names.py``.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import tempfile
import types
from pathlib import Path
from typing import Any

import numba
from numba.core import event
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.serialize import dumps
from numba.core.typed_passes import NativeLowering

from crownbase import compiling

# ------------------------------------------------------------------ compiling


class _InnerLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of an inner form: as it was lowered, to be linked into others."""

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalized = True


class _OuterLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of an outer form: linked from all that it needs, optimized once."""

    def finalize(self) -> None:
        # Linking takes a definition only where something refers to it: callers come first.
        self._linking_libraries = _callers_first(self._linking_libraries)
        super().finalize()


def _callers_first(libraries: list[Any]) -> list[Any]:
    """These code libraries and all that they are linked from, each before those it needs."""
    seen: set[Any] = set()
    ordered: list[Any] = []

    def visit(library: Any) -> None:
        if library not in seen:
            seen.add(library)
            for needed in library._linking_libraries:
                visit(needed)
            ordered.append(library)

    for library in libraries:
        visit(library)
    return ordered[::-1]


@register_pass(mutates_CFG=True, analysis_only=False)
class _InnerLowering(NativeLowering):  # type: ignore[misc]
    _name = "crownbase_inner_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = _InnerLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        flags = state.flags
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        super().run_pass(state)
        # The dispatcher wants a C function of this form's own; nobody ever calls it.
        stand_in = [state.func_id.func_qualname].count
        lowered = state["cr"]
        state.targetctx.insert_user_function(stand_in, lowered.fndesc, [state.library])
        state["cr"] = lowered._replace(cfunc=stand_in)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class _OuterLowering(NativeLowering):  # type: ignore[misc]
    _name = "crownbase_outer_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = _OuterLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return bool(super().run_pass(state))


def _compiler_with(lowering: type) -> type:
    """A compiler that lowers in its own way and is Numba's usual one otherwise."""

    class Compiler(CompilerBase):  # type: ignore[misc]
        def define_pipelines(self) -> list[Any]:
            manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
            at = [one for one, _ in manager.passes].index(NativeLowering)
            manager.passes[at] = (lowering, manager.passes[at][1])
            manager._finalized = False
            manager.finalize()
            return [manager]

    return Compiler


_InnerCompiler = _compiler_with(_InnerLowering)
_OuterCompiler = _compiler_with(_OuterLowering)


def make_inner(function: Any, **options: Any) -> Any:
    """The dispatcher of a kernel's inner form."""
    # A function of its own: Numba tells a recursion by it, and an outer form is none of its own.
    copy = types.FunctionType(
        function.__code__,
        function.__globals__,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
    return numba.njit(**options, pipeline_class=_InnerCompiler)(copy)


def make_outer(function: Any, directory: Path, digest: str, **options: Any) -> Any:
    """The dispatcher of a kernel's outer form, cached in *directory* under *digest*."""
    dispatcher: Any = numba.njit(**options, pipeline_class=_OuterCompiler)(function)
    dispatcher._cache = _Cache(function, directory, digest)
    return dispatcher


# ------------------------------------------------------------------ keeping


class _Locator(_CacheLocator):  # type: ignore[misc]
    """Names the cache's files after the digest of all sources of a kernel."""

    def __init__(self, directory: Path, digest: str) -> None:
        self._directory = directory
        self._digest = digest

    def get_cache_path(self) -> str:
        return str(self._directory)

    def get_source_stamp(self) -> str:
        return self._digest

    def get_disambiguator(self) -> str:
        return self._digest


class _Cache(FunctionCache):  # type: ignore[misc]
    """Numba's cache of a function with files of our own."""

    def __init__(self, py_func: Any, directory: Path, digest: str) -> None:
        class Impl(CompileResultCacheImpl):  # type: ignore[misc]
            def __init__(self, function: Any) -> None:
                self._locator = _Locator(directory, digest)
                self._lineno = function.__code__.co_firstlineno
                self._filename_base = self.get_filename_base(function.__name__, "")

        self._impl_class = Impl
        super().__init__(py_func)

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        self._choose_file(sig)
        try:
            return super()._load_overload(sig, target_context)
        except Exception:  # a foreign cache file only means that we compile again
            return None

    def _save_overload(self, sig: Any, data: Any) -> None:
        self._choose_file(sig)
        try:
            super()._save_overload(sig, data)
        except OSError:  # an unwritable cache only costs time
            self.disable()

    def _choose_file(self, sig: Any) -> None:
        mark = hashlib.sha256(repr(sig).encode()).hexdigest()[:16]
        name = f"{self._impl.filename_base}-{mark}{CacheFile.SUFFIX}"
        self._cache_file = CacheFile(
            Path(self._cache_path) / name, self._impl.locator.get_source_stamp()
        )


class _Compilations(event.Listener):  # type: ignore[misc]
    """Reports the compilation of our kernels; other people's functions are not our business."""

    def on_start(self, event: Any) -> None:
        """Numba found nothing in the cache and compiles."""
        dispatcher = event.data["dispatcher"]
        if isinstance(dispatcher._cache, _Cache):
            function = dispatcher.py_func
            compiling.started(f"{function.__module__}.{function.__name__}")

    def on_end(self, event: Any) -> None:
        """It has compiled, or failed."""
        if isinstance(event.data["dispatcher"]._cache, _Cache):
            compiling.ended()


event.register("numba:compile", _Compilations())


class CacheFile:
    """One compiled form: SHA-256 of the rest, then a pickle of (whose it is, the form)."""

    SUFFIX = ".kernel"

    def __init__(self, path: Path, stamp: str) -> None:
        self._path = path
        self._stamp = stamp

    def load(self, key: Any) -> Any:
        """What was saved under this key; None if nothing was, or if it is damaged."""
        try:
            content = self._path.read_bytes()
        except OSError:
            return None
        size = hashlib.sha256().digest_size
        checksum, body = content[:size], content[size:]
        if hashlib.sha256(body).digest() != checksum:
            return None
        owner, data = pickle.loads(body)
        return data if owner == self._owner(key) else None

    def save(self, key: Any, data: Any) -> None:
        """Replace the file.

        Raises:
            OSError: it cannot be written; the old one is as it was.
        """
        body = dumps((self._owner(key), data))
        handle, name = tempfile.mkstemp(prefix=f"{self._path.stem}-", dir=self._path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(body).digest() + body)
            os.replace(name, self._path)
        except BaseException:
            os.unlink(name)
            raise

    def _owner(self, key: Any) -> str:
        return repr((numba.__version__, self._stamp, key))
