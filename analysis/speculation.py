"""Whether an operation without memory effects may run even if control does not reach it: whether it is defined for all operands."""

from __future__ import annotations

from ..dialects import arith, memref, tensor
from ..dialects.common import Mixed, constant_index, is_in_bounds
from ..dialects.linalg.base import LinalgOp
from ..dialects.linalg.relayout import PackOp, UnPackOp
from ..dialects.vector.transfer import TransferOp, TransferReadOp
from ..ir.program import traits as tr
from ..ir.program.core import Operation
from ..ir.program.interfaces import CountedLoopOp, Slice
from ..ir.source.diagnostics import expect
from ..ir.types import types as t
from ..ir.types.affine import AffineDim
from ..ir.types.types import is_tensor
from ..semantics.folds import integer_of

_UNSIGNED_DIVISIONS = (arith.DivUIOp, arith.CeilDivUIOp)
_SIGNED_DIVISIONS = (arith.DivSIOp, arith.CeilDivSIOp)


def is_speculatable(op: Operation) -> bool:
    """Whether executing `op` speculatively is unobservable. O(operations inside)."""
    for inner in op.walk():
        if inner.has_trait(tr.PURE):
            continue
        if not _is_speculatable_alone(inner):
            return False
    return True


def _is_speculatable_alone(op: Operation) -> bool:
    """Whether `op` is speculatable, given that its nested operations are."""
    if op.has_trait(tr.RECURSIVELY_SPECULATABLE):
        return True
    if isinstance(op, _UNSIGNED_DIVISIONS):
        divisor = integer_of(op.rhs)
        return divisor is not None and divisor != 0
    if isinstance(op, _SIGNED_DIVISIONS):
        divisor = integer_of(op.rhs)
        return divisor is not None and divisor not in (0, -1)
    if isinstance(op, (memref.DimOp, tensor.DimOp)):
        index, shape = integer_of(op.index), getattr(op.source.type, "shape", None)
        return index is not None and shape is not None and 0 <= index < len(shape)
    if isinstance(op, CountedLoopOp):  # with another step it might not terminate
        return op.axes()[0].step == 1
    if isinstance(op, PackOp | UnPackOp):
        packed = expect(t.ShapedType, op.operands[0 if isinstance(op, UnPackOp) else 1].type)
        tiles = op.mixed_tiles()
        if isinstance(op, PackOp) and op.padding_value is not None:
            return True
        inner = (packed.shape or ())[len(packed.shape or ()) - len(tiles) :]
        return None not in inner and all(constant_index(tile) is not None for tile in tiles)
    if isinstance(op, (LinalgOp, TransferOp)):  # on tensors
        kinds = [value.type for value in op.operands]
        return any(map(is_tensor, kinds)) and not any(map(t.is_memref, kinds))
    return False


def stays_in_bounds(op: Operation) -> bool:
    """Whether a read of a tensor, or a slice of one, accesses only elements that exist, whatever the operands are: offsets,
    sizes, strides and extents are constants. O(rank).

    A transfer may exceed the extents where it is not marked in-bounds, but must begin inside.
    """
    accessed = _accessed(op)
    shape = getattr(op.operands[0].type, "shape", None) if accessed is not None else None
    return accessed is not None and shape is not None and is_in_bounds(shape, accessed)


def _accessed(op: Operation) -> Slice | None:
    """The elements that must exist; None for other operations."""
    if isinstance(op, tensor.ExtractOp):
        indices: list[Mixed] = list(op.operands[1:])
        ones: list[Mixed] = [1] * len(indices)
        return indices, ones, ones
    if isinstance(op, tensor.ExtractSliceOp):
        return op.accessed_slice()
    if isinstance(op, TransferReadOp) and (accessed := op.accessed_slice()) is not None:
        offsets, sizes, strides = accessed
        may_exceed = _dims_not_in_bounds(op)
        return offsets, [1 if dim in may_exceed else size for dim, size in enumerate(sizes)], strides
    return None


def _dims_not_in_bounds(op: TransferReadOp) -> set[int]:
    """The dimensions of the source in which a transfer may exceed it."""
    pairs = zip(op.map.results, op.in_bounds_flags, strict=False)
    return {expr.position for expr, flag in pairs if isinstance(expr, AffineDim) and not flag}
