"""Canonicalization patterns by dialect.

Each module of this package defines `PATTERNS`, which maps operation classes to tuples of patterns in the order of
mlir-opt. A module is imported when an operation of its dialect is first visited.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from ...ir.program.by_class import TablesByClass
from ...ir.program.core import Operation
from ...ir.program.interfaces import DestinationStyleOp

if TYPE_CHECKING:
    from ..rewriting.greedy import Pattern

PATTERNS: Final = TablesByClass["Sequence[Pattern]"](
    "PATTERNS", __name__, beside="patterns", shared={"complex": "others", "func": "others"}
)
_by_class: dict[type[Operation], Sequence[Pattern]] = {}


def for_operation(op: Operation) -> Sequence[Pattern]:
    """The canonicalization patterns of `op`, in order."""
    found = _by_class.get(type(op))
    if found is None:
        found = _by_class[type(op)] = _look_up(op)
    return found


def _look_up(op: Operation) -> Sequence[Pattern]:
    found = PATTERNS.of(op)
    if found is None and isinstance(op, DestinationStyleOp) and PATTERNS.table(op.dialect) is None:
        from .tensor_casts import destination_of_cast

        return (destination_of_cast,)
    return found or ()
