"""Questions about paths, answered by the order of blocks, against a plain search of the graph."""

from __future__ import annotations

import random

import pytest
from bufferize.analysis.regions import ProgramOrder
from bufferize.ir.program.core import Block
from bufferize.ir.text.parser import parse_text
from hypothesis import given, settings, strategies as st

Graph = list[list[int]]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Up to nine nodes with up to three successors each; the entry, node 0, is never one."""
    count = draw(st.integers(2, 9))
    edges = st.lists(st.integers(1, count - 1), max_size=3)
    return draw(st.lists(edges, min_size=count, max_size=count))


def blocks_of(graph: Graph) -> list[Block]:
    lines = ["func.func @f() {"]
    for node, following in enumerate(graph):
        if node:
            lines.append(f"^b{node}:")
        lines.append(
            '"test.jump"()'
            + (f"[{', '.join(f'^b{s}' for s in following)}]" if following else "")
            + " : () -> ()"
        )
    module = parse_text("\n".join([*lines, "}"]), allow_unregistered=True)
    return list(next(iter(module.regions[0].ops())).regions[0])


def reaches(source: Block, target: Block, avoiding: Block | None = None) -> bool:
    """Plainly, along the successors of terminators."""
    if target is avoiding:
        return False
    seen, waiting = {avoiding}, list(source.successors)
    while waiting:
        block = waiting.pop()
        if block is target:
            return True
        if block not in seen:
            seen.add(block)
            waiting += block.successors
    return False


def plainly_on_path(start: Block, through: Block, end: Block) -> bool:
    if through is not start and not reaches(start, through):
        return False
    return through is end or reaches(through, end, start)


def check(graph: Graph) -> None:
    blocks = blocks_of(graph)
    function = blocks[0].parent_op
    assert function is not None
    order = ProgramOrder(function)
    for a in blocks:
        for b in blocks:
            for d in (*blocks, None):
                plain = reaches(a, b, d) and reaches(b, a, d)
                assert order.on_common_cycle(a, b, d) == plain
                if d is not None:
                    assert order.on_path(d, a, b) == plainly_on_path(d, a, b)


@settings(max_examples=300, deadline=None)
@given(graphs())
def test_paths_and_cycles_are_those_of_a_plain_search(graph: Graph) -> None:
    check(graph)


@pytest.mark.parametrize(
    "graph",
    [
        pytest.param([[1], [2, 3], [1], []], id="loop"),
        pytest.param([[1], [1, 2], []], id="loop of one block"),
        pytest.param([[1], [2, 4], [3], [2, 1], []], id="nested loops"),
        pytest.param([[1, 2], [2], [1]], id="irreducible"),
        pytest.param([[2], [2], []], id="unreachable block"),
        pytest.param([[1], [2, 3], [4], [5], [1], []], id="exit from the middle of a loop"),
    ],
)
def test_shapes_of_graphs(graph: Graph) -> None:
    check(graph)


@settings(max_examples=200, deadline=None)
@given(graphs())
def test_dominated_blocks_are_a_range_and_edges_lead_forward_or_to_a_dominator(graph: Graph) -> None:
    blocks = blocks_of(graph)
    function = blocks[0].parent_op
    assert function is not None
    order = ProgramOrder(function).block_order(function.regions[0])
    tree = ProgramOrder(function).dominators(function.regions[0])
    assert set(order.blocks) == set(tree)
    for a in order.blocks:
        last = order.rank[order.last_dominated(a)]
        for b in order.blocks:
            assert tree.dominates(a, b) == order.dominates(a, b) == (order.rank[a] <= order.rank[b] <= last)
    if order.is_reducible:
        for a in order.blocks:
            for b in a.successors:
                assert order.rank[a] < order.rank[b] or order.dominates(b, a)


@settings(max_examples=100, deadline=None)
@given(graphs())
def test_where_control_comes_back_from_without_passing_a_dominator(graph: Graph) -> None:
    blocks = blocks_of(graph)
    function = blocks[0].parent_op
    assert function is not None
    order = ProgramOrder(function).block_order(function.regions[0])
    rank = order.rank
    for avoiding in order.blocks:
        for block in order.blocks:
            if avoiding is block or not order.dominates(avoiding, block):
                continue
            before = [b for b in order.blocks if reaches(b, block, avoiding) and b is not avoiding]
            behind = [b for b in before if rank[b] >= rank[block]]
            last = order.last_before(block, avoiding)
            if last is None:
                assert not behind
            else:
                assert all(rank[b] <= rank[last] for b in behind)
                assert last in behind or not order.is_reducible
            gate = order.gate(block, avoiding)
            if gate is not None:
                assert order.dominates(*gate) and order.dominates(avoiding, gate[1])
                assert all(rank[b] <= rank[gate[0]] or rank[b] >= rank[gate[1]] for b in before)


def test_long_graphs_need_no_recursion() -> None:
    rng = random.Random(0)
    graph = [[n + 1, *([rng.randrange(1, n + 1)] if n and n % 7 == 0 else [])] for n in range(3000)] + [[]]
    blocks = blocks_of(graph)
    function = blocks[0].parent_op
    assert function is not None
    order = ProgramOrder(function)
    assert order.on_path(blocks[0], blocks[1500], blocks[2999])
    assert not order.on_path(blocks[1], blocks[0], blocks[2999])
