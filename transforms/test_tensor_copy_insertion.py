"""`-test-tensor-copy-insertion`: inserts One-Shot's copies as tensor operations.

    %1 = tensor.insert %f into %0[%i]    =>    %2 = bufferization.alloc_tensor() copy(%0)
                                               %1 = tensor.insert %f into %2[%i]

Afterwards every operand can be updated in place. Nothing else changes: the program still works on tensors.
"""

from __future__ import annotations

from ..ir.program.core import Operation
from .pass_base import Context, Pass, flag


class TestTensorCopyInsertion(Pass):
    """Make the decisions of One-Shot Bufferize, and insert `bufferization.alloc_tensor` where it copies."""

    name = "test-tensor-copy-insertion"
    summary = "insert the copies of one-shot-bufferize, but keep the program on tensors"

    bufferize_function_boundaries = flag("bufferize-function-boundaries", "also analyse across calls")
    allow_return_allocs_from_loops = flag(
        "allow-return-allocs-from-loops", "let loops yield newly allocated buffers"
    )
    must_infer_memory_space = flag(
        "must-infer-memory-space", "reject tensors whose memory space cannot be inferred"
    )

    def run(self, op: Operation, context: Context) -> None:
        from ..analysis.models.facts import registry_with
        from .bufferize.bufferizer import Bufferizer
        from .bufferize.driver import insert_buffers
        from .bufferize.rewrite import RewriteRegistry
        from .one_shot_bufferize import OneShotBufferize

        deciding = OneShotBufferize(
            bufferize_function_boundaries=self.bufferize_function_boundaries,
            allow_return_allocs_from_loops=self.allow_return_allocs_from_loops,
            must_infer_memory_space=self.must_infer_memory_space,
        )
        deciding.check(op)
        models = registry_with(context.models, context.rules)
        result = deciding.analyze(op, context, models)
        b = Bufferizer(op, deciding.rewrite_options(), models, RewriteRegistry().find, context.mirrored)
        insert_buffers(b, result.plan(b.is_rewritten))
