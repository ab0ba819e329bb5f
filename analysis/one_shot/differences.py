"""Remarks on operands that mlir-opt 22 decides in place although data is lost.

mlir-opt 22 misses conflicts in a few situations: a write in another block of a function than the argument that it
overwrites, regions and loops of unknown operations, results of `scf.index_switch`, results of one call that share a buffer,
constants that a function returns, some values forwarded by loops, and slices of an outer tensor that a loop extracts and
inserts again. Only for programs with one of these is the analysis repeated with mlir-opt's rules, and the decisions compared.
"""

from __future__ import annotations

from ...ir.defects import MLIR_22
from ...ir.program.core import Operation, OpOperand
from ...ir.program.interfaces import SubsetInsertionOp
from ...ir.source.diagnostics import Diagnostic, remark
from ...ir.source.records import replace
from ..causes import CauseKind, stated
from .analyze import analyze
from .loop_copies import LoopCopy
from .result import AnalysisResult
from .state import AnalysisState

CODE = "mlir-22-loses-data"


def remarks_on_differences(result: AnalysisResult) -> list[Diagnostic]:
    """One remark for each operand that mlir-opt 22 would decide in place although data is lost. Costs one more analysis."""
    state = result.unsettled
    if state.mirrored or result.errors:
        return []
    remarks = [
        _loses_data(
            copy.op,
            "result",
            "mlir-opt 22 does not copy the loaded global, which is overwritten elsewhere, and loses data",
        )
        for copy in (result.plan() if state.stored_globals(state.root) else ())
        if copy.cause.kind is CauseKind.GLOBAL_OVERWRITTEN
    ]
    for operand, cause in result.loop_copies.items():
        if cause is LoopCopy.UNSEEN:
            remarks.append(_operand_loses_data(operand))
    copied = result.out_of_place()
    if not copied or not any(may_be_decided_otherwise(state, op) for op in state.order.enter):
        return remarks
    plain = state.options.without_finer_comparisons()
    other = analyze(state.root, replace(plain, compat=MLIR_22), state.registry)
    if other.errors:
        return remarks
    copied = [operand for operand in copied if other.is_in_place(operand)]
    if copied and plain != state.options:  # the finer analysis may have copied other operands instead
        same = analyze(state.root, plain, state.registry)
        copied = [operand for operand in copied if not same.is_in_place(operand)]
    remarks += map(_operand_loses_data, copied)
    return remarks


def _operand_loses_data(operand: OpOperand) -> Diagnostic:
    message = f"mlir-opt 22 does not copy operand #{operand.index} of '{operand.owner.name}' and loses data"
    return _loses_data(operand.owner, f"#{operand.index}", message)


def _loses_data(op: Operation, what: str, message: str) -> Diagnostic:
    found = remark(message, op.name_span, CODE)
    found.derivation = stated(("copied", op, what), ("not copied_by_mlir_22", op, what))
    return found


def may_be_decided_otherwise(state: AnalysisState, op: Operation) -> bool:
    """Whether the operation is of a kind that mlir-opt 22 treats unsoundly. O(regions)."""
    model = state.model_of(op)
    if model is not None and model.may_lose_data_in_reference(op, state):
        return True
    if isinstance(op, SubsetInsertionOp):
        return op.subset_destination().value.parent_region is not op.parent_region
    if not op.regions or op.parent_op is None:
        return False
    if model is None and op.dialect not in ("func", "builtin"):
        return True
    return any(not region.is_empty and not region.has_one_block for region in op.regions)
