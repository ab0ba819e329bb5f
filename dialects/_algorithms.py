"""Destination-style operations that are not loop nests: sort, scan, scatter, top-k, FFT, attention.

`tm_tensor` (torch-mlir) and `iree_linalg_ext` (IREE) share them. Operands are `inputs`, which are read, and `outputs`,
which are read and written; an optional region combines or compares elements. Attributes and forms are in their
declarations.
"""

from __future__ import annotations

from ..ir.declaration import constraints as c
from ..ir.declaration.declare import variadic_operand, variadic_result
from ..ir.program.core import OpOperand
from ..ir.program.interfaces import READ, WRITE, DestinationStyleOp, Effect, MemoryEffectOp
from ..ir.source.diagnostics import expect
from ..ir.types import attributes as a, types as t
from .linalg.base import verify_destinations


class AlgorithmOp(DestinationStyleOp, MemoryEffectOp):
    """Base of these operations; results are tied to `outputs` in order."""

    inputs = variadic_operand()
    outputs = variadic_operand(c.ANY_SHAPED)
    results_ = variadic_result(c.ANY_RANKED_TENSOR)

    def dps_inits(self) -> list[OpOperand]:
        segments = self.properties.get("operandSegmentSizes")
        if segments is None:  # the generic form of a version without segments: destinations are last
            return self.op_operands[len(self.op_operands) - len(self.results) :]
        first, count = expect(a.DenseArrayAttr, segments).values[:2]
        return self.op_operands[first : first + count]

    def memory_effects(self) -> list[Effect]:
        inits = {use.index for use in self.dps_inits()}
        effects: list[Effect] = []
        for use in self.op_operands:
            if isinstance(use.value.type, t.MemRefType):
                effects.append(Effect(READ, use.value))
                if use.index in inits:
                    effects.append(Effect(WRITE, use.value))
        return effects

    def verify(self) -> str | None:
        return verify_destinations(self)
