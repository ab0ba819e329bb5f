"""Graphs of blocks and regions: their edges, what goes along, that there is one of each, and that all look at it."""

from __future__ import annotations

import subprocess
import sys

import pytest
from bufferize.analysis import graphs
from bufferize.analysis.graphs import BlockGraph, BlockTree, block_graph, passed_pairs, region_graph
from bufferize.analysis.liveness import Liveness
from bufferize.analysis.regions import ProgramOrder
from bufferize.ir.program.core import Operation
from bufferize.ir.text.parser import parse_text
from bufferize.transforms.cse import Cse
from bufferize.transforms.pass_base import Context

TEXT = """
func.func @f(%n: index, %c: i1, %x: f32) -> f32 {
  %a = arith.addf %x, %x : f32
  cf.br ^loop(%a : f32)
^loop(%v: f32):
  %w = arith.addf %v, %a : f32
  cf.cond_br %c, ^loop(%w : f32), ^exit
^exit:
  %r = scf.if %c -> f32 {
    %s = arith.addf %w, %x : f32
    scf.yield %s : f32
  } else {
    scf.yield %v : f32
  }
  return %r : f32
}
"""


def function() -> Operation:
    return next(op for op in parse_text(TEXT).walk() if op.name == "func.func")


def test_blocks_and_what_goes_along_their_edges() -> None:
    region = function().regions[0]
    entry, loop, end = region.blocks
    graph = block_graph(region)
    assert list(graph.digraph.edges) == [(entry, loop), (loop, loop), (loop, end)]
    assert graph.digraph.graph["entry"] is entry
    (edge,) = graph.digraph.edges[loop, loop]["edges"]
    ((operand, argument),) = edge.pairs()
    assert (operand.value, argument) == (loop.first_op.results[0], loop.args[0])
    assert (edge.condition.value, edge.condition.wanted) == (entry.args[1], "true")
    assert list(graph.successors(loop)) == [loop, end]
    assert list(graph.predecessors(loop)) == [entry, loop]
    assert graph.has_cycle
    assert graph.retreating == {(loop, loop)}
    assert graph.dominators.dominates(loop, end)
    assert graph.post_dominators.dominates(end, entry)


def test_regions_and_what_goes_along_their_edges() -> None:
    branch = function().regions[0].blocks[2].first_op
    yes, no = branch.regions
    graph = region_graph(branch)
    assert list(graph.digraph.edges) == [(branch, yes), (branch, no), (yes, branch), (no, branch)]
    (edge,) = graph.digraph.edges[yes, branch]["edges"]
    ((operand, result),) = edge.pairs()
    assert (operand.owner, result) == (yes.entry.last_op, branch.results[0])
    assert [target for _, target in passed_pairs(branch)] == [branch.results[0]] * 2


def test_two_edges_between_two_blocks_are_two_passages() -> None:
    text = """
    func.func @f(%c: i1, %x: f32, %y: f32) -> f32 {
      cf.cond_br %c, ^end(%x : f32), ^end(%y : f32)
    ^end(%v: f32):
      return %v : f32
    }"""
    region = next(op for op in parse_text(text).walk() if op.name == "func.func").regions[0]
    graph = block_graph(region)
    assert [len(edges) for _, _, edges in graph.digraph.edges.data("edges")] == [2]
    assert [edge.index for _, edge in graph.edges()] == [0, 1]
    assert not graph.has_cycle


def test_of_an_operation_that_does_not_say_any_region_may_follow_any() -> None:
    op = next(op for op in parse_text(TEXT).walk() if op.name == "builtin.module")
    assert set(region_graph(op).digraph.edges) == {
        (a, b) for a in (op, op.regions[0]) for b in (op, op.regions[0])
    }
    assert not list(region_graph(op).edges())


def test_a_graph_is_kept_until_blocks_or_branches_change() -> None:
    region = function().regions[0]
    graph = block_graph(region)
    assert block_graph(region) is graph
    branch = region.entry.last_op
    copy = branch.clone({})
    branch.erase()
    region.entry.append(copy)
    again = block_graph(region)
    assert again is not graph
    assert next(again.edges())[1].op is copy
    region.blocks[1].last_op.successors = (region.blocks[1], region.blocks[1])
    assert block_graph(region) is not again
    final = block_graph(region)
    region.entry.split_before(region.entry.last_op)
    assert block_graph(region) is not final


def test_passes_analyses_and_pictures_look_at_one_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever follows control through the unchanged function does so in the object made first."""
    from bufferize.viz.graph.blocks import control_flow

    root = function()
    made: list[BlockGraph] = []
    construct = BlockGraph.__init__

    def counted(self: BlockGraph, region: object) -> None:
        made.append(self)
        construct(self, region)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(BlockGraph, "__init__", counted)
    first = block_graph(root.regions[0])
    asked = {
        "dominance": lambda: BlockTree(root),
        "post-dominance": lambda: BlockTree(root, post=True),
        "liveness": lambda: Liveness(root),
        "order": lambda: ProgramOrder(root).block_order(root.regions[0]),
        "picture": lambda: control_flow(root.regions[0]),
        "pass": lambda: Cse().run(root, Context()),
    }
    seen: set[str] = set()
    original = BlockGraph.is_current

    for name, ask in asked.items():

        def noted(self: BlockGraph, name: str = name) -> bool:
            if self is first:
                seen.add(name)
            return original(self)

        monkeypatch.setattr(BlockGraph, "is_current", noted)
        ask()
    assert seen == set(asked)
    of_function = [graph for graph in made if len(graph) > 1]
    assert of_function == [first]


def test_explain_and_the_rewrite_see_one_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    """`explain` analyses, then asks for pictures; the graph of the function is made once as long as nothing is rewritten."""
    from bufferize.analysis.one_shot import AnalysisOptions
    from bufferize.analysis.one_shot.analyze import analyze

    text = """
    func.func @f(%t: tensor<8xf32>, %c: i1, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
      cf.cond_br %c, ^one, ^two
    ^one:
      %a = tensor.insert %f into %t[%i] : tensor<8xf32>
      cf.br ^end(%a : tensor<8xf32>)
    ^two:
      cf.br ^end(%t : tensor<8xf32>)
    ^end(%u: tensor<8xf32>):
      %r = tensor.extract %t[%i] : tensor<8xf32>
      return %u, %r : tensor<8xf32>, f32
    }"""
    module = parse_text(text)
    region = next(op for op in module.walk() if op.name == "func.func").regions[0]
    given: list[BlockGraph] = []
    original = graphs.block_graph

    def noted(asked: object) -> BlockGraph:
        graph = original(asked)  # pyright: ignore[reportArgumentType]
        if asked is region:
            given.append(graph)
        return graph

    monkeypatch.setattr("bufferize.analysis.regions.block_graph", noted)
    monkeypatch.setattr("bufferize.viz.graph.blocks.block_graph", noted)
    from bufferize.viz.graph.blocks import control_flow

    analyze(module, AnalysisOptions())
    control_flow(region)
    assert len(given) > 1
    assert all(graph is given[0] for graph in given)


def test_one_block_needs_no_networkx() -> None:
    code = """
import sys
from bufferize.analysis.graphs import block_graph
from bufferize.analysis.liveness import Liveness
from bufferize.analysis.graphs import BlockTree
from bufferize.ir.text.parser import parse_text
module = parse_text("func.func @f(%x: f32) -> f32 { %a = arith.addf %x, %x : f32 return %a : f32 }")
graph = block_graph(module.regions[0].entry.first_op.regions[0])
Liveness(module), BlockTree(module, post=True), graph.dominators, graph.reachable, graph.has_cycle
sys.exit("networkx" in sys.modules)
"""
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_cycles_that_nothing_reaches_are_walked_last_and_do_not_count() -> None:
    text = """
    func.func @f(%c: i1) {
      cf.cond_br %c, ^a, ^b
    ^a:
      cf.br ^b
    ^b:
      return
    ^x:
      cf.br ^y
    ^y:
      cf.cond_br %c, ^x, ^b
    }"""
    region = next(op for op in parse_text(text).walk() if op.name == "func.func").regions[0]
    *_, x, y = region.blocks
    graph = block_graph(region)
    assert graph.retreating == {(y, x)}
    assert not graph.has_cycle
    assert x not in graph.reachable
