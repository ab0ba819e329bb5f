"""Deciding: operand by operand, greedily, never taking anything back.

An operand is kept in place unless there is a conflict (`plain.py` says what that is, `search.py` finds it). Operands
that must be in place are decided before all others; should a conflict show up later they stay where they are, as
in mlir-opt.
"""

from __future__ import annotations

from collections.abc import Callable

from ...ir.defects import PARALLEL_INSERTIONS
from ...ir.program.core import Operation, OpOperand
from .found_conflicts import InPlaceConflict
from .order import decision_order
from .state import AnalysisState, tensor_operands

Search = Callable[[AnalysisState, OpOperand], InPlaceConflict | None]


def decide_required(state: AnalysisState, root: Operation) -> None:
    """Keep in place what must be. O(operations)."""
    for op in state.post_order(root):
        if not state.is_known(op):
            continue
        for operand in tensor_operands(op):
            if state.must_be_in_place(operand):
                state.keep_in_place(operand)


def decide_where_told(
    state: AnalysisState, root: Operation, search: Search, found: dict[OpOperand, InPlaceConflict]
) -> Operation | None:
    """Keep in place what operations write that cannot be given a copy, so that others give way. O(operations).

    mlir-opt 22 decides them in their turn, and has them write in place even if it decided otherwise.

    Returns:
        the first operation for which that is a contradiction; the conflict goes to `found`.
    """
    if PARALLEL_INSERTIONS in state.mirrored:
        return None
    for op in state.post_order(root):
        model = state.model_of(op)
        if model is None or model.makes_copies:
            continue
        for operand in tensor_operands(op):
            if state.writes(operand):
                conflict = search(state, operand)
                if conflict is not None:
                    found[operand] = conflict
                    return op
                state.keep_in_place(operand)
    return None


def decide(
    state: AnalysisState, root: Operation, search: Search, found: dict[OpOperand, InPlaceConflict]
) -> None:
    """Decide every tensor operand inside `root`; what speaks against one goes to `found`."""
    for op in decision_order(state, root):
        for operand in tensor_operands(op):
            conflict = search(state, operand)
            if conflict is None:
                state.keep_in_place(operand)
            else:
                found[operand] = conflict
