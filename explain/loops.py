"""What loops and functions hand on: which arguments trade places, whose buffer a result is."""

from __future__ import annotations

from ..analysis.one_shot.result import AnalysisResult
from ..ir.program.core import BlockArgument, OpOperand, Value
from ..ir.program.interfaces import FunctionOp, LoopLikeOp


def traded(yielded: OpOperand) -> tuple[BlockArgument, BlockArgument] | None:
    """The argument that a loop yields, and the one it goes on as, if some buffers go round: each goes on as another.

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
    own = yielded.value
    if not isinstance(own, BlockArgument) or own not in carried or own is carried[number]:
        return None
    return own, carried[number]


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


__all__ = ["argument_behind", "traded"]
