"""Memory-saving rewrites of tensor programs: tried on a copy, bufferized, kept if the peak falls.

The gain of a rewrite is measured, not estimated: the copy runs through the passes of `bufferize memory`, and each
function is compared with its previous form. A rewrite of a function is rejected if its peak grows, with or without
the buffers it returns, or if it copies more bytes or more often.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...analysis.cost_model import CostModel
from ...analysis.memory_plan.layout import AnyDecisions
from ...analysis.memory_plan.recompute import (
    Rematerialized,
    profile,
    rematerialize,
    reordered,
)
from ...analysis.memory_plan.steps import BlockStep, Steps, Tensors, blocks_of
from ...analysis.one_shot.analyze import analyze
from ...analysis.sizes import format_bytes
from ...dialects import tensor
from ...ir.program.builder import Builder
from ...ir.program.core import Operation, Value
from ...ir.program.interfaces import FunctionOp
from ...ir.source.diagnostics import BufferizeError, present
from ...ir.source.records import record, replace
from ..fewest_copies.destinations import choose_dying_operands, restore
from ..fewest_copies.trial import fingerprint, replace as replace_regions
from ..one_shot_bufferize import OneShotBufferize
from ..pass_base import Context
from ..reorder_to_save_copies import MAX_REASONS, move_reads, moves_for
from .reorder import move_across_regions
from .trials import (
    Held,
    MemoryTrial,
    MemoryTrials,
    TrialSettings,
    eliminate_empty_tensors,
    functions_with_bodies,
    name_of,
    one_shot,
)

MOST_ROUNDS = 4
"""The number of rounds; each rejects the functions without gain and retries the rest."""


@record(frozen=True)
class OrderClaim:
    """Lower bounds on the peak of a function.

    Attributes:
        any_order: no order of its operations has a lower peak, whatever One-Shot decides in it; 0 if nothing is known.
        any_recomputation: the same for any order in which operations may run repeatedly.
        these_decisions: no order has a lower peak if the same operands are in place as now; 0 if nothing is known.
    """

    any_order: int = 0
    any_recomputation: int = 0
    these_decisions: int = 0

    def of_orders(self, peak: int) -> str:
        """What is known of other orders of a function with this peak."""
        if not self.any_order:
            return "of this order and these buffers"
        if peak <= self.any_order:
            return "the least of any order"
        known = f"no order holds less than {format_bytes(self.any_order)}"
        return f"the least with these in-place decisions, {known}" if peak <= self.these_decisions else known


@record(frozen=True)
class MemoryOutcome:
    """The outcome for one function.

    Attributes:
        before, after: the memory held; equal if the function is unchanged.
        transformations: what lowered the peak, in order: "order", "reads before writes", "moves across regions",
            "destinations", "destination passing", "recomputation".
        operations, bytes: the recomputed operations and the bytes that they write.
        computed: the bytes that all operations wrote before.
        claim: the lower bounds for the final form.
    """

    before: Held
    after: Held
    transformations: tuple[str, ...] = ()
    operations: int = 0
    bytes: int = 0
    computed: int = 0
    claim: OrderClaim = OrderClaim()

    def then(self, transformation: str, after: Held, again: Sequence[Rematerialized]) -> MemoryOutcome:
        """The outcome after one more rewrite."""
        transformations = (
            (*self.transformations, transformation) if after.peak < self.after.peak else self.transformations
        )
        return MemoryOutcome(
            self.before,
            after,
            transformations,
            self.operations + sum(each.operations for each in again),
            self.bytes + sum(each.bytes for each in again),
            max(self.computed, sum(each.computed for each in again)),
        )


@record(frozen=True)
class Wanted:
    """The rewrites to try.

    Attributes:
        budget: rematerialize until the peak is within this many bytes; None for no rematerialization.
        percent: the limit on rematerialized bytes, in percent of the bytes computed; 0 for no limit.
        destinations: reuse dying operands as destinations, and give each operation an empty tensor of its own.
        claims: bound the peaks of functions that stay as high as they were, too.
    """

    budget: int | None = None
    percent: int = 0
    destinations: bool = False
    claims: bool = True


# -- rewrites


def improve(
    root: Operation, settings: TrialSettings, wanted: Wanted, trials: MemoryTrials | None = None
) -> dict[str, MemoryOutcome]:
    """Rewrite the functions of a tensor program to hold less memory; the outcome by function, empty if
    bufferization fails.

    Tries reordering, moves across regions, destinations and rematerialization in turn and keeps each where it
    gains. A handful of analyses and bufferizations for each of the four.

    Args:
        trials: what is known of forms of the program under these settings; completed.
    """
    trials = trials or MemoryTrials(settings)
    before = trials.held(root)
    if before is None:
        return {}
    enough = wanted.budget or 0
    trial = MemoryTrial(root, trials)
    outcomes = {name: MemoryOutcome(each, each) for name, each in before.items()}
    outcomes = _once(trial, _Change("order", enough=enough), outcomes)
    outcomes = _once(trial, _Change("reads before writes", reads_first=True, enough=enough), outcomes)
    outcomes = _once(trial, _Change("moves across regions", regions=True, enough=enough), outcomes)
    ordered = (root.clone(), outcomes) if wanted.destinations and wanted.budget is not None else None
    if wanted.destinations and any(each.after.peak > enough for each in outcomes.values()):
        outcomes = _once(trial, _Change("destinations", destinations=True, enough=enough), outcomes)
        outcomes = _once(trial, _Change("destination passing", passing=True, enough=enough), outcomes)
    if wanted.budget is not None:
        again = _Change("recomputation", wanted.budget, wanted.percent, enough=enough)
        outcomes = _once(trial, again, outcomes)
        if ordered is not None and any(each.after.peak > wanted.budget for each in outcomes.values()):
            other, found = ordered  # a buffer that is overwritten early cannot be read again
            found = _once(MemoryTrial(other, trials), again, found)
            if sum(each.after.peak for each in found.values()) < sum(e.after.peak for e in outcomes.values()):
                replace_regions(root, other)
                trial = MemoryTrial(root, trials)
                outcomes = found
    if not wanted.claims and all(each.after.peak >= each.before.peak for each in outcomes.values()):
        return outcomes
    claims = claims_of(trial, {name: each.after for name, each in outcomes.items()})
    return {name: replace(each, claim=claims[name]) for name, each in outcomes.items()}


@record(frozen=True)
class TriedChange:
    """A rewrite that would lower the peak of a function, tried on a copy of the program.

    Attributes:
        option: the option of `bufferize-opt` that applies it.
        outcome: the measured outcome.
        program: the copy, still on tensors.
        settings: how it is bufferized.
    """

    option: str
    outcome: MemoryOutcome
    program: Operation
    settings: TrialSettings

    def on_buffers(self) -> Operation:
        """The rewritten program, bufferized."""
        copy = self.program.clone()
        eliminate_empty_tensors(copy, self.settings)
        one_shot(copy, self.settings)
        return copy


def tried(root: Operation, settings: TrialSettings) -> dict[str, list[TriedChange]]:
    """The rewrites that would lower the peak of each function, each tried on a copy.

    Rewrites without gain are omitted. Rematerialization may compute up to a third more bytes.
    """
    found: dict[str, list[TriedChange]] = {}
    least: dict[str, int] = {}
    trials = MemoryTrials(settings)
    for option, wanted in (
        ("-schedule-for-memory=destinations=false", Wanted()),
        ("-schedule-for-memory", Wanted(destinations=True)),
        (RECOMPUTED, Wanted(1, 33)),
    ):
        program = root.clone()
        for name, outcome in improve(program, settings, wanted, trials).items():
            if outcome.after.peak < least.get(name, outcome.before.peak):
                least[name] = outcome.after.peak
                change = TriedChange(option.format(outcome.after.peak), outcome, program, settings)
                found.setdefault(name, []).append(change)
    return found


RECOMPUTED = '-rematerialize="budget={} percent=33"'
"""The option for rematerialization down to the peak that the trial reached."""


def claims_of(trial: MemoryTrial, found: dict[str, Held]) -> dict[str, OrderClaim]:
    """Lower bounds for each function that holds what `found` says. The program is left unchanged."""
    claims = dict.fromkeys(found, OrderClaim())
    root, settings = trial.root, trial.settings
    copy, peaks = root.clone(), {name: each.peak for name, each in found.items()}
    if not any(peaks.values()):
        return claims
    any_result = trial.decided()
    try:
        eliminate_empty_tensors(copy, settings)
    except BufferizeError:
        return claims
    if fingerprint(copy) == fingerprint(root):
        copy, result = root, any_result
    else:
        result = analyze(copy, settings.options, settings.registry)
    if result.errors or any_result.errors:
        return claims
    tensors = Tensors(result, settings.assumed, peaks)
    any_decisions = AnyDecisions(any_result, settings.assumed, peaks)
    for function, eliminated in zip(functions_with_bodies(root), functions_with_bodies(copy), strict=True):
        name = name_of(function)
        if not peaks[name] or not function.body.has_one_block:
            continue
        steps = tensors.steps(eliminated.body.entry)
        if steps is None or profile(steps, steps.steps)[1] != peaks[name]:
            continue  # the peak counts other buffers than the bounds do
        if any(block.parent_op is not function for block in blocks_of(function)):
            continue  # nested regions have orders of their own
        any_order, any_recomputation = any_decisions.bounds(function.body.entry)
        least = peaks[name] if any_order == peaks[name] else reordered(steps, steps.steps)[1].lower
        claims[name] = OrderClaim(any_order, any_recomputation, least)
    return claims


@record(frozen=True)
class _Change:
    transformation: str
    budget: int | None = None
    percent: int = 0
    destinations: bool = False
    regions: bool = False
    reads_first: bool = False
    passing: bool = False
    enough: int = 0


def _once(
    trial: MemoryTrial, change: _Change, outcomes: dict[str, MemoryOutcome]
) -> dict[str, MemoryOutcome]:
    """Apply one kind of rewrite to the functions that gain by it."""
    now = {name: each.after for name, each in outcomes.items()}
    left_alone: set[str] = set()
    overshoot: dict[str, int] = {}
    for _ in range(MOST_ROUNDS):
        again = _changed(trial, change, now, left_alone, overshoot)
        if not trial.changed() or not again:
            break
        after = trial.held()
        if after is None:
            break
        worse = {name for name in again if not _is_gain(now[name], after[name], again[name])}
        if not worse and change.budget is not None and not overshoot:
            for name, blocks in again.items():
                expected = max((each.peak for each in blocks), default=after[name].peak)
                if (
                    expected <= change.budget < after[name].peak
                ):  # through alignment, or because the buffers are not the expected ones
                    overshoot[name] = after[name].peak - change.budget
            if overshoot:
                trial.reject()
                continue
        if not worse and trial.settings.any_pipeline:
            worse = _worse_with_empty_tensors(trial, again)
        if not worse:
            trial.accept()
            return {
                name: each.then(change.transformation, after[name], again.get(name, ()))
                for name, each in outcomes.items()
            }
        left_alone |= worse
        trial.reject()
    trial.reject()
    return outcomes


def _worse_with_empty_tensors(trial: MemoryTrial, again: dict[str, tuple[Rematerialized, ...]]) -> set[str]:
    """The changed functions that lose where empty tensors are not eliminated."""
    before, after = trial.held_before(False), trial.held(False)
    if before is None or after is None:
        return set() if before is None else set(again)
    return {name for name in again if not _is_gain(before[name], after[name], again[name])}


def _is_gain(before: Held, after: Held, again: Sequence[Rematerialized]) -> bool:
    """Whether the trial form of a function is accepted. Copies of rematerialized values count as recomputation."""
    if again and after.peak < before.peak:
        more, bytes = (sum(each.operations for each in again), sum(each.bytes for each in again))
        return after.copies <= before.copies + max(more, 0) and after.copied <= before.copied + max(bytes, 0)
    return after.is_no_worse_than(before)


def _changed(
    trial: MemoryTrial,
    change: _Change,
    before: dict[str, Held],
    left_alone: set[str],
    overshoot: dict[str, int],
) -> dict[str, tuple[Rematerialized, ...]]:
    """Rewrite the functions of a program; returns the rematerialized operations of those that changed."""
    functions = [
        f
        for f in functions_with_bodies(trial.root)
        if name_of(f) not in left_alone and before[name_of(f)].peak > max(change.enough, 0)
    ]
    names = {name_of(f) for f in functions}
    is_rewritten = False
    if functions and (change.regions or change.reads_first or change.destinations or change.passing):
        trial.begin()
        names = _rewritten(trial, change, functions)
        is_rewritten = trial.changed()
        if change.passing or (not is_rewritten and not change.destinations):
            return dict.fromkeys(names, ())
        functions = [function for function in functions if name_of(function) in names]
    if not functions or (result := trial.decided()).errors:
        return {}
    tensors = Tensors(result, trial.settings.assumed, {name: each.peak for name, each in before.items()})
    todo: list[tuple[Steps, list[BlockStep]]] = []
    changed: dict[str, tuple[Rematerialized, ...]] = {}
    for function in functions:
        name = name_of(function)
        again: list[Rematerialized] = []
        for block in blocks_of(function):
            steps = tensors.steps(block)
            if steps is None:
                continue
            order, found = reordered(steps, steps.steps, change.enough)
            is_own = block.parent_op is function
            if not is_own:
                tensors.note_peak(block, found.peak)
            if change.budget is not None and is_own:
                budget = change.budget - overshoot.get(name, 0)
                if found.peak > budget:
                    most = sum(steps.written) * change.percent // 100 if change.percent else None
                    remade = rematerialize(steps, order, budget, most)
                    if remade.peak < found.peak:
                        again.append(remade)
                        order = remade.steps
            if any(step.op != i for i, step in enumerate(order)):
                todo.append((steps, order))
                changed[name] = ()
        if again or is_rewritten:
            changed[name] = tuple(again)
    if todo:
        trial.begin()
        for steps, order in todo:
            carry_out(steps, order)
        trial.forget()
    return changed


def _rewritten(trial: MemoryTrial, change: _Change, functions: list[FunctionOp]) -> set[str]:
    """Rewrite functions before they are reordered; returns the names of those that may have changed."""
    root, names = trial.root, {name_of(f) for f in functions}
    if change.regions:
        weights = CostModel(trial.settings.assumed)
        return {name_of(function) for function in functions if move_across_regions(function, weights)}
    if change.reads_first:
        return names if _read_first(trial, names) else set()
    if change.passing:
        return set(_pass_destinations(root, trial.settings, names))
    for function in functions:
        _own_destinations(function)
    _choose_destinations(root, trial.settings, names)
    return names


def carry_out(steps: Steps, order: Sequence[BlockStep]) -> None:
    """Rearrange a block to the given order of steps. O(operations)."""
    end = present(steps.block.last_op)
    made: dict[int, Value] = dict(enumerate(steps.values))
    ops: list[Operation] = []
    for step in order:
        base, op = steps.steps[step.op], steps.ops[step.op]
        if step.makes == base.makes:
            ops.append(op)
            continue
        mapping = {steps.values[old]: made[new] for old, new in zip(base.needs, step.needs, strict=True)}
        clone = op.clone(mapping)
        for new, result in zip(step.makes, clone.results, strict=True):
            made[new] = result
        ops.append(clone)
    for op, step in zip(ops, order, strict=True):
        base = steps.steps[step.op]
        if step.makes == base.makes and step.needs != base.needs:
            renamed = {
                steps.values[old]: made[new]
                for old, new in zip(base.needs, step.needs, strict=True)
                if old != new
            }
            for inner in op.walk():
                for use in inner.op_operands:
                    if use.value in renamed:
                        use.value = renamed[use.value]
    kept = set(ops)
    for op in ops:
        if op.block is None:
            steps.block.insert_before(op, end)
        else:
            op.move_before(end)
    for op in reversed(steps.ops):
        if op not in kept:
            op.erase()


def _read_first(trial: MemoryTrial, names: set[str]) -> bool:
    """Move reads before the writes that would otherwise need buffers of their own; whether any moved."""
    result = trial.decided()
    is_moved = False
    for operand in [] if result.errors else result.out_of_place():
        function = operand.owner.parent_of_type(FunctionOp)
        if function is not None and name_of(function) in names:
            moves = moves_for(result.reasons(operand, MAX_REASONS))
            if moves:
                move_reads(moves, {})
                is_moved = True
    return is_moved


def _own_destinations(function: FunctionOp) -> None:
    """Give each user of a `tensor.empty` one of its own."""
    for op in [op for op in function.walk() if isinstance(op, tensor.EmptyOp)]:
        for use in list(op.results[0].uses)[1:]:
            if isinstance(use.owner, tensor.DimOp) or use.owner.may_be_terminator:
                continue
            use.value = Builder.before(use.owner).insert(op.clone()).results[0]


def _choose_destinations(root: Operation, settings: TrialSettings, names: set[str]) -> None:
    """Let results overwrite operands that die, keeping the choices that bufferize in place."""
    choices = []
    for choice in choose_dying_operands(root, lambda argument: True):
        function = choice.use.owner.parent_of_type(FunctionOp)
        if function is not None and name_of(function) in names:
            choices.append(choice)
        else:
            choice.use.value = choice.before
    for _ in range(MOST_ROUNDS):
        result = analyze(root, settings.options, settings.registry)
        if result.errors or not restore([c for c in choices if not result.is_in_place(c.use)]):
            return
        choices = [choice for choice in choices if choice.use.value is not choice.before]


def _pass_destinations(root: Operation, settings: TrialSettings, names: set[str]) -> list[str]:
    """Compute what is inserted, yielded or assembled in its destination; the names of the functions that changed."""
    before = {name_of(function): function.clone() for function in functions_with_bodies(root)}
    options = settings.options
    OneShotBufferize(
        bufferize_function_boundaries=options.bufferize_function_boundaries,
        allow_return_allocs_from_loops=options.allow_return_allocs_from_loops,
        analysis_heuristic=options.analysis_heuristic,
        **dict.fromkeys(PASSING, True),
    ).prepare(root, Context(compat=options.compat or ""), settings.registry, tried={}, is_decided=False)
    changed: list[str] = []
    for function in functions_with_bodies(root):
        name = name_of(function)
        if name not in names:
            replace_regions(function, before[name])
        elif fingerprint(function) != fingerprint(before[name]):
            changed.append(name)
    return changed


PASSING = ("destination_passing", "choose_destinations", "eliminate_dead_inits")
"""The rewrites of `fewest-copies` that choose where results are computed."""
