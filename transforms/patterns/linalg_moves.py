"""Canonicalization of `linalg.transpose` and `linalg.broadcast` of tensors: two in a row are one."""

from __future__ import annotations

from typing import Final

from ...dialects import tensor
from ...dialects.linalg.structured import BroadcastOp, TransposeOp
from ...ir.program.core import Operation, Value
from ...ir.types import attributes as a
from ...ir.types import types as t
from ..rewriting.rewriter import Rewriter
from .linalg_fill import transpose_of_fill


def _moved(like: Operation, source: Value, init: Value, key: str, numbers: list[int]) -> Operation:
    """A detached operation like `like`, with other operands and another permutation, or other dimensions."""
    old_source, old_init = (use.value for use in like.op_operands)
    copy = like.clone({old_source: source, old_init: init})
    copy.attributes = {}
    copy.properties[key] = a.DenseArrayAttr(t.I64, tuple(numbers))
    copy.results[0].type = init.type
    return copy


def _transpose_twice(op: TransposeOp, rewriter: Rewriter) -> bool:
    first = op.input.defining_op
    if not isinstance(first, TransposeOp):
        return False
    inner, outer = first.permutation.values, op.permutation.values
    order = [inner[i] for i in outer]
    return rewriter.replace_with(op, _moved(op, first.input, op.init, "permutation", order))


def _broadcast_twice(op: BroadcastOp, rewriter: Rewriter) -> bool:
    first = op.input.defining_op
    if not isinstance(first, BroadcastOp):
        return False
    added = op.dimensions.values
    rank = len(getattr(op.init.type, "shape", ()))
    kept = [i for i in range(rank) if i not in added]
    dimensions = sorted([*added, *(kept[i] for i in first.dimensions.values)])
    return rewriter.replace_with(op, _moved(op, first.input, op.init, "dimensions", dimensions))


def _transpose_of_broadcast(op: TransposeOp, rewriter: Rewriter) -> bool:
    """Transpose what is repeated before repeating it; it is smaller."""
    broadcast = op.input.defining_op
    if not isinstance(broadcast, BroadcastOp) or not op.input.has_one_use:
        return False
    type = broadcast.input.type
    if not isinstance(type, t.RankedTensorType):
        return False
    added, order = broadcast.dimensions.values, op.permutation.values
    kept = [i for i in range(len(order)) if i not in added]
    inner = [kept.index(i) for i in order if i not in added]
    from ..bufferize.shapes import mixed_sizes  # with the analysis behind it: only if it is needed

    at = rewriter.before(op)
    sizes = mixed_sizes(at, broadcast.input)
    sizes = [sizes[i] for i in inner]
    shape = [size if isinstance(size, int) else None for size in sizes]
    empty = tensor.EmptyOp.build(
        dynamic_sizes=[size for size in sizes if isinstance(size, Value)],
        result=t.RankedTensorType(shape, type.element),
    )
    at.insert(empty)
    transposed = at.insert(_moved(op, broadcast.input, empty.results[0], "permutation", inner))
    places = [order.index(i) for i in added]
    return rewriter.replace_with(op, _moved(broadcast, transposed.results[0], op.init, "dimensions", places))


TRANSPOSE_PATTERNS: Final = (transpose_of_fill, _transpose_twice, _transpose_of_broadcast)
BROADCAST_PATTERNS: Final = (_broadcast_twice,)
