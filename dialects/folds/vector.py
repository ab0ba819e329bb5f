"""Folds of `vector`: transfers that undo each other or are found to stay in bounds, and casts of what is accessed."""

from __future__ import annotations

from typing import Final

from ...ir import attributes as a
from ...ir import types as t
from ...ir.affine import AffineDim
from ...ir.core import Operation
from ..common import constant_index
from ..vector.transfer import TransferOp, TransferReadOp, TransferWriteOp
from . import IN_PLACE, Constants, Fold, Folded
from .memref import cast_source
from .tensor import look_through_casts
from .vector_elements import FOLDS as ELEMENT_FOLDS


def _mark_in_bounds(op: TransferOp) -> bool:
    """Mark the dimensions that constants show to stay within the source. Whether there were new ones."""
    type = op.base.type
    if not isinstance(type, t.RankedTensorType | t.MemRefType):
        return False
    flags = op.in_bounds_flags
    for i, expression in enumerate(op.map.results):
        if flags[i] or not isinstance(expression, AffineDim):
            continue
        extent = type.shape[expression.position]
        start = constant_index(op.indices[expression.position])
        length = op.vector_type.shape[i]
        flags[i] = (
            extent is not None and start is not None and length is not None and start + length <= extent
        )
    if flags == op.in_bounds_flags:
        return False
    op.properties["in_bounds"] = a.ArrayAttr(a.bool_attr(flag) for flag in flags)
    return True


def _look_through_memref_casts(op: Operation) -> bool:
    changed = False
    for use in op.op_operands:
        source = cast_source(use.value)
        if source is not None:
            use.value = source
            changed = True
    return changed


def _same_place(left: TransferOp, right: TransferOp) -> bool:
    return (
        left.indices == right.indices
        and left.map is right.map
        and left.vector_type is right.vector_type
        and left.mask is None
        and right.mask is None
    )


def _read(op: Operation, constants: Constants) -> Folded:
    assert isinstance(op, TransferReadOp)
    written = op.base.defining_op
    on_tensor = isinstance(op.base.type, t.RankedTensorType)
    if (
        on_tensor
        and isinstance(written, TransferWriteOp)
        and _same_place(written, op)
        and all(written.in_bounds_flags)
    ):
        return [written.value_to_store]
    changed = _mark_in_bounds(op) or _look_through_memref_casts(op) or look_through_casts(op)
    return IN_PLACE if changed else None


def _write(op: Operation, constants: Constants) -> Folded:
    assert isinstance(op, TransferWriteOp)
    read = op.value_to_store.defining_op
    type = op.base.type
    if (
        isinstance(type, t.RankedTensorType)
        and isinstance(read, TransferReadOp)
        and (_takes_all(read, op, type) or (read.base is op.base and _same_place(read, op)))
    ):
        return [read.base]
    return IN_PLACE if _mark_in_bounds(op) or _look_through_memref_casts(op) else None


def _takes_all(read: TransferReadOp, write: TransferWriteOp, type: t.RankedTensorType) -> bool:
    """Whether all of one tensor is read, and replaces all of another one."""
    if read.base.type is not type or read.vector_type is not write.vector_type:
        return False
    if not read.in_bounds_flags or read.vector_type.shape != type.shape:
        return False
    minor = read.map.is_minor_identity and write.map.is_minor_identity
    inside = all(read.in_bounds_flags) and all(write.in_bounds_flags)
    return minor and inside and all(constant_index(i) == 0 for i in (*read.indices, *write.indices))


def _access(op: Operation, constants: Constants) -> Folded:
    return IN_PLACE if _look_through_memref_casts(op) else None


FOLDS: Final[dict[str, Fold]] = {
    **ELEMENT_FOLDS,
    "vector.load": _access,
    "vector.maskedload": _access,
    "vector.maskedstore": _access,
    "vector.store": _access,
    "vector.transfer_read": _read,
    "vector.transfer_write": _write,
}
