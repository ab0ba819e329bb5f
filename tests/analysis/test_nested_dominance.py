"""Dominance across regions against the definition: `a` is above `b` if no path gets to `b` around `a`."""

from bufferize.analysis.allocations import ReachOfViews
from bufferize.analysis.graphs import BlockTree
from bufferize.analysis.origins import ViewFlow
from bufferize.ir.text.parser import parse_text
from hypothesis import given, strategies as st


@st.composite
def flow_graphs(draw):
    """For each block the blocks it may go to; the first is the entry."""
    count = draw(st.integers(1, 7))
    return [draw(st.lists(st.integers(1, count - 1), max_size=2)) if count > 1 else [] for _ in range(count)]


def program(graph, nested=False):
    """A function with these blocks; each holds an operation with a region if `nested`."""
    lines = ["func.func @f(%c: i1) {"]
    for i, targets in enumerate(graph):
        if i:
            lines.append(f"^b{i}:")
        if nested:
            lines.append("  scf.if %c { scf.yield }")
        if not targets:
            lines.append("  return")
        elif len(targets) == 1:
            lines.append(f"  cf.br ^b{targets[0]}")
        else:
            lines.append(f"  cf.cond_br %c, ^b{targets[0]}, ^b{targets[1]}")
    return parse_text("\n".join([*lines, "}"])).regions[0].entry.first_op


def reached(starts, following, without):
    seen, waiting = set(), [s for s in starts if s != without]
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            waiting += [n for n in following(node) if n != without]
    return seen


def above_by_definition(graph, post):
    """Pairs (a, b) such that every path from the entry (to an exit) passes `a` if it passes `b`."""
    count = len(graph)
    if post:
        starts = [i for i in range(count) if not graph[i]]
        following = lambda n: [i for i in range(count) if n in graph[i]]  # noqa: E731
    else:
        starts, following = [0], lambda n: graph[n]
    alive = reached(starts, following, None)
    return {(a, b) for a in alive for b in alive if a == b or b not in reached(starts, following, a)}


@given(flow_graphs(), st.booleans(), st.booleans())
def test_above_is_dominance(graph, post, nested):
    function = program(graph, nested)
    blocks = list(function.regions[0])
    tree = BlockTree(function, post)
    expected = above_by_definition(graph, post)
    found = {(i, j) for i, a in enumerate(blocks) for j, b in enumerate(blocks) if tree.is_above(a, b)}
    assert found == expected
    if nested:
        for i, block in enumerate(blocks):
            inner = next(op for op in block if op.regions).regions[0].entry
            above = {j for j, other in enumerate(blocks) if tree.is_above(other, inner)}
            assert above == {j for j in range(len(blocks)) if (j, i) in expected}


@given(flow_graphs(), st.sets(st.integers(0, 6), min_size=1))
def test_lowest_above_all_is_the_last_of_the_common_dominators(graph, wanted):
    function = program(graph)
    blocks = list(function.regions[0])
    tree = BlockTree(function)
    chosen = [i for i in wanted if i < len(blocks) and blocks[i] in tree]
    expected = above_by_definition(graph, False)
    common = [a for a in range(len(blocks)) if all((a, b) in expected for b in chosen)]
    lowest = [a for a in common if all((b, a) in expected for b in common)]
    found = tree.lowest_above_all([blocks[i] for i in chosen])
    if chosen:
        assert found is blocks[lowest[0]]
    else:
        assert found is None


@st.composite
def shared_views(draw):
    """Allocations, selections among them and casts, in a diamond."""
    values, lines = [], []
    for block in range(4):
        lines.append([])
        for _ in range(draw(st.integers(0, 3))):
            name = f"%v{len(values)}"
            usable = [v for v, home in values if home in (0, block)]
            kind = draw(st.integers(0, 2)) if usable else 0
            if kind == 0:
                lines[block].append(f"  {name} = memref.alloc() : memref<4xf32>")
            elif kind == 1:
                one, other = draw(st.sampled_from(usable)), draw(st.sampled_from(usable))
                lines[block].append(f"  {name} = arith.select %c, {one}, {other} : memref<4xf32>")
            else:
                lines[block].append(f"  memref.dealloc {draw(st.sampled_from(usable))} : memref<4xf32>")
                continue
            values.append((name, block))
    ends = ["  cf.cond_br %c, ^b1, ^b2", "  cf.br ^b3", "  cf.br ^b3", "  return"]
    text = "func.func @f(%c: i1) {\n"
    for block in range(4):
        text += (f"^b{block}:\n" if block else "") + "\n".join([*lines[block], ends[block]]) + "\n"
    return text + "}"


@given(shared_views())
def test_reach_of_views_is_that_of_the_closure(text):
    function = parse_text(text).regions[0].entry.first_op
    for post in (False, True):
        tree, flow = BlockTree(function, post), ViewFlow(function)
        reach = ReachOfViews(flow, tree)
        for op in function.walk():
            for value in op.results:
                views = flow.resolve(value)
                blocks = {use.owner.block for view in views for use in view.uses}
                blocks |= {view.parent_block for view in views}
                assert reach.common_block(value) is tree.lowest_above_all(blocks)
