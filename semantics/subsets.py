"""Subsets: the semantics of extraction and insertion of slices, over any domain.

    S1  an extraction is   part(source, box)
    S2  an insertion is    with_part(destination, box, source)

What `part` and `with_part` are is the engine's *domain*: the interpreter has arrays, the prover terms. S2 holds for every
insertion of a slice; one without a result updates what the threads of a loop share. What follows for analyses: an
extraction looks at its box of the source; an insertion reads its source and writes its box of the destination, of which
it leaves everything else, so that it reads the destination too unless the box is all of it.
"""

from __future__ import annotations

from typing import Protocol, TypeVar

from ..dialects import tensor
from ..dialects.common import OffsetSizeAndStrideOp, dropped_dims
from ..ir.program.core import Operation, OpOperand, Value
from ..ir.source.diagnostics import expect
from ..ir.types import types as t
from .boxes import BoxPart, PartReshape, Step, covers, element, part_of

V = TypeVar("V")


class PartDomain(Protocol[V]):
    """What tensors are to an engine; the box is that of the operation, and `small` has the sizes of the part."""

    def of(self, value: Value) -> V: ...

    def part(self, whole: V, op: OffsetSizeAndStrideOp, small: Value) -> V: ...

    def with_part(self, whole: V, op: OffsetSizeAndStrideOp, small: Value, part: V) -> V: ...


def extraction(op: tensor.ExtractSliceOp, domain: PartDomain[V]) -> V:
    """S1."""
    return domain.part(domain.of(op.source), op, op.results[0])


def insertion(op: tensor.SliceInsertionOp, domain: PartDomain[V]) -> V:
    """S2."""
    return domain.with_part(domain.of(op.dest), op, op.source, domain.of(op.source))


INSERTIONS = ("tensor.insert_slice", "tensor.parallel_insert_slice")
"""The operations of S2."""


def updated(op: tensor.SliceInsertionOp) -> Value:
    """The value that is the whole after an insertion."""
    return op.results[0] if op.results else op.dest


def leaves_something(op: tensor.SliceInsertionOp) -> bool:
    """Whether an insertion may leave some of its destination, which it reads in that case."""
    type = op.dest.type
    return not (isinstance(type, t.RankedTensorType) and covers(op, type.shape))


def view_step(op: Operation) -> Step | None:
    """What a slice or reshape of a tensor makes of its source; None for a slice whose strides are not known."""
    if isinstance(op, tensor.ExpandShapeOp | tensor.CollapseShapeOp):
        return PartReshape(
            tuple(map(tuple, op.reassociation_indices())), isinstance(op, tensor.ExpandShapeOp)
        )
    assert isinstance(op, tensor.ExtractSliceOp)
    return _part(op, op.results[0])


def read_part(use: OpOperand) -> BoxPart | None:
    """The part of the operand that is read or looked at; None for all of it, or what is not followed."""
    op = use.owner
    if isinstance(op, tensor.ExtractSliceOp) and use.index == 0:
        step = view_step(op)
        return step if isinstance(step, BoxPart) else None
    if isinstance(op, tensor.ExtractOp) and use.index == 0:
        return element(op.operands[1:])
    return None


def written_part(use: OpOperand) -> BoxPart | None:
    """The part of the operand that is written; None for all of it, or what is not followed."""
    op = use.owner
    if isinstance(op, tensor.SliceInsertionOp) and use.index == 1:
        return _part(op, op.operands[0])
    if isinstance(op, tensor.InsertOp) and use.index == 1:
        return element(op.operands[2:])
    return None


def _part(op: OffsetSizeAndStrideOp, small: Value) -> BoxPart | None:
    """The box of a slice; `small` has its elements, maybe without dimensions of size 1."""
    sizes = op.mixed_sizes()
    dropped = dropped_dims(sizes, expect(t.RankedTensorType, small.type).shape)
    kept = [i for i in range(len(sizes)) if i not in dropped]
    return part_of(op.mixed_offsets(), sizes, op.mixed_strides(), kept)
