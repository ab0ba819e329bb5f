"""Semantics of tensor creation, reshapes, concatenation, padding, extraction and insertion of slices, over any domain.

    E1  empty                  undefined(sizes)
    E2  splat                  filled(scalar, sizes)
    E3  from_elements          assembled(scalars, sizes)
    E4  generate               generated(body, sizes)
    E5  collapse, expand       reshaped(source, sizes)
    E6  pad                    with_part(generated(body, sizes), box(low, sizes of the source), source)
    E7  concat                 with_part of one input after the other, in undefined(sizes)
    S1  extraction             part(source, box)
    S2  insertion              with_part(destination, box, source)

The operation itself determines the sizes (`SizedResultOp`). Contents, numbers and boxes depend on the engine's *domain*: arrays and
integers in the interpreter, terms in the prover. S2 applies to every insertion of a slice; one without a result updates the shared
output of a parallel loop. For analyses it follows that an extraction reads its box of the source, and that an insertion reads its
source and writes its box of the destination; it also reads the destination unless the box is all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from ..dialects import tensor
from ..dialects.common import Mixed, OffsetSizeAndStrideOp, SizesGivenOp, dropped_dims
from ..ir.program.core import Operation, OpOperand, Region, Value
from ..ir.program.interfaces import SizedResultOp
from ..ir.source.diagnostics import expect
from ..ir.types import types as t
from .boxes import BoxPart, PartReshape, Step, covers, element, part_of

if TYPE_CHECKING:
    from ..dialects._reshapes import ReassociativeOp
    from ..dialects.bufferization import AllocTensorOp

V = TypeVar("V")
N = TypeVar("N")
B = TypeVar("B")


class Domain(Protocol[V, N, B]):
    """The tensors, numbers and boxes of an engine."""

    def of(self, value: Value) -> V: ...

    def numbers(self, entries: Sequence[Mixed]) -> Sequence[N]: ...

    def plus(self, x: N, y: N) -> N: ...

    def sizes(self, value: Value) -> Sequence[N]: ...

    def sizes_of_result(self, op: SizedResultOp) -> Sequence[N]:
        """The sizes, after checking them against the result's type and the operation's constraints."""
        ...

    def undefined(self, sizes: Sequence[N]) -> V: ...

    def filled(self, scalar: V, sizes: Sequence[N]) -> V: ...

    def assembled(self, scalars: Sequence[V], sizes: Sequence[N]) -> V:
        """A tensor of these elements in row-major order."""
        ...

    def generated(self, body: Region, sizes: Sequence[N]) -> Generator[Any, Any, V]:
        """A tensor of the elements that a body yields for each index."""
        ...

    def reshaped(self, whole: V, sizes: Sequence[N]) -> V: ...

    def box(self, offsets: Sequence[N], sizes: Sequence[N]) -> B: ...

    def box_of(self, op: OffsetSizeAndStrideOp, small: Value) -> B:
        """The box of a slice; `small` has its shape, possibly rank-reduced."""
        ...

    def part(self, whole: V, box: B) -> V: ...

    def with_part(self, whole: V, box: B, part: V) -> V: ...


def _empty(op: SizesGivenOp, d: Domain[V, N, B]) -> V:
    return d.undefined(d.sizes_of_result(op))


def _alloc_tensor(op: AllocTensorOp, d: Domain[V, N, B]) -> V:
    return _empty(op, d) if op.copy is None else d.of(op.copy)


def _splat(op: tensor.SplatOp, d: Domain[V, N, B]) -> V:
    return d.filled(d.of(op.input), d.sizes_of_result(op))


def _from_elements(op: tensor.FromElementsOp, d: Domain[V, N, B]) -> V:
    shape = expect(t.RankedTensorType, op.results[0].type).static_shape
    return d.assembled([d.of(value) for value in op.operands], d.numbers(shape))


def _generate(op: tensor.GenerateOp, d: Domain[V, N, B]) -> Generator[Any, Any, V]:
    return (yield from d.generated(op.regions[0], d.sizes_of_result(op)))


def _reshape(op: ReassociativeOp, d: Domain[V, N, B]) -> V:
    return d.reshaped(d.of(op.operands[0]), d.sizes_of_result(op))


def _pad(op: tensor.PadOp, d: Domain[V, N, B]) -> Generator[Any, Any, V]:
    around = yield from d.generated(op.regions[0], d.sizes_of_result(op))
    box = d.box(d.numbers(op.mixed_low()), d.sizes(op.source))
    return d.with_part(around, box, d.of(op.source))


def _concat(op: tensor.ConcatOp, d: Domain[V, N, B]) -> V:
    axis, sizes = op.dim.value, d.sizes_of_result(op)
    whole, offsets = d.undefined(sizes), list(d.numbers([0] * len(sizes)))
    for value in op.operands:
        length = d.sizes(value)[axis]
        box = d.box(offsets, [length if i == axis else size for i, size in enumerate(sizes)])
        whole = d.with_part(whole, box, d.of(value))
        offsets[axis] = d.plus(offsets[axis], length)
    return whole


def extraction(op: tensor.ExtractSliceOp, d: Domain[V, N, B]) -> V:
    """S1."""
    return d.part(d.of(op.source), d.box_of(op, op.results[0]))


def insertion(op: tensor.SliceInsertionOp, d: Domain[V, N, B]) -> V:
    """S2."""
    return d.with_part(d.of(op.dest), d.box_of(op, op.source), d.of(op.source))


EQUATIONS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "tensor.empty": _empty,
    "bufferization.alloc_tensor": _alloc_tensor,
    "tensor.splat": _splat,
    "tensor.from_elements": _from_elements,
    "tensor.collapse_shape": _reshape,
    "tensor.expand_shape": _reshape,
    "tensor.concat": _concat,
    "tensor.extract_slice": extraction,
    tensor.InsertSliceOp.name: insertion,
    tensor.ParallelInsertSliceOp.name: insertion,
}
"""The contents of the one result of an operation, or of the tensor that an insertion updates (`updated`)."""

EQUATIONS_OF_BODIES: Final[dict[str, Callable[[Any, Any], Generator[Any, Any, Any]]]] = {
    "tensor.generate": _generate,
    "tensor.pad": _pad,
}
"""The same for operations that need the values of a region; the engine runs it as it runs regions."""


def updated(op: tensor.SliceInsertionOp) -> Value:
    """The value that is the whole after an insertion."""
    return op.results[0] if op.results else op.dest


def leaves_something(op: tensor.SliceInsertionOp) -> bool:
    """Whether an insertion may leave some of its destination, which it reads in that case."""
    type = op.dest.type
    return not (isinstance(type, t.RankedTensorType) and covers(op, type.shape))


def view_step(op: Operation) -> Step | None:
    """The function of the source that a slice or reshape computes; None for a slice with unknown strides."""
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
