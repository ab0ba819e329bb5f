"""`-reorder-to-save-copies`: moves reads before the writes that clobber them.

    %w = tensor.insert %f into %t[%i] : tensor<1024xf32>
    %x = tensor.extract %t[%i] : tensor<1024xf32>        // needs the old %t: a copy of 4,096 bytes
 => the read first, and no copy

The search for fewest copies chooses the orders: each conflict is resolved by a copy or by an ordering constraint,
and the constraints are acyclic (`analysis/fewest_copies/problem.py`). Orders are applied function by function and
kept if fewer bytes are copied in total. Conflicts in functions too large for the search are tried operand by
operand.

Only operations without effects move, together with the operations they depend on, up in their own block
(`analysis/moving.py`); so the semantics are unchanged. For each out-of-place operand, either all conflicting reads
move or none. After each such move the program is analysed again, and the move is kept if fewer bytes are copied in
total.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from ..analysis.fewest_copies.choose import is_proven, planned_weight, planned_weights
from ..analysis.fewest_copies.problem import MAX_ORDERS, ReadBefore, may_be_reordered
from ..analysis.models import ModelRegistry
from ..analysis.models.facts import registry_with
from ..analysis.moving import needed_before
from ..analysis.one_shot import FEWEST_COPIES, HEURISTICS, AnalysisOptions
from ..analysis.one_shot.analyze import analyze, analyze_once, cheapest_of_orders
from ..analysis.one_shot.result import AnalysisResult, Reason
from ..ir.program.core import Block, Operation, OpOperand
from ..ir.source.diagnostics import present
from ..ir.source.records import replace
from .pass_base import Context, Pass, choice, flag

MAX_TRIALS = 32
"""The number of operands tried per program, largest copies first."""
MAX_REASONS = 100
"""The number of conflicts of one operand considered."""

Moves = list[tuple[list[Operation], Operation]]
"""Reads, and the operation that they must precede."""


class ReorderToSaveCopies(Pass):
    """Programs that cannot be bufferized are not changed. At most MAX_TRIALS analyses."""

    name: ClassVar[str] = "reorder-to-save-copies"
    summary: ClassVar[str] = "move reads above writes that would otherwise force a copy"
    on: ClassVar[str] = "any"

    bufferize_function_boundaries = flag(
        "bufferize-function-boundaries", "must match the option of one-shot-bufferize", True
    )
    allow_return_allocs_from_loops = flag(
        "allow-return-allocs-from-loops", "must match the option of one-shot-bufferize"
    )

    analysis_heuristic = choice(
        "analysis-heuristic", HEURISTICS, HEURISTICS[0], "must match the option of one-shot-bufferize"
    )

    def run(self, op: Operation, context: Context) -> None:
        self.reorder(op, registry_with(context.models, context.rules), context)

    def reorder(
        self,
        op: Operation,
        registry: ModelRegistry,
        context: Context,
        known: AnalysisResult | None = None,
    ) -> AnalysisResult:
        """`run` with models that have been loaded. Returns the decisions for the reordered program.

        Args:
            known: an analysis of the program, whose options are then those of all analyses.
        """
        options = AnalysisOptions(
            bufferize_function_boundaries=self.bufferize_function_boundaries,
            allow_return_allocs_from_loops=self.allow_return_allocs_from_loops,
            analysis_heuristic=self.analysis_heuristic,
            compat=context.compat or None,
        )
        result = known or analyze(op, options, registry)
        options = result.options
        least = 0
        if not result.errors and any(copy.with_contents for copy in result.plan()):
            result, least = self._make_best_orders(result, context)
        tried: set[OpOperand] = set()
        while len(tried) < MAX_TRIALS and not result.errors and planned_weight(result) > least:
            found = _next_moves(result, tried)
            if found is None:
                break
            operand, moves = found
            tried.add(operand)
            undo: dict[Block, list[Operation]] = {}
            move_reads(moves, undo)
            after = analyze(op, options, registry)
            if not after.errors and planned_weight(after) < planned_weight(result):
                result = after
                context.count(self.name, "operands that need no copy", 1)
            else:
                _put_back(undo)
        return result

    def _make_best_orders(self, result: AnalysisResult, context: Context) -> tuple[AnalysisResult, int]:
        """Apply the orders chosen by the search where they save copies.

        Returns the resulting analysis, and a lower bound on its weight in any order.

        All functions are reordered at once, and each is then judged by its own cost. Functions whose cost rises
        through one another's order are tried one by one, at most MAX_TRIALS of them.
        """
        if result.options.analysis_heuristic == FEWEST_COPIES and not _may_be_reordered(result):
            return result, _least_weight(result)
        state = result.state
        searching = replace(result.options, analysis_heuristic=FEWEST_COPIES, may_reorder=True)
        best = analyze_once(state.root, searching, state.registry)
        least = _least_weight(best)
        if not best.errors and not any(outcome.reorders for outcome in best.outcomes.values()):
            return result, least
        best = cheapest_of_orders(best)
        if best.errors:
            return result, least
        orders = {root: outcome.chosen_orders for root, outcome in best.outcomes.items()}
        moved = {root: undo for root, found in orders.items() if (undo := _order(found))}
        before = planned_weights(result)
        together = dict(moved) if len(moved) > 1 else {}
        for _ in range(2 if together else 0):
            after = analyze(state.root, result.options, state.registry)
            now = planned_weights(after)
            if after.errors or any(now[root] > before.get(root, 0) for root in now if root not in together):
                break
            vain = [root for root in together if now.get(root, 0) >= before.get(root, 0)]
            if not vain:
                context.count(self.name, "operands that need no copy", len(result.plan()) - len(after.plan()))
                return after, least
            for root in vain:
                _put_back(together.pop(root))
        for undo in together.values() if len(moved) > 1 else moved.values():
            _put_back(undo)
        for root in list(moved)[:MAX_TRIALS]:
            undo = _order(orders[root])
            after = analyze(state.root, result.options, state.registry)
            if not after.errors and planned_weight(after) < planned_weight(result):
                context.count(self.name, "operands that need no copy", len(result.plan()) - len(after.plan()))
                result = after
            else:
                _put_back(undo)
        return result, least


def _may_be_reordered(result: AnalysisResult) -> bool:
    """Whether the search with orders may differ from this one without them."""
    outcomes = result.outcomes.values()
    return len(outcomes) < len(result.analyzed) or any(may_be_reordered(o.problem) for o in outcomes)


def _least_weight(result: AnalysisResult) -> int:
    """A lower bound on the weight in any order, if all that a move can resolve was offered to the search; else 0."""
    outcomes = result.outcomes.values()
    if any(o.met_cycles or len(o.problem.orders) >= MAX_ORDERS for o in outcomes):
        return 0
    if result.errors or not is_proven(result):
        return 0
    return sum(outcome.bound for outcome in outcomes)


def _order(orders: Sequence[ReadBefore]) -> dict[Block, list[Operation]]:
    """Move reads as the search chose; returns the affected blocks with their old order."""
    undo: dict[Block, list[Operation]] = {}
    for order in orders:
        if needed_before([order.read], order.anchor):
            move_reads([([order.read], order.anchor)], undo)
    return undo


def _next_moves(result: AnalysisResult, tried: set[OpOperand]) -> tuple[OpOperand, Moves] | None:
    """An untried operand whose conflicting reads can move, with the moves; None if there is none. O(operands *
    reasons)."""
    for copy in result.plan():
        operand = copy.operand
        if operand is None or operand in tried or not copy.with_contents or result.is_in_place(operand):
            continue
        moves = _moves_against(result, operand)
        if moves:
            return operand, moves
        tried.add(operand)
    return None


def _moves_against(result: AnalysisResult, operand: OpOperand) -> Moves | None:
    """The moves that resolve the conflicts of an operand, at most MAX_REASONS of them; None if one cannot be resolved.

    Mostly one of the first few reads cannot move; the others are then not searched.
    """
    moves = None
    for limit in (1, 4, 20, MAX_REASONS):
        reasons = result.reasons(operand, limit)
        moves = moves_for(reasons)
        if moves is None or len(reasons) < limit:
            break
    return moves


def moves_for(reasons: list[Reason]) -> Moves | None:
    """The reads of all reasons, by the operation they must precede; None if one cannot move."""
    moves: dict[Operation, dict[Operation, None]] = {}
    for reason in reasons:
        if reason.read is None or reason.unknown is not None:
            return None
        read, write = reason.read.owner, reason.write.owner
        anchor = write.ancestor_in_block(read.block)
        if anchor is None or anchor is read or not anchor.is_before_in_block(read):
            return None
        moves.setdefault(anchor, {})[read] = None
    found = [(list(reads), anchor) for anchor, reads in moves.items()]
    return None if any(needed_before(reads, anchor) is None for reads, anchor in found) else found


def move_reads(moves: Moves, undo: dict[Block, list[Operation]]) -> None:
    """Apply the moves, and add the affected blocks with their old order to `undo`."""
    for reads, anchor in moves:
        block = present(anchor.block)
        if block not in undo:
            undo[block] = list(block)
        for op in needed_before(reads, anchor) or ():
            op.move_before(anchor)


def _put_back(undo: dict[Block, list[Operation]]) -> None:
    for ops in undo.values():
        for op, following in zip(reversed(ops[:-1]), reversed(ops[1:]), strict=True):
            op.move_before(following)
