"""Making slices of tensors: the part that an insertion writes, parts of concatenations and paddings."""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects import tensor
from ...dialects.common import Mixed, as_number, split_mixed
from ...ir.declaration.declare import OPERAND_SEGMENTS
from ...ir.program.builder import Builder
from ...ir.program.core import Value
from ...ir.types import types as t
from ...ir.types.attributes import DenseArrayAttr
from ..bufferize import make
from .ground import size_of

SLICE_PROPERTIES = ("static_offsets", "static_sizes", "static_strides")


def extract(
    b: Builder,
    source: Value,
    type: t.RankedTensorType,
    offsets: Sequence[Mixed],
    sizes: Sequence[Mixed],
    strides: Sequence[Mixed],
) -> Value:
    """A new `tensor.extract_slice`."""
    values, properties = _lists(1, offsets, sizes, strides)
    return b.insert(tensor.ExtractSliceOp((source, *values), (type,), None, properties)).results[0]


def insert(
    b: Builder,
    source: Value,
    dest: Value,
    offsets: Sequence[Mixed],
    sizes: Sequence[Mixed],
    strides: Sequence[Mixed],
) -> tensor.InsertSliceOp:
    """A new `tensor.insert_slice`."""
    values, properties = _lists(2, offsets, sizes, strides)
    return b.insert(tensor.InsertSliceOp((source, dest, *values), (dest.type,), None, properties))


def _lists(tensors: int, *groups: Sequence[Mixed]) -> tuple[list[Value], dict[str, DenseArrayAttr]]:
    """The operands and properties of a slice, constants as numbers but for sizes: the type of the slice says which."""
    values: list[Value] = []
    properties: dict[str, DenseArrayAttr] = {}
    counts: list[int] = []
    for name, group in zip(SLICE_PROPERTIES, groups, strict=True):
        dynamic, static = split_mixed(group if name == "static_sizes" else map(as_number, group))
        values += dynamic
        counts.append(len(dynamic))
        properties[name] = static
    properties[OPERAND_SEGMENTS] = make.segments(*([1] * tensors), *counts)
    return values, properties


def sizes(b: Builder, value: Value) -> list[Mixed]:
    """The shape of a tensor: numbers where the type knows them, else values."""
    type = value.type
    assert isinstance(type, t.RankedTensorType)
    return [size_of(b, value, i) if size is None else size for i, size in enumerate(type.shape)]


def _shape(value: Value) -> t.Shape:
    assert isinstance(value.type, t.RankedTensorType)
    return value.type.shape
