"""Canonicalization of slices of tensors: constants in their lists, slices of casts, what is inserted into a fill."""

from __future__ import annotations

from typing import Any, Final

from ...dialects import tensor
from ...dialects.common import Mixed, compatible_shapes, constant_index, dropped_dims, split_mixed
from ...ir.program.builder import Builder
from ...ir.program.core import Value
from ...ir.types import types as t
from ...semantics.folds.tensor import forgetting_cast, knows_as_much
from ..rewriting.rewriter import Rewriter
from .linalg_fill import filled_with, padding_value
from .memref import fold_sizes, stays_inside
from .tensor_casts import cast_to

Lists = tuple[list[Mixed], list[Mixed], list[Mixed]]
"""Offsets, sizes and strides."""

Insertion = tensor.InsertSliceOp | tensor.ParallelInsertSliceOp


def ranked(value: Value) -> t.RankedTensorType:
    type = value.type
    assert isinstance(type, t.RankedTensorType)
    return type


def _constant_lists(
    op: tensor.ExtractSliceOp | Insertion,
) -> Lists | None:
    """Offsets, else sizes, else strides with constants as numbers; None if there are none."""
    offsets, sizes, strides = op.mixed_offsets(), op.mixed_sizes(), op.mixed_strides()
    if (folded := fold_sizes(offsets)) is not None:
        return folded, sizes, strides
    if (folded := fold_sizes(sizes)) is not None:
        return offsets, folded, strides
    if (folded := fold_sizes(strides, negative=True)) is not None:
        if not isinstance(op, tensor.ExtractSliceOp):  # 0 would place elements several times
            folded = [old if new == 0 else new for old, new in zip(strides, folded, strict=True)]
        return None if folded == strides else (offsets, sizes, folded)
    return None


def _slice_type(rank: int, element: t.Type, sizes: list[Mixed]) -> t.RankedTensorType:
    """The type of a slice of that rank: dimensions of size 1 are dropped from the front, as many as must be."""
    shape = [size if isinstance(size, int) else None for size in sizes]
    for _ in range(len(shape) - rank):
        shape.remove(1)
    return t.RankedTensorType(shape, element)


def slice_fields(lists: Lists) -> dict[str, Any]:
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


def _constant_extract(op: tensor.ExtractSliceOp, rewriter: Rewriter) -> bool:
    lists = _constant_lists(op)
    if lists is None or not stays_inside(ranked(op.source).shape, *lists):
        return False
    result = ranked(op.results[0])
    dropped = dropped_dims(op.mixed_sizes(), result.shape)
    kept = [size for i, size in enumerate(lists[1]) if i not in dropped]
    type = _slice_type(len(kept), result.element, kept)
    new = tensor.ExtractSliceOp.build(source=op.source, result=type, **slice_fields(lists))
    rewriter.before(op).insert(new)
    return rewriter.replace(op, [cast_to(new.results[0], result, rewriter.before(op))])


def _extract_of_cast(op: tensor.ExtractSliceOp, rewriter: Rewriter) -> bool:
    source = forgetting_cast(op.source)
    if source is None or any(constant_index(value) is not None for value in op.operands[1:]):
        return False
    if not stays_inside(ranked(source).shape, op.mixed_offsets(), op.mixed_sizes(), op.mixed_strides()):
        return False
    operands = [source, *op.operands[1:]]
    return rewriter.replace_with(
        op, tensor.ExtractSliceOp(operands, op.result_types, op.attributes, op.properties)
    )


def _insert(
    op: Insertion,
    source: Value,
    dest: Value,
    lists: Lists,
    rewriter: Rewriter,
) -> None:
    """Replace an insertion by one of other operands."""
    if isinstance(op, tensor.ParallelInsertSliceOp):
        new = tensor.ParallelInsertSliceOp.build(source=source, dest=dest, **slice_fields(lists))
        rewriter.replace_with(op, new)
        return
    new = tensor.InsertSliceOp.build(source=source, dest=dest, result=dest.type, **slice_fields(lists))
    rewriter.before(op).insert(new)
    rewriter.replace(op, [cast_to(new.results[0], op.results[0].type, rewriter.before(op))])


def _constant_insert(op: tensor.InsertSliceOp | tensor.ParallelInsertSliceOp, rewriter: Rewriter) -> bool:
    lists = _constant_lists(op)
    if lists is None or not stays_inside(ranked(op.dest).shape, *lists):
        return False
    source = ranked(op.source)
    type = _slice_type(len(source.shape), source.element, lists[1])
    _insert(op, cast_to(op.source, type, _before_insertion(op, rewriter)), op.dest, lists, rewriter)
    return True


def _before_insertion(op: Insertion, rewriter: Rewriter) -> Builder:
    """Where what an insertion uses can be computed: before it, or before the `in_parallel` it is in."""
    at = op.parent_op if isinstance(op, tensor.ParallelInsertSliceOp) else op
    assert at is not None
    return rewriter.before(at)


def _insert_of_cast(op: tensor.InsertSliceOp | tensor.ParallelInsertSliceOp, rewriter: Rewriter) -> bool:
    """Insert what the source is a cast of, into what the destination is a cast of; known sizes are taken over."""
    if any(constant_index(value) is not None for value in op.operands[2:]):
        return False
    source, dest = forgetting_cast(op.source), forgetting_cast(op.dest)
    if source is None and dest is None:
        return False
    source, dest = source or op.source, dest or op.dest
    shape = ranked(source).shape
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
    if not stays_inside(ranked(dest).shape, *lists):
        return False
    _insert(op, source, dest, lists, rewriter)
    return True


def _known_source(op: tensor.InsertSliceOp | tensor.ParallelInsertSliceOp, rewriter: Rewriter) -> bool:
    """The source is cast to the sizes that the insertion states, if its own type does not know them."""
    source = ranked(op.source)
    if source.rank != ranked(op.dest).rank:
        return False
    numbers = [constant_index(size) for size in op.mixed_sizes()]
    if any(number is not None and number < 0 for number in numbers):
        return False
    shape = [old if new is None else new for old, new in zip(source.shape, numbers, strict=True)]
    type = source.with_shape(shape)
    if type is source or not knows_as_much(type, source) or not compatible_shapes(source.shape, shape):
        return False
    cast = cast_to(op.source, type, _before_insertion(op, rewriter))
    _insert(op, cast, op.dest, (op.mixed_offsets(), op.mixed_sizes(), op.mixed_strides()), rewriter)
    return True


MAX_INSERTIONS: Final = 64
"""Insertions looked through for the fill they go into: looking through n for each of n would be quadratic."""


def _padded_into_fill(op: tensor.InsertSliceOp, rewriter: Rewriter) -> bool:
    """What is padded with a value need not be, if it goes where everything has that value already."""
    pad = op.source.defining_op
    if not isinstance(pad, tensor.PadOp) or ranked(op.source).rank != ranked(op.dest).rank:
        return False
    whole = op.dest
    for _ in range(MAX_INSERTIONS):
        before = whole.defining_op
        if not isinstance(before, tensor.InsertSliceOp):
            break
        if ranked(before.source).rank != ranked(before.dest).rank:
            return False
        if not _surely_disjoint(op, before):
            break
        whole = before.dest
    value = filled_with(whole)
    if value is None or padding_value(pad) is not value:
        return False
    from ..bufferize.indices import add
    from ..bufferize.shapes import mixed_sizes  # with the analysis behind it: only if it is needed

    at = rewriter.before(op)
    offsets = [add(at, pair) for pair in zip(pad.mixed_low(), op.mixed_offsets(), strict=True)]
    sizes = mixed_sizes(at, pad.source)
    if not stays_inside(ranked(op.dest).shape, offsets, sizes, op.mixed_strides()):
        return False
    _insert(op, pad.source, op.dest, (offsets, sizes, op.mixed_strides()), rewriter)
    return True


def _surely_disjoint(one: tensor.InsertSliceOp, other: tensor.InsertSliceOp) -> bool:
    """Whether the numbers of some dimension show that two slices have no element in common."""
    for first, second in zip(_ranges(one), _ranges(other), strict=True):
        if first and second and (first[1] < second[0] or second[1] < first[0]):
            return True
    return False


def _ranges(op: tensor.InsertSliceOp) -> list[tuple[int, int] | None]:
    """The first and the last index of a slice in each dimension, as far as numbers are known."""
    entries = zip(op.mixed_offsets(), op.mixed_sizes(), op.mixed_strides(), strict=True)
    return [
        (offset, offset + (size - 1) * stride)
        if isinstance(offset, int) and isinstance(size, int) and isinstance(stride, int)
        else None
        for offset, size, stride in entries
    ]


def cast_of_slice(op: tensor.CastOp, rewriter: Rewriter) -> bool:
    """A slice that is cast to other sizes is a slice of those sizes."""
    slice, type = op.source.defining_op, op.dest.type
    if not isinstance(slice, tensor.ExtractSliceOp) or not isinstance(type, t.RankedTensorType):
        return False
    if type.shape == ranked(op.source).shape:
        return False
    sizes = slice.mixed_sizes()
    dropped = dropped_dims(sizes, ranked(op.source).shape)
    kept = [i for i in range(len(sizes)) if i not in dropped]
    for i, size in zip(kept, type.shape, strict=True):
        if size is not None:
            sizes[i] = size
        elif isinstance(sizes[i], int):
            return False
    lists = (slice.mixed_offsets(), sizes, slice.mixed_strides())
    if not stays_inside(ranked(slice.source).shape, *lists):
        return False
    new = tensor.ExtractSliceOp.build(source=slice.source, result=type, **slice_fields(lists))
    return rewriter.replace_with(op, new)


EXTRACT_SLICE_PATTERNS: Final = (_constant_extract, _extract_of_cast)
INSERT_SLICE_PATTERNS: Final = (_padded_into_fill, _constant_insert, _insert_of_cast, _known_source)
PARALLEL_INSERT_SLICE_PATTERNS: Final = (_constant_insert, _insert_of_cast, _known_source)
