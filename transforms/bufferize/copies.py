"""Copies, while the program still works on tensors: operands that are not updated in place get a buffer of their own.

    %1 = tensor.insert %f into %0[%i]
 => %2 = bufferization.alloc_tensor() copy(%0)
    %1 = tensor.insert %f into %2[%i]

An operand that is only looked at through one result (a slice, a cast) stays, and the result is copied instead: it may be
smaller. Contents are not copied if nobody can see them: they are undefined, or overwritten as a whole before
they are read, or never read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ...dialects.bufferization import AllocTensorOp
from ...dialects.tensor import DimOp
from ...ir.program.builder import Builder
from ...ir.program.core import Operation, OpOperand, OpResult, Value
from ...ir.types import types as t
from .decisions import Decisions
from .inference import TypeInference
from .rewrite import Rewrite, failed
from .shapes import allocation_like


class CopyInsertion:
    """Inserts copies for one set of decisions.

    Attributes:
        decisions: what is in place.
        types: inference, for the memory spaces of new buffers.
    """

    def __init__(
        self,
        decisions: Decisions,
        types: TypeInference,
        rewrite_of: Callable[[Operation], Rewrite | None],
    ) -> None:
        self.decisions = decisions
        self.types = types
        self._rewrite_of = rewrite_of
        self.inserted: list[AllocTensorOp] = []

    def run(self, operations: Iterable[Operation]) -> None:
        """Insert the copies for all `operations`. O(operations and copies).

        Raises:
            RewriteFailed: a tensor cannot be copied.
        """
        model_of = self.decisions.model_of
        for op in operations:
            if model_of(op) is None:
                continue
            rewrite = self._rewrite_of(op)
            if rewrite is None:
                continue
            if rewrite.inserts_copies and op.op_operands:
                self.copy_operands(op)
            if rewrite.resolve_conflicts is not None:
                rewrite.resolve_conflicts(op, self)

    def copy_operands(self, op: Operation) -> None:
        """The usual copies: of operands before `op`, of results behind it."""
        decisions = self.decisions
        operands: list[OpOperand] = []
        results: list[tuple[Value, bool]] = []
        for operand in op.op_operands:
            type = operand._value.type
            cls = type.__class__
            if cls is not t.RankedTensorType and cls is not t.UnrankedTensorType:
                continue
            if decisions.is_in_place(operand):
                continue
            if cls is t.UnrankedTensorType:
                raise failed(op, "copying of unranked tensors is not implemented")
            result = self._only_view(operand)
            if result is None:
                operands.append(operand)
            else:
                results.append((result, self.can_omit_contents(operand)))
        if not operands and not results:
            return
        before = Builder.before(op)
        omitted = [self.can_omit_contents(operand) for operand in operands]
        for operand, omit in zip(operands, omitted, strict=True):
            operand.value = self.copy(before, operand.value, copied=not omit)
        if results:
            self._copy_results(op, results)

    def _only_view(self, operand: OpOperand) -> OpResult | None:
        """The result through which alone the operand's buffer is seen, if it can be copied instead."""
        decisions = self.decisions
        aliases = decisions.aliasing_values(operand)
        if len(aliases) != 1 or not isinstance(aliases[0].value, OpResult):
            return None
        result = aliases[0].value
        if decisions.writes(operand) or len(decisions.aliasing_operands(result)) != 1:
            return None
        return result if isinstance(result.type, t.RankedTensorType) else None

    def _copy_results(self, op: Operation, results: list[tuple[Value, bool]]) -> None:
        behind = Builder.after(op)
        for result, omit in results:
            copy = self.copy(behind, result, copied=not omit)
            maker = copy.defining_op
            for use in result.uses:
                if use.owner is not maker and not isinstance(use.owner, DimOp):
                    use.value = copy

    def can_omit_contents(self, operand: OpOperand) -> bool:
        """Whether a buffer for the operand need not hold what the operand holds."""
        decisions = self.decisions
        if decisions.has_undefined_contents(operand):
            return True
        if decisions.reads(operand):
            return False
        if decisions.writes(operand):
            return True
        return not any(decisions.is_value_read(alias.value) for alias in decisions.aliasing_values(operand))

    def copy(self, b: Builder, value: Value, *, copied: bool = True) -> Value:
        """A tensor like `value` with a buffer of its own, at the insertion point of `b`.

        Raises:
            RewriteFailed: it is unranked, or has no memory space.
        """
        op = b.insert(allocation_like(b, self.types, value, copied=copied))
        self.inserted.append(op)
        return op.results[0]


__all__ = ["CopyInsertion"]
