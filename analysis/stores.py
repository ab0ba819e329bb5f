"""Whether the memref of a `bufferization.to_buffer` is stored to.

The memref has the contents of the tensor until something is stored to it. Without stores, a load is an extraction from the
tensor, and all memrefs of one tensor are interchangeable.
"""

from __future__ import annotations

from typing import Final

from ..dialects import bufferization
from ..ir.program import traits as tr
from ..ir.program.core import Operation, Value
from ..ir.program.interfaces import READ, MemoryEffectOp, ViewLikeOp
from ..ir.types import types as t

MAX_USES_OF_BUFFER: Final = 200
"""Uses of a `to_buffer` and its views that are examined; with more, it may be stored to."""


def may_be_stored_to(made: bufferization.ToBufferOp, load: Operation | None = None) -> bool:
    """Whether the memref may be written, or handed to somebody who writes it, at all or before `load`."""
    if made.read_only:
        return False
    pending = list(made.results)
    left = MAX_USES_OF_BUFFER
    for value in pending:  # grows while it is walked
        left -= len(value.uses)
        if left < 0:
            return True
        for use in value.uses:
            user = use.owner
            if isinstance(user, ViewLikeOp):
                pending += user.results
            elif not _only_reads(user, value) and not (load and _is_after(user, load, made)):
                return True
    return False


def makes_stored_buffer(op: Operation) -> bool:
    """Whether `op`, or an operation in it, is a `to_buffer` whose memref may be stored to."""
    return any(isinstance(inner, bufferization.ToBufferOp) and may_be_stored_to(inner) for inner in op.walk())


def _only_reads(op: Operation, memory: Value) -> bool:
    if op.has_trait(tr.PURE):
        return not any(isinstance(result.type, t.MemRefType | t.UnrankedMemRefType) for result in op.results)
    return isinstance(op, MemoryEffectOp) and all(
        effect.kind == READ for effect in op.memory_effects() if effect.value in (None, memory)
    )


def _is_after(op: Operation, load: Operation, made: Operation) -> bool:
    """Whether `op` runs after `load`, once for the same execution of `made`."""
    block = made.block
    if block is None or load.block is not block:
        return False
    around = op.ancestor_in_block(block)
    return around is not None and load.is_before_in_block(around)
