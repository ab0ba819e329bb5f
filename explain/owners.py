"""Ownership in the source program: owner, frees and reasons, determined by running deallocation on the bufferized
program.

Explanations refer to the source program: operations created by passes keep the positions and causes of the operations
they were created for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..analysis.allocations import escaping_allocations
from ..analysis.freeing.outcomes import OwnershipOutcomes
from ..analysis.models.base import has_tensor_semantics
from ..ir.defects import ESCAPING_BUFFERS, REFUSED_PROGRAMS
from ..ir.program.core import Operation
from ..ir.program.interfaces import FunctionOp
from ..ir.source.diagnostics import BufferizeError, Diagnostic, PassFailed
from ..transforms.convert_bufferization_to_memref import ExpandRealloc
from ..transforms.freeing.buffer_deallocation_simplification import BufferDeallocationSimplification
from ..transforms.freeing.ownership_based_buffer_deallocation import OwnershipBasedBufferDeallocation
from ..transforms.pass_base import Context
from .ownership import explain_ownership
from .static_ownership import explain_static_ownership

if TYPE_CHECKING:
    from .explanation import Explanation


def owners(
    explanation: Explanation,
    wanted: Callable[[Operation], bool] = lambda function: True,
) -> list[Diagnostic]:
    """One remark per buffer of the functions that are `wanted`; a tensor stands for its buffer.

    Raises:
        BufferizeError: the program cannot be bufferized, or frees a buffer twice.
    """
    result = explanation.result
    compat = result.options.compat or ""
    if not any(has_tensor_semantics(op) for op in result.state.root.walk()):
        return owners_of_buffers(result.state.root.clone(), wanted, compat=compat)
    if explanation.errors or explanation.bufferized is None:
        raise BufferizeError(explanation.errors)
    bufferized = explanation.bufferized
    if bufferized.problems:
        raise BufferizeError(bufferized.problems)
    copy = bufferized.module.clone()
    told = {id(m.op.cause): m.cause for m in bufferized.memory_report if not m.was_written}
    for op in copy.walk():
        op.cause = told.get(id(op.cause), op.cause)
    return owners_of_buffers(copy, wanted, compat=compat)


def owners_of_buffers(
    module: Operation,
    wanted: Callable[[Operation], bool] = lambda function: True,
    *,
    compat: str = "",
    dynamic: bool = False,
) -> list[Diagnostic]:
    """One remark per buffer that a function allocates or receives from a call.

    `module` must not contain tensors, and is rewritten: pass a clone to keep it. Reallocations are expanded first.
    A program that ownership-based deallocation rejects is explained as freed by `-buffer-deallocation-static`.

    Args:
        wanted: the functions to explain.
        compat: the reference version to mirror, as for `bufferize-opt --compat`.
        dynamic: whether private functions return ownership flags to their callers.

    Raises:
        PassFailed: a buffer is freed twice; or, with a version to mirror, the program is not supported.
    """
    context = Context(compat=compat)
    kept = module.clone()
    ExpandRealloc(emit_deallocs=False).run(module, context)
    functions = [
        op for op in module.walk() if isinstance(op, FunctionOp) and not op.is_declaration and wanted(op)
    ]
    escapes = {
        op: {} if ESCAPING_BUFFERS in context.mirrored else escaping_allocations(op) for op in functions
    }
    try:
        OwnershipBasedBufferDeallocation(dynamic=dynamic).run(module, context)
    except PassFailed as refused:
        if REFUSED_PROGRAMS in context.mirrored:
            raise
        return list(explain_static_ownership(kept, wanted, refused.diagnostic))
    BufferDeallocationSimplification().run(module, context)
    found: list[Diagnostic] = []
    for function in functions:
        found += explain_ownership(OwnershipOutcomes(function, escapes[function]))
    return found
