"""Give every `tensor.empty` a buffer of its own.

    %0 = tensor.empty(%n) : tensor<?xf32>
 => %0 = bufferization.alloc_tensor(%n) : tensor<?xf32>

Like mlir-opt's, the pass also folds what it meets on the way and removes what is dead.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from ..analysis.causes import Cause, CauseKind
from ..dialects import tensor
from ..ir.program.core import Operation
from .account import makers
from .pass_base import Context, Pass
from .patterns.memref import FOLDS_THAT_INSERT
from .rewriting.greedy import Config, Pattern, rewrite_greedily
from .rewriting.rewriter import Rewriter


def to_alloc_tensor(op: Operation, rewriter: Rewriter) -> bool:
    """The pattern: one allocation for one empty tensor."""
    result = op.results[0]
    cause = Cause(CauseKind.NO_DESTINATION, op, None, result)
    return rewriter.replace_with(op, makers.alloc_tensor(result.type, cause, op.operands))


PATTERNS: dict[type[Operation], Sequence[Pattern]] = {tensor.EmptyOp: (to_alloc_tensor,), **FOLDS_THAT_INSERT}


class EmptyTensorToAllocTensor(Pass):
    """Ensures that no `tensor.empty` is left. O(operations) for each round of folding."""

    name: ClassVar[str] = "empty-tensor-to-alloc-tensor"
    summary: ClassVar[str] = "replace all empty ops by alloc_tensor ops"
    on: ClassVar[str] = "any"

    def run(self, op: Operation, context: Context) -> None:
        outcome = rewrite_greedily(op, lambda inner: PATTERNS.get(type(inner), ()), Config(top_down=False))
        if outcome.touched is not None:
            context.note_touched(outcome.touched)
        context.count(self.name, "replaced", outcome.rewritten)
