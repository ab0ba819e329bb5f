"""Canonicalization of `bufferization`: statically known ownership, redundant clones and casts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...analysis.causes import Cause, CauseKind
from ...dialects import arith, bufferization, memref, tensor
from ...dialects._memref_views import cast_always_succeeds, cast_compatible
from ...dialects.common import constant_index
from ...ir.declaration.declare import OPERAND_SEGMENTS
from ...ir.defects import DENSE_CASTS, SOUND, Defect
from ...ir.program.builder import Builder
from ...ir.program.core import Operation, Value
from ...ir.program.interfaces import FREE, MemoryEffectOp, ViewLikeOp, is_allocation
from ...ir.types import attributes as a, types as t
from .. import makers
from ..rewriting.rewriter import Rewriter
from .tensor_casts import constant_sizes, destination_of_cast

# Canonicalization of `bufferization.dealloc`.
#
# D1  duplicate memrefs to free are merged; their conditions are combined by `or`
# D2  duplicate retained memrefs are merged
# D3  an empty `dealloc` is erased: its ownership results are false
# D4  a memref whose condition is false is dropped
# D5  the base buffer extracted from an allocation is replaced by the allocation
# D6  an allocation that is only freed is erased

DeallocOp = bufferization.DeallocOp


def either(builder: Builder, left: Value, right: Value) -> Value:
    """`arith.ori` of two ownership flags."""
    return makers.binary(builder, arith.OrIOp, left, right)


def known(value: Value) -> bool | None:
    """The constant value of an ownership flag; None if unknown."""
    number = constant_index(value)
    return None if number is None else bool(number)


def parts(op: DeallocOp) -> tuple[list[Value], list[Value], list[Value]]:
    """The memrefs to free, their conditions, and the retained memrefs."""
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
    """Replace the memrefs to free and their conditions; returns whether anything changed."""
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
    false = makers.boolean(rewriter.before(op), False)
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
    if isinstance(op, memref.ExtractStridedMetadataOp) and is_allocation(op.operands[0]):
        return op.operands[0]
    return value


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
            and is_allocation(value)
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


# -- bufferization.clone


def _simplify_clone(op: bufferization.CloneOp, rewriter: Rewriter) -> bool:
    """Replace a clone by its source if one of them is freed in the clone's block, with no other deallocation in
    between."""
    clone, source = op.results[0], op.op_operands[0].value
    if not clone.has_uses:
        return rewriter.erase(op)
    if source.type is not clone.type:
        if not memref_cast_compatible(source.type, clone.type):
            return False
        if DENSE_CASTS not in rewriter.mirrored and not guaranteed_cast(source.type, clone.type, SOUND):
            return False
    origin = source
    while isinstance(view := origin.defining_op, ViewLikeOp) and view.results[0] is origin:
        if isinstance(view, memref.TransposeOp):  # no view in mlir-opt
            break
        origin = view.view_source()
    from ...analysis.allocations import deallocations

    of_clone, of_source = deallocations(clone), deallocations(origin)
    if len(of_clone) > 1 or len(of_source) > 1:
        return False
    if of_clone and of_source and of_clone[0].block is of_source[0].block:
        return False
    redundant = next((free for free in (*of_clone, *of_source) if free.block is op.block), None)
    if redundant is None or not op.is_before_in_block(redundant):
        return False
    between = op.next_op
    while between is not None and between is not redundant:
        if isinstance(between, MemoryEffectOp) and any(e.kind == FREE for e in between.memory_effects()):
            return False
        between = between.next_op
    if source.type is not clone.type:
        source = rewriter.before(op).insert(memref.CastOp((source,), (clone.type,))).the_result
    rewriter.replace(op, [source])
    return rewriter.erase(redundant)


def memref_cast_compatible(source: t.Type, target: t.Type) -> bool:
    """Whether `memref.cast` accepts this pair of types."""
    return cast_compatible(source, target)


# -- bufferization.to_buffer, to_tensor, alloc_tensor


def guaranteed_cast(source: t.Type, target: t.Type, mirrored: frozenset[Defect]) -> bool:
    """Whether `memref.cast` accepts this pair of types and never fails at run time."""
    if isinstance(source, t.MemRefType) and isinstance(target, t.MemRefType):
        return cast_always_succeeds(source, target, mirrored)
    return memref_cast_compatible(source, target) and isinstance(target, t.UnrankedMemRefType)


def _buffer_of_tensor_of_buffer(op: bufferization.ToBufferOp, rewriter: Rewriter) -> bool:
    """`to_buffer(to_tensor(m))` is `m`, cast to the result type."""
    inner = op.tensor.defining_op
    if not isinstance(inner, bufferization.ToTensorOp):
        return False
    buffer, type = inner.buffer, op.results[0].type
    if isinstance(buffer.type, t.UnrankedMemRefType) and isinstance(type, t.MemRefType):
        return False
    if isinstance(type, t.UnrankedMemRefType):
        return rewriter.replace_with(op, memref.CastOp((buffer,), (type,)))
    assert isinstance(type, t.MemRefType)
    known = op.cause
    cause = known if isinstance(known, Cause) else Cause(CauseKind.LAYOUT_MISMATCH, op)
    made = makers.cast_or_copy(rewriter.before(op), buffer, type, cause, mirrored=rewriter.mirrored)
    if made is None:
        return False
    return rewriter.replace(op, [made])


def _buffer_of_cast(op: bufferization.ToBufferOp, rewriter: Rewriter) -> bool:
    """`to_buffer(tensor.cast t)` casts the buffer of `t`."""
    cast = op.tensor.defining_op
    if cast is None or cast.name != "tensor.cast":
        return False
    source = cast.op_operands[0].value.type
    if not isinstance(source, t.RankedTensorType):
        return False
    type = t.MemRefType(source.shape, source.element)
    made = bufferization.ToBufferOp((cast.op_operands[0].value,), (type,), None, op.properties)
    buffer = rewriter.before(op).insert(made)
    return rewriter.replace_with(op, memref.CastOp((buffer.the_result,), (op.results[0].type,)))


def dim_of_buffer(op: tensor.DimOp, rewriter: Rewriter) -> bool:
    """A size of `to_tensor` is that of its buffer."""
    made = op.source.defining_op
    if not isinstance(made, bufferization.ToTensorOp):
        return False
    return rewriter.replace_with(op, memref.DimOp.build(source=made.buffer, index=op.index, result=t.INDEX))


PATTERNS: Final = {
    bufferization.AllocTensorOp: (constant_sizes,),
    bufferization.CloneOp: (_simplify_clone,),
    bufferization.DeallocOp: DEALLOC_PATTERNS,
    bufferization.MaterializeInDestinationOp: (destination_of_cast,),
    bufferization.ToBufferOp: (_buffer_of_cast, _buffer_of_tensor_of_buffer),
}
