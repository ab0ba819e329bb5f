"""The types of shape, and which of them operations take."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from ..ir.declaration.constraints import (
    ANY_SHAPED,
    ANY_TYPE,
    BOOL_ATTR,
    I1,
    STRING_ATTR,
    AttributeConstraint,
    TypeConstraint,
    exactly,
)
from ..ir.declaration.declare import attribute, operand, region, result, variadic_operand, variadic_result
from ..ir.program import traits as tr
from ..ir.program.core import Operation, Region
from ..ir.program.interfaces import RegionBranchOp, RegionBranchTerminatorOp, RegionSuccessor
from ..ir.source.expect import expect
from ..ir.source.records import record
from ..ir.types import attributes as a
from ..ir.types import types as t
from ._family import member

if TYPE_CHECKING:
    from ..ir.text.op_parser import OpParser, ParsedOp
    from ..ir.text.printer import Printer


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


# -- witnesses: what is known of shapes where code runs


class ConstWitnessOp(Operation):
    """A constraint known to hold, or not to."""

    name = "shape.const_witness"
    passing = attribute(BOOL_ATTR)
    result = result(WITNESS_TYPE)
    traits = (tr.CONSTANT_LIKE, tr.PURE)
    assembly_format = "$passing attr-dict"


class AnyOp(Operation):
    """Any of the shapes, which are all known to be equal."""

    name = "shape.any"
    inputs = variadic_operand(SHAPE_OR_EXTENTS)
    result = result(SHAPE_OR_EXTENTS)
    traits = (tr.COMMUTATIVE, tr.PURE)
    assembly_format = "$inputs attr-dict `:` type($inputs) `->` type($result)"


class AssumingAllOp(Operation):
    """Whether all constraints hold."""

    name = "shape.assuming_all"
    inputs = variadic_operand(WITNESS_TYPE)
    result = result(WITNESS_TYPE)
    traits = (tr.COMMUTATIVE, tr.PURE)
    assembly_format = "$inputs attr-dict"

    def verify(self) -> str | None:
        return None if self.op_operands else "no operands specified"


class ShapeConstraintOp(Operation):
    """A constraint on shapes, checked when the program runs."""

    shapes = variadic_operand(SHAPE_OR_EXTENTS)
    result = result(WITNESS_TYPE)
    traits = (tr.COMMUTATIVE,)
    assembly_format = "$shapes attr-dict `:` type($shapes)"


CstrBroadcastableOp = member(
    ShapeConstraintOp, "shape.cstr_broadcastable", "The shapes can be broadcast to one."
)


CstrEqOp = member(ShapeConstraintOp, "shape.cstr_eq", "All shapes are equal.")


class CstrRequireOp(Operation):
    """The condition holds."""

    name = "shape.cstr_require"
    pred = operand(I1)
    msg = attribute(STRING_ATTR)
    result = result(WITNESS_TYPE)
    assembly_format = "$pred `,` $msg attr-dict"


class AssumingYieldOp(RegionBranchTerminatorOp):
    """Ends the region of `shape.assuming` with its results."""

    name = "shape.assuming_yield"
    operands_ = variadic_operand(ANY_TYPE)
    traits = (tr.has_parent("shape.assuming"), tr.PURE, tr.RETURN_LIKE, tr.TERMINATOR)
    assembly_format = "attr-dict ($operands_^ `:` type($operands_))?"


class AssumingOp(RegionBranchOp):
    """Runs its region, which may rely on the constraint."""

    name = "shape.assuming"
    witness = operand(WITNESS_TYPE)
    results_ = variadic_result(ANY_TYPE)
    do_region = region(single_block=True)
    traits = (tr.ImplicitTerminator("shape.assuming_yield"), tr.RECURSIVE_MEMORY_EFFECTS)

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> Generator[Any, Region, None]:
        state.add_operands([p.resolve(p.operand(), WITNESS)])
        state.result_types = p.arrow_types()
        state.regions.append((yield p.region()))
        p.attr_dict(state)

    def print_custom(self, p: Printer) -> Generator[Any, None, None]:
        yield f" {p.value(self.operands[0])}"
        if self.results:
            yield f" -> ({p.types(self.result_types)})"
        yield " "
        yield p.region(self.regions[0], entry_args=False, terminators=bool(self.results))
        yield p.attr_dict(self)

    def region_successors(self, source: Region | None) -> list[RegionSuccessor]:
        """Into the region and from there out: a constraint that fails ends the program before."""
        parent = RegionSuccessor(None, self.results)
        return [parent] if source is not None else [RegionSuccessor(self.regions[0], ())]
