"""Folds of `memref`: casts are absorbed by users, sizes are read from definitions."""

from __future__ import annotations

from typing import Final

from ...dialects import memref
from ...dialects._memref_views import rank_reduction_with_strides
from ...dialects._reshapes import leaves_sizes_open
from ...dialects.common import constant_index, static_values
from ...ir.program.core import Operation, OpResult, Value
from ...ir.source.diagnostics import expect
from ...ir.types import attributes as a, types as t
from ...ir.types.affine_map import AffineMap
from . import IN_PLACE, Constants, Fold, Folded


def cast_source(value: Value) -> Value | None:
    """The source of `value` if it is a cast of a ranked memref, else None."""
    if isinstance(value, OpResult) and isinstance(value.owner, memref.CastOp):
        source = value.owner.op_operands[0].value
        if not isinstance(source.type, t.UnrankedMemRefType):
            return source
    return None


def look_through_memref_casts(op: Operation, keep: Value | None = None) -> bool:
    """Replace operands that are casts by their sources, except `keep`; returns whether anything changed."""
    changed = False
    for use in op.op_operands:
        source = cast_source(use.value)
        if source is not None and use.value is not keep:
            use.value = source
            changed = True
    return changed


def users_of_casts(op: Operation, constants: Constants) -> Folded:
    return IN_PLACE if look_through_memref_casts(op) else None


def stores(op: Operation, constants: Constants) -> Folded:
    return IN_PLACE if look_through_memref_casts(op, keep=op.op_operands[0].value) else None


def can_fold_into_consumer(cast: memref.CastOp) -> bool:
    """Whether users of a cast may use its source, whose type is at least as static in sizes and layout."""
    source, result = cast.source.type, cast.dest.type
    if not isinstance(source, t.MemRefType) or not isinstance(result, t.MemRefType):
        return False
    if source.element is not result.element or source.rank != result.rank:
        return False
    before, after = source.strides_and_offset(), result.strides_and_offset()
    if before is None or after is None:
        return False
    for known, wanted in zip(source.shape, result.shape, strict=True):
        if known is None and wanted is not None:
            return False
    if before[1] is None and after[1] is not None:
        return False
    return all(k is not None or w is None for k, w in zip(before[0], after[0], strict=True))


def _copy(op: Operation, constants: Constants) -> Folded:
    changed = False
    for use in op.op_operands:
        cast = use.value.defining_op
        if isinstance(cast, memref.CastOp) and can_fold_into_consumer(cast):
            use.value = cast.source
            changed = True
    return IN_PLACE if changed else None


def _dim(op: Operation, constants: Constants) -> Folded:
    index = constants[1]
    source = op.op_operands[0].value
    type = source.type
    if not isinstance(index, a.IntegerAttr) or not isinstance(type, t.MemRefType):
        return None
    position = index.value
    if not 0 <= position < type.rank:
        return None
    size = type.shape[position]
    if size is not None:
        return [a.index_attr(size)]
    found = _dynamic_size(source, type, position)
    if found is not None:
        return [found]
    return IN_PLACE if look_through_memref_casts(op) else None


def _dynamic_size(source: Value, type: t.MemRefType, position: int) -> Value | None:
    """The size operand of the allocation or view that defines `source`, for a dimension; else None."""
    made = source.defining_op
    if isinstance(made, (memref.AllocOp, memref.AllocaOp, memref.ViewOp)):
        found = made.mixed_sizes()[position]
        return found if isinstance(found, Value) else None
    if isinstance(made, memref.SubViewOp):
        dropped = dropped_by_subview(made)
        kept = [size for i, size in enumerate(made.mixed_sizes()) if i not in dropped]
        found = kept[position]
        return found if isinstance(found, Value) else None
    return None


def dropped_by_subview(op: memref.SubViewOp) -> frozenset[int]:
    """The source dimensions that the result of a rank-reducing subview lacks."""
    source, result = op.source.type, op.results[0].type
    assert isinstance(source, t.MemRefType)
    assert isinstance(result, t.MemRefType)
    if source.rank == result.rank:
        return frozenset()
    offsets, sizes, strides = (
        static_values(values) for values in (op.static_offsets, op.static_sizes, op.static_strides)
    )
    full = memref.SubViewOp.infer_result_type(source, offsets, sizes, strides)
    return frozenset(rank_reduction_with_strides(full, result, sizes) or ())


def _rank(op: Operation, constants: Constants) -> Folded:
    type = op.op_operands[0].value.type
    return [a.index_attr(type.rank)] if isinstance(type, t.MemRefType) else None


def _is_number(entry: Value | int, number: int) -> bool:
    return constant_index(entry) == number


def _has_static_layout(type: t.MemRefType) -> bool:
    layout = type.strides_and_offset()
    return layout is not None and layout[1] is not None and None not in layout[0]


def _subview(op: memref.SubViewOp, constants: Constants) -> Folded:
    source, result = op.source.type, op.results[0].type
    assert isinstance(result, t.MemRefType)
    if source is result and result.has_static_shape and (result.layout is None or _has_static_layout(result)):
        return [op.source]
    inner = op.source.defining_op
    if (
        isinstance(inner, memref.SubViewOp)
        and source is result
        and all(_is_number(offset, 0) for offset in op.mixed_offsets())
        and all(_is_number(stride, 1) for stride in op.mixed_strides())
        and op.mixed_sizes() == inner.mixed_sizes()
    ):
        return [op.source]
    return None


def _reinterpret_cast(op: memref.ReinterpretCastOp, constants: Constants) -> Folded:
    before = op.source.defining_op
    further: Value | None = None
    if isinstance(before, (memref.ReinterpretCastOp, memref.CastOp)) or (
        isinstance(before, memref.SubViewOp)
        and all(_is_number(offset, 0) for offset in before.mixed_offsets())
    ):
        further = before.op_operands[0].value
    if further is not None:
        op.op_operands[0].value = further
        return IN_PLACE
    result = expect(t.MemRefType, op.results[0].type)
    if op.source.type is result and result.has_static_shape and _has_static_layout(result):
        return [op.source]
    return None


def _reshape(op: Operation, constants: Constants) -> Folded:
    """A reshape to the same type, or a collapse that inverts an expansion, is its source."""
    source, result = op.op_operands[0].value, op.results[0]
    if source.type is result.type:
        return [source]
    inner = source.defining_op
    opposite = memref.ExpandShapeOp if isinstance(op, memref.CollapseShapeOp) else memref.CollapseShapeOp
    if isinstance(inner, opposite) and inner.op_operands[0].value.type is result.type:
        same = inner.properties["reassociation"] is op.properties["reassociation"]
        larger = source if isinstance(inner, memref.ExpandShapeOp) else result
        expanded = expect(t.ShapedType, larger.type).sizes
        groups = inner.reassociation_indices() if isinstance(op, memref.ExpandShapeOp) else []
        if groups and leaves_sizes_open(result.type):
            return None
        if same and all(sum(expanded[i] is None for i in group) <= 1 for group in groups):
            return [inner.op_operands[0].value]
    return None


def _permutation(op: Operation) -> AffineMap:
    return expect(a.AffineMapAttr, op.properties["permutation"]).map


def _transpose(op: Operation, constants: Constants) -> Folded:
    map = _permutation(op)
    if map.is_identity and op.op_operands[0].value.type is op.results[0].type:
        return [op.op_operands[0].value]
    found = users_of_casts(op, constants)
    inner = op.op_operands[0].value.defining_op
    if found is None and inner is not None and inner.name == op.name:
        op.properties["permutation"] = a.AffineMapAttr(map.compose(_permutation(inner)))
        op.op_operands[0].value = inner.op_operands[0].value
        return IN_PLACE
    return found


def _assume_alignment(op: Operation, constants: Constants) -> Folded:
    inner = op.op_operands[0].value.defining_op
    if (
        isinstance(inner, memref.AssumeAlignmentOp)
        and inner.properties["alignment"] is op.properties["alignment"]
    ):
        return [op.op_operands[0].value]
    return None


def _view(op: Operation, constants: Constants) -> Folded:
    """A view of a whole buffer under its own type is the buffer."""
    source, result = op.op_operands[0].value, op.results[0].type
    assert isinstance(result, t.MemRefType)
    first = constants[1]
    if (
        source.type is result
        and result.has_static_shape
        and isinstance(first, a.IntegerAttr)
        and first.value == 0
    ):
        return [source]
    return None


def _memory_space_cast(op: Operation, constants: Constants) -> Folded:
    inner = op.op_operands[0].value.defining_op
    if isinstance(inner, memref.MemorySpaceCastOp):
        op.op_operands[0].value = inner.op_operands[0].value
        return IN_PLACE
    return None


FOLDS: Final[dict[type[Operation], Fold]] = {
    memref.AssumeAlignmentOp: _assume_alignment,
    memref.AtomicRMWOp: stores,
    memref.CastOp: users_of_casts,
    memref.CollapseShapeOp: _reshape,
    memref.CopyOp: _copy,
    memref.DeallocOp: users_of_casts,
    memref.DimOp: _dim,
    memref.DmaStartOp: users_of_casts,
    memref.DmaWaitOp: users_of_casts,
    memref.ExpandShapeOp: _reshape,
    memref.LoadOp: users_of_casts,
    memref.MemorySpaceCastOp: _memory_space_cast,
    memref.PrefetchOp: users_of_casts,
    memref.RankOp: _rank,
    memref.ReinterpretCastOp: _reinterpret_cast,
    memref.StoreOp: stores,
    memref.SubViewOp: _subview,
    memref.TransposeOp: _transpose,
    memref.ViewOp: _view,
}
