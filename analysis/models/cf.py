"""Models of cf: a branch hands its operands to block arguments."""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects import cf
from ...ir.program.core import OpOperand
from .base import AliasingValue, Model, ModelContext
from .branches import target_of


class BranchModel(Model):
    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        return False

    def aliasing_values(self, operand: OpOperand, context: ModelContext) -> Sequence[AliasingValue]:
        arg = target_of(operand)
        return () if arg is None else (AliasingValue(arg, equivalent=True, definite=False),)


MODELS = {cf.BranchToOp: BranchModel(), cf.CondBranchOp: BranchModel()}
