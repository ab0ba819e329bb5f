"""Verdicts and suggestions, step by step: what the plan, other commands and other deallocation passes do for a copy."""

from types import SimpleNamespace

import pytest
from bufferize import parse
from bufferize.analysis.one_shot import TOP_DOWN, AnalysisOptions
from bufferize.analysis.sizes import Formula
from bufferize.explain import clones, suggest, verdicts
from bufferize.explain.clones import OtherFreeing, Saving
from bufferize.explain.kept import joined_plans
from bufferize.explain.report import explain
from bufferize.explain.routes import Route
from bufferize.explain.suggest import Trials
from bufferize.explain.verdicts import Judge, Word
from bufferize.ir.source.diagnostics import Applicability
from bufferize.ir.source.locations import Source
from bufferize.ir.source.records import as_plain, replace
from bufferize.ir.text.parser import parse_source
from bufferize.transforms.bufferize import IDENTITY_LAYOUT
from bufferize.transforms.changes.trial import Totals
from bufferize.transforms.memory_report import Kind

OPTIONS = AnalysisOptions(bufferize_function_boundaries=True)
PLAIN = Route(OPTIONS)


def outcome(gone=(), buffers=(), route=PLAIN, counts=None, weights=None):
    """What a route eliminates."""
    return SimpleNamespace(
        route=route,
        lacks=lambda copy: copy in gone,
        lacks_buffer=lambda buffer: buffer in buffers,
        counts=counts or {},
        weights=weights or {},
    )


def a_plan(best, helps=True, others=(), **more):
    fields = {"instead": 0, "untried": (), "layout": PLAIN.layout, "command": "run", "plain_command": "plain"}
    return SimpleNamespace(best=best, helps=helps, others=others, file="t.mlir", **(fields | more))


def judge(plan, **fields):
    found = object.__new__(Judge)
    found.plan = plan
    found.result = SimpleNamespace(options=OPTIONS)
    found.registry = SimpleNamespace(flags=("--dialect", "ring"))
    found.trials = SimpleNamespace(saves_copy=lambda suggestion: suggestion.saves, judged_as=9)
    for name, value in fields.items():
        setattr(found, name, value)
    return found


A, B = SimpleNamespace(name="a"), SimpleNamespace(name="b")


class Copy(SimpleNamespace):
    __hash__ = object.__hash__


def copy(place="here", traffic=64, kind=Kind.COPY, onto_itself=False):
    return Copy(
        cause=SimpleNamespace(op=place),
        traffic=Formula.of(traffic),
        bytes=Formula.of(traffic),
        kind=kind,
        is_onto_itself=onto_itself,
    )


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({}, ""),
        ({"fewest": True}, "fewest-copies"),
        ({"light": True}, "rematerialize, eliminate-dead-inits, destination-passing"),
        ({"inline": True, "simplify": True}, "-inline, -canonicalize"),
        ({"convert": ("one", "two")}, "-one, -two"),
        ({"reorder": True, "eliminate": True}, "reads moved up, -eliminate-empty-tensors"),
        ({"keep": ("f#0", "f#1")}, "-keep-arguments"),
        ({"layout": IDENTITY_LAYOUT}, "identity layouts in signatures"),
        ({"dynamic": True}, "private-function-dynamic-ownership"),
        ({"static": True, "edits": True}, "-buffer-deallocation-static, changes of the source"),
        ({"analysis": replace(OPTIONS, analysis_heuristic=TOP_DOWN)}, "top-down"),
        ({"analysis": replace(OPTIONS, analysis_heuristic=TOP_DOWN), "fewest": True}, "fewest-copies"),
    ],
)
def test_how_the_plan_does_without_a_copy(changed, words):
    one = copy()
    found = judge(a_plan(outcome({one}, route=replace(PLAIN, **changed))))._by_plan([one])
    assert found.word is Word.AVOIDABLE and (found.change, found.command) == (words, "run")
    assert found.why == f"the plan's command eliminates it ({words})"


def test_the_plan_does_without_copies_only_if_it_eliminates_all_and_helps():
    one, other = copy(), copy("there")
    plan = a_plan(outcome({one}))
    assert judge(plan)._by_plan([one]) is not None
    assert judge(plan)._by_plan([one, other]) is None and judge(plan)._by_plan([]) is None
    assert judge(None)._by_plan([one]) is None
    assert judge(a_plan(outcome({one}), helps=False))._by_plan([one]) is None
    for count, words in ((1, "1 copy"), (2, "2 copies")):
        found = judge(a_plan(outcome({one}), instead=count))._by_plan([one])
        assert found.why.endswith(f", net of {words} in other places")


def test_another_command_that_costs_as_much():
    one, other = copy(), copy("there")
    light = outcome({one}, route=replace(PLAIN, light=True))
    both = outcome({one, other}, route=replace(PLAIN, fewest=True))
    plan = a_plan(outcome(), others=(light, both))
    assert judge(None)._by_other([one]) is None and judge(plan)._by_other([]) is None
    assert "destination-passing" in judge(plan)._by_other([one]).why
    assert "fewest-copies" in judge(plan)._by_other([one, other]).why
    assert judge(plan)._by_other([one]).word is Word.NEEDED
    assert judge(plan)._by_other([copy()]) is None


@pytest.mark.parametrize(
    ("count", "weight", "helps", "copies", "less"),
    [
        (1, 63, True, 1, True),
        (1, 64, True, 1, False),
        (2, 63, True, 1, False),
        (1, 63, False, 1, False),
        (1, 63, True, 2, False),
        (None, 0, True, 1, False),
    ],
)
def test_what_the_plan_makes_less_often(monkeypatch, count, weight, helps, copies, less):
    monkeypatch.setattr(verdicts, "place_of", lambda op: op)
    counts = {} if count is None else {"here": count}
    plan = a_plan(outcome(counts=counts, weights={"here": weight}), helps=helps)
    assert judge(plan)._is_made_less_often([copy()] * copies) is less
    assert not judge(None)._is_made_less_often([copy()])


def finding(*suggestions, records=(), **fields):
    fields = {"cause": SimpleNamespace(kind="other", is_asked=False), "value": "v", "name": "%v"} | fields
    return SimpleNamespace(
        diagnostic=SimpleNamespace(suggestions=list(suggestions)), records=list(records), **fields
    )


def suggestion(saves=True, verified=True, applicability=Applicability.SAFE):
    return SimpleNamespace(title="change it", saves=saves, verified=verified, applicability=applicability)


FIX = "bufferize fix t.mlir --dialect ring"


def test_what_is_said_of_a_buffer():
    made = copy(kind=Kind.ALLOCATION)
    gone, stays = a_plan(outcome(buffers={made})), a_plan(outcome())
    assert judge(gone).of_buffer(finding(records=[made])).command == "run"
    assert judge(gone).of_buffer(finding(records=[made, copy()])).word is Word.AVOIDABLE
    for plan, records in (
        (stays, [made]),
        (gone, [copy()]),
        (gone, []),
        (None, [made]),
        (a_plan(gone.best, helps=False), [made]),
        (gone, [made, copy(kind=Kind.ALLOCATION)]),
    ):
        assert judge(plan).of_buffer(finding(records=records)) is None
    helped = judge(stays).of_buffer(finding(suggestion(False), suggestion(), records=[made]))
    assert (helped.why, helped.command) == ("change it", f"{FIX} --diff")
    unsafe = suggestion(applicability=Applicability.CALLERS)
    assert judge(stays).of_buffer(finding(unsafe, records=[made])).command == f"{FIX} --unsafe-fixes --diff"
    assert judge(stays).of_buffer(finding(suggestion(), records=[copy()])) is None
    assert judge(stays).of_buffer(finding(suggestion(False), records=[made])) is None


def test_what_comes_first_in_a_verdict(monkeypatch):
    """A change that was tried, the plan, a copy onto itself, and only then what decides on the copy."""
    monkeypatch.setattr(verdicts, "is_judged", lambda record: True)
    monkeypatch.setattr(verdicts, "place_of", lambda op: op)
    monkeypatch.setattr(Judge, "_of_kind", lambda self, finding, copies: verdicts.needed("by kind", ()))
    one, itself = copy(), copy(onto_itself=True)
    gone = a_plan(outcome({one}))
    stays = a_plan(outcome(counts={"here": 1}, weights={"here": 1}), helps=False)

    def why(plan, *suggestions, records=(one,)):
        found = judge(plan).verdict(finding(*suggestions, records=records))
        return found.why, found.command

    assert why(gone, suggestion()) == ("change it", "run")
    assert why(stays, suggestion()) == ("change it", f"{FIX} --diff")
    assert why(stays, suggestion(verified=False)) == ("by kind", "")
    assert why(stays, suggestion(saves=False)) == ("by kind", "")
    assert why(gone)[0].startswith("the plan's command")
    assert why(stays, records=[itself]) == ("a part is copied onto itself", "plain -cse -canonicalize")
    assert why(None, records=[itself]) == ("a part is copied onto itself", " -cse -canonicalize")
    assert why(stays, records=[one, itself])[0] == "by kind" and why(stays, records=[])[0] == "by kind"
    rarer = a_plan(outcome(counts={"here": 1}, weights={"here": 1}))
    assert why(rarer)[0] == "by kind; the plan's command makes it less often"
    other = a_plan(outcome(), others=(outcome({one}),))
    assert why(other)[0] == "by kind"
    monkeypatch.setattr(Judge, "_of_kind", lambda self, finding, copies: verdicts.not_known("open", ""))
    assert why(stays)[0] == "open" and why(other)[0].startswith("a command that eliminates it")


@pytest.mark.parametrize(("size", "is_small"), [(verdicts.MOST, True), (verdicts.MOST + 1, False)])
def test_programs_that_are_small_enough_for_complete_trials(size, is_small):
    assert judge(None, trials=SimpleNamespace(judged_as=size)).is_small is is_small


def test_which_verdicts_are_remembered_and_who_is_told(monkeypatch):
    """Of a buffer that the plan does without nothing follows for the copies behind it; what moves data is judged last."""
    asked, told = [], []

    def one(name, operand, kind="other", made="memref.copy"):
        record = SimpleNamespace(made=made, op=SimpleNamespace(name=made), was_written=False, verdict=None)
        return SimpleNamespace(
            name=name, operand=operand, records=[record], cause=SimpleNamespace(kind=kind),
            tell_verdict=lambda: told.append(name),
        )  # fmt: skip

    judges = SimpleNamespace(known={}, is_least=True)
    judges.verdict = lambda finding: asked.append(finding.name) or verdicts.needed(finding.name, ())
    gone = verdicts.avoidable(verdicts.BUFFER_GONE, "", "")
    buffers = {"gone": gone, "none": None, "helped": verdicts.avoidable("helped", "", "")}
    judges.of_buffer = lambda finding: buffers[finding.name]
    monkeypatch.setattr(verdicts, "Judge", lambda trials, plan: judges)
    findings = [
        one("moved", "a", next(iter(verdicts.MOVES))), one("copied", "b"), one("global", None),
        *(one(name, name, made="memref.alloc") for name in buffers),
    ]  # fmt: skip
    assert verdicts.judge(findings, None, None)
    assert asked == ["copied", "global", "moved"]
    assert told == ["copied", "global", "gone", "helped", "moved"]
    assert {operand: verdict.why for operand, verdict in judges.known.items()} == {
        "a": "moved", "b": "copied", "helped": "helped",
    }  # fmt: skip
    said = [finding.records[0].verdict for finding in findings]
    assert [each and each.why for each in said] == ["moved", "copied", "global", gone.why, None, "helped"]


def test_other_layouts_were_tried():
    tried = ("other layouts at function boundaries were tried, and copy no less",)
    layout = f"function-boundary-type-conversion={IDENTITY_LAYOUT}"
    assert judge(None)._other_layouts() == ()
    assert judge(a_plan(outcome(), untried=(layout,)))._other_layouts() == ()
    assert judge(a_plan(outcome(), untried=("other",)))._other_layouts() == tried
    assert judge(a_plan(outcome()))._other_layouts() == tried


def clone(place, function="f", weight=8, rarely=False):
    return SimpleNamespace(
        function=function,
        cause=SimpleNamespace(op=place, operand=0),
        traffic=Formula.of(weight),
        times=SimpleNamespace(at_most=rarely),
    )


@pytest.mark.parametrize(
    ("left", "savings"),
    [
        ([], {"a": False, "b": False, "c": False}),
        ([clone("a"), clone("b"), clone("c", "g")], {}),
        ([clone("b"), clone("c", "g")], {"a": False}),
        ([clone("a", rarely=True), clone("b"), clone("c", "g")], {"a": True}),
        ([clone("b"), clone("new")], {"c": False}),
        ([clone("b"), clone("new", rarely=True)], {"c": False}),
        ([clone("b"), clone("new", weight=9)], {"c": False}),
        ([clone("b"), clone("new", weight=16)], {}),
        ([clone("a"), clone("b")], {"c": False}),
        ([clone("b", weight=9), clone("c", "g", weight=1)], {"a": False, "c": True}),
        ([clone("b", weight=17), clone("c", "g", weight=1)], {"c": True}),
    ],
)
def test_clones_that_another_pass_avoids(monkeypatch, left, savings):
    before = [clone("a"), clone("b"), clone("c", "g")]
    report = SimpleNamespace(problems=[], memory_report=SimpleNamespace(clones=left))
    monkeypatch.setattr(clones, "freed_otherwise", lambda *_: [("-other", report)])
    freeing = OtherFreeing(None, before, "")
    found = {one.cause.op: freeing.saving(one) for one in before}
    wanted = {name: Saving("-other", partial) for name, partial in savings.items()}
    assert {name: saving for name, saving in found.items() if saving is not None} == wanted


def test_the_first_pass_that_avoids_a_clone_is_named(monkeypatch):
    before = [clone("a"), clone("b", "g")]
    results = {"fails": (["no"], []), "one": ([], [clone("b", "g")]), "two": ([], []), "three": ([], [])}
    ran = []

    def run(bufferized, compat):
        for way, (problems, left) in results.items():
            ran.append(way)
            yield f"-{way}", SimpleNamespace(problems=problems, memory_report=SimpleNamespace(clones=left))

    monkeypatch.setattr(clones, "freed_otherwise", run)
    freeing = OtherFreeing(None, before, "")
    assert [freeing.saving(one).option for one in before] == ["-one", "-two"]
    assert ran == ["fails", "one", "two"]


BEFORE = Totals(3, 2, Formula.of(48))


def trials(before=BEFORE, size=10, written=(), **fields):
    found = object.__new__(Trials)
    found.before, found.skipped, found.remaining = before, False, 0
    found.__dict__ |= {"size": size, "_written": set(written)} | fields
    return found


@pytest.mark.parametrize(
    ("copies", "allocations", "bytes", "words"),
    [
        (2, 2, 32, "1 copy (16 bytes)"),
        (1, 2, 48, "2 copies"),
        (2, 1, 32, "1 copy (16 bytes) and 1 allocation"),
        (3, 0, 48, "2 allocations"),
        (3, 2, 40, "8 bytes copied"),
        (3, 3, 40, "8 bytes copied"),
    ],
)
def test_what_a_change_saves(copies, allocations, bytes, words):
    assert trials().saving(Totals(copies, allocations, Formula.of(bytes))) == words


def test_a_change_after_which_the_program_is_bufferized():
    said = trials(None).saving(Totals(1, 2, Formula.of(16)))
    assert said == "the program is then bufferized, with 1 copy (16 bytes) and 2 allocations"


@pytest.mark.parametrize(
    ("itself", "names", "clones", "copies", "allocations", "words"),
    [
        (False, [], 0, 1, 1, ""),
        (False, [], -1, 1, 1, ""),
        (True, [], 0, 1, 1, ", with -cse -canonicalize after it"),
        (False, ["%a of @f", "%b of @f"], 0, 1, 1, "; it overwrites %a of @f, %b of @f"),
        (False, [], 1, 1, 0, "; {} 1 more clone"),
        (False, [], 2, 1, 1, "; {} 2 more clones"),
        (False, [], 1, 0, 2, "; {} 1 more clone"),
        (False, [], 1, 0, 1, "; {} 1 more clone, which costs more than it saves"),
        (False, [], 2, 0, 1, "; {} 2 more clones, which costs more than it saves"),
    ],
)
def test_what_a_change_costs_elsewhere(monkeypatch, itself, names, clones, copies, allocations, words):
    monkeypatch.setattr(Trials, "_overwritten", lambda self, outcome: names)
    report = SimpleNamespace(
        copies=[SimpleNamespace(is_onto_itself=False), SimpleNamespace(is_onto_itself=itself)]
    )
    after = Totals(3 - copies, 2 - allocations, Formula.of(48))
    tried = SimpleNamespace(bufferized=SimpleNamespace(memory_report=report), totals=after)
    before = Totals(3, 2, Formula.of(48))
    assert trials(before)._price(tried, clones) == words.format("-buffer-deallocation-pipeline then makes")
    assert trials(None)._price(tried, clones) == (words if itself else "")


F = """
func.func @f(%t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
  %w = {write} : tensor<8xf32>
  %x = tensor.extract %t[%i] : tensor<8xf32>
  return %w, %x : tensor<8xf32>, f32
}"""
INSERTED = F.replace("{write}", "tensor.insert %f into %t[%i]")
FILLED = F.replace("{write}", "linalg.fill ins(%f : f32) outs(%t : tensor<8xf32>) -> tensor<8xf32>").replace(
    "tensor<8xf32> : tensor<8xf32>", "tensor<8xf32>"
)
PART = """
func.func @f(%a: tensor<4x4xf32>, %b: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<4x4xf32>) {
  %s = tensor.insert_slice %a into %b[0, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x8xf32>
  %o = tensor.extract_slice %b[4, 4] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
  %x = linalg.exp ins(%o : tensor<4x4xf32>) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %s, %x : tensor<8x8xf32>, tensor<4x4xf32>
}"""
OTHER = """
func.func @g(%t: tensor<8xf32>) -> tensor<8xf32> { return %t : tensor<8xf32> }"""


def explained(text):
    source = Source("t.mlir", text)
    return explain(parse_source(source), OPTIONS, source=source).findings


@pytest.mark.parametrize("is_large", [False, True])
@pytest.mark.parametrize("other", ["", OTHER])
def test_clones_that_a_change_adds_are_said_in_programs_with_several_functions(other, is_large, monkeypatch):
    if is_large:
        monkeypatch.setattr(suggest, "MAX_FREED", 1)
    (found,) = (f for f in explained(INSERTED + other) if f.diagnostic.suggestions)
    (said,) = found.diagnostic.suggestions
    assert said.saving == (
        "1 copy (32 bytes) and 1 allocation; it overwrites %t of @f; -buffer-deallocation-pipeline then makes 1 more clone"
    )


@pytest.mark.parametrize("other", ["", OTHER])
def test_a_clone_instead_of_an_allocation_is_said_to_cost_more(other):
    (found,) = (f for f in explained(FILLED + other) if f.diagnostic.suggestions)
    (said,) = found.diagnostic.suggestions
    assert said.saving.endswith("then makes 1 more clone, which costs more than it saves")


def test_larger_clones_are_said():
    """The copy that goes was the result, and so needed no clone; now the argument itself is returned."""
    (found,) = (f for f in explained(PART) if str(f.diagnostic.code) == "read-after-write")
    (said,) = found.diagnostic.suggestions
    assert said.saving == "192 bytes copied; -buffer-deallocation-pipeline then clones 192 bytes more"


def test_budgets():
    sizes = (0, 500, 501, 2_000, 2_001, 20_000, 20_001)
    assert [suggest.budget(size) for size in sizes] == [2_000] * 4 + [2_001, 20_000, 20_000]
    assert [suggest.budget(size, True) for size in sizes] == [500, 500, 501, 2_000, 2_001, 20_000, 20_000]
    found = trials()
    found.remaining = 5
    assert found._may_cost(5) and not found.skipped
    assert not found._may_cost(6) and found.skipped
    assert found._may_cost(1) and found.skipped


@pytest.mark.parametrize(("remaining", "left"), [(19, 19), (20, 0), (21, 1)])
def test_empty_tensors_are_eliminated_on_trial_if_the_budget_allows(remaining, left):
    root = parse("func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> { return %t : tensor<4xf32> }")
    found = trials(result=SimpleNamespace(state=SimpleNamespace(root=root), options=OPTIONS))
    found.remaining = remaining
    assert found.without_empty_tensors() is None
    assert (found.remaining, found.skipped) == (left, remaining < 20)


def kept_plan(plain, best, untried=(), costs=((2, 1, 3, 16, 8, 64), (1, 0, 2, 8, 4, 32)), **more):
    def route(fields):
        one = replace(PLAIN, **fields)
        return as_plain(one) | {"analysis": as_plain(one.analysis)}

    fields = {"instead": 1, "overwritten": ["%a"], "clones": 2, "cloned": 5, "triedEdits": False} | more
    routes = [route(plain), route(best)]
    return {"routes": routes, "costs": costs, "file": "t.mlir", "untried": list(untried), **fields}


def test_the_plan_of_a_program_from_those_of_its_parts():
    read = Formula.of
    plans = [
        kept_plan({}, {"light": True, "keep": ("f#0",)}, ["a", "b"]),
        kept_plan({"layout": IDENTITY_LAYOUT}, {"reorder": True, "keep": ("g#0", "f#0")}, ["b", "c"]),
        kept_plan({}, {"compare": True, "layout": IDENTITY_LAYOUT}, overwritten=["%b"]),
    ]
    found = joined_plans([(plan, read) for plan in plans])
    assert joined_plans([]) is None and not found.tried_edits
    assert joined_plans([(plans[0], read), (kept_plan({}, {}, triedEdits=True), read)]).tried_edits
    assert found.plain == replace(PLAIN, layout=IDENTITY_LAYOUT)
    best = replace(PLAIN, light=True, reorder=True, compare=True, keep=("f#0", "g#0"), layout=IDENTITY_LAYOUT)
    assert found.best.route == best
    before, after = found.before, found.best.cost
    assert (before.copies, before.clones, before.allocations, before.traffic) == (6, 3, 9, 192)
    assert (before.moved.constant, before.allocated.constant) == (48, 24)
    assert (after.copies, after.clones, after.allocations, after.traffic) == (3, 0, 6, 96)
    assert (after.moved.constant, after.allocated.constant) == (24, 12)
    assert (found.instead, found.clones, found.cloned.constant) == (3, 6, 15)
    assert found.untried == ("a", "b", "c") and found.overwritten == ("%a", "%a", "%b")
    fewest = joined_plans([(plans[0], read), (kept_plan({}, {"fewest": True}), read)])
    assert fewest.best.route == replace(PLAIN, fewest=True, keep=("f#0",))
    alone = joined_plans([(plans[0], read)])
    assert alone.best.route == replace(PLAIN, light=True, keep=("f#0",)) and alone.untried == ("a", "b")


@pytest.mark.parametrize(
    ("proven", "errors", "weights", "is_least"),
    [
        (True, (), (5, 5), True),
        (True, (), (4, 5), False),
        (False, (), (5, 5), False),
        (True, ("no",), (5, 5), False),
    ],
)
def test_whether_no_decisions_copy_less(proven, errors, weights, is_least, monkeypatch):
    best, plain = SimpleNamespace(errors=errors), SimpleNamespace()
    monkeypatch.setattr(verdicts, "is_proven", lambda result: proven)
    monkeypatch.setattr(verdicts, "planned_weight", lambda result: weights[result is plain])
    searched = judge(None, _certified="searched", _best=best, result=plain)
    assert searched.is_least is is_least
    assert not judge(None, _certified=None, result=plain).is_least
