"""Dominators against networkx and against the definition; families of graphs; corner cases."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import networkx as nx
import pytest
from bufferize.ir.program.dominance import VIRTUAL_EXIT, DominatorTree, post_dominator_tree
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
    count = draw(st.integers(1, 9))
    node = st.integers(0, count - 1)
    edges = draw(st.lists(st.tuples(node, node), max_size=22))
    return {n: [b for a, b in edges if a == n] for n in range(count)}


def reachable(graph: Graph, entry: int, without: int | None = None) -> set[int]:
    seen, waiting = set(), [] if entry == without else [entry]
    while waiting:
        n = waiting.pop()
        if n not in seen:
            seen.add(n)
            waiting += [s for s in graph[n] if s != without]
    return seen


@given(graphs())
def test_dominance_is_what_the_definition_says(graph: Graph):
    tree = DominatorTree(0, graph.__getitem__)
    live = reachable(graph, 0)
    assert set(tree) == live
    for a in graph:
        lost = live - reachable(graph, 0, without=a)
        for b in graph:
            assert tree.dominates(a, b) == (a in live and b in lost)


@given(graphs())
def test_trees_and_frontiers_are_those_of_networkx(graph: Graph):
    digraph = digraph_of(graph)
    tree = DominatorTree(0, digraph.successors)
    expected = {**nx.immediate_dominators(digraph, 0), 0: None}  # since 3.6 without the start
    assert {n: tree.immediate_dominator(n) for n in tree} == expected
    frontiers = nx.dominance_frontiers(digraph, 0)
    assert {n: set(tree.frontier(n)) for n in tree} == {n: set(frontiers.get(n, ())) for n in tree}
    for n in tree:
        assert [c for c in tree if tree.immediate_dominator(c) == n] == tree.children(n)


@given(graphs(), st.sets(st.integers(0, 8)))
def test_post_dominators_are_dominators_of_the_reversed_graph(graph: Graph, chosen: set[int]):
    for exits in (None, sorted(chosen & set(graph))):
        ends = [n for n in graph if not graph[n]] if exits is None else exits
        digraph = digraph_of(graph).reverse()
        digraph.add_node(VIRTUAL_EXIT)
        digraph.add_edges_from((VIRTUAL_EXIT, n) for n in ends)
        tree = post_dominator_tree(graph, graph.__getitem__, exits)
        expected = {**nx.immediate_dominators(digraph, VIRTUAL_EXIT), VIRTUAL_EXIT: None}
        assert {n: tree.immediate_dominator(n) for n in tree} == expected


def test_the_figure_of_lengauer_and_tarjan():
    edges = {
        "R": "ABC", "A": "D", "B": "ADE", "C": "FG", "D": "L", "E": "H", "F": "I", "G": "IJ", "H": "EK",
        "I": "K", "J": "I", "K": "IR", "L": "H",
    }  # fmt: skip
    tree = DominatorTree("R", edges.__getitem__)
    parents = {"A": "R", "B": "R", "C": "R", "D": "R", "E": "R", "F": "C", "G": "C", "H": "R", "I": "R",
               "J": "G", "K": "R", "L": "D"}  # fmt: skip
    assert {n: tree.immediate_dominator(n) for n in tree if n != "R"} == parents


@pytest.mark.parametrize(
    ("successors", "deepest"),
    [
        pytest.param(lambda n: [n + 1], 4999, id="chain"),
        pytest.param(lambda n: [n + 1, n // 2], 4999, id="chain with back edges"),
        pytest.param(lambda n: ([n + 1, n + 2], [n + 2], [n + 1])[n % 3], 1667, id="diamond ladder"),
        pytest.param(lambda n: [n + 1, n + 2], 1, id="overlapping diamonds"),
        pytest.param(
            lambda n: [n + 2, n + 1 if n % 2 else n - 1] if n else [1, 2], 1, id="irreducible ladder"
        ),
    ],
)
def test_long_graphs_take_no_recursion(successors: Callable[[int], list[int]], deepest: int):
    def clipped(n: int) -> list[int]:
        return [s for s in successors(n) if 0 <= s < 5000]

    tree = DominatorTree(0, clipped)
    depth = {0: 0}
    order = [0]
    for n in order:
        for c in tree.children(n):
            depth[c] = depth[n] + 1
            order.append(c)
    assert len(depth) == 5000
    assert max(depth.values()) >= deepest


def test_an_unreachable_node_is_outside():
    tree = DominatorTree(0, {0: [1], 1: [], 2: [1]}.__getitem__)
    assert 2 not in tree and not tree.is_reachable(2)
    assert not tree.dominates(2, 2) and not tree.dominates(0, 2) and not tree.dominates(2, 1)
    assert tree.immediate_dominator(2) is None and tree.children(2) == [] and tree.frontier(2) == []
    assert tree.immediate_dominator(0) is None and tree.immediate_dominator(1) == 0


def test_without_an_exit_only_the_virtual_one_is_left():
    tree = post_dominator_tree([0, 1], {0: [1], 1: [0]}.__getitem__)
    assert list(tree) == [VIRTUAL_EXIT]
    tree = post_dominator_tree([0, 1], {0: [1], 1: [0]}.__getitem__, exits=[1])
    assert tree.dominates(1, 0) and not tree.dominates(0, 1)
