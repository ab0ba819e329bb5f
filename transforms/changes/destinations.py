"""Destination changes: another destination whose contents are dead, or a value of its own instead of a copy.

Each is given a use out of place, and changes that use or what its value is computed in. Contents that nobody reads may be any, so
what the program computes stays the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from ...analysis.causes import Cause, CauseKind
from ...analysis.moving import dependents_until
from ...analysis.naming import value_name
from ...analysis.nested_dominance import is_defined_at
from ...analysis.one_shot.plan import PlannedBuffer
from ...analysis.one_shot.regions_of_memory import PartPlaces
from ...dialects import tensor
from ...ir.program.core import BlockArgument, OpOperand, OpResult, Value
from ...ir.program.interfaces import DestinationStyleOp, SubsetExtractionOp, SubsetInsertionOp
from ..fewest_copies.destination_passing import build_in_place, sites
from ..fewest_copies.overwritten import empty_overwritten, is_overwritten
from ..fewest_copies.rematerialize import erase_dead, recipe, rematerialize_copied
from .change import Change, Target

if TYPE_CHECKING:
    from ...analysis.one_shot.result import AnalysisResult
    from ...ir.program.core import Operation

MAX_SLICES = 4
"""Other uses of what is copied that may be slices of it, put back elsewhere."""
MAX_CHAIN = 8
"""Operations between taking a slice and putting it back that are followed."""


class ChangeOfUse(Change):
    """A change of what one operand is."""

    def __init__(self, use: OpOperand, title: str) -> None:
        super().__init__(use.owner, title)
        self.use = use

    def apply(self, program: Target) -> bool:
        use = program.operand(self.use)
        return use is not None and self.change(use, program)

    def change(self, use: OpOperand, program: Target) -> bool:
        """Rewrite the counterpart of the use; False if that is not possible."""
        raise NotImplementedError


def _copied(use: OpOperand) -> PlannedBuffer:
    """The use as what is to be copied, contents and all."""
    cause = Cause(CauseKind.OUT_OF_PLACE, use.owner, use.index, use.value)
    return PlannedBuffer(cause, use.owner, use, use.value, False, True)


class Rematerialize(ChangeOfUse):
    """A tensor that is cheap to compute is computed once more for who overwrites it, instead of being copied."""

    name = "rematerialize"

    def change(self, use: OpOperand, program: Target) -> bool:
        before = use.value
        if not rematerialize_copied([_copied(use)]):
            return False
        use.value.name_hint = before.name_hint
        erase_dead([before])
        return True


class EmptyDestination(ChangeOfUse):
    """A `tensor.empty` for a destination all of which is overwritten before it is read."""

    name = "choose destination"

    def change(self, use: OpOperand, program: Target) -> bool:
        before = use.value
        if not is_overwritten(use) or not empty_overwritten([_copied(use)]):
            return False
        use.value.name_hint = before.name_hint
        erase_dead([before])
        return True


class ComputeInPlace(ChangeOfUse):
    """What is inserted somewhere is computed there: a slice of the destination in place of the `tensor.empty` it came from."""

    name = "choose destination"

    def change(self, use: OpOperand, program: Target) -> bool:
        insertion = use.owner
        if not isinstance(insertion, SubsetInsertionOp):
            return False
        before = [(site.use, site.use.value) for site in sites(use)]
        if not build_in_place(insertion):
            return False
        for site, value in before:
            if site.value is not value:
                site.value.name_hint = value.name_hint
        erase_dead([value for _, value in before])
        return True


class TakeDestination(ChangeOfUse):
    """Another operand of the operation as its destination."""

    name = "choose destination"

    def __init__(self, use: OpOperand, other: Value, title: str) -> None:
        super().__init__(use, title)
        self.other = other

    def change(self, use: OpOperand, program: Target) -> bool:
        other = program.value(self.other)
        if other is None or other is use.value or not is_defined_at(other, use.owner):
            return False
        before, use.value = use.value, other
        erase_dead([before])
        return True


class ForwardSlice(ChangeOfUse):
    """A slice taken from the tensor into which it is inserted again."""

    name = "forward slice"

    def __init__(self, use: OpOperand, target: Value) -> None:
        super().__init__(use, f"take the slice from {value_name(target)}, into which it is inserted")
        self.target = target

    def change(self, use: OpOperand, program: Target) -> bool:
        target, extract = program.value(self.target), use.owner
        if target is None or target.type is not use.value.type:
            return False
        if not is_defined_at(target, extract):
            owner = target.defining_op
            moved = dependents_until(extract, owner) if owner is not None else None
            if not moved or owner is None:
                return False
            for op in reversed(moved):
                op.move_after(owner)
            program.moved.update(moved)
        use.value = target
        return True


def rematerialized(operand: OpOperand) -> Iterator[Change]:
    """A tensor of its own for `operand`, filled or computed like the one that would be copied."""
    found = recipe(operand.value)
    if found is not None:
        what = "fill" if found.op is None else "compute"
        name = value_name(operand.value)
        yield Rematerialize(
            operand,
            f"{what} a tensor of its own for '{operand.owner.name}': {name} is cheap to rematerialize",
        )


def emptied(operand: OpOperand) -> Iterator[Change]:
    """A `tensor.empty` for a destination that is overwritten."""
    if is_overwritten(operand):
        name = value_name(operand.value)
        yield EmptyDestination(
            operand, f"start from a tensor.empty instead of {name}: all of it is overwritten"
        )


def computed_in_place(operand: OpOperand) -> Iterator[Change]:
    """What is inserted, computed in its place."""
    insertion = operand.owner
    if not isinstance(insertion, SubsetInsertionOp) or operand is not insertion.subset_source():
        return
    found = sites(operand)
    if not found:
        return
    value, target = value_name(operand.value), value_name(insertion.subset_destination().value)
    made = found[0].use.value
    if len(found) == 1 and isinstance(made.defining_op, tensor.EmptyOp):
        yield ComputeInPlace(operand, f"compute {value} in its place: take {value_name(made)} from {target}")
    else:
        yield ComputeInPlace(operand, f"compute {value} in its place in {target}")


def other_destinations(result: AnalysisResult, operand: OpOperand) -> Iterator[Change]:
    """An input of the operation as destination, if the destination's contents are not read."""
    op = operand.owner
    if not isinstance(op, DestinationStyleOp) or operand not in op.dps_inits() or result.state.reads(operand):
        return
    for other in dict.fromkeys(use.value for use in op.dps_inputs()):
        if (
            other is not operand.value
            and other.type is operand.value.type
            and isinstance(other, OpResult | BlockArgument)
        ):
            yield TakeDestination(
                operand, other, f"use {value_name(other)} as the destination of '{op.name}'"
            )


def destination_of_inserted(result: AnalysisResult, operand: OpOperand) -> Iterator[Change]:
    """What is inserted, computed in an operand that the operation which computes it reads anyway."""
    insertion, op = operand.owner, operand.value.defining_op
    if not isinstance(insertion, SubsetInsertionOp) or operand is not insertion.subset_source():
        return
    if isinstance(op, DestinationStyleOp) and isinstance(operand.value, OpResult):
        inits = op.dps_inits()
        if operand.value.index < len(inits):
            yield from other_destinations(result, inits[operand.value.index])


def forwarded_slices(
    result: AnalysisResult, operand: OpOperand, places: PartPlaces | None = None
) -> Iterator[Change]:
    """Slices of what is copied, taken from the tensor into which they are put back, if what they held is not looked at.

    `places` is shared by all operands of a program: it remembers where values lie.
    """
    places = places or PartPlaces(result.state)
    for use in [operand, *islice((use for use in operand.value.uses if use is not operand), MAX_SLICES)]:
        yield from _forwarded_slice(result, use, places)


def _forwarded_slice(result: AnalysisResult, use: OpOperand, places: PartPlaces) -> Iterator[Change]:
    extract = use.owner
    if not isinstance(extract, SubsetExtractionOp) or use is not extract.subset_extraction_source():
        return
    state = result.state
    is_read = any(state.reads(reader) or state.is_alias_only(reader) for reader in extract.results[0].uses)
    for insertion in _inserted_by(extract):
        target = insertion.subset_destination().value
        if target is use.value or target.type is not use.value.type:
            continue
        if not is_read or _has_same_part(places, target, use):
            yield ForwardSlice(use, target)


def _has_same_part(places: PartPlaces, target: Value, taken: OpOperand) -> bool:
    """Whether the slice that is taken is in `target` what it is in the tensor it is taken from: only others were changed."""
    for _ in range(MAX_CHAIN):
        if target is taken.value:
            return True
        insertion = target.defining_op
        if isinstance(insertion, tensor.InsertOp):
            destination = insertion.op_operands[1]
        elif isinstance(insertion, SubsetInsertionOp):
            destination = insertion.subset_destination()
        else:
            return False
        if not places.different_parts(taken, destination):
            return False
        target = destination.value
    return False


def _inserted_by(extract: Operation) -> Iterator[SubsetInsertionOp]:
    """The insertions that put back a slice, or what was made of it in destination-passing style."""
    value: Value = extract.results[0]
    for _ in range(MAX_CHAIN):
        following: Value | None = None
        for use in value.uses:
            user = use.owner
            if isinstance(user, SubsetInsertionOp) and use is user.subset_source():
                yield user
            elif isinstance(user, DestinationStyleOp) and use in user.dps_inits():
                following = user.tied_result(use)
        if following is None:
            return
        value = following
