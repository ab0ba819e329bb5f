"""How an explanation is put together: what gets help, what comes first, what is advised, and when source edits join the plan."""

from types import SimpleNamespace

import pytest
from bufferize import explain, parse
from bufferize.analysis.sizes import Formula
from bufferize.explain import explanation as explanations, fix, report
from bufferize.explain.explanation import Explanation, Figures, Measured, add_measured, summary_of
from bufferize.explain.finding import Share
from bufferize.explain.plan import LARGE_PROGRAM
from bufferize.explain.report import _advice, _best_first, _is_eliminated, add_help
from bufferize.ir.source.diagnostics import Diagnostic, Severity
from bufferize.transforms.changes.trial import Totals
from bufferize.transforms.memory_report import MemoryReport


def suggestion(name, saved):
    return SimpleNamespace(name=name, copies_saved=saved)


FIRST = {
    # suggestions of the findings of a group, each with the copies that it saves; those of the first one afterwards
    "none": ([[], []], []),
    "one saves all": ([[("a", 1)], [("b", 2)]], ["b", "a"]),
    "one saves all, of one that has none": ([[], [("b", 2)]], ["b"]),
    "one saves too few": ([[("a", 1)], [("b", 2)], []], ["a"]),
    "the first does as much": ([[("a", 2)], [("b", 2)]], ["a"]),
    "the first has it": ([[("a", 1), ("c", 2)], [("b", 1)]], ["c", "a"]),
    "it saves more than all": ([[("a", 1)], [("b", 3)]], ["b", "a"]),
    "only allocations": ([[("a", 0)], [("b", 0)]], ["a"]),
}


@pytest.mark.parametrize("name", FIRST)
def test_a_change_that_eliminates_all_copies_of_a_cause_comes_first(name):
    given, first = FIRST[name]
    findings = [
        SimpleNamespace(
            copies=True, diagnostic=SimpleNamespace(suggestions=[suggestion(*each) for each in one])
        )
        for one in given
    ]
    others = [list(finding.diagnostic.suggestions) for finding in findings[1:]]
    _best_first(SimpleNamespace(findings=findings))
    assert [each.name for each in findings[0].diagnostic.suggestions] == first
    assert [finding.diagnostic.suggestions for finding in findings[1:]] == others


def test_only_copies_count_for_what_comes_first():
    first, other = (
        SimpleNamespace(copies=copies, diagnostic=SimpleNamespace(suggestions=[suggestion(name, saved)]))
        for copies, name, saved in ((True, "a", 0), (False, "b", 1))
    )
    _best_first(SimpleNamespace(findings=[first, other]))
    assert [each.name for each in first.diagnostic.suggestions] == ["b", "a"]


def record(made="memref.copy", name=""):
    return SimpleNamespace(made=made, name=name)


def plan(lacking="", helps=True, untried=("fewest-copies",)):
    return SimpleNamespace(
        helps=helps, untried=untried, best=SimpleNamespace(lacks=lambda one: one.name in lacking)
    )


@pytest.mark.parametrize(
    ("records", "made", "is_eliminated"),
    [
        ("a", plan("a"), True),
        ("a", plan("b"), False),
        ("ab", plan("a"), False),
        ("ab", plan("ab"), True),
        ("a", plan("a", helps=False), False),
        ("a", None, False),
        ("", plan("a"), False),
    ],
)
def test_what_the_plan_eliminates(records, made, is_eliminated):
    found = SimpleNamespace(records=[record("memref.alloc", "z"), *(record(name=each) for each in records)])
    assert _is_eliminated(found, made) is is_eliminated


@pytest.mark.parametrize("skipped", [False, True])
@pytest.mark.parametrize("made", [None, plan(helps=True), plan(helps=False), plan(helps=False, untried=())])
@pytest.mark.parametrize("is_least", [False, True])
def test_advice_on_the_whole_program(skipped, made, is_least):
    """Other orders of decisions are not tried where the search has shown that none copies less."""
    trials = SimpleNamespace(
        other_heuristics=lambda: [("top-down", 1), ("bottom-up", 2)],
        saving=lambda totals: f"{totals} of it",
        skipped=skipped,
    )
    lines = ["--analysis-heuristic=top-down saves 1 of it", "--analysis-heuristic=bottom-up saves 2 of it"]
    large = (
        "not all suggestions were tried because the program is large; --function NAME analyses one function"
    )
    is_searched = is_least or (made is not None and not made.untried)
    expected = [*[*lines] * (not is_searched), *[large] * skipped]
    assert _advice(trials, made, is_least) == ([] if made is not None and made.helps else expected)


def helped(monkeypatch, size=9, errors=(), source="text", made=None, planner="planner", copies=(1,)):
    """What `add_help` does, in its order."""
    done = []
    findings = [
        SimpleNamespace(
            name=name, inserted=name.islower(), records=[record(name=name)],
            diagnostic=SimpleNamespace(suggestions=[]), copies=True,
        )
        for name in "aBc"
    ]  # fmt: skip
    trials = SimpleNamespace(
        size=size,
        source=source,
        result=SimpleNamespace(errors=errors),
        memory_report=SimpleNamespace(copies=copies),
        help=lambda wanted: done.append("help " + "".join(one.name for one in wanted)),
        advise=lambda found: done.append("advise " + "".join(one.name for one in found)),
    )

    def grouped(found):
        return [SimpleNamespace(findings=[one]) for one in found]

    monkeypatch.setattr(report, "grouped", grouped)
    monkeypatch.setattr(report, "by_cost", lambda groups: groups[::-1])
    monkeypatch.setattr(report, "judge", lambda found, trials, plan: done.append("judge"))
    monkeypatch.setattr(report, "_advice", lambda trials, plan, is_least: ["advice"])
    monkeypatch.setattr(fix, "with_edits", lambda *_: done.append("edit") or "edited")
    advice, after = add_help(findings, trials, made, planner, None)
    return done, advice, after


@pytest.mark.parametrize(
    ("given", "done", "advice", "edited"),
    [
        ({}, ["help ca", "advise aBc", "judge"], ["advice"], False),
        ({"errors": ["no"]}, ["help ca"], [], False),
        ({"copies": ()}, ["help ca", "advise aBc", "judge"], [], False),
        ({"made": plan("a")}, ["help ca", "advise aBc", "edit", "judge"], ["advice"], True),
        (
            {"made": plan("a"), "size": LARGE_PROGRAM},
            ["help ca", "advise aBc", "edit", "judge"],
            ["advice"],
            True,
        ),
        (
            {"made": plan("a"), "size": LARGE_PROGRAM + 1},
            ["help c", "advise aBc", "judge"],
            ["advice"],
            False,
        ),
        ({"made": plan("a"), "source": None}, ["help ca", "advise aBc", "judge"], ["advice"], False),
        ({"made": plan("a"), "planner": None}, ["help ca", "advise aBc", "judge"], ["advice"], False),
    ],
)
def test_help_is_searched_for_what_is_inserted_the_costliest_first(given, done, advice, edited, monkeypatch):
    found, said, after = helped(monkeypatch, **given)
    assert (found, said) == (done, advice)
    assert after == ("edited" if edited else given.get("made"))


LOOP = """
func.func @f(%t: tensor<4xf32>, %f: f32, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<4xf32>) {
    %e = tensor.splat %f : tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}"""


@pytest.mark.parametrize("with_memory_report", [True, False])
def test_a_program_that_is_explained_under_another_option(with_memory_report):
    found = explain(parse(LOOP), with_memory_report=with_memory_report)
    (problem,) = found.refused
    assert found.data()["allowsReturnAllocsFromLoops"] is True
    assert (problem.severity, found.errors) == (Severity.WARNING, [])
    *_, last = [note.text for note in problem.notes if note.kind == "help"]
    costs = "1 allocation" if with_memory_report else "0 allocations"
    assert last == (
        f"--allow-return-allocs-from-loops bufferizes it, with 0 copies and {costs}; "
        "the findings below assume this option"
    )


def test_what_the_program_frees_is_no_finding():
    text = """
      func.func @f(%f: f32, %i: index) -> f32 {
        %t = tensor.splat %f : tensor<4xf32>
        %x = tensor.extract %t[%i] : tensor<4xf32>
        bufferization.dealloc_tensor %t : tensor<4xf32>
        return %x : f32
      }"""
    found = explain(parse(text), with_help=False)
    assert "memref.dealloc" in [record.made for record in found.memory_report]
    assert [finding.op.name for finding in found.findings] == ["tensor.splat"]


def test_a_program_is_refused_without_help_or_if_the_option_was_given():
    assert explain(parse(LOOP), with_help=False).errors
    allowed = explain(parse(LOOP), allow_return_allocs_from_loops=True)
    assert not allowed.refused and not allowed.errors


def test_the_program_is_left_alone_and_may_be_a_text():
    module = parse(LOOP)
    before = str(module)
    explain(module)
    assert str(module) == before
    assert explain(LOOP).summary() == explain(module).summary()


# -- totals, measurements


def explained(operands=1, in_place=0, is_complete=True, is_bufferized=True):
    bufferized = SimpleNamespace(problems=[] if is_bufferized else ["no"], is_complete=is_complete)
    return Explanation(
        SimpleNamespace(errors=[]), MemoryReport([]), [], [], bufferized, None, operands, in_place
    )  # fmt: skip


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (explained(), "1 tensor operand, 0 in place, 0 copies, 0 allocations"),
        (explained(2, 1), "2 tensor operands, 1 in place, 0 copies, 0 allocations"),
        (explained(0, 0), "0 tensor operands, 0 in place, 0 copies, 0 allocations"),
        (
            explained(is_complete=False),
            "1 tensor operand, 0 in place; the program cannot be bufferized",
        ),
        (
            explained(is_bufferized=False),
            "1 tensor operand, 0 in place, 0 copies, 0 allocations; the program cannot be bufferized",
        ),
    ],
)
def test_one_line_about_a_program(made, said):
    assert made.summary() == said
    assert repr(made) == f"<Explanation: {said}>"


@pytest.mark.parametrize(
    ("complete", "failed"),
    [([True, True], ""), ([True, False], "; 1 program cannot be bufferized"), ([False] * 3, "; 3 programs cannot be bufferized")],
)  # fmt: skip
def test_one_line_about_several_programs(complete, failed):
    every = [explained(2, 1, is_complete=each) for each in complete]
    count = len(every)
    said = f"{2 * count} tensor operands, {count} in place, 0 copies, 0 allocations{failed}"
    assert summary_of(every) == said


def test_a_run_in_words():
    one, many = Figures(1, 1, 16, 2048), Figures(1234, 0, 0, 1)
    assert str(one) == "1 operation, 1 allocation, at most 16 bytes at once, 2048 bytes copied"
    assert str(many) == "1,234 operations, 0 allocations, at most 0 bytes at once, 1 byte copied"
    short, long = "x" * explanations.MAX_SHOWN, "x" * (explanations.MAX_SHOWN + 1)
    run = Measured("f", [short, long], 0, one, {})
    assert run.call() == f"@f({short}, {short[:-3]}...)"
    alone = Measured("f", ["1"], 0, one, {"a": Share(1, 0, 2048)}, freed=False, copying_always=many)
    assert alone.lines() == [f"measured: @f(1): {one}; nothing is freed", f"  without analysis: {many}"]
    assert Measured("f", [], 0, one, {"a": Share(1, 0, 2048)}).lines() == [f"measured: @f(): {one}"]


@pytest.mark.parametrize(
    ("explained_bytes", "cloned", "words"),
    [
        ((2048,), 0, ""),
        ((1000, 1048), 0, ""),
        ((1000,), 1048, "1000 bytes by findings, 1048 bytes by clones made by deallocation"),
        ((1000,), 48, "1000 bytes by findings, 48 bytes by clones made by deallocation, 1000 bytes by the program's own operations"),
        ((), 2048, "all by clones made by deallocation"),
        ((), 0, "all by the program's own operations"),
    ],
)  # fmt: skip
def test_who_copied(explained_bytes, cloned, words):
    shares = {str(i): Share(1, 0, count) for i, count in enumerate(explained_bytes)}
    run = Measured("f", [], 0, Figures(1, 1, 16, 2048), shares, cloned)
    assert run.who_copied() == words
    assert run.lines()[1:] == ([f"  copied: {words}"] if words else [])
    assert run.data()["bytesCopiedByFindings"] == sum(explained_bytes)


MEASURED = {
    "one run": ([("f", Share(2, 16, 16))], ["ran 2 times: 16 bytes allocated and copied"]),
    "one that did not run it": ([("f", Share())], ["did not run"]),
    "two runs": (
        [("f", Share(1, 16, 0)), ("g", Share(3, 0, 48))],
        ["in @f, it ran once: 16 bytes allocated", "in @g, it ran 3 times: 48 bytes copied"],
    ),
    "one of two": ([("f", Share()), ("g", Share(1, 8, 0))], ["ran once: 8 bytes allocated"]),
    "none of two": ([("f", Share()), ("g", Share())], ["did not run"]),
    "not part of it": ([("f", None)], ["not part of the program that was run"]),
    "part of one": ([("f", None), ("g", Share(1, 8, 2))], ["ran once: 8 bytes allocated, 2 bytes copied"]),
    "no runs": ([], None),
}


@pytest.mark.parametrize("name", MEASURED)
@pytest.mark.parametrize("inserted", [True, False])
def test_a_finding_is_measured(name, inserted):
    given, notes = MEASURED[name]
    finding = SimpleNamespace(
        inserted=inserted, diagnostic=Diagnostic(Severity.REMARK, "said", data={}), shares=[]
    )

    class Shares(dict):
        def get(self, one):
            return self["it"] if one is finding else None

    runs = [SimpleNamespace(entry=entry, shares=Shares(it=share)) for entry, share in given]
    add_measured([finding], runs)
    if not inserted or notes is None:
        assert finding.diagnostic.notes == [] and finding.diagnostic.data == {}
        return
    assert [note.text for note in finding.diagnostic.notes] == notes
    known = [(entry, share) for entry, share in given if share is not None]
    assert finding.shares == known
    assert finding.diagnostic.data["measured"] == [
        {"entry": e, "times": s.times, "bytesAllocated": s.allocated, "bytesCopied": s.copied}
        for e, s in known
    ]


def test_totals_say_what_is_better():
    assert Totals(1, 2, Formula.of(16)).describe() == "1 copy (16 bytes) and 2 allocations"
    onto_itself = SimpleNamespace(copies=[SimpleNamespace(is_onto_itself=True)])
    more = Totals(0, 1, Formula.of(0), (onto_itself,))
    assert more.describe() == "0 copies and 1 allocation after -cse -canonicalize"
