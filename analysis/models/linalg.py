"""Models of linalg: structured operations read what their payload uses and write their destinations."""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects._algorithms import AlgorithmOp
from ...dialects.linalg.base import PARALLEL, LinalgOp
from ...dialects.linalg.relayout import SoftmaxOp
from ...ir.defects import EMPTY_LOOPS
from ...ir.program.core import Operation, OpOperand, Region
from ...ir.source.diagnostics import expect
from ...ir.types import types as t
from .base import DestinationStyleModel, ModelContext, PerElementModel, is_init


class StructuredModel(PerElementModel, DestinationStyleModel):
    """An operand is read if the payload uses the block argument that stands for its elements.

    A destination also is if some of its elements may be left as they are: see `LinalgOp.overwrites`.
    """

    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        op = expect(LinalgOp, operand.owner)
        if EMPTY_LOOPS in context.mirrored or not op.is_init(operand):
            return op.has_user_of_payload_arg(operand)
        return not op.overwrites(operand)

    def is_repetitive(self, region: Region, context: ModelContext) -> bool:
        """Not without loops: then there is one point."""
        op = expect(LinalgOp, region.parent_op)
        return bool(op.iterator_types()) and super().is_repetitive(region, context)

    def is_parallel(self, region: Region, context: ModelContext) -> bool:
        """Points that differ in a parallel loop have no order; those of reductions alone have one."""
        op = expect(LinalgOp, region.parent_op)
        return PARALLEL in op.iterator_types() and super().is_parallel(region, context)

    def is_elementwise(self, op: Operation, operands: Sequence[OpOperand], context: ModelContext) -> bool:
        """All loops are parallel, and each of the operands is accessed at the loops' own indices."""
        assert isinstance(op, LinalgOp)
        if any(kind != PARALLEL for kind in op.iterator_types()):
            return False
        return all(
            isinstance(use.value.type, t.RankedTensorType)
            and use.value.type.encoding is None
            and op.matching_map(use).is_identity
            for use in operands
        )


class SoftmaxModel(DestinationStyleModel):
    """Reads its input only; what the output held does not matter."""

    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        return not is_init(operand)


# Packing and Winograd transforms have none, as in mlir-opt: they are to be decomposed first.
MODELS = {LinalgOp: StructuredModel(), SoftmaxOp: SoftmaxModel(), AlgorithmOp: DestinationStyleModel()}
