"""Search for changes that resolve a conflict, alone or together, at all places at once.

A trial costs as much as the program however many changes are in it. So in each round every place that still copies tries its next change,
all in one trial; those whose copy is gone stay. A round that does no good is tried again in halves. That a program of a
thousand conflicts is analysed a handful of times, rather than a thousand, is all that matters here: which of two changes of
one place is the better is not asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...analysis.conflicts import Reason, ReasonKind
from ...analysis.naming import value_name
from ...dialects import tensor
from ...dialects.linalg.base import LinalgOp
from ...ir.program.core import BlockArgument, Operation, OpOperand
from ...ir.program.interfaces import CountedLoopOp, LoopLikeOp, SubsetInsertionOp
from ...ir.source.records import field, record
from ..fewest_copies.unroll_swaps import MAX_BODY, MAX_TURNS, turns
from .change import Change
from .destinations import (
    computed_in_place,
    destination_of_inserted,
    emptied,
    forwarded_slices,
    other_destinations,
    reads_before_branches,
    reads_hoisted,
    reads_moved_up,
    rematerialized,
    write_moved_down,
)
from .rewrites import (
    DROP_COPY,
    DROP_UNUSED,
    FUSE,
    FUSE_KEPT,
    READ_PARTS,
    REDUCE_RANK,
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
"""Changes that are tried at one place."""
MAX_HALVES = 16
"""Further trials for rounds that did no good as a whole."""


@record(eq=False)
class Subject:
    """Something that is copied.

    Attributes:
        place: the operation for which it is copied.
        changes: what may do without, the plainest first.
    """

    place: Operation
    changes: list[Change]


@record(eq=False)
class ChangePlan:
    """Changes that were tried together.

    Attributes:
        chosen: the change for each subject that is saved by one.
        outcome: what the program needs with them; None if nothing helps.
    """

    chosen: dict[Subject, Change] = field(default_factory=dict)
    outcome: TrialOutcome | None = None


def plan_together(
    trials: ChangeTrials, subjects: Sequence[Subject], at_most: int, rounds: int = MAX_ROUNDS
) -> ChangePlan:
    """Changes that together copy less, found in about `at_most` operations analysed again (one trial at least)."""
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
        """Add those of the changes that help, if they do so together; else half of them, and the other half."""
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


# Which changes are worth trying where an operand is out of place, the plainest first.

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


def rotation(result: AnalysisResult, yielded: OpOperand) -> list[BlockArgument]:
    """The arguments of a loop whose buffers trade places in a cycle with that of a yielded value; none if they do not come back."""
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
"""How often a loop is unrolled, in words."""


def unrolled(result: AnalysisResult, operand: OpOperand) -> Iterator[Change]:
    """The loop at whose end `operand` trades places with other values, unrolled until each is where it was."""
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
        yield LocalRewrite(loop, kind, f"unroll '{loop.name}' by {often}: {names} then end where they began")


def together(names: list[str]) -> str:
    """`%a, %b and %c`, in order of their names."""
    *others, last = sorted(names)
    return f"{', '.join(others)} and {last}" if others else last


def rewritten(operand: OpOperand, conflicts: list[Reason]) -> Iterator[Change]:
    """Rewrites of the operations around a copy: fused, split, a reshape after computing, parts read where they lie. O(conflicts)."""
    at = operand.owner
    for kind in (SPLIT, SINK_RESHAPE, SINK_RELAYOUT, REDUCE_RANK, READ_PARTS, DROP_COPY):
        if isinstance(at, kind.of):
            yield LocalRewrite(at, kind)
    for conflict in conflicts:
        write, read = conflict.write.owner, conflict.read.owner if conflict.read is not None else None
        if not isinstance(write, LinalgOp) or not isinstance(read, LinalgOp) or read is write:
            continue
        # only what reads the old and the new value at once needs both
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
    """Changes that may keep `operand` in place, given all that speaks against it. Near-linear in the reasons.

    Who asks for many operands of one program passes `places`, which remembers where values lie.
    """
    conflicts = [reason for reason in reasons if reason.read is not None]
    if operand.owner.results and not any(value.has_uses for value in operand.owner.results):
        yield LocalRewrite(operand.owner, DROP_UNUSED)
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
    yield from rewritten(operand, conflicts)
    yield from writing_allowed([reason.value for reason in reasons if reason.kind is ReasonKind.NOT_WRITABLE])
