"""Irreducible control flow with virtual headers: as reachable as before, entered at one place."""

from __future__ import annotations

import pytest
from bufferize.analysis.block_order import VirtualHeader, add_virtual_headers
from bufferize.analysis.graphs import block_graph
from bufferize.analysis.one_shot import AnalysisOptions
from bufferize.analysis.one_shot.analyze import analyze
from bufferize.analysis.regions import ProgramOrder
from bufferize.ir.program.core import Block
from bufferize.ir.program.dominance import DominatorTree
from bufferize.ir.text.parser import parse_text
from hypothesis import given, settings, strategies as st

Graph = list[list[int]]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    count = draw(st.integers(2, 10))
    edges = st.lists(st.integers(1, count - 1), max_size=3)
    return draw(st.lists(edges, min_size=count, max_size=count))


def blocks_of(graph: Graph) -> list[Block]:
    lines = ["func.func @f() {"]
    for node, following in enumerate(graph):
        targets = f"[{', '.join(f'^b{s}' for s in following)}]" if following else ""
        lines += [f"^b{node}:"] if node else []
        lines.append(f'"test.jump"(){targets} : () -> ()')
    module = parse_text("\n".join([*lines, "}"]), allow_unregistered=True)
    return list(next(iter(module.regions[0].ops())).regions[0])


@settings(max_examples=200, deadline=None)
@given(graphs())
def test_every_cycle_has_one_entry_and_no_way_is_lost(graph: Graph) -> None:
    blocks = blocks_of(graph)
    found = add_virtual_headers(block_graph(blocks[0].region))
    tree = DominatorTree(blocks[0], found.__getitem__)
    old = DominatorTree(blocks[0], lambda block: block.successors)
    assert {node for node in found if isinstance(node, Block)} == set(old) <= set(tree)
    for block in old:
        past_headers = set()
        waiting = list(found[block])
        while waiting:
            node = waiting.pop()
            waiting += found[node] if isinstance(node, VirtualHeader) else []
            past_headers.add(node)
        assert set(block.successors) <= past_headers
        assert all(old.dominates(block, other) == tree.dominates(block, other) for other in old)
    number = {node: i for i, node in enumerate(tree)}
    without_back_edges = {
        node: [s for s in following if not tree.dominates(s, node)] for node, following in found.items()
    }
    entered = dict.fromkeys(number, 0)
    for following in without_back_edges.values():
        for s in following:
            entered[s] += 1
    waiting = [blocks[0]]
    passed = 0
    while waiting:
        passed += 1
        for s in without_back_edges[waiting.pop()]:
            entered[s] -= 1
            if not entered[s]:
                waiting.append(s)
    assert passed == len(number), "a cycle remains without the edges that come back to a dominator"


@pytest.mark.parametrize(
    ("graph", "headers"),
    [
        pytest.param([[1], [2, 3], [1], []], 0, id="loop"),
        pytest.param([[1, 2], [2], [1]], 1, id="entered at two blocks"),
        pytest.param([[1, 2], [2], [1, 3], [4, 5], [5], [4]], 2, id="two, one after the other"),
        pytest.param([[1, 3], [2], [3, 4], [2, 1], []], 2, id="one in the other"),
        pytest.param([[1], [2, 3], [3], [2, 1]], 1, id="inside of a loop"),
    ],
)
def test_loops_with_several_entries_get_a_header(graph: Graph, headers: int) -> None:
    found = add_virtual_headers(block_graph(blocks_of(graph)[0].region))
    assert sum(isinstance(node, VirtualHeader) for node in found) == headers


T = "tensor<8xf32>"


def test_nothing_is_searched_for_behind_an_irreducible_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line of diamonds, each side updating the tensor that it is given, behind a loop that is entered at two blocks."""
    count = 150
    searched = []
    reaches = ProgramOrder.reaches

    def counted(*args):
        searched.append(args)
        return reaches(*args)

    monkeypatch.setattr(ProgramOrder, "reaches", counted)
    lines = [f"func.func @f(%t: {T}, %f: f32, %i: index, %c: i1) -> {T} {{", "cf.cond_br %c, ^p, ^q"]
    lines += ["^p:", f"cf.cond_br %c, ^q, ^e0(%t : {T})", "^q:", f"cf.cond_br %c, ^p, ^e0(%t : {T})"]
    for k in range(count):
        lines += [f"^e{k}(%a{k}: {T}):", f"cf.cond_br %c, ^p{k}, ^q{k}"]
        for side in "pq":
            lines += [
                f"^{side}{k}:",
                f"%{side}u{k} = tensor.insert %f into %a{k}[%i] : {T}",
                f"cf.br ^e{k + 1}(%{side}u{k} : {T})",
            ]
    lines += [f"^e{count}(%z: {T}):", f"return %z : {T}", "}"]
    analyze(parse_text("\n".join(lines)), AnalysisOptions(bufferize_function_boundaries=True))
    assert len(searched) < 10
