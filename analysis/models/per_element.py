"""Regions that run once for each element: what all operations that have one say of it.

The body of a structured operation, of `tensor.generate` and of `tensor.pad` is the body of a loop: what one element
leaves behind in a tensor from outside, the next element would read. The elements have no order among themselves, so
their runs also count as being under way at once: none may write a buffer that another one can see, not even one whose
contents nobody set.

mlir-opt 22 takes such a region to run once, and lets its body overwrite tensors from outside. That is mirrored on
request only.
"""

from __future__ import annotations

from ...ir.defects import ELEMENTS
from ...ir.program.core import Operation, Region
from .base import TENSOR_TYPES, Model, ModelContext


class PerElementModel(Model):
    """An operation whose regions run for each element of what it makes."""

    def is_repetitive(self, region: Region, context: ModelContext) -> bool:
        return ELEMENTS not in context.mirrored

    def is_parallel(self, region: Region, context: ModelContext) -> bool:
        return ELEMENTS not in context.mirrored

    def defines_by_element(self, op: Operation, context: ModelContext) -> bool:
        return self.may_lose_data_in_reference(op, context) and any(
            self.is_repetitive(region, context) for region in op.regions
        )

    def may_lose_data_in_reference(self, op: Operation, context: ModelContext) -> bool:
        """Whether the body does anything with tensors, or may do so deeper inside. O(body, without what is nested)."""
        return any(
            inner.regions or any(isinstance(value.type, TENSOR_TYPES) for value in inner.operands)
            for region in op.regions
            for block in region
            for inner in block
        )
