"""What `bufferize explain --ownership` says: deallocation is run on the program, and its outcome put into words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..ir.program.core import Operation
    from ..ir.source.diagnostics import Diagnostic


def explain_ownership_of(
    module: Operation,
    wanted: Callable[[Operation], bool] = lambda function: True,
    *,
    compat: str = "",
    dynamic: bool = False,
) -> list[Diagnostic]:
    """One remark for each buffer that a function allocates or gets from a call: who owns it, where it is freed, and why.

    `module` is rewritten: pass a clone to keep it. Reallocations are expanded first.

    Args:
        wanted: the functions to explain.
        compat: the reference version to mirror, as for `bufferize-opt --compat`.
        dynamic: whether private functions tell their callers at run time who owns what they return.

    A program that ownership-based deallocation does not take is explained as `-buffer-deallocation-static` frees it.

    Raises:
        PassFailed: it frees something twice; or, with a version to mirror, it is not supported.
    """
    from ..analysis.escapes import escaping_allocations
    from ..analysis.ownership import Fates
    from ..explain.ownership import explain_ownership
    from ..explain.static_ownership import explain_static_ownership
    from ..ir.program.interfaces import FunctionOp
    from ..ir.source.diagnostics import PassFailed
    from ..transforms.freeing.buffer_deallocation_simplification import BufferDeallocationSimplification
    from ..transforms.freeing.expand_realloc import ExpandRealloc
    from ..transforms.freeing.ownership_based_buffer_deallocation import OwnershipBasedBufferDeallocation
    from ..transforms.pass_base import MIRROR, Context

    context = Context(compat=compat)
    ExpandRealloc(emit_deallocs=False).run(module, context)
    functions = [
        op for op in module.walk() if isinstance(op, FunctionOp) and not op.is_declaration and wanted(op)
    ]
    escapes = {op: escaping_allocations(op) if compat != MIRROR else {} for op in functions}
    kept = module.clone()
    try:
        OwnershipBasedBufferDeallocation(dynamic=dynamic).run(module, context)
    except PassFailed as refused:
        if compat == MIRROR:
            raise
        return list(explain_static_ownership(kept, wanted, refused.diagnostic))
    BufferDeallocationSimplification().run(module, context)
    found: list[Diagnostic] = []
    for function in functions:
        found += explain_ownership(Fates(function, escapes[function]))
    return found
