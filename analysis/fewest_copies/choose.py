"""Decides the operands of one function by the fewest-copies search, and bounds the distance from the optimum.

The search works on an extract of the program; every decision is still made by the analysis. Operands that the search keeps are
decided first, then those it gives up: so each that is given up has a conflict in what was decided before it, and
one that has none is kept all the same, unless it is given up so that a loop need not copy what it forwards.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...ir.program.core import Operation, OpOperand
from ...ir.source.diagnostics import Diagnostic, remark
from ...ir.source.records import record
from ..causes import CauseKind, stated
from ..cost_model import runs
from ..naming import symbol
from ..one_shot.decide import decision_order
from ..one_shot.decided import InPlaceConflict
from ..one_shot.equivalence import possible_equivalence
from ..one_shot.options import BOTTOM_UP, BOTTOM_UP_FROM_TERMINATORS, FEWEST_COPIES, TOP_DOWN
from ..one_shot.state import AnalysisState, tensor_operands
from ..sizes import format_bytes
from .hitting_sets import prices
from .problem import BYTE, NEVER_COPIED, Meeting, extract, has_copies, offer_orders
from .search import FoundCore, SearchResult, solve

if TYPE_CHECKING:
    from ..one_shot.result import AnalysisResult


Search = Callable[[AnalysisState, OpOperand], InPlaceConflict | None]
ORDERS = (BOTTOM_UP, TOP_DOWN, BOTTOM_UP_FROM_TERMINATORS)


def decide_for_fewest_copies(
    state: AnalysisState, root: Operation, search: Search, found: dict[OpOperand, InPlaceConflict]
) -> SearchResult | None:
    """Decide every tensor operand inside `root`; what speaks against one goes to `found`.

    Returns what the search found; None if there were too many pairs of reads and writes to look at, and the order of
    mlir-opt was taken.
    """
    problem = extract(state, root)
    if state.options.may_reorder:
        offer_orders(problem, state)
    outcome = None
    if not problem.too_dense:
        orders = [
            [problem.edge_of[use] for op in ops for use in tensor_operands(op) if use in problem.edge_of]
            for ops in (decision_order(state, root, heuristic) for heuristic in ORDERS)
        ]
        outcome = solve(problem, orders, state.options.time_limit)
    given_up: list[OpOperand] = []
    for op in decision_order(state, root, BOTTOM_UP):
        for operand in tensor_operands(op):
            number = problem.edge_of.get(operand)
            if outcome is not None and number in outcome.given_up:
                given_up.append(operand)
            else:
                _decide(state, operand, search, found)
    for_loops = outcome.given_up_for_loops() if outcome is not None else frozenset()
    for operand in given_up:
        if problem.edge_of[operand] not in for_loops:
            _decide(state, operand, search, found)
        else:  # nothing speaks against it but the copy at the end of an iteration
            conflict = search(state, operand)
            if conflict is not None:
                found[operand] = conflict
    if outcome is not None and outcome.cores:
        with state.classes.assuming(possible_equivalence(state, [root])):
            outcome.leave_out(lambda meeting: _is_certain(state, meeting))
    return outcome


def _is_certain(state: AnalysisState, meeting: Meeting) -> bool:
    """Whether a write destroys what is read under the equivalence that is assumed; other meetings do not ask for one."""
    if len(meeting.evidence) == 3:
        read, write, _ = meeting.evidence
        if isinstance(read, OpOperand) and isinstance(write, OpOperand):
            return state.overwrites.first(read, write) is not None
    return True


def _decide(
    state: AnalysisState, operand: OpOperand, search: Search, found: dict[OpOperand, InPlaceConflict]
) -> None:
    conflict = search(state, operand)
    if conflict is None:
        state.keep_in_place(operand)
    else:
        found[operand] = conflict


def planned_weight(result: AnalysisResult) -> int:
    """What all buffers weigh that the decisions make necessary, those of loops among them. O(operations)."""
    return sum(planned_weights(result).values())


def planned_weights(result: AnalysisResult) -> dict[Operation, int]:
    """The same by what was analysed at once: function by function, for the most part. O(operations * depth)."""
    state = result.state
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
    """Whether no order of decisions can be cheaper: there is nothing that the search leaves out, and its bounds are reached."""
    if any(result.call_graph.calls.values()) or len(result.outcomes) < len(result.analyzed):
        return False
    unseen = any(
        copy.cause.kind in (CauseKind.LOOP_CONDITION, CauseKind.LOOP_UNSEEN) for copy in result.plan()
    )
    return not unseen and all(outcome.is_optimal for outcome in result.outcomes.values())


# How far from the fewest copies a choice may be, for functions of which the search has not proved that it is best.
#
# It was stopped (`time-limit`), or had too many pairs of reads and writes to look at, or what it rests on is decided elsewhere.

CODE = "not-proved-fewest"


def remarks_on_gaps(result: AnalysisResult) -> list[Diagnostic]:
    """One remark for each function of which a better choice is not ruled out. O(functions)."""
    if result.options.analysis_heuristic != FEWEST_COPIES:
        return []
    from .problem import BYTE  # the search, which is not imported where it is not used

    found: list[Diagnostic] = []
    for root in result.analyzed:
        outcome = result.outcomes.get(root)
        name = f"@{symbol(root)}" if symbol(root) else "the program"
        if outcome is None:
            least, most = None, None
            said = (
                f"too much may meet in {name} to search for fewest copies: it is decided in mlir-opt's order"
            )
        elif (outcome.weight - outcome.bound) // BYTE:
            least, most = outcome.bound // BYTE, outcome.weight // BYTE
            said = (
                f"{name} copies {format_bytes(most)}, of which {format_bytes(least)} are proved to be needed: "
                f"the fewest are at most {format_bytes(most - least)} less"
            )
        else:
            continue
        diagnostic = remark(said, root.name_span, CODE)
        diagnostic.data = {"function": symbol(root), "leastBytes": least, "bytes": most}
        diagnostic.derivation = stated(("searched", root), ("not proved_fewest", root))
        found.append(diagnostic)
    return found


# What proves that a function cannot copy less: sets of operands of which one must be given up, each with a price.
#
# A *core* is a conflict and the operands whose staying in place makes it: the write, and those through which the write comes
# to share memory with the read. One of them has to be given up, whatever is decided elsewhere. Prices are such that over
# the cores that an operand is in they never sum up to more than giving it up costs; so all prices together are at most what
# any solution costs. Anyone can add them up; `analysis/certificates.py` checks each core by the rules.


@record(frozen=True)
class CertifiedCore:
    """Operands of which one must be given up.

    Attributes:
        operands: those, in the order of the program.
        evidence: the read, the write and the definition that it would destroy; or a write and a value that may not be
            written; or a write and a read that happen at once; or what a loop forwards, and values that it must not meet.
        hands_over: for the last kind, that operand of the loop's terminator: it is copied, or one of `operands` given up.
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
    """The certificate of what a search has found. O(cores)."""
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
