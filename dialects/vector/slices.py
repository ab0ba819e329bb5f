"""Rectangles of vectors, at constant places: extract_strided_slice and insert_strided_slice."""

from __future__ import annotations

from ...ir.declaration import constraints as c
from ...ir.declaration.declare import attribute, operand, result
from ...ir.program import traits as tr
from ...ir.program.core import Operation
from ...ir.types import attributes as a
from ...ir.types import types as t
from ..common import integers
from .kinds import RANKED_VECTOR, SameElementType, vector_type

_SAME_ELEMENT = SameElementType("operand and result have same element type", "source", "output")


def numbers_of(array: a.ArrayAttr) -> list[int]:
    """The numbers in an array of offsets, sizes or strides."""
    return list(integers(array))


def _range_error(
    values: list[int], extents: list[int | None], name: str, *, least: int, half_open: bool
) -> str | None:
    """Whether each entry of attribute `name` is in its range, from `least` to its extent."""
    for i, (value, extent) in enumerate(zip(values, extents, strict=False)):
        limit = (extent or 0) + (0 if half_open else 1)
        if not least <= value < limit:
            return f"expected {name} dimension {i} to be confined to [{least}, {limit})"
    return None


def _strides_error(strides: list[int]) -> str | None:
    return None if all(stride == 1 for stride in strides) else "expected strides to be confined to [1, 2)"


class ExtractStridedSliceOp(Operation):
    """A rectangle of a vector.

    Leading dimensions are cut, the ones not mentioned kept whole; strides are 1.
    """

    name = "vector.extract_strided_slice"
    traits = (tr.PURE, _SAME_ELEMENT)
    source = operand(RANKED_VECTOR)
    offsets = attribute(c.I64_ARRAY_ATTR)
    sizes = attribute(c.I64_ARRAY_ATTR)
    strides = attribute(c.I64_ARRAY_ATTR)
    output = result(RANKED_VECTOR)
    assembly_format = "$source attr-dict `:` type($source) `to` type(results)"

    def verify(self) -> str | None:
        source, target = vector_type(self.source.type), vector_type(self.output.type)
        offsets, sizes, strides = map(numbers_of, (self.offsets, self.sizes, self.strides))
        if not len(offsets) == len(sizes) == len(strides):
            return "expected offsets, sizes and strides attributes of same size"
        if len(offsets) > len(source.shape):
            return "expected offsets attribute of rank no greater than vector rank"
        extents = list(source.shape)
        error = (
            _range_error(offsets, extents, "offsets", least=0, half_open=True)
            or _range_error(sizes, extents, "sizes", least=1, half_open=False)
            or _strides_error(strides)
        )
        if error is not None:
            return error
        for i, (offset, size, extent) in enumerate(zip(offsets, sizes, extents, strict=False)):
            if offset + size > (extent or 0):
                return (
                    f"expected sum(offsets, sizes) dimension {i} to be confined to [1, {(extent or 0) + 1})"
                )
        shape = (*sizes, *source.shape[len(sizes) :])
        expected = t.VectorType(shape, source.element, source.scalable_dims)
        if target is not expected:
            return f"expected result type to be '{expected}'"
        return None


class InsertStridedSliceOp(Operation):
    """The destination with a rectangle replaced; the source is aligned with its trailing dimensions."""

    name = "vector.insert_strided_slice"
    traits = (
        tr.PURE,
        SameElementType("operand #0 and result have same element type", "value_to_store", "output"),
        tr.all_types_match("dest", "output"),
    )
    value_to_store = operand(RANKED_VECTOR)
    dest = operand(RANKED_VECTOR)
    offsets = attribute(c.I64_ARRAY_ATTR)
    strides = attribute(c.I64_ARRAY_ATTR)
    output = result(RANKED_VECTOR)
    assembly_format = "$value_to_store `,` $dest attr-dict `:` type($value_to_store) `into` type($dest)"

    def verify(self) -> str | None:
        source, target = vector_type(self.value_to_store.type), vector_type(self.dest.type)
        offsets, strides = numbers_of(self.offsets), numbers_of(self.strides)
        if len(offsets) != len(target.shape):
            return "expected offsets of same size as destination vector rank"
        if len(strides) != len(source.shape):
            return "expected strides of same size as source vector rank"
        if len(source.shape) > len(target.shape):
            return "expected source rank to be no greater than destination rank"
        error = _range_error(
            offsets, list(target.shape), "offsets", least=0, half_open=True
        ) or _strides_error(strides)
        if error is not None:
            return error
        lead = len(target.shape) - len(source.shape)
        extents = (1,) * lead + source.shape
        for i, (offset, size, extent) in enumerate(zip(offsets, extents, target.shape, strict=True)):
            if offset + (size or 0) > (extent or 0):
                return (
                    f"expected sum(offsets, source vector shape) dimension {i} to be confined to "
                    f"[1, {(extent or 0) + 1})"
                )
        return None
