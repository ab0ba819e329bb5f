"""Canonicalization of `tensor`: sizes that are constants, slices of casts, empty tensors."""

from __future__ import annotations

from typing import Any, Final

from ...dialects import tensor
from ...dialects.common import Mixed, constant_index, split_mixed
from ...dialects.folds.tensor import forgetting_cast
from ...ir import types as t
from ...ir.core import Operation, Value
from ..rewriting.rewriter import Rewriter
from .memref import fold_sizes, stays_inside
from .tensor_casts import chained, destination_of_cast

Lists = tuple[list[Mixed], list[Mixed], list[Mixed]]


def _ranked(value: Value) -> t.RankedTensorType:
    type = value.type
    assert isinstance(type, t.RankedTensorType)
    return type


def _constant_lists(
    op: tensor.ExtractSliceOp | tensor.InsertSliceOp | tensor.ParallelInsertSliceOp,
) -> Lists | None:
    """Offsets, else sizes, else strides with constants as numbers; None if there are none."""
    offsets, sizes, strides = op.mixed_offsets(), op.mixed_sizes(), op.mixed_strides()
    if (folded := fold_sizes(offsets)) is not None:
        return folded, sizes, strides
    if (folded := fold_sizes(sizes)) is not None:
        return offsets, folded, strides
    if (folded := fold_sizes(strides, negative=True)) is not None:
        return offsets, sizes, folded
    return None


def _slice_type(rank: int, element: t.Type, sizes: list[Mixed]) -> t.RankedTensorType:
    """The type of a slice of that rank: dimensions of size 1 are dropped from the front, as many as must be."""
    shape = [size if isinstance(size, int) else None for size in sizes]
    for _ in range(len(shape) - rank):
        shape.remove(1)
    return t.RankedTensorType(shape, element)


def _fields(lists: Lists) -> dict[str, Any]:
    parts = [split_mixed(entries) for entries in lists]
    return {
        **dict(zip(("offsets", "sizes", "strides"), (values for values, _ in parts), strict=True)),
        **dict(
            zip(
                ("static_offsets", "static_sizes", "static_strides"),
                (static for _, static in parts),
                strict=True,
            )
        ),
    }


def _cast_to(value: Value, type: t.Type, at: Operation, rewriter: Rewriter) -> Value:
    if value.type is type:
        return value
    return rewriter.before(at).insert(tensor.CastOp((value,), (type,))).the_result


def _constant_extract(op: Operation, rewriter: Rewriter) -> bool:
    assert isinstance(op, tensor.ExtractSliceOp)
    lists = _constant_lists(op)
    if lists is None or not stays_inside(_ranked(op.source).shape, *lists):
        return False
    result = _ranked(op.results[0])
    type = _slice_type(len(result.shape), result.element, lists[1])
    new = tensor.ExtractSliceOp.build(source=op.source, result=type, **_fields(lists))
    rewriter.before(op).insert(new)
    rewriter.replace(op, [_cast_to(new.results[0], result, op, rewriter)])
    return True


def _extract_of_cast(op: Operation, rewriter: Rewriter) -> bool:
    assert isinstance(op, tensor.ExtractSliceOp)
    source = forgetting_cast(op.source)
    if source is None or any(constant_index(value) is not None for value in op.operands[1:]):
        return False
    if not stays_inside(_ranked(source).shape, op.mixed_offsets(), op.mixed_sizes(), op.mixed_strides()):
        return False
    operands = [source, *op.operands[1:]]
    rewriter.replace_with(op, tensor.ExtractSliceOp(operands, op.result_types, op.attributes, op.properties))
    return True


def _insert(
    op: tensor.InsertSliceOp | tensor.ParallelInsertSliceOp,
    source: Value,
    dest: Value,
    lists: Lists,
    rewriter: Rewriter,
) -> None:
    """Replace an insertion by one of other operands."""
    if isinstance(op, tensor.ParallelInsertSliceOp):
        new = tensor.ParallelInsertSliceOp.build(source=source, dest=dest, **_fields(lists))
        rewriter.replace_with(op, new)
        return
    new = tensor.InsertSliceOp.build(source=source, dest=dest, result=dest.type, **_fields(lists))
    rewriter.before(op).insert(new)
    rewriter.replace(op, [_cast_to(new.results[0], op.results[0].type, op, rewriter)])


def _constant_insert(op: Operation, rewriter: Rewriter) -> bool:
    assert isinstance(op, (tensor.InsertSliceOp, tensor.ParallelInsertSliceOp))
    lists = _constant_lists(op)
    if lists is None or not stays_inside(_ranked(op.dest).shape, *lists):
        return False
    source = _ranked(op.source)
    type = _slice_type(len(source.shape), source.element, lists[1])
    at = op.parent_op if isinstance(op, tensor.ParallelInsertSliceOp) else op
    assert at is not None
    _insert(op, _cast_to(op.source, type, at, rewriter), op.dest, lists, rewriter)
    return True


def _insert_of_cast(op: Operation, rewriter: Rewriter) -> bool:
    """Insert what the source is a cast of, into what the destination is a cast of; known sizes are taken over."""
    assert isinstance(op, (tensor.InsertSliceOp, tensor.ParallelInsertSliceOp))
    if any(constant_index(value) is not None for value in op.operands[2:]):
        return False
    source, dest = forgetting_cast(op.source), forgetting_cast(op.dest)
    if source is None and dest is None:
        return False
    source, dest = source or op.source, dest or op.dest
    shape = _ranked(source).shape
    sizes = op.mixed_sizes()
    remaining = list(shape)
    for i, size in enumerate(sizes):
        if remaining and (not isinstance(size, int) or remaining[0] in (size, None)):
            known = remaining.pop(0)
            if known is not None:
                sizes[i] = known
            elif isinstance(size, int):
                return False
        elif size != 1:
            return False
    if remaining:
        return False
    lists = (op.mixed_offsets(), sizes, op.mixed_strides())
    if not stays_inside(_ranked(dest).shape, *lists):
        return False
    _insert(op, source, dest, lists, rewriter)
    return True


# -- tensor.empty


def _constant_empty(op: Operation, rewriter: Rewriter) -> bool:
    assert isinstance(op, tensor.EmptyOp)
    sizes = fold_sizes(op.mixed_sizes())
    if sizes is None:
        return False
    new = _empty(sizes, _ranked(op.results[0]))
    rewriter.before(op).insert(new)
    rewriter.replace_with(op, tensor.CastOp((new.results[0],), (op.results[0].type,)))
    return True


def _empty(sizes: list[Mixed], like: t.RankedTensorType) -> tensor.EmptyOp:
    shape = [size if isinstance(size, int) else None for size in sizes]
    values = [size for size in sizes if isinstance(size, Value)]
    type = t.RankedTensorType(shape, like.element, like.encoding)
    return tensor.EmptyOp.build(dynamic_sizes=values, result=type)


def _cast_of_empty(op: Operation, rewriter: Rewriter) -> bool:
    """An empty tensor can have the type of its cast from the start, if that knows more."""
    assert isinstance(op, tensor.CastOp)
    made = op.source.defining_op
    type = op.dest.type
    if not isinstance(made, tensor.EmptyOp) or not isinstance(type, t.RankedTensorType):
        return False
    sizes: list[Mixed] = []
    for known, size in zip(type.shape, made.mixed_sizes(), strict=True):
        if isinstance(size, int) and known != size:
            return False
        sizes.append(size if known is None else known)
    rewriter.replace_with(op, _empty(sizes, type))
    return True


def _dim_of_empty(op: Operation, rewriter: Rewriter) -> bool:
    assert isinstance(op, tensor.DimOp)
    made, position = op.source.defining_op, constant_index(op.index)
    if not isinstance(made, tensor.EmptyOp) or position is None:
        return False
    sizes = made.mixed_sizes()
    if not 0 <= position < len(sizes):
        return False
    size = sizes[position]
    if isinstance(size, int):
        return False
    rewriter.replace(op, [size])
    return True


def _dim_of_destination(op: Operation, rewriter: Rewriter) -> bool:
    """The size of a result of a destination-style operation is that of its destination."""
    from ...ir.core import OpResult
    from ...ir.interfaces import DestinationStyleOp

    source = op.op_operands[0].value
    made = source.defining_op
    if not isinstance(source, OpResult) or not isinstance(made, DestinationStyleOp):
        return False
    for init in made.dps_inits():
        if made.tied_result(init) is source:
            rewriter.set_operand(op.op_operands[0], init.value)
            return True
    return False


def _dim_of_cast(op: Operation, rewriter: Rewriter) -> bool:
    cast = op.op_operands[0].value.defining_op
    if not isinstance(cast, tensor.CastOp):
        return False
    rewriter.set_operand(op.op_operands[0], cast.source)
    return True


def _reshape_of_elements(op: Operation, rewriter: Rewriter) -> bool:
    """Elements in row-major order are the same in every shape."""
    made, type = op.op_operands[0].value.defining_op, op.results[0].type
    if not isinstance(made, tensor.FromElementsOp) or not _ranked(op.results[0]).has_static_shape:
        return False
    rewriter.replace_with(op, tensor.FromElementsOp(made.operands, (type,)))
    return True


PATTERNS: Final = {
    "tensor.cast": (_cast_of_empty, chained),
    "tensor.collapse_shape": (_reshape_of_elements,),
    "tensor.dim": (_dim_of_empty, _dim_of_cast, _dim_of_destination),
    "tensor.empty": (_constant_empty,),
    "tensor.expand_shape": (_reshape_of_elements,),
    "tensor.extract_slice": (_constant_extract, _extract_of_cast),
    "tensor.insert": (destination_of_cast,),
    "tensor.insert_slice": (_constant_insert, _insert_of_cast),
    "tensor.parallel_insert_slice": (_constant_insert, _insert_of_cast),
}
