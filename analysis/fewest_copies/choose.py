"""Decides the operands of one function by the fewest-copies search, and bounds the distance from the optimum.

The search works on an extract of the program; the analysis still makes every decision. Operands that the search keeps in place
are decided first, then those it gives up (decides out of place). So each operand given up has a conflict with an earlier
decision, and one without a conflict is decided in place after all, unless giving it up spares a loop the copy of a yielded value.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from ...ir.program.core import Operation, OpOperand
from ...ir.source.diagnostics import Diagnostic, remark
from ...ir.source.records import record
from ..causes import CauseKind, stated
from ..cost_model import runs
from ..models.base import TENSOR_TYPES
from ..naming import symbol
from ..one_shot import BOTTOM_UP, BOTTOM_UP_FROM_TERMINATORS, FEWEST_COPIES, TOP_DOWN, InPlaceConflict
from ..one_shot.search import decision_order
from ..one_shot.state import AnalysisState, possible_equivalence, tensor_operands
from ..sizes import format_bytes
from .hitting_sets import prices
from .problem import BYTE, NEVER_COPIED, Meeting, SearchedFunction, extract, has_copies, offer_orders
from .search import FoundCore, SearchResult, solve

if TYPE_CHECKING:
    from ..one_shot.result import AnalysisResult


ORDERS = (BOTTOM_UP, TOP_DOWN, BOTTOM_UP_FROM_TERMINATORS)


def decide_for_fewest_copies(
    state: AnalysisState,
    root: Operation,
    decided: SearchedFunction,
    search: Callable[[OpOperand], InPlaceConflict | None],
    found: dict[OpOperand, InPlaceConflict],
) -> SearchResult | None:
    """Decide every tensor operand inside `root`; conflicts are added to `found`.

    Args:
        decided: takes the decisions: `state`, or what decides the function by position.
        search: the conflict of an operand, if it were in place.

    Returns the result of the search; None if there were too many read-write pairs, and mlir-opt's order was used instead.
    """
    problem = extract(state, root, decided)
    if state.options.may_reorder:
        offer_orders(problem, state)
    outcome = None
    if not problem.too_dense:
        orders = [
            [problem.edge_of[use] for op in ops for use in tensor_operands(op) if use in problem.edge_of]
            for ops in (decision_order(state, root, heuristic) for heuristic in ORDERS)
        ]
        outcome = solve(problem, orders, state.options.time_limit)
        if outcome.met_cycles:
            finer = extract(state, root, decided)
            offer_orders(finer, state, each_write=True)
            outcome = min(outcome, solve(finer, orders, state.options.time_limit), key=lambda o: o.weight)
            problem = outcome.problem
        outcome.leave_out_uncertain = partial(_leave_out_uncertain, state, root)
    given_up: list[OpOperand] = []
    # Unless reorderings have to resolve them, or there are rules of the user, the search saw all conflicts: what it keeps has none.
    for op in decision_order(state, root, BOTTOM_UP):
        for operand in tensor_operands(op):
            number = problem.edge_of.get(operand)
            if outcome is not None and number in outcome.given_up:
                given_up.append(operand)
            elif outcome is not None and not (problem.orders or state.registry.rules):
                decided.keep_in_place(operand)
            else:
                _decide(decided, operand, search, found)
    for_loops = outcome.given_up_for_loops() if outcome is not None else frozenset()
    for operand in given_up:
        if problem.edge_of[operand] not in for_loops:
            _decide(decided, operand, search, found)
        else:  # the only conflict is the copy of a yielded value
            conflict = search(operand)
            if conflict is not None:
                found[operand] = conflict
    return outcome


def _leave_out_uncertain(state: AnalysisState, root: Operation, outcome: SearchResult) -> None:
    with state.classes.assuming(possible_equivalence(state, [root])):
        outcome.leave_out(lambda meeting: _is_certain(state, meeting))


def _is_certain(state: AnalysisState, meeting: Meeting) -> bool:
    """Whether a write clobbers a read even under the assumed equivalences. Other kinds of meetings do not depend on them."""
    if len(meeting.evidence) == 3:
        read, write, _ = meeting.evidence
        if isinstance(read, OpOperand) and isinstance(write, OpOperand):
            return state.overwrites.first(read, write) is not None
    return True


def _decide(
    decided: SearchedFunction,
    operand: OpOperand,
    search: Callable[[OpOperand], InPlaceConflict | None],
    found: dict[OpOperand, InPlaceConflict],
) -> None:
    conflict = search(operand)
    if conflict is None:
        decided.keep_in_place(operand)
    else:
        found[operand] = conflict


def planned_weight(result: AnalysisResult) -> int:
    """The total weight of the buffers that the decisions require, including copies at loops. O(operations)."""
    return sum(planned_weights(result).values())


def planned_weights(result: AnalysisResult) -> dict[Operation, int]:
    """Like `planned_weight`, by analysed unit (usually a function). O(operations * depth)."""
    state = result.unsettled
    found = dict.fromkeys(result.analyzed, 0)

    def add(op: Operation, weight: int) -> None:
        while op not in found and op.parent_op is not None:
            op = op.parent_op
        found[op] = found.get(op, 0) + weight

    for operand in result.out_of_place():
        if not has_copies(state, operand):
            add(operand.owner, NEVER_COPIED)
    for copy in result.plan():
        contents = copy.with_contents
        add(copy.op, (state.weights.bytes_of(copy.value) * runs(copy.op) * BYTE if contents else 0) + 1)
    return found


def is_proven(result: AnalysisResult) -> bool:
    """Whether no decisions can be cheaper: nothing is copied, or the search models every copy and reaches its bounds."""
    if len(result.outcomes) < len(result.analyzed):
        return False
    if not planned_weight(result):
        return True
    for call in chain.from_iterable(result.call_graph.calls.values()):
        if any(isinstance(value.type, TENSOR_TYPES) for value in (*call.operands, *call.results)):
            return False
    unseen = any(
        copy.cause.kind in (CauseKind.LOOP_CONDITION, CauseKind.LOOP_UNSEEN) for copy in result.plan()
    )
    return not unseen and all(outcome.is_optimal for outcome in result.outcomes.values())


# The optimality gap, for functions whose decisions are not proven optimal: the search was stopped (`time-limit`), there were too
# many read-write pairs, or the result depends on decisions elsewhere.

CODE = "not-proved-fewest"


def remarks_on_gaps(result: AnalysisResult) -> list[Diagnostic]:
    """One remark for each function whose decisions are not proven optimal. O(functions)."""
    if result.options.analysis_heuristic != FEWEST_COPIES:
        return []
    from .problem import BYTE  # imported lazily, for start-up time

    found: list[Diagnostic] = []
    for root in result.analyzed:
        outcome = result.outcomes.get(root)
        name = f"@{symbol(root)}" if symbol(root) else "the program"
        if outcome is None:
            least, most = None, None
            said = f"{name} has too many possible conflicts for the search for fewest copies: it is decided in mlir-opt's order"
        elif (outcome.weight - outcome.bound) // BYTE:
            least, most = outcome.bound // BYTE, outcome.weight // BYTE
            said = f"{name} copies {format_bytes(most)}, of which {format_bytes(least)} are proved to be necessary: the optimum is at most {format_bytes(most - least)} less"
        else:
            continue
        diagnostic = remark(said, root.name_span, CODE)
        diagnostic.data = {"function": symbol(root), "leastBytes": least, "bytes": most}
        diagnostic.derivation = stated(("searched", root), ("not proved_fewest", root))
        found.append(diagnostic)
    return found


# Certificates of optimality: sets of operands of which one must be given up, each with a price.
#
# A *core* is a conflict with the in-place operands that cause it: the write, and those through which it aliases the read. One of
# them has to be given up, whatever is decided elsewhere. The prices are a dual solution: the prices of the cores that contain
# an operand sum up to at most its weight, so the sum of all prices is a lower bound on the weight of any solution.
# `analysis/certificates.py` checks each core by the rules.


@record(frozen=True)
class CertifiedCore:
    """Operands of which one must be given up.

    Attributes:
        operands: in program order.
        evidence: the read, the write and the clobbered definition; or a write and a read-only value; or a write and a read of
            concurrent iterations; or a yielded value and the values that it must not alias.
        hands_over: for the last kind, the terminator operand: it is copied, or one of `operands` is given up.
        price: in thousandths of a byte.
    """

    operands: tuple[OpOperand, ...]
    evidence: tuple[object, ...]
    hands_over: OpOperand | None
    price: int


@record(frozen=True)
class Certificate:
    """Cores and prices of one function; `bound` is the sum of the prices."""

    cores: tuple[CertifiedCore, ...]
    bound: int


def certificate(outcome: SearchResult) -> Certificate:
    """The certificate of a search result. O(cores)."""
    weights = {i: edge.weight for i, edge in enumerate(outcome.problem.edges)}
    by_edges = {core.edges: core for core in outcome.cores}
    found = [
        _certified(outcome, by_edges[edges], price) for edges, price in prices(by_edges, weights).items()
    ]
    return Certificate(tuple(found), sum(core.price for core in found))


def _certified(outcome: SearchResult, core: FoundCore, price: int) -> CertifiedCore:
    edges = [outcome.problem.edges[i] for i in sorted(core.edges)]
    hands_over = next((edge.operand for edge in edges if edge.hands_over), None)
    operands = tuple(edge.operand for edge in edges if not edge.hands_over)
    return CertifiedCore(operands, core.meeting.evidence, hands_over, price)
