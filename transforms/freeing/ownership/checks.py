"""What the pass does not support, said in `mlir-opt`'s words before anything is done to the operation in question."""

from __future__ import annotations

from ....analysis.control_flow import has_unstructured_loop, leaves_region
from ....dialects import bufferization
from ....ir.program import traits as tr
from ....ir.program.core import Operation
from ....ir.program.interfaces import (
    ALLOCATE,
    FREE,
    BranchOp,
    CallOpInterface,
    MemoryEffectOp,
    RegionBranchOp,
)
from ....ir.source.diagnostics import PassFailed
from .state import is_buffer


def check_loops(function: Operation) -> None:
    """Raises PassFailed if blocks of the function form a loop."""
    if has_unstructured_loop(function):
        raise PassFailed("Only structured control-flow loops are supported.", function.name_span, function)


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
