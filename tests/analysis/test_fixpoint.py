"""The solver against round-robin iteration of the equations, and textbook analyses as rows of a table."""

from __future__ import annotations

import networkx as nx
import pytest
from bufferize.analysis.fixpoint import BACKWARD, FORWARD, Dataflow, Direction, reverse_postorder, solve
from hypothesis import given, strategies as st

Graph = dict[int, list[int]]
Bits = frozenset[int]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    count = draw(st.integers(1, 8))
    node = st.integers(0, count - 1)
    edges = draw(st.lists(st.tuples(node, node), max_size=16))
    return {n: [b for a, b in edges if a == n] for n in range(count)}


bits = st.frozensets(st.integers(0, 3))


@given(
    graphs(),
    st.lists(st.tuples(bits, bits), min_size=8, max_size=8),
    bits,
    st.sampled_from([FORWARD, BACKWARD]),
    st.sets(st.integers(0, 7)),
)
def test_the_solution_is_the_least_one(
    graph: Graph, effects: list[tuple[Bits, Bits]], boundary: Bits, direction: Direction, at: set[int]
):
    def transfer(n: int, value: Bits) -> Bits:
        generated, killed = effects[n]
        return (value - killed) | generated

    flow = Dataflow(direction, frozenset(), frozenset.union, transfer, boundary)
    entries = sorted(at & set(graph))
    found = solve(flow, graph, graph.__getitem__, entries)
    turned = {n: [m for m in graph for s in graph[m] if s == n] for n in graph}
    sources = turned if direction is FORWARD else graph
    before: dict[int, Bits] = {n: frozenset() for n in graph}
    after = dict(before)
    for _ in range(len(graph) * 5):
        for n in graph:
            before[n] = frozenset().union(boundary if n in at else (), *(after[p] for p in sources[n]))
            after[n] = transfer(n, before[n])
    assert (dict(found.before), dict(found.after)) == (before, after)


@given(graphs())
def test_an_acyclic_graph_takes_one_visit_each(graph: Graph):
    acyclic = {n: [s for s in graph[n] if s > n] for n in graph}
    flow = Dataflow(FORWARD, 0, max, lambda n, longest: longest + 1)
    solution = solve(flow, acyclic, acyclic.__getitem__, [0])
    assert solution.visits == len(graph)


LOOP = nx.DiGraph([("entry", "head"), ("head", "body"), ("body", "head"), ("head", "exit")])
DEFS = {"entry": {"i"}, "body": {"i"}}
USES = {"head": {"i"}, "exit": {"i", "n"}, "body": {"i"}}


def live_before(block: str, live_after: frozenset[str]) -> frozenset[str]:
    return (live_after - DEFS.get(block, set())) | USES.get(block, set())


def reaching(block: str, defs: frozenset[str]) -> frozenset[str]:
    return frozenset({f"i@{block}"}) if block in DEFS else defs


@pytest.mark.parametrize(
    ("flow", "node", "expected"),
    [
        (Dataflow(BACKWARD, frozenset(), frozenset.union, live_before), "entry", {"n"}),
        (Dataflow(BACKWARD, frozenset(), frozenset.union, live_before), "body", {"i", "n"}),
        (Dataflow(FORWARD, frozenset(), frozenset.union, reaching), "exit", {"i@entry", "i@body"}),
        (Dataflow(FORWARD, False, bool.__or__, lambda _, v: v, True), "exit", True),
        (Dataflow(FORWARD, True, bool.__and__, lambda n, v: v and n != "head", True), "exit", False),
    ],
    ids=["live into entry", "live into body", "reaching definitions", "reachable", "a must problem"],
)
def test_textbook_analyses_are_values(flow: Dataflow, node: str, expected: object):
    solution = solve(flow, LOOP, LOOP.successors, ["entry"])
    assert solution.after[node] == expected


def test_a_long_chain_takes_no_recursion_and_one_visit_each():
    count = 20_000
    flow = Dataflow(BACKWARD, 0, max, lambda n, v: v + 1)
    solution = solve(flow, range(count), lambda n: [n + 1] if n + 1 < count else [])
    assert solution.after[0] == count and solution.visits == count


def test_reverse_postorder_puts_the_entry_first_and_edges_forward():
    graph = {0: [2, 1], 1: [3], 2: [3], 3: [], 4: [1]}
    order = reverse_postorder([0, *graph], graph.__getitem__)
    place = {n: i for i, n in enumerate(order)}
    assert sorted(order) == sorted(graph)
    assert all(place[n] < place[s] for n in graph for s in graph[n])


def test_an_unknown_successor_is_an_error():
    flow = Dataflow(FORWARD, 0, max, lambda n, v: v)
    with pytest.raises(KeyError):
        solve(flow, [0], lambda n: [1])
