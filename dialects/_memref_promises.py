"""What the program promises of memory."""

from __future__ import annotations

from ..ir.declaration import constraints as c
from ..ir.declaration.declare import attribute, operand, result, variadic_operand, variadic_result
from ..ir.program import traits as tr
from ..ir.program.core import Operation, Value
from ..ir.program.interfaces import ViewLikeOp
from ..ir.types import attributes as a

POSITIVE_I32_ATTR = c.AttributeConstraint(
    "32-bit signless integer attribute whose value is positive",
    lambda attr: isinstance(attr, a.IntegerAttr) and c.I32_ATTR.test(attr) and attr.value > 0,
    c.I32_ATTR.parse,
    c.I32_ATTR.print,
)


class AssumeAlignmentOp(ViewLikeOp):
    """The same buffer, now known to start at a multiple of `alignment` bytes."""

    name = "memref.assume_alignment"
    traits = (tr.PURE, tr.SAME_OPERANDS_AND_RESULT_TYPE)
    memref = operand(c.ANY_MEMREF)
    alignment = attribute(POSITIVE_I32_ATTR)
    result = result(c.ANY_MEMREF)
    assembly_format = "$memref `,` $alignment attr-dict `:` type($memref)"
    result_name = "assume_align"

    def verify(self) -> str | None:
        value = self.alignment.value
        return None if value & (value - 1) == 0 else "alignment must be power of 2"

    def view_source(self) -> Value:
        return self.memref


class DistinctObjectsOp(Operation):
    """The same buffers, now known not to overlap."""

    name = "memref.distinct_objects"
    inputs = variadic_operand(c.ANY_MEMREF)
    outputs = variadic_result(c.ANY_MEMREF)
    traits = (tr.PURE, tr.InferResultTypes(lambda state: [v.type for v in state.operands]))
    assembly_format = "$inputs attr-dict `:` type($inputs)"

    def verify(self) -> str | None:
        return None if self.inputs else "expected at least one operand"
