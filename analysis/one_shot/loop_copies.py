"""Loop-carried values that must be copied when a loop forwards them to the next iteration or out.

The aliasing rules assume that an iter_arg may alias its own init and nothing else. This holds if the loop yields the
iter_arg's own buffer, or a buffer without other aliases. A yielded operand is copied

(1) if it may alias a value outside of the loop's body, or another iter_arg;
(2) if it is forwarded by the condition of a `scf.while` whose regions may exchange buffers (with `compare-parts`, not if (1)
    holds neither for it nor for any operand that the second region yields);
(3) if it may be read-only memory, such as a constant, and a value that it is forwarded to is written;
(4) if the same buffer is forwarded at two positions, and a value that it is forwarded to at this one is written.

`rules/loops.dl` has the rules: (1) is L1 and L3, (2) is L2, (3) is L4, (4) is L5 to L7.

mlir-opt 22 lacks (3) and (4), and (1) for the second region of `scf.while` and for views that are copied. It then writes to a constant, or one result
of a loop overwrites another. Where it lacks (1), the copy is inserted only if one of the two sides is written.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from ...ir.defects import LOOP_CARRIED
from ...ir.program.core import BlockArgument, OpOperand, OpResult, Value
from ...ir.program.interfaces import FunctionOp
from ..causes import FactBase
from ..models.base import CarriedCopy, LoopCarried, LoopModel, is_tensor
from .state import AnalysisState


class LoopCopy(StrEnum):
    """Why a loop copies a terminator operand: rule (1), rule (2), or a rule that mlir-opt 22 lacks."""

    YIELD = "loop-yield"
    CONDITION = "loop-condition"
    UNSEEN = "loop-unseen"


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
