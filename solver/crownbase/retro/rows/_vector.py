"""The Numba type of a vector of eight 64-bit words; imported when the first row kernel compiles."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import models, register_model


class VectorType(types.Type):
    """512 bits of a row; LLVM makes one, two or four machine registers of it."""

    def __init__(self) -> None:
        super().__init__(name="words8")


@register_model(VectorType)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, manager: Any, front_end_type: Any) -> None:
        words = ir.VectorType(ir.IntType(64), 8)
        super().__init__(manager, front_end_type, words)  # type: ignore[no-untyped-call]


# Signatures of primitives are strings that are looked up among Numba's type names.
setattr(types, "words8", VectorType())  # noqa: B010  (mypy)


def target_has(feature: str) -> bool:
    """Whether the processor that Numba compiles for has *feature* (an LLVM name, like `bmi2`)."""
    from numba.core.registry import cpu_target

    features = getattr(cpu_target.target_context.codegen(), "_tm_features", "") or ""
    return f"+{feature}" in features.split(",")
