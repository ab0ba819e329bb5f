"""Memory-saving changes of tensor programs: tried on a copy, bufferized, kept if the peak falls.

What a change gains is not estimated but looked up: the copy goes through the passes that `bufferize memory` runs, and each function is
compared with what it was. A function keeps its form if it would hold more at once, in buffers of its own or together with those that it
returns, or copy more bytes or in more places.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...analysis.cost_model import CostModel, runs
from ...analysis.cost_model import peak as held_at_once
from ...analysis.fixpoint import strongly_connected_components
from ...analysis.memory_plan.buffers import Buffer, bound_of
from ...analysis.memory_plan.layout import alignment_of
from ...analysis.memory_plan.lives import Lives
from ...analysis.memory_plan.order import best_order
from ...analysis.memory_plan.recompute import (
    Rematerialized,
    least_with_recomputation,
    profile,
    rematerialize,
    reordered,
)
from ...analysis.memory_plan.steps import BlockStep, Steps, Tensors, blocks_of, graph_of
from ...analysis.models.registry import ModelRegistry
from ...analysis.one_shot.analyze import analyze
from ...analysis.one_shot.options import AnalysisOptions
from ...dialects import func, tensor
from ...ir.program.builder import Builder
from ...ir.program.core import Operation, Value
from ...ir.program.interfaces import CopyOpInterface, FunctionOp
from ...ir.source.diagnostics import BufferizeError
from ...ir.source.records import record
from ..buffer_results_to_out_params import functions_in
from ..eliminate_empty_tensors import EliminateEmptyTensors, EmptyTensorToAllocTensor
from ..fewest_copies.destinations import choose_dying_operands, restore
from ..one_shot_bufferize import OneShotBufferize
from ..pass_base import Context
from .reorder import move_across_regions

MOST_ROUNDS = 4
"""How often functions that did not gain are left out, and the rest is tried again."""


@record(frozen=True)
class Held:
    """What a function holds once bufferized.

    Attributes:
        peak: the most bytes of its own buffers alive at once, those of calls included.
        with_results: the same with what it returns, each from where it is allocated.
        copies, copied: how many copies it makes, and their bytes times how often they run.
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
    """How programs are bufferized on trial."""

    options: AnalysisOptions
    registry: ModelRegistry
    assumed: int
    alignment: int = 16


@record(frozen=True)
class OrderClaim:
    """What is known of a function beyond the form it has, where what its operations were expected to hold is what it does hold.

    Attributes:
        any_order: no order of its operations has less of these buffers alive at once; 0 if nothing is known.
        any_recomputation: the same of any order in which operations may run again.
    """

    any_order: int = 0
    any_recomputation: int = 0


@record(frozen=True)
class MemoryOutcome:
    """What became of a function.

    Attributes:
        before, after: what it held; the same if it was left alone.
        transformations: what lowered the peak, in order: "order", "moves across regions", "destinations", "recomputation".
        operations, bytes: what is computed again: how many operations, and the bytes that they write.
        computed: the bytes that all operations wrote before.
        claim: what is known of the form that it has now.
    """

    before: Held
    after: Held
    transformations: tuple[str, ...] = ()
    operations: int = 0
    bytes: int = 0
    computed: int = 0
    claim: OrderClaim = OrderClaim()

    def then(self, transformation: str, after: Held, again: Sequence[Rematerialized]) -> MemoryOutcome:
        """The same after one more change."""
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
    """What is to be tried.

    Attributes:
        budget: compute again until no more is alive at once; None to compute nothing again.
        percent: how many bytes may be recomputed, in percent of the bytes computed; 0 for no limit.
        destinations: let results go into operands that die, and give each operation an empty tensor of its own.
    """

    budget: int | None = None
    percent: int = 0
    destinations: bool = False


def name_of(function: FunctionOp) -> str:
    return function.symbol_name or ""


def functions_with_bodies(root: Operation) -> list[FunctionOp]:
    return [f for f in functions_in(root) if not f.is_declaration]


def held(root: Operation, settings: TrialSettings) -> dict[str, Held] | None:
    """What each function of a program on tensors holds once bufferized; None if it cannot be. The program is left as it is."""
    copy = root.clone()
    try:
        bufferize(copy, settings)
    except BufferizeError:
        return None
    return held_of_buffers(copy, settings)


def bufferize(root: Operation, settings: TrialSettings) -> None:
    """Through the passes that `bufferize memory` runs, but for deallocation.

    Raises:
        BufferizeError: it cannot be.
    """
    options = settings.options
    context = Context(compat=options.compat or "", models=[], rules=[])
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
    """What each function of a program on buffers holds. O(operations log operations)."""
    weights = CostModel(settings.assumed)
    found: dict[str, Held] = {}
    functions = functions_with_bodies(root)
    names = {name_of(function): function for function in functions}
    callees = {f: [names[name] for name in _callees(f) if name in names] for f in functions}
    peaks: dict[str, int] = {}
    for group in strongly_connected_components(callees, callees.__getitem__):
        for function in group:
            peaks[name_of(function)] = _peak(function, peaks, settings)
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


def _peak(function: FunctionOp, peaks: dict[str, int], settings: TrialSettings) -> int:
    lives = Lives(function)
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


# -- changes


def improve(root: Operation, settings: TrialSettings, wanted: Wanted) -> dict[str, MemoryOutcome]:
    """Change functions of a program on tensors such that they hold less; what became of each. None are named if it cannot be bufferized.

    First the order, then moves across regions, destinations, and what is computed again, each kept where it gains. A handful of
    analyses and bufferizations for each of the four.
    """
    before = held(root, settings)
    if before is None:
        return {}
    enough = wanted.budget or 0
    outcomes = {name: MemoryOutcome(each, each) for name, each in before.items()}
    outcomes = _once(root, settings, _Change("order", enough=enough), outcomes)
    outcomes = _once(root, settings, _Change("moves across regions", regions=True, enough=enough), outcomes)
    ordered = (root.clone(), outcomes) if wanted.destinations and wanted.budget is not None else None
    if wanted.destinations and any(each.after.peak > enough for each in outcomes.values()):
        outcomes = _once(root, settings, _Change("destinations", destinations=True, enough=enough), outcomes)
    if wanted.budget is not None:
        again = _Change("recomputation", wanted.budget, wanted.percent, enough=enough)
        outcomes = _once(root, settings, again, outcomes)
        if ordered is not None and any(each.after.peak > wanted.budget for each in outcomes.values()):
            other, found = ordered  # a buffer that is overwritten early is one that cannot be read again
            found = _once(other, settings, again, found)
            if sum(each.after.peak for each in found.values()) < sum(e.after.peak for e in outcomes.values()):
                _become(root, other)
                outcomes = found
    claims = claims_of(root, settings, {name: each.after for name, each in outcomes.items()})
    return {
        name: MemoryOutcome(
            each.before,
            each.after,
            each.transformations,
            each.operations,
            each.bytes,
            each.computed,
            claims[name],
        )
        for name, each in outcomes.items()
    }


@record(frozen=True)
class TriedChange:
    """What would lower the peak of a function, tried on a copy of the program.

    Attributes:
        option: of `bufferize-opt`, that does it.
        outcome: what came of it.
        program: the copy, still on tensors.
        settings: how it is bufferized.
    """

    option: str
    outcome: MemoryOutcome
    program: Operation
    settings: TrialSettings

    def on_buffers(self) -> Operation:
        """The changed program, bufferized."""
        copy = self.program.clone()
        bufferize(copy, self.settings)
        return copy


def tried(root: Operation, settings: TrialSettings) -> dict[str, list[TriedChange]]:
    """What would lower the peak of each function, each tried on a copy.

    Nothing is said of what does not help. The third lowers the peak to what is left if no more than a third more is computed.
    """
    found: dict[str, list[TriedChange]] = {}
    least: dict[str, int] = {}
    for option, wanted in (
        ("-schedule-for-memory=destinations=false", Wanted()),
        ("-schedule-for-memory", Wanted(destinations=True)),
        (RECOMPUTED, Wanted(1, 33)),
    ):
        program = root.clone()
        for name, outcome in improve(program, settings, wanted).items():
            if outcome.after.peak < least.get(name, outcome.before.peak):
                least[name] = outcome.after.peak
                change = TriedChange(option.format(outcome.after.peak), outcome, program, settings)
                found.setdefault(name, []).append(change)
    return found


RECOMPUTED = '-rematerialize="budget={} percent=33"'
"""How to have recomputation go as far as it did."""


def claims_of(root: Operation, settings: TrialSettings, found: dict[str, Held]) -> dict[str, OrderClaim]:
    """What is known of other orders of each function, which holds what is said. The program is left as it is."""
    copy = root.clone()
    claims = dict.fromkeys(found, OrderClaim())
    try:
        EliminateEmptyTensors().run(copy, Context(compat=settings.options.compat or ""))
    except BufferizeError:
        return claims
    result = analyze(copy, settings.options, settings.registry)
    if result.errors:
        return claims
    tensors = Tensors(result, settings.assumed, {name: each.peak for name, each in found.items()})
    for function in functions_with_bodies(copy):
        name = name_of(function)
        if not found[name].peak or not function.body.has_one_block:
            continue
        steps = tensors.steps(function.body.entry)
        if steps is None or profile(steps, steps.steps)[1] != found[name].peak:
            continue  # buffers are not those that are expected: nothing is claimed of them
        if any(block.parent_op is not function for block in blocks_of(function)):
            continue  # what runs inside of regions has orders of its own
        order = best_order(graph_of(steps, steps.steps).tasks)
        claims[name] = OrderClaim(order.lower, least_with_recomputation(steps, steps.steps))
    return claims


@record(frozen=True)
class _Change:
    transformation: str
    budget: int | None = None
    percent: int = 0
    destinations: bool = False
    regions: bool = False
    enough: int = 0


def _once(
    root: Operation, settings: TrialSettings, change: _Change, outcomes: dict[str, MemoryOutcome]
) -> dict[str, MemoryOutcome]:
    """Make one kind of change to the functions that gain by it."""
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
                ):  # by alignment, or buffers that are not as expected
                    overshoot[name] = after[name].peak - change.budget
            if overshoot:
                continue
        _become(root, trial)
        return {
            name: each.then(change.transformation, after[name], again.get(name, ()))
            for name, each in outcomes.items()
        }
    return outcomes


def _is_gain(before: Held, after: Held, again: Sequence[Rematerialized]) -> bool:
    """Whether a function may become what it is on trial. Rematerialized copies count among what is computed again."""
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
    """Change the functions of `root`; of those that were touched, what is computed again."""
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
        if again or change.destinations or change.regions:
            changed[name] = tuple(again)
    for steps, order in todo:
        carry_out(steps, order)
    return changed


def carry_out(steps: Steps, order: Sequence[BlockStep]) -> None:
    """Give a block the steps in that order. O(operations)."""
    end = steps.block.last_op
    assert end is not None
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


def _own_destinations(function: FunctionOp) -> None:
    """Give each operation that uses a `tensor.empty` one of its own."""
    for op in [op for op in function.walk() if isinstance(op, tensor.EmptyOp)]:
        for use in list(op.results[0].uses)[1:]:
            if isinstance(use.owner, tensor.DimOp) or use.owner.may_be_terminator:
                continue
            use.value = Builder.before(use.owner).insert(op.clone()).results[0]


def _choose_destinations(root: Operation, settings: TrialSettings, names: set[str]) -> None:
    """Let results go into operands that die, and keep those choices that are in place."""
    choices = []
    for choice in choose_dying_operands(root, lambda argument: True):
        function = _function_around(choice.use.owner)
        if function is not None and name_of(function) in names:
            choices.append(choice)
        else:
            choice.use.value = choice.before
    for _ in range(MOST_ROUNDS):
        result = analyze(root, settings.options, settings.registry)
        if result.errors or not restore([c for c in choices if not result.is_in_place(c.use)]):
            return
        choices = [choice for choice in choices if choice.use.value is not choice.before]


def _function_around(op: Operation) -> FunctionOp | None:
    around = op.parent_op
    while around is not None and not isinstance(around, FunctionOp):
        around = around.parent_op
    return around
