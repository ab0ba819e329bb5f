"""Following a tensor back to what it was made from, against the use-def chain.

From a value the walk goes to the operands whose buffers it may share, as the models say. A walk has a condition that
ends it at a value, and a `Walk` that says which steps it takes and whether the values where it cannot go
on (*leaves*) count as found. In-place decisions play no part.
"""

from __future__ import annotations

from collections.abc import Callable

from ...ir.program.core import OpResult, Value
from ...ir.program.interfaces import CastOp
from ...ir.source.records import record
from ..models.base import owner_of
from .answers import Answers


@record(frozen=True)
class Walk:
    """How to walk.

    Attributes:
        include_leaves: whether values where the walk cannot go on are found.
        equivalent_only: take only steps to the very same buffer.
        same_type_or_casts_only: take only steps that keep the type, or through casts.
    """

    include_leaves: bool = True
    equivalent_only: bool = False
    same_type_or_casts_only: bool = False


DEFAULT_WALK = Walk()
WHOLE_BUFFER_WALK = Walk(include_leaves=False, equivalent_only=True, same_type_or_casts_only=True)


def find_values(
    state: Answers, start: Value, found: Callable[[Value], bool], walk: Walk = DEFAULT_WALK
) -> list[Value]:
    """The values at which a walk from `start` ends, in the order in which it ends there; each once.

    A value that is reached again after it was left counts as a leaf, as upstream. O(values reached).
    """
    result: dict[Value, None] = {}
    pending: dict[Value, None] = {start: None}
    visited: set[Value] = set()
    leaves = walk.include_leaves
    while pending:
        value, _ = pending.popitem()
        if value in visited:
            if leaves:
                result[value] = None
            continue
        visited.add(value)
        if found(value):
            result[value] = None
            continue
        if not state.is_known(owner_of(value)):
            if leaves:
                result[value] = None
            continue
        operands = state.aliasing_operands(value)
        if not operands:
            if leaves:
                result[value] = None
            continue
        for alias in operands:
            source = alias.operand.value
            if (walk.equivalent_only and not alias.equivalent) or (
                walk.same_type_or_casts_only
                and source.type is not value.type
                and not (isinstance(value, OpResult) and isinstance(value.owner, CastOp))
            ):
                if leaves:
                    result[value] = None
                continue
            pending[source] = None
    return list(result)
