from __future__ import annotations

from bufferize.analysis.graphs import Graphs, region_graph
from bufferize.ir.text.parser import parse_text

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


def test_graphs_have_the_edges_of_the_program_and_are_made_once() -> None:
    func = next(op for op in parse_text(TEXT).walk() if op.name == "func.func")
    entry, loop, end = func.regions[0].blocks
    graphs = Graphs()
    graph = graphs.control_flow(func.regions[0])
    assert list(graph.edges()) == [(entry, loop), (loop, loop), (loop, end)]
    assert graphs.control_flow(func.regions[0]) is graph
    branch = end.first_op
    assert branch is not None
    assert sorted(map(str, region_graph(branch).edges())) == sorted(
        map(
            str,
            [
                (branch, branch.regions[0]),
                (branch, branch.regions[1]),
                (branch.regions[0], branch),
                (branch.regions[1], branch),
            ],
        )
    )
