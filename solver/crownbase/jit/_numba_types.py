"""Types and operations added to Numba; imported when the first kernel is compiled."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import llvmlite.ir as ir
import numpy as np
from numba.core import sigutils, types
from numba.core.typeconv import Conversion
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import (
    NativeValue,
    intrinsic,
    lower_cast,
    lower_getattr_generic,
    lower_setattr_generic,
    models,
    overload,
    register_model,
    unbox,
)

INSTANCES: dict[str, Any] = {}
"""Compile-time objects by their digest."""


class ConstantType(types.Opaque):  # type: ignore[misc]
    """The type of one compile-time object; the digest of its fields is its identity."""

    def __init__(self, class_name: str, digest: str) -> None:
        self.digest = digest
        super().__init__(name=f"{class_name}[{digest}]")

    def field(self, name: str) -> Any:
        """The value of a field, None if there is none of this name."""
        return getattr(INSTANCES[self.digest], name, None)

    def field_type(self, name: str) -> Any:
        """Its Numba type, None likewise."""
        value = self.field(name)
        if isinstance(value, np.ndarray):
            return ConstantArrayType(self.digest, name, tuple(int(x) for x in value))
        for kind, found in ((bool, types.boolean), (int, types.int64), (float, types.float64)):
            if isinstance(value, kind):
                return found
        return None


register_model(ConstantType)(models.OpaqueModel)


class ConstantArrayType(types.Opaque):  # type: ignore[misc]
    """The type of an array field: its elements are constants of the machine code."""

    def __init__(self, digest: str, field: str, values: tuple[int, ...]) -> None:
        self.values = values
        super().__init__(name=f"ConstantArray[{digest}.{field}]")


register_model(ConstantArrayType)(models.OpaqueModel)


@unbox(ConstantType)
def _unbox_constant(typ: Any, obj: Any, c: Any) -> Any:
    return NativeValue(c.context.get_dummy_value())


@infer_getattr
class _ConstantFields(AttributeTemplate):  # type: ignore[misc]
    key = ConstantType

    def generic_resolve(self, constant: ConstantType, name: str) -> Any:
        return constant.field_type(name)


@lower_getattr_generic(ConstantType)
def _constant_field(context: Any, builder: Any, typ: ConstantType, value: Any, name: str) -> Any:
    kind = typ.field_type(name)
    if isinstance(kind, ConstantArrayType):
        return context.get_dummy_value()
    return context.get_constant(kind, typ.field(name))


class AddressType(types.Type):  # type: ignore[misc]
    """The type of an address: a 64-bit number wherever one is wanted, with attributes.

    *facts*: the compile-time object whose fields are constants, or None. *words*: the names of
    the words in memory there, in order.
    """

    def __init__(self, facts: ConstantType | None, words: tuple[str, ...]) -> None:
        self.facts = facts
        self.words = words
        super().__init__(name=f"Address[{facts and facts.name}, {', '.join(words)}]")

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


@infer_getattr
class _AddressAttributes(AttributeTemplate):  # type: ignore[misc]
    key = AddressType

    def generic_resolve(self, address: AddressType, name: str) -> Any:
        if name in address.words:
            return types.int64
        return address.facts.field_type(name) if address.facts else None


@lower_getattr_generic(AddressType)
def _load_word(context: Any, builder: Any, typ: AddressType, value: Any, name: str) -> Any:
    if name not in typ.words:
        return _constant_field(context, builder, typ.facts, None, name)
    return builder.load(_pointer_to_word(builder, typ, value, name))


@lower_setattr_generic(AddressType)
def _store_word(context: Any, builder: Any, sig: Any, args: Any, name: str) -> None:
    address, value = args
    value = context.cast(builder, value, sig.args[1], types.int64)
    builder.store(value, _pointer_to_word(builder, sig.args[0], address, name))


def _pointer_to_word(builder: Any, typ: AddressType, address: Any, name: str) -> Any:
    word = ir.IntType(64)
    offset = ir.Constant(word, 8 * typ.words.index(name))
    return builder.inttoptr(builder.add(address, offset), word.as_pointer())


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


def dispatcher_type(dispatcher: Any) -> Any:
    """The Numba type of a kernel's inner form."""
    return types.Dispatcher(dispatcher)


def address_signature(words: tuple[str, ...]) -> Any:
    """The signature of what makes an address with these words of a number."""
    return AddressType(None, words)(types.int64)


def primitive_type(name: str, signature: Any, emit: Callable[..., Any]) -> Any:
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
