"""The rewrite's state for partial passes: every replaced tensor stays visible, used or not.

Later passes, not this one, decide what is dead, so `to_tensor` is made for each result that became a buffer.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...analysis.causes import Cause
from ...ir.defects import SOUND, Defect
from ...ir.program.core import Block, Operation, Value
from ...ir.types import types as t
from ..bufferize import make
from ..bufferize.buffer_types import is_tensor
from ..bufferize.bufferizer import Bufferizer
from .differences import partial_models, partial_rewrites
from .options import PartialOptions
from .shapes import allocation_like


class PartialBufferizer(Bufferizer):
    __slots__ = ()

    def __init__(self, root: Operation, options: PartialOptions, mirrored: frozenset[Defect] = SOUND) -> None:
        super().__init__(root, options, partial_models(), partial_rewrites().find, mirrored)

    def replace_results(self, results: Sequence[Value], values: Sequence[Value], op: Operation) -> None:
        assert op.block is not None
        for result, value in zip(results, values, strict=True):
            if is_tensor(result.type):
                view = make.to_tensor(value, result.type)
                view.where = op.where
                op.block.insert_after(view, op)
                value = view.results[0]
            result.replace_all_uses_with(value)

    def allocated_tensor(self, value: Value, cause: Cause, *, copied: bool) -> Value:
        return self.insert(allocation_like(self, self.types, value, cause, copied=copied)).results[0]

    @property
    def layout_alignment(self) -> int:
        """MLIR 16 asked for none there."""
        return 0

    def retype(self, value: Value, type: t.Type, before: Operation | None, block: Block) -> None:
        uses = value.uses
        view = make.to_tensor(value, value.type)
        value.type = type
        view.where = self.where
        block.insert_before(view, before)
        for use in uses:
            use.value = view.results[0]
