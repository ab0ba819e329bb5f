"""Definitions: the values that gave a tensor its contents, and the values that have contents of their own.

A value *defines* contents if it is a block argument, a result of an unknown operation, a result that its model says
defines them, or by default a result

(1) without aliasing operands: the operation made the buffer;
(2) of which an aliasing operand is written by the operation;
(3) into which something is written within the regions of the operation: some aliasing operand has a definition there.

The definitions of any other value are those of the operands it may share a buffer with; a buffer with undefined
contents has none. Each value is looked at once. Decisions play no part, so nothing is ever computed again.
"""

from __future__ import annotations

from ...ir.program.core import OpResult, Value
from .answers import Answers

Values = tuple[Value, ...]


class Definitions:
    """Definitions of values, each computed once. Amortised linear in the views followed, times definitions found."""

    def __init__(self, state: Answers) -> None:
        self._state = state
        self._known: dict[Value, Values] = {}

    def of(self, value: Value) -> Values:
        """The definitions of `value`, in the order of a walk; empty if its contents are undefined."""
        known = self._known.get(value)
        return self._compute(value) if known is None else known

    def tell(self, value: Value, definitions: Values) -> None:
        """Take over definitions that somebody has found while looking at all of a block."""
        self._known[value] = definitions

    def defines(self, value: Value) -> bool:
        """Whether `value` has contents of its own."""
        return value in self.of(value)

    def _compute(self, wanted: Value) -> Values:
        """Depth-first over aliasing operands, with a stack of its own: a value on it waits for its sources."""
        known = self._known
        stack = [wanted]
        waiting: set[Value] = set()
        while stack:
            value = stack[-1]
            if value in known:
                stack.pop()
                continue
            sources = self._sources(value)
            if sources is None:
                known[value] = (value,)
                stack.pop()
                continue
            missing = [source for source in sources if source not in known and source not in waiting]
            if missing:
                waiting.add(value)
                stack += missing
                continue
            known[value] = self._combine(value, sources)
            waiting.discard(value)
            stack.pop()
        return known[wanted]

    def _sources(self, value: Value) -> list[Value] | None:
        """The values to look at next, last operand first as in a walk; None if `value` is its own definition."""
        state = self._state
        if not isinstance(value, OpResult):
            return None
        model = state.model_of(value.owner)
        if model is None:
            return None
        declared = model.defines(value, state)
        if declared:
            return None
        operands = state.aliasing_operands(value)
        if declared is None and (not operands or any(state.writes(alias.operand) for alias in operands)):
            return None
        return [alias.operand.value for alias in reversed(operands)]

    def _combine(self, value: Value, sources: list[Value]) -> Values:
        """The definitions of `value` from those of its sources, by (3)."""
        assert isinstance(value, OpResult)
        owner = value.owner
        found: dict[Value, None] = {}
        for source in sources:
            found.update(dict.fromkeys(self._known.get(source, ())))
        if owner.regions:
            model = self._state.model_of(owner)
            decided = model is not None and model.defines(value, self._state) is not None
            if not decided and any(self._state.is_inside(d, owner) for d in found):
                return (value,)
        return tuple(found)
