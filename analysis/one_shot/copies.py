"""Which buffers a rewrite has to insert for the decisions that were made, and whether they start as copies.

An operand that is not in place gets a buffer of its own. If all the operation does with it is make one view, the view
is copied instead, which is often smaller. What is in the old buffer need not be copied if it is undefined, if the
operation overwrites all of it, or if nobody reads it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from enum import StrEnum

from ...ir import types as t
from ...ir.core import BlockArgument, Operation, OpOperand, OpResult, Region, Value
from ..models.base import is_tensor
from ..models.scf import WhileModel, terminator
from .state import AnalysisState, tensor_operands


class CopyCause(StrEnum):
    """Why a buffer is inserted."""

    OUT_OF_PLACE = "out-of-place"
    LOOP_YIELD = "loop-yield"
    LOOP_CONDITION = "loop-condition"
    GLOBAL_OVERWRITTEN = "global-overwritten"


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
    state: AnalysisState, roots: Iterable[Operation], undefined_uses: Set[OpOperand]
) -> list[Copy]:
    """All buffers to insert inside `roots`, nested operations first and in the order of operands.

    O(operations), plus for each loop the alias classes of what it yields.
    """
    copies: list[Copy] = []
    for root in roots:
        for op in root.walk_post_order():
            if state.is_known(op):
                copies += _of_operands(state, op, undefined_uses)
                copies += _of_loops(state, op)
        copies += _of_globals(state, root)
    return copies


def _of_operands(state: AnalysisState, op: Operation, undefined_uses: Set[OpOperand]) -> Iterator[Copy]:
    if op.name == "tensor.parallel_insert_slice":
        return
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


def _of_loops(state: AnalysisState, op: Operation) -> Iterator[Copy]:
    """What a loop hands on must not be a buffer of somebody else."""
    if op.name == "scf.for":
        leave = terminator(op.regions[0])
        for use in leave.op_operands:
            arg = op.regions[0].entry.args[1 + use.index]
            if is_tensor(use.value) and _aliases_from_outside(state, use.value, op.regions[0], arg):
                yield Copy(CopyCause.LOOP_YIELD, leave, use, use.value, False, True)
    elif op.name == "scf.while":
        condition = terminator(op.regions[0])
        for use in condition.op_operands[1:]:
            if is_tensor(use.value) and not WhileModel.keeps_buffer(op, use.index - 1, state):
                yield Copy(CopyCause.LOOP_CONDITION, condition, use, use.value, False, True)


def _aliases_from_outside(state: AnalysisState, value: Value, body: Region, own: BlockArgument) -> bool:
    for alias in state.alias.members(value):
        if alias is own:
            continue
        block = alias.parent_block
        region = block.region if block is not None else None
        inside = body.is_ancestor_of(region)
        if isinstance(alias, BlockArgument) and (not inside or region is body):
            return True
        if isinstance(alias, OpResult) and not inside:
            return True
    return False


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
        if op.name == "ml_program.global_load" and state.is_known(op) and is_tensor(op.results[0]):
            name = op.properties.get("global")
            if name in stored and state.is_value_read(op.results[0]):
                yield Copy(CopyCause.GLOBAL_OVERWRITTEN, op, None, op.results[0], True, True)
