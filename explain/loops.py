"""What loops and functions hand on: which arguments trade places, whose buffer a result is."""

from __future__ import annotations

from ..analysis.one_shot.result import AnalysisResult
from ..ir.program.core import BlockArgument, OpOperand, Value
from ..ir.program.interfaces import FunctionOp, LoopLikeOp


def traded(result: AnalysisResult, yielded: OpOperand) -> tuple[BlockArgument, BlockArgument] | None:
    """The argument whose buffer a loop yields, and the one that goes on with it, if those are two.

    O(carried values).
    """
    loop = yielded.owner.parent_op
    if not isinstance(loop, LoopLikeOp):
        return None
    carried = list(loop.region_iter_args)
    numbers = {use: i for i, use in enumerate(loop.yielded_operands)}
    number = numbers.get(yielded)
    if number is None or number >= len(carried):
        return None
    for own in carried:
        if own is not carried[number] and result.are_equivalent(own, yielded.value):
            return own, carried[number]
    return None


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
