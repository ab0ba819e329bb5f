"""Folds of `linalg`: casts of memref operands are absorbed."""

from __future__ import annotations

from typing import Final

from ...dialects import linalg
from ...dialects.linalg.base import LinalgOp
from ...dialects.linalg.relayout import PackOp
from ...ir.program.core import Operation
from ...ir.source.diagnostics import expect
from ...ir.types import attributes as a, types as t
from ...ir.types.affine import dim
from . import Constants, Fold, Folded
from .memref import users_of_casts

_KEPT: Final = (linalg.MapOp, linalg.ReduceOp, linalg.TransposeOp, linalg.BroadcastOp)
"""Operations whose casts mlir-opt does not fold."""


def _structured(op: Operation, constants: Constants) -> Folded:
    return None if isinstance(op, _KEPT) else users_of_casts(op, constants)


def _index(op: Operation, constants: Constants) -> Folded:
    """The index of a dimension of size 1 is 0."""
    around = op.parent_op
    if not isinstance(around, LinalgOp):
        return None
    wanted = dim(expect(a.IntegerAttr, op.properties["dim"]).value)
    for map, type in zip(around.indexing_maps(), around.operand_types, strict=True):
        for expr, size in zip(map.results, getattr(type, "shape", ()), strict=False):
            if expr is wanted:
                return [a.index_attr(0)] if size == 1 else None
    return None


def _transpose(op: Operation, constants: Constants) -> Folded:
    """The transpose of a tensor by the identity permutation is the tensor."""
    order = expect(a.DenseArrayAttr, op.properties["permutation"]).values
    if not op.results or list(order) != list(range(len(order))):
        return None
    return [op.op_operands[0].value]


def _relaid(op: Operation, constants: Constants) -> Folded:
    """Packing or unpacking a splat, padded with the same value if at all, is a splat."""
    known, type = constants[0], op.results[0].type
    if not isinstance(known, a.DenseElementsAttr) or not known.is_splat:
        return None
    if not isinstance(type, t.RankedTensorType) or not type.has_static_shape:
        return None
    if isinstance(op, PackOp) and op.padding_value is not None:
        padding = constants[2]
        if not isinstance(padding, a.IntegerAttr | a.FloatAttr):
            return None
        if a.DenseElementsAttr.from_values(known.type, [padding.value]) is not known:
            return None
    return [a.DenseElementsAttr(type, known.data, True, known.strings)]


FOLDS: Final[dict[type[Operation], Fold]] = {
    LinalgOp: _structured,
    linalg.IndexOp: _index,
    PackOp: _relaid,
    linalg.TransposeOp: _transpose,
    linalg.UnPackOp: _relaid,
}
