"""Types and operations that ``jit`` adds to Numba; imported when the first kernel is compiled."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import llvmlite.ir as ir
import numpy as np
from numba.core import sigutils, types
from numba.core.typeconv import Conversion
from numba.extending import (
    NativeValue,
    intrinsic,
    lower_cast,
    models,
    overload,
    overload_attribute,
    register_model,
    unbox,
)


class ConstantType(types.Opaque):  # type: ignore[misc]
    """The type of one compile-time object; the digest of its fields is its identity."""

    def __init__(self, class_name: str, digest: str) -> None:
        self.digest = digest
        super().__init__(name=f"{class_name}[{digest}]")


register_model(ConstantType)(models.OpaqueModel)


@unbox(ConstantType)
def _unbox_constant(typ: Any, obj: Any, c: Any) -> Any:
    return NativeValue(c.context.get_dummy_value())


class AddressType(types.Type):  # type: ignore[misc]
    """The type of an address with compile-time facts: a 64-bit number wherever one is wanted."""

    def __init__(self, facts: ConstantType) -> None:
        self.digest = facts.digest
        super().__init__(name=f"Address[{facts.name}]")

    def can_convert_to(self, typingctx: Any, other: Any) -> Any:
        """Numba asks: to a number it is safe."""
        return Conversion.safe if other == types.int64 else None


@register_model(AddressType)
class _AddressModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, ir.IntType(64))


@lower_cast(AddressType, types.Integer)
def _address_to_number(context: Any, builder: Any, fromty: Any, toty: Any, val: Any) -> Any:
    return val


@unbox(AddressType)
def _unbox_address(typ: Any, obj: Any, c: Any) -> Any:
    number = c.pyapi.object_getattr_string(obj, "value")
    value = c.pyapi.long_as_longlong(number)
    c.pyapi.decref(number)
    return NativeValue(value)


class ConstantArrayType(types.Opaque):  # type: ignore[misc]
    """The type of an array field: its elements are constants of the machine code."""

    def __init__(self, digest: str, field: str, values: tuple[int, ...]) -> None:
        self.values = values
        super().__init__(name=f"ConstantArray[{digest}.{field}]")


register_model(ConstantArrayType)(models.OpaqueModel)


def register_field(name: str, instances: dict[str, Any]) -> None:
    """Make attribute *name* of every compile-time object a constant in kernels."""

    @intrinsic
    def constant_array(typingctx, obj):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        array = getattr(instances[obj.digest], name)
        values = tuple(int(x) for x in array)

        def generate(context, builder, sig, args):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
            return context.get_dummy_value()

        return ConstantArrayType(obj.digest, name, values)(obj), generate

    @overload_attribute(AddressType, name)
    @overload_attribute(ConstantType, name)
    def _field(obj):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 (Numba compares)
        value = getattr(instances[obj.digest], name)
        if isinstance(value, np.ndarray):
            return lambda obj: constant_array(obj)
        return lambda obj: value


@intrinsic
def _constant_element(typingctx, array, index):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    def generate(context, builder, sig, args):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        values = sig.args[0].values
        data = ir.Constant(ir.ArrayType(ir.IntType(64), len(values)), list(values))
        name = f".const.{abs(hash(values)):x}"
        table = builder.module.globals.get(name)
        if table is None:
            table = ir.GlobalVariable(builder.module, data.type, name=name)
            table.linkage = "private"
            table.global_constant = True
            table.initializer = data
        zero = ir.Constant(ir.IntType(64), 0)
        return builder.load(builder.gep(table, [zero, args[1]], inbounds=True))

    return types.int64(array, types.int64), generate


@overload(operator.getitem)
def _constant_getitem(array, index):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    if isinstance(array, ConstantArrayType) and isinstance(index, types.Integer):
        return lambda array, index: _constant_element(array, index)
    return None


def primitive_type(name: str, signature: str, emit: Callable[..., Any]) -> Any:
    """The Numba type of a machine operation."""
    arguments, result = sigutils.normalize_signature(signature)
    parameters = ", ".join(f"x{i}" for i in range(len(arguments)))
    namespace: dict[str, Any] = {"emit": emit, "arguments": arguments, "result": result}
    # intrinsic() wants a function with as many named parameters as the operation has.
    exec(
        f"def {name}(typingctx, {parameters}):\n"
        "    def generate(context, builder, sig, args):\n"
        "        return emit(builder, *args)\n"
        "    return result(*arguments), generate\n",
        namespace,
    )
    made = intrinsic(namespace[name])
    return made._numba_type_ if hasattr(made, "_numba_type_") else _function_type(made)


def _function_type(made: Any) -> Any:
    from numba.core.registry import cpu_target

    cpu_target.typing_context.refresh()
    return cpu_target.typing_context.resolve_value_type(made)
