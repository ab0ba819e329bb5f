"""Carrying out the plan of buffers, while the program still works on tensors.

    %1 = tensor.insert %f into %0[%i]
 => %2 = bufferization.alloc_tensor() copy(%0)
    %1 = tensor.insert %f into %2[%i]

Buffers of operands go before their operation, those of results behind it, in the order of the plan. Each becomes an
allocation and, if it starts as a copy, a copy, when it is rewritten in its turn; both have the cause that the plan states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from ...analysis.causes import Cause
from ...analysis.one_shot.plan import PlannedBuffer
from ...dialects.bufferization import AllocTensorOp
from ...dialects.tensor import DimOp
from ...ir.program.builder import Builder
from ...ir.program.core import Operation, Value
from ...ir.types import types as t
from .failures import failed
from .inference import TypedRewrite, TypeInference


class AllocationLike(Protocol):
    """Makes an `alloc_tensor` for a tensor like a given one; see `shapes.allocation_like`."""

    def __call__(
        self, b: Builder, types: TypeInference, value: Value, cause: Cause, /, *, copied: bool
    ) -> AllocTensorOp: ...


def carry_out(
    plan: Iterable[PlannedBuffer],
    types: TypeInference,
    rewrite_of: Callable[[Operation], TypedRewrite | None],
    allocation_like: AllocationLike,
) -> None:
    """Insert the buffers of `plan`. O(plan, and the uses of results that are copied).

    Raises:
        RewriteFailed: one is unranked, has no memory space, or would go where nothing can be allocated.
    """
    at: Operation | None = None
    before = behind = None
    for entry in plan:
        op, value = entry.op, entry.value
        if op is not at or before is None or behind is None:
            at, before, behind = op, Builder.before(op), Builder.after(op)
        if isinstance(value.type, t.UnrankedTensorType):
            raise failed(op, "copying of unranked tensors is not implemented")
        around = op.parent_op
        if (
            around is not None
            and (rewrite := rewrite_of(around)) is not None
            and not rewrite.may_allocate_inside
        ):
            raise failed(around, "body must bufferize in-place", prefixed=True)
        b = behind if entry.of_result else before
        if not entry.of_result and entry.operand is not None:
            value = entry.operand.value  # an operand before it may have been given its buffer already
        copy = b.insert(allocation_like(b, types, value, entry.cause, copied=entry.with_contents)).results[0]
        if not entry.of_result:
            assert entry.operand is not None
            entry.operand.value = copy
            continue
        for use in value.uses:
            if use.owner is not copy.defining_op and not isinstance(use.owner, DimOp):
                use.value = copy
