"""Canonicalization of `tensor.pad`: paddings that are constants, of nothing, of casts and fills, and of one another."""

from __future__ import annotations

from typing import Final

from ...dialects import tensor
from ...dialects.common import Mixed, constant_index, split_mixed
from ...ir.declaration.declare import OPERAND_SEGMENTS
from ...ir.program.core import Operation, Value
from ...ir.types import attributes as a
from ...ir.types import types as t
from ...semantics.folds.constants import constant_of
from ...semantics.folds.tensor import forgetting_cast, knows_as_much
from ..rewriting.rewriter import Rewriter
from .linalg_fill import filled, filled_with, padding_value
from .memref import stays_inside
from .tensor_casts import cast_to, retyped
from .tensor_slices import ranked, slice_fields


def _pads(entries: list[Mixed]) -> list[bool]:
    """Where there may be a border."""
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
    """Padding by nothing."""
    if op.nofold or any(_pads(op.mixed_low())) or any(_pads(op.mixed_high())):
        return False
    return rewriter.replace(op, [cast_to(op.source, op.results[0].type, rewriter.before(op))])


def _of_cast(op: tensor.PadOp, rewriter: Rewriter) -> bool:
    """Pad what the source is a cast of; sizes of the result that follow are known too."""
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
    """A result that is only cast to a type that knows more has that type."""
    result = op.results[0]
    cast = result.users[0] if result.has_one_use else None
    if not isinstance(cast, tensor.CastOp) or cast.dest.type is result.type:
        return False
    if not knows_as_much(cast.dest.type, result.type):
        return False
    new = _with_paddings(op, op.source, cast.dest.type, op.mixed_low(), op.mixed_high(), rewriter)
    return rewriter.replace(cast, new.results)


def _orthogonal(op: tensor.PadOp, rewriter: Rewriter) -> bool:
    """A slice of a padded slice, padded in other dimensions than that: one slice, padded once."""
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
    if not stays_inside(ranked(outer.source).shape, offsets, sizes, strides):
        return False
    type = tensor.ExtractSliceOp.infer_result_type(ranked(outer.source), sizes)
    slice = tensor.ExtractSliceOp.build(
        source=outer.source, result=type, **slice_fields((offsets, sizes, strides))
    )
    rewriter.before(op).insert(slice)
    _with_paddings(op, slice.results[0], op.results[0].type, op.mixed_low(), high, rewriter)
    return True


def _constant_paddings(op: tensor.PadOp, rewriter: Rewriter) -> bool:
    """Paddings that are constants become part of the operation, if that makes sizes of the result known."""
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
        return False  # the type says otherwise: the program is wrong, and no cast leads from one to the other
    _with_paddings(op, op.source, t.RankedTensorType(shape, old_type.element), low, high, rewriter)
    return True


def _twice(op: tensor.PadOp, rewriter: Rewriter) -> bool:
    """Padding twice with one value is padding once by the sum."""
    first = op.source.defining_op
    if op.nofold or not isinstance(first, tensor.PadOp) or first.nofold:
        return False
    value = padding_value(op)
    if value is None or padding_value(first) is not value:
        return False
    from ..bufferize.indices import add

    at = rewriter.before(op)
    sums = [
        [add(at, pair) for pair in zip(ours, before, strict=True)]
        for ours, before in (
            (op.mixed_high(), first.mixed_high()),
            (op.mixed_low(), first.mixed_low()),
        )
    ]
    _with_paddings(op, first.source, op.results[0].type, sums[1], sums[0], rewriter)
    return True


def _of_fill(op: tensor.PadOp, rewriter: Rewriter) -> bool:
    """What is filled with a value and padded with it is a larger fill."""
    fill = op.source.defining_op
    value = filled_with(op.source)
    if fill is None or value is None or padding_value(op) is not value:
        return False
    from ..bufferize.shapes import reify  # with the analysis behind it: only if it is needed

    at = rewriter.before(op)
    shape = reify(at, op.results[0])
    assert shape is not None
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
