"""A bufferized copy after deallocation: the program whose memory is freed, and its account told of the source.

The passes are imported when they run: of most small programs it is plain that they make no clone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...analysis.causes import Cause
from ...dialects.bufferization import CloneOp
from ...ir.program.core import Operation, Value
from ...ir.source.diagnostics import BufferizeError, Diagnostic
from ...ir.source.records import field, record
from ...ir.types import types as t
from ..account.movements import Account
from ..account.twins import Twins
from .on_copy import Bufferized

if TYPE_CHECKING:
    from ..pass_base import Pass


@record()
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


def free_copy(
    bufferized: Bufferized, compat: str = "", way: Pass | None = None, *, only_clones: bool = True
) -> Freed:
    """Run the deallocation pipeline, or another `way` of freeing, on a copy of what was bufferized.

    Clones are made where ownership is settled, and later steps make none. With `only_clones`, a program of which the pipeline makes none
    is not followed any further.
    """
    module = bufferized.module
    if only_clones and way is None and (keeps_what_it_makes(module) or not makes_clones(module, compat)):
        return Freed()
    from ..freeing.buffer_deallocation_pipeline import BufferDeallocationPipeline
    from ..pass_base import Context

    twins = Twins(module)
    context = Context(compat=compat)
    try:
        (way or BufferDeallocationPipeline()).run(twins.copy, context)
    except BufferizeError as failure:
        return Freed(problems=list(failure.diagnostics))
    account = Account.of(twins.copy, lambda cause: bufferized.twins.told(twins.told(cause)))
    return Freed(account, twins.copy)


PLAIN_DIALECTS = frozenset(
    ("affine", "arith", "complex", "index", "linalg", "math", "memref", "tensor", "ub")
)
PLAIN_OPERATIONS = frozenset(("builtin.module", "func.func", "func.return", "scf.for", "scf.if", "scf.yield"))
NOT_PLAIN = frozenset(("memref.dealloc", "memref.realloc", "memref.alloca_scope"))


def keeps_what_it_makes(module: Operation) -> bool:
    """Whether it is plain that nobody gets a buffer whose owner could be in doubt; False if that needs a closer look.

    No buffer goes along with a branch, into or out of a region, into memory, or to a call; and what a function returns it
    allocates itself, each buffer once. Then settling ownership makes no clone, and refuses nothing. O(operations).
    """
    for op in module.walk():
        name = op.name
        if name not in PLAIN_OPERATIONS and (name in NOT_PLAIN or op.dialect not in PLAIN_DIALECTS):
            return False
        if op.definition is None or op.successors:
            return False
        if name == "func.return" and not _returns_its_own(op):
            return False
        if name == "memref.store" and _is_buffer(op.op_operands[0].value):
            return False
        if op.regions and name not in ("builtin.module", "func.func"):
            if name.startswith("scf.") and any(map(_is_buffer, op.results)):
                return False
            arguments = (arg for region in op.regions for block in region for arg in block.args)
            if any(map(_is_buffer, arguments)):
                return False
    return True


def _returns_its_own(op: Operation) -> bool:
    buffers = [use.value for use in op.op_operands if _is_buffer(use.value)]
    makers = [value.defining_op for value in buffers]
    return len(set(buffers)) == len(buffers) and all(
        maker is not None and maker.name == "memref.alloc" and maker.block is op.block for maker in makers
    )


def _is_buffer(value: Value) -> bool:
    return isinstance(value.type, t.MemRefType | t.UnrankedMemRefType)


def makes_clones(module: Operation, compat: str) -> bool:
    """Whether settling ownership makes a clone, or fails: then the pipeline says why."""
    from ..canonicalize import Canonicalize
    from ..freeing.expand_realloc import ExpandRealloc
    from ..freeing.ownership_based_buffer_deallocation import OwnershipBasedBufferDeallocation
    from ..pass_base import Context

    copy = module.clone()
    context = Context(compat=compat)
    try:
        ExpandRealloc(emit_deallocs=False).run(copy, context)
        Canonicalize().run(copy, context)
        OwnershipBasedBufferDeallocation().run(copy, context)
    except BufferizeError:
        return True
    return any(isinstance(op, CloneOp) and isinstance(op.cause, Cause) for op in copy.walk())


__all__ = ["Freed", "free_copy", "keeps_what_it_makes", "makes_clones"]
