"""Models of linalg: structured operations read what their payload uses and write their destinations."""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects.linalg.base import PARALLEL, LinalgOp
from ...dialects.linalg.relayout import AlgorithmOp, SoftmaxOp
from ...ir.defects import EMPTY_LOOPS
from ...ir.program.core import Operation, OpOperand, Region
from ...ir.source.diagnostics import expect
from ...ir.types import types as t
from .base import DestinationStyleModel, ModelContext, PerElementModel, is_init


class StructuredModel(PerElementModel, DestinationStyleModel):
    """An operand is read if the payload uses the corresponding block argument.

    A destination is read also if some of its elements may be left unwritten: see `LinalgOp.overwrites`.
    """

    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        op = expect(LinalgOp, operand.owner)
        if EMPTY_LOOPS in context.mirrored or not op.is_init(operand):
            return op.has_user_of_payload_arg(operand)
        return not op.overwrites(operand)

    def is_repetitive(self, region: Region, context: ModelContext) -> bool:
        """An operation without loops has a single point, so its region does not repeat."""
        op = expect(LinalgOp, region.parent_op)
        return bool(op.iterator_types()) and super().is_repetitive(region, context)

    def is_parallel(self, region: Region, context: ModelContext) -> bool:
        """Points that differ in a parallel dimension are unordered; reductions run in order."""
        op = expect(LinalgOp, region.parent_op)
        return PARALLEL in op.iterator_types() and super().is_parallel(region, context)

    def is_elementwise(self, op: Operation, operands: Sequence[OpOperand], context: ModelContext) -> bool:
        """All dimensions are parallel, and the indexing map of each of the operands is the identity."""
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
    """Reads its input only; the old contents of the output are dead."""

    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        return not is_init(operand)


# As in mlir-opt, packing and Winograd transforms have no model; they must be decomposed first.
MODELS = {LinalgOp: StructuredModel(), SoftmaxOp: SoftmaxModel(), AlgorithmOp: DestinationStyleModel()}
