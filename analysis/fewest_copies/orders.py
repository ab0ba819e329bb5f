"""Orders in the search: a conflict of one block is settled by a copy, or by running the read before the write.

    %w = tensor.insert %f into %t[%i]
    %x = tensor.extract %t[%j]            // needs the old %t: give up the insertion's operand, or let the read come first

An order that dataflow and effects allow is one more edge of each meeting that it settles: to give it up is to choose the order, which
costs nothing. Orders that are possible one by one may not be together:

    the first read behind what the second write computes, the second read behind what the first write computes

Such cycles of orders and dependences are found when a solution has them; each is a clause that one of its orders must not be chosen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...ir.program.core import Operation, OpOperand, Value
from ...ir.source.records import replace
from ..moving import dependents, needed_before
from .problem import Problem, ReadBefore

if TYPE_CHECKING:
    from collections.abc import Iterable

    import networkx as nx

    from ..one_shot.state import AnalysisState

MAX_ORDERS = 2_000
"""Orders that are offered in one function."""


def offer_orders(problem: Problem, state: AnalysisState) -> None:
    """Add the orders that settle meetings. O(meetings), and MAX_MOVED operations for each order."""
    known: dict[ReadBefore, int | None] = {}
    for position, meeting in enumerate(problem.meetings):
        order = _order_for(meeting.evidence, state)
        if order is None:
            continue
        if order not in known:
            known[order] = None
            if len(problem.orders) < MAX_ORDERS and needed_before([order.read], order.anchor) is not None:
                known[order] = number = len(problem.edges)
                read = meeting.evidence[0]
                assert isinstance(read, OpOperand)
                problem.add_order(read, order)
        number = known[order]
        if number is not None:
            problem.meetings[position] = replace(meeting, while_kept=(*meeting.while_kept, number))


def _order_for(evidence: tuple[object, ...], state: AnalysisState) -> ReadBefore | None:
    """The order that would settle a conflict; None if none does, because a loop brings the write back before the read."""
    if len(evidence) != 3:
        return None
    read, write, definition = evidence
    if (
        not isinstance(read, OpOperand)
        or not isinstance(write, OpOperand)
        or not isinstance(definition, Value)
    ):
        return None
    anchor = write.owner.ancestor_in_block(read.owner.block)
    if anchor is None or anchor is read.owner or not anchor.is_before_in_block(read.owner):
        return None
    return None if state.order.repeated_since(read.owner, definition) else ReadBefore(read.owner, anchor)


def cycles(orders: dict[int, ReadBefore], chosen: Iterable[int]) -> list[frozenset[int]]:
    """Sets of chosen orders that cannot all be kept; none if all can. O(orders of a block squared * dependents)."""
    chosen = [number for number in chosen if number in orders]
    if len(chosen) < 2:
        return []
    import networkx as nx

    graph = _following(orders, chosen)
    return [
        frozenset(a for a, _ in nx.find_cycle(graph.subgraph(component)))
        for component in nx.strongly_connected_components(graph)
        if len(component) > 1
    ]


def in_order(orders: dict[int, ReadBefore], chosen: Iterable[int]) -> list[ReadBefore]:
    """Chosen orders without cycles, so that what moves a write up comes before what must stand before that write."""
    chosen = sorted(number for number in chosen if number in orders)
    if len(chosen) < 2:
        return [orders[number] for number in chosen]
    import networkx as nx

    graph = _following(orders, chosen)
    return [orders[number] for number in reversed(list(nx.topological_sort(graph)))]


def _following(orders: dict[int, ReadBefore], chosen: list[int]) -> nx.DiGraph[int]:
    """From each order to those whose read depends on the operation that it puts behind its own read."""
    import networkx as nx

    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(chosen)
    of_block: dict[int, list[int]] = {}
    for number in chosen:
        of_block.setdefault(id(orders[number].anchor.block), []).append(number)
    behind: dict[Operation, set[Operation] | None] = {}
    for numbers in of_block.values():
        for a in numbers:
            anchor = orders[a].anchor
            if anchor not in behind:
                behind[anchor] = dependents(anchor)
            following = behind[anchor]
            for b in numbers:
                if a != b and (following is None or orders[b].read in following):
                    graph.add_edge(a, b)
    return graph
