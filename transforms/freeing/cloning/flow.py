"""Which values may be one buffer, for deallocation: the flow of views, less what cannot keep a buffer alive.

A clone, or anything else that allocates its result, gives a buffer of its own. Of an operation that is not known, and of a
call, the result may be any of the operands. MLIR 16 took neither for a view, nor the parts of
`memref.extract_strided_metadata`, and so freed buffers that are still in use.
"""

from __future__ import annotations

from ....analysis.view_flow import ViewFlow
from ....dialects import arith, memref
from ....ir.defects import UNKNOWN_RESULTS, Defect
from ....ir.program.core import Operation, Value
from ....ir.program.interfaces import ALLOCATE, BranchOp, MemoryEffectOp, RegionBranchOp, ViewLikeOp


def buffer_flow(root: Operation, mirrored: frozenset[Defect]) -> ViewFlow:
    """The flow of views inside `root`. O(operations + operands)."""
    flow = ViewFlow(root, conservative=UNKNOWN_RESULTS not in mirrored)
    fresh: set[Value] = set()
    for op in root.walk():
        if _keeps_operands(op, mirrored):
            continue
        fresh.update(op.results)
    for targets in flow.targets.values():
        targets[:] = [value for value in targets if value not in fresh]
    return flow


def _keeps_operands(op: Operation, mirrored: frozenset[Defect]) -> bool:
    """Whether a result of `op` may be the buffer of an operand."""
    if UNKNOWN_RESULTS in mirrored:
        if isinstance(op, memref.ExtractStridedMetadataOp):
            return False
        return isinstance(op, (arith.SelectOp, ViewLikeOp, BranchOp, RegionBranchOp))
    if isinstance(op, MemoryEffectOp) and not isinstance(op, RegionBranchOp):
        return not any(effect.kind == ALLOCATE for effect in op.memory_effects())
    return True
