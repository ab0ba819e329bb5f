"""Canonicalization of tensor slices and paddings: constant operands, slices of casts, insertions into fills."""

from __future__ import annotations

from typing import Final

from ...dialects import tensor
from ...dialects.common import (
    Mixed,
    compatible_shapes,
    constant_index,
    dropped_dims,
    slice_fields,
    split_mixed,
)
from ...ir.declaration.declare import OPERAND_SEGMENTS
from ...ir.defects import STRIDED_PADDINGS
from ...ir.program.builder import Builder
from ...ir.program.core import Operation, Value
from ...ir.program.interfaces import Slice
from ...ir.source.diagnostics import expect, present
from ...ir.types import attributes as a, types as t
from ...semantics.boxes import disjoint
from ...semantics.folds import constant_of
from ...semantics.folds.tensor import forgetting_cast, knows_as_much
from ...semantics.tensors import written_part
from ..rewriting.rewriter import Rewriter
from .linalg import filled, filled_with, padding_value
from .tensor_casts import cast_to, fold_slice, retyped, stays_inside


def ranked(value: Value) -> t.RankedTensorType:
    return expect(t.RankedTensorType, value.type)


def _slice_type(rank: int, element: t.Type, sizes: list[Mixed]) -> t.RankedTensorType:
    """The slice type of that rank: leading unit dimensions are dropped as necessary."""
    shape = [size if isinstance(size, int) else None for size in sizes]
    for _ in range(len(shape) - rank):
        shape.remove(1)
    return t.RankedTensorType(shape, element)


def _constant_extract(op: tensor.ExtractSliceOp, rewriter: Rewriter) -> bool:
    lists = fold_slice(op.accessed_slice())
    if lists is None or not stays_inside(ranked(op.source).shape, lists):
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
    if not stays_inside(ranked(source).shape, op.accessed_slice()):
        return False
    operands = [source, *op.operands[1:]]
    return rewriter.replace_with(
        op, tensor.ExtractSliceOp(operands, op.result_types, op.attributes, op.properties)
    )


def _insert(
    op: tensor.SliceInsertionOp, source: Value, dest: Value, lists: Slice, rewriter: Rewriter
) -> None:
    """Replace an insertion by one with other operands."""
    new = tensor.SliceInsertionOp.of(source, dest, lists, parallel=not op.results)
    if not op.results:
        rewriter.replace_with(op, new)
        return
    rewriter.before(op).insert(new)
    rewriter.replace(op, [cast_to(new.results[0], op.results[0].type, rewriter.before(op))])


def _constant_insert(op: tensor.SliceInsertionOp, rewriter: Rewriter) -> bool:
    lists = fold_slice(op.accessed_slice())
    if lists is None or not stays_inside(ranked(op.dest).shape, lists):
        return False
    offsets, sizes, strides = lists
    # a stride of 0 would insert elements several times
    strides = [old if new == 0 else new for old, new in zip(op.mixed_strides(), strides, strict=True)]
    lists = offsets, sizes, strides
    if lists == op.accessed_slice():
        return False
    source = ranked(op.source)
    type = _slice_type(len(source.shape), source.element, lists[1])
    _insert(op, cast_to(op.source, type, _before_insertion(op, rewriter)), op.dest, lists, rewriter)
    return True


def _before_insertion(op: tensor.SliceInsertionOp, rewriter: Rewriter) -> Builder:
    """A builder before an insertion, or before the `in_parallel` that contains it."""
    at = present(op if op.results else op.parent_op)
    return rewriter.before(at)


def _insert_of_cast(op: tensor.SliceInsertionOp, rewriter: Rewriter) -> bool:
    """Bypass casts of source and destination that forget sizes; static sizes propagate."""
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
    if not stays_inside(ranked(dest).shape, lists):
        return False
    _insert(op, source, dest, lists, rewriter)
    return True


def _known_source(op: tensor.SliceInsertionOp, rewriter: Rewriter) -> bool:
    """Cast the source to the static sizes of the insertion."""
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
    _insert(op, cast, op.dest, op.accessed_slice(), rewriter)
    return True


MAX_INSERTIONS: Final = 64
"""The length of a chain of insertions searched for its fill, as n searches over n insertions are quadratic."""


def _padded_into_fill(op: tensor.SliceInsertionOp, rewriter: Rewriter) -> bool:
    """Drop a padding whose result is inserted into a fill of the same value."""
    pad = op.source.defining_op
    if not op.results or not isinstance(pad, tensor.PadOp) or ranked(op.source).rank != ranked(op.dest).rank:
        return False
    whole = op.dest
    for _ in range(MAX_INSERTIONS):
        before = whole.defining_op
        if not isinstance(before, tensor.SliceInsertionOp):
            break
        if ranked(before.source).rank != ranked(before.dest).rank:
            return False
        if not _surely_disjoint(op, before):
            break
        whole = before.dest
    value = filled_with(whole)
    if value is None or padding_value(pad) is not value:
        return False
    from ..bufferize.shapes import (
        add,
        mixed_sizes,  # imported lazily: it needs the analyses
    )

    strides = op.mixed_strides()
    if STRIDED_PADDINGS not in rewriter.mirrored and any(
        constant_index(low) != 0 and constant_index(stride) != 1
        for low, stride in zip(pad.mixed_low(), strides, strict=True)
    ):
        return False
    at = rewriter.before(op)
    offsets = [add(at, pair) for pair in zip(pad.mixed_low(), op.mixed_offsets(), strict=True)]
    sizes = mixed_sizes(at, pad.source)
    if not stays_inside(ranked(op.dest).shape, (offsets, sizes, strides)):
        return False
    _insert(op, pad.source, op.dest, (offsets, sizes, strides), rewriter)
    return True


def _surely_disjoint(one: tensor.SliceInsertionOp, other: tensor.SliceInsertionOp) -> bool:
    first, second = written_part(one.op_operands[1]), written_part(other.op_operands[1])
    return first is not None and second is not None and disjoint(first, second)


def cast_of_slice(op: tensor.CastOp, rewriter: Rewriter) -> bool:
    """Absorb a cast of a slice into the slice's type."""
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
    if not stays_inside(ranked(slice.source).shape, lists):
        return False
    new = tensor.ExtractSliceOp.build(source=slice.source, result=type, **slice_fields(lists))
    return rewriter.replace_with(op, new)


EXTRACT_SLICE_PATTERNS: Final = (_constant_extract, _extract_of_cast)


def _written_into_slice(op: tensor.SliceInsertionOp, rewriter: Rewriter) -> bool:
    part = op.source.defining_op
    write = part.op_operands[0].value.defining_op if isinstance(part, tensor.ExtractSliceOp) else None
    if not op.results or write is None or write.dialect != "vector":
        return False
    from .vector import written_into_slice

    return written_into_slice(op, rewriter)


INSERTION_PATTERNS: Final = (
    _padded_into_fill,
    _constant_insert,
    _insert_of_cast,
    _known_source,
    _written_into_slice,
)


# -- `tensor.pad`: constant and empty paddings, paddings of casts, fills and paddings


def _pads(entries: list[Mixed]) -> list[bool]:
    """Whether each dimension may have a padded border."""
    return [constant_index(entry) != 0 for entry in entries]


def _with_paddings(
    op: tensor.PadOp, source: Value, type: t.Type, low: list[Mixed], high: list[Mixed], rewriter: Rewriter
) -> Operation:
    """Replace a padding by one with other operands and result type, cast to the old type."""
    (low_values, static_low), (high_values, static_high) = split_mixed(low), split_mixed(high)
    properties = {
        **op.properties,
        "static_low": static_low,
        "static_high": static_high,
        OPERAND_SEGMENTS: a.DenseArrayAttr(t.I32, (1, len(low_values), len(high_values))),
    }
    return retyped(op, [source, *low_values, *high_values], [type], rewriter, properties)


def _without_border(op: tensor.PadOp, rewriter: Rewriter) -> bool:
    """Erase a padding of zero width."""
    if op.nofold or any(_pads(op.mixed_low())) or any(_pads(op.mixed_high())):
        return False
    return rewriter.replace(op, [cast_to(op.source, op.results[0].type, rewriter.before(op))])


def _of_cast(op: tensor.PadOp, rewriter: Rewriter) -> bool:
    """Bypass a cast that forgets sizes; the result type is refined accordingly."""
    source = forgetting_cast(op.source)
    if source is None:
        return False
    shape: list[int | None] = []
    for size, below, above, old in zip(
        ranked(source).shape, op.mixed_low(), op.mixed_high(), ranked(op.results[0]).shape, strict=True
    ):
        if isinstance(below, int) and isinstance(above, int) and size is not None:
            old = size + below + above
        shape.append(old)
    type = t.RankedTensorType(shape, ranked(source).element)
    _with_paddings(op, source, type, op.mixed_low(), op.mixed_high(), rewriter)
    return True


def _cast_afterwards(op: tensor.PadOp, rewriter: Rewriter) -> bool:
    """Absorb a cast to a more static type into the padding's type."""
    result = op.results[0]
    cast = result.users[0] if result.has_one_use else None
    if not isinstance(cast, tensor.CastOp) or cast.dest.type is result.type:
        return False
    if not knows_as_much(cast.dest.type, result.type):
        return False
    new = _with_paddings(op, op.source, cast.dest.type, op.mixed_low(), op.mixed_high(), rewriter)
    return rewriter.replace(cast, new.results)


def _orthogonal(op: tensor.PadOp, rewriter: Rewriter) -> bool:
    """Merge two slice-and-pad steps that affect different dimensions into one slice and one padding."""
    inner = op.source.defining_op
    outer_pad = inner.source.defining_op if isinstance(inner, tensor.ExtractSliceOp) else None
    outer = outer_pad.source.defining_op if isinstance(outer_pad, tensor.PadOp) else None
    if (
        not isinstance(inner, tensor.ExtractSliceOp)
        or not isinstance(outer_pad, tensor.PadOp)
        or not isinstance(outer, tensor.ExtractSliceOp)
        or outer_pad.nofold
    ):
        return False
    rank = ranked(op.source).rank
    if {ranked(value).rank for value in (outer.source, outer_pad.source, inner.source)} != {rank}:
        return False
    if any(constant_index(stride) != 1 for slice in (inner, outer) for stride in slice.mixed_strides()):
        return False
    if any(_pads(op.mixed_low())) or any(_pads(outer_pad.mixed_low())):
        return False
    values = [padding_value(pad) for pad in (op, outer_pad)]
    constants = [constant_of(value) for value in values if value is not None]
    if len(constants) != 2 or constants[0] is None or constants[0] is not constants[1]:
        return False
    by_op, by_outer = _pads(op.mixed_high()), _pads(outer_pad.mixed_high())
    offsets: list[Mixed] = []
    sizes: list[Mixed] = inner.mixed_sizes()
    high: list[Mixed] = [0] * rank
    for i, (near, far) in enumerate(zip(inner.mixed_offsets(), outer.mixed_offsets(), strict=True)):
        if by_op[i] and by_outer[i]:
            return False
        if not by_op[i] and constant_index(near) == 0:
            offsets.append(far)
        elif not by_outer[i] and constant_index(far) == 0:
            offsets.append(near)
        else:
            return False
        if by_outer[i]:
            whole = ranked(inner.source).shape[i]
            if whole is None or constant_index(sizes[i]) != whole:
                return False
            sizes[i] = outer.mixed_sizes()[i]
            high[i] = outer_pad.mixed_high()[i]
        elif by_op[i]:
            high[i] = op.mixed_high()[i]
    strides = inner.mixed_strides()
    if not stays_inside(ranked(outer.source).shape, (offsets, sizes, strides)):
        return False
    type = tensor.ExtractSliceOp.infer_result_type(ranked(outer.source), sizes)
    slice = tensor.ExtractSliceOp.build(
        source=outer.source, result=type, **slice_fields((offsets, sizes, strides))
    )
    rewriter.before(op).insert(slice)
    _with_paddings(op, slice.results[0], op.results[0].type, op.mixed_low(), high, rewriter)
    return True


def _constant_paddings(op: tensor.PadOp, rewriter: Rewriter) -> bool:
    """Constant paddings become part of the operation, if that makes result sizes static."""
    low: list[Mixed] = []
    high: list[Mixed] = []
    for old, new in ((op.mixed_low(), low), (op.mixed_high(), high)):
        for entry in old:
            number = constant_index(entry)
            new.append(entry if number is None else number)
    old_type = ranked(op.results[0])
    shape: list[int | None] = []
    for size, below, above, old in zip(ranked(op.source).shape, low, high, old_type.shape, strict=True):
        if isinstance(below, int) and isinstance(above, int) and size is not None:
            old = size + below + above
        shape.append(old)
    if tuple(shape) == old_type.shape or not any(size is not None for size in shape):
        return False
    if any(old not in (None, new) for old, new in zip(old_type.shape, shape, strict=True)):
        return False  # the types contradict each other: the program is wrong, and no cast connects them
    _with_paddings(op, op.source, t.RankedTensorType(shape, old_type.element), low, high, rewriter)
    return True


def _twice(op: tensor.PadOp, rewriter: Rewriter) -> bool:
    """Two paddings with one value are one, with widths added."""
    first = op.source.defining_op
    if op.nofold or not isinstance(first, tensor.PadOp) or first.nofold:
        return False
    value = padding_value(op)
    if value is None or padding_value(first) is not value:
        return False
    from ..bufferize.shapes import add

    at = rewriter.before(op)
    sums = [
        [add(at, pair, as_dims=True) for pair in zip(ours, before, strict=True)]
        for ours, before in ((op.mixed_high(), first.mixed_high()), (op.mixed_low(), first.mixed_low()))
    ]
    _with_paddings(op, first.source, op.results[0].type, sums[1], sums[0], rewriter)
    return True


def _of_fill(op: tensor.PadOp, rewriter: Rewriter) -> bool:
    """A fill padded with its own value is a larger fill."""
    fill = op.source.defining_op
    value = filled_with(op.source)
    if fill is None or value is None or padding_value(op) is not value:
        return False
    from ..bufferize.shapes import reify  # imported lazily: it needs the analyses

    at = rewriter.before(op)
    shape = present(reify(at, op.results[0]))
    sizes = [size if isinstance(size, int) else None for size in shape]
    type = t.RankedTensorType(sizes, ranked(op.results[0]).element)
    empty = tensor.EmptyOp.build(dynamic_sizes=[s for s in shape if isinstance(s, Value)], result=type)
    new = filled(fill, at.insert(empty).the_result, at)
    return rewriter.replace(op, [cast_to(new, op.results[0].type, at)])


PAD_PATTERNS: Final = (
    _of_fill,
    _without_border,
    _of_cast,
    _cast_afterwards,
    _orthogonal,
    _constant_paddings,
    _twice,
)
