"""What a route leaves, and to what programs the plan's additions apply."""

from types import SimpleNamespace

import pytest
from bufferize import parse
from bufferize.analysis.one_shot import BOTTOM_UP, TOP_DOWN, AnalysisOptions
from bufferize.analysis.sizes import Formula
from bufferize.explain import plan, routes
from bufferize.explain.kinds.boundaries import arguments_to_keep
from bufferize.explain.plan import Planner
from bufferize.explain.report import explain
from bufferize.explain.routes import Cost, Route, RouteOutcome
from bufferize.ir.program.interfaces import LoopLikeOp
from bufferize.ir.source.records import replace
from bufferize.transforms.memory_report import Kind

PLAIN = Route(AnalysisOptions(bufferize_function_boundaries=True))
FREED = replace(PLAIN, deallocates=True)
KINDS = {"memref.copy": Kind.COPY, "bufferization.clone": Kind.CLONE, "memref.alloc": Kind.ALLOCATION}


def record(
    made="memref.copy", place="here", value="%a", bytes=16, rarely=False, was_written=False, kind="cause"
):
    """A copy, clone or allocation at a place, because of a value."""
    return SimpleNamespace(
        made=made,
        kind=KINDS.get(made, Kind.FREE),
        cause=SimpleNamespace(op=place, value=value, kind=kind, use=None),
        bytes=Formula.of(bytes),
        traffic=Formula.of(2 * bytes),
        times=SimpleNamespace(at_most=rarely),
        was_written=was_written,
    )


CLONE, ALLOC = "bufferization.clone", "memref.alloc"


@pytest.fixture(autouse=True)
def places(monkeypatch):
    monkeypatch.setattr(routes, "place_of", lambda op: op)
    monkeypatch.setattr(routes, "value_name", lambda value: value)


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ([], (0, 0, 0, 0, 0, 0)),
        ([record()], (1, 0, 0, 16, 0, 64)),
        ([record(rarely=True)], (1, 0, 0, 16, 0, 32)),
        ([record(CLONE)], (0, 1, 0, 16, 16, 64)),
        ([record(CLONE, rarely=True)], (0, 1, 0, 16, 16, 64)),
        ([record(ALLOC)], (0, 0, 1, 0, 16, 0)),
        ([record(was_written=True)], (1, 0, 0, 16, 0, 64)),
        ([record("memref.dealloc")], (0, 0, 0, 0, 0, 0)),
        ([record(), record(CLONE, bytes=8), record(ALLOC, bytes=4)], (1, 1, 1, 24, 12, 96)),
    ],
)
def test_what_a_program_costs(records, expected):
    cost = Cost.of(records)
    assert (cost.copies, cost.clones, cost.allocations) == expected[:3]
    assert (cost.moved.constant, cost.allocated.constant, cost.traffic) == expected[3:]
    assert cost.moves == cost.copies + cost.clones


def outcome(*records):
    return RouteOutcome.of(PLAIN, records, Cost.of(records))


def test_what_is_left_and_where():
    found = outcome(
        record(), record(value="%b"), record(CLONE, "there"), record(place="own", was_written=True),
        record(ALLOC, "new"), record("memref.dealloc", "freed"),
    )  # fmt: skip
    assert found.left == {"here": {"%a", "%b"}, "there": {"%a"}}
    written = outcome(record(ALLOC, kind="new"), record(was_written=True, kind="own"), record(kind="copied"))
    assert written.kinds == {"copied"}
    assert found.fresh == {"new"} and found.kinds == {"cause"}
    assert found.counts == {"here": 2, "there": 1}
    assert found.weights == {"here": 64, "there": 32}
    assert outcome(record(value=None)).left == {"here": {""}}


def test_which_copies_a_route_eliminates():
    found = outcome(record(), record(CLONE, "there"), record(place="odd", value=None))
    cases = {
        ("memref.copy", "elsewhere", "%a"): True,
        ("memref.copy", None, "%a"): False,
        ("memref.copy", "here", "%a"): False,
        ("memref.copy", "here", "%b"): True,
        ("memref.copy", "here", "a constant"): False,
        ("memref.copy", "here", None): False,
        ("memref.copy", "odd", "%b"): False,
        (CLONE, "there", "%b"): False,
        (CLONE, "nowhere", "%b"): True,
    }
    assert {case: found.lacks(record(*case)) for case in cases} == cases
    buffers = outcome(record(ALLOC, "here"))
    assert [buffers.lacks_buffer(record(ALLOC, at)) for at in ("here", "there", None)] == [False, True, False]


def test_of_several_copies_at_one_place_the_first_ones_remain():
    found = outcome(record(), record(place="other"))
    copies = [record(), record(), record(place="other"), record(place="gone"), record()]
    told = found.told_of(copies)
    assert [told.lacks(copy) for copy in copies] == [False, True, False, True, True]
    assert [found.lacks(copy) for copy in copies] == [False, False, False, True, False]
    assert told.surplus == {id(copies[1]), id(copies[4])}
    assert found.told_of(copies[:1]).surplus == frozenset()


MODULE = """
func.func private @declared(tensor<4xf32>)
func.func @public(%t: tensor<4xf32>) { return }
func.func private @private(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %w = tensor.insert %f into %t[%i] : tensor<4xf32>
  return %w : tensor<4xf32>
}
func.func @main(%t: tensor<4xf32>, %f: f32, %n: index, %b: i1) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<4xf32>) {
    %made = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %of_counter = tensor.insert %f into %t[%i] : tensor<4xf32>
    %of_argument = tensor.insert %f into %a[%c0] : tensor<4xf32>
    %number = arith.addi %n, %n : index
    %nothing = tensor.empty() : tensor<4xf32>
    %x = scf.if %b -> (tensor<4xf32>) {
      %inner = tensor.insert %f into %t[%c0] : tensor<4xf32>
      scf.yield %inner : tensor<4xf32>
    } else {
      scf.yield %made : tensor<4xf32>
    }
    scf.yield %x : tensor<4xf32>
  }
  %outside = tensor.insert %f into %t[%c0] : tensor<4xf32>
  scf.for %i = %c1 to %c0 step %c1 { }
  scf.for %i = %c0 to %c1 step %c1 { }
  scf.while : () -> () { scf.condition(%b) } do { scf.yield }
  %called = call @private(%t, %f, %n) : (tensor<4xf32>, f32, index) -> tensor<4xf32>
  return %called, %t : tensor<4xf32>, tensor<4xf32>
}
"""


def test_to_which_operations_an_addition_applies():
    module = parse(MODULE)
    ops = list(module.walk())
    assert [op.symbol_name for op in ops if plan._is_private(op)] == ["private"]
    invariant = [op.results[0].name_hint for op in ops if plan._is_invariant(op)]
    assert invariant == ["made", "x"]
    assert [plan._is_never_run(op) for op in ops if isinstance(op, LoopLikeOp)] == [False, True, False, False]


def planner(text):
    module = parse(text)
    found = explain(module, PLAIN.analysis, with_help=False, with_clones=False)
    return Planner(found.result, PLAIN.layout, found.result.state.registry, "t.mlir", found.bufferized)


def test_additions_to_a_route():
    whole, plain = (
        planner(MODULE),
        planner("func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> { return %t : tensor<4xf32> }"),
    )
    fewest = replace(FREED, fewest=True)
    assert plan._fewest(replace(PLAIN, light=True, compare=True)) == replace(PLAIN, fewest=True)
    assert whole._inline(PLAIN) == replace(PLAIN, inline=True) and plain._inline(PLAIN) is None
    assert whole._eliminate(PLAIN) == replace(PLAIN, eliminate=True) and plain._eliminate(PLAIN) is None
    assert whole._dynamic(FREED) == replace(FREED, dynamic=True)
    assert whole._dynamic(PLAIN) is None and plain._dynamic(FREED) is None
    down = replace(FREED.analysis, analysis_heuristic=TOP_DOWN)
    assert whole._top_down(FREED) == replace(FREED, analysis=down)
    assert whole._top_down(PLAIN) is None and whole._top_down(fewest) is None
    dynamic = replace(FREED, dynamic=True)
    assert whole._static(dynamic) == replace(FREED, static=True) and whole._static(PLAIN) is None
    light = replace(FREED, light=True, static=True)
    assert whole._light_static(replace(fewest, dynamic=True)) == light
    assert plain._light_static(fewest) is None and whole._light_static(FREED) is None
    assert whole._light_static(replace(PLAIN, fewest=True)) is None
    assert FREED.analysis.analysis_heuristic == BOTTOM_UP


@pytest.mark.parametrize(
    ("more", "inlined"),
    [
        ("", True),
        ("func.func private @unused() { return }", False),
        ("func.func private @again() { call @again() : () -> () return }", False),
        (
            "func.func private @used() { return } func.func @user() { call @used() : () -> () return }",
            True,
        ),
    ],
)
def test_calls_are_inlined_if_that_leaves_no_private_function(more, inlined):
    assert planner(MODULE + more)._calls_bodies is inlined


def test_the_budget_of_additions():
    found = planner(MODULE)
    assert found.size == sum(1 for _ in parse(MODULE).walk()) <= plan.SMALL
    found.remaining = 0
    assert found._may_run(replace(PLAIN, reorder=True))
    size = found.size = plan.SMALL + 1
    found.remaining = 2 * size + size * plan.OF_ORDERS
    assert found._may_run(PLAIN) and found._may_run(replace(PLAIN, reorder=True))
    assert found.remaining == size
    assert not found._may_run(replace(PLAIN, reorder=True)) and found.remaining == size
    assert found._may_run(PLAIN) and found.remaining == 0 and not found._may_run(PLAIN)


CALLS = """
func.func private @outer(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %r = call @inner(%f, %i, %t) : (f32, index, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func private @inner(%f: f32, %i: index, %t: tensor<4xf32>) -> tensor<4xf32> {
  %w = tensor.insert %f into %t[%i] : tensor<4xf32>
  return %w : tensor<4xf32>
}
func.func private @declared(tensor<4xf32>)
func.func @main(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  call @declared(%t) : (tensor<4xf32>) -> ()
  %r = call @outer(%t, %f, %i) : (tensor<4xf32>, f32, index) -> tensor<4xf32>
  return %r, %t : tensor<4xf32>, tensor<4xf32>
}
"""


def test_arguments_that_might_be_kept_unwritten():
    found = planner(CALLS)
    calls = {op.callee_symbol().root: op for op in found.module.walk() if op.name == "func.call"}
    (main,) = [op for op in found.module.regions[0].ops() if op.symbol_name == "main"]

    def kept(made, use=None, value=None):
        cause = SimpleNamespace(use=use, value=value)
        one = SimpleNamespace(made=made, kind=KINDS[made], cause=cause)
        return [name for name, _ in arguments_to_keep(found.result, [one])]

    given = calls["outer"].op_operands[0]
    assert kept("memref.copy", given) == ["outer#0", "inner#2"]
    assert kept("memref.copy", calls["inner"].op_operands[2]) == ["inner#2"]
    assert kept("memref.copy", calls["declared"].op_operands[0]) == []
    assert kept("memref.copy") == [] and kept(ALLOC, given) == [] and kept(CLONE, given) == []
    assert kept(CLONE, None, main.body.entry.args[0]) == ["main#0"]
    assert kept(CLONE, given, main.body.entry.args[0]) == ["main#0"]
    assert kept("memref.copy", None, main.body.entry.args[0]) == []
    assert kept(CLONE, None, calls["outer"].results[0]) == []
