"""The copies and allocations that the decisions require, each with its cause.

An operand that is out of place gets a new buffer. If the operation only makes one view of it, the view is copied instead,
which is often smaller. The new buffer starts uninitialized if the old contents are undefined, entirely overwritten by the
operation, or never read. A loop copies values that it must not forward as they are (below), and a loaded global
is copied if it is stored to while the loaded value may still be read.

The plan is computed before the program is changed. It does not depend on who decided: the One-Shot analysis, a user, or
nothing (then every written operand is copied). The rewrite executes it, and adds copies that only buffer types require.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Protocol

from ...ir.defects import LOADED_GLOBALS, LOOP_CARRIED
from ...ir.program import traits as tr
from ...ir.program.core import BlockArgument, Operation, OpOperand, OpResult, Value
from ...ir.program.interfaces import FunctionOp, is_memory_effect_free
from ...ir.source.records import record
from ...ir.types import types as t
from ..causes import Cause, CauseKind, FactBase
from ..models.base import CarriedCopy, LoopCarried, LoopModel, is_tensor
from . import AnalysisOptions, InPlaceConflict
from .functions import modules_below
from .program_answers import ModelAnswers
from .state import AnalysisState

MAX_FOLLOWED = 1_000
"""Operations between a loaded global and its last use that are searched for stores."""
MEMREFS = (t.MemRefType, t.UnrankedMemRefType)


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


# -- Loop-carried values that must be copied when a loop forwards them to the next iteration or out.
#
# The aliasing rules assume that an iter_arg may alias its own init and nothing else. This holds if the loop yields the
# iter_arg's own buffer, or a buffer without other aliases. A yielded operand is copied
#
# (1) if it may alias a value outside of the loop's body, or another iter_arg;
# (2) if it is forwarded by the condition of a `scf.while` whose regions may exchange buffers (with `compare-parts`, not if (1)
#     holds neither for it nor for any operand that the second region yields);
# (3) if it may be read-only memory, such as a constant, and a value that it is forwarded to is written;
# (4) if the same buffer is forwarded at two positions, and a value that it is forwarded to at this one is written.
#
# `rules/loops.dl` has the rules: (1) is L1 and L3, (2) is L2, (3) is L4, (4) is L5 to L7.
#
# mlir-opt 22 lacks (3) and (4), and (1) for the second region of `scf.while` and for views that are copied. It then writes to a constant, or one result
# of a loop overwrites another. Where it lacks (1), the copy is inserted only if one of the two sides is written.


class LoopCopy(StrEnum):
    """Why a loop copies a terminator operand: rule (1), rule (2), or a rule that mlir-opt 22 lacks."""

    YIELD = "loop-yield"
    CONDITION = "loop-condition"
    UNSEEN = "loop-unseen"


OF_LOOPS = {
    LoopCopy.YIELD: CauseKind.LOOP_YIELD,
    LoopCopy.CONDITION: CauseKind.LOOP_CONDITION,
    LoopCopy.UNSEEN: CauseKind.LOOP_UNSEEN,
}


def relation_of(kind: LoopCopy) -> str:
    """The relation of `rules/loops.dl` that derives this kind of copy."""
    return kind.value.replace("-", "_")


def loop_copies(fact_base: FactBase) -> dict[OpOperand, LoopCopy]:
    """The terminator operands that loops copy, and why, derived from the facts of `told_of_loops`."""
    found: dict[OpOperand, LoopCopy] = {}
    for kind in LoopCopy if fact_base.has_facts else ():
        for (use,) in fact_base.query(relation_of(kind)):
            assert isinstance(use, OpOperand)
            found.setdefault(use, kind)
    return found


def told_of_loops(state: AnalysisState) -> FactBase:
    """The facts about values that loops forward.

    Compute it after all decisions and before the program is changed. O(program), plus the alias classes of the forwarded
    values.
    """
    fact_base = FactBase("loops")
    shared: list[list[LoopCarried]] = []
    aliased_or_read_only: list[LoopCarried] = []
    receivers: dict[OpOperand, tuple[Value, ...]] = {}
    for op in state.order.enter:
        model = state.model_of(op)
        if not isinstance(model, LoopModel):
            continue
        receivers.update(model.entries(op))
        kept: dict[Value, list[LoopCarried]] = {}
        every = list(model.loop_carried(op, state))
        is_compared = state.options.compare_parts and _yields_own_buffers(state, every)
        for carried in every:
            operand = carried.operand
            outside = _outside_alias(state, carried)
            if carried.copied is CarriedCopy.ALWAYS_UNLESS_COMPARED and not (is_compared and outside is None):
                fact_base.assert_fact("copied_always", operand)
                continue
            if (
                carried.copied is CarriedCopy.IF_NEEDED
                and outside is not None
                and not _is_copied_view(state, operand.value)
            ):
                fact_base.assert_fact("copied_if_known", operand)
                fact_base.assert_fact("known_as", operand, outside)
                continue
            receivers[operand] = carried.receivers
            if carried.copied is CarriedCopy.NEVER or LOOP_CARRIED in state.mirrored:
                continue
            read_only = _read_only(state, carried) if outside is None else None
            if outside is not None:
                fact_base.assert_fact("known_as", operand, outside)
                aliased_or_read_only.append(carried)
            elif read_only is not None:
                fact_base.assert_fact("read_only", operand, read_only)
                aliased_or_read_only.append(carried)
            else:
                kept.setdefault(state.alias.find(operand.value), []).append(carried)
        shared += [group for group in kept.values() if len(group) > 1]
    written = _Written(state, receivers)
    for carried in aliased_or_read_only:
        if written.any_of((carried.operand.value, *carried.receivers)):
            fact_base.assert_fact("written", carried.operand)
    for group in shared:
        for carried in group:
            fact_base.assert_fact("one_buffer", carried.operand, group[0].operand)
            if written.any_of(carried.receivers):
                fact_base.assert_fact("becomes_written", carried.operand)
    return fact_base


def _yields_own_buffers(state: AnalysisState, every: Iterable[LoopCarried]) -> bool:
    """Whether every operand that the second region of a loop yields is its own iter_arg, or a buffer without other aliases."""
    if LOOP_CARRIED in state.mirrored:
        return False
    return all(
        _outside_alias(state, carried._replace(fresh=frozenset())) is None
        and _read_only(state, carried) is None
        for carried in every
        if carried.copied is CarriedCopy.IF_NEEDED_UNSEEN
    )


def _outside_alias(state: AnalysisState, carried: LoopCarried) -> Value | None:
    """An alias outside of the body, or another iter_arg, or None. O(alias class)."""
    body = carried.body
    for alias in state.alias.members(carried.operand.value):
        if isinstance(alias, BlockArgument) and alias.parent_region is body:
            if alias is not carried.own and alias not in carried.fresh:
                return alias
        elif not body.is_ancestor_of(alias.parent_region):
            return alias
    return None


def _is_copied_view(state: AnalysisState, value: Value) -> bool:
    """Whether a view is copied in place of its operand. mlir-opt 22 does not know what such a copy aliases."""
    if not isinstance(value, OpResult):
        return False
    operands = value.owner.op_operands
    return any(
        is_tensor(use.value) and not state.is_in_place(use) and state.only_view(use) is value
        for use in operands
    )


def _read_only(state: AnalysisState, carried: LoopCarried) -> Value | None:
    """A read-only alias, or None. O(alias class)."""
    for alias in state.alias.members(carried.operand.value):
        if isinstance(alias, OpResult) and not state.is_writable(alias):
            return alias
    return None


class _Written:
    """Which buffers may be written: by the function, in a later iteration, or by a caller that receives them.

    A use that a loop only forwards is not a write; the aliases of its receivers are checked instead.
    """

    def __init__(self, state: AnalysisState, receivers: dict[OpOperand, tuple[Value, ...]]) -> None:
        self._state = state
        self._receivers = receivers
        self._known: dict[Value, bool] = {}

    def any_of(self, values: Iterable[Value]) -> bool:
        return any(self._is_written(value) for value in values)

    def _is_written(self, value: Value) -> bool:
        """Whether the alias class of `value`, or one that a loop forwards it to, is written. Cached."""
        start = self._state.alias.find(value)
        came_from: dict[Value, Value | None] = {start: None}
        waiting = [start]
        buffer: Value | None = None
        written = False
        while waiting and not written:
            buffer = waiting.pop()
            known = self._known.get(buffer)
            if known is False:
                continue
            written = bool(known)
            for alias in () if written else self._state.alias.members(buffer):
                writes = self._state.in_place_writes(alias)
                if any(use not in self._receivers for use in writes) or any(
                    map(_leaves_function, alias.uses)
                ):
                    written = True
                    break
                for use in alias.uses:
                    for receiver in self._receivers.get(use, ()):
                        following = self._state.alias.find(receiver)
                        if following not in came_from:
                            came_from[following] = buffer
                            waiting.append(following)
        if not written:
            self._known.update(dict.fromkeys(came_from, False))
        while written and buffer is not None:
            self._known[buffer] = True
            buffer = came_from[buffer]
        return written


def _leaves_function(use: OpOperand) -> bool:
    owner = use.owner
    return isinstance(owner.parent_op, FunctionOp) and not owner.successors and owner.next_op is None
