"""The sizes of a tensor as values, the way version 16 of MLIR computed them: every size, also those that types know.

Most sizes that this emits are not needed and stay until canonicalization removes them. The rules are those of
`bufferize/shapes.py`; they differ in what is emitted and in its order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import prod
from typing import Any

from ...dialects import bufferization, tensor
from ...dialects._sizes import PartOp, SizesGivenOp
from ...dialects.common import Mixed
from ...dialects.linalg.base import LinalgOp
from ...ir.program.builder import Builder
from ...ir.program.core import Operation, OpResult, Value
from ...ir.source.expect import expect
from ...ir.types import types as t
from ..bufferize import shapes
from ..bufferize.indices import apply, as_value, multiply
from ..bufferize.shapes import dim, folded_dim, of_structured


def _shape_of(b: Builder, value: OpResult) -> Sequence[Mixed] | None:
    """All sizes of a result in terms of its operation's operands; None if the operation cannot say."""
    op = value.owner
    if isinstance(op, LinalgOp):
        return of_structured(b, op, value.index, every=True)
    rule = RULES.get(type(op))
    return None if rule is None else rule(b, op)


def _shape(value: Value) -> t.Shape:
    assert isinstance(value.type, t.RankedTensorType)
    return value.type.shape


def _of_empty(b: Builder, op: Operation) -> list[Value]:
    """Where the type knows a size, the *position* is emitted, as MLIR 16 does; nobody uses it."""
    given = iter(op.operands)
    return [as_value(b, next(given) if s is None else i) for i, s in enumerate(_shape(op.results[0]))]


def _of_generate(b: Builder, op: Operation) -> list[Value]:
    return [as_value(b, size) for size in expect(SizesGivenOp, op).mixed_sizes()]


def _of_alloc_tensor(b: Builder, op: bufferization.AllocTensorOp) -> list[Value]:
    copied, given = op.copy, iter(op.dynamic_sizes)
    sizes: list[Value] = []
    for i, size in enumerate(_shape(op.results[0])):
        if size is not None:
            sizes.append(as_value(b, size))
        else:
            sizes.append(next(given) if copied is None else dim(b, copied, i))
    return sizes


def _of_extract_slice(b: Builder, op: Operation) -> list[Value]:
    return [as_value(b, size) for size in expect(PartOp, op).kept_sizes()]


def _of_insert_slice(b: Builder, op: Operation) -> list[Value]:
    dest = op.op_operands[1].value
    return [folded_dim(b, dest, i) for i in range(len(_shape(dest)))]


def _of_pad(b: Builder, op: tensor.PadOp) -> list[Value]:
    source = op.op_operands[0].value
    sizes: list[Value] = []
    for i, (low, high) in enumerate(zip(op.mixed_low(), op.mixed_high(), strict=True)):
        entries: list[Mixed] = [low, high, folded_dim(b, source, i)]
        sizes.append(as_value(b, apply(b, lambda e: e[2] + e[0] + e[1], entries, linear=False)))
    return sizes


def _of_collapse_shape(b: Builder, op: tensor.CollapseShapeOp) -> list[Value]:
    source = op.op_operands[0].value
    sizes: list[Value] = []
    for group in op.reassociation_indices():
        factors = [folded_dim(b, source, i) for i in group]
        sizes.append(as_value(b, factors[0] if len(factors) == 1 else multiply(b, factors)))
    return sizes


def _of_expand_shape(b: Builder, op: tensor.ExpandShapeOp) -> list[Value]:
    """The unknown size of a group is what the source has there, divided by the known sizes."""
    source = op.op_operands[0].value
    shape = _shape(op.results[0])
    sizes: list[Mixed] = list(shape)  # pyright: ignore[reportAssignmentType]  (what is None is filled in)
    for at, group in enumerate(op.reassociation_indices()):
        for i in group:
            if shape[i] is None:
                known = prod(shape[j] or 1 for j in group)
                whole = folded_dim(b, source, at)
                sizes[i] = apply(b, lambda e, known=known: e[0].floordiv(known), [whole], linear=False)
    return [as_value(b, size) for size in sizes]


RULES: dict[type[Operation], Callable[[Builder, Any], Sequence[Value]]] = {
    bufferization.AllocTensorOp: _of_alloc_tensor,
    tensor.CollapseShapeOp: _of_collapse_shape,
    tensor.EmptyOp: _of_empty,
    tensor.ExpandShapeOp: _of_expand_shape,
    tensor.ExtractSliceOp: _of_extract_slice,
    tensor.GenerateOp: _of_generate,
    tensor.InsertSliceOp: _of_insert_slice,
    tensor.PadOp: _of_pad,
}
"""Rules by the class of the operation."""

allocation_like = partial(shapes.allocation_like, shape_of=_shape_of)
"""An `alloc_tensor` like that of `bufferize.shapes`, with all sizes."""
