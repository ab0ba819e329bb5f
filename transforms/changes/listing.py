"""Which changes are worth trying where an operand is out of place, the plainest first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...analysis.conflicts import Reason, ReasonKind
from ...analysis.naming import value_name
from ...dialects import scf
from ...dialects.common import constant_index
from ...ir.program.core import BlockArgument, OpOperand
from ...ir.program.interfaces import LoopLikeOp
from ..fewest_copies.unroll_swaps import MAX_BODY
from .change import Change
from .destinations import (
    computed_in_place,
    destination_of_inserted,
    emptied,
    forwarded_slices,
    other_destinations,
    rematerialized,
)
from .moves import reads_before_branches, reads_hoisted, reads_moved_up, write_moved_down
from .permissions import not_writable, only_read, writing_allowed
from .rewrites import UNROLL_BY_TWO, LocalRewrite

if TYPE_CHECKING:
    from ...analysis.one_shot.regions_of_memory import PartPlaces
    from ...analysis.one_shot.result import AnalysisResult


# Loops whose buffers trade places, unrolled by two: each buffer then ends an iteration where it began it.

MAX_CARRIED = 256
"""Values that a loop carries among which one is looked for."""
MAX_ROTATED = 64
"""Values that a loop carries if it is to be unrolled: where hundreds change places, two iterations do not bring them back."""


def traded(result: AnalysisResult, yielded: OpOperand) -> tuple[BlockArgument, BlockArgument] | None:
    """The argument whose buffer a loop yields, and the one that goes on with it, if those are two.

    O(carried values); of more than `MAX_CARRIED` none is found.
    """
    loop = yielded.owner.parent_op
    if not isinstance(loop, LoopLikeOp) or len(loop.region_iter_args) > MAX_CARRIED:
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


def unrolled(result: AnalysisResult, operand: OpOperand) -> Iterator[Change]:
    """The loop at whose end `operand` trades places with another value, unrolled by two."""
    loop = operand.owner.parent_op
    if not isinstance(loop, scf.ForOp) or len(loop.region_iter_args) > MAX_ROTATED:
        return
    trade = traded(result, operand)
    trips = loop.static_trip_count()
    if trade is None or (trips is not None and trips < 2) or constant_index(loop.step) is None:
        return
    if sum(1 for _ in loop.walk()) <= MAX_BODY:
        one, other = sorted(value_name(argument) for argument in trade)
        yield LocalRewrite(
            loop, UNROLL_BY_TWO, f"unroll 'scf.for' by two: {one} and {other} then end where they began"
        )


def changes_at(
    result: AnalysisResult, operand: OpOperand, reasons: list[Reason], places: PartPlaces | None = None
) -> Iterator[Change]:
    """Changes that may keep `operand` in place, given all that speaks against it. Near-linear in the reasons.

    Who asks for many operands of one program passes `places`, which remembers where values lie.
    """
    conflicts = [reason for reason in reasons if reason.read is not None]
    yield from reads_moved_up(conflicts)
    yield from reads_hoisted(conflicts)
    yield from reads_before_branches(conflicts)
    yield from write_moved_down(conflicts)
    yield from forwarded_slices(result, operand, places)
    yield from rematerialized(operand)
    yield from emptied(operand)
    yield from computed_in_place(operand)
    yield from destination_of_inserted(result, operand)
    yield from other_destinations(result, operand)
    for write in dict.fromkeys(reason.write for reason in conflicts):
        yield from only_read(result, write)
        yield from not_writable(result, write)
    yield from unrolled(result, operand)
    yield from writing_allowed([reason.value for reason in reasons if reason.kind is ReasonKind.NOT_WRITABLE])
