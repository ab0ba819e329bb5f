"""`-resolve-shaped-type-result-dims`: sizes of results computed from operands.

    %r = linalg.add ins(%a, %b) outs(%o)
    %d = tensor.dim %r, %c0    =>    %d = tensor.dim %o, %c0

Operations that were used for their sizes only are erased.
"""

from __future__ import annotations

from ..dialects import memref, tensor
from ..dialects.common import constant_index
from ..ir.program.core import Operation, OpResult
from . import makers
from .bufferize.shapes import reify
from .pass_base import Context, Pass
from .patterns.memref import FOLDS_THAT_INSERT
from .rewriting.greedy import Config, rewrite_greedily
from .rewriting.rewriter import Pattern, Rewriter


class ResolveShapedTypeResultDims(Pass):
    """O(operations * rank)."""

    name = "resolve-shaped-type-result-dims"
    summary = "compute the sizes of results from operands"
    on = "any"

    def run(self, op: Operation, context: Context) -> None:
        outcome = rewrite_greedily(op, lambda inner: PATTERNS.get(type(inner), ()), Config(top_down=False))
        context.note_touched(outcome.touched)


class ResolveRankedShapedTypeResultDims(ResolveShapedTypeResultDims):
    name = "resolve-ranked-shaped-type-result-dims"


def _resolved(op: tensor.DimOp, rewriter: Rewriter) -> bool:
    source, position = op.op_operands[0].value, constant_index(op.op_operands[1].value)
    if position is None or not isinstance(source, OpResult):
        return False
    b = rewriter.before(op)
    shape = reify(b, source)
    if shape is None or position >= len(shape):
        return False
    return rewriter.replace(op, [makers.as_value(b, shape[position])])


def _of_expanded(op: memref.DimOp, rewriter: Rewriter) -> bool:
    made, position = op.op_operands[0].value.defining_op, constant_index(op.op_operands[1].value)
    if not isinstance(made, memref.ExpandShapeOp) or position is None:
        return False
    return rewriter.replace(op, [makers.as_value(rewriter.before(op), made.mixed_output_shape()[position])])


PATTERNS: dict[type[Operation], tuple[Pattern, ...]] = {
    **FOLDS_THAT_INSERT,
    memref.DimOp: (_of_expanded,),
    tensor.DimOp: (_resolved,),
}
