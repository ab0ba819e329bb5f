"""`-buffer-deallocation-simplification`: decide before run time what can be decided about deallocations."""

from __future__ import annotations

from ...analysis.origins import Origins
from ...ir.program.core import Operation
from ..pass_base import Context, Pass
from ..rewriting.greedy import Config, rewrite_greedily
from ..rewriting.simplify_regions import NORMAL
from .lowering.simplification import Simplification


class BufferDeallocationSimplification(Pass):
    """Split deallocations of buffers that cannot be the same, and drop what is certain.

        %owned:2 = bufferization.dealloc (%n, %x : ...) if (%true, %c) retain (%n, %y : ...)
     => bufferization.dealloc (%x : ...) if (%c) ...       // %n is new, so it is neither %x nor %y: it is retained and owned

    Folds and canonicalizes deallocations and what their conditions are made of on the way. See `deallocation.simplification`
    for the rules, `analysis.origins` for what is known.
    """

    name = "buffer-deallocation-simplification"
    summary = "simplify bufferization.dealloc by what is known of where buffers come from"
    on = "any"

    def run(self, op: Operation, context: Context) -> None:
        simplification = Simplification(Origins(op))
        outcome = rewrite_greedily(op, simplification.patterns_of, Config(top_down=False, regions=NORMAL))
        if outcome.touched is not None:
            context.note_touched(outcome.touched)
