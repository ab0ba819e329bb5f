"""Folds of `vector`: inverse transfers, transfers in bounds, absorbed casts."""

from __future__ import annotations

from typing import Final

from ...dialects import vector
from ...dialects.common import constant_index
from ...dialects.vector.transfer import TransferOp, TransferReadOp, TransferWriteOp
from ...ir.program.core import Operation
from ...ir.types import attributes as a
from ...ir.types import types as t
from ...ir.types.affine import AffineDim
from . import IN_PLACE, Constants, Fold, Folded
from .memref import look_through_memref_casts
from .tensor import look_through_casts
from .vector_elements import FOLDS as ELEMENT_FOLDS
from .vector_shapes import SHAPE_FOLDS, SLICE_FOLDS


def _mark_in_bounds(op: TransferOp) -> bool:
    """Mark the dimensions that are in bounds by constants; returns whether any is new.

    Broadcast dimensions are in bounds if all others are.
    """
    type = op.base.type
    if not isinstance(type, t.RankedTensorType | t.MemRefType):
        return False
    flags = op.in_bounds_flags
    repeated = [i for i, expression in enumerate(op.map.results) if not isinstance(expression, AffineDim)]
    for i, expression in enumerate(op.map.results):
        if flags[i] or not isinstance(expression, AffineDim):
            continue
        extent = type.shape[expression.position]
        start = constant_index(op.indices[expression.position])
        length = op.vector_type.shape[i]
        flags[i] = (
            extent is not None and start is not None and length is not None and start + length <= extent
        )
    if all(flag for i, flag in enumerate(flags) if i not in repeated):
        for i in repeated:
            flags[i] = True
    if flags == op.in_bounds_flags:
        return False
    op.properties["in_bounds"] = a.ArrayAttr(a.bool_attr(flag) for flag in flags)
    return True


def _same_place(left: TransferOp, right: TransferOp) -> bool:
    return (
        left.indices == right.indices
        and left.map is right.map
        and left.vector_type is right.vector_type
        and left.mask is None
        and right.mask is None
    )


MAX_WRITES: Final = 64
"""The number of disjoint writes searched, as n searches over n writes are quadratic."""


def write_before(op: TransferOp) -> tuple[TransferWriteOp | None, TransferOp]:
    """The last write to the same slice that `op` transfers, and the transfer that follows it, both on tensors.

    Writes in between are provably disjoint; the write is None if one may overlap. O(MAX_WRITES * rank).
    """
    behind = op
    for _ in range(MAX_WRITES):
        write = behind.base.defining_op
        if not isinstance(write, TransferWriteOp):
            break
        if _same_place(write, op):
            return write, behind
        if not _disjoint(write, op):
            break
        behind = write
    return None, op


def _disjoint(left: TransferOp, right: TransferOp) -> bool:
    """Whether constant indices prove that two transfers of the same shape are disjoint."""
    if left.vector_type is not right.vector_type:
        return False
    leading = len(left.indices) - len(left.map.results)
    for i, (one, other) in enumerate(zip(left.indices, right.indices, strict=True)):
        first, second = constant_index(one), constant_index(other)
        length = left.vector_type.shape[i - leading] if i >= leading else 1
        if first is not None and second is not None and length is not None and abs(first - second) >= length:
            return True
    return False


def _read(op: TransferReadOp, constants: Constants) -> Folded:
    if isinstance(op.base.type, t.RankedTensorType):
        written, _ = write_before(op)
        if written is not None and all(written.in_bounds_flags):
            return [written.value_to_store]
    changed = _mark_in_bounds(op) or look_through_memref_casts(op) or look_through_casts(op)
    return IN_PLACE if changed else None


def _write(op: TransferWriteOp, constants: Constants) -> Folded:
    read = op.value_to_store.defining_op
    type = op.base.type
    if (
        isinstance(type, t.RankedTensorType)
        and isinstance(read, TransferReadOp)
        and (_takes_all(read, op, type) or (read.base is op.base and _same_place(read, op)))
    ):
        return [read.base]
    return IN_PLACE if _mark_in_bounds(op) or look_through_memref_casts(op) else None


def _takes_all(read: TransferReadOp, write: TransferWriteOp, type: t.RankedTensorType) -> bool:
    """Whether a whole tensor is read and then overwrites a whole tensor."""
    if read.base.type is not type or read.vector_type is not write.vector_type:
        return False
    if not read.in_bounds_flags or read.vector_type.shape != type.shape:
        return False
    minor = read.map.is_minor_identity and write.map.is_minor_identity
    inside = all(read.in_bounds_flags) and all(write.in_bounds_flags)
    return minor and inside and all(constant_index(i) == 0 for i in (*read.indices, *write.indices))


def _access(op: Operation, constants: Constants) -> Folded:
    return IN_PLACE if look_through_memref_casts(op) else None


FOLDS: Final[dict[type[Operation], Fold]] = {
    **ELEMENT_FOLDS,
    **SHAPE_FOLDS,
    **SLICE_FOLDS,
    vector.LoadOp: _access,
    vector.MaskedLoadOp: _access,
    vector.MaskedStoreOp: _access,
    vector.StoreOp: _access,
    TransferReadOp: _read,
    TransferWriteOp: _write,
}
