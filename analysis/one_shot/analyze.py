"""One-Shot analysis from a program and options to in-place decisions.

(1) what must be in place, in the whole program;
(2) for each function, callees first (or for the whole program at once, if functions are not bufferized):
    equivalence through calls, checks, decisions, equivalence, undefined contents, and what the operations
    themselves find wrong;
(3) for each function, what its callers may know.
"""

from __future__ import annotations

from ...ir.program.core import Operation, OpOperand
from ...ir.program.interfaces import LoopLikeOp
from ...ir.source.diagnostics import Diagnostic, error
from ...ir.source.reading import collection_paused
from ...ir.source.records import replace
from ..models.registry import ModelRegistry
from . import search
from .by_position import ByPosition, PlainOperation, is_allowed, plain_operations
from .decide import Search, decide, decide_required, decide_where_told
from .decided import InPlaceConflict, PairConflict, ReadOnly
from .equivalence import derive_equivalence, undefined_uses
from .functions import CallGraph, call_graph, summarize, use_calls
from .options import BOTTOM_UP, FEWEST_COPIES, AnalysisOptions
from .result import AnalysisResult
from .search import conflicts, inside_conflict, touched_classes
from .state import AnalysisState, tensor_operands

# What is checked before anything is decided: that the program can be bufferized at all, and that what must be in
# place does not contradict itself. The messages are those of mlir-opt.

CONSTRAINTS = "not bufferizable under the given constraints"


def check_control_flow(state: AnalysisState, root: Operation) -> Diagnostic | None:
    """The first operation with several blocks whose model does not support that."""
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
    """The first contradiction among operands that must be in place; the conflict goes to `found`."""
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
    """A conflict among the classes of the operand and its aliases, without assuming that it is in place itself."""
    classes = touched_classes(state, operand)
    if not any(facts.writes.count for facts in classes):
        return None
    for facts in classes:
        if id(facts) not in checked:
            checked.add(id(facts))
            conflict = inside_conflict(state, facts)
            if conflict is not None:
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
        find_conflict: how to look for what speaks against an operand; `plain.find_conflict` is the slow judge.

    Returns:
        decisions and reasons. If the program cannot be bufferized, `result.errors` says why, and
        what was decided up to there is kept.

    Near-linear in the program for `search.find_conflict`, the default. For fewest copies the search comes on top, function
    by function, and `cheapest_of_orders` on top of that.
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
    """As `analyze`, but for fewest copies what the search says, without a look at other orders."""
    found = _analyze(root, options, registry, find_conflict)
    return _spare_loops(found, find_conflict) if options.compare_parts else found


def cheapest_of_orders(found: AnalysisResult, find_conflict: Search | None = None) -> AnalysisResult:
    """For fewest copies the cheapest of what the search found and of each order, unless the first is proven to be; else `found`.

    What the search leaves out (copies that depend on what calls share, and some of loops) may make another order cheaper.
    """
    options = found.options
    if options.analysis_heuristic != FEWEST_COPIES:
        return found
    from ..fewest_copies.choose import ORDERS, is_proven, planned_weight

    if not found.errors and is_proven(found):
        return found
    registry = found.state.registry
    others = (
        analyze_once(found.state.root, replace(options, analysis_heuristic=h), registry, find_conflict)
        for h in ORDERS
        if found.outcomes or h != BOTTOM_UP  # where nothing was searched, that is the order that was taken
    )
    return min((found, *others), key=lambda result: (bool(result.errors), planned_weight(result)))


def _spare_loops(found: AnalysisResult, find_conflict: Search | None) -> AnalysisResult:
    """The same without the copies of what loops start with and do not write.

    A loop is taken to write what it starts with. Which ones do not is only known once everything is decided: so that is
    assumed, decided again, and checked for the new decisions. If it does not hold for all of them, nothing is changed.
    """
    from ..fewest_copies.choose import planned_weight
    from ..function_summaries import FunctionSummaries

    if found.errors:
        return found
    proved = FunctionSummaries(found)
    spared = frozenset(
        use
        for use in found.out_of_place()
        if isinstance(use.owner, LoopLikeOp) and found.state.writes(use) and not proved.may_be_updated(use)
    )
    if not spared:
        return found
    again = _analyze(found.state.root, found.options, found.state.registry, find_conflict, spared)
    if again.errors or planned_weight(again) > planned_weight(found):
        return found
    check = FunctionSummaries(again)
    if any(again.is_in_place(use) and check.may_be_updated(use) for use in spared):
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
    plain: dict[Operation, list[PlainOperation]] = {}
    if find_conflict is None and is_allowed(options):
        for function in (*graph.order, *graph.cyclic):
            operations = plain_operations(state, function) if options.allows(function) else None
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
    for functions, complete in ((graph.order, True), (graph.cyclic, False)):
        for function in functions:
            if not options.allows(function):
                continue
            if function in plain:
                decided = ByPosition(state, function, plain[function])
                decided.decide()
                result.add_decided(decided)
                if complete:
                    state.callees[function] = summarize(decided, function)
                continue
            use_calls(state, graph.calls[function])
            if not _analyze_below(result, function, look):
                return result
            if complete:
                state.callees[function] = summarize(state, function)
    return result


def _analyze_below(result: AnalysisResult, root: Operation, look: Search) -> bool:
    """Analyse `root` and all inside it; whether it can be bufferized."""
    state = result.unsettled
    search.prepare(state, root)
    problem = check_control_flow(state, root) or check_required(state, root, result.first_conflicts)
    if problem is None:
        stuck = decide_where_told(state, root, look, result.first_conflicts)
        problem = None if stuck is None else cannot_avoid_conflict(stuck)
    if problem is not None:
        result.errors.append(problem)
        return False
    if state.options.analysis_heuristic == FEWEST_COPIES:
        from ..fewest_copies.choose import decide_for_fewest_copies

        outcome = decide_for_fewest_copies(state, root, look, result.first_conflicts)
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
