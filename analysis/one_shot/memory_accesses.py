"""Until when the memory of a tensor is accessed through the memref of a `to_buffer`.

The operation itself reads and writes nothing: whoever uses its memref does, later. To the rules it is a read and a write that
last from the operation to the last use of the memref or of a view of it. Where uses are not followed (the memref is stored,
forwarded by a branch or a region, used in another block, or becomes a tensor again) they may last for ever.

mlir-opt 22 takes them to be over when the operation is (`memory-accesses`).
"""

from __future__ import annotations

from collections.abc import Mapping

from ...dialects import bufferization, memref
from ...ir.program import traits as tr
from ...ir.program.core import Operation, Value
from ...ir.program.interfaces import FunctionOp, is_memory_effect_free
from ...ir.types import types as t
from ..regions import ProgramOrder

ESCAPING = (bufferization.ToTensorOp, memref.ExtractAlignedPointerAsIndexOp)


def last_accesses(order: ProgramOrder) -> Mapping[Operation, Operation | None]:
    """For each `to_buffer` the operation of its block with which the last access ends; None if that is not known.

    O(operations, and uses of these memrefs).
    """
    return {op: _last(op, order) for op in order.enter if isinstance(op, bufferization.ToBufferOp)}


def _last(op: Operation, order: ProgramOrder) -> Operation | None:
    block, region = op.block, op.parent_region
    last = op
    pending: list[Value] = [op.results[0]]
    seen: set[Value] = set()
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        for use in value.uses:
            user = use.owner
            around = order.ancestor_in_region(user, region)
            if around is None or around.block is not block or _escapes(user, value):
                return None
            if order.enter[around] > order.enter[last]:
                last = around
            pending += [result for result in user.results if t.is_memref(result.type)]
            pending += [a for r in user.regions for b in r for a in b.args if t.is_memref(a.type)]
    return last


def _escapes(user: Operation, value: Value) -> bool:
    if user.has_trait(tr.TERMINATOR):
        return not (user.has_trait(tr.RETURN_LIKE) and isinstance(user.parent_op, FunctionOp))
    if isinstance(user, memref.StoreOp):
        return user.operands[0] is value
    return isinstance(user, ESCAPING) or not (user.is_registered or is_memory_effect_free(user))
