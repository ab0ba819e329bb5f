"""The kind `parallel-region`."""

from __future__ import annotations

from ...analysis.conflicts import Reason
from ...analysis.places import value_name
from ...ir.program.interfaces import LoopLikeOp
from ..conflict import Conflict


class ParallelRegion(Conflict):
    """Iterations that run at once would write one buffer.

    The buffer is made outside of a parallel loop and written inside. Make it inside, so that each iteration has its own.

    Example:
        %e = tensor.empty() : tensor<4xf32>
        scf.forall (%i) in (8) ... {
          %u = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    """

    id = "parallel-region"

    def why(self, reason: Reason) -> str:
        name, around = value_name(reason.value), reason.write.owner.parent_op
        if around is not None and not isinstance(around, LoopLikeOp):
            return f": '{around.name}' runs this for each element, and what one writes to {name} the next would read"
        return f": iterations that run at once would all write to {name}"
