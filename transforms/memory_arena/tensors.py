"""Memory-saving rewrites of tensor programs: tried on a copy, bufferized, kept if the peak falls.

The gain of a rewrite is measured, not estimated: the copy runs through the passes of `bufferize memory`, and each
function is compared with its previous form. A rewrite of a function is rejected if its peak grows, with or without
the buffers it returns, or if it copies more bytes or more often.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...analysis.cost_model import CostModel, peak as held_at_once, runs
from ...analysis.fixpoint import strongly_connected_components
from ...analysis.freeing.calls import CallsOfProgram
from ...analysis.memory_plan.buffers import Buffer, bound_of
from ...analysis.memory_plan.layout import AnyDecisions, alignment_of
from ...analysis.memory_plan.lives import Lives
from ...analysis.memory_plan.recompute import (
    Rematerialized,
    profile,
    rematerialize,
    reordered,
)
from ...analysis.memory_plan.steps import BlockStep, Steps, Tensors, blocks_of
from ...analysis.models import ModelRegistry
from ...analysis.one_shot import AnalysisOptions
from ...analysis.one_shot.analyze import analyze
from ...dialects import func, tensor
from ...ir.program.builder import Builder
from ...ir.program.core import Operation, Value
from ...ir.program.interfaces import CopyOpInterface, FunctionOp
from ...ir.source.diagnostics import BufferizeError, present
from ...ir.source.records import record, replace
from ..buffer_results_to_out_params import functions_in
from ..eliminate_empty_tensors import EliminateEmptyTensors, EmptyTensorToAllocTensor
from ..fewest_copies.destinations import choose_dying_operands, restore
from ..fewest_copies.trial import fingerprint
from ..one_shot_bufferize import OneShotBufferize
from ..pass_base import Context
from ..reorder_to_save_copies import MAX_REASONS, move_reads, moves_for
from .reorder import move_across_regions

MOST_ROUNDS = 4
"""The number of rounds; each rejects the functions without gain and retries the rest."""


@record(frozen=True)
class Held:
    """The memory that a function holds once bufferized.

    Attributes:
        peak: the most bytes of its own buffers alive at once, its callees' included.
        with_results: the same including returned buffers, from their allocation on.
        copies, copied: the number of copies, and their bytes times their execution counts.
    """

    peak: int
    with_results: int
    copies: int
    copied: int

    def is_no_worse_than(self, other: Held) -> bool:
        return (
            self.peak <= other.peak
            and self.with_results <= other.with_results
            and self.copies <= other.copies
            and self.copied <= other.copied
        )


@record(frozen=True)
class TrialSettings:
    """How trial programs are bufferized.

    Attributes:
        any_pipeline: whether functions must not hold more without -eliminate-empty-tensors, either.
    """

    options: AnalysisOptions
    registry: ModelRegistry
    assumed: int
    alignment: int = 16
    any_pipeline: bool = False


@record(frozen=True)
class OrderClaim:
    """Lower bounds on the peak of a function, whatever One-Shot decides in another order.

    Attributes:
        any_order: no order of its operations has a lower peak; 0 if nothing is known.
        any_recomputation: the same for any order in which operations may run repeatedly.
    """

    any_order: int = 0
    any_recomputation: int = 0


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
    """

    budget: int | None = None
    percent: int = 0
    destinations: bool = False


def name_of(function: FunctionOp) -> str:
    return function.symbol_name or ""


def functions_with_bodies(root: Operation) -> list[FunctionOp]:
    return [f for f in functions_in(root) if not f.is_declaration]


def held(root: Operation, settings: TrialSettings, eliminate: bool = True) -> dict[str, Held] | None:
    """The memory that each function of a tensor program holds once bufferized; None if bufferization fails.

    The program is left unchanged.
    """
    copy = root.clone()
    try:
        bufferize(copy, settings, eliminate)
    except BufferizeError:
        return None
    return held_of_buffers(copy, settings)


def bufferize(root: Operation, settings: TrialSettings, eliminate: bool = True) -> None:
    """Run the passes of `bufferize memory`, except deallocation; -eliminate-empty-tensors only if asked.

    Raises:
        BufferizeError: bufferization fails.
    """
    options = settings.options
    context = Context(compat=options.compat or "", models=[], rules=[])
    if eliminate:
        EliminateEmptyTensors().run(root, context)
    EmptyTensorToAllocTensor().run(root, context)
    OneShotBufferize(
        bufferize_function_boundaries=options.bufferize_function_boundaries,
        allow_return_allocs_from_loops=options.allow_return_allocs_from_loops,
        analysis_heuristic=options.analysis_heuristic,
    ).run(root, context)
    if context.diagnostics.has_errors:
        raise BufferizeError(context.diagnostics.diagnostics)


def held_of_buffers(root: Operation, settings: TrialSettings) -> dict[str, Held]:
    """The memory that each function of a buffer program holds. O(operations log operations)."""
    weights = CostModel(settings.assumed)
    found: dict[str, Held] = {}
    functions = functions_with_bodies(root)
    names = {name_of(function): function for function in functions}
    callees = {f: [names[name] for name in _callees(f) if name in names] for f in functions}
    peaks: dict[str, int] = {}
    calls = CallsOfProgram()
    for group in strongly_connected_components(callees, callees.__getitem__):
        for function in group:
            peaks[name_of(function)] = _peak(function, peaks, settings, calls)
    for function in functions:
        copies = [op for op in function.walk() if isinstance(op, CopyOpInterface)]
        copied = sum(weights.bytes_of(op.copy_source()) * runs(op) for op in copies)
        with_results = held_at_once(function, weights)
        found[name_of(function)] = Held(peaks[name_of(function)], with_results, len(copies), copied)
    return found


def _callees(function: FunctionOp) -> list[str]:
    return list(
        dict.fromkeys(op.callee_symbol().root for op in function.walk() if isinstance(op, func.CallOp))
    )


def _peak(function: FunctionOp, peaks: dict[str, int], settings: TrialSettings, calls: CallsOfProgram) -> int:
    lives = Lives(function, calls)
    spaces: dict[object, list[Buffer]] = {}
    for life in lives.buffers:
        if not life.obstacle and life.amount is not None:
            size = life.amount.with_extents(lambda value: settings.assumed)
            aligned = alignment_of(life.alloc, settings.alignment)
            space = life.alloc.memref_type.memory_space
            spaces.setdefault(space, []).append(Buffer(life.begin, life.end, size, aligned))
    for at, op in enumerate(lives.order):
        if isinstance(op, func.CallOp) and peaks.get(op.callee_symbol().root):
            size = peaks[op.callee_symbol().root]
            spaces.setdefault(None, []).append(Buffer(at, at + 1, size, settings.alignment))
    return sum(bound_of(buffers) for buffers in spaces.values())


# -- rewrites


def improve(
    root: Operation, settings: TrialSettings, wanted: Wanted, before: dict[str, Held] | None = None
) -> dict[str, MemoryOutcome]:
    """Rewrite the functions of a tensor program to hold less memory; the outcome by function, empty if
    bufferization fails.

    Tries reordering, moves across regions, destinations and rematerialization in turn and keeps each where it
    gains. A handful of analyses and bufferizations for each of the four.

    Args:
        before: what the functions hold now, if it is known.
    """
    before = before or held(root, settings)
    if before is None:
        return {}
    enough = wanted.budget or 0
    outcomes = {name: MemoryOutcome(each, each) for name, each in before.items()}
    outcomes = _once(root, settings, _Change("order", enough=enough), outcomes)
    outcomes = _once(
        root, settings, _Change("reads before writes", reads_first=True, enough=enough), outcomes
    )
    outcomes = _once(root, settings, _Change("moves across regions", regions=True, enough=enough), outcomes)
    ordered = (root.clone(), outcomes) if wanted.destinations and wanted.budget is not None else None
    if wanted.destinations and any(each.after.peak > enough for each in outcomes.values()):
        outcomes = _once(root, settings, _Change("destinations", destinations=True, enough=enough), outcomes)
        passed = _Change("destination passing", passing=True, enough=enough)
        outcomes = _once(root, settings, passed, outcomes)
    if wanted.budget is not None:
        again = _Change("recomputation", wanted.budget, wanted.percent, enough=enough)
        outcomes = _once(root, settings, again, outcomes)
        if ordered is not None and any(each.after.peak > wanted.budget for each in outcomes.values()):
            other, found = ordered  # a buffer that is overwritten early cannot be read again
            found = _once(other, settings, again, found)
            if sum(each.after.peak for each in found.values()) < sum(e.after.peak for e in outcomes.values()):
                _become(root, other)
                outcomes = found
    claims = claims_of(root, settings, {name: each.after for name, each in outcomes.items()})
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
        bufferize(copy, self.settings)
        return copy


def tried(root: Operation, settings: TrialSettings) -> dict[str, list[TriedChange]]:
    """The rewrites that would lower the peak of each function, each tried on a copy.

    Rewrites without gain are omitted. Rematerialization may compute up to a third more bytes.
    """
    found: dict[str, list[TriedChange]] = {}
    least: dict[str, int] = {}
    before = held(root, settings)
    if before is None:
        return found
    for option, wanted in (
        ("-schedule-for-memory=destinations=false", Wanted()),
        ("-schedule-for-memory", Wanted(destinations=True)),
        (RECOMPUTED, Wanted(1, 33)),
    ):
        program = root.clone()
        for name, outcome in improve(program, settings, wanted, before).items():
            if outcome.after.peak < least.get(name, outcome.before.peak):
                least[name] = outcome.after.peak
                change = TriedChange(option.format(outcome.after.peak), outcome, program, settings)
                found.setdefault(name, []).append(change)
    return found


RECOMPUTED = '-rematerialize="budget={} percent=33"'
"""The option for rematerialization down to the peak that the trial reached."""


def claims_of(root: Operation, settings: TrialSettings, found: dict[str, Held]) -> dict[str, OrderClaim]:
    """Lower bounds for each function that holds what `found` says. The program is left unchanged."""
    claims = dict.fromkeys(found, OrderClaim())
    copy, peaks = root.clone(), {name: each.peak for name, each in found.items()}
    if not any(peaks.values()):
        return claims
    any_result = analyze(root, settings.options, settings.registry)
    try:
        EliminateEmptyTensors().run(copy, Context(compat=settings.options.compat or ""))
    except BufferizeError:
        return claims
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
        claims[name] = OrderClaim(*any_decisions.bounds(function.body.entry))
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
    root: Operation, settings: TrialSettings, change: _Change, outcomes: dict[str, MemoryOutcome]
) -> dict[str, MemoryOutcome]:
    """Apply one kind of rewrite to the functions that gain by it."""
    now = {name: each.after for name, each in outcomes.items()}
    left_alone: set[str] = set()
    overshoot: dict[str, int] = {}
    for _ in range(MOST_ROUNDS):
        trial = root.clone()
        again = _changed(trial, settings, change, now, left_alone, overshoot)
        if not again:
            return outcomes
        after = held(trial, settings)
        if after is None:
            return outcomes
        worse = {name for name in again if not _is_gain(now[name], after[name], again[name])}
        if worse:
            left_alone |= worse
            continue
        if change.budget is not None and not overshoot:
            for name, blocks in again.items():
                expected = max((each.peak for each in blocks), default=after[name].peak)
                if (
                    expected <= change.budget < after[name].peak
                ):  # through alignment, or because the buffers are not the expected ones
                    overshoot[name] = after[name].peak - change.budget
            if overshoot:
                continue
        if settings.any_pipeline and (worse := _worse_with_empty_tensors(root, trial, settings, again)):
            left_alone |= worse
            continue
        _become(root, trial)
        return {
            name: each.then(change.transformation, after[name], again.get(name, ()))
            for name, each in outcomes.items()
        }
    return outcomes


def _worse_with_empty_tensors(
    root: Operation,
    trial: Operation,
    settings: TrialSettings,
    again: dict[str, tuple[Rematerialized, ...]],
) -> set[str]:
    """The changed functions that lose where empty tensors are not eliminated."""
    before, after = held(root, settings, False), held(trial, settings, False)
    if before is None or after is None:
        return set() if before is None else set(again)
    return {name for name in again if not _is_gain(before[name], after[name], again[name])}


def _is_gain(before: Held, after: Held, again: Sequence[Rematerialized]) -> bool:
    """Whether the trial form of a function is accepted. Copies of rematerialized values count as recomputation."""
    if again and after.peak < before.peak:
        more, bytes = (sum(each.operations for each in again), sum(each.bytes for each in again))
        return after.copies <= before.copies + max(more, 0) and after.copied <= before.copied + max(bytes, 0)
    return after.is_no_worse_than(before)


def _become(root: Operation, other: Operation) -> None:
    for region, new in zip(root.regions, other.regions, strict=True):
        for block in list(region):
            block.erase()
        region.take_blocks(new)


def _changed(
    root: Operation,
    settings: TrialSettings,
    change: _Change,
    before: dict[str, Held],
    left_alone: set[str],
    overshoot: dict[str, int],
) -> dict[str, tuple[Rematerialized, ...]]:
    """Rewrite the functions of `root`; returns the rematerialized operations of those that changed."""
    functions = [
        f
        for f in functions_with_bodies(root)
        if name_of(f) not in left_alone and before[name_of(f)].peak > max(change.enough, 0)
    ]
    if change.regions:
        weights = CostModel(settings.assumed)
        functions = [function for function in functions if move_across_regions(function, weights)]
    if not functions:
        return {}
    if change.reads_first and not _read_first(root, settings, {name_of(f) for f in functions}):
        return {}
    if change.passing:
        return dict.fromkeys(_pass_destinations(root, settings, {name_of(f) for f in functions}), ())
    if change.destinations:
        for function in functions:
            _own_destinations(function)
        _choose_destinations(root, settings, {name_of(f) for f in functions})
    result = analyze(root, settings.options, settings.registry)
    if result.errors:
        return {}
    tensors = Tensors(result, settings.assumed, {name: each.peak for name, each in before.items()})
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
        if again or change.destinations or change.regions or change.reads_first:
            changed[name] = tuple(again)
    for steps, order in todo:
        carry_out(steps, order)
    return changed


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


def _read_first(root: Operation, settings: TrialSettings, names: set[str]) -> bool:
    """Move reads before the writes that would otherwise need buffers of their own; whether any moved."""
    result = analyze(root, settings.options, settings.registry)
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
    ).prepare(root, Context(compat=options.compat or ""), settings.registry)
    changed: list[str] = []
    for function in functions_with_bodies(root):
        name = name_of(function)
        if name not in names:
            _become(function, before[name])
        elif fingerprint(function) != fingerprint(before[name]):
            changed.append(name)
    return changed


PASSING = ("destination_passing", "choose_destinations", "eliminate_dead_inits")
"""The rewrites of `fewest-copies` that choose where results are computed."""
