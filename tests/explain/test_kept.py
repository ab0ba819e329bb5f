"""What is kept of an explanation is data: a number of a line is one wherever it stands, in places, sentences, sizes and verdicts."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from bufferize.analysis.one_shot import AnalysisOptions
from bufferize.analysis.sizes import Formula, Symbol
from bufferize.explain.kept import (
    KeptExplanation,
    _product,
    _Serializer,
    _start,
    diagnostics_data,
    diagnostics_from,
    joined_plans,
    relocated,
    to_data,
)
from bufferize.explain.plan import CopyPlan
from bufferize.explain.report import explain
from bufferize.explain.routes import Cost, Route, RouteOutcome
from bufferize.ir.source.diagnostics import Applicability, Diagnostic, Edit, Severity, Suggestion
from bufferize.ir.source.locations import Source, Span
from bufferize.ir.source.parts import TextPart
from bufferize.ir.source.records import replace
from bufferize.ir.source.text import ByteCount, LineNumber, Text, ValueName, from_plain, joined, say, to_plain
from bufferize.ir.text.parser import parse_source
from bufferize.transforms.bufferize import IDENTITY_LAYOUT

from .test_situations import SAID

ROOT = Path(__file__).parents[2]
LOOPS = """
func.func @f(%t: tensor<?xf32>, %n: index, %m: index, %f: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (f32) {
    %s = scf.while (%k = %m) : (index) -> index {
      %c = arith.cmpi slt, %k, %n : index
      scf.condition(%c) %k : index
    } do {
    ^bb0(%k: index):
      %u = tensor.insert %f into %t[%k] : tensor<?xf32>
      %x = tensor.extract %u[%c0] : tensor<?xf32>
      "test.use"(%x) : (f32) -> ()
      scf.yield %k : index
    }
    %y = tensor.extract %t[%s] : tensor<?xf32>
    scf.yield %y : f32
  }
  return %r : f32
}"""
TEXTS = {
    "loops": LOOPS,
    **{path.stem: path.read_text("utf-8") for path in sorted((ROOT / "examples").glob("*.mlir"))},
    **{name: text for name, (text, _, _) in SAID.items()},
}


def data(text: str, first_line: int) -> dict[str, object]:
    source = Source("t.mlir", text, first_line)
    module = parse_source(source, allow_unregistered=True)
    options = AnalysisOptions(bufferize_function_boundaries=True)
    return to_data(explain(module, options, source=source, show_all=True), source, for_machines=True)


@pytest.mark.parametrize("name", TEXTS)
def test_every_number_of_a_line_is_known_to_be_one(name):
    here, there = data(TEXTS[name], 1), data(TEXTS[name], 70_001)
    assert from_plain(there, lambda line: line - 70_000) == from_plain(here)
    for said in (finding["said"] for finding in here["findings"]):
        assert [span for span, _, primary in said["labels"] if primary] == [said["span"]]


def test_a_text_is_its_template_and_arguments():
    text = say("{value} on line {line}", value=ValueName("%t"), line=LineNumber(7))
    size = ByteCount.of(
        "{count} bytes", {"count": joined("*", ("4", say("trips@{line}", line=LineNumber(7))))}
    )
    both = say("{what}: {bytes}", what=text, bytes=size)
    assert both == "%t on line 7: 4*trips@7 bytes"
    again = from_plain(to_plain({"said": [both]}), lambda line: line + 10)["said"][0]
    assert isinstance(again, Text)
    assert again == "%t on line 17: 4*trips@17 bytes"
    assert again.template == both.template
    assert isinstance(again.arguments["bytes"], ByteCount)


PLAIN = Route(AnalysisOptions(bufferize_function_boundaries=True))


def part(best, before, after, options=PLAIN, instead=0, **others):
    outcome = RouteOutcome(best, after, {}, frozenset())
    made = CopyPlan(before, outcome, "a.mlir", options, instead, **others)
    source = Source("a.mlir", "")
    return json.loads(json.dumps(made.kept(_Serializer(source, True).formula))), Formula.of


def cost(copies=0, clones=0, allocations=0, moved=0, allocated=0, traffic=0):
    return Cost(copies, clones, allocations, Formula.of(moved), Formula.of(allocated), traffic)


ROUTES = [
    ({}, {}, {}),
    ({"fewest": True}, {}, {"fewest": True}),
    ({"fewest": True}, {"light": True, "compare": True}, {"fewest": True}),
    ({"light": True}, {"light": True, "compare": True}, {"light": True, "compare": True}),
    ({"inline": True}, {"reorder": True}, {"inline": True, "reorder": True}),
    ({"keep": ("f#0", "g#1")}, {"keep": ("h#0", "f#0")}, {"keep": ("f#0", "g#1", "h#0")}),
    ({"layout": IDENTITY_LAYOUT}, {}, {"layout": IDENTITY_LAYOUT}),
    ({}, {"layout": IDENTITY_LAYOUT}, {"layout": IDENTITY_LAYOUT}),
    ({"described": ("--dialect", "ring")}, {}, {"described": ("--dialect", "ring")}),
]


@pytest.mark.parametrize(("one", "other", "both"), ROUTES)
def test_one_command_for_two_parts(one, other, both):
    parts = [part(replace(PLAIN, **made), cost(1), cost()) for made in (one, other)]
    made = joined_plans(parts)
    assert made.best.route == replace(PLAIN, **both)
    assert made.plain == PLAIN


def test_what_two_parts_cost_together():
    assert joined_plans([]) is None
    one = part(PLAIN, cost(1, 2, 3, 4, 5, 6), cost(1, 1, 1, 1, 1, 1), instead=1, untried=("a", "b"))
    other = part(
        replace(PLAIN, deallocates=True),
        cost(10, 20, 30, 40, 50, 60),
        cost(2, 3, 4, 5, 6, 7),
        replace(PLAIN, deallocates=True),
        2,
        untried=("b", "c"),
        overwritten=("%t",),
        clones=3,
        cloned=Formula.of(12),
    )
    made = joined_plans([one, other])
    assert made.before == cost(11, 22, 33, 44, 55, 66)
    assert made.best.cost == cost(3, 4, 5, 6, 7, 8)
    assert (made.instead, made.untried, made.overwritten) == (3, ("a", "b", "c"), ("%t",))
    assert (made.clones, made.cloned, made.file) == (3, Formula.of(12), "a.mlir")
    assert made.plain.deallocates


TWO = """func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  "mine.op"(%t) : (tensor<4xf32>) -> ()
  %w = tensor.insert %f into %t[%i] : tensor<4xf32>
  return %w, %t : tensor<4xf32>, tensor<4xf32>
}
// text between functions

func.func @g(%t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
  %w = tensor.insert %f into %t[%i] : tensor<8xf32>
  %x = tensor.extract %t[%i] : tensor<8xf32>
  return %w, %x : tensor<8xf32>, f32
}
"""


def test_parts_are_put_together_where_they_stand():
    source = Source("t.mlir", TWO)
    lines = TWO.splitlines(keepends=True)
    parts = []
    for first, last in ((7, 12), (0, 5)):
        text = "".join(lines[first:last])
        inner = Source("t.mlir", text)
        module = parse_source(inner, allow_unregistered=True)
        options = AnalysisOptions(bufferize_function_boundaries=True)
        kept = to_data(explain(module, options, source=inner, part_of=100), inner, for_machines=True)
        place = TextPart(text, list(range(first, last)), ((first, last),))
        parts.append((place, relocated(json.dumps(kept), place)))
    found = KeptExplanation.of(source, parts)
    assert [(f.function, f.line, f.inserted) for f in found.findings] == [
        ("f", 3, True),
        ("g", 9, True),
        ("f", 2, False),
    ]
    assert [(m.function, m.line) for m in found.memory_report.copies] == [("f", 3), ("g", 9)]
    spans = [finding.op_span for finding in found.findings]
    names = ["tensor.insert", "tensor.insert", '"mine.op"']
    assert [TWO[span.start : span.end] for span in spans] == names
    assert found.operands == sum(data["operands"] for _, data in parts)
    assert found.in_place == sum(data["inPlace"] for _, data in parts)
    assert found.is_bufferized and found.is_complete and not found.errors
    assert not any(line.startswith("--") for line in found.advice)
    alone, *_ = KeptExplanation.of(source, parts[1:]).findings
    assert alone.op_span == found.findings[0].op_span


def a_remark(message):
    return {"severity": "remark", "message": message}


def a_record(function, kind="copy", name="memref.copy", **more):
    fields = {
        "kind": kind, "made": name, "bytes": 16, "count": 1, "atMost": False, "function": function,
        "written": False, "place": None, "functionPlace": None, "verdict": None, "gone": False,
    }  # fmt: skip
    return fields | more


def a_finding(at, function="f", inserted=True, **more):
    fields = {
        "id": "one", "place": None, "function": function, "at": at, "inserted": inserted, "copies": True,
        "size": 16, "records": [], "causes": [0], "foreseen": None, "said": a_remark(f"{function} {at}"),
    }  # fmt: skip
    return fields | more


def kept(functions=(), **more):
    """The data of a part."""
    fields = {
        "errors": [], "bufferized": True, "complete": True, "records": [], "memoryReport": [], "costs": {},
        "findings": [], "remarks": [], "operands": 1, "inPlace": 1, "outOfPlace": [], "advice": [],
        "contracts": [], "functions": list(functions), "plan": None, "planLines": ["run"], "refused": [],
        "wayOut": "",
    }  # fmt: skip
    return fields | more


SOURCE = Source("t.mlir", "func @f\nfunc @g\nfunc @h\n")
LINES = TextPart("func @f\n", range(1), ((0, 1),))


def together(*parts, part=LINES):
    return KeptExplanation.of(SOURCE, [(part, one) for one in parts])


def test_what_several_parts_say_is_sorted_and_said_once_and_what_one_says_is_as_it_is():
    records = [
        a_record("g"), a_record("f", "clone", "bufferization.clone"), a_record("f"), a_record("outside"),
        a_record("h", "clone", "bufferization.clone"),
    ]  # fmt: skip
    one = kept(
        [("g", 8), ("f", 0)],
        records=records,
        findings=[a_finding(8, "g"), a_finding(0, inserted=False), a_finding(4), a_finding(2, inserted=False)],
        remarks=[a_remark("a"), a_remark("b"), a_remark("a")],
        contracts=[{"function": "g"}, {"function": "f"}, {"function": "outside"}],
        outOfPlace=[[8, "g"], [0, "f"]],
        advice=["--top-down saves", "advice", "advice"],
    )  # fmt: skip
    other = kept([("h", 16)], remarks=[a_remark("b"), a_remark("c")], advice=["advice", "more"])

    def said(found):
        return (
            [(m.function, str(m.kind)) for m in found.memory_report.records],
            [(f.function, f.diagnostic.message.split()[1]) for f in found.findings],
            [d.message for d in found.remarks],
            [each["function"] for each in found.contracts],
            found.out_of_place(),
            found.advice,
        )

    assert said(together(one)) == (
        [("g", "copy"), ("f", "clone"), ("f", "copy"), ("outside", "copy"), ("h", "clone")],
        [("g", "8"), ("f", "0"), ("f", "4"), ("f", "2")],
        ["a", "b", "a"],
        ["g", "f", "outside"],
        ["g", "f"],
        ["--top-down saves", "advice"],
    )
    assert said(together(one, other)) == (
        [("outside", "copy"), ("f", "copy"), ("g", "copy"), ("f", "clone"), ("h", "clone")],
        [("f", "4"), ("g", "8"), ("f", "0"), ("f", "2")],
        ["a", "b", "c"],
        ["outside", "f", "g"],
        ["f", "g"],
        ["advice", "more"],
    )
    first = kept([("first", 0)], records=[a_record("first")], contracts=[{"function": "first"}])
    none = kept(records=[a_record("outside")], contracts=[{"function": "outside"}])
    found = together(first, none)
    assert [m.function for m in found.memory_report.records] == ["outside", "first"]
    assert [each["function"] for each in found.contracts] == ["outside", "first"]


def test_what_the_whole_says_of_its_parts():
    one = kept(errors=[a_remark("no")], bufferized=False, wayOut="long way", refused=[a_remark("loop")])
    other = kept(complete=False, operands=3, inPlace=2, wayOut="way", refused=[a_remark("other")])
    found = together(one, other)
    assert [d.message for d in found.errors] == ["no"]
    assert (found.is_bufferized, found.is_complete) == (False, True)
    assert (found.operands, found.in_place, found.way_out) == (4, 3, "long way")
    assert [d.message for d in found.refused] == ["loop", "other"]
    assert found.plan is None and found.plan_lines() == ["long way"]
    assert together(other, one).is_complete is False
    whole = together(one, part=None)
    assert whole.plan_lines() == ["run"]


def test_a_record_and_a_finding_are_as_they_were():
    verdict = ["avoidable", "so", True]
    record = a_record(
        "f",
        place=[0, 4],
        functionPlace=[5, 7],
        verdict=verdict,
        gone=True,
        atMost=True,
        written=True,
        count=3,
    )
    finding = a_finding(4, records=[0], causes=[3, 5], foreseen=verdict, place=[5, 5])
    data = kept(records=[record], findings=[finding], memoryReport=[{"told": 1}])
    for part in (None, LINES):
        found = together(data, part=part)
        (made,), (said,) = found.memory_report.records, found.findings
        assert (made.made, made.gone, made.was_written, made.times.at_most) == (
            "memref.copy",
            True,
            True,
            True,
        )
        assert made.times.count == Formula.of(3) and made.bytes == Formula.of(16)
        assert (made.place, made.function_place) == (Span(SOURCE, 0, 4), Span(SOURCE, 5, 7))
        assert made.verdict.data() == {"word": "avoidable", "why": "so"} and made.data() == {"told": 1}
        assert made.verdict.is_by_safe_edit
        assert said.records == [made] and said.causes == ((0, 3), (0, 5))
        assert said.foreseen == made.verdict and said.op_span == Span(SOURCE, 5, 5)
        assert said.with_data() is said.diagnostic
    plain = together(kept(records=[a_record("f")], findings=[a_finding(0)]))
    assert plain.memory_report.records[0].verdict is None and plain.memory_report.records[0].data() == {}
    assert plain.findings[0].foreseen is None


def test_places_of_a_part_are_those_of_its_lines():
    place = TextPart("func @h\nfunc @f\n", [2, 0], ((2, 3), (0, 1)))
    data = kept(findings=[a_finding(0, place=[5, 7]), a_finding(8, place=[8, 16]), a_finding(-1)])
    found = together(data, part=place)
    assert [f.op_span for f in found.findings] == [Span(SOURCE, 21, 23), Span(SOURCE, 0, 8), None]
    assert _start(SimpleNamespace(where=None)) == -1
    assert _start(SimpleNamespace(where=(SOURCE, 5, 6))) == 5


def test_diagnostics_are_as_they_were():
    span = Span(SOURCE, 0, 4)
    said = Diagnostic(Severity.WARNING, "said", span, "id", place="f", data={"one": 1})
    said.label(span, "here", True).label(Span(SOURCE, 5, 7), "there").note("note").help("help")
    said.step(span, "step").attach("child", span)
    edits = [Edit(span, "new"), Edit(Span(SOURCE, 7, 7), "")]
    said.suggest(Suggestion("change", edits, "1 copy", True, Applicability.SAFE))
    said.suggest(Suggestion("other", []))
    kept_data = json.loads(json.dumps(diagnostics_data([said, Diagnostic(Severity.ERROR, "plain")], SOURCE)))
    assert kept_data[1] == {"severity": "error", "message": "plain"}
    assert diagnostics_from(kept_data, SOURCE) == [said, Diagnostic(Severity.ERROR, "plain")]


def test_a_product_of_sizes():
    n, m = (Symbol(name, name) for name in "nm")
    for factor, symbols in [(1, [n]), (3, [n, m]), (2, [n, n]), (5, []), (0, [n])]:
        product = _product(factor, symbols)
        expected = factor * 7 ** symbols.count(n) * 11 ** symbols.count(m)
        assert product.evaluate({n: 7, m: 11}) == expected, (factor, symbols)
