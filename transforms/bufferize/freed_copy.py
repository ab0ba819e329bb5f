"""A bufferized copy after deallocation: the program whose memory is freed, and its account told of the source."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...analysis.causes import Cause
from ...dialects.bufferization import CloneOp
from ...ir.program.core import Operation
from ...ir.source.diagnostics import BufferizeError, Diagnostic
from ..account.movements import Account
from ..account.twins import Twins
from ..canonicalize import Canonicalize
from ..freeing.buffer_deallocation_pipeline import BufferDeallocationPipeline
from ..freeing.expand_realloc import ExpandRealloc
from ..freeing.ownership_based_buffer_deallocation import OwnershipBasedBufferDeallocation
from ..pass_base import Context
from .on_copy import Bufferized


@dataclass(slots=True)
class Freed:
    """What deallocation made of a bufferized copy.

    Attributes:
        account: the account afterwards; empty if it failed, or if it makes no clones and only these were asked for.
        module: the program afterwards; None if it failed, or only clones were asked for and there are none.
        problems: why it failed.
    """

    account: Account = field(default_factory=lambda: Account([]))
    module: Operation | None = None
    problems: list[Diagnostic] = field(default_factory=list)


def free_copy(bufferized: Bufferized, compat: str = "", *, only_clones: bool = True) -> Freed:
    """Run the deallocation pipeline on a copy of what was bufferized.

    Clones are made where ownership is settled, and later steps make none. With `only_clones`, a program that has none then is
    not followed any further.
    """
    if only_clones and not _may_clone(bufferized.module, compat):
        return Freed()
    twins = Twins(bufferized.module)
    context = Context(compat=compat)
    try:
        BufferDeallocationPipeline().run(twins.copy, context)
    except BufferizeError as failure:
        return Freed(problems=list(failure.diagnostics))
    account = Account.of(twins.copy, lambda cause: bufferized.twins.told(twins.told(cause)))
    return Freed(account, twins.copy)


def _may_clone(module: Operation, compat: str) -> bool:
    """Whether settling ownership makes a clone. Where that fails, the pipeline says why."""
    copy = module.clone()
    context = Context(compat=compat)
    try:
        ExpandRealloc(emit_deallocs=False).run(copy, context)
        Canonicalize().run(copy, context)
        OwnershipBasedBufferDeallocation().run(copy, context)
    except BufferizeError:
        return True
    return any(isinstance(op, CloneOp) and isinstance(op.cause, Cause) for op in copy.walk())


__all__ = ["Freed", "free_copy"]
