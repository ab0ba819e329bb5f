"""Tiles of `linalg.pack` and `unpack` where a type that knows more takes the place of one that knew less."""

from __future__ import annotations

from ...dialects.common import constant_index
from ...dialects.linalg.relayout import PackOp, UnPackOp
from ...ir.declaration.declare import OPERAND_SEGMENTS
from ...ir.program.core import Value
from ...ir.types import attributes as a
from ...ir.types import types as t
from ...ir.types.uniquing import Attribute

DYNAMIC = -(1 << 63)


def with_static_tiles(
    op: PackOp | UnPackOp, operands: list[Value]
) -> tuple[list[Value], dict[str, Attribute]] | None:
    """Operands and properties of `op` where `operands` take the place of its own; None if no valid operation has them.

    A tile whose size the packed type states has to be stated by the operation too: it can be if it is a constant.
    """
    packed = operands[1 if isinstance(op, PackOp) else 0].type
    assert isinstance(packed, t.RankedTensorType)
    sizes = list(op.static_inner_tiles.values)
    first = len(operands) - sizes.count(DYNAMIC)
    kept, given = operands[:first], iter(operands[first:])
    for i, (stated, size) in enumerate(zip(packed.shape[-len(sizes) :], list(sizes), strict=True)):
        if size != DYNAMIC:
            continue
        tile = next(given)
        if stated is None:
            kept.append(tile)
        elif constant_index(tile) == stated:
            sizes[i] = stated
        else:
            return None
    properties = dict(op.properties)
    properties["static_inner_tiles"] = a.DenseArrayAttr(t.I64, tuple(sizes))
    segments = properties.get(OPERAND_SEGMENTS)
    if isinstance(segments, a.DenseArrayAttr):
        properties[OPERAND_SEGMENTS] = a.DenseArrayAttr(
            t.I32, (*segments.values[:-1], len(kept) - sum(segments.values[:-1]))
        )
    return kept, properties
