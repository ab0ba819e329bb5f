"""What the pass does not support, said before anything is done to the operation in question: in `mlir-opt`'s words, where it has some."""

from __future__ import annotations

from ....analysis.control_flow import has_unstructured_loop, leaves_region
from ....dialects import bufferization, memref
from ....ir.program import traits as tr
from ....ir.program.core import Operation
from ....ir.program.interfaces import (
    ALLOCATE,
    FREE,
    AllocationOp,
    BranchOp,
    CallOpInterface,
    MemoryEffectOp,
    RegionBranchOp,
)
from ....ir.source.diagnostics import PassFailed, error
from ...account.makers import freed_by
from .state import is_buffer


def check_loops(function: Operation) -> None:
    """Raises PassFailed if blocks of the function form a loop."""
    if has_unstructured_loop(function):
        raise PassFailed("Only structured control-flow loops are supported.", function.name_span, function)


def check_ways(function: Operation) -> None:
    """Raises PassFailed if something is allocated that a `memref.dealloc` must not free. O(operations)."""
    ways: dict[type[Operation], str | None] = {}
    for op in function.walk():
        if isinstance(op, AllocationOp) and op.results:
            if type(op) not in ways:
                ways[type(op)] = freed_by(op, op.results[0])
            way = ways[type(op)]
            if way not in (None, memref.DeallocOp.name):
                problem = error(
                    f"'{op.name}' is freed by '{way}', and this frees by 'memref.dealloc' only", op.name_span
                )
                problem.help("-buffer-deallocation-static frees each allocation in its own way")
                raise PassFailed(problem, operation=op)


def check_operation(op: Operation) -> None:
    """Raises PassFailed if the pass cannot tell what `op` does to buffers or where control goes from it."""
    problem = _problem(op)
    if problem is not None:
        raise PassFailed(problem, op.name_span, op)


def _problem(op: Operation) -> str | None:
    if isinstance(op, bufferization.DeallocOp):
        return "No deallocation operations must be present when running this pass!"
    if not (
        isinstance(op, (MemoryEffectOp, CallOpInterface))
        or op.has_trait(tr.PURE)
        or op.has_trait(tr.RECURSIVE_MEMORY_EFFECTS)
    ):
        return "ops with unknown memory side effects are not supported"
    if not touches_buffers(op) and not _allocates_or_frees(op):
        return None
    regions = len(op.regions)
    if (regions > 1 or (regions == 1 and op.results)) and not isinstance(op, RegionBranchOp):
        return "All operations with attached regions need to implement the RegionBranchOpInterface."
    if op.has_trait(tr.NO_TERMINATOR):
        return "NoTerminator trait is not supported"
    if op.definition is not None and op.definition.is_terminator:
        if isinstance(op, BranchOp) == leaves_region(op):
            return (
                "Terminators must implement either BranchOpInterface or "
                "RegionBranchTerminatorOpInterface (but not both)!"
            )
        if len(op.successors) > 1:
            return "Terminators with more than one successor are not supported!"
    return None


def touches_buffers(op: Operation) -> bool:
    """Whether a memref is among the operands, results or region arguments of `op`."""
    return (
        any(is_buffer(value) for value in op.operands)
        or any(is_buffer(value) for value in op.results)
        or any(is_buffer(arg) for region in op.regions if not region.is_empty for arg in region.entry.args)
    )


def _allocates_or_frees(op: Operation) -> bool:
    return isinstance(op, MemoryEffectOp) and any(
        effect.kind in (ALLOCATE, FREE) for effect in op.memory_effects()
    )
