"""Induction variables: how far each moves from one iteration to the next, and how many values it takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..dialects import scf
from ..ir import attributes as a
from ..ir.core import BlockArgument, Operation, Value
from ..ir.interfaces import LoopLikeOp
from .models.slices import SliceValue, as_constant


@dataclass(frozen=True, slots=True)
class Axis:
    """One induction variable.

    Attributes:
        variable: the block argument.
        step: the distance of neighbouring values, a number or a value; None if not known.
        count: how many values it takes, None if not known.
    """

    variable: BlockArgument
    step: SliceValue | None
    count: int | None


def is_parallel(loop: Operation) -> bool:
    """Whether iterations of `loop` may run at once."""
    return loop.name in ("scf.parallel", "scf.forall", "affine.parallel")


def axes(loop: Operation) -> list[Axis]:
    """The induction variables of a loop, outermost first; empty for loops that have none. O(operands)."""
    if isinstance(loop, (scf.ForallOp, scf.ParallelOp)):
        if isinstance(loop, scf.ForallOp):
            bounds = loop.mixed_lower_bound, loop.mixed_upper_bound, loop.mixed_step
        else:
            bounds = loop.lower_bound, loop.upper_bound, loop.step
        return [
            Axis(variable, _fixed(step), _count(low, high, step))
            for variable, low, high, step in zip(loop.induction_variables, *bounds, strict=True)
        ]
    if not isinstance(loop, LoopLikeOp):
        return []
    if isinstance(loop, scf.ForOp):
        return [Axis(loop.regions[0].entry.args[0], _fixed(loop.operands[2]), loop.static_trip_count())]
    if loop.name == "affine.for":
        step = loop.properties["step"]
        assert isinstance(step, a.IntegerAttr)
        return [Axis(loop.regions[0].entry.args[0], step.value, loop.static_trip_count())]
    if loop.name == "affine.parallel":
        return _affine_parallel(loop)
    return []


def _affine_parallel(loop: Operation) -> list[Axis]:
    variables: Sequence[BlockArgument] = loop.induction_variables  # pyright: ignore[reportAttributeAccessIssue]
    steps = [step.value for step in loop.steps.elements]  # pyright: ignore[reportAttributeAccessIssue]
    low = loop.lower_bounds_map.map.results  # pyright: ignore[reportAttributeAccessIssue]
    high = loop.upper_bounds_map.map.results  # pyright: ignore[reportAttributeAccessIssue]
    if not len(low) == len(high) == len(steps):  # a bound is the least or greatest of several
        return [Axis(variable, step, None) for variable, step in zip(variables, steps, strict=True)]
    found = []
    for variable, step, first, last in zip(variables, steps, low, high, strict=True):
        numbers = getattr(first, "value", None), getattr(last, "value", None)
        known = isinstance(numbers[0], int) and isinstance(numbers[1], int)
        found.append(Axis(variable, step, _count(numbers[0], numbers[1], step) if known else None))
    return found


def _fixed(value: Value | int) -> SliceValue:
    number = as_constant(value)
    return value if number is None else number


def _count(low: Value | int | None, high: Value | int | None, step: Value | int) -> int | None:
    numbers = [None if bound is None else as_constant(bound) for bound in (low, high, step)]
    first, last, by = numbers
    if first is None or last is None or by is None or by <= 0:
        return None
    return max(0, -((first - last) // by))
