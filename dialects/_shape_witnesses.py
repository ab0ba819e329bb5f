"""Witnesses: what is known of shapes where code runs."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from ..ir.declaration.constraints import ANY_TYPE, BOOL_ATTR, I1, STRING_ATTR
from ..ir.declaration.declare import attribute, operand, region, result, variadic_operand, variadic_result
from ..ir.program import traits as tr
from ..ir.program.core import Operation, Region
from ..ir.program.interfaces import RegionBranchOp, RegionBranchTerminatorOp, RegionSuccessor
from ._family import member
from ._shape_types import SHAPE_OR_EXTENTS, WITNESS, WITNESS_TYPE

if TYPE_CHECKING:
    from ..ir.text.op_parser import OpParser, ParsedOp
    from ..ir.text.printer import Printer


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
