"""Subsets: whether a value is just the part of a tensor that an operation writes."""

from __future__ import annotations

from collections.abc import Callable

from ...ir.program.core import OpResult, Value
from ...ir.program.interfaces import Slice, SubsetExtractionOp, SubsetInsertionOp
from ...semantics.integers import equal_indices

Equivalence = Callable[[Value, Value], bool]


def refers_to_part(value: Value, insertion: SubsetInsertionOp, equivalent: Equivalence) -> bool:
    """Whether `value` is provably the part of its destination that `insertion` writes.

    That is the result of an extraction of an equal slice from an equivalent tensor. O(rank) comparisons of indices.
    """
    if not isinstance(value, OpResult):
        return False
    destination = insertion.subset_destination().value
    if insertion.inserts_whole:
        return equivalent(destination, value)
    extraction = value.owner
    if not isinstance(extraction, SubsetExtractionOp):
        return False
    if not equivalent(destination, extraction.subset_extraction_source().value):
        return False
    written, read = insertion.accessed_slice(), extraction.accessed_slice()
    return written is not None and read is not None and same_slice(written, read)


def same_slice(a: Slice, b: Slice) -> bool:
    """Whether offsets, sizes and strides provably mean the same slice."""
    if a == b:  # what is written alike is most of what is asked
        return True
    for left, right in zip(a, b, strict=True):
        if len(left) != len(right):
            return False
        if any(not equal_indices(x, y) for x, y in zip(left, right, strict=True)):
            return False
    return True
