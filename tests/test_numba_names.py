"""The names inside Numba and llvmlite that kernels rest on and that nobody promises us.

A version that moves one of them fails here with its name, not somewhere in a compilation.
"""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import Any

import numba
import pytest

NAMES = (
    # what kernels become (jit/kernels.py)
    "numba.core.types.Dispatcher",
    "numba.core.options.DefaultOptions._nrt",
    "numba.core.options.DefaultOptions.nogil",
    "numba.core.options.DefaultOptions.forceinline",
    # types and operations (_numba_types.py)
    "numba.core.sigutils.normalize_signature",
    "numba.core.typeconv.Conversion.safe",
    "numba.core.types.Opaque",
    "numba.core.registry.cpu_target.typing_context.refresh",
    "numba.core.registry.cpu_target.typing_context.resolve_value_type",
    "numba.extending.lower_cast",
    "numba.extending.overload_attribute",
    "llvmlite.ir.IRBuilder.gep",
    # inner and outer forms (_numba_compiler.py)
    "numba.core.codegen.JITCodeLibrary.enable_object_caching",
    "numba.core.codegen.JITCodeLibrary.finalize",
    "numba.core.codegen.JITCodeLibrary._finalized",
    "numba.core.codegen.JITCodeLibrary._raise_if_finalized",
    "numba.core.compiler.CompilerBase.define_pipelines",
    "numba.core.compiler.DefaultPassBuilder.define_nopython_pipeline",
    "numba.core.compiler.Flags.no_cfunc_wrapper",
    "numba.core.compiler.Flags.no_compile",
    "numba.core.compiler.Flags.no_cpython_wrapper",
    "numba.core.compiler._LowerResult.cfunc",
    "numba.core.compiler_machinery.PassManager.finalize",
    "numba.core.compiler_machinery.register_pass",
    "numba.core.cpu.CPUContext.insert_user_function",
    "numba.core.typed_passes.NativeLowering.run_pass",
    # the cache (_numba_compiler.py)
    "numba.core.caching.CompileResultCacheImpl.get_filename_base",
    "numba.core.caching.FunctionCache._load_overload",
    "numba.core.caching.FunctionCache._save_overload",
    "numba.core.caching._CacheLocator.ensure_cache_path",
    "numba.core.serialize.dumps",
)


def find(path: str) -> Any:
    parts = path.split(".")
    for count in range(len(parts) - 1, 0, -1):
        try:
            found = import_module(".".join(parts[:count]))
        except ModuleNotFoundError:
            continue
        for name in parts[count:]:
            found = getattr(found, name)
        return found
    raise ModuleNotFoundError(path)


@pytest.mark.parametrize("path", NAMES)
def test_numba_has(path: str) -> None:
    try:
        find(path)
    except (AttributeError, ModuleNotFoundError):
        pytest.fail(f"Numba {numba.__version__} has no {path}: see where it is used, and mend that")


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("numba.core.codegen.CPUCodeLibrary.__init__", ("_linking_libraries",)),
        ("numba.core.compiler_machinery.PassManager.__init__", ("self.passes", "self._finalized")),
        ("numba.core.caching.Cache.__init__", ("self._impl", "self._cache_path", "_cache_file")),
        ("numba.core.caching.Cache._save_overload", ("self._index_key", "self._cache_file.save")),
        ("numba.core.caching.Cache._load_overload", ("self._index_key", "self._cache_file.load")),
        ("numba.core.typed_passes.BaseNativeLowering.run_pass", ("state.library is None",)),
        ("numba.core.dispatcher.Dispatcher.__init__", ("self._cache", "pipeline_class")),
    ],
)
def test_numba_still_says(path: str, words: tuple[str, ...]) -> None:
    """Attributes that are made when Numba runs, and the calls that our files stand in for."""
    source = inspect.getsource(find(path))
    for word in words:
        assert word in source, f"Numba {numba.__version__}: {path} no longer has {word}"
