"""Whose buffer a value is: the argument of the function behind it."""

from __future__ import annotations

from ..analysis.one_shot.result import AnalysisResult
from ..ir.program.core import BlockArgument, Value
from ..ir.program.interfaces import FunctionOp


def argument_behind(result: AnalysisResult, value: Value) -> Value | None:
    """An argument of the function that is known to be the buffer of `value`, or that it may share memory with."""
    for test in (result.equivalence_class, result.alias_set):
        for alias in test(value):
            if (
                isinstance(alias, BlockArgument)
                and isinstance(alias.owner.parent_op, FunctionOp)
                and alias.owner.is_entry
            ):
                return alias
    return None
