"""A program and its copy: which operation and value of the one is which of the other.

An explanation is about the program as it was written, and that program must stay for whoever asks on. So a copy is
rewritten, and what the rewrite says of operations of the copy is told of those they were copied from.
"""

from __future__ import annotations

from dataclasses import replace

from ...analysis.causes import Cause
from ...analysis.one_shot.plan import PlannedBuffer
from ...ir.program.core import Operation, OpOperand, Value


class Twins:
    """A copy of a program, and the way back. O(operations).

    Attributes:
        original: the program.
        copy: its copy, which may be changed.
    """

    def __init__(self, original: Operation) -> None:
        self.original = original
        values: dict[Value, Value] = {}
        self.copy = original.clone(values)
        self._copied: dict[Operation, Operation] = {}
        self._original: dict[Operation, Operation] = {}
        for one, other in zip(original.walk(), self.copy.walk(), strict=True):
            self._copied[one] = other
            self._original[other] = one
        self._copied_values = values
        self._original_values = {copy: value for value, copy in values.items()}

    def planned(self, plan: list[PlannedBuffer]) -> list[PlannedBuffer]:
        """A plan for the original as one for the copy; its causes still speak of the original."""
        found: list[PlannedBuffer] = []
        for entry in plan:
            op = self._copied[entry.op]
            operand = self.operand(entry.operand) if entry.operand is not None else None
            value = self._copied_values[entry.value]
            found.append(replace(entry, op=op, operand=operand, value=value))
        return found

    def operand(self, use: OpOperand) -> OpOperand:
        """The operand of the copy that is copied from one of the original."""
        return self._copied[use.owner].op_operands[use.index]

    def told(self, cause: Cause) -> Cause:
        """The cause, told of the original where it was stated for the copy."""
        op = self._original.get(cause.op)
        if op is None:
            return cause
        told = replace(cause, op=op)
        if told.use is not None and not cause.in_result:
            return replace(
                told, value=told.use.value
            )  # what the copy's operand holds may be made by the rewrite
        value = None if cause.value is None else self._original_values.get(cause.value, cause.value)
        return replace(told, value=value)

    def original_of(self, op: Operation) -> Operation:
        """What an operation of the copy was copied from; itself if the rewrite made it."""
        return self._original.get(op, op)
