"""Search for changes that resolve a conflict, alone or together, at all places at once.

The cost of a trial does not depend on the number of changes in it. So in each round every remaining copy tries its next change,
all in one trial; changes that eliminate their copy are kept. A round without improvement is bisected. A program with a thousand
conflicts is thus analysed a handful of times. Alternatives for one copy are not compared: the first that works is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...analysis.naming import value_name
from ...analysis.one_shot.result import Reason, ReasonKind
from ...dialects import arith, tensor
from ...dialects.linalg.base import LinalgOp
from ...ir.program.core import BlockArgument, Operation, OpOperand
from ...ir.program.interfaces import CountedLoopOp, LoopLikeOp, SubsetInsertionOp
from ...ir.source.records import field, record
from ..fewest_copies.slice_forwarding import elements_of
from ..fewest_copies.unroll_swaps import MAX_BODY, MAX_TURNS, turns
from . import Change
from .destinations import (
    computed_in_place,
    destination_of_inserted,
    emptied,
    forwarded_slices,
    other_destinations,
    reads_before_branches,
    reads_hoisted,
    reads_moved_out,
    reads_moved_up,
    rematerialized,
    write_moved_down,
)
from .rewrites import (
    DROP_COPY,
    DROP_UNUSED,
    FUSE,
    FUSE_KEPT,
    INSERT_ELEMENTS,
    READ_INIT,
    READ_PARTS,
    REDUCE_RANK,
    SINK_INTO_BRANCHES,
    SINK_RELAYOUT,
    SINK_RESHAPE,
    SPLIT,
    UNROLL,
    UNROLL_BY_TWO,
    LocalRewrite,
    not_writable,
    only_read,
    writing_allowed,
)
from .trial import ChangeTrials, TrialOutcome

if TYPE_CHECKING:
    from ...analysis.one_shot.regions_of_memory import MemoryRegions
    from ...analysis.one_shot.result import AnalysisResult


MAX_ROUNDS = 6
"""Changes tried for one copy."""
MAX_HALVES = 16
"""Further trials for the halves of rounds without improvement."""


@record(eq=False)
class Subject:
    """A copy to eliminate.

    Attributes:
        place: the operation that requires the copy.
        changes: the changes that may eliminate it, simplest first.
    """

    place: Operation
    changes: list[Change]


@record(eq=False)
class ChangePlan:
    """Changes tried together.

    Attributes:
        chosen: the change for each copy that one eliminates.
        outcome: the result of the trial with these changes; None if nothing helps.
    """

    chosen: dict[Subject, Change] = field(default_factory=dict)
    outcome: TrialOutcome | None = None


def plan_together(
    trials: ChangeTrials, subjects: Sequence[Subject], at_most: int, rounds: int = MAX_ROUNDS
) -> ChangePlan:
    """Changes that together reduce copies, found by analysing about `at_most` operations again (at least one trial)."""
    return _Search(trials, at_most).run(subjects, rounds)


class _Search:
    def __init__(self, trials: ChangeTrials, at_most: int) -> None:
        self.trials = trials
        self.limit = trials.spent + at_most
        self.plan = ChangePlan()
        self.halves = 0

    def run(self, subjects: Sequence[Subject], rounds: int) -> ChangePlan:
        for number in range(rounds):
            tried = {
                subject: subject.changes[number]
                for subject in subjects
                if subject not in self.plan.chosen and number < len(subject.changes)
            }
            if self._is_left(subjects) and tried:
                self._take(tried)
            if self.trials.spent >= self.limit:
                break
        return self.plan

    def _is_left(self, subjects: Sequence[Subject]) -> bool:
        outcome = self.plan.outcome
        return outcome is None or any(subject.place in outcome.left for subject in subjects)

    def _take(self, tried: dict[Subject, Change]) -> None:
        """Keep the changes that help, if they do so together; otherwise try each half."""
        waiting = [tried]
        while waiting:
            group = waiting.pop()
            found = self._with(group)
            if found is not None and self._is_better(found):
                self._accept(group, found)
            elif len(group) > 1 and self.halves < MAX_HALVES and self.trials.spent < self.limit:
                self.halves += 2
                entries = list(group.items())
                middle = len(entries) // 2
                waiting += [dict(entries[middle:]), dict(entries[:middle])]

    def _accept(self, group: dict[Subject, Change], found: TrialOutcome) -> None:
        made = set(found.applied)
        group = {subject: change for subject, change in group.items() if change in made}
        saved = {subject: change for subject, change in group.items() if subject.place not in found.left}
        if saved and len(saved) < len(group):
            alone = self._with(saved)
            if alone is not None and alone.totals.weight <= found.totals.weight:
                group, found = saved, alone
        self.plan.chosen.update(group)
        self.plan.outcome = found

    def _with(self, group: dict[Subject, Change]) -> TrialOutcome | None:
        return self.trials.attempt(list(dict.fromkeys([*self.plan.chosen.values(), *group.values()])))

    def _is_better(self, found: TrialOutcome) -> bool:
        before = self.plan.outcome.totals if self.plan.outcome is not None else self.trials.before
        return before is None or found.totals.weight < before.weight


# The changes to try for an out-of-place operand, simplest first.

# Loops that swap buffers, unrolled by the length of the cycle: each buffer then ends an iteration at the position where it began.

MAX_CARRIED = 256
"""Loop-carried values of a loop up to which it is searched for swapped buffers."""
MAX_UPDATES = 32
"""Operations followed from a write to the branches that use its result, and uses of each result."""
MAX_ROTATED = 64
"""Loop-carried values of a loop up to which it is unrolled: with hundreds, cycles are rarely short."""


def traded(result: AnalysisResult, yielded: OpOperand) -> tuple[BlockArgument, BlockArgument] | None:
    """The iter_arg whose buffer a loop yields, and the iter_arg that receives it, if these differ.

    O(loop-carried values); None beyond `MAX_CARRIED`.
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


def rotation(result: AnalysisResult, yielded: OpOperand) -> list[BlockArgument]:
    """The iter_args whose buffers form a cycle (a permutation) with that of a yielded value; empty if there is none."""
    loop = yielded.owner.parent_op
    if not isinstance(loop, LoopLikeOp):
        return []
    uses = list(loop.yielded_operands)
    places = {argument: i for i, argument in enumerate(loop.region_iter_args)}
    found: list[BlockArgument] = []
    trade = traded(result, yielded)
    while trade is not None and trade[1] not in found:
        found.append(trade[1])
        trade = traded(result, uses[places[trade[0]]])
    return found if trade is not None and trade[1] is found[0] else []


BY = ("", "one", "two", "three", "four", "five", "six", "seven", "eight")
"""Unroll factors, in words."""


def unrolled(result: AnalysisResult, operand: OpOperand) -> Iterator[Change]:
    """Unroll the loop at whose end `operand` swaps buffers with other values, by the length of the cycle."""
    loop = operand.owner.parent_op
    if not isinstance(loop, CountedLoopOp) or len(loop.region_iter_args) > MAX_ROTATED:
        return
    trade = traded(result, operand)
    trips = loop.static_trip_count()
    if trade is None or (trips is not None and trips < 2) or not isinstance(loop.axes()[0].step, int):
        return
    times = turns(loop)
    kind = UNROLL if 2 < times <= MAX_TURNS else UNROLL_BY_TWO
    if sum(1 for _ in loop.walk()) <= MAX_BODY:
        cycle = rotation(result, operand) or list(trade)
        names = together([value_name(argument) for argument in cycle])
        often = BY[times] if kind is UNROLL else "two"
        yield LocalRewrite(
            loop, kind, f"unroll '{loop.name}' by {often}: {names} are then back in their initial buffers"
        )


SELECTED = "replace 'arith.select' by 'scf.if', and move the updates that only one branch uses into it"


def sunk_into_branches(conflicts: list[Reason]) -> Iterator[Change]:
    """Sink a write into the branch, or the side of a select, that alone uses its result. O(conflicts * MAX_UPDATES)."""
    for write in dict.fromkeys(conflict.write.owner for conflict in conflicts):
        pending, seen = [write], set[Operation]()
        while pending and len(seen) < MAX_UPDATES:
            op = pending.pop()
            if op in seen:
                continue
            seen.add(op)
            uses = (use for value in op.results for use in value.first_uses(MAX_UPDATES))
            for user in dict.fromkeys(_user_or_branch(op, use) for use in uses):
                if isinstance(user, SINK_INTO_BRANCHES.of):
                    title = SELECTED if isinstance(user, arith.SelectOp) else None
                    yield LocalRewrite(user, SINK_INTO_BRANCHES, title)
                elif user is not None:
                    pending.append(user)


def _user_or_branch(op: Operation, use: OpOperand) -> Operation | None:
    """The operation after `op` in its block that has the use, or the branch at the end of the block if a later block has it."""
    return use.owner.ancestor_in_block(op.block) or (op.block.last_op if op.block is not None else None)


def together(names: list[str]) -> str:
    """`%a, %b and %c`, in order of their names."""
    *others, last = sorted(names)
    return f"{', '.join(others)} and {last}" if others else last


def rewritten(operand: OpOperand, conflicts: list[Reason]) -> Iterator[Change]:
    """Rewrites of the operations around a copy: fusion, splitting, sinking reshapes, slice forwarding. O(conflicts)."""
    at = operand.owner
    for kind in (
        SPLIT,
        READ_INIT,
        SINK_RESHAPE,
        SINK_RELAYOUT,
        INSERT_ELEMENTS,
        REDUCE_RANK,
        READ_PARTS,
        DROP_COPY,
    ):
        is_other = kind is INSERT_ELEMENTS and not elements_of(operand.value)
        if isinstance(at, kind.of) and not is_other:
            yield LocalRewrite(at, kind)
    for conflict in conflicts:
        write, read = conflict.write.owner, conflict.read.owner if conflict.read is not None else None
        if not isinstance(write, LinalgOp) or not isinstance(read, LinalgOp) or read is write:
            continue
        # both buffers are needed only if one operation reads the old and the new value
        if any(use.owner is read for value in write.results for use in value.uses):
            one, other = (value_name(op.results[0]) for op in (write, read))
            yield LocalRewrite(write, FUSE_KEPT, f"compute {one} and {other} in one operation")
            yield LocalRewrite(write, FUSE, f"compute {one} in the operation that makes {other}")
    maker = operand.value.defining_op
    if isinstance(at, SubsetInsertionOp) and isinstance(maker, tensor.CollapseShapeOp):
        yield LocalRewrite(maker, SINK_RESHAPE)


def changes_at(
    result: AnalysisResult, operand: OpOperand, reasons: list[Reason], places: MemoryRegions | None = None
) -> Iterator[Change]:
    """Changes that may allow `operand` in place, given all reasons against it. Near-linear in the reasons.

    `places` caches memory regions; pass it when querying many operands of one program.
    """
    conflicts = [reason for reason in reasons if reason.read is not None]
    if operand.owner.results and not any(value.has_uses for value in operand.owner.results):
        yield LocalRewrite(operand.owner, DROP_UNUSED)
    yield from reads_moved_up(conflicts)
    yield from reads_hoisted(conflicts)
    yield from reads_moved_out(conflicts)
    yield from reads_before_branches(conflicts)
    yield from write_moved_down(conflicts)
    yield from sunk_into_branches(conflicts)
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
    yield from rewritten(operand, conflicts)
    yield from writing_allowed([reason.value for reason in reasons if reason.kind is ReasonKind.NOT_WRITABLE])
