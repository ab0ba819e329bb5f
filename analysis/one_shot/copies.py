"""Which buffers a rewrite has to insert for the decisions that were made, and whether they start as copies.

An operand that is not in place gets a buffer of its own. If all the operation does with it is make one view, the view
is copied instead, which is often smaller. What is in the old buffer need not be copied if it is undefined, if the
operation overwrites all of it, or if nobody reads it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from enum import StrEnum

from ...ir.program.core import Operation, OpOperand, OpResult, Value
from ...ir.types import types as t
from ..models.base import is_tensor
from .loop_copies import LoopCopy
from .state import AnalysisState, tensor_operands


class CopyCause(StrEnum):
    """Why a buffer is inserted."""

    OUT_OF_PLACE = "out-of-place"
    LOOP_YIELD = "loop-yield"
    LOOP_CONDITION = "loop-condition"
    LOOP_UNSEEN = "loop-unseen"
    GLOBAL_OVERWRITTEN = "global-overwritten"


OF_LOOPS = {
    LoopCopy.YIELD: CopyCause.LOOP_YIELD,
    LoopCopy.CONDITION: CopyCause.LOOP_CONDITION,
    LoopCopy.UNSEEN: CopyCause.LOOP_UNSEEN,
}


@dataclass(frozen=True, slots=True)
class Copy:
    """A buffer to be inserted.

    Attributes:
        cause: why.
        op: the operation before which (of an operand) or after which (of a result) it is inserted.
        operand: the operand it is for; None if a result is copied for its own sake.
        value: the value that is copied: what the operand holds, or a result of `op`.
        of_result: whether it stands for a result after `op`, rather than for an operand before it.
        with_contents: whether it starts as a copy, rather than with undefined contents.
    """

    cause: CopyCause
    op: Operation
    operand: OpOperand | None
    value: Value
    of_result: bool
    with_contents: bool


def planned_copies(
    state: AnalysisState,
    roots: Iterable[Operation],
    undefined_uses: Set[OpOperand],
    loop_copies: Mapping[OpOperand, LoopCopy],
) -> list[Copy]:
    """All buffers to insert inside `roots`, nested operations first and in the order of operands. O(operations)."""
    copies: list[Copy] = []
    for root in roots:
        for op in root.walk_post_order():
            model = state.model_of(op)
            if model is not None and model.makes_copies:
                copies += _of_operands(state, op, undefined_uses)
                copies += _of_loops(op, loop_copies)
        copies += _of_globals(state, root)
    return copies


def _of_operands(state: AnalysisState, op: Operation, undefined_uses: Set[OpOperand]) -> Iterator[Copy]:
    after: list[Copy] = []
    for operand in tensor_operands(op):
        if operand in state.in_place:
            continue
        contents = operand not in undefined_uses and needs_contents(state, operand)
        view = _only_view(state, operand)
        if view is not None:
            after.append(Copy(CopyCause.OUT_OF_PLACE, op, operand, view, True, contents))
        else:
            yield Copy(CopyCause.OUT_OF_PLACE, op, operand, operand.value, False, contents)
    yield from after


def _only_view(state: AnalysisState, operand: OpOperand) -> OpResult | None:
    """The result to copy in the operand's stead: the only alias of an operand that is the only alias of it."""
    aliases = state.aliasing_values(operand)
    if len(aliases) != 1 or state.writes(operand):
        return None
    view = aliases[0].value
    if not isinstance(view, OpResult) or not isinstance(view.type, t.RankedTensorType):
        return None
    return view if len(state.aliasing_operands(view)) == 1 else None


def needs_contents(state: AnalysisState, operand: OpOperand) -> bool:
    """Whether what the old buffer of `operand` holds, if it is defined, must be in a new one."""
    if state.reads(operand):
        return True
    if state.writes(operand):
        return False
    return any(state.is_value_read(alias.value) for alias in state.aliasing_values(operand))


def _of_loops(op: Operation, loop_copies: Mapping[OpOperand, LoopCopy]) -> Iterator[Copy]:
    """What a loop hands on must not be a buffer of somebody else."""
    for use in op.op_operands:
        cause = loop_copies.get(use)
        if cause is not None:
            yield Copy(OF_LOOPS[cause], op, use, use.value, False, True)


def _of_globals(state: AnalysisState, root: Operation) -> Iterator[Copy]:
    """A loaded global that is stored to somewhere has to be copied where it is loaded.

    mlir-opt 22 does not: what was loaded then changes under its reader.
    """
    if state.mirrors_mlir_22:
        return
    stored = state.stored_globals
    if not stored:
        return
    for op in root.walk_post_order():
        model = state.model_of(op)
        name = None if model is None else model.global_loaded(op)
        if name in stored and is_tensor(op.results[0]) and state.is_value_read(op.results[0]):
            yield Copy(CopyCause.GLOBAL_OVERWRITTEN, op, None, op.results[0], True, True)
