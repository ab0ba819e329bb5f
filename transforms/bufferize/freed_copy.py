"""A bufferized copy after deallocation: the program whose memory is freed, and its account told of the source.

The passes are imported when they run: of most small programs it is plain that they make no clone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...analysis.causes import Cause
from ...dialects.bufferization import CloneOp
from ...ir.program.core import BlockArgument, Operation, Value
from ...ir.program.interfaces import FunctionOp
from ...ir.source.diagnostics import BufferizeError, Diagnostic
from ...ir.source.records import field, record
from ...ir.types import types as t
from ...ir.verifier import verify
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
        module: the program afterwards; None if it failed, or only clones were asked for and it is plain which there are.
        problems: why it failed.
    """

    account: Account = field(default_factory=lambda: Account([]))
    module: Operation | None = None
    problems: list[Diagnostic] = field(default_factory=list)


def free_copy(bufferized: Bufferized, compat: str = "", *, only_clones: bool = True) -> Freed:
    """Run the deallocation pipeline on a copy of what was bufferized.

    Clones are made where ownership is settled, and later steps make none. With `only_clones`, a program that has none then, or only
    such as later steps leave alone, is not followed any further. That is most programs: what follows takes a third of all
    that `explain` takes without help.
    """
    if only_clones and keeps_what_it_makes(bufferized.module):
        return Freed()
    from ..freeing.buffer_deallocation_pipeline import BufferDeallocationPipeline
    from ..pass_base import Context
    from ..pass_manager import PassManager

    twins = Twins(bufferized.module)
    context = Context(compat=compat)
    steps = BufferDeallocationPipeline().parts()
    settled = next(i for i, step in enumerate(steps) if step.name == SETTLES_OWNERSHIP) + 1
    is_whole = True
    try:
        PassManager(steps[:settled], context, verify_each=False).run(twins.copy)
        clones = list(made_clones(twins.copy)) if only_clones else []
        if only_clones and not clones:
            return Freed()
        verify(twins.copy, allow_unregistered=True)
        if clones and all(map(stays, clones)):
            is_whole = False
            for clone in clones:
                move_out(clone)
        else:
            PassManager(steps[settled:], context, allow_unregistered=True).run(twins.copy)
    except BufferizeError as failure:
        return Freed(problems=list(failure.diagnostics))
    account = Account.of(twins.copy, lambda cause: bufferized.twins.told(twins.told(cause)))
    return Freed(account, twins.copy if is_whole else None)


SETTLES_OWNERSHIP = "ownership-based-buffer-deallocation"


def made_clones(module: Operation) -> Iterator[Operation]:
    """The clones that settling ownership made."""
    return (op for op in module.walk() if isinstance(op, CloneOp) and isinstance(op.cause, Cause))


def stays(clone: Operation) -> bool:
    """Whether it is plain that no later step takes away a clone that settling ownership made.

    Later steps take one away whose source or result is freed near it. An argument of a function is the caller's, and what is
    only returned is the caller's, too: nobody here frees either. O(uses of both).
    """
    source = clone.op_operands[0].value
    choice = clone.parent_op
    if (
        not isinstance(source, BlockArgument)
        or choice is None
        or not isinstance(source.owner.parent_op, FunctionOp)
    ):
        return False
    condition = choice.op_operands[0].value.defining_op if choice.name == "scf.if" else None
    value = condition.properties.get("value") if condition is not None else None
    if clone.block is not choice.regions[-1].entry or str(value) != "false":
        return False
    [use] = clone.results[0].uses if len(clone.results[0].uses) == 1 else (None,)
    if use is None or use.owner.name != "scf.yield" or len(choice.results) != 1:
        return False
    returned = {use.owner.name for use in choice.results[0].uses}
    freed = {use.owner.name for use in source.uses}
    return returned <= SETTLED and "func.return" in returned and not freed & FREEING


SETTLED = frozenset(("func.return", "bufferization.dealloc", "memref.extract_strided_metadata"))
FREEING = frozenset(("bufferization.dealloc", "memref.dealloc", "memref.realloc"))


def move_out(clone: Operation) -> None:
    """Put a clone that `stays` where it runs: in the place of the choice that is none."""
    choice = clone.parent_op
    assert choice is not None
    clone.move_before(choice)


def free_otherwise(bufferized: Bufferized, way: Pass, compat: str = "") -> Freed:
    """Free the memory of a copy of what was bufferized by another pass than the pipeline."""
    from ..pass_base import Context

    twins = Twins(bufferized.module)
    try:
        way.run(twins.copy, Context(compat=compat))
    except BufferizeError as failure:
        return Freed(problems=list(failure.diagnostics))
    return Freed(Account.of(twins.copy, lambda cause: bufferized.twins.told(twins.told(cause))), twins.copy)


PLAIN_DIALECTS = frozenset(
    ("affine", "arith", "complex", "index", "linalg", "math", "memref", "tensor", "ub")
)
PLAIN_OPERATIONS = frozenset(
    ("builtin.module", "cf.assert", "func.func", "func.return", "scf.for", "scf.if", "scf.yield")
)
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
