"""Only the part of a result that somebody looks at is computed: the slice is taken of the operands.

    %p = linalg.matmul ins(%x, %w) outs(%zeros) -> tensor<8x256xf32>
    %s = tensor.extract_slice %p[0, 0] [8, 32] [1, 1]
 => %v = tensor.extract_slice %w[0, 0] [256, 32] [1, 1]
    %s = linalg.matmul ins(%x, %v) outs(zeros of 8x32)

Conditions: the slice is the only use of the result; each dimension of the result is one loop, and each operand that such a loop
indexes is indexed by it alone, so a slice of the loop is a slice of the operand; strides are 1; sizes are numbers; the payload does not ask
for its place. Reductions run over the same elements in the same order.
"""

from __future__ import annotations

from collections.abc import Collection

from ...dialects import tensor
from ...dialects.common import Mixed, constant_index
from ...dialects.linalg.base import LinalgOp
from ...dialects.linalg.generic import IndexOp
from ...ir.program.builder import Builder
from ...ir.program.core import Operation, Value
from ...ir.program.interfaces import is_memory_effect_free
from ...ir.types import types as t
from ...ir.types.affine import AffineDim, AffineExpr
from .ground import empty, extract, size_of, sizes_of
from .rematerialize import erase_dead, make, recipe

MAX_BODY = 48
"""Operations in the payload."""


def slice_result(op: Operation) -> bool:
    """Compute only what an `extract_slice` takes of the result of a structured operation; False if that is not possible."""
    if not isinstance(op, tensor.ExtractSliceOp) or op.block is None:
        return False
    producer = op.source.defining_op
    if not isinstance(producer, LinalgOp) or not _may_be_sliced(producer, op):
        return False
    taken = _loops_taken(producer, op)
    if taken is None:
        return False
    b = Builder.before(op)
    clone = producer.clone()
    assert isinstance(clone, LinalgOp)
    for use in producer.op_operands:
        clone.op_operands[use.index].value = _part(b, producer, use.index, taken)
    clone.results[0].type = op.results[0].type
    b.insert(clone)
    clone.results[0].name_hint = op.results[0].name_hint
    op.replace_with(clone.results)
    erase_dead([producer.results[0]])
    return True


def _may_be_sliced(producer: LinalgOp, op: tensor.ExtractSliceOp) -> bool:
    if len(producer.results) != 1 or not producer.results[0].has_one_use or producer.block is not op.block:
        return False
    if not producer.has_pure_tensor_semantics or not is_memory_effect_free(producer):
        return False
    type, whole = op.results[0].type, producer.results[0].type
    if not isinstance(type, t.RankedTensorType) or not isinstance(whole, t.RankedTensorType):
        return False
    if len(type.shape) != len(whole.shape) or type.encoding is not None:
        return False
    inner = list(producer.walk())
    return len(inner) <= MAX_BODY and not any(isinstance(each, IndexOp) for each in inner)


def _loops_taken(producer: LinalgOp, op: tensor.ExtractSliceOp) -> dict[int, tuple[Mixed, int]] | None:
    """For each loop that is not run as a whole, where it begins and how often it runs; None if that cannot be told."""
    map = producer.matching_map(producer.dps_inits()[0])
    shape = op.source.type.shape if isinstance(op.source.type, t.RankedTensorType) else ()
    taken: dict[int, tuple[Mixed, int]] = {}
    lists = op.mixed_offsets(), op.mixed_sizes(), op.mixed_strides()
    for expr, extent, offset, size, stride in zip(map.results, shape, *lists, strict=True):
        count = constant_index(size)
        if not isinstance(expr, AffineDim) or count is None or constant_index(stride) != 1:
            return None
        if constant_index(offset) == 0 and count == extent:
            continue
        if expr.position in taken:
            return None
        taken[expr.position] = offset, count
    if not taken:
        return None
    for use in producer.op_operands:
        for expr in producer.matching_map(use).results:
            if not isinstance(expr, AffineDim) and _uses(expr, taken):
                return None
    return taken


def _uses(expr: AffineExpr, loops: Collection[int]) -> bool:
    return any(isinstance(inner, AffineDim) and inner.position in loops for inner in expr.walk())


def _part(b: Builder, producer: LinalgOp, index: int, taken: dict[int, tuple[Mixed, int]]) -> Value:
    """What the smaller operation has for an operand."""
    use = producer.op_operands[index]
    value, type = use.value, use.value.type
    map = producer.matching_map(use)
    if not isinstance(type, t.RankedTensorType):
        return value
    found = [taken.get(expr.position) if isinstance(expr, AffineDim) else None for expr in map.results]
    if not any(found):
        return value
    offsets: list[Mixed] = [0 if part is None else part[0] for part in found]
    shape = tuple(size if part is None else part[1] for size, part in zip(type.shape, found, strict=True))
    sizes: list[Mixed] = [
        size_of(b, value, position) if size is None else size for position, size in enumerate(shape)
    ]
    part = extract(b, value, type.with_shape(shape), offsets, sizes, [1] * len(shape))
    if isinstance(value.defining_op, tensor.EmptyOp):
        fresh: Value | None = empty(b, type.with_shape(shape), sizes_of(b, part))
    else:
        known = recipe(part)
        fresh = None if known is None else make(known, part, b)
    if fresh is None:
        return part
    erase_dead([part])
    return fresh
