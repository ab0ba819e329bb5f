"""The copies and allocations that the decisions require, each with its cause.

An operand that is out of place gets a new buffer. If the operation only makes one view of it, the view is copied instead,
which is often smaller. The new buffer starts uninitialized if the old contents are undefined, entirely overwritten by the
operation, or never read. A loop copies values that it must not forward as they are (`loop_copies.py`), and a loaded global
is copied if it is stored to while the loaded value may still be read.

The plan is computed before the program is changed. It does not depend on who decided: the One-Shot analysis, a user, or
nothing (then every written operand is copied). The rewrite executes it, and adds copies that only buffer types require.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Protocol

from ...ir.defects import LOADED_GLOBALS
from ...ir.program import traits as tr
from ...ir.program.core import Operation, OpOperand, Value
from ...ir.program.interfaces import is_memory_effect_free
from ...ir.source.records import record
from ...ir.types import types as t
from ..causes import Cause, CauseKind
from ..models.base import is_tensor
from .decided import InPlaceConflict
from .functions import modules_below
from .loop_copies import LoopCopy
from .options import AnalysisOptions
from .program_answers import ModelAnswers

MAX_FOLLOWED = 1_000
"""Operations between a loaded global and its last use that are looked at for stores."""
MEMREFS = (t.MemRefType, t.UnrankedMemRefType)
OF_LOOPS = {
    LoopCopy.YIELD: CauseKind.LOOP_YIELD,
    LoopCopy.CONDITION: CauseKind.LOOP_CONDITION,
    LoopCopy.UNSEEN: CauseKind.LOOP_UNSEEN,
}


class Decisions(Protocol):
    """In-place decisions, from any source."""

    @property
    def loop_copies(self) -> Mapping[OpOperand, LoopCopy]:
        """The terminator operands that loops copy, and why."""
        ...

    def is_in_place(self, operand: OpOperand) -> bool: ...

    def has_undefined_contents(self, operand: OpOperand) -> bool: ...

    def conflict(self, operand: OpOperand) -> InPlaceConflict | None:
        """The first conflict found for the operand, or None."""
        ...


@record(frozen=True)
class PlannedBuffer:
    """A buffer to insert.

    Attributes:
        cause: the reason.
        op: the operation before which (for an operand) or after which (for a result) it is inserted.
        operand: the operand that requires it; None if a result is copied regardless of operands.
        value: the value that it replaces: the operand's value, or a result of `op`.
        of_result: whether it replaces a result after `op`, rather than an operand before it.
        with_contents: whether it is a copy, rather than uninitialized.
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
    """The operations directly in a module, or also in its nested modules, that are not symbol tables themselves."""
    modules = modules_below(module) if nested_modules else [module]
    inside = [op for m in modules for region in m.regions for op in region.ops()]
    return [op for op in inside if not op.has_trait(tr.SYMBOL_TABLE)]


def analyzed_operations(root: Operation, options: AnalysisOptions) -> Iterator[Operation]:
    """The operations that an analysis of `root` covers, in post-order."""
    functions = options.bufferize_function_boundaries
    for op in outside_other_tables(root, options.nested_modules) if functions else (root,):
        yield from op.walk_post_order()


def plan_buffers(
    answers: ModelAnswers,
    decisions: Decisions,
    operations: Iterable[Operation],
    is_rewritten: Callable[[Operation], bool] = everywhere,
) -> list[PlannedBuffer]:
    """All buffers to insert at `operations`, ordered by operation and operand. O(operations).

    Args:
        answers: queries on models; the program must be unchanged since the decisions.
        is_rewritten: whether an operation is bufferized; others keep their tensors and need no copies.
    """
    plan: list[PlannedBuffer] = []
    stored = _StoredGlobals(answers)
    loop_copies = decisions.loop_copies
    for op in operations:
        model = answers.model_of(op)
        if model is None or not is_rewritten(op):
            continue
        if not model.makes_copies:
            plan += _parallel_insertion_buffers(answers, decisions, op)
            continue
        if op.op_operands:
            plan += _operand_buffers(answers, decisions, op)
            if loop_copies:
                plan += _loop_buffers(op, loop_copies)
        name = model.global_loaded(op)
        if name is not None and stored.is_overwritten(op, name, decisions):
            result = op.results[0]
            cause = Cause(CauseKind.GLOBAL_OVERWRITTEN, op, None, result, in_result=True)
            plan.append(PlannedBuffer(cause, op, None, result, True, True))
    return plan


def _operand_buffers(answers: ModelAnswers, decisions: Decisions, op: Operation) -> Iterator[PlannedBuffer]:
    after: list[PlannedBuffer] = []
    for operand in op.op_operands:
        if not is_tensor(operand._value) or decisions.is_in_place(operand):
            continue
        contents = not decisions.has_undefined_contents(operand) and needs_contents(answers, operand)
        view = answers.only_view(operand)
        found = decisions.conflict(operand)
        if view is not None:
            cause = Cause(CauseKind.OUT_OF_PLACE, op, operand.index, view, found, True)
            after.append(PlannedBuffer(cause, op, operand, view, True, contents))
        else:
            cause = Cause(CauseKind.OUT_OF_PLACE, op, operand.index, operand.value, found)
            yield PlannedBuffer(cause, op, operand, operand.value, False, contents)
    yield from after


def _parallel_insertion_buffers(
    answers: ModelAnswers, decisions: Decisions, op: Operation
) -> Iterator[PlannedBuffer]:
    """Copies for the sources of parallel insertions, before the enclosing `in_parallel` terminator."""
    for operand in op.op_operands:
        if is_tensor(operand._value) and not answers.writes(operand) and not decisions.is_in_place(operand):
            assert op.parent_op is not None
            cause = Cause(
                CauseKind.OUT_OF_PLACE, op, operand.index, operand.value, decisions.conflict(operand)
            )
            yield PlannedBuffer(cause, op.parent_op, operand, operand.value, False, True)


def needs_contents(answers: ModelAnswers, operand: OpOperand) -> bool:
    """Whether a new buffer for `operand` must hold the contents of the old one, if these are defined."""
    if answers.reads(operand):
        return True
    if answers.writes(operand):
        return False
    return any(answers.is_value_read(alias.value) for alias in answers.aliasing_values(operand))


def _loop_buffers(op: Operation, loop_copies: Mapping[OpOperand, LoopCopy]) -> Iterator[PlannedBuffer]:
    """Copies for terminator operands whose buffer a loop must not forward."""
    for use in op.op_operands:
        found = loop_copies.get(use)
        if found is not None:
            cause = Cause(OF_LOOPS[found], op, use.index, use.value, found)
            yield PlannedBuffer(cause, op, use, use.value, False, True)


class _StoredGlobals:
    """Loaded globals that must be copied because a store may clobber them. mlir-opt 22 never copies them."""

    def __init__(self, answers: ModelAnswers) -> None:
        self._answers = answers
        self._names: set[object] | None = None

    def is_overwritten(self, load: Operation, name: object, decisions: Decisions) -> bool:
        answers = self._answers
        if LOADED_GLOBALS in answers.mirrored or not is_tensor(load.results[0]):
            return False
        if self._names is None:
            self._names = answers.stored_globals(load.root)
        is_read = name in self._names and answers.is_value_read(load.results[0])
        return is_read and not self._is_used_before_stores(load, decisions)

    def _is_used_before_stores(self, load: Operation, decisions: Decisions) -> bool:
        """Whether no store can run before the last use of what was loaded: all uses are in its block, and nothing between has
        effects. A store may be the last of them.
        """
        block, used = load.block, set[Operation]()
        pending, seen = [load.results[0]], set[Value]()
        while pending and block is not None:
            value = pending.pop()
            seen.add(value)
            for use in value.uses:
                inside = use.owner.ancestor_in_block(block)
                is_escaping = any(isinstance(result.type, MEMREFS) for result in use.owner.results)
                if inside is None or inside.may_be_terminator or is_escaping or len(used) > MAX_FOLLOWED:
                    return False
                used.add(inside)
                if is_tensor(use.value) and decisions.is_in_place(use):
                    aliases = (alias.value for alias in self._answers.aliasing_values(use))
                    pending += [alias for alias in aliases if alias not in seen]
        current = load
        for _ in range(MAX_FOLLOWED):
            used.discard(current)
            if not used:
                return True
            following = current.next_op
            if following is None:
                return False
            current = following
            is_last = not current.regions and used == {current}
            if not is_last and not is_memory_effect_free(current):
                return False
        return False
