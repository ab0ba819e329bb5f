"""Greedy in-place decisions, operand by operand in a chosen order, without backtracking.

An operand is kept in place unless there is a conflict (`rules/conflict.dl` defines it, `search.py` finds it). Operands that
must be in place are decided before all others; should a conflict show up later they stay where they are, as in mlir-opt.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from ...ir.defects import PARALLEL_INSERTIONS
from ...ir.program import traits as tr
from ...ir.program.core import Operation, OpOperand, OpResult
from ...ir.program.interfaces import RegionBranchTerminatorOp
from ..models.base import is_tensor
from .decided import InPlaceConflict
from .options import BOTTOM_UP_FROM_TERMINATORS, FUZZER, TOP_DOWN
from .state import AnalysisState, tensor_operands

if TYPE_CHECKING:
    import random

# Decisions are greedy, so the order of operations is the heuristic. Every heuristic starts from the post-order of all
# operations with tensor semantics.

# The fuzzing heuristic shuffles that list with the 32-bit Mersenne Twister, seeded with one integer. Python's generator is
# the same but expands the seed differently, so the initial state is computed here.
#
# .. [1] M. Matsumoto, T. Nishimura, "Mersenne Twister", ACM TOMACS 8(1), 1998 (with the initialisation of 2002).

T = TypeVar("T")

STATE_SIZE = 624
WORD = 0xFFFFFFFF


def mt19937(seed: int) -> random.Random:
    """A generator whose `getrandbits(32)` gives the outputs of `std::mt19937` with this seed."""
    state = [seed & WORD]
    for i in range(1, STATE_SIZE):
        state.append((1812433253 * (state[-1] ^ (state[-1] >> 30)) + i) & WORD)
    import random  # only `analysis-heuristic=fuzzer` needs it

    generator = random.Random()
    generator.setstate((3, (*state, STATE_SIZE), None))
    return generator


def shuffled(items: list[T], seed: int) -> list[T]:
    """The items in the order of `llvm::shuffle` with `std::mt19937(seed)`. O(items)."""
    generator = mt19937(seed)
    order = list(items)
    size = len(order)
    for position in range(size - 1):
        offset = generator.getrandbits(32) % (size - position)
        other = position + offset
        order[position], order[other] = order[other], order[position]
    return order


def decision_order(state: AnalysisState, root: Operation, heuristic: str | None = None) -> list[Operation]:
    """The operations inside `root`, itself included, in the order of decisions. O(operations).

    `heuristic` defaults to that of the options.
    """
    post_order = state.tensor_operations(root)
    heuristic = heuristic or state.options.analysis_heuristic
    if heuristic == TOP_DOWN:
        return post_order
    if heuristic == FUZZER:
        return shuffled(post_order, state.options.analysis_fuzzer_seed)
    if heuristic == BOTTOM_UP_FROM_TERMINATORS:
        first = feeding_terminators(state, root)
        others = set(post_order).difference(first)
        return [*first, *reversed([op for op in root.walk() if op in others])]
    return post_order[::-1]


def feeding_terminators(state: AnalysisState, root: Operation) -> dict[Operation, None]:
    """Terminators of regions, each followed by the operations of its region that its operands are reverse-reachable from.

    The walk includes an operation outside of the region but does not continue to its operands.
    """
    found: dict[Operation, None] = {}
    for terminator in state.post_order(root):
        if not _forwards_operands(terminator):
            continue
        if terminator in found:
            continue
        found[terminator] = None
        region = terminator.parent_region
        pending = [v for v in terminator.operands if isinstance(v, OpResult) and is_tensor(v)]
        while pending:
            result = pending.pop()
            op = result.owner
            if op in found:
                continue
            found[op] = None
            if op.ancestor_in_region(region) is None:
                continue
            for alias in state.aliasing_operands(result):
                source = alias.operand.value
                if isinstance(source, OpResult) and is_tensor(source):
                    pending.append(source)
    return found


def _forwards_operands(op: Operation) -> bool:
    return isinstance(op, RegionBranchTerminatorOp) or op.has_trait(tr.RETURN_LIKE)


Search = Callable[[AnalysisState, OpOperand], InPlaceConflict | None]


def decide_required(state: AnalysisState, root: Operation) -> None:
    """Decide the operands in place that must be. O(operations)."""
    for op in state.post_order(root):
        if not state.is_known(op):
            continue
        for operand in tensor_operands(op):
            if state.must_be_in_place(operand):
                state.keep_in_place(operand)


def decide_where_told(
    state: AnalysisState, root: Operation, search: Search, found: dict[OpOperand, InPlaceConflict]
) -> Operation | None:
    """Decide operands in place first that operations write but cannot copy, such as parallel insertions. O(operations).

    mlir-opt 22 decides them in heuristic order, and writes in place even if it decided otherwise.

    Returns:
        the first operation with a conflict, which is added to `found`; None if there is none.
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
    """Decide every tensor operand inside `root`; conflicts are added to `found`."""
    for op in decision_order(state, root):
        for operand in tensor_operands(op):
            conflict = search(state, operand)
            if conflict is None:
                state.keep_in_place(operand)
            else:
                found[operand] = conflict
