"""Writing formulas of flags as operations: the smallest of `andi`, `ori`, `xori` and `select` for each node of a diagram."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from ....analysis.freeing.flags import FALSE, TRUE, Flags
from ....dialects import arith
from ....ir.program.builder import Builder
from ....ir.program.core import Block, Operation, Value
from ....ir.program.interfaces import FunctionOp
from ....ir.types import attributes as a
from ....ir.types import types as t
from ..lowering import build


class Formulas:
    """Writes the formulas of one function.

    Attributes:
        flags: what the formulas are made of.
    """

    def __init__(self, function: FunctionOp, flags: Flags, value_of: Callable[[Hashable], Value]) -> None:
        """
        Args:
            value_of: the `i1` that a travelling variable became.
        """
        self.flags = flags
        self._entry = function.body.entry
        self._value_of = value_of
        self._constants: dict[bool, Value] = {}
        self._written: dict[tuple[Block, Operation | None], dict[int, Value]] = {}

    def constant(self, value: bool) -> Value:
        """`arith.constant true` or `false` at the start of the function: one that is there, or a new one."""
        found = self._constants.get(value)
        if found is None:
            wanted = a.TRUE if value else a.FALSE
            for op in self._entry:
                if not isinstance(op, arith.ConstantOp):
                    break
                if op.get_attr("value") is wanted:
                    found = op.results[0]
            if found is None:
                found = build.boolean(Builder.at_start(self._entry), value)
            self._constants[value] = found
        return found

    def write(self, formula: int, builder: Builder) -> Value:
        """The value of `formula` at the insertion point. O(its size); what was written there before is used again."""
        if formula in (FALSE, TRUE):
            return self.constant(formula == TRUE)
        known = self._written.setdefault((builder.block, builder.anchor), {})
        stack = [formula]
        while stack:
            at = stack[-1]
            if at in known:
                stack.pop()
                continue
            name, low, high = self.flags.parts(at)
            missing = [part for part in (low, high) if part > 1 and part not in known]
            if missing:
                stack += missing
                continue
            known[at] = self._node(self._variable(name, builder), low, high, known, builder)
            stack.pop()
        return known[formula]

    def _variable(self, name: Hashable, builder: Builder) -> Value:
        if isinstance(name, Value):
            return name
        if isinstance(name, tuple) and name[0] == "address":
            one, other = (build.address(builder, value) for value in name[1:])
            return build.compare(builder, "eq", one, other)
        return self._value_of(name)

    def _node(self, value: Value, low: int, high: int, known: dict[int, Value], b: Builder) -> Value:
        """If `value` then `high` else `low`."""
        if low == FALSE:
            return value if high == TRUE else build.both(b, value, known[high])
        if high == TRUE:
            return build.either(b, value, known[low])
        if high == FALSE:
            negated = build.exclusive(b, value, self.constant(True))
            return negated if low == TRUE else build.both(b, negated, known[low])
        if low == TRUE:
            negated = build.exclusive(b, value, self.constant(True))
            return build.either(b, negated, known[high])
        chosen = arith.SelectOp.build(
            condition=value, true_value=known[high], false_value=known[low], result=t.I1
        )
        return b.insert(chosen).the_result
