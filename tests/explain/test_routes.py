"""What a route leaves, and to what programs the plan's additions apply."""

from types import SimpleNamespace

import pytest
from bufferize import parse
from bufferize.analysis.causes import CauseKind
from bufferize.analysis.one_shot import BOTTOM_UP, TOP_DOWN, AnalysisOptions
from bufferize.analysis.sizes import Formula
from bufferize.explain import plan, routes
from bufferize.explain.plan import Planner
from bufferize.explain.report import explain
from bufferize.explain.routes import Cost, Route, RouteOutcome
from bufferize.ir.source.records import replace
from bufferize.transforms.fewest_copies.trial import PlainCost
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
    assert [plan._is_never_run(op) for op in ops if plan._is_loop(op)] == [False, True, False, False]
    assert {op.name for op in ops if plan._is_loop(op)} == {"scf.for", "scf.while"}
    assert not plan._has_nested(module)
    assert plan._has_nested(parse("module { module { } }"))


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
    assert planner(MODULE + more)._calls_private is inlined


def test_the_budget_of_additions():
    found = planner(MODULE)
    size = found.size
    assert size == sum(1 for _ in parse(MODULE).walk())
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
        return list(found._arguments(one))

    given = calls["outer"].op_operands[0]
    assert kept("memref.copy", given) == ["outer#0", "inner#2"]
    assert kept("memref.copy", calls["inner"].op_operands[2]) == ["inner#2"]
    assert kept("memref.copy", calls["declared"].op_operands[0]) == []
    assert kept("memref.copy") == [] and kept(ALLOC, given) == [] and kept(CLONE, given) == []
    assert kept(CLONE, None, main.body.entry.args[0]) == ["main#0"]
    assert kept(CLONE, given, main.body.entry.args[0]) == ["main#0"]
    assert kept("memref.copy", None, main.body.entry.args[0]) == []
    assert kept(CLONE, None, calls["outer"].results[0]) == []


SLICED = """
func.func private @inner(%f: f32, %i: index, %t: tensor<8xf32>) -> tensor<8xf32> {
  %w = tensor.insert %f into %t[%i] : tensor<8xf32>
  return %w : tensor<8xf32>
}
func.func @main(%t: tensor<8xf32>, %f: f32, %i: index, %n: index) -> (tensor<8xf32>, tensor<4xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<8xf32>
  %s = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %r = call @inner(%f, %i, %t) : (f32, index, tensor<8xf32>) -> tensor<8xf32>
  %l = scf.for %k = %c0 to %n step %c1 iter_args(%a = %r) -> (tensor<8xf32>) {
    %made = linalg.fill ins(%f : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %made2 = linalg.fill ins(%f : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %b = linalg.add ins(%made, %made2 : tensor<8xf32>, tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  }
  return %t, %s, %l : tensor<8xf32>, tensor<4xf32>, tensor<8xf32>
}
"""
SWITCHES = (
    "light", "compare", "fewest", "inline", "simplify", "eliminate", "reorder", "dynamic", "static",
)  # fmt: skip


def additions(route):
    """What a route adds to the plain one, as `fewest+reorder`."""
    found = [*route.convert, *route.keep, *(name for name in SWITCHES if getattr(route, name))]
    found += ["identity"] * (route.layout != PLAIN.layout)
    found += ["top-down"] * (route.analysis.analysis_heuristic == TOP_DOWN)
    return "+".join(found) or "plain"


def searched(world, text=SLICED, size=None, remaining=None, made="memref.copy"):
    """The routes that are tried in a world of copies, each with its cause and the sets of additions that eliminate it;
    and the plan.
    """
    found = planner(text)
    found.size = size or found.size
    found.remaining = remaining or found.remaining
    copies = [
        (record(made, place=f"place {i}", kind=kind), [set(way.split("+")) for way in ways.split()])
        for i, (kind, ways) in enumerate(world)
    ]
    tried = []

    def run(route):
        names = additions(route)
        tried.append(names)
        found._tried.add(route)
        if names == "simplify":
            return None  # a pass fails
        left = [one for one, ways in copies if not any(way <= set(names.split("+")) for way in ways)]
        outcome = RouteOutcome.of(route, left)
        found._outcomes.append(outcome)
        return outcome

    found._run = run
    plan = found.plan(Records([one for one, _ in copies]))
    return tried, plan


class Records(list):
    @property
    def moves(self):
        return [one for one in self if one.made in ("memref.copy", CLONE)]


OUT, LAYOUT, OWNED, ASKED = (
    CauseKind.OUT_OF_PLACE, CauseKind.LAYOUT_MISMATCH, CauseKind.NOT_OWNED, CauseKind.ASKED,
)  # fmt: skip
BIG = 600
FIRST = "fewest inline eliminate reorder simplify cse loop-invariant-code-motion"
JOINT = "fewest+inline+eliminate+reorder+identity"
UNTRIED = (
    "-eliminate-empty-tensors",
    "-reorder-to-save-copies=analysis-heuristic=fewest-copies",
    "-canonicalize",
    "-cse",
    "-loop-invariant-code-motion",
)
SEARCHES = {
    "nothing helps": ([(OUT, "")], {}, f"{FIRST} {JOINT}", "plain", ()),
    "only the layout": (
        [(LAYOUT, "")],
        {},
        "fewest inline identity simplify cse loop-invariant-code-motion fewest+inline+identity",
        "plain",
        (),
    ),
    "the program asks for it": (
        [(ASKED, "")],
        {},
        "fewest inline eliminate simplify cse loop-invariant-code-motion fewest+inline+eliminate+identity",
        "plain",
        (),
    ),
    "clones": (
        [(OWNED, "")],
        {"made": CLONE},
        "fewest dynamic inline static top-down simplify cse loop-invariant-code-motion fewest+inline+identity",
        "plain",
        (),
    ),
    "a copy and a layout": (
        [(OUT, "fewest"), (LAYOUT, "identity")],
        {},
        "fewest fewest+inline fewest+identity",
        "fewest+identity",
        (),
    ),
    "one addition after the other": (
        [(OUT, "fewest"), (OUT, "reorder")],
        {},
        "fewest fewest+inline fewest+eliminate fewest+reorder",
        "fewest+reorder",
        (),
    ),
    "passes that come late": (
        [(OUT, "cse"), (OUT, "loop-invariant-code-motion")],
        {},
        "fewest inline eliminate reorder simplify cse cse+loop-invariant-code-motion",
        "cse+loop-invariant-code-motion",
        (),
    ),
    "two additions jointly": (
        [(OUT, "eliminate+reorder")],
        {},
        f"{FIRST} {JOINT} fewest+inline+eliminate+reorder",
        "fewest+inline+eliminate+reorder",
        (),
    ),
    "what is not needed beside others is left out": (
        [(OUT, "fewest+identity+inline")],
        {"remaining": 2_000},
        f"{FIRST} {JOINT} fewest+inline+eliminate+reorder fewest+inline+reorder+identity fewest+inline+identity fewest+identity",
        "fewest+inline+identity",
        (),
    ),
    "cheap options are enough": (
        [(OUT, "light")] * 9 + [(OUT, "fewest")],
        {"size": 400},
        "light+compare light+compare+inline",
        "light+compare",
        ("fewest-copies", *UNTRIED),
    ),
    "cheap options are not enough": (
        [(OUT, "light")] * 8 + [(OUT, "fewest")],
        {"size": 400},
        "light+compare fewest light+compare+inline",
        "light+compare",
        UNTRIED,
    ),
    "the search is better than cheap options": (
        [(OUT, "light"), (OUT, "fewest"), (OUT, "fewest")],
        {"size": 400},
        "light+compare fewest fewest+inline",
        "fewest",
        UNTRIED,
    ),
    "a small program": ([(OUT, "fewest+reorder")], {"size": 300}, "fewest inline", "plain", UNTRIED),
    "a larger one": (
        [(OUT, "fewest+reorder")], {"size": 301}, "light+compare fewest inline", "plain", UNTRIED,
    ),
    "the largest that is searched": (
        [(OUT, "")], {"size": 500, "remaining": 500}, "light+compare fewest inline", "plain", UNTRIED,
    ),
    "a huge one": (
        [(OUT, "")], {"size": 501, "remaining": 501}, "light+compare inline", "plain", ("fewest-copies", *UNTRIED),
    ),
    "the largest of all": (
        [(OUT, "")], {"size": 20_000}, "light+compare", "plain", ("fewest-copies", "-inline", *UNTRIED),
    ),
    "nothing remains, and much was not tried": (
        [(OUT, "light")], {"size": 501, "remaining": 1}, "light+compare", "light+compare", (),
    ),
    "the joint route was tried": (
        [(LAYOUT, "")],
        {"text": CALLS},
        "fewest inline identity simplify fewest+inline+identity",
        "plain",
        (),
    ),
    "a pass fails that would save copies": (
        [(OUT, "simplify")], {}, f"{FIRST} {JOINT}", "plain", (),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SEARCHES)
def test_which_routes_are_tried_and_which_is_best(name):
    world, options, routes_tried, best, untried = SEARCHES[name]
    tried, found = searched(world, **options)
    assert " ".join(tried) == routes_tried
    assert additions(found.best.route) == best
    assert found.untried == untried
    assert found.before.moves == len(world)
    assert found.instead == 0
    assert all(other.route != found.best.route for other in found.others)
    assert all(other.cost.moves < len(world) for other in found.others)


@pytest.mark.parametrize(("world", "size"), [([], None), ([(OUT, "fewest")], 20_001)])
def test_no_plan_is_searched_if_nothing_is_copied_or_the_program_is_too_large(world, size):
    assert searched(world, size=size) == ([], None)


@pytest.mark.parametrize(("functions", "assumed"), [(1, 64), (2, 64), (1, 5), (2, 5)])
def test_the_cost_of_the_program_as_it_is(functions, assumed):
    """What is taken from the memory report, if possible, is what counting anew finds."""
    text = "".join(
        f"func.func @f{i}(%t: tensor<?xf32>, %f: f32, %i: index) -> (tensor<?xf32>, tensor<?xf32>) {{\n"
        "  %w = tensor.insert %f into %t[%i] : tensor<?xf32>\n"
        "  return %w, %t : tensor<?xf32>, tensor<?xf32>\n}\n"
        for i in range(functions)
    )
    found = planner(text)
    found.options = replace(found.options, assumed_size=assumed)
    known = found._as_it_is
    assert known == PlainCost.of(found.bufferized.module, assumed)
    assert known.written == set() and known.cost.copied > 0
    refused = planner(text)
    refused.bufferized = SimpleNamespace(problems=["no"], memory_report=[])
    assert refused._as_it_is is None
    itself = planner(text)
    records = [SimpleNamespace(is_onto_itself=False), SimpleNamespace(is_onto_itself=True)]
    itself.bufferized = SimpleNamespace(problems=[], memory_report=records)
    assert itself._as_it_is is None


WAYS_OUT = [
    ({"plain": 0}, ["plain"], "plain"),
    ({"plain": 2, "fewest": 1}, ["plain", "fewest"], "fewest"),
    ({"plain": 2, "fewest": 2}, ["plain", "fewest"], "plain"),
    ({"plain": 1}, ["plain", "fewest"], "plain"),
    ({"fewest": 1}, ["plain", "fewest"], "fewest"),
    ({}, ["plain", "fewest"], None),
]


@pytest.mark.parametrize(("left", "tried", "best"), WAYS_OUT)
def test_the_way_out_by_another_pass(left, tried, best):
    found = planner(SLICED)
    ran = []

    def run(route):
        name = "fewest" if route.fewest else "plain"
        assert (route.convert, route.unregistered) == (("lower-affine",), False)
        ran.append(name)
        return outcome_of(route, left[name]) if name in left else None

    found._run = run
    said = found.way_out(("lower-affine",))
    assert ran == tried
    if best is None:
        assert said == ""
    else:
        command = replace(PLAIN, convert=("lower-affine",), fewest=best == "fewest").command("t.mlir")
        assert said == f"another pass first makes it bufferizable: {command}"


def outcome_of(route, count):
    return RouteOutcome.of(route, [record(place=str(i)) for i in range(count)])


FOLDABLE = {
    "nothing": ("", False),
    "a tensor that nobody uses": ("%d = tensor.insert %f into %t[%i] : tensor<4xf32>", True),
    "a number that nobody uses": ("%d = arith.addi %i, %i : index", False),
    "the whole tensor inserted": (
        "%d = tensor.insert_slice %t into %u[0] [4] [1] : tensor<4xf32> into tensor<4xf32>\n"
        '"test.use"(%d) : (tensor<4xf32>) -> ()',
        True,
    ),
    "a loop that never runs": ("scf.for %k = %c1 to %c1 step %c1 { }", True),
    "a loop that runs": ("scf.for %k = %c0 to %c1 step %c1 { }", False),
    "a slice inserted twice": (
        "%s = tensor.extract_slice %t[0] [2] [1] : tensor<4xf32> to tensor<2xf32>\n"
        "%d = tensor.insert_slice %s into %u[1] [2] [1] : tensor<2xf32> into tensor<4xf32>\n"
        "%g = tensor.insert_slice %s into %d[1] [2] [1] : tensor<2xf32> into tensor<4xf32>\n"
        '"test.use"(%g) : (tensor<4xf32>) -> ()',
        True,
    ),
}
ALIKE = {
    "nothing": ("", False),
    "two equal updates": (
        "%a = tensor.insert %f into %t[%i] : tensor<4xf32>\n%b = tensor.insert %f into %t[%i] : tensor<4xf32>",
        True,
    ),
    "updates of two tensors": (
        "%a = tensor.insert %f into %t[%i] : tensor<4xf32>\n%b = tensor.insert %f into %u[%i] : tensor<4xf32>",
        False,
    ),
    "slices of two places": (
        "%a = tensor.extract_slice %t[0] [2] [1] : tensor<4xf32> to tensor<2xf32>\n"
        "%b = tensor.extract_slice %t[1] [2] [1] : tensor<4xf32> to tensor<2xf32>",
        False,
    ),
    "two operations": (
        "%a = tensor.cast %t : tensor<4xf32> to tensor<?xf32>\n"
        "%b = tensor.expand_shape %t [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>",
        False,
    ),
    "two equal numbers": ("%a = arith.addi %i, %i : index\n%b = arith.addi %i, %i : index", False),
    "two empty tensors": ("%a = tensor.empty() : tensor<4xf32>\n%b = tensor.empty() : tensor<4xf32>", False),
}


def in_a_function(body):
    return (
        "func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %f: f32, %i: index) {\n"
        f"%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n{body}\nreturn\n}}"
    )


@pytest.mark.parametrize("name", FOLDABLE)
def test_a_route_that_simplifies_first(name):
    body, is_foldable = FOLDABLE[name]
    found = planner_of(in_a_function(body))
    assert found._simplify(PLAIN) == (replace(PLAIN, simplify=True) if is_foldable else None)
    assert found._simplify_anyway(PLAIN) == replace(PLAIN, simplify=True)
    assert found._simplify_anyway(replace(PLAIN, simplify=True)) is None


@pytest.mark.parametrize("name", ALIKE)
def test_a_route_that_computes_once_what_is_computed_twice(name):
    body, is_alike = ALIKE[name]
    before = replace(PLAIN, convert=("first",))
    found = planner_of(in_a_function(body))._deduplicate(before)
    assert found == (replace(PLAIN, convert=("first", "cse")) if is_alike else None)


def planner_of(text):
    """A planner that knows only the program."""
    found = object.__new__(Planner)
    found.module = parse(text, allow_unregistered=True)
    found.size = sum(1 for _ in found.module.walk())
    return found


def test_cheap_options_of_large_programs():
    found = planner_of(SLICED)
    found.size = 300
    assert found._light(PLAIN) is None
    found.size = 301
    assert found._light(PLAIN) == replace(PLAIN, light=True, compare=True)
    found = planner_of(in_a_function(""))
    found.size = 301
    assert found._light(PLAIN) == replace(PLAIN, light=True)


def test_layouts_in_signatures():
    with_views, without = planner_of(SLICED), planner_of(in_a_function(""))
    assert with_views._identity(PLAIN).layout == "identity-layout-map"
    assert with_views._identity(replace(PLAIN, layout="fully-dynamic-layout-map")) is None
    assert without._identity(PLAIN) is None


def test_at_most_three_arguments_are_kept_on_trial():
    found = planner(CALLS)
    found._arguments = lambda one: one.names
    additions_found = list(found._kept([SimpleNamespace(names=names) for names in ("ab", "bc", "de")]))
    kept = [add(replace(PLAIN, keep=("z",))).keep for add in additions_found]
    assert kept == [("z", "a"), ("z", "b"), ("z", "c")]
