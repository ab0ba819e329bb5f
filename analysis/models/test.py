"""Models of MLIR's test dialect: operations on tensors of its own type."""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects.test import CreateTensorOp, DummyTensorOp
from ...ir.program.core import OpOperand, OpResult
from .base import AliasingValue, Model, ModelContext


class OutOfPlaceModel(Model):
    """Reads its operands and allocates its result."""

    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        return True

    def writes(self, operand: OpOperand, context: ModelContext) -> bool:
        return False

    def aliasing_values(self, operand: OpOperand, context: ModelContext) -> Sequence[AliasingValue]:
        return ()

    def allocates(self, result: OpResult) -> bool:
        return True


MODELS = {DummyTensorOp: OutOfPlaceModel(), CreateTensorOp: OutOfPlaceModel()}
