"""Subset operations: which part of a tensor they write, and whether another value is just that part."""

from __future__ import annotations

from collections.abc import Callable

from ...ir import types as t
from ...ir.affine import AffineDim
from ...ir.core import Operation, OpOperand, OpResult, Value
from ...ir.layouts import AffineMapAttr
from ..index_equality import equal_indices
from ..models.slices import SliceValue, slice_values
from ..models.vector import is_masked

SLICE_INSERTIONS = frozenset(("tensor.insert_slice", "tensor.parallel_insert_slice"))
WHOLE_INSERTION = "bufferization.materialize_in_destination"
TRANSFER_WRITE = "vector.transfer_write"

Equivalence = Callable[[Value, Value], bool]


def is_subset_insertion(op: Operation) -> bool:
    """Whether the operation writes a source, operand 0, into a part of a destination, operand 1."""
    name = op.name
    return name in SLICE_INSERTIONS or name in (WHOLE_INSERTION, TRANSFER_WRITE)


def source_of(op: Operation) -> OpOperand | None:
    return op.op_operands[0] if is_subset_insertion(op) else None


def destination_of(op: Operation) -> OpOperand | None:
    return op.op_operands[1] if is_subset_insertion(op) else None


def refers_to_part(value: Value, insertion: Operation, equivalent: Equivalence) -> bool:
    """Whether `value` is provably the part of its destination that `insertion` writes.

    That is the result of an extraction of an equal slice from an equivalent tensor. O(rank) comparisons of indices.
    """
    if not isinstance(value, OpResult):
        return False
    destination = insertion.op_operands[1].value
    if insertion.name == WHOLE_INSERTION:
        return equivalent(destination, value)
    extraction = value.owner
    if extraction.name != "tensor.extract_slice" or not equivalent(
        destination, extraction.op_operands[0].value
    ):
        return False
    written = part_written(insertion)
    return written is not None and same_slice(written, slice_values(extraction))


Slice = tuple[list[SliceValue], list[SliceValue], list[SliceValue]]


def part_written(insertion: Operation) -> Slice | None:
    """Offsets, sizes and strides of the part of the destination that is written; None if it is none such."""
    if insertion.name in SLICE_INSERTIONS:
        return slice_values(insertion)
    if insertion.name != TRANSFER_WRITE or is_masked(insertion):
        return None
    vector, dest = insertion.op_operands[0].value.type, insertion.op_operands[1].value.type
    map = insertion.properties.get("permutation_map")
    if not isinstance(dest, t.RankedTensorType) or not isinstance(vector, t.VectorType):
        return None
    rank = len(dest.shape)
    sizes: list[SliceValue] = [1] * rank
    exprs = map.map.results if isinstance(map, AffineMapAttr) else ()
    for expr, size in zip(exprs, vector.shape, strict=False):
        if isinstance(expr, AffineDim) and size is not None:
            sizes[expr.position] = size
    offsets: list[SliceValue] = [use.value for use in insertion.op_operands[2 : 2 + rank]]
    return offsets, sizes, [1] * rank


def same_slice(a: Slice, b: Slice) -> bool:
    """Whether offsets, sizes and strides provably mean the same slice."""
    for left, right in zip(a, b, strict=True):
        if len(left) != len(right):
            return False
        if any(not equal_indices(x, y) for x, y in zip(left, right, strict=True)):
            return False
    return True
