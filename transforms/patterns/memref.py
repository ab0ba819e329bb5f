"""Canonicalization of `memref`: constant sizes, unused buffers, views of casts, empty copies."""

from __future__ import annotations

from typing import Final

from ...dialects import arith, bufferization, memref
from ...dialects._memref_views import rank_reduction_with_strides
from ...dialects._reshapes import infer_collapsed_type, infer_expanded_type
from ...dialects.common import Mixed, as_number, constant_index, slice_fields, split_mixed
from ...ir.defects import DEAD_REALLOCATIONS, EARLY_SIZES, LOADS_AFTER_STORES
from ...ir.program import traits as tr
from ...ir.program.core import Operation, Region, Value
from ...ir.program.interfaces import STACK_RESOURCE, MemoryEffectOp, Slice
from ...ir.source.diagnostics import expect, present
from ...ir.types import attributes as a, types as t
from ...ir.types.affine_map import StridedLayoutAttr
from ...semantics.folds.memref import can_fold_into_consumer, dropped_by_subview
from .. import makers
from ..rewriting.rewriter import Pattern, Rewriter
from .region_branch import replace_by_region
from .reshape_pairs import collapse_of_expand, expand_of_collapse, twice, without_elements
from .tensor_casts import constant_sizes, fold_sizes, fold_slice, stays_inside

# -- `memref.expand_shape` and `memref.collapse_shape`: chains merge, casts sink


def _collapse_of_cast(op: memref.CollapseShapeOp, rewriter: Rewriter) -> bool:
    """A collapsed cast is a cast of the collapsed source."""
    cast = op.src.defining_op
    if not isinstance(cast, memref.CastOp) or not can_fold_into_consumer(cast):
        return False
    source = expect(t.MemRefType, cast.source.type)
    type = infer_collapsed_type(source, op.reassociation_indices())
    if type is None:
        return False
    if type is op.results[0].type:
        return rewriter.set_operand(op.op_operands[0], cast.source)
    new = memref.CollapseShapeOp.build(src=cast.source, reassociation=op.reassociation, result=type)
    rewriter.before(op).insert(new)
    return rewriter.replace_with(op, memref.CastOp((new.results[0],), (op.results[0].type,)))


def _expand_of_cast(op: memref.ExpandShapeOp, rewriter: Rewriter) -> bool:
    """Sink a cast below an expansion if each group stays as static, or as dynamic, as its source dimension."""
    cast = op.src.defining_op
    if not isinstance(cast, memref.CastOp) or not can_fold_into_consumer(cast):
        return False
    source = expect(t.MemRefType, cast.source.type)
    sizes = [as_number(size) for size in op.mixed_output_shape()]
    shape = [size if isinstance(size, int) else None for size in sizes]
    groups = op.reassociation_indices()
    for group, whole in zip(groups, source.shape, strict=True):
        if (whole is None) != any(shape[i] is None for i in group):
            return False
    type = infer_expanded_type(source, shape, groups)
    if type is None:
        return False
    if type is op.results[0].type:
        return rewriter.set_operand(op.op_operands[0], cast.source)
    values, static = split_mixed(sizes)
    new = memref.ExpandShapeOp.build(
        src=cast.source,
        reassociation=op.reassociation,
        output_shape=values,
        static_output_shape=static,
        result=type,
    )
    rewriter.before(op).insert(new)
    return rewriter.replace_with(op, memref.CastOp((new.results[0],), (op.results[0].type,)))


EXPAND_PATTERNS: Final = (
    without_elements,
    twice,
    expand_of_collapse(memref.ExpandShapeOp, memref.CollapseShapeOp),
    _expand_of_cast,
)
COLLAPSE_PATTERNS: Final = (
    twice,
    collapse_of_expand(memref.ExpandShapeOp, memref.CollapseShapeOp),
    _collapse_of_cast,
)


# -- `memref.alloca_scope`: unneeded scopes are inlined, allocations are hoisted


def _allocates_on_stack(op: Operation) -> bool:
    if isinstance(op, MemoryEffectOp):
        return any(
            effect.kind == "allocate" and effect.resource == STACK_RESOURCE for effect in op.memory_effects()
        )
    return not op.has_trait(tr.PURE) and not op.has_trait(tr.RECURSIVE_MEMORY_EFFECTS)


def _inline_scope(op: memref.AllocaScopeOp, rewriter: Rewriter) -> bool:
    """Inline a scope that has no stack allocation of its own, or that ends an enclosing scope."""
    pending = list(op.body_region.ops())
    allocates = False
    while pending and not allocates:
        inner = pending.pop()
        allocates = _allocates_on_stack(inner)
        if not inner.has_trait(tr.AUTOMATIC_ALLOCATION_SCOPE):
            pending.extend(nested for region in inner.regions for nested in region.ops())
    parent, block = op.parent_op, op.block
    if allocates:
        if parent is None or block is None or not parent.has_trait(tr.AUTOMATIC_ALLOCATION_SCOPE):
            return False
        if (
            block.last_op is None
            or block.last_op.previous_op is not op
            or not expect(Region, block.region).has_one_block
        ):
            return False
    replace_by_region(op, op.body_region, rewriter)
    return True


def _hoist_from_scope(op: memref.AllocaScopeOp, rewriter: Rewriter) -> bool:
    """Hoist allocations with known sizes out of a scope that ends an enclosing scope.

    Only region terminators follow the inner scope, so lifetimes do not grow.
    """
    outermost: Operation = op
    while True:
        parent = outermost.parent_op
        if parent is None or not _is_last(outermost):
            return False
        if parent.has_trait(tr.AUTOMATIC_ALLOCATION_SCOPE):
            break
        outermost = parent
    region = outermost.parent_region
    if outermost is op or region is None:
        return False
    ready: list[Operation] = []
    pending = list(op.body_region.ops())[::-1]
    while pending:
        inner = pending.pop()
        if isinstance(inner, memref.AllocaOp):
            if all(_defined_outside(value, outermost) for value in inner.operands):
                ready.append(inner)
        elif not inner.has_trait(tr.AUTOMATIC_ALLOCATION_SCOPE):
            pending += [nested for part in inner.regions for nested in part.ops()][::-1]
    for allocation in ready:
        rewriter.move_before(allocation, outermost)
    return bool(ready)


def _is_last(op: Operation) -> bool:
    """Whether only a terminator follows, in a region of one block."""
    block = op.block
    return (
        block is not None
        and block.region is not None
        and block.region.has_one_block
        and (op.next_op is None or op.next_op is block.last_op)
    )


def _defined_outside(value: Value, op: Operation) -> bool:
    return not any(region.is_ancestor_of(value.parent_region) for region in op.regions)


SCOPE_PATTERNS: Final = (_inline_scope, _hoist_from_scope)


# -- allocation


def _dead_allocation(op: Operation, rewriter: Rewriter) -> bool:
    """A buffer that is only written and freed is dead."""
    result = op.results[0]
    use = result._first_use
    while use is not None:
        user = use.owner
        if isinstance(user, memref.StoreOp):
            if use.index == 0:
                return False
        elif not isinstance(user, memref.DeallocOp):
            return False
        use = use._next
    frees_source = isinstance(op, memref.ReallocOp) and DEAD_REALLOCATIONS not in rewriter.mirrored
    for user in result.users:
        if frees_source and isinstance(user, memref.DeallocOp):
            rewriter.set_operand(user.op_operands[0], op.op_operands[0].value)
        else:
            rewriter.erase(user)
    return rewriter.erase(op)


# -- copies and sizes


def _empty_copy(op: memref.CopyOp, rewriter: Rewriter) -> bool:
    if not any(isinstance(value.type, t.MemRefType) and 0 in value.type.shape for value in op.operands):
        return False
    return rewriter.erase(op)


def _self_copy(op: memref.CopyOp, rewriter: Rewriter) -> bool:
    if op.source is not op.target:
        return False
    return rewriter.erase(op)


def _dim_of_reshape(op: memref.DimOp, rewriter: Rewriter) -> bool:
    """The size is an element of the shape operand, loaded right after the reshape, before it can change."""
    reshape = op.source.defining_op
    if not isinstance(reshape, memref.ReshapeOp):
        return False
    from ...analysis.speculation import is_speculatable  # loads operations that few programs have

    index = op.index.defining_op
    if op.index.parent_block is reshape.block:
        if index is not None and not index.is_before_in_block(reshape):
            return False
    elif op.block is not reshape.block:
        around = op.index.parent_region
        if (
            around is None
            or around is reshape.parent_region
            or not around.is_ancestor_of(reshape.parent_region)
        ):
            return False
    if op.block is not reshape.block and EARLY_SIZES not in rewriter.mirrored and not is_speculatable(op):
        return False
    at = rewriter.after(reshape)
    shape = reshape.operands[1]
    loaded: Value = at.insert(makers.load(shape, (op.index,))).the_result
    if loaded.type is not t.INDEX:
        loaded = at.insert(arith.IndexCastOp((loaded,), (t.INDEX,))).the_result
    return rewriter.replace(op, [loaded])


def _dim_of_buffer(op: Operation, rewriter: Rewriter) -> bool:
    """A size of `to_buffer` is that of its tensor."""
    from ...dialects import tensor

    inner = op.op_operands[0].value.defining_op
    if not isinstance(inner, bufferization.ToBufferOp):
        return False
    return rewriter.replace_with(op, tensor.DimOp((inner.tensor, op.op_operands[1].value), (t.INDEX,)))


def _load_of_buffer(op: Operation, rewriter: Rewriter) -> bool:
    """A load from `to_buffer` is an extraction from its tensor, if nothing is stored to the memref before."""
    assert isinstance(op, memref.LoadOp)
    inner = op.memref.defining_op
    if not isinstance(inner, bufferization.ToBufferOp):
        return False
    from ...analysis.stores import may_be_stored_to  # few programs have such loads
    from ...dialects import tensor

    if LOADS_AFTER_STORES not in rewriter.mirrored and may_be_stored_to(inner, op):
        return False
    return rewriter.replace_with(op, tensor.ExtractOp((inner.tensor, *op.indices), (op.results[0].type,)))


# -- views


def _without_dims(type: t.MemRefType, dropped: frozenset[int]) -> t.MemRefType:
    if not dropped:
        return type
    layout = present(type.strides_and_offset())
    strides, offset = layout
    kept = [i for i in range(type.rank) if i not in dropped]
    return t.MemRefType(
        [type.shape[i] for i in kept],
        type.element,
        StridedLayoutAttr([strides[i] for i in kept], offset),
        type.memory_space,
    )


def _taken_from(source: Value, op: memref.SubViewOp, slice: Slice, rewriter: Rewriter) -> bool:
    """Replace a subview by that slice of `source`, cast to the old type; not if it is certainly out of bounds."""
    type = expect(t.MemRefType, source.type)
    if not stays_inside(type.shape, slice):
        return False
    made = _without_dims(memref.SubViewOp.infer_result_type(type, *slice), dropped_by_subview(op))
    at = rewriter.before(op)
    new = at.insert(memref.SubViewOp.build(source=source, result=made, **slice_fields(slice)))
    return rewriter.replace_with(op, memref.CastOp((new.results[0],), (op.results[0].type,)))


def _constant_subview(op: memref.SubViewOp, rewriter: Rewriter) -> bool:
    """Constant offsets, else sizes, else strides become part of the operation and its type."""
    slice = fold_slice(op.accessed_slice())
    return slice is not None and 0 not in slice[2] and _taken_from(op.source, op, slice, rewriter)


def _subview_of_cast(op: memref.SubViewOp, rewriter: Rewriter) -> bool:
    """A subview of a cast is a cast of a subview."""
    cast = op.source.defining_op
    if not isinstance(cast, memref.CastOp) or not can_fold_into_consumer(cast):
        return False
    if any(constant_index(value) is not None for value in op.operands[1:]):
        return False
    old_source, result = expect(t.MemRefType, op.source.type), expect(t.MemRefType, op.results[0].type)
    known = [size if isinstance(size, int) else None for size in op.mixed_sizes()]
    if rank_reduction_with_strides(old_source, result, known) is None:
        return False  # mlir-opt compares with the strides of the source, which the subview's steps change
    return _taken_from(cast.source, op, op.accessed_slice(), rewriter)


def _whole_subview(op: memref.SubViewOp, rewriter: Rewriter) -> bool:
    """A subview that covers its source is the source."""
    source, result = op.source.type, op.results[0].type
    assert isinstance(source, t.MemRefType)
    assert isinstance(result, t.MemRefType)
    if source.rank != result.rank or any(constant_index(offset) != 0 for offset in op.mixed_offsets()):
        return False
    if any(constant_index(stride) != 1 for stride in op.mixed_strides()):
        return False
    for size, whole in zip(op.mixed_sizes(), source.shape, strict=True):
        known = constant_index(size)
        if known is None or known != whole:
            return False
    if source is result:
        rewriter.replace(op, [op.source])
    else:
        rewriter.replace_with(op, memref.CastOp((op.source,), (result,)))
    return True


def _view_of_cast(op: memref.ViewOp, rewriter: Rewriter) -> bool:
    cast = op.source.defining_op
    if not isinstance(cast, memref.CastOp) or not isinstance(cast.source.type, t.MemRefType):
        return False
    if not cast.source.type.is_identity_layout:
        return False
    new = memref.ViewOp((cast.source, *op.operands[1:]), (op.results[0].type,), op.attributes)
    return rewriter.replace_with(op, new)


# -- strided metadata and `reinterpret_cast`


def _known_metadata(op: memref.ExtractStridedMetadataOp, rewriter: Rewriter) -> bool:
    """Static offset, sizes and strides are constants; casts are bypassed.

    Users are not revisited in this round: in mlir-opt this is a fold.
    """
    source = expect(t.MemRefType, op.source.type)
    layout = source.strides_and_offset()
    if layout is None or op.block is None:
        return False
    strides, offset = layout
    changed = False
    for result, known in zip(op.results[1:], (offset, *source.shape, *strides), strict=True):
        if known is None or not result.has_uses:
            continue
        constant = arith.ConstantOp.build(value=a.index_attr(known), result=t.INDEX)
        constant.where = op.where
        op.block.insert_before(constant, op)
        result.replace_all_uses_with(constant.the_result)
        changed = True
    cast = op.source.defining_op
    if isinstance(cast, memref.CastOp) and isinstance(cast.source.type, t.MemRefType):
        op.op_operands[0].value = cast.source
        changed = True
    if changed:
        rewriter.modified(op)
    return changed


def _together_again(op: memref.ReinterpretCastOp, rewriter: Rewriter) -> bool:
    """A memref reassembled from its own metadata is that memref; otherwise reinterpret the original directly."""
    metadata = op.source.defining_op
    if not isinstance(metadata, memref.ExtractStridedMetadataOp):
        return False
    source, result = metadata.source.type, op.results[0].type
    assert isinstance(source, t.MemRefType)
    layout = present(source.strides_and_offset())
    strides, offset = layout
    results = iter(metadata.results[1:])
    parts: list[Mixed] = [
        value if known is None else known
        for known, value in zip((offset, *source.shape, *strides), results, strict=True)
    ]
    given: list[Mixed] = [*op.mixed_offsets(), *op.mixed_sizes(), *op.mixed_strides()]
    constants = [constant_index(entry) for entry in given]
    given = [entry if number is None else number for entry, number in zip(given, constants, strict=True)]
    if parts != given:
        return rewriter.set_operand(op.op_operands[0], metadata.source)
    if source is result:
        rewriter.replace(op, [metadata.source])
    else:
        rewriter.replace_with(op, memref.CastOp((metadata.source,), (result,)))
    return True


def _constant_parts(op: memref.ReinterpretCastOp, rewriter: Rewriter) -> bool:
    """Constant offset, sizes and strides become part of the operation and its type."""
    parts = op.accessed_slice()
    folded = [fold_sizes(part, negative=i != 1) for i, part in enumerate(parts)]
    if not any(folded):
        return False
    offsets, sizes, strides = (new or old for new, old in zip(folded, parts, strict=True))
    source = op.source.type
    assert isinstance(source, (t.MemRefType, t.UnrankedMemRefType))
    offset, shape, steps = (
        [e if isinstance(e, int) else None for e in part] for part in (offsets, sizes, strides)
    )
    type = t.MemRefType(shape, source.element, StridedLayoutAttr(steps, offset[0]), source.memory_space)
    fields = slice_fields((offsets, sizes, strides))
    new = rewriter.before(op).insert(memref.ReinterpretCastOp.build(source=op.source, result=type, **fields))
    return rewriter.replace_with(op, memref.CastOp((new.results[0],), (op.results[0].type,)))


FOLDS_THAT_INSERT: Final[dict[type[Operation], tuple[Pattern, ...]]] = {
    memref.ExtractStridedMetadataOp: (_known_metadata,)
}
"""Folds of mlir-opt that insert constants; every greedy pass includes them."""

SIZE_PATTERNS: Final = (_dim_of_reshape,)
"""The patterns of `memref.dim` alone, without those of the operations it queries."""

PATTERNS: Final = {
    memref.AllocOp: (constant_sizes, _dead_allocation),
    memref.AllocaOp: (constant_sizes, _dead_allocation),
    memref.AllocaScopeOp: SCOPE_PATTERNS,
    memref.CollapseShapeOp: COLLAPSE_PATTERNS,
    memref.CopyOp: (_empty_copy, _self_copy),
    memref.DimOp: (_dim_of_buffer, *SIZE_PATTERNS),
    memref.ExpandShapeOp: EXPAND_PATTERNS,
    **FOLDS_THAT_INSERT,
    memref.LoadOp: (_load_of_buffer,),
    memref.ReallocOp: (_dead_allocation,),
    memref.ReinterpretCastOp: (_together_again, _constant_parts),
    memref.SubViewOp: (_constant_subview, _subview_of_cast, _whole_subview),
    memref.ViewOp: (constant_sizes, _view_of_cast),
}
