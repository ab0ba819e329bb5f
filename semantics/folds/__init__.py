"""Folds: results that follow from an operation and its constant operands.

A fold never inserts operations. For each result it returns an existing value or a constant attribute; or it changes
the operation in place. The folds of a dialect are in the module of that name in this package, imported when one of
its operations is first folded; its `FOLDS` maps operation classes to functions

    fold(op, constants) -> list[Value | Attribute] | None

where `constants` holds, for each operand, its constant attribute or None. An empty list, `IN_PLACE`, reports that
the operation was changed in place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from ...ir.program import traits as tr
from ...ir.program.by_class import TablesByClass
from ...ir.program.core import Operation, OpResult, Value
from ...ir.program.interfaces import CastOp
from ...ir.source.diagnostics import present
from ...ir.text.registry import default_registry
from ...ir.types import attributes as a, types as t
from ...ir.types.uniquing import Attribute

Folded = list[Value | Attribute] | None
Constants = list[Attribute | None]
Fold = Callable[[Any, Constants], Folded]

IN_PLACE: Final[list[Value | Attribute]] = []

_SHARED = {"builtin": "others", "bufferization": "others", "complex": "math", "scf": "others"}
FOLDS: Final = TablesByClass[Fold]("FOLDS", __name__, beside="folds", shared=_SHARED)

_Known = tuple[Fold | None, bool, bool, bool]
"""The fold of an operation class, and whether the class is commutative, idempotent, a cast."""

_by_class: dict[type[Operation], _Known] = {}
foldable: Final[dict[type[Operation], bool]] = {}
"""The answers of `can_fold` by operation class, as far as they are known."""


def can_fold(op: Operation) -> bool:
    """Whether operations of this kind may fold and are not constants: false for half of all operations. O(1),
    cached."""
    known = foldable.get(op.__class__)
    if known is None:
        function, commutative, _, cast = _by_class.setdefault(op.__class__, _look_up(op))
        known = (function is not None or commutative or cast) and not op.has_trait(tr.CONSTANT_LIKE)
        foldable[op.__class__] = known
    return known


def fold(op: Operation) -> Folded:
    """The fold results of `op`; `IN_PLACE` if it was changed, None if it does not fold. O(operands)."""
    entry = _by_class.get(type(op))
    if entry is None:
        entry = _by_class[type(op)] = _look_up(op)
    function, commutative, idempotent, cast = entry
    if function is None and not commutative and not cast:
        return None
    constants = [constant_of(use._value) for use in op.op_operands]
    if found := function(op, constants) if function is not None else None:
        return found
    if cast and len(constants) == 1 == len(op.results) and op.op_operands[0].value.type is op.results[0].type:
        return [op.op_operands[0].value]
    if commutative and _move_constants_right(op, constants):
        return IN_PLACE
    if idempotent and found is None and op.op_operands[0].value is op.op_operands[1].value:
        return [op.op_operands[0].value]
    return found


def _look_up(op: Operation) -> _Known:
    if op.definition is None:
        return None, False, False, False
    is_cast = isinstance(op, CastOp)
    if op.dialect == "arith":
        from ...dialects.arith import ConversionOp

        is_cast = is_cast or isinstance(op, ConversionOp)
    return (FOLDS.of(op), op.has_trait(tr.COMMUTATIVE), op.has_trait(tr.IDEMPOTENT), is_cast)


def _move_constants_right(op: Operation, constants: Constants) -> bool:
    """Move the constant operands of a commutative operation to the end; returns whether anything changed."""
    if len(constants) < 2 or not any(constants[:-1]):
        return False
    uses = op.op_operands
    order = [i for i, c in enumerate(constants) if c is None] + [
        i for i, c in enumerate(constants) if c is not None
    ]
    if order == list(range(len(constants))):
        return False
    values = [uses[i].value for i in order]
    for use, value in zip(uses, values, strict=True):
        use.value = value
    return True


# -- Constants as attributes: reading them from values, and materializing them.

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


def _llvm_constant(attribute: a.Attribute, type: t.Type) -> Operation | None:
    from ...dialects import llvm

    return llvm.ConstantOp((), (type,), None, {"value": attribute})


def _complex_or_real(attribute: a.Attribute, type: t.Type) -> Operation | None:
    """An array attribute of complex type is a complex constant; all else is an `arith` constant."""
    if isinstance(attribute, a.ArrayAttr) and isinstance(type, t.ComplexType):
        return present(default_registry().find("complex.constant")).build(value=attribute, complex=type)
    return _arith_constant(attribute, type)


_MAKERS: dict[str, Callable[[a.Attribute, t.Type], Operation | None]] = {
    "complex": _complex_or_real,
    "index": _index_constant,
    "llvm": _llvm_constant,
    "shape": _shape_constant,
    "tensor": _complex_or_real,
}
