"""Components and reachability against networkx and plain search."""

from __future__ import annotations

from typing import Any

import networkx as nx
from bufferize.analysis.components import Reachability, strongly_connected_components
from hypothesis import given
from hypothesis import strategies as st

Graph = dict[int, list[int]]


def digraph_of(graph: Graph) -> Any:
    """With every node, in order."""
    digraph: Any = nx.DiGraph()
    digraph.add_nodes_from(graph)
    digraph.add_edges_from((a, b) for a in graph for b in graph[a])
    return digraph


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    count = draw(st.integers(1, 8))
    node = st.integers(0, count - 1)
    edges = draw(st.lists(st.tuples(node, node), max_size=16))
    return {n: [b for a, b in edges if a == n] for n in range(count)}


def plainly_reaches(graph: Graph, a: int, b: int, without: int | None) -> bool:
    seen, waiting = set(), [s for s in graph[a] if s != without]
    while waiting:
        n = waiting.pop()
        if n not in seen:
            seen.add(n)
            waiting += [s for s in graph[n] if s != without]
    return b in seen


@given(graphs())
def test_components_are_those_of_networkx_callees_first(graph: Graph):
    components = strongly_connected_components(graph, graph.__getitem__)
    expected = {frozenset(c) for c in nx.strongly_connected_components(digraph_of(graph))}
    assert {frozenset(c) for c in components} == expected
    place = {n: i for i, component in enumerate(components) for n in component}
    assert all(place[s] <= place[n] for n in graph for s in graph[n])


@given(graphs())
def test_reachability_is_what_a_search_finds(graph: Graph):
    reach = Reachability(graph, graph.__getitem__)
    for a in graph:
        for b in graph:
            assert reach.can_reach(a, b) == plainly_reaches(graph, a, b, None)
            for without in graph:
                assert reach.can_reach_without(a, b, without) == plainly_reaches(graph, a, b, without)


def test_a_node_reaches_itself_only_on_a_cycle():
    reach = Reachability([0, 1, 2], {0: [1], 1: [1, 2], 2: []}.__getitem__)
    assert not reach.can_reach(0, 0) and reach.can_reach(1, 1) and not reach.can_reach(2, 2)
    assert not reach.can_reach(7, 0) and not reach.can_reach(0, 7)


def test_a_long_cycle_takes_no_recursion():
    count = 20_000
    reach = Reachability(range(count), lambda n: [(n + 1) % count])
    assert reach.can_reach(5, 4) and not reach.can_reach_without(5, 4, 3)
    assert reach.can_reach_without(5, 3, 4) and not reach.can_reach_without(3, 5, 4)
