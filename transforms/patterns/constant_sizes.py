"""Sizes, offsets and strides that are constants become part of operations and types, of tensors and memrefs alike."""

from __future__ import annotations

from ...dialects import memref, tensor
from ...dialects.common import Mixed, SizesGivenOp, constant_index, out_of_bounds
from ...ir.program.builder import Builder
from ...ir.program.core import Value
from ...ir.program.interfaces import Slice
from ...ir.types import types as t
from ..rewriting.rewriter import Rewriter, erase_operands


def cast_to(value: Value, type: t.Type, at: Builder) -> Value:
    """`value`, a tensor or memref, cast to `type` if necessary."""
    if value.type is type:
        return value
    cast = memref.CastOp if t.is_memref(type) else tensor.CastOp
    return at.insert(cast((value,), (type,))).the_result


def constant_sizes(op: SizesGivenOp, rewriter: Rewriter) -> bool:
    """Constant sizes become part of the result's type; attributes of others are dropped, as in mlir-opt."""
    result, (position, end) = op.results[0], type(op).dynamic_sizes.range_in(op)
    if position == end:
        return False  # there are none, or the sizes are those of a tensor that is copied
    old = result.type
    assert isinstance(old, t.RankedTensorType | t.MemRefType)
    shape, gone = list(old.shape), set[int]()
    for i, size in enumerate(shape):
        if size is None:
            known = constant_index(op.op_operands[position].value)
            if known is not None and known >= 0:
                shape[i] = known
                gone.add(position)
            position += 1
    if not gone:
        return False
    erase_operands(op, gone)
    op.attributes = {}
    result.type = old.with_shape(shape)
    cast = cast_to(result, old, rewriter.after(op))
    rewriter.replace_uses_if(result, cast, lambda use: use.owner is not cast.defining_op)
    rewriter.modified(op)
    return True


def fold_sizes(entries: list[Mixed], negative: bool = False) -> list[Mixed] | None:
    """The entries with constants as numbers; None if nothing changes. Negative constants only if allowed."""
    folded: list[Mixed] = []
    changed = False
    for entry in entries:
        number = constant_index(entry)
        if number is not None and not isinstance(entry, int) and (negative or number >= 0):
            folded.append(number)
            changed = True
        else:
            folded.append(entry)
    return folded if changed else None


def fold_slice(slice: Slice) -> Slice | None:
    """Offsets, else sizes, else strides with constants as numbers; None if there are none."""
    offsets, sizes, strides = slice
    if (folded := fold_sizes(offsets)) is not None:
        return folded, sizes, strides
    if (folded := fold_sizes(sizes)) is not None:
        return offsets, folded, strides
    folded = fold_sizes(strides, negative=True)
    return None if folded is None else (offsets, sizes, folded)


def stays_inside(shape: t.Shape, slice: Slice) -> bool:
    """Whether the constant part of a slice is in bounds; a slice that is certainly out of bounds would not verify."""
    lists = [[e if isinstance(e, int) else None for e in entries] for entries in slice]
    return shape is None or out_of_bounds(shape, *lists) is None
