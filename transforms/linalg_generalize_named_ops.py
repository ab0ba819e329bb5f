"""`-linalg-generalize-named-ops`: a structured operation with a name is written as `linalg.generic`.

    linalg.fill ins(%f) outs(%m)    =>    linalg.generic {indexing_maps = [...], iterator_types = [...]} ins(%f) outs(%m) { linalg.yield }

The region moves; attributes that say what the name already says are dropped with it.
"""

from __future__ import annotations

from ..dialects.linalg.base import LinalgOp, maps_attr
from ..dialects.linalg.generic import GenericOp
from ..ir.declaration.declare import OPERAND_SEGMENTS
from ..ir.program.core import Operation
from ..ir.types import attributes as a
from .bufferize import make
from .pass_base import Context, Pass
from .patterns.memref import FOLDS_THAT_INSERT
from .rewriting.greedy import Config, rewrite_greedily
from .rewriting.rewriter import Pattern, Rewriter


class LinalgGeneralizeNamedOps(Pass):
    """O(operations)."""

    name = "linalg-generalize-named-ops"
    summary = "write named structured operations as linalg.generic"
    on = "any"

    def run(self, op: Operation, context: Context) -> None:
        named: tuple[Pattern, ...] = (_generalized,)

        def patterns_of(inner: Operation) -> tuple[Pattern, ...]:
            if isinstance(inner, LinalgOp) and not isinstance(inner, GenericOp):
                return named
            return FOLDS_THAT_INSERT.get(type(inner), ())

        outcome = rewrite_greedily(op, patterns_of, Config())
        if outcome.touched is not None:
            context.note_touched(outcome.touched)


def _generalized(op: LinalgOp, rewriter: Rewriter) -> bool:
    outs = op.dps_inits()
    ins = [use.value for use in op.op_operands if use not in outs]
    properties: dict[str, a.Attribute] = {
        "indexing_maps": maps_attr(op.indexing_maps()),
        "iterator_types": a.ArrayAttr(
            [a.DialectAttr("linalg", f"iterator_type<{kind}>") for kind in op.iterator_types()]
        ),
        OPERAND_SEGMENTS: make.segments(len(ins), len(outs)),
    }
    operands = (*ins, *(use.value for use in outs))
    made = GenericOp(operands, op.result_types, None, properties, 1, where=op.where)
    made.regions[0].take_blocks(op.regions[0])
    return rewriter.replace_with(op, made)
