"""`-canonicalize`: folds, canonicalization patterns and dead code removal, to a fixed point.

    %0 = arith.andi %c, %true : i1
    scf.if %0 { memref.dealloc %m : memref<4xf32> }
 => scf.if %c { memref.dealloc %m : memref<4xf32> }

Covers the operations of bufferization pipelines; `docs/canonicalization.md` lists the folds and patterns.
"""

from __future__ import annotations

from ..ir.program.core import Operation
from ..ir.source.diagnostics import PassFailed
from .pass_base import Context, Pass, choice, flag, number
from .patterns import for_operation
from .rewriting.greedy import Config, rewrite_greedily
from .rewriting.simplify_regions import AGGRESSIVE, DISABLED, NORMAL


class Canonicalize(Pass):
    """Simplify the program by folds and patterns. Linear in the program per round; the number of rounds is
    limited."""

    name = "canonicalize"
    summary = "fold and simplify operations until nothing changes"
    on = "any"

    top_down = flag("top-down", "visit operations in textual order", default=True)
    region_simplify = choice(
        "region-simplify",
        (DISABLED, NORMAL, AGGRESSIVE),
        NORMAL,
        "how much to simplify control flow between blocks",
    )
    max_iterations = number("max-iterations", 10, "maximal number of rounds; -1 for no limit")
    max_num_rewrites = number(
        "max-num-rewrites", -1, "maximal number of patterns applied per round; -1 for no limit"
    )
    test_convergence = flag("test-convergence", "fail if the limits stop the pass before a fixed point")

    def run(self, op: Operation, context: Context) -> None:
        config = Config(
            self.top_down, self.max_iterations, self.max_num_rewrites, self.region_simplify, context.mirrored
        )
        outcome = rewrite_greedily(op, for_operation, config)
        context.note_touched(outcome.touched)
        context.count(self.name, "folded", outcome.folded)
        context.count(self.name, "rewritten", outcome.rewritten)
        context.count(self.name, "erased", outcome.erased)
        if self.test_convergence and not outcome.converged:
            raise PassFailed("canonicalization did not converge")
