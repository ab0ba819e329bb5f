"""Offsets, sizes and strides of a slice: constants in an attribute, the rest as operands."""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.attributes import DenseArrayAttr
from ...ir.core import Operation, Value
from .base import constant_int

DYNAMIC = -(2**63)
"""What the static arrays hold where an operand gives the value."""

SliceValue = int | Value


def slice_values(op: Operation) -> tuple[list[SliceValue], list[SliceValue], list[SliceValue]]:
    """The offsets, sizes and strides of an operation that has them, each a number or a value.

    Operands come in that order, after the operation's others. O(operands).
    """
    groups: list[list[SliceValue]] = []
    statics: list[Sequence[int]] = []
    for key in ("static_offsets", "static_sizes", "static_strides"):
        attr = op.properties[key]
        assert isinstance(attr, DenseArrayAttr)
        statics.append([int(v) for v in attr.values])
    dynamic = sum(v == DYNAMIC for static in statics for v in static)
    operands = iter([use.value for use in op.op_operands[len(op.op_operands) - dynamic :]])
    for static in statics:
        groups.append([next(operands) if v == DYNAMIC else v for v in static])
    return groups[0], groups[1], groups[2]


def as_constant(value: SliceValue) -> int | None:
    """The number, if it is one or a constant."""
    return value if isinstance(value, int) else constant_int(value)


def covers(op: Operation, shape: Sequence[int | None]) -> bool:
    """Whether the slice is, by constants alone, all of a tensor of that shape."""
    offsets, sizes, strides = slice_values(op)
    return (
        all(as_constant(v) == 0 for v in offsets)
        and all(as_constant(v) == n and n is not None for v, n in zip(sizes, shape, strict=True))
        and all(as_constant(v) == 1 for v in strides)
    )
