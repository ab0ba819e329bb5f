"""One partial pass: copies before writes, the rewrites of One-Shot for the operations of one dialect, borders left open.

    %0 = tensor.extract %t[%i] : tensor<4xf32>
 => %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
    %0 = memref.load %m[%i] : memref<4xf32>

There is no analysis: an operand that is written gets a buffer of its own. What is left between rewritten operations and
others is `to_tensor` and `to_buffer`, for later passes; a buffer that is passed from one rewritten operation to the
next goes there directly.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from ...analysis.models.base import has_tensor_semantics
from ...analysis.one_shot.plan import plan_buffers
from ...dialects.bufferization import ToBufferOp
from ...ir.defects import SOUND, Defect
from ...ir.program.core import Operation
from ...ir.source.diagnostics import PassFailed
from ..bufferize.copies import carry_out
from ..bufferize.decisions import Undecided
from ..bufferize.driver import rewrite_all
from ..bufferize.failures import RewriteFailed
from ..bufferize.inference import TypeInference
from ..pass_base import Context, Pass
from .bufferizer import PartialBufferizer
from .options import PartialOptions, partial_options
from .shapes import allocation_like


class PartialPass(Pass):
    """Rewrites the operations of some dialects, function by function. Allocations are always rewritten, too."""

    on = "func.func"
    dialects: ClassVar[tuple[str, ...]] = ()

    def run(self, op: Operation, context: Context) -> None:
        bufferize_partially(op, partial_options(*self.dialects), context.mirrored)


def bufferize_partially(
    root: Operation, options: PartialOptions, mirrored: frozenset[Defect] = SOUND
) -> None:
    """Rewrite the operations inside `root` that `options` allow: of one dialect, or of several in one conversion.

    O(operations and copies).

    Raises:
        PassFailed: one cannot be rewritten; the program is what it was.
    """
    before = Snapshot(root)
    try:
        _rewrite(root, options, mirrored)
    except PassFailed:
        before.restore()
        raise


class Snapshot:
    """What is inside an operation, and which operations are beside it, to be put back if a rewrite fails. O(operations)."""

    def __init__(self, root: Operation) -> None:
        self.root = root
        self.contents = root.clone()
        self.beside = None if root.block is None else set(root.block)

    def restore(self) -> None:
        """Make the program what it was; the operations inside are other objects then."""
        root = self.root
        for region, kept in zip(root.regions, self.contents.regions, strict=True):
            for block in reversed(region.blocks):
                block.erase()
            region.take_blocks(kept)
        root.attributes, root.properties = self.contents.attributes, self.contents.properties
        if root.block is not None and self.beside is not None:
            for op in root.block:
                if op not in self.beside:
                    op.erase()


def _rewrite(root: Operation, options: PartialOptions, mirrored: frozenset[Defect]) -> None:
    b = PartialBufferizer(root, options, mirrored)
    insert_copies(b, root.walk_post_order())
    for op in root.walk_post_order():
        if isinstance(op, ToBufferOp):
            b.to_buffers.append(op)
        if op is not root and options.allows(op) and has_tensor_semantics(op):
            b.worklist.append(op)
    rewrite_all(b)
    for op in b.to_buffers:
        if op.block is not None:
            b.fold(op)


def insert_copies(b: PartialBufferizer, operations: Iterable[Operation]) -> None:
    """Give each operand of `operations` that is written a buffer of its own.

    Raises:
        PassFailed: one cannot be copied.
    """
    types = TypeInference(b.options, b.models, b.find_rewrite, b.branches, b.symbols, remember=True)
    try:
        carry_out(
            plan_buffers(b.models, Undecided(b.models, casts_are_own=True), operations, b.is_rewritten),
            types,
            b.find_rewrite,
            allocation_like,
        )
    except RewriteFailed as failure:
        raise PassFailed(failure.diagnostics) from None
