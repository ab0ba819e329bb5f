"""Making slices of tensors: the part that an insertion writes, parts of concatenations and paddings."""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects import tensor
from ...dialects.common import Mixed, as_number, slice_fields
from ...ir.program.builder import Builder
from ...ir.program.core import Value
from ...ir.program.interfaces import Slice
from ...ir.types import types as t
from .ground import size_of


def extract(
    b: Builder,
    source: Value,
    type: t.RankedTensorType,
    offsets: Sequence[Mixed],
    sizes: Sequence[Mixed],
    strides: Sequence[Mixed],
) -> Value:
    """A new extraction of a slice."""
    fields = slice_fields(_lists(offsets, sizes, strides))
    return b.insert(tensor.ExtractSliceOp.build(source=source, result=type, **fields)).the_result


def insert(
    b: Builder,
    source: Value,
    dest: Value,
    offsets: Sequence[Mixed],
    sizes: Sequence[Mixed],
    strides: Sequence[Mixed],
) -> tensor.SliceInsertionOp:
    """A new insertion of a slice."""
    return b.insert(tensor.SliceInsertionOp.of(source, dest, _lists(offsets, sizes, strides)))


def _lists(offsets: Sequence[Mixed], sizes: Sequence[Mixed], strides: Sequence[Mixed]) -> Slice:
    """With constants as numbers but for sizes: the type of the slice says which."""
    return list(map(as_number, offsets)), list(sizes), list(map(as_number, strides))


def sizes(b: Builder, value: Value) -> list[Mixed]:
    """The shape of a tensor: numbers where the type knows them, else values."""
    type = value.type
    assert isinstance(type, t.RankedTensorType)
    return [size_of(b, value, i) if size is None else size for i, size in enumerate(type.shape)]


def _shape(value: Value) -> t.Shape:
    assert isinstance(value.type, t.RankedTensorType)
    return value.type.shape
