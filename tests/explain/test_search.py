"""The search of a plan: which routes are tried in which order, which is best, and what runs on a route."""

from types import SimpleNamespace

import pytest
from bufferize import parse
from bufferize.analysis.causes import CauseKind
from bufferize.analysis.one_shot import TOP_DOWN
from bufferize.explain import plan, routes
from bufferize.explain.plan import Planner
from bufferize.explain.routes import Cost, RouteOutcome
from bufferize.ir.source.records import replace
from bufferize.transforms.buffer_results_to_out_params import KeepArguments
from bufferize.transforms.canonicalize import Canonicalize
from bufferize.transforms.eliminate_empty_tensors import EliminateEmptyTensors
from bufferize.transforms.fewest_copies.trial import PlainCost
from bufferize.transforms.inline import Inline
from bufferize.transforms.pass_base import find_pass
from bufferize.transforms.reorder_to_save_copies import ReorderToSaveCopies

from .test_routes import CALLS, CLONE, PLAIN, places, planner, record

__all__ = ["places"]

LowerAffine = find_pass("lower-affine")
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
JOINT = "fewest+inline+simplify+eliminate+reorder+identity"
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
        "fewest inline identity simplify cse loop-invariant-code-motion fewest+inline+simplify+identity",
        "plain",
        (),
    ),
    "the program asks for it": (
        [(ASKED, "")],
        {},
        "fewest inline eliminate simplify cse loop-invariant-code-motion fewest+inline+simplify+eliminate+identity",
        "plain",
        (),
    ),
    "clones": (
        [(OWNED, "")],
        {"made": CLONE},
        "fewest dynamic inline static top-down simplify cse loop-invariant-code-motion fewest+inline+simplify+identity",
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
        f"{FIRST} {JOINT} fewest+inline+simplify+eliminate+reorder fewest+inline+simplify+reorder"
        " fewest+inline+simplify+eliminate fewest+simplify+eliminate+reorder fewest+eliminate+reorder",
        "fewest+eliminate+reorder",
        (),
    ),
    "what is not needed beside others is left out": (
        [(OUT, "fewest+identity+inline")],
        {"remaining": 2_000},
        f"{FIRST} {JOINT} fewest+inline+simplify+eliminate+reorder fewest+inline+simplify+reorder+identity"
        " fewest+inline+simplify+identity fewest+simplify+identity fewest+inline+identity",
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
        "fewest inline identity simplify fewest+inline+simplify+identity",
        "plain",
        (),
    ),
    "a pass fails that saves copies beside others": (
        [(OUT, "simplify")],
        {},
        f"{FIRST} {JOINT} fewest+inline+simplify+eliminate+reorder fewest+inline+simplify+reorder"
        " fewest+inline+simplify fewest+simplify",
        "fewest+simplify",
        (),
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


def test_at_most_three_arguments_are_kept_on_trial_and_those_used_alike_together(monkeypatch):
    found = planner(CALLS)
    monkeypatch.setattr(plan, "arguments_to_keep", lambda _result, report: iter(report))
    additions_found = list(found._kept([("a", "read"), ("b", "written"), ("c", "read"), ("d", "written")]))
    kept = [add(replace(PLAIN, keep=("z",))).keep for add in additions_found]
    assert kept == [("z", "a", "c"), ("z", "b")]
    assert found._kept_and_searched(PLAIN) == replace(PLAIN, fewest=True, keep=("a", "c", "b"))
    assert found._kept_and_searched(replace(PLAIN, fewest=True)) is None  # the others have tried it
    found.size = 301
    assert found._kept_and_searched(PLAIN) is None


def test_no_search_with_kept_arguments_if_there_are_none():
    assert planner(CALLS)._kept_and_searched(PLAIN) is None


RUNS = {
    # what a route adds, whether the cost of the program as it is still holds, and the passes that run before bufferization
    "nothing": ({}, True, []),
    "the search": ({"fewest": True}, True, []),
    "a conversion": ({"convert": ("lower-affine",)}, False, ["lower-affine"]),
    "inlining": ({"inline": True}, False, ["inline"]),
    "folding": ({"simplify": True}, False, ["canonicalize"]),
    "arguments": ({"keep": ("inner#2",)}, False, ["keep-arguments"]),
    "empty tensors": ({"eliminate": True}, False, ["eliminate-empty-tensors"]),
    "the order": ({"reorder": True}, False, ["reorder-to-save-copies"]),
    "frees": ({"deallocates": True}, True, []),
}


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("remembers", [True, False])
def test_what_runs_on_a_route(name, remembers, monkeypatch):
    changed, still_holds, passes = RUNS[name]
    ran, before, bufferized = [], [], []

    def noted(passed, run="run"):
        known = getattr(passed, run)
        monkeypatch.setattr(
            passed, run, lambda self, *rest: ran.append(self.name) or known(self, *rest)
        )  # fmt: skip

    for passed in (LowerAffine, Inline, Canonicalize, KeepArguments, EliminateEmptyTensors):
        noted(passed)
    noted(ReorderToSaveCopies, "reorder")
    run_pass = routes.run_pass

    def noting(chosen, module, context, registry, as_it_is=None, costs=None):
        bufferized.append((as_it_is, costs is not None))
        before.append([each for each in ran if each in passes] if passes else list(ran))
        return run_pass(chosen, module, context, registry, None, None)

    monkeypatch.setattr(routes, "run_pass", noting)
    module = parse(SLICED)
    tried = routes.TriedForms(remembers)
    route = replace(PLAIN, **changed)
    known = planner(SLICED)
    runs = [routes.run_route(route, module, known.registry, "the cost", tried) for _ in range(2)]
    assert before[0] == passes
    once = ("the cost" if still_holds else None, remembers)
    assert bufferized == [once] * (1 if remembers else 2)
    assert not any(op.name == "memref.dealloc" for run in runs for op in run.buffers.walk())
    counts = [Cost.of(run.memory_report) for run in runs]
    assert counts[0] == counts[1] and str(module) == str(parse(SLICED))
    assert len(tried.runs) == 1 and len(tried.costs) == remembers


BOTH_KEPT = """
func.func @f(%t: tensor<8xf32>, %f: f32, %i: index, %c: i1) -> (tensor<8xf32>, tensor<8xf32>) {
  %w = tensor.insert %f into %t[%i] : tensor<8xf32>
  %s = scf.if %c -> tensor<8xf32> {
    scf.yield %w : tensor<8xf32>
  } else {
    scf.yield %t : tensor<8xf32>
  }
  return %s, %t : tensor<8xf32>, tensor<8xf32>
}"""


def test_preparations_that_change_nothing_lead_to_the_buffers_of_the_plain_command():
    found = planner(BOTH_KEPT)
    tried = found._forms
    tried.plain, tried.buffers = PLAIN.bufferization_alone, found.bufferized.mapping

    def buffers(known, **changed):
        return routes.run_route(replace(PLAIN, **changed), found.module, found.registry, known, tried).buffers

    assert buffers(found._as_it_is, light=True) is found.bufferized.module
    for changed in ({"light": True, "layout": "identity-layout-map"}, {"fewest": True}, {}):
        assert buffers(found._as_it_is, **changed) is not found.bufferized.module, changed
    assert str(found.module) == str(parse(BOTH_KEPT))


def test_the_same_buffers_are_freed_once_in_each_way(monkeypatch):
    freed = []
    insert_clones = routes.insert_clones
    monkeypatch.setattr(
        routes, "insert_clones", lambda *known, **how: freed.append(how) or insert_clones(*known, **how)
    )
    found = planner(BOTH_KEPT)
    tried = routes.TriedForms(False)
    for changed in ({}, {"light": True}, {"reorder": True}, {"dynamic": True}, {"static": True}):
        route = replace(PLAIN, deallocates=True, **changed)
        run = routes.run_route(route, found.module, found.registry, None, tried)
        assert [m.made for m in run.memory_report].count("bufferization.clone") >= 1
    assert freed == [{"dynamic": False}, {"dynamic": True}]
