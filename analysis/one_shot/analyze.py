"""One-Shot analysis: in-place decisions for a program.

(1) Operands that must be in place are decided, in the whole program.
(2) For each function, callees first (or for the whole program at once, if functions are not bufferized): equivalence
    through calls, checks, in-place decisions, equivalence, undefined contents, and the checks of the models.
(3) For each function, a summary for its callers.

`remarks_on_differences` names the operands that mlir-opt 22 would decide otherwise, at the cost of one more analysis.
"""

from __future__ import annotations

from functools import partial

from ...ir.defects import MLIR_22, mirrored
from ...ir.program.core import Operation, OpOperand, Value
from ...ir.program.interfaces import LoopLikeOp, SubsetInsertionOp
from ...ir.source.diagnostics import Diagnostic, error, remark
from ...ir.source.reading import collection_paused
from ...ir.source.records import replace
from ..causes import CauseKind, stated
from ..models import ModelRegistry
from ..models.base import TENSOR_TYPES, LoopModel
from . import BOTTOM_UP, FEWEST_COPIES, AnalysisOptions, InPlaceConflict, PairConflict, ReadOnly, search
from .by_position import PositionalDecisions, TensorOperation, is_allowed, tensor_operations
from .functions import CallGraph, call_graph, summarize, use_calls
from .plan import LoopCopy
from .program_answers import ModelAnswers
from .result import AnalysisResult
from .search import (
    Search,
    conflicts,
    decide,
    decide_required,
    decide_where_told,
    inside_conflict,
    touched_classes,
)
from .state import AnalysisState, derive_equivalence, tensor_operands, undefined_uses

# Checks before any decision: that the program can be bufferized, and that operands that must be in place do not conflict.
# The messages are those of mlir-opt.

CONSTRAINTS = "not bufferizable under the given constraints"


def check_control_flow(state: AnalysisState, root: Operation) -> Diagnostic | None:
    """An error at the first region with several blocks whose model does not support that."""
    for op in state.post_order(root):
        model = state.model_of(op)
        if model is None or model.supports_multiple_blocks:
            continue
        if any(not region.is_empty and not region.has_one_block for region in op.regions):
            message = (
                "op or BufferizableOpInterface implementation does not support unstructured control flow, "
                "but at least one region has multiple blocks"
            )
            return _op_error(op, message)
    return None


def check_required(
    state: AnalysisState, root: Operation, found: dict[OpOperand, InPlaceConflict]
) -> Diagnostic | None:
    """An error at the first conflict among operands that must be in place; the conflict is added to `found`."""
    checked: set[int] = set()
    for op in state.post_order(root):
        model = state.model_of(op)
        if model is None:
            continue
        refusal = model.refusal(op)
        if refusal is not None:
            return _op_error(op, refusal)
        for operand in tensor_operands(op):
            conflict = _conflict_as_decided(state, operand, checked)
            if conflict is not None:
                found[operand] = conflict
                return cannot_avoid_conflict(op)
            if operand not in state.in_place:
                continue
            classes = touched_classes(state, operand)
            if any(facts.writes.count for facts in classes) and any(f.not_writable for f in classes):
                found[operand] = ReadOnly(tuple(v for facts in classes for v in facts.not_writable))
                return _op_error(op, f"{CONSTRAINTS}: would write to read-only buffer")
    return None


def _conflict_as_decided(state: AnalysisState, operand: OpOperand, checked: set[int]) -> PairConflict | None:
    """A conflict in the alias classes of the operand and its aliases under the decisions so far."""
    classes = touched_classes(state, operand)
    if not any(facts.writes.count for facts in classes):
        return None
    for facts in classes:
        if id(facts) not in checked:
            checked.add(id(facts))
            if (conflict := inside_conflict(state, facts)) is not None:
                return conflict
    return next(conflicts(state, operand, classes, as_decided=True), None)


def cannot_avoid_conflict(op: Operation) -> Diagnostic:
    return _op_error(op, f"{CONSTRAINTS}: cannot avoid RaW conflict")


def _op_error(op: Operation, message: str) -> Diagnostic:
    return error(f"'{op.name}' op {message}", op.name_span)


@collection_paused()
def analyze(
    root: Operation,
    options: AnalysisOptions | None = None,
    registry: ModelRegistry | None = None,
    find_conflict: Search | None = None,
) -> AnalysisResult:
    """Decide which tensor operands inside `root` (usually a module) can be updated in place.

    Args:
        root: the program; not changed.
        options: see AnalysisOptions.
        registry: models of operations, by default the built-in ones.
        find_conflict: the conflict search; by default `search.find_conflict`.

    Returns:
        the decisions and their reasons. If the program cannot be bufferized, `result.errors` says why, and the decisions made
        before are kept.

    Near-linear in the program for `search.find_conflict`, the default. `fewest-copies` adds a search per function, and
    `cheapest_of_orders`.
    """
    found = analyze_once(root, options or AnalysisOptions(), registry or ModelRegistry(), find_conflict)
    return cheapest_of_orders(found, find_conflict)


@collection_paused()
def analyze_once(
    root: Operation,
    options: AnalysisOptions,
    registry: ModelRegistry,
    find_conflict: Search | None = None,
) -> AnalysisResult:
    """Like `analyze`, but `fewest-copies` keeps the result of its search without trying the greedy orders."""
    if not options.compare_parts:
        return _analyze(root, options, registry, find_conflict)
    unwritten = never_written(root, ModelAnswers(registry, options.allows, mirrored=mirrored(options.compat)))
    found = _analyze(root, options, registry, find_conflict, unwritten)
    return _without_copies_of_unwritten_inits(found, find_conflict)


MAX_FOLLOWED = 200
"""Aliases of a loop's init that are followed; one with more may be written."""


def never_written(root: Operation, answers: ModelAnswers) -> frozenset[OpOperand]:
    """The inits of loops that nothing writes through any alias, whatever is decided. O(operations + loops * MAX_FOLLOWED)."""
    inits: list[OpOperand] = []
    forwarded: dict[OpOperand, tuple[Value, ...]] = {}
    for op in root.walk():
        model = answers.model_of(op) if op.regions else None
        if isinstance(model, LoopModel):
            entries = [(use, to) for use, to in model.entries(op) if isinstance(use.value.type, TENSOR_TYPES)]
            inits += [use for use, _ in entries]
            forwarded.update(entries)
            forwarded.update((c.operand, c.receivers) for c in model.loop_carried(op, answers))
    found: set[OpOperand] = set()
    for init in inits:
        pending = list(forwarded[init])
        seen = set(pending)
        while pending and len(seen) <= MAX_FOLLOWED:
            uses = list(pending.pop().uses)
            if any(use not in forwarded and answers.writes(use) for use in uses):
                break
            onward = [alias.value for use in uses for alias in answers.aliasing_values(use)]
            onward += [value for use in uses if use in forwarded for value in forwarded[use]]
            pending += [value for value in dict.fromkeys(onward) if value not in seen]
            seen.update(onward)
        else:
            if not pending:
                found.add(init)
    return frozenset(found)


def cheapest_of_orders(found: AnalysisResult, find_conflict: Search | None = None) -> AnalysisResult:
    """For `fewest-copies`, the cheapest of the search's result and the greedy orders; else `found`.

    The search does not model some copies at calls and loops, so a greedy order may be cheaper unless the result is proven
    optimal.
    """
    options = found.options
    if options.analysis_heuristic != FEWEST_COPIES:
        return found
    from ..fewest_copies.choose import ORDERS, is_proven, planned_weight

    if not found.errors and is_proven(found):
        return found
    registry = found.unsettled.registry
    others = (
        analyze_once(found.unsettled.root, replace(options, analysis_heuristic=h), registry, find_conflict)
        for h in ORDERS
        if found.outcomes or h != BOTTOM_UP  # without a search, `found` is already the bottom-up order
    )
    return min((found, *others), key=lambda result: (bool(result.errors), planned_weight(result)))


def _without_copies_of_unwritten_inits(found: AnalysisResult, find_conflict: Search | None) -> AnalysisResult:
    """Decide again without copies of loop inits that the loop does not write; `found` if that fails or costs more.

    Models assume that a loop writes its inits. Where that depends on decisions (otherwise see `never_written`), inits unwritten
    under `found` are assumed unwritten, everything is decided again, and the assumption is checked under the new decisions.
    """
    from ..fewest_copies.choose import planned_weight
    from ..function_summaries import FunctionSummaries

    if found.errors:
        return found
    copied = [
        use
        for use in found.out_of_place()
        if isinstance(use.owner, LoopLikeOp) and found.unsettled.writes(use)
    ]
    if not copied:
        return found
    summaries = FunctionSummaries(found)
    unwritten = frozenset(use for use in copied if not summaries.may_be_updated(use))
    if not unwritten:
        return found
    state = found.state
    again = _analyze(state.root, found.options, state.registry, find_conflict, unwritten | state.unwritten)
    if again.errors or planned_weight(again) > planned_weight(found):
        return found
    check = FunctionSummaries(again)
    if any(again.is_in_place(use) and check.may_be_updated(use) for use in unwritten):
        return found
    return again


def _analyze(
    root: Operation,
    options: AnalysisOptions,
    registry: ModelRegistry,
    find_conflict: Search | None,
    unwritten: frozenset[OpOperand] = frozenset(),
) -> AnalysisResult:
    graph = call_graph(root, options.nested_modules) if options.bufferize_function_boundaries else CallGraph()
    state = AnalysisState(root, options, registry, {}, graph.targets, unwritten)
    plain: dict[Operation, list[TensorOperation]] = {}
    if find_conflict is None and is_allowed(options):
        for function in (*graph.order, *graph.cyclic):
            operations = tensor_operations(state, function) if options.allows(function) else None
            if operations is not None:
                plain[function] = operations
    for part in (root,) if not plain else (f for f in (*graph.order, *graph.cyclic) if f not in plain):
        state.classes.add(state.tensor_values(part))
        decide_required(state, part)
    state.forget_answers()
    result = AnalysisResult(state, graph)
    look = find_conflict or search.find_conflict
    if not options.bufferize_function_boundaries:
        _analyze_below(result, root, look)
        return result
    called = set(graph.targets.values())
    for functions, complete in ((graph.order, True), (graph.cyclic, False)):
        for function in functions:
            if not options.allows(function):
                continue
            if function in plain:
                decided = _decide_by_position(state, function, plain[function])
                result.add_decided(decided)
                if complete:
                    state.callees[function] = summarize(decided, function, function in called)
                continue
            use_calls(state, graph.calls[function])
            if not _analyze_below(result, function, look):
                return result
            if complete:
                state.callees[function] = summarize(state, function, function in called)
    return result


def _decide_by_position(
    state: AnalysisState, function: Operation, operations: list[TensorOperation]
) -> PositionalDecisions:
    decided = PositionalDecisions(state, function, operations)
    if state.options.analysis_heuristic == FEWEST_COPIES:
        from ..fewest_copies.choose import decide_for_fewest_copies

        decided.record_answers()
        decided.outcome = decide_for_fewest_copies(
            state, function, decided, decided.conflict, decided.conflicts
        )
    else:
        decided.decide()
    decided.derive_equivalence()
    return decided


def _analyze_below(result: AnalysisResult, root: Operation, look: Search) -> bool:
    """Analyse everything inside `root`. Returns whether it can be bufferized."""
    state = result.unsettled
    search.prepare(state, root)
    problem = check_control_flow(state, root) or check_required(state, root, result.first_conflicts)
    if problem is None:
        conflicting = decide_where_told(state, root, look, result.first_conflicts)
        problem = None if conflicting is None else cannot_avoid_conflict(conflicting)
    if problem is not None:
        result.errors.append(problem)
        return False
    if state.options.analysis_heuristic == FEWEST_COPIES:
        from ..fewest_copies.choose import decide_for_fewest_copies

        outcome = decide_for_fewest_copies(state, root, state, partial(look, state), result.first_conflicts)
        if outcome is not None:
            result.outcomes[root] = outcome
    else:
        decide(state, root, look, result.first_conflicts)
    with state.deriving_equivalence():
        derive_equivalence(state, root)
    result.undefined_uses |= undefined_uses(state, root)
    for op in state.post_order(root):
        model = state.model_of(op)
        if model is not None:
            result.errors += model.verify(op, state)
    result.analyzed.append(root)
    return not result.errors


# Remarks on operands that mlir-opt 22 decides in place although data is lost.
#
# mlir-opt 22 misses conflicts in a few situations: a write in another block of a function than the argument that it
# overwrites, regions and loops of unknown operations, results of `scf.index_switch`, results of one call that share a buffer,
# constants that a function returns, some values forwarded by loops, and slices of an outer tensor that a loop extracts and
# inserts again. Only for programs with one of these is the analysis repeated with mlir-opt's rules, and the decisions compared.

CODE = "mlir-22-loses-data"


def remarks_on_differences(result: AnalysisResult) -> list[Diagnostic]:
    """One remark for each operand that mlir-opt 22 would decide in place although data is lost. Costs one more analysis."""
    state = result.unsettled
    if state.mirrored or result.errors:
        return []
    remarks = [
        loses_data(
            copy.op,
            "result",
            "mlir-opt 22 does not copy the loaded global, which is overwritten elsewhere, and loses data",
        )
        for copy in (result.plan() if state.stored_globals(state.root) else ())
        if copy.cause.kind is CauseKind.GLOBAL_OVERWRITTEN
    ]
    for operand, cause in result.loop_copies.items():
        if cause is LoopCopy.UNSEEN:
            remarks.append(_operand_loses_data(operand))
    copied = result.out_of_place()
    if not copied or not any(may_be_decided_otherwise(state, op) for op in state.order.enter):
        return remarks
    plain = state.options.without_finer_comparisons()
    other = analyze(state.root, replace(plain, compat=MLIR_22), state.registry)
    if other.errors:
        return remarks
    copied = [operand for operand in copied if other.is_in_place(operand)]
    if copied and plain != state.options:  # the finer analysis may have copied other operands instead
        same = analyze(state.root, plain, state.registry)
        copied = [operand for operand in copied if not same.is_in_place(operand)]
    remarks += map(_operand_loses_data, copied)
    return remarks


def _operand_loses_data(operand: OpOperand) -> Diagnostic:
    message = f"mlir-opt 22 does not copy operand #{operand.index} of '{operand.owner.name}' and loses data"
    return loses_data(operand.owner, f"#{operand.index}", message)


def loses_data(op: Operation, what: str, message: str) -> Diagnostic:
    """A remark that mlir-opt 22 loses data at an operation: at `what` of it."""
    found = remark(message, op.name_span, CODE)
    found.derivation = stated(("copied", op, what), ("not copied_by_mlir_22", op, what))
    return found


def may_be_decided_otherwise(state: AnalysisState, op: Operation) -> bool:
    """Whether the operation is of a kind that mlir-opt 22 treats unsoundly. O(regions)."""
    model = state.model_of(op)
    if model is not None and model.may_lose_data_in_reference(op, state):
        return True
    if isinstance(op, SubsetInsertionOp):
        return op.subset_destination().value.parent_region is not op.parent_region
    if not op.regions or op.parent_op is None:
        return False
    if model is None and op.dialect not in ("func", "builtin"):
        return True
    return any(not region.is_empty and not region.has_one_block for region in op.regions)
