"""Attributes and types that operations of arith are declared with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir.declaration.constraints import (
    ANY_FLOAT,
    ANY_SIGNLESS_INTEGER,
    SIGNLESS_INTEGER_OR_INDEX,
    AttributeConstraint,
    TypeConstraint,
    integer_enum,
)
from ..ir.program import traits as tr
from ..ir.program.core import Operation
from ..ir.types import attributes as a
from ..ir.types import types as t
from ._family import flag_set

if TYPE_CHECKING:
    from ..ir.text.op_parser import OpParser


SHAPED = (t.VectorType, t.RankedTensorType, t.UnrankedTensorType)


OVERFLOW_ATTR = flag_set(
    "arith",
    "overflow",
    ("nsw", "nuw"),
    ", ",
    everything=None,
    summary="Integer overflow arith flags",
    cpp="::mlir::arith::IntegerOverflowFlags",
)


NO_OVERFLOW_FLAGS = a.DialectAttr("arith", "overflow<none>")


ROUNDING_MODE_ATTR = integer_enum(
    t.I32,
    ("to_nearest_even", "downward", "upward", "toward_zero", "to_nearest_away"),
    "Floating point rounding mode",
)


INTEGER_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


FLOAT_PREDICATES = (
    *("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
    *("ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"),
)


def predicate(cases: tuple[str, ...]):
    numbers = ", ".join(map(str, range(len(cases))))
    allowed = integer_enum(t.I64, cases, f"allowed 64-bit signless integer cases: {numbers}")
    attributes = {case: a.IntegerAttr(i, t.I64) for i, case in enumerate(cases)}

    def parse(p: OpParser) -> a.Attribute:
        start = p.skip()
        found = attributes.get(p.optional_string() or p.optional_keyword() or "")
        if found is None:
            p.error(
                "expected string or keyword containing one of the following enum values for attribute "
                f"'predicate' [{', '.join(cases)}]",
                start,
            )
        return found

    return AttributeConstraint(allowed.summary, allowed.test, parse, allowed.print)


def constant_name(value: a.Attribute | None) -> str:
    """What printing calls a constant: `c4`, `c0_i32`, `true`, or `cst` where the value does not make a name."""
    if isinstance(value, a.IntegerAttr):
        if value.type is t.I1:
            return "true" if value.value else "false"
        return f"c{value.value}" if value.type is t.INDEX else f"c{value.value}_{value.type}"
    return "cst"


class _SameTensorDims(tr.Trait):
    """Tensors are converted to tensors of exactly the same shape."""

    def check(self, op: Operation) -> str | None:
        shapes = [
            getattr(x, "shape", None) if isinstance(x, (t.RankedTensorType, t.UnrankedTensorType)) else ()
            for x in (op.operands[0].type, op.results[0].type)
        ]
        if shapes[0] != shapes[1]:
            return "failed to verify that input and output have the same tensor dimensions"
        return None


SAME_TENSOR_DIMS = _SameTensorDims()


def scalar_of(type: t.Type) -> t.Type:
    return type.element if isinstance(type, SHAPED) else type


def same_container(source: t.Type, target: t.Type) -> bool:
    """Whether both are scalars, or both vectors, or both tensors, of compatible shapes."""
    if not isinstance(source, SHAPED):
        return not isinstance(target, SHAPED)
    if isinstance(source, t.VectorType):
        return isinstance(target, t.VectorType) and source.shape == target.shape
    return isinstance(target, (t.RankedTensorType, t.UnrankedTensorType))


def widens(kind: type[t.IntegerType] | type[t.FloatType]):
    def converts(source: t.Type, target: t.Type) -> bool:
        return isinstance(source, kind) and isinstance(target, kind) and source.width < target.width

    return converts


def narrows(kind: type[t.IntegerType] | type[t.FloatType]):
    def converts(source: t.Type, target: t.Type) -> bool:
        return isinstance(source, kind) and isinstance(target, kind) and source.width > target.width

    return converts


def or_memref(scalar: TypeConstraint, summary: str) -> TypeConstraint:
    return TypeConstraint(
        summary,
        lambda type: (
            scalar.test(type) or (isinstance(type, (*SHAPED, t.MemRefType)) and scalar.test(type.element))
        ),
    )


INDEX_CAST_TYPE = or_memref(SIGNLESS_INTEGER_OR_INDEX, "signless-integer-like or memref of signless-integer")


BITCAST_TYPE = or_memref(
    TypeConstraint("", lambda x: ANY_SIGNLESS_INTEGER.test(x) or x is t.INDEX or ANY_FLOAT.test(x)),
    "signless-integer-or-float-like or memref of signless-integer or float",
)
