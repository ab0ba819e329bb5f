"""What the types of tensors tell about moving them: their sizes, and whether elements lie apart.

The layout of an argument in signatures is a choice: by default it may have gaps, with an identity layout it has none.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..dialects import tensor
from ..dialects._reshapes import infer_collapsed_type, infer_expanded_type
from ..ir.program.core import Operation, Value
from ..ir.types import types as t
from ..transforms.bufferize.rewrite_tensor import slice_type


def is_certainly_apart(chain: Sequence[Value], op: Operation) -> bool:
    """Whether `op` collapses elements that lie apart in a buffer without gaps.

    Args:
        chain: the collapsed tensor and the tensors that it is a view or subset of; the argument is last.
    """
    if not isinstance(op, tensor.CollapseShapeOp):
        return False
    root = chain[-1].type
    if not isinstance(root, t.RankedTensorType):
        return False
    layout: t.MemRefType | None = t.MemRefType(root.shape, root.element)
    for value in reversed(chain[:-1]):
        maker, type = value.defining_op, value.type
        if layout is None or not isinstance(type, t.RankedTensorType):
            return False
        if isinstance(maker, tensor.ExtractSliceOp):
            layout = slice_type(maker, layout, type.shape)
        elif isinstance(maker, tensor.ExpandShapeOp):
            layout = infer_expanded_type(layout, type.shape, maker.reassociation_indices())
        elif isinstance(maker, tensor.CollapseShapeOp):
            layout = infer_collapsed_type(layout, maker.reassociation_indices())
        else:
            return False
    return layout is not None and infer_collapsed_type(layout, op.reassociation_indices()) is None


def is_smaller(part: Value, whole: Value) -> bool:
    """Whether a tensor is known to be smaller than another: fewer elements, shorter in a dimension, or padded."""
    one, other, op = part.type, whole.type, whole.defining_op
    if not isinstance(one, t.ShapedType) or not isinstance(other, t.ShapedType):
        return False
    if isinstance(op, tensor.PadOp) and op.source is part:
        return any(isinstance(n, int) and n > 0 for n in (*op.mixed_low(), *op.mixed_high()))
    few, many = one.num_elements, other.num_elements
    if few is not None and many is not None:
        return few < many
    pairs = list(zip(one.sizes, other.sizes, strict=False)) if len(one.sizes) == len(other.sizes) else []
    return any(short is not None and long is not None and short < long for short, long in pairs)


def is_tiny(value: Value) -> bool:
    """Whether a tensor is known to have one element, which `tensor.extract` and `tensor.insert` may move, or none."""
    elements = value.type.num_elements if isinstance(value.type, t.ShapedType) else None
    return elements is not None and elements <= 1
