"""Folds of `shape`."""

from __future__ import annotations

from typing import Final

from ...ir.core import Operation
from . import Constants, Fold, Folded


def _broadcast(op: Operation, constants: Constants) -> Folded:
    """One shape is broadcast to itself."""
    if len(op.op_operands) == 1 and op.op_operands[0].value.type is op.results[0].type:
        return [op.op_operands[0].value]
    return None


FOLDS: Final[dict[str, Fold]] = {"shape.broadcast": _broadcast}
