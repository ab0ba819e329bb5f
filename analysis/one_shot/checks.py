"""What is checked before anything is decided: that the program can be bufferized at all, and that what must be in
place does not contradict itself. The messages are those of mlir-opt."""

from __future__ import annotations

from ...ir.program.core import Operation, OpOperand
from ...ir.source.diagnostics import Diagnostic, error
from .found_conflicts import InPlaceConflict, PairConflict, ReadOnly
from .search import conflicts, inside_conflict, touched_classes
from .state import AnalysisState, tensor_operands

CONSTRAINTS = "not bufferizable under the given constraints"


def check_control_flow(state: AnalysisState, root: Operation) -> Diagnostic | None:
    """The first operation with several blocks whose model does not support that."""
    for op in state.post_order(root):
        model = state.model_of(op)
        if model is None or model.supports_multiple_blocks:
            continue
        if any(not region.is_empty and not region.has_one_block for region in op.regions):
            message = (
                "op or BufferizableOpInterface implementation does not support unstructured control flow, "
                "but at least one region has multiple blocks"
            )
            return _op_error(op, message)
    return None


def check_required(
    state: AnalysisState, root: Operation, found: dict[OpOperand, InPlaceConflict]
) -> Diagnostic | None:
    """The first contradiction among operands that must be in place; the conflict goes to `found`."""
    checked: set[int] = set()
    for op in state.post_order(root):
        model = state.model_of(op)
        if model is None:
            continue
        refusal = model.refusal(op)
        if refusal is not None:
            return _op_error(op, refusal)
        for operand in tensor_operands(op):
            conflict = _conflict_as_decided(state, operand, checked)
            if conflict is not None:
                found[operand] = conflict
                return cannot_avoid_conflict(op)
            if operand not in state.in_place:
                continue
            classes = touched_classes(state, operand)
            if any(facts.writes.count for facts in classes) and any(f.not_writable for f in classes):
                found[operand] = ReadOnly(tuple(v for facts in classes for v in facts.not_writable))
                return _op_error(op, f"{CONSTRAINTS}: would write to read-only buffer")
    return None


def _conflict_as_decided(state: AnalysisState, operand: OpOperand, checked: set[int]) -> PairConflict | None:
    """A conflict among the classes of the operand and its aliases, without assuming that it is in place itself."""
    classes = touched_classes(state, operand)
    if not any(facts.writes.count for facts in classes):
        return None
    for facts in classes:
        if id(facts) not in checked:
            checked.add(id(facts))
            conflict = inside_conflict(state, facts)
            if conflict is not None:
                return conflict
    return next(conflicts(state, operand, classes, as_decided=True), None)


def cannot_avoid_conflict(op: Operation) -> Diagnostic:
    return _op_error(op, f"{CONSTRAINTS}: cannot avoid RaW conflict")


def _op_error(op: Operation, message: str) -> Diagnostic:
    return error(f"'{op.name}' op {message}", op.name_span)
