"""Buffer equivalence after all decisions, and tensors with undefined contents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from ...ir.program.core import Operation, OpOperand, OpResult, Value
from ..datalog.union_find import EquivalenceRelation
from ..models.base import TENSOR_TYPES, AliasingOperand, Model
from .state import AnalysisState


def derive_equivalence(state: AnalysisState, root: Operation) -> None:
    """Merge each result with the operand whose buffer it is, nested operations first. O(operations * aliases).

    A result is the buffer of an in-place operand that it must alias as equivalent. It is also the buffer of its aliasing
    operands if all of these are in place and equivalent to it and to one another, and the operation never allocates it.
    """
    for op in state.post_order(root):
        model = state.model_of(op)
        for result in op.results if model is not None else ():
            if isinstance(result.type, TENSOR_TYPES):
                use = buffer_kept(state, model, result, state.aliasing_operands(result))
                if use is not None:
                    state.database.assert_fact("keeps_buffer", result, use)
                    state.refresh_equivalence()


class DecidedClasses(Protocol):
    """In-place decisions, and the equivalences derived so far."""

    in_place: set[OpOperand]

    def are_equivalent(self, a: Value, b: Value) -> bool: ...


def buffer_kept(
    decided: DecidedClasses, model: Model | None, result: OpResult, aliases: Sequence[AliasingOperand]
) -> OpOperand | None:
    """The operand whose buffer the result is, or None."""
    if not aliases:
        return None
    in_place = decided.in_place
    for alias in aliases:
        if alias.equivalent and alias.definite and alias.operand in in_place:
            return alias.operand
    if model is None or model.allocates(result):
        return None
    first = aliases[0].operand
    all_equal = all(
        alias.equivalent
        and alias.operand in in_place
        and decided.are_equivalent(alias.operand.value, first.value)
        for alias in aliases
    )
    return first if all_equal else None


def possible_equivalence(state: AnalysisState, roots: Iterable[Operation]) -> EquivalenceRelation[Value]:
    """The equivalences inside `roots` if every operand were in place: a superset of those under any decisions.

    Exceptions to conflicts that require equivalence may depend on decisions. A pair that conflicts even under this relation
    conflicts under all decisions. O(operations * aliases).
    """
    found: EquivalenceRelation[Value] = EquivalenceRelation()

    def join(one: Value, other: Value) -> None:
        for value in (one, other):
            if found.add(value) and value in state.equivalence:
                known = state.equivalence.find(value)
                found.add(known)
                found.union(known, value)
        found.union(one, other)

    with state.classes.assuming(found):
        for root in roots:
            for op in root.walk_post_order():
                for result in op.results if state.is_known(op) else ():
                    if not isinstance(result.type, TENSOR_TYPES):
                        continue
                    join(result, result)
                    aliases = state.aliasing_operands(result)
                    for alias in aliases:
                        if alias.equivalent and alias.definite:
                            join(result, alias.operand.value)
                    first = aliases[0].operand.value if aliases else result
                    if all(a.equivalent and state.are_equivalent(a.operand.value, first) for a in aliases):
                        join(result, first)
    return found


def undefined_uses(state: AnalysisState, root: Operation) -> set[OpOperand]:
    """The uses of tensors with undefined contents. O(operations), not counting the search for definitions."""
    found: set[OpOperand] = set()
    for op in state.post_order(root):
        if not state.is_known(op):
            continue
        for result in op.results:
            if isinstance(result.type, TENSOR_TYPES) and result.has_uses and not state.definitions.of(result):
                found.update(result.uses)
    return found
