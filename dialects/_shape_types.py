"""The types of shape, and which of them operations take."""

from __future__ import annotations

from ..ir.declaration.constraints import ANY_SHAPED, AttributeConstraint, TypeConstraint, exactly
from ..ir.program import traits as tr
from ..ir.program.core import Operation
from ..ir.source.expect import expect
from ..ir.source.records import record
from ..ir.types import attributes as a
from ..ir.types import types as t

SHAPE = t.DialectType("shape", "shape")


SIZE = t.DialectType("shape", "size")


VALUE_SHAPE = t.DialectType("shape", "value_shape")


WITNESS = t.DialectType("shape", "witness")


def is_extent_tensor(type: t.Type) -> bool:
    """Whether `type` is a tensor of rank 1 of `index`."""
    return isinstance(type, t.RankedTensorType) and type.element is t.INDEX and len(type.shape) == 1


SHAPE_TYPE = exactly(SHAPE, "shape")


SIZE_TYPE = exactly(SIZE, "size")


VALUE_SHAPE_TYPE = exactly(VALUE_SHAPE, "value_shape")


WITNESS_TYPE = exactly(WITNESS, "witness")


SHAPE_OR_EXTENTS = TypeConstraint("shape or extent tensor", lambda x: x is SHAPE or is_extent_tensor(x))


SIZE_OR_INDEX = TypeConstraint("size or index", lambda x: x is SIZE or x is t.INDEX)


SHAPE_OR_SIZE = TypeConstraint("shape or size", lambda x: x in (SHAPE, SIZE))


ANY_SHAPE_OR_SIZE = TypeConstraint(
    "any shape or size", lambda x: SHAPE_OR_EXTENTS.test(x) or SIZE_OR_INDEX.test(x)
)


SHAPED_OR_VALUE_SHAPE = TypeConstraint(
    "shaped of any type values or ", lambda x: x is VALUE_SHAPE or ANY_SHAPED.test(x)
)


EXTENT_TENSOR = TypeConstraint("1D tensor of index values", is_extent_tensor)


INDEX_TENSOR = TypeConstraint(
    "tensor of index values",
    lambda x: isinstance(x, (t.RankedTensorType, t.UnrankedTensorType)) and x.element is t.INDEX,
)


INTEGER_VECTOR_OR_VALUE_SHAPE = TypeConstraint(
    "1D tensor of integer or index values or ",
    lambda x: (
        x is VALUE_SHAPE
        or (
            isinstance(x, t.RankedTensorType)
            and len(x.shape) == 1
            and isinstance(x.element, (t.IntegerType, t.IndexType))
        )
    ),
)


EXTENTS_ATTR = AttributeConstraint(
    "index elements attribute",
    lambda attr: isinstance(attr, a.DenseElementsAttr) and attr.type.element is t.INDEX,
)


@record(frozen=True)
class _ExtentsOfConstant(tr.Trait):
    """A constant shape is a `!shape.shape`, or a tensor of as many extents as it has."""

    def check(self, op: Operation) -> str | None:
        inferred, type = (
            t.RankedTensorType((len(expect(a.DenseElementsAttr, op.properties["shape"]).values()),), t.INDEX),
            op.results[0].type,
        )
        if type in (SHAPE, inferred):
            return None
        return f"inferred type(s) '{inferred}' are incompatible with return type(s) of operation '{type}'"


EXTENTS_OF_CONSTANT = _ExtentsOfConstant()
