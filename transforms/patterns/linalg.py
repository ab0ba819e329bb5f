"""Canonicalization of `linalg`: operations over nothing, and copies of a buffer into itself."""

from __future__ import annotations

from typing import Final

from ...dialects import linalg, tensor
from ...dialects.linalg.base import LinalgOp
from ...ir.program.core import BlockArgument, Operation, Value
from ...ir.program.interfaces import DestinationStyleOp
from ...ir.types import types as t
from ...ir.types.affine import AffineExpr
from ...ir.types.affine_map import AffineMap
from ..rewriting.rewriter import Rewriter
from .linalg_fill import copy_of_fill
from .linalg_moves import BROADCAST_PATTERNS, TRANSPOSE_PATTERNS
from .linalg_packs import PACK_PATTERNS, UNPACK_PATTERNS
from .tensor_casts import cast_to, destination_of_cast, retyped


def _over_nothing(op: Operation, rewriter: Rewriter) -> bool:
    """A buffer without elements: nothing is done."""
    if not isinstance(op, LinalgOp) or op.results:
        return False
    if not any(isinstance(type, t.MemRefType) and 0 in type.shape for type in op.operand_types):
        return False
    return rewriter.erase(op)


def _identity(op: Operation, rewriter: Rewriter) -> bool:
    """Every point yields what was there, or an operand of the same shape: the operand is the result."""
    if not isinstance(op, LinalgOp) or op.regions[0].is_empty:
        return False
    maps = op.indexing_maps()
    body = op.regions[0].entry
    last = body.last_op
    if last is None or last is not body.first_op or any(map is not maps[0] for map in maps):
        return False
    if not op.results:
        if (
            len(op.op_operands) != 2
            or op.operands[0] is not op.operands[1]
            or not all(value in body.args for value in last.operands)
        ):
            return False
        return rewriter.erase(op)
    values: list[Value] = []
    for value in last.operands:
        if not isinstance(value, BlockArgument) or value.owner is not body:
            return False
        operand = op.operands[value.index]
        if not isinstance(operand.type, t.RankedTensorType):
            return False
        values.append(operand)
    at = rewriter.before(op)
    values = [cast_to(value, result.type, at) for value, result in zip(values, op.results, strict=True)]
    return rewriter.replace(op, values)


def _onto_itself(op: Operation, rewriter: Rewriter) -> bool:
    source, target = op.op_operands[0].value, op.op_operands[1].value
    if source is not target:
        return False
    return rewriter.replace(op, [source for _ in op.results])


def _known_sizes(op: Operation, rewriter: Rewriter) -> bool:
    """What is known of the loops is known of all operands: those that do not know it are cast."""
    if not isinstance(op, LinalgOp) or not op.has_pure_tensor_semantics:
        return False
    if all(None not in getattr(type, "shape", ()) for type in op.operand_types):
        return False
    maps = op.indexing_maps()
    if not all(map.is_projected_permutation for map in maps):
        return False
    sizes = _sizes_of_loops(op, maps)
    operands = op.operands
    types: list[t.Type] = []
    at = rewriter.before(op)
    for use, map in zip(op.op_operands, maps, strict=True):
        type = use.value.type
        if isinstance(type, t.RankedTensorType):
            shape = [
                sizes.get(expr) if size is None else size
                for size, expr in zip(type.shape, map.results, strict=True)
            ]
            if tuple(shape) != type.shape:
                type = type.with_shape(shape)
                operands[use.index] = at.insert(tensor.CastOp((use.value,), (type,))).the_result
        if op.is_init(use):
            types.append(type)
    if operands == op.operands:
        return False
    retyped(op, operands, types, rewriter)
    return True


def _sizes_of_loops(op: LinalgOp, maps: list[AffineMap]) -> dict[AffineExpr, int]:
    """What the operands tell of the sizes of loops; first come, first served."""
    sizes: dict[AffineExpr, int] = {}
    for use, map in zip(op.op_operands, maps, strict=True):
        type = use.value.type
        if not isinstance(type, t.RankedTensorType):
            continue
        known = type.shape
        cast = use.value.defining_op
        if isinstance(cast, tensor.CastOp):
            source = cast.source.type
            if isinstance(source, t.RankedTensorType) and source.has_static_shape:
                known = source.shape
        for size, better, expr in zip(type.shape, known, map.results, strict=True):
            if size is not None and better is not None:
                sizes.setdefault(expr, better)
    return sizes


_STRUCTURED: Final = (_over_nothing, destination_of_cast, _known_sizes)

PATTERNS: Final = {
    DestinationStyleOp: (destination_of_cast,),
    LinalgOp: _STRUCTURED,
    linalg.BroadcastOp: (*_STRUCTURED, _identity, *BROADCAST_PATTERNS),
    linalg.CopyOp: (*_STRUCTURED, _onto_itself, copy_of_fill),
    linalg.GenericOp: (*_STRUCTURED, _identity),
    linalg.PackOp: PACK_PATTERNS,
    linalg.TransposeOp: (*_STRUCTURED, *TRANSPOSE_PATTERNS),
    linalg.UnPackOp: UNPACK_PATTERNS,
}
