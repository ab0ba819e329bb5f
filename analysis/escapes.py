"""Buffers whose address gets to where ownership is not followed, so that nothing may free them.

Ownership follows memrefs as values. An address leaves that world in two ways:

  S1  *stored*: a memref is an element of another memref (`memref.store %buffer, %table[%i]`), which may be read from
      anywhere. Harmless if the table is allocated here, is only loaded from and stored to, and only within its block,
      and the buffer is defined in that block or around it: then all loads come before the buffer is freed.
  S2  *exposed*: its address becomes a number, or its contents a tensor, that is passed on, stored, given to a
      call or used beyond the block that defines the buffer.

Whatever such a memref may view (`ViewFlow`) is what must be left alone. Being returned, passed to a block or given to a
call as a memref is no escape: the conventions of ownership cover it.
"""

from __future__ import annotations

from ..dialects import bufferization, builtin, memref
from ..ir.program import traits as tr
from ..ir.program.core import Operation, OpOperand, Value
from ..ir.program.interfaces import (
    ALLOCATE,
    CallOpInterface,
    MemoryEffectOp,
    ViewLikeOp,
    is_memory_effect_free,
)
from ..ir.types import types as t
from .view_flow import ViewFlow, is_buffer

EXPOSING = (
    memref.ExtractAlignedPointerAsIndexOp,
    builtin.UnrealizedConversionCastOp,
    bufferization.ToTensorOp,
)
"""Operations whose results that are no memrefs let their memref operands be reached."""


def escaping_allocations(function: Operation) -> dict[Value, OpOperand]:
    """The results of allocations and calls in `function` that escape, each with a use by which it does.

    O(operations + uses), plus for each escape what it may view.
    """
    leaks = leaked(function)
    if not leaks:
        return {}
    flow = ViewFlow(function, conservative=True)
    found: dict[Value, OpOperand] = {}
    for leak, use in leaks.items():
        for origin in flow.resolve_back([leak]):
            if is_owned_by_origin(origin):
                found.setdefault(origin, use)
    return found


def leaked(function: Operation) -> dict[Value, OpOperand]:
    """The memrefs that are stored or exposed, each with the first use by which they are. O(operations + uses)."""
    leaks: dict[Value, OpOperand] = {}
    for op in function.walk():
        for use in op.op_operands:
            if is_buffer(use.value) and use.value not in leaks and (is_stored(use) or _exposed(use)):
                leaks[use.value] = use
    return leaks


def is_owned_by_origin(value: Value) -> bool:
    """Whether the block that defines `value` comes to own it: it is allocated there, or returned by a call."""
    op = value.defining_op
    if isinstance(op, CallOpInterface):
        return True
    return isinstance(op, MemoryEffectOp) and any(
        effect.kind == ALLOCATE and effect.value is value for effect in op.memory_effects()
    )


def is_stored(use: OpOperand) -> bool:
    """S1: whether the operation writes the memref, rather than its elements, to memory that may outlive it."""
    op = use.owner
    if not isinstance(op, MemoryEffectOp) or isinstance(op, ViewLikeOp):
        return False
    effects = op.memory_effects()
    written = [effect.value for effect in effects if effect.kind == "write"]
    if not written or any(effect.value is use.value for effect in effects):
        return False
    return not all(table is not None and is_local_table(table, use.value) for table in written)


def is_local_table(table: Value, stored: Value) -> bool:
    op = table.defining_op
    if not isinstance(op, (memref.AllocOp, memref.AllocaOp)):
        return False
    outer, inner = stored.parent_region, table.parent_region
    return (
        outer is not None
        and outer.is_ancestor_of(inner)
        and all(
            isinstance(use.owner, (memref.LoadOp, memref.StoreOp, memref.DeallocOp))
            and use.owner.operands[0 if not isinstance(use.owner, memref.StoreOp) else 1] is table
            and use.owner.operands.count(table) == 1
            and use.owner.ancestor_in_block(op.block) is not None
            for use in table.uses
        )
    )


def _exposed(use: OpOperand) -> bool:
    """S2: whether an address or contents got from the memref may be used after the block that defines it.

    Comparing two addresses there is harmless: nothing can be reached through a flag.
    """
    if not isinstance(use.owner, EXPOSING):
        return False
    home = use.value.parent_block
    waiting: list[Value] = [result for result in use.owner.results if not is_buffer(result)]
    seen = set(waiting)
    while waiting:
        carrier = waiting.pop()
        for further in carrier.uses:
            op = further.owner
            carriers = [result for result in op.results if carries(carrier, result)]
            if lets_out(op) or (carriers and op.ancestor_in_block(home) is None):
                return True
            for result in carriers:
                if result not in seen:
                    seen.add(result)
                    waiting.append(result)
    return False


def lets_out(op: Operation) -> bool:
    """Whether what `op` is given may be kept or go elsewhere: unless it is free of effects and stays in the block."""
    if op.definition is None or op.definition.is_terminator or isinstance(op, CallOpInterface):
        return True
    return bool(op.regions) or not (op.has_trait(tr.PURE) or is_memory_effect_free(op))


def carries(source: Value, result: Value) -> bool:
    """Whether memory can be reached through a result as through the operand: not through a flag or a tensor's element."""
    if result.type is t.I1:
        return False
    return not t.is_tensor(source.type) or t.is_tensor(result.type) or is_buffer(result)
