"""Decisions without the One-Shot analysis: copy before every write, or a user-defined analysis.

Two kinds of writes are not operands that can be copied, and are handled here: writes through the memref of a `to_buffer`, and
parallel insertions, which run in order and whose destination is never copied.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Final

from ...analysis.models.base import is_tensor, owner_of
from ...analysis.one_shot.program_answers import ModelAnswers
from ...dialects.bufferization import ToBufferOp
from ...ir.defects import MEMORY_ACCESSES
from ...ir.program.core import Block, OpOperand, OpResult, Value
from ...ir.program.interfaces import FunctionOp
from ...ir.source.diagnostics import present

NOTHING: Final = MappingProxyType({})


class Undecided:
    """No decisions: a written operand is never in place, and no contents are known to be undefined."""

    loop_copies = NOTHING

    def __init__(self, answers: ModelAnswers, *, casts_are_own: bool = False) -> None:
        """`casts_are_own`: each `to_buffer` is a conversion left by an earlier partial pass, and not written through."""
        self._answers = answers
        self._casts_are_own = casts_are_own
        self._written: dict[Block, dict[Value, int]] = {}
        """By block: the values that its operations write, with the first write of each."""

    def is_in_place(self, operand: OpOperand) -> bool:
        answers, op = self._answers, operand.owner
        if isinstance(op, ToBufferOp):
            if self._casts_are_own or MEMORY_ACCESSES in answers.mirrored or not answers.writes(operand):
                return True
            return self._is_only_one(operand.value)
        model = answers.model_of(op)
        if model is not None and not model.makes_copies and MEMORY_ACCESSES not in answers.mirrored:
            return answers.writes(operand) or not self._is_overwritten_before(operand)
        return not answers.writes(operand)

    def _is_only_one(self, value: Value) -> bool:
        """Whether the value and its possible aliases have no other use: views of a new buffer, or of an argument."""
        seen: set[Value] = set()
        pending = [value]
        while pending:
            value = pending.pop()
            if value in seen:
                continue
            seen.add(value)
            if len(value.uses) != 1:
                return False
            if not isinstance(value, OpResult):  # callers copy buffers that may be written; branches do not
                around = owner_of(value)
                is_argument = isinstance(around, FunctionOp) and value in around.body.entry.args
                if not is_argument or not self._answers.is_writable(value):
                    return False
                continue
            sources = self._answers.aliasing_operands(value)
            if not sources and not self._answers.is_writable(value):
                return False
            # what is written was copied
            pending += [alias.operand.value for alias in sources if not self._answers.writes(alias.operand)]
        return True

    def _is_overwritten_before(self, operand: OpOperand) -> bool:
        """Whether an operation before this one in its block may write the memory of the operand."""
        block = present(operand.owner.block)
        written = self._written.get(block)
        if written is None:
            written = self._written[block] = {}
            for op in block:
                for use in op.op_operands:
                    if is_tensor(use.value) and self._answers.writes(use):
                        written.setdefault(use.value, op.position)
        place = operand.owner.position
        return any(written.get(s, place) < place for s in _sources(operand.value, self._answers))

    def has_undefined_contents(self, operand: OpOperand) -> bool:
        return False

    def conflict(self, operand: OpOperand) -> None:
        return None


class Chosen(Undecided):
    """The decisions of a user-defined analysis, which are trusted."""

    def __init__(self, answers: ModelAnswers, in_place: Callable[[OpOperand], bool]) -> None:
        super().__init__(answers)
        self._in_place = in_place

    def is_in_place(self, operand: OpOperand) -> bool:
        return self._in_place(operand)


def _sources(value: Value, answers: ModelAnswers) -> set[Value]:
    """The value and all values that it may alias, backward along the use-def chain. O(values reached)."""
    seen: set[Value] = set()
    pending = [value]
    while pending:
        value = pending.pop()
        if value not in seen:
            seen.add(value)
            pending += [
                a.operand.value for a in answers.aliasing_operands(value) if not answers.writes(a.operand)
            ]
    return seen
