"""Whether an operation without memory effects may run even if control does not reach it: whether it is defined for all operands."""

from __future__ import annotations

from collections.abc import Sequence

from ..dialects import arith, memref, tensor
from ..dialects.common import Mixed, constant_index, is_in_bounds
from ..dialects.linalg.base import LinalgOp
from ..dialects.linalg.relayout import PackOp, UnPackOp
from ..dialects.scf import WhileOp
from ..dialects.vector.transfer import TransferOp, TransferReadOp
from ..ir.program import traits as tr
from ..ir.program.core import Operation, Value
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


def may_be_undefined(op: Operation) -> bool:
    """Whether `op`, or an operation nested in it, divides by what may be 0 or accesses elements that may not exist.

    mlir-opt takes these divisions, and all accesses to tensors, as speculatable. Sizes that may not fit each other are not
    considered. O(operations inside).
    """
    for inner in op.walk():
        if isinstance(inner, arith.FloorDivSIOp | arith.RemSIOp | arith.RemUIOp):
            if integer_of(inner.rhs) in (None, 0, -1):
                return True
        elif not _exists(inner):
            return True
    return False


def _exists(op: Operation) -> bool:
    """Whether the elements of a tensor that `op` accesses surely exist; true of operations that access none."""
    if isinstance(op, tensor.ExtractOp | tensor.ExtractSliceOp):
        return stays_in_bounds(op)
    if isinstance(op, TransferOp) and is_tensor(op.base.type):
        accessed, base = _accessed_by_transfer(op), op.base
    elif isinstance(op, tensor.InsertSliceOp):
        accessed, base = op.accessed_slice(), op.dest
    elif isinstance(op, tensor.InsertOp):
        accessed, base = _element(op.indices), op.dest
    else:
        return True
    shape = expect(t.ShapedType, base.type).shape
    return accessed is not None and shape is not None and is_in_bounds(shape, accessed)


def surely_runs(op: Operation) -> bool:
    """Whether an operation directly in a loop runs whenever the loop does, at least once."""
    loop, region = op.parent_op, op.parent_region
    if loop is None or region is None or op.block is not region.entry:
        return False
    if isinstance(loop, CountedLoopOp):
        return all(axis.count is not None and axis.count > 0 for axis in loop.axes())
    return isinstance(loop, WhileOp) and region is loop.regions[0]


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
        return _element(op.operands[1:])
    if isinstance(op, tensor.ExtractSliceOp):
        return op.accessed_slice()
    return _accessed_by_transfer(op) if isinstance(op, TransferReadOp) else None


def _element(indices: Sequence[Value]) -> Slice:
    ones: list[Mixed] = [1] * len(indices)
    return list(indices), ones, ones


def _accessed_by_transfer(op: TransferOp) -> Slice | None:
    accessed = op.accessed_slice()
    if accessed is None:
        return None
    offsets, sizes, strides = accessed
    may_exceed = _dims_not_in_bounds(op)
    return offsets, [1 if dim in may_exceed else size for dim, size in enumerate(sizes)], strides


def _dims_not_in_bounds(op: TransferOp) -> set[int]:
    """The dimensions of the source in which a transfer may exceed it."""
    pairs = zip(op.map.results, op.in_bounds_flags, strict=False)
    return {expr.position for expr, flag in pairs if isinstance(expr, AffineDim) and not flag}
