"""Rewrites of tensor, arith and bufferization.

`tensor`: views, element and slice accesses, new tensors. `arith`: constants become globals; `select` and `index_cast` work on
buffers. `bufferization`: allocations and conversions between tensors and memrefs.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from ...analysis.causes import Cause, CauseKind, Types
from ...dialects import arith, bufferization, linalg, memref, tensor
from ...dialects._reshapes import infer_collapsed_type, infer_expanded_type, is_guaranteed_collapsible
from ...dialects.builtin import ModuleOp
from ...dialects.common import Mixed, OffsetSizeAndStrideOp, constant_index, split_mixed
from ...ir.declaration.declare import OPERAND_SEGMENTS
from ...ir.program.core import Block, Operation, Value
from ...ir.program.interfaces import FREE, MemoryEffectOp
from ...ir.source.diagnostics import expect, present
from ...ir.types import attributes as a, types as t
from ...ir.types.affine import symbol
from ...ir.types.affine_map import StridedLayoutAttr
from ...ir.types.attributes import DenseArrayAttr, IntegerAttr, SymbolRefAttr
from .. import makers
from . import UnknownMemorySpace
from .bufferizer import Bufferizer, Rewrite
from .inference import (
    BufferType,
    RewriteFailed,
    TypeInference,
    TypeRequest,
    failed,
    fully_dynamic_type,
    identity_type,
    is_tensor,
    ranked,
)
from .shapes import add, apply_unfolded, dim, folded_buffer_dim, mixed_sizes


def bufferize_cast(op: Operation, b: Bufferizer) -> None:
    """A cast of the buffer, if its type changes."""
    source = b.buffer(op.op_operands[0].value)
    b.replace(op, (b.cast(source, b.buffer_type(op.results[0])),))


def cast_type(value: Value, types: TypeInference) -> TypeRequest:
    """The layout of the source; a fully dynamic one to or from unranked tensors."""
    source_tensor = expect(Operation, value.defining_op).op_operands[0].value
    source = yield source_tensor
    if not isinstance(source, t.MemRefType) or isinstance(value.type, t.UnrankedTensorType):
        return fully_dynamic_type(value.type, source.memory_space)
    assert isinstance(value.type, t.RankedTensorType)
    return source.with_shape(value.type.shape)


def bufferize_collapse_shape(op: tensor.CollapseShapeOp, b: Bufferizer) -> None:
    source, result = op.op_operands[0].value, op.results[0].type
    assert isinstance(result, t.RankedTensorType)
    buffer = b.buffer(source)
    type = ranked(buffer)
    groups = op.reassociation_indices()
    if not result.shape:
        view_type = _scalar_type(type)
    else:
        if not is_guaranteed_collapsible(type, groups):
            buffer = _dense_copy(b, op, source, type)
        view_type = infer_collapsed_type(ranked(buffer), groups)
        if view_type is None:
            raise RewriteFailed
    view = memref.CollapseShapeOp(
        (buffer,), (view_type,), None, {"reassociation": op.properties["reassociation"]}
    )
    b.replace(op, b.insert(view).results)


def collapse_shape_type(value: Value, types: TypeInference) -> TypeRequest:
    op = expect(tensor.CollapseShapeOp, value.defining_op)
    source = expect(t.MemRefType, (yield op.op_operands[0].value))
    groups = op.reassociation_indices()
    if not is_guaranteed_collapsible(source, groups):
        return identity_type(value.type, source.memory_space)
    type = present(infer_collapsed_type(source, groups))
    return type


def _scalar_type(source: t.MemRefType) -> t.MemRefType:
    """The type of a buffer of rank 0 collapsed from one with only unit dimensions."""
    if source.is_identity_layout:
        return t.MemRefType((), source.element, None, source.memory_space)
    layout = source.strides_and_offset()
    if layout is None:
        raise RewriteFailed
    return t.MemRefType((), source.element, StridedLayoutAttr((), layout[1]), source.memory_space)


def _dense_copy(b: Bufferizer, op: Operation, source: Value, type: t.MemRefType) -> Value:
    """A copy of `source` with an identity layout, for `op`."""
    dense = t.MemRefType(type.shape, type.element, None, type.memory_space)
    cause = b.cause(op, CauseKind.NOT_CONTIGUOUS, 0, source, Types(type, dense))
    copy = b.allocated_tensor(source, cause, copied=True)
    return b.insert(makers.to_buffer(copy, dense)).results[0]


def bufferize_expand_shape(op: tensor.ExpandShapeOp, b: Bufferizer) -> None:
    buffer = b.buffer(op.op_operands[0].value)
    type = expect(t.RankedTensorType, op.results[0].type)
    view_type = infer_expanded_type(ranked(buffer), type.shape, op.reassociation_indices())
    if view_type is None:
        raise RewriteFailed
    view = memref.ExpandShapeOp((buffer, *op.output_shape), (view_type,), None, op.properties)
    b.replace(op, b.insert(view).results)


def expand_shape_type(value: Value, types: TypeInference) -> TypeRequest:
    op = expect(tensor.ExpandShapeOp, value.defining_op)
    source = expect(t.MemRefType, (yield op.op_operands[0].value))
    assert isinstance(value.type, t.RankedTensorType)
    type = infer_expanded_type(source, value.type.shape, op.reassociation_indices())
    if type is None:
        raise RewriteFailed
    return type


def bufferize_reshape(op: Operation, b: Bufferizer) -> None:
    source, shape = op.operands
    buffer, shape_buffer = b.buffer(source), b.buffer(shape)
    type: BufferType = b.buffer_type(op.results[0])
    if isinstance(buffer.type, t.MemRefType) and not buffer.type.is_identity_layout:
        buffer = _dense_copy(b, op, source, buffer.type)
    b.replace(op, b.insert(memref.ReshapeOp((buffer, shape_buffer), (type,))).results)


def reshape_type(value: Value, types: TypeInference) -> TypeRequest:
    source = yield expect(Operation, value.defining_op).op_operands[0].value
    return identity_type(value.type, source.memory_space)


SLICE_PROPERTIES = ("static_offsets", "static_sizes", "static_strides")


def bufferize_extract(op: Operation, b: Bufferizer) -> None:
    source, *indices = op.operands
    load = b.insert(makers.load(b.buffer(source), indices))
    op.results[0].replace_all_uses_with(load.results[0])
    op.erase()


def bufferize_insert(op: Operation, b: Bufferizer) -> None:
    scalar, dest, *indices = op.operands
    target = b.buffer(dest)
    b.insert(makers.store(scalar, target, indices))
    b.replace(op, (target,))


def bufferize_dim(op: Operation, b: Bufferizer) -> None:
    source, index = op.operands
    b.replace(op, b.insert(makers.dim(b.buffer(source), index)).results)


def bufferize_rank(op: Operation, b: Bufferizer) -> None:
    source = b.buffer(op.op_operands[0].value)
    b.replace(op, b.insert(memref.RankOp((source,), (t.INDEX,))).results)


def view_of_slice(
    b: Bufferizer, buffer: Value, op: OffsetSizeAndStrideOp, shape: t.Shape, first: int
) -> Value:
    """The `memref.subview` of `buffer` that `op` addresses, with rank-reduced `shape`.

    `first` is the position of the first offset among the operands of `op`.
    """
    type = slice_type(op, ranked(buffer), shape)
    values = [use._value for use in op.op_operands[first:]]
    counts = expect(DenseArrayAttr, op.properties[OPERAND_SEGMENTS])
    properties = {name: op.properties[name] for name in SLICE_PROPERTIES}
    properties[OPERAND_SEGMENTS] = makers.segments(1, *counts.values[-3:])
    return b.insert(memref.SubViewOp((buffer, *values), (type,), None, properties)).results[0]


def slice_type(op: OffsetSizeAndStrideOp, source: t.MemRefType, shape: t.Shape) -> t.MemRefType:
    """The type of that view.

    Raises:
        RewriteFailed: the source is not strided.
    """
    try:
        return memref.SubViewOp.infer_rank_reduced_type(
            shape, source, op.mixed_offsets(), op.mixed_sizes(), op.mixed_strides()
        )
    except ValueError:
        raise failed(op, f"base type '{source}' is not strided") from None


def bufferize_extract_slice(op: tensor.ExtractSliceOp, b: Bufferizer) -> None:
    type = expect(t.RankedTensorType, op.results[0].type)
    b.replace(op, (view_of_slice(b, b.buffer(op.op_operands[0].value), op, type.shape, 1),))


def extract_slice_type(value: Value, types: TypeInference) -> TypeRequest:
    op = expect(tensor.ExtractSliceOp, value.defining_op)
    source = expect(t.MemRefType, (yield op.op_operands[0].value))
    assert isinstance(value.type, t.RankedTensorType)
    return slice_type(op, source, value.type.shape)


def bufferize_insertion(op: tensor.SliceInsertionOp, b: Bufferizer) -> None:
    """A copy into a subview of the destination.

    For a parallel insertion, the copy is inserted before the `in_parallel` terminator, and a deallocation of the source after
    the copy.
    """
    combining = None if op.results else op.parent_op
    if combining is not None:
        b.move_before(combining)
    source, dest = op.op_operands[0].value, op.op_operands[1].value
    target = b.buffer(dest)
    buffer = b.buffer(source) if combining is not None else None
    part = view_of_slice(b, target, op, _shape(source), 2)
    buffer = buffer if buffer is not None else b.buffer(source)
    b.copy(buffer, part, b.cause(op, CauseKind.INSERTION, 0, source))
    if combining is None:
        b.replace(op, (target,))
        return
    for user in buffer.users:
        if isinstance(user, MemoryEffectOp) and any(e.kind == FREE for e in user.memory_effects()):
            if user.block is combining.block:
                user.move_before(combining)
            break
    op.erase()


def _shape(tensor_value: Value) -> t.Shape:
    type = expect(t.RankedTensorType, tensor_value.type)
    return type.shape


def bufferize_empty(op: Operation, b: Bufferizer) -> None:
    """An uninitialized tensor becomes an allocation; a dead one is erased."""
    result = op.results[0]
    if not result.has_uses:
        op.erase()
        return
    fresh = b.allocated_tensor(result, _new(op, b), copied=False)
    b.replace_by_tensor(op, fresh)


def bufferize_from_elements(op: Operation, b: Bufferizer) -> None:
    """One store for each element; a constant for each index up to the largest size."""
    type = expect(t.RankedTensorType, op.results[0].type)
    elements = op.operands
    target = _allocated_buffer(op, b, _new(op, b))
    if elements and not type.shape:
        b.insert(memref.StoreOp((elements[0], target)))
    elif elements:
        sizes = [size or 0 for size in type.shape]
        constants = [b.constant_index(i) for i in range(max(sizes))]
        for element, indices in zip(elements, product(*map(range, sizes)), strict=True):
            b.insert(makers.store(element, target, [constants[i] for i in indices]))
    b.replace(op, (target,))


def _new(op: Operation, b: Bufferizer, kind: CauseKind = CauseKind.NO_DESTINATION) -> Cause:
    """The cause of the allocation for the result of `op`."""
    return b.cause(op, kind, None, op.results[0])


def _allocated_buffer(op: Operation, b: Bufferizer, cause: Cause) -> Value:
    """The buffer of a new tensor like the result of `op`."""
    fresh = b.allocated_tensor(op.results[0], cause, copied=False)
    return b.insert(makers.to_buffer(fresh, b.buffer_type(fresh))).results[0]


def _require_default_space(op: Operation, b: Bufferizer) -> None:
    if b.options.default_memory_space(op.results[0].type) is not None:
        raise failed(op, "memory space not implemented yet")


def _mapped(b: Bufferizer, destination: Value, fill_body: Callable[[Block], None]) -> Value:
    """A `linalg.map` into `destination`, whose body `fill_body` builds."""
    type = expect(t.RankedTensorType, destination.type)
    op = linalg.MapOp((destination,), (type,), None, None, 1)
    body = op.regions[0].append(Block((type.element,)))
    if b.where is not None:
        body.args[0].where = (b.where[0], *b.where[2:])
    fill_body(body)
    return b.insert(op).results[0]


def _mapped_indices(b: Bufferizer, op: Operation, destination: Value) -> Value:
    """The body of `op`, a function of indices, over all elements of `destination`."""
    old = op.regions[0].entry

    def fill(body: Block) -> None:
        for position, arg in enumerate(old.args):
            index = linalg.IndexOp((), (t.INDEX,), None, {"dim": IntegerAttr(position, t.I64)})
            index.where = op.where
            body.append(index)
            arg.replace_all_uses_with(index.results[0])
        for inner in old:
            inner.detach()
            if inner.name == "tensor.yield":
                last = linalg.YieldOp(inner.operands)
                last.where = inner.where
                inner.drop_operands()
                body.append(last)
            else:
                body.append(inner)

    return _mapped(b, destination, fill)


def bufferize_generate(op: Operation, b: Bufferizer) -> None:
    _require_default_space(op, b)
    fresh = b.allocated_tensor(op.results[0], _new(op, b), copied=False)
    b.replace_by_tensor(op, _mapped_indices(b, op, fresh))


def bufferize_splat(op: Operation, b: Bufferizer) -> None:
    _require_default_space(op, b)
    fresh = b.allocated_tensor(op.results[0], _new(op, b), copied=False)
    scalar = op.op_operands[0].value

    def fill(body: Block) -> None:
        body.append(linalg.YieldOp((scalar,))).where = op.where

    b.replace_by_tensor(op, _mapped(b, fresh, fill))


def bufferize_pad(op: tensor.PadOp, b: Bufferizer) -> None:
    pad_by(op, _as_numbers(op.mixed_low()), _as_numbers(op.mixed_high()), b)


def pad_by(op: tensor.PadOp, low: list[Mixed], high: list[Mixed], b: Bufferizer) -> None:
    """Compute the padding value for all elements, then insert the source.

    As in mlir-opt, the sizes are computed twice; the first computation is dead.
    """
    result = op.results[0]
    assert isinstance(result.type, t.RankedTensorType)
    source = op.op_operands[0].value
    for i, size in enumerate(result.type.shape):
        if size is None:
            parts = [dim(b, source, i), makers.as_value(b, low[i]), makers.as_value(b, high[i])]
            apply_unfolded(b, symbol(0) + symbol(1) + symbol(2), parts)
    fresh = b.allocated_tensor(result, _new(op, b, CauseKind.PADDING), copied=False)
    filled = _mapped_indices(b, op, fresh)
    sizes = mixed_sizes(b, source)
    insert = tensor.SliceInsertionOp.of(source, filled, (low, sizes, [1] * len(sizes)))
    insert.cause = b.cause(op, CauseKind.PADDING, 0, source)
    b.insert(insert)
    b.replace_by_tensor(op, insert.results[0])


def _as_numbers(entries: list[Mixed]) -> list[Mixed]:
    """The entries, with constant values as numbers."""
    return [entry if (number := constant_index(entry)) is None else number for entry in entries]


def pad_type(value: Value, types: TypeInference) -> TypeRequest:
    """An identity layout, in the memory space of the source."""
    source = yield expect(Operation, value.defining_op).op_operands[0].value
    return identity_type(value.type, source.memory_space)


def bufferize_concat(op: tensor.ConcatOp, b: Bufferizer) -> None:
    """Copy each input to its subview of one allocation."""
    _require_default_space(op, b)
    along = op.dim.value
    target = _allocated_buffer(op, b, _new(op, b, CauseKind.CONCATENATION))
    type = ranked(target)
    rank = len(type.shape)
    sizes: list[Mixed] = [b.dim(target, i) if size is None else size for i, size in enumerate(type.shape)]
    offset: Mixed = 0
    for number, value in enumerate(op.operands):
        source = b.buffer(value)
        size = ranked(source).shape[along]
        sizes[along] = folded_buffer_dim(b, source, along) if size is None else size
        offsets: list[Mixed] = [0] * rank
        offsets[along] = offset
        part = _part(b, target, offsets, sizes)
        b.copy(source, part, b.cause(op, CauseKind.CONCATENATION, number, value))
        offset = add(b, (offset, sizes[along]))
    b.replace(op, (target,))


def _part(b: Bufferizer, target: Value, offsets: list[Mixed], sizes: list[Mixed]) -> Value:
    strides: list[Mixed] = [1] * len(sizes)
    groups = [split_mixed(offsets), split_mixed(sizes), split_mixed(strides)]
    type = memref.SubViewOp.infer_result_type(ranked(target), offsets, sizes, strides)
    properties = {
        "static_offsets": groups[0][1],
        "static_sizes": groups[1][1],
        "static_strides": groups[2][1],
        OPERAND_SEGMENTS: makers.segments(1, *(len(group) for group, _ in groups)),
    }
    values = [value for group, _ in groups for value in group]
    return b.insert(memref.SubViewOp((target, *values), (type,), None, properties)).results[0]


def bufferize_constant(op: Operation, b: Bufferizer) -> None:
    """A constant tensor becomes a read-only global.

       %0 = arith.constant dense<1> : tensor<2xi32>
    => %0 = memref.get_global @__constant_2xi32 : memref<2xi32>
    """
    result = op.results[0]
    if not isinstance(result.type, t.RankedTensorType):
        raise RewriteFailed
    space = b.options.default_memory_space(result.type)
    if isinstance(space, UnknownMemorySpace):
        raise failed(op, "could not infer memory space")
    module = op.parent_of_type(ModuleOp)
    if module is None:
        raise RewriteFailed
    held = b.globals.get(module, result, op.properties["value"], b.options.buffer_alignment, space)
    name = SymbolRefAttr(expect(a.StringAttr, held.properties["sym_name"]).value)
    type = expect(a.TypeAttr, held.properties["type"]).type
    get = b.insert(memref.GetGlobalOp((), (type,), None, {"name": name}))
    b.replace(op, get.results)


def bufferize_index_cast(op: Operation, b: Bufferizer) -> None:
    source = b.buffer(op.op_operands[0].value)
    assert isinstance(source.type, t.MemRefType | t.UnrankedMemRefType)
    element = expect(t.ShapedType, op.results[0].type).element
    type = source.type.with_element(element)
    cast = b.insert(arith.IndexCastOp((source,), (type,)))
    b.replace(op, cast.results)


def index_cast_type(value: Value, types: TypeInference) -> TypeRequest:
    source = yield expect(Operation, value.defining_op).op_operands[0].value
    return source.with_element(expect(t.ShapedType, value.type).element)


def bufferize_select(op: Operation, b: Bufferizer) -> None:
    """Both buffers get one type: if theirs differ, casts to one with a fully dynamic layout."""
    condition, *values = op.operands
    if condition.type is not t.I1:
        raise failed(op, "only i1 condition values are supported", prefixed=True)
    true, false = (b.buffer(value) for value in values)
    if true.type is not false.type:
        target = b.buffer_type(op.results[0])
        true, false = b.cast(true, target), b.cast(false, target)
    select = b.insert(arith.SelectOp((condition, true, false), (true.type,)))
    b.replace(op, select.results)


def select_type(value: Value, types: TypeInference) -> TypeRequest:
    op = present(value.defining_op)
    true = yield op.op_operands[1].value
    false = yield op.op_operands[2].value
    if true is false:
        return true
    if true.memory_space is not false.memory_space:
        raise failed(op, "inconsistent memory space on true/false operands")
    return fully_dynamic_type(value.type, true.memory_space)


def bufferize_alloc_tensor(op: bufferization.AllocTensorOp, b: Bufferizer) -> None:
    """An allocation, and a copy if the operation has a `copy` operand."""
    if not op.results[0].has_uses:
        op.erase()
        return
    copied = op.copy
    source = None if copied is None else b.buffer(copied)
    type = b.buffer_type(op.results[0])
    sizes = op.dynamic_sizes if source is None else b.dynamic_dims(source)
    cause = b.cause(op, CauseKind.ASKED, None, op.results[0])
    fresh = b.allocate(type, sizes, cause)
    if source is not None:
        b.copy(source, fresh, cause)
    b.replace(op, (fresh,))


def alloc_tensor_type(value: Value, types: TypeInference) -> TypeRequest:
    """An identity layout, in the given memory space, else that of the `copy` operand, else the default one."""
    op = expect(bufferization.AllocTensorOp, value.defining_op)
    named = op.memory_space
    if named is not None:
        return identity_type(value.type, named)
    copied = op.copy
    if copied is not None:
        return identity_type(value.type, (yield copied).memory_space)
    return identity_type(value.type, types.default_space(value))


def bufferize_dealloc_tensor(op: Operation, b: Bufferizer) -> None:
    tensor = op.op_operands[0].value
    b.insert(makers.free(b.buffer(tensor), b.cause(op, CauseKind.ASKED, 0, tensor)))
    op.erase()


def bufferize_materialize(op: Operation, b: Bufferizer) -> None:
    source, dest = op.operands
    target = b.buffer(dest) if is_tensor(dest.type) else dest
    b.copy(b.buffer(source), target, b.cause(op, CauseKind.ASKED, 0, source))
    b.replace(op, (target,) if op.results else ())


def bufferize_to_tensor(op: Operation, b: Bufferizer) -> None:
    """Stays until its users have been rewritten."""


def to_tensor_type(value: Value, types: TypeInference) -> TypeRequest:
    type = expect(Operation, value.defining_op).op_operands[0].value.type
    assert isinstance(type, t.MemRefType | t.UnrankedMemRefType)
    return type
    yield value


def bufferize_to_buffer(op: bufferization.ToBufferOp, b: Bufferizer) -> None:
    b.fold(op)


REWRITES = {
    tensor.CastOp: Rewrite(bufferize_cast, cast_type),
    tensor.CollapseShapeOp: Rewrite(bufferize_collapse_shape, collapse_shape_type),
    tensor.ExpandShapeOp: Rewrite(bufferize_expand_shape, expand_shape_type),
    tensor.ReshapeOp: Rewrite(bufferize_reshape, reshape_type),
    tensor.DimOp: Rewrite(bufferize_dim),
    tensor.ExtractOp: Rewrite(bufferize_extract),
    tensor.ExtractSliceOp: Rewrite(bufferize_extract_slice, extract_slice_type),
    tensor.InsertOp: Rewrite(bufferize_insert),
    tensor.RankOp: Rewrite(bufferize_rank),
    tensor.SliceInsertionOp: Rewrite(bufferize_insertion),
    tensor.ConcatOp: Rewrite(bufferize_concat),
    tensor.EmptyOp: Rewrite(bufferize_empty),
    tensor.FromElementsOp: Rewrite(bufferize_from_elements),
    tensor.GenerateOp: Rewrite(bufferize_generate),
    tensor.PadOp: Rewrite(bufferize_pad, pad_type),
    tensor.SplatOp: Rewrite(bufferize_splat),
    arith.ConstantOp: Rewrite(bufferize_constant),
    arith.IndexCastOp: Rewrite(bufferize_index_cast, index_cast_type),
    arith.SelectOp: Rewrite(bufferize_select, select_type),
    bufferization.AllocTensorOp: Rewrite(bufferize_alloc_tensor, alloc_tensor_type),
    bufferization.DeallocTensorOp: Rewrite(bufferize_dealloc_tensor),
    bufferization.MaterializeInDestinationOp: Rewrite(bufferize_materialize),
    bufferization.ToTensorOp: Rewrite(bufferize_to_tensor, to_tensor_type),
    bufferization.ToBufferOp: Rewrite(bufferize_to_buffer),
}
