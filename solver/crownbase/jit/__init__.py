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

from crownbase.jit.digest import fields_digest, source_digest
from crownbase.jit.facts import Address, compile_time
from crownbase.jit.kernels import (
    COMPILE_AFTER,
    INTERPRETED,
    Kernel,
    Primitive,
    cache_directory,
    kernel,
    primitive,
    record_at,
)
from crownbase.jit.records import Record

__all__ = [
    "COMPILE_AFTER",
    "INTERPRETED",
    "Address",
    "Kernel",
    "Primitive",
    "Record",
    "cache_directory",
    "compile_time",
    "fields_digest",
    "kernel",
    "primitive",
    "record_at",
    "source_digest",
]
