"""Verdicts and suggestions, step by step: what the plan, other commands and other deallocation passes do for a copy."""

from types import SimpleNamespace

import pytest
from bufferize import parse
from bufferize.analysis.one_shot import TOP_DOWN, AnalysisOptions
from bufferize.analysis.sizes import Formula
from bufferize.explain import clones, suggest, verdicts
from bufferize.explain.clones import OtherFreeing, Saving
from bufferize.explain.kept import joined_plans
from bufferize.explain.routes import Route
from bufferize.explain.suggest import Trials
from bufferize.explain.verdicts import Judge, Word
from bufferize.ir.source.diagnostics import Applicability
from bufferize.ir.source.records import as_plain, replace
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
        cause=SimpleNamespace(op=place), traffic=Formula.of(traffic), kind=kind, is_onto_itself=onto_itself
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
    assert found.why == f"the plan's command does without it ({words})"


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
    assert why(stays)[0] == "open" and why(other)[0].startswith("a command that does without it")


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

    judges = SimpleNamespace(known={})
    judges.verdict = lambda finding: asked.append(finding.name) or verdicts.needed(finding.name, ())
    gone = verdicts.avoidable(verdicts.BUFFER_GONE, "", "")
    buffers = {"gone": gone, "none": None, "helped": verdicts.avoidable("helped", "", "")}
    judges.of_buffer = lambda finding: buffers[finding.name]
    monkeypatch.setattr(verdicts, "Judge", lambda trials, plan: judges)
    findings = [
        one("moved", "a", next(iter(verdicts.MOVES))), one("copied", "b"), one("global", None),
        *(one(name, name, made="memref.alloc") for name in buffers),
    ]  # fmt: skip
    verdicts.judge(findings, None, None)
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
    monkeypatch.setattr(clones, "ways", lambda module: [("-other", None)])
    report = SimpleNamespace(problems=[], memory_report=SimpleNamespace(clones=left))
    monkeypatch.setattr(clones, "free_otherwise", lambda *_: report)
    freeing = OtherFreeing(SimpleNamespace(module=None), before, "")
    found = {one.cause.op: freeing.saving(one) for one in before}
    wanted = {name: Saving("-other", partial) for name, partial in savings.items()}
    assert {name: saving for name, saving in found.items() if saving is not None} == wanted


def test_the_first_pass_that_avoids_a_clone_is_named(monkeypatch):
    before = [clone("a"), clone("b", "g")]
    results = {"fails": (["no"], []), "one": ([], [clone("b", "g")]), "two": ([], []), "three": ([], [])}
    ran = []

    def run(bufferized, way, compat):
        ran.append(way)
        problems, left = results[way]
        return SimpleNamespace(problems=problems, memory_report=SimpleNamespace(clones=left))

    monkeypatch.setattr(clones, "ways", lambda module: [(f"-{name}", name) for name in results])
    monkeypatch.setattr(clones, "free_otherwise", run)
    freeing = OtherFreeing(SimpleNamespace(module=None), before, "")
    assert [freeing.saving(one).option for one in before] == ["-one", "-two"]
    assert ran == ["fails", "one", "two"]


BEFORE = Totals(3, 2, Formula.of(48))


def trials(before=BEFORE, size=10, returned=0, written=(), **fields):
    found = object.__new__(Trials)
    found.before, found.skipped, found.remaining = before, False, 0
    found.__dict__ |= {"size": size, "_returned": returned, "_written": set(written)} | fields
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
    ("itself", "names", "returned", "size", "words"),
    [
        (False, [], 1, 10, ""),
        (True, [], 1, 10, ", with -cse -canonicalize after it"),
        (False, ["%a of @f", "%b of @f"], 1, 10, "; it overwrites %a of @f, %b of @f"),
        (False, [], 2, 10, "; -buffer-deallocation-pipeline then makes 1 more clone"),
        (False, [], 3, 10, "; -buffer-deallocation-pipeline then makes 2 more clones"),
        (False, ["%a of @f"], 3, 9, ""),
        (True, ["%a of @f"], 3, 9, ", with -cse -canonicalize after it"),
    ],
)
def test_what_a_change_costs_elsewhere(monkeypatch, itself, names, returned, size, words):
    monkeypatch.setattr(suggest, "returned_arguments", lambda module: returned)
    monkeypatch.setattr(Trials, "_overwritten", lambda self, outcome: names)
    copies = [SimpleNamespace(is_onto_itself=False), SimpleNamespace(is_onto_itself=itself)]
    bufferized = SimpleNamespace(module=None, memory_report=SimpleNamespace(copies=copies))
    tried = SimpleNamespace(bufferized=bufferized, program=SimpleNamespace(size=size))
    assert trials(returned=1)._price(tried) == words
    assert trials(returned=1)._more_clones(tried) == (returned - 1 if size == 10 else 0)
    assert trials(None, returned=1)._more_clones(tried) == 0


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

    fields = {"instead": 1, "overwritten": ["%a"], "clones": 2, "cloned": 5} | more
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
    assert joined_plans([]) is None
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


def a_finding(name, copies=1, operand="use", suggestions=()):
    diagnostic = SimpleNamespace(suggestions=list(suggestions))
    return SimpleNamespace(name=name, operand=operand, copies=copies, reasons=[], diagnostic=diagnostic)


HELPED = {
    # findings: name, the cost of its trials, whether it copies
    "all one by one": (100, {"a": 50, "b": 50}, "ab", "", False),
    "the budget ends between two": (99, {"a": 50, "b": 50, "c": 1}, "a", "bc", True),
    "too small a budget": (49, {"a": 1}, "", "a", True),
    "the budget ends within one": (60, {"a": 70, "b": 1}, "a", "ab", True),
    "only what copies is helped together": (60, {"a": 70, "B": 1, "c": 1}, "a", "ac", True),
}


@pytest.mark.parametrize("name", HELPED)
@pytest.mark.parametrize("errors", [[], ["no"]])
def test_findings_are_helped_one_by_one_while_the_budget_lasts(name, errors, monkeypatch):
    remaining, costs, alone, together, skipped = HELPED[name]
    found = trials(source="text", result=SimpleNamespace(errors=errors))
    found.remaining = remaining
    tried, jointly = [], []

    def suggestions(operand, reasons, copies):
        name = operand
        tried.append(name)
        if found._may_cost(costs[name]):
            found.remaining -= costs[name]
            return [f"change {name}"]
        return []

    monkeypatch.setattr(found, "suggestions", suggestions)
    monkeypatch.setattr(found, "_help_together", lambda left: jointly.extend(f.name for f in left))
    findings = [a_finding(one, one.islower(), one) for one in costs]
    found.help([a_finding("nothing", operand=None), *findings])
    assert "".join(tried) == alone
    assert "".join(jointly) == ("" if errors else together)
    assert found.skipped is skipped
    helped = [one.name for one in findings if one.diagnostic.suggestions]
    assert helped == [one for one in alone if one not in together]


def test_what_was_helped_is_not_helped_again_and_nothing_without_a_source(monkeypatch):
    found = trials(source="text", result=SimpleNamespace(errors=[]))
    found.remaining, found.skipped = 0, False
    jointly = []
    monkeypatch.setattr(found, "_help_together", jointly.extend)
    found.help([a_finding("a", suggestions=["one"]), a_finding("b"), a_finding("c", copies=0)])
    assert [one.name for one in jointly] == ["b"]
    found = trials(source=None, result=SimpleNamespace(errors=[]))
    found.help([a_finding("a")])
    assert not found.skipped
    found = trials(source="text", result=SimpleNamespace(errors=[]), skipped=True, suggestions=lambda *_: [])
    found.remaining = 50
    found.help([a_finding("a")])
    assert found.skipped, "that something was skipped before is not forgotten"


def a_change(title="change", applicability=Applicability.SAFE, cost=1):
    return SimpleNamespace(title=title, applicability=applicability, cost=cost)


@pytest.mark.parametrize(
    ("costs", "size", "shown"),
    [
        ([1], 10, 1),
        ([1] * 8, 10, 8),
        ([1] * 9, 10, 8),
        ([9_000, 1, 1], 10, 1),
        ([1_000, 999, 1, 1], 10, 4 - 1),
        ([1_000, 1_001, 1_000, 1], 10, 3 - 1),
    ],
)
def test_changes_of_a_joint_trial_are_shown_within_another_budget(costs, size, shown, monkeypatch):
    found = trials(size=size, _saving=set())
    findings = [a_finding(i) for i in range(len(costs) + 1)]
    changes = {i: a_change(cost=cost) for i, cost in enumerate(costs)}
    asked = []

    def plan_together(these, subjects, budget, least):
        assert these is found and subjects == [*changes, len(costs)]
        asked.append((budget, least))
        return SimpleNamespace(chosen=changes)

    monkeypatch.setattr(suggest, "plan_together", plan_together)
    monkeypatch.setattr(found, "subject", lambda finding: finding.name)
    monkeypatch.setattr(found, "cost", lambda changes: changes[0].cost)
    monkeypatch.setattr(found, "edits", lambda changes: [changes[0].title])
    found._help_together(findings)
    assert asked == [(1, 1)] and found.skipped
    made = [one.diagnostic.suggestions for one in findings]
    assert made.pop() == [] and all(len(one) == 1 for one in made)
    with_edits = [bool(one.edits) for (one,) in made]
    assert sum(with_edits) == shown and with_edits[0]
    words = "1 change" if len(costs) == 1 else f"{len(costs)} changes"
    assert {one.saving for (one,) in made} == {f"the copy, tried together with {words} of its kind"}
    assert all(found.saves_copy(one) and one.verified for (one,) in made)


def test_a_joint_trial_that_helps_every_finding_skips_nothing(monkeypatch):
    found = trials(_saving=set(), skipped=True)
    monkeypatch.setattr(suggest, "plan_together", lambda *_: SimpleNamespace(chosen={"a": a_change()}))
    monkeypatch.setattr(found, "subject", lambda finding: finding.name if finding.name == "a" else None)
    monkeypatch.setattr(found, "cost", lambda changes: 1)
    monkeypatch.setattr(found, "edits", lambda changes: None)
    findings = [a_finding("b"), a_finding("a")]
    found._help_together(findings)
    assert not found.skipped
    ((said,),) = [one.diagnostic.suggestions for one in findings if one.name == "a"]
    assert said.edits == []


def test_the_changes_that_are_searched_for_a_finding(monkeypatch):
    found = trials(result="result", _places="places")
    changes = [a_change(str(i)) for i in range(9)]
    monkeypatch.setattr(suggest, "changes_at", lambda *_: iter(changes))
    one = SimpleNamespace(operand="use", reasons=[], op="op")
    assert found.subject(one).changes == changes[: suggest.MAX_TRIALS_PER_COPY]
    assert found.subject(one, lambda change: change.title in "78").changes == changes[7:]
    assert found.subject(one, lambda change: False) is None
    assert found.subject(SimpleNamespace(operand=None)) is None


def tried(copies=2, allocations=2, bytes=32, overwrites=(), clones=0, edits=("edit",)):
    """What a change makes of a program with 3 copies and 2 allocations."""
    totals = Totals(copies, allocations, Formula.of(bytes))
    return SimpleNamespace(
        totals=totals, program=edits, overwrites=list(overwrites), clones=clones, bufferized=None
    )


SUGGESTED = {
    # outcomes; the titles of suggestions, best first, and those of them that save a copy
    "the best first": ([tried(2), tried(0, bytes=0), tried(1, bytes=16)], "120", "012"),
    "fewer allocations first": ([tried(2, 2), tried(2, 1, edits=("other",))], "10", "01"),
    "one that fails": ([None, tried()], "1", "1"),
    "one that does not help": ([tried(3, 2, 48), tried()], "1", "1"),
    "only an allocation": ([tried(3, 1, 48)], "0", ""),
    "only an allocation, and it overwrites": ([tried(3, 1, 48, ["%a"])], "", ""),
    "a copy, and it overwrites": ([tried(overwrites=["%a"])], "0", "0"),
    "no edits": ([tried(edits=()), tried()], "1", "1"),
    "the same text twice": ([tried(), tried(1, bytes=16), tried(edits=("other",))], "02", "02"),
}


def suggested(outcomes, monkeypatch, applicability=Applicability.SAFE, is_copied=True, remaining=900, **more):
    found = trials(
        source="text", result="result", _places="places", _saving=set(), allow_unregistered=True, **more
    )
    found.remaining = remaining
    changes = [a_change(str(i), applicability) for i in range(len(outcomes))]
    monkeypatch.setattr(suggest, "changes_at", lambda *_: iter(changes))
    monkeypatch.setattr(suggest, "edits_of", lambda program, source, unregistered: list(program))
    monkeypatch.setattr(suggest, "apply_edits", lambda source, edits: "".join(edits))
    monkeypatch.setattr(found, "cost", lambda changes: 100)
    monkeypatch.setattr(found, "attempt", lambda changes: outcomes[int(changes[0].title)])
    monkeypatch.setattr(Trials, "_overwritten", lambda self, outcome: outcome.overwrites)
    monkeypatch.setattr(Trials, "_more_clones", lambda self, outcome: outcome.clones)
    monkeypatch.setattr(Trials, "_price", lambda self, outcome: "; price")
    return found, found.suggestions("use", [], is_copied)


@pytest.mark.parametrize("name", SUGGESTED)
def test_which_changes_are_suggested_and_in_which_order(name, monkeypatch):
    outcomes, titles, saving = SUGGESTED[name]
    outcomes = [
        one if one is None or one.program != ("edit",) or name.startswith("the same")
        else SimpleNamespace(**{**one.__dict__, "program": (f"edit {i}",)})
        for i, one in enumerate(outcomes)
    ]  # fmt: skip
    found, made = suggested(outcomes, monkeypatch)
    assert "".join(one.title for one in made) == titles
    assert "".join(sorted(one.title for one in made if found.saves_copy(one))) == saving
    for one in made:
        totals = outcomes[int(one.title)].totals
        assert one.copies_saved == 3 - totals.copies
        assert one.saving == found.saving(totals) + "; price"


@pytest.mark.parametrize(
    ("applicability", "copies", "clones", "saves"),
    [
        (Applicability.SAFE, 2, 9, True),
        (Applicability.CALLERS, 2, 0, True),
        (Applicability.CALLERS, 2, 1, False),
        (Applicability.CALLERS, 1, 1, True),
        (Applicability.CALLERS, 1, 2, False),
        (Applicability.CALLERS, 3, 0, True),
        (Applicability.CALLERS, 3, 1, False),
    ],
)
def test_a_permission_saves_no_copy_if_deallocation_clones_instead(
    applicability, copies, clones, saves, monkeypatch
):
    found, (said,) = suggested([tried(copies, bytes=16, clones=clones)], monkeypatch, applicability)
    assert found.saves_copy(said) is saves


def test_a_buffer_without_a_copy_may_overwrite_an_argument_for_itself(monkeypatch):
    outcome = tried(3, 1, 48, ["%a"])
    assert [len(suggested([outcome], monkeypatch, is_copied=copied)[1]) for copied in (True, False)] == [0, 1]


@pytest.mark.parametrize(
    ("remaining", "count", "left"), [(250, 2, 50), (200, 2, 0), (199, 1, 99), (99, 0, 99)]
)
def test_changes_are_tried_within_the_budget(remaining, count, left, monkeypatch):
    outcomes = [tried(edits=(str(i),)) for i in range(9)]
    found, made = suggested(outcomes, monkeypatch, remaining=remaining)
    assert (len(made), found.remaining, found.skipped) == (count, left, True)
    found, made = suggested(outcomes, monkeypatch, remaining=900)
    assert (len(made), found.skipped) == (suggest.MAX_TRIALS_PER_COPY, False)


def test_no_change_is_tried_after_one_that_costs_too_much(monkeypatch):
    found, _ = suggested([], monkeypatch)
    costs = {"0": 100, "1": 900, "2": 100}
    asked = []
    monkeypatch.setattr(found, "cost", lambda changes: costs[changes[0].title])
    monkeypatch.setattr(suggest, "changes_at", lambda *_: iter([a_change(title) for title in costs]))
    monkeypatch.setattr(found, "attempt", lambda changes: asked.append(changes[0].title))
    found.suggestions("use", [], True)
    assert (asked, found.remaining, found.skipped) == (["0"], 800, True)


def test_a_cheap_trial_costs_the_least(monkeypatch):
    found, _ = suggested([], monkeypatch)
    monkeypatch.setattr(found, "cost", lambda changes: 1)
    monkeypatch.setattr(suggest, "changes_at", lambda *_: iter([a_change("0")]))
    monkeypatch.setattr(found, "attempt", lambda changes: None)
    found.suggestions("use", [], True)
    assert found.remaining == 900 - suggest.LEAST


def test_a_change_of_a_program_that_was_refused(monkeypatch):
    found, (said,) = suggested([tried()], monkeypatch, before=None)
    assert said.copies_saved == 0 and found.saves_copy(said)
    assert said.saving.startswith("the program is then bufferized")


def test_other_options_are_tried_within_the_budget(monkeypatch):
    found = trials(result=SimpleNamespace(state=SimpleNamespace(root="root"), options=OPTIONS))
    monkeypatch.setattr(found, "_totals", lambda root, options: (root, options))
    for remaining, answer, left in ((9, None, 9), (10, ("root", "options"), 0), (11, ("root", "options"), 1)):
        found.remaining = remaining
        assert found.with_options("options") == answer
        assert found.remaining == left


def test_other_heuristics_that_copy_less(monkeypatch):
    found = trials(result=SimpleNamespace(options=OPTIONS))
    copies = {TOP_DOWN: 2, "bottom-up-from-terminators": 1}
    asked = []

    def with_options(options):
        heuristic = options.analysis_heuristic
        asked.append(heuristic)
        return Totals(copies[heuristic], 2, Formula.of(16 * copies[heuristic]))

    monkeypatch.setattr(found, "with_options", with_options)
    assert [name for name, _ in found.other_heuristics()] == ["bottom-up-from-terminators", TOP_DOWN]
    assert asked == [TOP_DOWN, "bottom-up-from-terminators"]
    copies[TOP_DOWN] = 3
    assert [name for name, _ in found.other_heuristics()] == ["bottom-up-from-terminators"]
    monkeypatch.setattr(found, "with_options", lambda options: None)
    assert found.other_heuristics() == []


EMPTY = """
func.func @f(%f: f32) -> (tensor<4xf32>, tensor<8xf32>) {
  %gone = tensor.empty() : tensor<4xf32>
  %stays = tensor.empty() : tensor<8xf32>
  return %gone, %stays : tensor<4xf32>, tensor<8xf32>
}"""


@pytest.mark.parametrize("improves", [True, False])
def test_advice_to_eliminate_empty_tensors(improves, monkeypatch):
    gone, stays = (op for op in parse(EMPTY).walk() if op.name == "tensor.empty")
    said = []

    def buffer(name, op, operand=None):
        return SimpleNamespace(
            op=op, operand=operand, diagnostic=SimpleNamespace(help=lambda text: said.append((name, text)))
        )

    found = trials()
    after = Totals(2, 1, Formula.of(32)) if improves else BEFORE
    monkeypatch.setattr(found, "without_empty_tensors", lambda: (after, {gone}))
    found.advise([buffer("gone", gone), buffer("stays", stays), buffer("used", gone, "operand")])
    words = "-eliminate-empty-tensors computes it in its destination: saves 1 copy (16 bytes) and 1 allocation (tried)"
    assert said == ([("gone", words)] if improves else [])
    said.clear()
    found.advise([buffer("return", stays.next_op)])
    monkeypatch.setattr(found, "without_empty_tensors", lambda: None)
    found.advise([buffer("gone", gone)])
    assert said == []
