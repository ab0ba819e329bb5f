"""A slice whose dimensions of size 1 are collapsed right away is taken without them, and inserted without them if they come of an expansion.

    %s = tensor.extract_slice %t[0, %i] [8, 1] [1, 1] : tensor<8x8xi32> to tensor<8x1xi32>
    %c = tensor.collapse_shape %s [[0, 1]] : tensor<8x1xi32> into tensor<8xi32>
 => %c = tensor.extract_slice %t[0, %i] [8, 1] [1, 1] : tensor<8x8xi32> to tensor<8xi32>

The layout of a slice is seldom one of which dimensions can be collapsed; the buffer is then copied. A view of lower rank can
always be had.
"""

from __future__ import annotations

from ...dialects import tensor
from ...dialects.common import Mixed, dropped_dims
from ...ir.program.builder import Builder
from ...ir.program.core import Operation
from ...ir.source.expect import expect
from ...ir.types import types as t
from . import ground
from .rematerialize import erase_dead


def reduce_rank(op: Operation) -> int:
    """Take a slice of lower rank where dimensions of size 1 are collapsed, or insert it so; 0 if that is not possible."""
    if isinstance(op, tensor.SliceInsertionOp):
        return _reduce_insertion(op)
    if not isinstance(op, tensor.CollapseShapeOp):
        return 0
    made = op.op_operands[0].value.defining_op
    if not isinstance(made, tensor.ExtractSliceOp) or not _drops_only_ones(made, op):
        return 0
    type = expect(t.RankedTensorType, op.results[0].type)
    lists = made.mixed_offsets(), made.mixed_sizes(), made.mixed_strides()
    view = made.results[0]
    op.replace_with([ground.extract(Builder.before(op), made.source, type, *lists)])
    erase_dead([view])
    return 1


def _drops_only_ones(slice: tensor.ExtractSliceOp, collapse: tensor.CollapseShapeOp) -> bool:
    """Whether each group has at most one dimension that is not of size 1, and the slice can be taken like that."""
    shape = expect(t.RankedTensorType, slice.results[0].type).shape
    result = expect(t.RankedTensorType, collapse.results[0].type)
    for group in collapse.reassociation_indices():
        if sum(shape[i] != 1 for i in group) > 1:
            return False
    sizes = slice.mixed_sizes()
    kept = [size for i, size in enumerate(sizes) if i not in dropped_dims(sizes, result.shape)]
    return _fit(kept, result.shape)


def _fit(kept: list[Mixed], shape: t.Shape) -> bool:
    """Whether the sizes that are kept are those of a type."""
    return len(kept) == len(shape) and all(
        isinstance(size, int) == (n is not None) and (n is None or n == size)
        for size, n in zip(kept, shape, strict=True)
    )


def _reduce_insertion(op: tensor.SliceInsertionOp) -> int:
    """Insert what was expanded by dimensions of size 1 as it was before; 1 if that is possible."""
    view = op.op_operands[0].value.defining_op
    if not isinstance(view, tensor.ExpandShapeOp):
        return 0
    source = view.op_operands[0].value
    shape = expect(t.RankedTensorType, view.results[0].type).shape
    type = expect(t.RankedTensorType, source.type)
    if any(sum(shape[i] != 1 for i in group) > 1 for group in view.reassociation_indices()):
        return 0
    if not type.shape and any(size != 1 for size in shape):
        return 0
    sizes = op.mixed_sizes()
    kept = [size for i, size in enumerate(sizes) if i not in dropped_dims(sizes, type.shape)]
    if not _fit(kept, type.shape):
        return 0
    op.op_operands[0].value = source
    erase_dead([view.results[0]])
    return 1
