"""`-loop-invariant-code-motion`: hoists loop-invariant operations out of loops.

    scf.for %i = %a to %b step %c {
      %0 = arith.muli %x, %y : index       =>  %0 = arith.muli %x, %y : index
      ...                                      scf.for %i = %a to %b step %c { ...

An operation is hoisted if its operands, and those of its nested operations, are defined outside the loop, it has no
memory effects, and it is *speculatable*, that is, may run even if the loop body does not. A division is
speculatable if the divisor is a constant other than 0 (and, if signed, other than -1); `dim` if the dimension is a
constant in bounds; an operation with regions if all nested operations are. Inner loops come first, so an operation
may leave several loops.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Container

from ..dialects import arith, memref, tensor
from ..dialects.linalg.base import LinalgOp
from ..ir.program import traits as tr
from ..ir.program.core import Operation, Region
from ..ir.program.interfaces import CountedLoopOp, LoopLikeOp, is_memory_effect_free
from ..ir.types.types import is_tensor
from ..semantics.folds.constants import integer_of
from .pass_base import Context, Pass

_UNSIGNED_DIVISIONS = (arith.DivUIOp, arith.CeilDivUIOp)
_SIGNED_DIVISIONS = (arith.DivSIOp, arith.CeilDivSIOp)


class LoopInvariantCodeMotion(Pass):
    """Move invariant operations out of loops. O(operations * loop depth)."""

    name = "loop-invariant-code-motion"
    summary = "move loop-invariant operations out of loops"
    on = "any"

    def run(self, op: Operation, context: Context) -> None:
        touched: set[Operation] = set()
        for loop in list(op.walk_post_order()):
            for region in loop.loop_regions if isinstance(loop, LoopLikeOp) else ():
                moved = _empty_of_invariants(loop, region)
                touched.update(moved)
                if moved:
                    touched.add(loop)
                context.count(self.name, "num-hoisted", len(moved))
        for moved_op in list(touched):
            touched.update(moved_op.walk() if moved_op.regions else ())
        context.note_touched(touched)


def _empty_of_invariants(loop: Operation, region: Region) -> list[Operation]:
    """Hoist invariant operations from `region`, a body of `loop`; returns them in order."""
    moved: list[Operation] = []
    waiting = deque(region.ops())
    while waiting:
        op = waiting.popleft()
        if op.parent_region is not region or not is_invariant(op, region):
            continue
        op.move_before(loop)
        moved.append(op)
        waiting.extend(user for result in op.results for user in result.users if user.parent_region is region)
    return moved


def is_invariant(op: Operation, loop_body: Region, others: Container[Operation | None] = ()) -> bool:
    """Whether `op` may be hoisted, given the invariant operations `others`. O(operations inside)."""
    if op.may_be_terminator or not is_memory_effect_free(op) or not is_speculatable(op):
        return False
    for inner in op.walk():
        for use in inner.op_operands:
            value = use.value
            region = value.parent_region
            if not loop_body.is_ancestor_of(region) or value.defining_op in others:
                continue  # defined outside the loop
            if not any(around.is_ancestor_of(region) for around in op.regions):
                return False
    return True


def is_speculatable(op: Operation) -> bool:
    """Whether executing `op` speculatively is unobservable. O(operations inside)."""
    for inner in op.walk():
        if inner.has_trait(tr.PURE):
            continue
        if not _is_speculatable_alone(inner):
            return False
    return True


def _is_speculatable_alone(op: Operation) -> bool:
    """Whether `op` is speculatable, given that its nested operations are."""
    if op.has_trait(tr.RECURSIVELY_SPECULATABLE):
        return True
    if isinstance(op, _UNSIGNED_DIVISIONS):
        divisor = integer_of(op.rhs)
        return divisor is not None and divisor != 0
    if isinstance(op, _SIGNED_DIVISIONS):
        divisor = integer_of(op.rhs)
        return divisor is not None and divisor not in (0, -1)
    if isinstance(op, (memref.DimOp, tensor.DimOp)):
        index, shape = integer_of(op.index), getattr(op.source.type, "shape", None)
        return index is not None and shape is not None and 0 <= index < len(shape)
    if isinstance(op, CountedLoopOp):  # with another step it might not terminate
        return op.axes()[0].step == 1
    if isinstance(op, LinalgOp):
        return all(is_tensor(value.type) or not hasattr(value.type, "shape") for value in op.operands)
    return False
