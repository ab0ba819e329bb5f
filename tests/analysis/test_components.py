"""Components against networkx."""

from __future__ import annotations

from typing import Any

import networkx as nx
from bufferize.analysis.fixpoint import strongly_connected_components
from hypothesis import given, strategies as st

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


@given(graphs())
def test_components_are_those_of_networkx_callees_first(graph: Graph):
    components = strongly_connected_components(graph, graph.__getitem__)
    expected = {frozenset(c) for c in nx.strongly_connected_components(digraph_of(graph))}
    assert {frozenset(c) for c in components} == expected
    place = {n: i for i, component in enumerate(components) for n in component}
    assert all(place[s] <= place[n] for n in graph for s in graph[n])


def test_a_long_cycle_takes_no_recursion():
    count = 20_000
    (component,) = strongly_connected_components(range(count), lambda n: [(n + 1) % count])
    assert len(component) == count
