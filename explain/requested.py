"""The verdict on a copy that the program itself requests: needed as written, or open if the request might be dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..analysis.moving import is_movable
from ..analysis.naming import value_name
from ..dialects.bufferization import AllocTensorOp, MaterializeInDestinationOp
from ..ir.program.interfaces import DestinationStyleOp, is_memory_effect_free
from ..ir.source.text import say
from .finding import CopyVerdict, needed, not_known

if TYPE_CHECKING:
    from ..analysis.one_shot.state import AnalysisState
    from .finding import Finding


MAX_BETWEEN = 100
"""Operations examined between a computation and the materialization of its result."""


def verdict_on_request(finding: Finding) -> CopyVerdict:
    """The verdict on the copies that an operation of the program means."""
    if isinstance(finding.op, MaterializeInDestinationOp) and _is_computed_early(finding.op):
        return not_known(
            say(
                "{name} might be computed in its destination, if it is materialized right after its computation",
                name=finding.name,
            ),
            "moving the operation, where nothing in between accesses the memory",
        )
    if isinstance(finding.op, AllocTensorOp) and _is_read_later(finding.op, finding.result.state):
        return not_known(
            say(
                "without it, the reads of {name} after it might be moved before what overwrites the copy",
                name=value_name(finding.op.copy) if finding.op.copy is not None else finding.name,
            ),
            "using the tensor itself, and moving those reads up",
        )
    return needed("the program requests it", (say("'{operation}' means a copy", operation=finding.op),))


def _is_computed_early(op: MaterializeInDestinationOp) -> bool:
    """Whether an operation writes the value to a destination, and something with effects comes between, or another block."""
    made = op.operands[0].defining_op
    if not isinstance(made, DestinationStyleOp):
        return False
    following = made.next_op
    for _ in range(MAX_BETWEEN):
        if following is None or following is op:
            break
        is_alike = (
            isinstance(following, MaterializeInDestinationOp) and following.operands[0] is op.operands[0]
        )
        if not is_alike and not is_memory_effect_free(following):
            return True
        following = following.next_op
    return following is not op


def _is_read_later(op: AllocTensorOp, state: AnalysisState) -> bool:
    """Whether a requested copy is of a tensor computed here, whose later uses are all reads that can be moved. O(uses)."""
    if (
        op.copy is None
        or op.memory_space is not None
        or not isinstance(op.copy.defining_op, DestinationStyleOp)
    ):
        return False
    later = [
        use
        for use in op.copy.uses
        if (at := use.owner.ancestor_in_block(op.block)) is not None and op.is_before_in_block(at)
    ]
    return bool(later) and all(is_movable(use.owner) and not state.writes(use) for use in later)
