"""Subset operations: which part of a tensor they write, and whether another value is just that part."""

from __future__ import annotations

from collections.abc import Callable

from ...ir.core import Operation, OpOperand, OpResult, Value
from ..index_equality import equal_indices
from ..models.slices import slice_values

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

    For a slice: the result of an extraction of an equal slice from an equivalent tensor. Vectors read from a tensor have
    no buffer, so they never are a part. O(rank) comparisons of indices.
    """
    if not isinstance(value, OpResult):
        return False
    destination = insertion.op_operands[1].value
    if insertion.name == WHOLE_INSERTION:
        return equivalent(destination, value)
    extraction = value.owner
    if insertion.name not in SLICE_INSERTIONS or extraction.name != "tensor.extract_slice":
        return False
    return equivalent(destination, extraction.op_operands[0].value) and same_slice(insertion, extraction)


def same_slice(a: Operation, b: Operation) -> bool:
    """Whether two operations with offsets, sizes and strides provably mean the same slice."""
    for left, right in zip(slice_values(a), slice_values(b), strict=True):
        if len(left) != len(right):
            return False
        if any(not equal_indices(x, y) for x, y in zip(left, right, strict=True)):
            return False
    return True
