"""Copies and allocations to insert for the decisions, each with its cause.

An operand that is not in place gets a buffer of its own. If all the operation does with it is make one view, the view
is copied instead, which is often smaller. What is in the old buffer need not be copied if it is undefined, if the
operation overwrites all of it, or if nobody reads it. Loops copy what they must not forward as it is, and a loaded global is
copied if it is stored to while what was loaded may still be read.

The plan is made once, before the program is changed, whoever decided: the One-Shot analysis, a user's own, or nobody
(then what is written is copied). The rewrite carries it out, and adds what only types reveal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Protocol

from ...ir.defects import LOADED_GLOBALS
from ...ir.program import traits as tr
from ...ir.program.core import Operation, OpOperand, OpResult, Value
from ...ir.source.records import record
from ...ir.types import types as t
from ..causes import Cause, CauseKind
from ..models.base import is_tensor
from .decided import InPlaceConflict
from .functions import modules_below
from .loop_copies import LoopCopy
from .model_answers import ModelAnswers
from .options import AnalysisOptions

OF_LOOPS = {
    LoopCopy.YIELD: CauseKind.LOOP_YIELD,
    LoopCopy.CONDITION: CauseKind.LOOP_CONDITION,
    LoopCopy.UNSEEN: CauseKind.LOOP_UNSEEN,
}


class Decisions(Protocol):
    """What was decided, by whomever."""

    @property
    def loop_copies(self) -> Mapping[OpOperand, LoopCopy]:
        """The operands of terminators of loops that are copied, and why."""
        ...

    def is_in_place(self, operand: OpOperand) -> bool: ...

    def has_undefined_contents(self, operand: OpOperand) -> bool: ...

    def conflict(self, operand: OpOperand) -> InPlaceConflict | None:
        """What was found against the operand first."""
        ...


@record(frozen=True)
class PlannedBuffer:
    """A buffer to be inserted.

    Attributes:
        cause: why.
        op: the operation before which (of an operand) or after which (of a result) it is inserted.
        operand: the operand it is for; None if a result is copied for its own sake.
        value: the value that is copied: what the operand holds, or a result of `op`.
        of_result: whether it stands for a result after `op`, rather than for an operand before it.
        with_contents: whether it starts as a copy, rather than with undefined contents.
    """

    cause: Cause
    op: Operation
    operand: OpOperand | None
    value: Value
    of_result: bool
    with_contents: bool


def everywhere(op: Operation) -> bool:
    return True


def outside_other_tables(module: Operation, nested_modules: bool = False) -> list[Operation]:
    """What stands directly in a module and has no symbol table of its own: modules in modules are left alone, unless asked for."""
    modules = modules_below(module) if nested_modules else [module]
    inside = [op for m in modules for region in m.regions for op in region.ops()]
    return [op for op in inside if not op.has_trait(tr.SYMBOL_TABLE)]


def analyzed_operations(root: Operation, options: AnalysisOptions) -> Iterator[Operation]:
    """The operations that an analysis of `root` has seen, nested ones before those around them."""
    functions = options.bufferize_function_boundaries
    for op in outside_other_tables(root, options.nested_modules) if functions else (root,):
        yield from op.walk_post_order()


def plan_buffers(
    answers: ModelAnswers,
    decisions: Decisions,
    operations: Iterable[Operation],
    is_rewritten: Callable[[Operation], bool] = everywhere,
) -> list[PlannedBuffer]:
    """All buffers to insert at `operations`, in their order and that of operands. O(operations).

    Args:
        answers: what models say of the operations; the program is as it was when it was decided.
        is_rewritten: whether an operation becomes one on buffers; others keep their tensors, and need no copies.
    """
    plan: list[PlannedBuffer] = []
    stored = _StoredGlobals(answers)
    loop_copies = decisions.loop_copies
    for op in operations:
        model = answers.model_of(op)
        if model is None or not is_rewritten(op):
            continue
        if not model.makes_copies:
            plan += _before_all(answers, decisions, op)
            continue
        if op.op_operands:
            plan += _of_operands(answers, decisions, op)
            if loop_copies:
                plan += _of_loops(op, loop_copies)
        name = model.global_loaded(op)
        if name is not None and stored.is_overwritten(op, name):
            result = op.results[0]
            cause = Cause(CauseKind.GLOBAL_OVERWRITTEN, op, None, result, in_result=True)
            plan.append(PlannedBuffer(cause, op, None, result, True, True))
    return plan


def _of_operands(answers: ModelAnswers, decisions: Decisions, op: Operation) -> Iterator[PlannedBuffer]:
    after: list[PlannedBuffer] = []
    for operand in op.op_operands:
        if not is_tensor(operand._value) or decisions.is_in_place(operand):
            continue
        contents = not decisions.has_undefined_contents(operand) and needs_contents(answers, operand)
        view = _only_view(answers, operand)
        found = decisions.conflict(operand)
        if view is not None:
            cause = Cause(CauseKind.OUT_OF_PLACE, op, operand.index, view, found, True)
            after.append(PlannedBuffer(cause, op, operand, view, True, contents))
        else:
            cause = Cause(CauseKind.OUT_OF_PLACE, op, operand.index, operand.value, found)
            yield PlannedBuffer(cause, op, operand, operand.value, False, contents)
    yield from after


def _before_all(answers: ModelAnswers, decisions: Decisions, op: Operation) -> Iterator[PlannedBuffer]:
    """What an insertion at the end of a parallel loop reads is copied before all of them."""
    for operand in op.op_operands:
        if is_tensor(operand._value) and not answers.writes(operand) and not decisions.is_in_place(operand):
            assert op.parent_op is not None
            cause = Cause(
                CauseKind.OUT_OF_PLACE, op, operand.index, operand.value, decisions.conflict(operand)
            )
            yield PlannedBuffer(cause, op.parent_op, operand, operand.value, False, True)


def _only_view(answers: ModelAnswers, operand: OpOperand) -> OpResult | None:
    """The result to copy in the operand's stead: the only alias of an operand that is the only alias of it."""
    aliases = answers.aliasing_values(operand)
    if len(aliases) != 1 or answers.writes(operand):
        return None
    view = aliases[0].value
    if not isinstance(view, OpResult) or not isinstance(view.type, t.RankedTensorType):
        return None
    return view if len(answers.aliasing_operands(view)) == 1 else None


def needs_contents(answers: ModelAnswers, operand: OpOperand) -> bool:
    """Whether what the old buffer of `operand` holds, if it is defined, must be in a new one."""
    if answers.reads(operand):
        return True
    if answers.writes(operand):
        return False
    return any(answers.is_value_read(alias.value) for alias in answers.aliasing_values(operand))


def _of_loops(op: Operation, loop_copies: Mapping[OpOperand, LoopCopy]) -> Iterator[PlannedBuffer]:
    """What a loop forwards must not be a buffer of somebody else."""
    for use in op.op_operands:
        found = loop_copies.get(use)
        if found is not None:
            cause = Cause(OF_LOOPS[found], op, use.index, use.value, found)
            yield PlannedBuffer(cause, op, use, use.value, False, True)


class _StoredGlobals:
    """Whether what is loaded from a global has to be kept: mlir-opt 22 never does, and it changes under its reader."""

    def __init__(self, answers: ModelAnswers) -> None:
        self._answers = answers
        self._names: set[object] | None = None

    def is_overwritten(self, load: Operation, name: object) -> bool:
        answers = self._answers
        if LOADED_GLOBALS in answers.mirrored or not is_tensor(load.results[0]):
            return False
        if self._names is None:
            root = load
            while root.parent_op is not None:
                root = root.parent_op
            self._names = answers.stored_globals(root)
        return name in self._names and answers.is_value_read(load.results[0])
