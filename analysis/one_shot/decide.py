"""Deciding: operand by operand, greedily, never taking anything back.

An operand is kept in place unless there is a conflict (`plain.py` says what that is, `search.py` finds it). Operands
that must be in place are decided before all others; should a conflict show up later they stay where they are, as
in mlir-opt.
"""

from __future__ import annotations

from collections.abc import Callable

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
