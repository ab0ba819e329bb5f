"""Sizes of a tensor as values, for an allocation of the same shape.

Most operations can reify the shape of a result in terms of their operands (MLIR's ReifyRankedShapedTypeOpInterface); for
other values, `tensor.dim` is used. Operations that turn out to be dead stay, as in mlir-opt; canonicalization removes them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from ...analysis.causes import Cause
from ...analysis.models.base import owner_of
from ...dialects import bufferization, tensor
from ...dialects.common import Mixed
from ...ir.program.builder import Builder
from ...ir.program.core import OpResult, Value
from ...ir.program.interfaces import Product, Size, Sum
from ...ir.source.diagnostics import expect
from ...ir.types import types as t
from ...ir.types.affine import AffineDim
from ...ir.types.affine_map import AffineMap
from .. import makers
from .indices import add, multiply
from .inference import TypeInference, failed

if TYPE_CHECKING:
    from ...dialects.linalg.base import LinalgOp

Shape = Sequence[Mixed]


def allocation_like(
    b: Builder,
    types: TypeInference,
    value: Value,
    cause: Cause,
    *,
    copied: bool,
    shape_of: Callable[[Builder, OpResult], Shape | None] | None = None,
) -> bufferization.AllocTensorOp:
    """An `alloc_tensor` (not inserted) for a tensor like `value`, its sizes computed at the insertion point of `b`.

    `shape_of` computes them if it is not `reify`.

    Raises:
        RewriteFailed: `value` is unranked, or has no memory space.
    """
    type = value.type
    if not isinstance(type, t.RankedTensorType):
        raise failed(owner_of(value), "copying of unranked tensors is not implemented")
    if copied:
        return makers.alloc_tensor(type, cause, (), value)
    sizes: list[Value] = []
    shape = (shape_of or reify)(b, value) if isinstance(value, OpResult) else None
    if shape is None:
        sizes = [dim(b, value, i) for i, size in enumerate(type.shape) if size is None]
    else:
        sizes = [makers.as_value(b, shape[i]) for i, size in enumerate(type.shape) if size is None]
    space = types.of(value).memory_space
    return makers.alloc_tensor(type, cause, sizes, None, space)


def dim(b: Builder, value: Value, position: int) -> Value:
    """`tensor.dim`, with a constant for the dimension."""
    index = makers.index(b, position)
    return b.insert(tensor.DimOp((value, index), (t.INDEX,))).results[0]


def folded_dim(b: Builder, value: Value, position: int) -> Value:
    """`tensor.dim`, or what it folds to; the constant for the dimension is created in either case."""
    return makers.or_fold(b, tensor.DimOp((value, makers.index(b, position)), (t.INDEX,)), once=True)


def folded_buffer_dim(b: Builder, buffer: Value, position: int) -> Value:
    """`memref.dim`, or what it folds to; the constant for the dimension is created in either case."""
    return makers.or_fold(b, makers.dim(buffer, makers.index(b, position)))


def mixed_sizes(b: Builder, value: Value) -> list[Mixed]:
    """The shape of a ranked tensor: numbers for static sizes, else `tensor.dim`."""
    type = expect(t.RankedTensorType, value.type)
    return [folded_dim(b, value, i) if size is None else size for i, size in enumerate(type.shape)]


def reify(b: Builder, value: OpResult) -> Shape | None:
    """The shape of a result in terms of its operation's operands; None if the operation cannot reify it."""
    op = value.owner
    if op.dialect == "linalg":  # whose modules are many: imported only for programs that use it
        from ...dialects import linalg

        if isinstance(op, linalg.LinalgOp):
            return of_structured(b, op, value.index)
        return mixed_sizes(b, op.operands[0]) if isinstance(op, linalg.SoftmaxOp) else None
    if isinstance(op, tensor.SliceInsertionOp | bufferization.MaterializeInDestinationOp):
        return mixed_sizes(b, op.subset_destination().value) if op.results else None
    if not isinstance(op, REIFIED) or not isinstance(value.type, t.RankedTensorType):
        return None
    shape: list[Any] = list(value.type.shape)
    said = {i: op.size_of(value, i) for i, size in enumerate(shape) if size is None}
    for i in sorted(said, key=lambda i: isinstance(said[i], Sum | Product)):
        shape[i] = emitted(b, said[i])
    return shape


def emitted(b: Builder, size: Size) -> Mixed:
    """A size as mlir-opt emits it."""
    if isinstance(size, tuple):
        return dim(b, *size)
    if not isinstance(size, Sum | Product):
        assert isinstance(size, Value | int)
        return makers.as_value(b, size)
    parts: list[Any] = [folded_dim(b, *part) if isinstance(part, tuple) else part for part in size.parts]
    if isinstance(size, Product):
        return multiply(b, parts)
    return add(b, parts, as_dims=any(not isinstance(part, tuple) for part in size.parts))


REIFIED: Final = (
    bufferization.AllocTensorOp,
    tensor.CollapseShapeOp,
    tensor.ConcatOp,
    tensor.EmptyOp,
    tensor.ExpandShapeOp,
    tensor.ExtractSliceOp,
    tensor.GenerateOp,
    tensor.PadOp,
    tensor.SplatOp,
)
"""Operations whose shapes mlir-opt reifies; those of others are known as well, but not used."""


def of_structured(b: Builder, op: LinalgOp, result: int, every: bool = False) -> Shape:
    """The shape by the indexing maps: each dimension has the size of a loop, which is that of some operand's dimension.

    As in mlir-opt, the sizes of all operands are emitted first; a result dimension whose loop first occurs in the
    outputs emits the output's size again. With `every`, static sizes are emitted as well.
    """
    flat: list[Mixed] = []
    starts: list[int] = []
    for use in op.op_operands:
        starts.append(len(flat))
        type = use.value.type
        sizes = type.shape if isinstance(type, t.RankedTensorType | t.MemRefType) else ()
        for i, size in enumerate(sizes):
            flat.append(folded_dim(b, use.value, i) if size is None else size)
    maps = op.indexing_maps()
    loop_sources = _positions_of_loops([e for map in maps for e in map.results], op.loop_count)
    outputs_from = starts[op.input_count] if op.input_count < len(starts) else len(flat)
    shapes: list[list[Mixed]] = []
    for init in op.dps_inits():
        type = expect(t.RankedTensorType, init.value.type)
        map: AffineMap = maps[init.index]
        shape: list[Mixed] = []
        for i, (size, expression) in enumerate(zip(type.shape, map.results, strict=True)):
            if size is not None and not every:
                shape.append(size)
                continue
            source = loop_sources[expression.position] if isinstance(expression, AffineDim) else None
            if source is None or source >= outputs_from:
                shape.append(folded_dim(b, init.value, i))
            else:
                shape.append(makers.as_value(b, flat[source]))
        shapes.append(shape)
    return shapes[result]


def _positions_of_loops(expressions: Sequence[object], loops: int) -> list[int | None]:
    """For each loop, the position of the first expression that consists of it alone."""
    positions: list[int | None] = [None] * loops
    for position, expression in enumerate(expressions):
        if isinstance(expression, AffineDim) and positions[expression.position] is None:
            positions[expression.position] = position
    return positions
