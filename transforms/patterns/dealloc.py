"""Canonical `bufferization.dealloc`: nothing listed twice, nothing that is never freed, allocations themselves.

D1  a buffer listed twice is listed once, freed if either condition holds
D2  a retained buffer listed twice is listed once
D3  nothing to free: what is retained is not owned
D4  a condition that never holds: the buffer need not be listed
D5  the base of an allocation is the allocation
D6  an allocation that is only freed is not needed
"""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects import arith, bufferization, memref
from ...ir.declaration.declare import OPERAND_SEGMENTS
from ...ir.program.builder import Builder
from ...ir.program.core import Operation, Value
from ...ir.program.interfaces import ALLOCATE, MemoryEffectOp
from ...ir.types import attributes as a
from ...ir.types import types as t
from ..rewriting.rewriter import Rewriter

DeallocOp = bufferization.DeallocOp


def constant(builder: Builder, value: bool) -> Value:
    """`arith.constant true`, or false."""
    return builder.insert(
        arith.ConstantOp((), (t.I1,), None, {"value": a.TRUE if value else a.FALSE})
    ).results[0]


def either(builder: Builder, left: Value, right: Value) -> Value:
    """`arith.ori` of two flags."""
    return builder.insert(arith.OrIOp((left, right), (t.I1,))).results[0]


def known(value: Value) -> bool | None:
    """The constant that a flag is, if it is one."""
    op = value.defining_op
    if isinstance(op, arith.ConstantOp):
        attribute = op.properties["value"]
        return bool(attribute.value) if isinstance(attribute, a.IntegerAttr) else None
    return None


def parts(op: DeallocOp) -> tuple[list[Value], list[Value], list[Value]]:
    """Listed memrefs, their conditions, and retained memrefs."""
    operands = op.operands
    retained = len(operands) - len(op.results)
    listed = retained // 2
    return operands[:listed], operands[listed:retained], operands[retained:]


def new_dealloc(
    builder: Builder, memrefs: Sequence[Value], conditions: Sequence[Value], retained: Sequence[Value]
) -> DeallocOp:
    """A `bufferization.dealloc` at the insertion point."""
    sizes = a.DenseArrayAttr(t.I32, (len(memrefs), len(conditions), len(retained)))
    return builder.insert(
        DeallocOp(
            (*memrefs, *conditions, *retained), (t.I1,) * len(retained), None, {OPERAND_SEGMENTS: sizes}
        )
    )


def update(op: DeallocOp, memrefs: Sequence[Value], conditions: Sequence[Value], rewriter: Rewriter) -> bool:
    """Change what is freed and when; whether that was a change."""
    old_memrefs, old_conditions, retained = parts(op)
    if len(memrefs) == len(old_memrefs) and all(
        new is old for new, old in zip((*memrefs, *conditions), (*old_memrefs, *old_conditions), strict=True)
    ):
        return False
    op.operands = (*memrefs, *conditions, *retained)
    sizes = (len(memrefs), len(conditions), len(retained))
    op.properties[OPERAND_SEGMENTS] = a.DenseArrayAttr(t.I32, sizes)
    rewriter.modified(op)
    return True


def merge_duplicate_memrefs(op: DeallocOp, rewriter: Rewriter) -> bool:
    """D1."""
    listed, flags, _ = parts(op)
    if len(set(listed)) == len(listed):
        return False
    at: dict[Value, int] = {}
    memrefs: list[Value] = []
    conditions: list[Value] = []
    for value, condition in zip(listed, flags, strict=True):
        i = at.setdefault(value, len(memrefs))
        if i == len(memrefs):
            memrefs.append(value)
            conditions.append(condition)
        elif conditions[i] is not condition:
            conditions[i] = either(rewriter.before(op), conditions[i], condition)
    return update(op, memrefs, conditions, rewriter)


def merge_duplicate_retained(op: DeallocOp, rewriter: Rewriter) -> bool:
    """D2."""
    memrefs, conditions, retained = parts(op)
    at: dict[Value, int] = {}
    positions = [at.setdefault(value, len(at)) for value in retained]
    if len(at) == len(positions):
        return False
    merged = new_dealloc(rewriter.before(op), memrefs, conditions, list(at))
    return rewriter.replace(op, [merged.results[i] for i in positions])


def erase_empty(op: DeallocOp, rewriter: Rewriter) -> bool:
    """D3."""
    if len(op.op_operands) > len(op.results):
        return False
    false = constant(rewriter.before(op), False)
    return rewriter.replace(op, [false] * len(op.results))


def drop_never_freed(op: DeallocOp, rewriter: Rewriter) -> bool:
    """D4."""
    memrefs, conditions, _ = parts(op)
    pairs = [
        (value, condition)
        for value, condition in zip(memrefs, conditions, strict=True)
        if known(condition) is not False
    ]
    return len(pairs) < len(memrefs) and update(
        op, [value for value, _ in pairs], [condition for _, condition in pairs], rewriter
    )


def skip_metadata_of_allocation(op: DeallocOp, rewriter: Rewriter) -> bool:
    """D5."""
    memrefs, conditions, _ = parts(op)
    return update(op, [_allocation_under(value) for value in memrefs], conditions, rewriter)


def _allocation_under(value: Value) -> Value:
    op = value.defining_op
    if isinstance(op, memref.ExtractStridedMetadataOp) and _allocates(op.operands[0]):
        return op.operands[0]
    return value


def _allocates(value: Value) -> bool:
    op = value.defining_op
    return isinstance(op, MemoryEffectOp) and any(
        effect.kind == ALLOCATE and effect.value is value for effect in op.memory_effects()
    )


def erase_unused_allocations(op: DeallocOp, rewriter: Rewriter) -> bool:
    """D6."""
    memrefs: list[Value] = []
    conditions: list[Value] = []
    unused: list[Operation] = []
    listed, flags, _ = parts(op)
    for value, condition in zip(listed, flags, strict=True):
        allocation = value.defining_op
        if (
            isinstance(allocation, MemoryEffectOp)
            and value.has_one_use
            and len(allocation.memory_effects()) == 1
            and _allocates(value)
        ):
            unused.append(allocation)
        else:
            memrefs.append(value)
            conditions.append(condition)
    if not update(op, memrefs, conditions, rewriter):
        return False
    for allocation in unused:
        rewriter.erase(allocation)
    return True


DEALLOC_PATTERNS = (
    merge_duplicate_memrefs,
    merge_duplicate_retained,
    erase_empty,
    drop_never_freed,
    skip_metadata_of_allocation,
    erase_unused_allocations,
)
"""D1 to D6, in the order in which they are tried."""
