"""Constants as attributes: reading them from values, and materializing them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...ir.program.core import Operation, OpResult, Value
from ...ir.source.diagnostics import present
from ...ir.text.registry import default_registry
from ...ir.types import attributes as a, types as t

ELEMENTS = (a.DenseElementsAttr, a.DenseResourceAttr, a.SparseElementsAttr)


def constant_of(value: Value) -> a.Attribute | None:
    """The attribute of a constant value, else None."""
    if value.__class__ is not OpResult:
        return None
    op = value.owner  # pyright: ignore[reportAttributeAccessIssue]
    definition = op.definition
    if definition is None or not definition.is_constant_like:
        return None
    for key in ("value", "shape", "passing"):
        if (found := op.properties.get(key)) is not None:
            return found
    return definition.defaults.get("value")


def integer_of(value: Value) -> int | None:
    """The number of a constant integer value, else None."""
    found = constant_of(value)
    return found.value if isinstance(found, a.IntegerAttr) else None


def scalar_integer(attribute: a.Attribute | None) -> int | None:
    """The number of an integer attribute or of an integer splat, else None."""
    if isinstance(attribute, a.IntegerAttr):
        return attribute.value
    if (
        isinstance(attribute, a.DenseElementsAttr)
        and attribute.is_splat
        and isinstance(attribute.type.element, (t.IntegerType, t.IndexType))
    ):
        return int(attribute.splat_value)
    return None


def materialize(dialect: str, attribute: a.Attribute, type: t.Type) -> Operation | None:
    """A detached constant operation for `dialect` with that value and type; None if there is none."""
    make = _MAKERS.get(dialect, _arith_constant)
    return make(attribute, type)


def materialize_all(
    op: Operation, folded: Sequence[Value | a.Attribute]
) -> tuple[list[Value], list[Operation]] | None:
    """The fold results of `op` as values, and the detached constants created for them.

    None if one of them has no constant operation.
    """
    values: list[Value] = []
    made: list[Operation] = []
    for item, result in zip(folded, op.results, strict=True):
        if isinstance(item, Value):
            values.append(item)
            continue
        constant = materialize(op.dialect, item, result.type)
        if constant is None:
            return None
        made.append(constant)
        values.append(constant.results[0])
    return values, made


def _arith_constant(attribute: a.Attribute, type: t.Type) -> Operation | None:
    from ...dialects import arith, builtin

    if isinstance(attribute, a.DialectAttr):
        return builtin.PoisonOp.build(value=attribute, result=type) if attribute is builtin.POISON else None
    if getattr(attribute, "type", None) is not type or not isinstance(
        attribute, (a.IntegerAttr, a.FloatAttr, *ELEMENTS)
    ):
        return None
    if isinstance(type, t.IntegerType) and not type.is_signless:
        return None
    return arith.ConstantOp((), (type,), None, {"value": attribute})


def _index_constant(attribute: a.Attribute, type: t.Type) -> Operation | None:
    from ...dialects import index

    if isinstance(attribute, a.IntegerAttr) and attribute.type is type:
        if type is t.I1:
            return index.BoolConstantOp.build(value=attribute, result=type)
        if type is t.INDEX:
            return index.ConstantOp.build(value=attribute, result=type)
    return None


def _shape_constant(attribute: a.Attribute, type: t.Type) -> Operation | None:
    from ...dialects import shape
    from ...dialects.shape import WITNESS, is_extent_tensor

    if type is shape.SIZE and isinstance(attribute, a.IntegerAttr):
        return shape.ConstSizeOp.build(value=attribute, result=type)
    if type is WITNESS and isinstance(attribute, a.IntegerAttr):
        return shape.ConstWitnessOp.build(passing=attribute, result=type)
    if isinstance(attribute, a.DenseElementsAttr):
        if type is shape.SHAPE or (is_extent_tensor(type) and attribute.type is type):
            return shape.ConstShapeOp.build(shape=attribute, result=type)
        return None
    return _arith_constant(attribute, type)


def _complex_or_real(attribute: a.Attribute, type: t.Type) -> Operation | None:
    """An array attribute of complex type is a complex constant; all else is an `arith` constant."""
    if isinstance(attribute, a.ArrayAttr) and isinstance(type, t.ComplexType):
        return present(default_registry().find("complex.constant")).build(value=attribute, complex=type)
    return _arith_constant(attribute, type)


_MAKERS: dict[str, Callable[[a.Attribute, t.Type], Operation | None]] = {
    "complex": _complex_or_real,
    "index": _index_constant,
    "shape": _shape_constant,
    "tensor": _complex_or_real,
}
