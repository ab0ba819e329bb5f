"""The graph of program points: what is cut where, and where control goes from there."""

import pytest
from bufferize import parse
from bufferize.analysis.dataflow import flow_graph

PROGRAMS = {
    "a block is one segment": (
        """func.func @f(%c: i1) {
             %0 = arith.constant 1 : index
             return
           }""",
        {"constant return": []},
    ),
    "an if is passed on either side": (
        """func.func @f(%c: i1) {
             scf.if %c {
               %0 = arith.constant 1 : index
             }
             return
           }""",
        {"if": ["region constant yield", "region return"], "constant yield": ["region return"], "return": []},
    ),
    "a loop is entered, repeated and left": (
        """func.func @f(%n: index) {
             scf.for %i = %n to %n step %n {
               %0 = arith.constant 1 : index
             }
             return
           }""",
        {
            "for": ["region constant yield", "region return"],
            "constant yield": ["region constant yield", "region return"],
            "return": [],
        },
    ),
    "blocks branch": (
        """func.func @f(%c: i1) {
             cf.cond_br %c, ^a, ^b
           ^a:
             cf.br ^b
           ^b:
             return
           }""",
        {"cond_br": ["branch br", "branch return"], "br": ["branch return"], "return": []},
    ),
    "regions of which nobody says how they run may run in any order": (
        """func.func @f(%m: memref<4xf32>) {
             linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
                 outs(%m : memref<4xf32>) {
             ^bb0(%x: f32):
               linalg.yield %x : f32
             }
             return
           }""",
        {
            "generic": ["unknown return", "unknown yield"],
            "yield": ["unknown return", "unknown yield"],
            "return": [],
        },
    ),
    "a call of a function of the program goes there and comes back": (
        """func.func @f() {
             call @g() : () -> ()
             call @h() : () -> ()
             return
           }
           func.func @g() {
             %0 = arith.constant 1 : index
             return
           }
           func.func private @h()""",
        {
            "call": ["around call return", "call constant return"],
            "call return": [],
            "constant return": ["return call return"],
        },
    ),
}


def words(segment):
    return " ".join(op.name.partition(".")[2] for op in segment.ops)


@pytest.mark.parametrize("name", PROGRAMS)
def test_segments_and_where_control_goes(name):
    text, expected = PROGRAMS[name]
    graph = flow_graph(parse(text))
    found = {
        words(s): [f"{e.kind.value} {words(e.target)}" for e in (*s.leaving, *s.calls, *s.returns)]
        for s in graph
        if s.function.name == "func.func"
    }
    assert found == expected
    assert set(graph.digraph) == set(graph)
    assert sum(len(edges) for _, _, edges in graph.digraph.edges.data("edges")) == len(list(graph.edges()))
    for segment in graph:
        assert all(graph.of(op) is segment for op in segment.ops)


LOOP = """func.func @f(%n: index, %m: memref<8xindex>) {
  scf.for %i = %n to %n step %n {
    memref.store %i, %m[%n] : memref<8xindex>
  }
  return
}"""


def test_a_graph_is_shared_until_control_flow_changes():
    program = parse(LOOP)
    graph = flow_graph(program)
    store = next(op for op in program.walk() if op.name == "memref.store")
    segment = graph.of(store)
    copy = store.clone()
    store.block.insert_before(copy, store)
    assert flow_graph(program) is graph and words(segment) == "store store yield"
    loop = next(op for op in program.walk() if op.name == "scf.for")
    again = loop.clone()
    loop.block.insert_before(again, loop)
    assert flow_graph(program) is not graph and len(flow_graph(program)) == len(graph) + 2


def test_edges_pass_values_and_say_their_conditions():
    program = parse("""func.func @f(%c: i1, %x: i32) -> i32 {
      %y = call @g(%x) : (i32) -> i32
      cf.cond_br %c, ^a(%x : i32), ^a(%y : i32)
    ^a(%z: i32):
      return %z : i32
    }
    func.func private @g(%v: i32) -> i32 {
      return %v : i32
    }""")
    graph = flow_graph(program)
    found = {
        (edge.kind.value, edge.condition.wanted if edge.condition else None): [
            (use.value.name_hint, value.name_hint) for use, value in edge.pairs()
        ]
        for edge in graph.edges()
    }
    assert found == {
        ("around", None): [],
        ("call", None): [("x", "v")],
        ("return", None): [("v", "y")],
        ("branch", "true"): [("x", "z")],
        ("branch", "false"): [("y", "z")],
    }
