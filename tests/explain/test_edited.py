"""Plans that change the source first, and failures and questions that have an answer of their own."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from bufferize.analysis.one_shot import AnalysisOptions
from bufferize.analysis.sizes import Formula
from bufferize.benchmarks.claims import counted_by_running
from bufferize.cli.main import main
from bufferize.explain import fix
from bufferize.explain.fix import Fixed, _Fixing, _indent, _places_before, _results, _said, with_edits
from bufferize.explain.plan import CopyPlan
from bufferize.explain.report import explain
from bufferize.explain.routes import Cost, Route, RouteOutcome
from bufferize.ir.source.diagnostics import Applicability, BufferizeError, Severity, error
from bufferize.ir.source.locations import Source, Span
from bufferize.ir.source.records import replace
from bufferize.ir.text.parser import parse_source
from bufferize.transforms.changes.trial import Totals
from bufferize.transforms.memory_report import Kind

BRANCH = """
func.func @cfg(%c: i1, %t: tensor<8xf32>, %f: f32) -> (tensor<8xf32>, f32) {
  %c0 = arith.constant 0 : index
  cf.cond_br %c, ^bb1, ^bb2(%t : tensor<8xf32>)
^bb1:
  %w = tensor.insert %f into %t[%c0] : tensor<8xf32>
  cf.br ^bb2(%w : tensor<8xf32>)
^bb2(%m: tensor<8xf32>):
  %old = tensor.extract %t[%c0] : tensor<8xf32>
  return %m, %old : tensor<8xf32>, f32
}
"""
GROWING = """
func.func @grow(%n: index, %x: tensor<4xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %e = tensor.empty(%c0) : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %e) -> (tensor<?xf32>) {
    %d = tensor.dim %t, %c0 : tensor<?xf32>
    %d4 = arith.addi %d, %c4 : index
    %big = tensor.empty(%d4) : tensor<?xf32>
    %a = tensor.insert_slice %t into %big[0] [%d] [1] : tensor<?xf32> into tensor<?xf32>
    %b = tensor.insert_slice %x into %a[%d] [4] [1] : tensor<4xf32> into tensor<?xf32>
    scf.yield %b : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
"""
NO_RESTRICT = """
func.func @f(%m: memref<8xf32>, %i: index) -> f32 {
  %t = bufferization.to_tensor %m : memref<8xf32> to tensor<8xf32>
  %v = tensor.extract %t[%i] : tensor<8xf32>
  return %v : f32
}
"""


def explained(text: str, name: str = "cell.mlir"):
    source = Source(name, text)
    options = AnalysisOptions(bufferize_function_boundaries=True)
    return explain(parse_source(source), options, source=source)


def test_what_only_a_change_of_the_source_saves_is_in_the_command(tmp_path):
    file = tmp_path / "cell.mlir"
    file.write_text(BRANCH)
    plan = explained(BRANCH, str(file)).plan
    assert plan is not None
    assert plan.command.startswith("bufferize fix ")
    assert plan.best.cost.copies == 0
    assert counted_by_running(plan.command) == plan.best.cost.moves


def test_a_tensor_that_grows_is_said_to():
    found = explained(GROWING)
    (refused,) = found.refused
    assert any("computed from that of %t" in note.text for note in refused.notes)
    assert all(f.verdict is None or f.verdict.word != "open" for f in found.findings)


def test_a_missing_restrict_is_shown_where_it_goes():
    (problem,) = explained(NO_RESTRICT).errors
    (suggestion,) = problem.suggestions
    assert [edit.replacement for edit in suggestion.edits] == [" restrict"]
    assert suggestion.applicability == "changes what callers see"


@pytest.mark.parametrize(("name", "said"), [("%f", "not a tensor (f32)"), ("%c0", "not a tensor (index)")])
def test_a_value_that_is_no_tensor_is_answered_for(name, said, tmp_path, capsys):
    file = tmp_path / "cell.mlir"
    file.write_text(BRANCH)
    assert main(["explain", str(file), "--why", name]) == 0
    assert said in capsys.readouterr().out


BEFORE = """func.func @f(%t: tensor<8xf32>, %i: index) -> f32 {
  // first
  %x = tensor.extract %t[%i] : tensor<8xf32>
  %y = arith.addf %x, %x : f32
  return %y : f32
}
"""
AFTER = """func.func @f(%t: tensor<8xf32>, %i: index) -> f32 {
  %new = arith.constant 1.0 : f32
    %x = tensor.extract %t[%i] : tensor<8xf32>
  // first
      %y = arith.mulf %x, %new : f32
  return %y : f32
}
"""


@pytest.mark.parametrize("first_line", [1, 31])
def test_an_operation_of_the_edited_text_has_its_place_in_the_original(first_line):
    before, after = Source("a", BEFORE, first_line), Source("a", AFTER, first_line)
    place = _places_before(before, after)
    starts = {op.name: op.where[2] for op in parse_source(before).walk() if op.where is not None}
    for op in parse_source(after).walk():
        if op.name == "arith.constant":
            assert place(op) == (id(after), op.where[2])
        elif op.name == "arith.mulf":
            assert place(op) == (id(before), starts["arith.addf"])
        elif op.where is not None:
            assert place(op) == (id(before), starts[op.name]), op.name


def test_lines_that_define_the_same_results():
    assert [_results(line) for line in ("  %a, %b = f", "return %a = b", "  // x", "%r:2 = g")] == [
        "%a, %b",
        "",
        "",
        "%r:2",
    ]
    assert [_indent(line) for line in ("x", "   x", "\tx", "")] == [0, 3, 1, 0]


def moved(kind=Kind.COPY, line=3, bytes=16, verdict=None, was_written=False, onto_itself=False):
    op = SimpleNamespace(name="tensor.insert")
    return SimpleNamespace(
        kind=kind,
        is_onto_itself=onto_itself,
        place=None if line is None else Span(Source("x.mlir", "\n" * line), line - 1, line - 1),
        bytes=None if bytes is None else Formula.of(bytes),
        cause=SimpleNamespace(op=op),
        verdict=verdict,
        was_written=was_written,
    )


NEEDED = SimpleNamespace(word="needed as written", why="so")


@pytest.mark.parametrize(
    ("move", "line"),
    [
        (moved(), "line 3: 'tensor.insert' copies 16 bytes"),
        (moved(line=None), "'tensor.insert' copies 16 bytes"),
        (moved(was_written=True), "line 3: 'tensor.insert' copies 16 bytes: the program already contains it"),
        (moved(verdict=NEEDED), "line 3: 'tensor.insert' copies 16 bytes: needed as written, so"),
        (moved(Kind.CLONE), "line 3: deallocation clones 16 bytes for 'tensor.insert'"),
        (
            moved(Kind.CLONE, verdict=NEEDED),
            "line 3: deallocation clones 16 bytes for 'tensor.insert': needed as written, so",
        ),
    ],
)
def test_a_copy_that_is_left_in_words(move, line):
    assert _said(move) == line


class Halving(_Fixing):
    """A fix in which only some sets of changes can be written as text, and only some compute the same."""

    def __init__(self, writable, same, monkeypatch, unsafe=False):
        self.unsafe, self.original, self.fixed, self.tried = unsafe, None, Fixed(""), []
        self.writable = writable
        monkeypatch.setattr("bufferize.explain.fix._computes_the_same", lambda _, after: after in same)

    def _written(self, trials, changes, source):
        names = "".join(change.title for change in changes)
        self.tried.append(names)
        return ("text", names) if names in self.writable else None


@pytest.mark.parametrize(
    ("writable", "same", "attempts", "applied", "not_run", "tried"),
    [
        (["abcd"], ["abcd"], 16, "abcd", "", ["abcd"]),
        (["ab", "cd"], ["ab", "cd"], 16, "ab", "", ["abcd", "ab"]),
        (["cd"], ["cd"], 16, "cd", "", ["abcd", "ab", "a", "b", "cd"]),
        (["abcd", "b"], ["b"], 16, "b", "", ["abcd", "ab", "a", "b"]),
        (["abcd", "ab", "a"], [], 16, "", "a", ["abcd", "ab", "a", "b", "cd", "c", "d"]),
        (["a", "cd"], ["cd"], 16, "cd", "a", ["abcd", "ab", "a", "b", "cd"]),
        (["ab"], [], 2, "", "ab", ["abcd", "ab", "cd"]),
        (["ab"], [], 1, "", "", ["abcd"]),
    ],
)
def test_changes_that_cannot_be_made_together_are_halved(
    writable, same, attempts, applied, not_run, tried, monkeypatch
):
    fixing = Halving(writable, same, monkeypatch)
    changes = [SimpleNamespace(title=title) for title in "abcd"]
    found = fixing._taken(None, changes, None, [attempts])
    assert fixing.tried == tried
    assert "".join(fixing.fixed.applied) == applied
    assert "".join(fixing.fixed.not_run) == not_run
    assert (found is None) == (not applied)


def test_unsafe_changes_are_not_compared(monkeypatch):
    fixing = Halving(["ab"], [], monkeypatch, unsafe=True)
    fixing._taken(None, [SimpleNamespace(title=title) for title in "ab"], None, [16])
    assert fixing.fixed.applied == ["a", "b"]


def verdict(word):
    return SimpleNamespace(word=word, why="so")


COPY_LEFT, CLONE_LEFT = (
    "line 3: 'tensor.insert' copies 16 bytes",
    "line 3: deallocation clones 16 bytes for 'tensor.insert'",
)
LEFT = {
    # what the result still moves; how many of that is open, and a line for each
    "nothing": ([], 0, []),
    "a copy without a verdict": ([moved()], 1, [COPY_LEFT]),
    "a necessary copy": ([moved(verdict=verdict("necessary"))], 0, [f"{COPY_LEFT}: necessary, so"]),
    "a needed copy": (
        [moved(verdict=verdict("needed as written"))], 1, [f"{COPY_LEFT}: needed as written, so"],
    ),
    "a copy onto itself": (
        [moved(onto_itself=True)], 0, [f"{COPY_LEFT} onto itself: -cse -canonicalize removes it"],
    ),
    "a copy of the program": (
        [moved(was_written=True)], 0, [f"{COPY_LEFT}: the program already contains it"],
    ),
    "a clone without a verdict": ([moved(Kind.CLONE)], 0, [CLONE_LEFT]),
    "a needed clone": (
        [moved(Kind.CLONE, verdict=verdict("needed as written"))], 0, [f"{CLONE_LEFT}: needed as written, so"],
    ),
    "an avoidable clone": (
        [moved(Kind.CLONE, verdict=verdict("avoidable"))], 1, [f"{CLONE_LEFT}: avoidable, so"],
    ),
    "several": (
        [moved(), moved(verdict=verdict("open")), moved(Kind.CLONE, verdict=verdict("avoidable"))],
        3,
        [COPY_LEFT, f"{COPY_LEFT}: open, so", f"{CLONE_LEFT}: avoidable, so"],
    ),
}  # fmt: skip
TEXT = "func.func @f() { return }"


class Rounds(_Fixing):
    """A fix of which each round yields a longer text, so many times."""

    def __init__(self, count, monkeypatch, moves=(), errors=(), with_left=True, source=TEXT):
        self.count, self.explained, self.rounds, self.asked = count, [], 0, 0
        self.moves, self.errors = moves, [error(each) for each in errors]
        monkeypatch.setattr(fix, "_totals", lambda explanation: (explanation.number, Formula.of(0)))
        monkeypatch.setattr(Cost, "of", lambda report: f"cost {report.number}")
        super().__init__(Source("t", source), OPTIONS, None, (), False, with_left, self.explaining)
        self.fixed.unsafe.append("unsafe")

    def explaining(self, module, options, registry, *, source, **how):
        self.explained.append((source.text, how))
        number = len(self.explained)
        report = SimpleNamespace(cost=f"estimated {number}", moves=self.moves, number=number)
        return SimpleNamespace(
            number=number, memory_report=report, errors=self.errors if number == 1 or self.rounds == 0 else [],
            refused=[], remarks=[], result=SimpleNamespace(state=SimpleNamespace(root="root")),
        )  # fmt: skip

    def _round(self, explanation, source):
        self.asked += 1
        if self.rounds == self.count:
            return None
        self.rounds += 1
        following = Source("t", source.text + "\n")
        return following, self._explain(self.original, following)


OPTIONS = AnalysisOptions(bufferize_function_boundaries=True)
CHEAP = {"with_help": False, "with_clones": False}


@pytest.mark.parametrize("name", LEFT)
def test_what_is_left_after_all_rounds(name, monkeypatch):
    moves, open, lines = LEFT[name]
    found = Rounds(1, monkeypatch, moves).run()
    assert (found.open, found.left) == (open, lines)
    assert found.unsafe == (["unsafe"] if moves else [])
    assert found.is_finished is (not open and not moves)


@pytest.mark.parametrize(("count", "made"), [(0, 0), (1, 1), (3, 3), (10, 10), (11, 10)])
def test_rounds_are_made_until_nothing_helps(count, made, monkeypatch):
    fixing = Rounds(count, monkeypatch)
    found = fixing.run()
    texts = [TEXT + "\n" * i for i in range(made + 1)]
    assert [text for text, _ in fixing.explained] == [*texts, texts[-1]]
    assert [how for _, how in fixing.explained] == [CHEAP | {"with_clones": True}, *[CHEAP] * made, {}]
    assert found.text == texts[-1] and fixing.asked == min(made + 1, 10)
    assert (found.before[0], found.after[0]) == (1, made + 1)
    assert found.costs == ("cost 1", f"cost {made + 2}")
    assert found.totals == ("estimated 1", f"estimated {made + 2}")
    assert not found.was_refused


def test_what_is_left_is_looked_for_only_if_it_is_wanted(monkeypatch):
    fixing = Rounds(1, monkeypatch, [moved()], with_left=False)
    found = fixing.run()
    assert [how for _, how in fixing.explained] == [CHEAP, CHEAP]
    assert (found.left, found.open, found.costs, found.unsafe) == ([], 0, None, ["unsafe"])


@pytest.mark.parametrize("count", [0, 1])
def test_a_program_that_is_refused(count, monkeypatch):
    found = Rounds(count, monkeypatch, [moved()], ["no"]).run()
    assert found.was_refused
    assert found.refused == ([] if count else ["no"])
    assert found.left == ([COPY_LEFT] if count else [])
    assert found.unsafe == ["unsafe"]


def test_what_speaks_against_a_program():
    warning, problem = error("warned"), error("rewrite")
    warning.severity = Severity.WARNING
    explanation = SimpleNamespace(
        errors=[error("analysis")], refused=[error("loops")], remarks=[warning, problem]
    )
    assert fix._refusals(explanation) == ["analysis", "loops", "rewrite"]


@pytest.mark.parametrize(
    ("refusals", "allowed", "answer"),
    [
        ({False: []}, False, (False, [])),
        ({False: ["loop"], True: []}, False, (True, ["loop"])),
        ({False: ["loop"], True: ["other"]}, False, (False, [])),
        ({True: ["loop"]}, True, (True, [])),
    ],
)
def test_loops_that_yield_new_buffers_are_allowed_if_that_goes_further(
    refusals, allowed, answer, monkeypatch
):
    class Run:
        def __init__(self, source, options, *_):
            self.loops = options.allow_return_allocs_from_loops

        def run(self):
            return Fixed(str(self.loops), refused=list(refusals[self.loops]))

    monkeypatch.setattr(fix, "_Fixing", Run)
    options = replace(OPTIONS, allow_return_allocs_from_loops=allowed)
    found = fix.fix(Source("t", TEXT), options, explain=None)
    assert (found.text, found.assumes_loops) == (str(answer[0]), answer[1])


@pytest.mark.parametrize("unsafe", [False, True])
def test_unsafe_changes_are_wanted_if_they_are_asked_for(unsafe, monkeypatch):
    fixing = Halving([], [], monkeypatch, unsafe)
    changes = [
        SimpleNamespace(title=title, is_safe=safe)
        for title, safe in (("a", True), ("b", False), ("b", False))
    ]
    assert [fixing._is_wanted(change) for change in changes] == [True, unsafe, unsafe]
    assert fixing.fixed.unsafe == ([] if unsafe else ["b"])


def totals(bytes):
    return Totals(1, 1, Formula.of(bytes))


@pytest.mark.parametrize(
    ("edits", "before", "after", "is_better"),
    [
        ([1], 16, 15, True),
        ([1], 16, 16, False),
        ([1], None, 16, True),
        ([1], 16, None, False),
        ([], 16, 0, False),
        (None, 16, 0, False),
    ],
)
def test_the_text_with_the_changes_is_taken_if_it_copies_less(edits, before, after, is_better, monkeypatch):
    fixing = Halving([], [], monkeypatch)
    monkeypatch.setattr(fix, "apply_edits", lambda source, edits: source.text + "// edited")
    monkeypatch.setattr(Totals, "of", lambda report: report)
    explanation = SimpleNamespace(bufferized=after, memory_report=None if after is None else totals(after))
    monkeypatch.setattr(fixing, "_explain", lambda module, source: explanation)
    trials = SimpleNamespace(edits=lambda changes: edits, before=None if before is None else totals(before))
    found = _Fixing._written(fixing, trials, [], Source("t", TEXT, 1))
    assert (found is not None) is is_better
    if is_better:
        assert (found[0].name, found[0].text, found[1]) == ("t", TEXT + "// edited", explanation)


CHANGED = TEXT.replace("return", "%c = arith.constant 1 : index return")


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [(TEXT, CHANGED, True), (TEXT, TEXT.replace("@f", "@g"), False)],
)
@pytest.mark.parametrize("bufferized", [True, False])
def test_the_changed_program_computes_the_same(before, after, same, bufferized):
    """By proof of the bufferized program, or else by running both."""
    original, changed = (parse_source(Source("t", text)) for text in (before, after))
    explanation = SimpleNamespace(
        bufferized=SimpleNamespace(module=changed) if bufferized else None,
        is_bufferized=bufferized,
        result=SimpleNamespace(state=SimpleNamespace(root=changed)),
    )
    assert fix._computes_the_same(original, explanation) is same


RUNS = [
    ([(False, "same", 4)], True),
    ([(False, "same", 4), (True, "differs", 4)], False),
    ([(False, "not run", 4)], False),
    ([(False, "same", 0)], False),
    ([], False),
]


@pytest.mark.parametrize(("findings", "same"), RUNS)
def test_what_runs_show(findings, same, monkeypatch):
    from bufferize.interpreter import verify

    results = [
        SimpleNamespace(failed=failed, status=verify.NOT_RUN if status == "not run" else status, runs=runs)
        for failed, status, runs in findings
    ]
    asked = []
    monkeypatch.setattr(verify, "verify_module", lambda one, other, options: asked.append(options) or results)
    result = SimpleNamespace(state=SimpleNamespace(root="root"))
    explanation = SimpleNamespace(bufferized=None, is_bufferized=True, result=result)
    assert fix._computes_the_same("original", explanation) is same
    assert [(options.inputs, options.tries) for options in asked] == [(4, 12)]


def change_of(verified=True, applicability=Applicability.SAFE):
    return SimpleNamespace(verified=verified, applicability=applicability)


@pytest.mark.parametrize(
    ("records", "changes", "helps", "may"),
    [
        (["memref.copy here"], [change_of()], True, True),
        (["memref.copy gone"], [change_of()], True, False),
        (["memref.copy gone"], [change_of()], False, True),
        (["bufferization.clone here"], [change_of()], True, True),
        (["memref.alloc here"], [change_of()], True, False),
        (["memref.copy gone", "memref.copy here"], [change_of()], True, True),
        (["memref.copy here"], [], True, False),
        (["memref.copy here"], [change_of(False)], True, False),
        (["memref.copy here"], [change_of(True, Applicability.CALLERS)], True, False),
        (["memref.copy here"], [change_of(False), change_of()], True, True),
        ([], [change_of()], True, False),
    ],
)
def test_whether_a_change_of_the_source_may_save_what_the_plan_leaves(records, changes, helps, may):
    plan = SimpleNamespace(helps=helps, best=SimpleNamespace(lacks=lambda one: one.place == "gone"))
    made = [SimpleNamespace(made=each.split()[0], place=each.split()[1]) for each in records]
    finding = SimpleNamespace(records=made, diagnostic=SimpleNamespace(suggestions=changes))
    assert fix._may_change(finding, plan) is may


PLAIN = Route(OPTIONS)
FEWEST, REORDERED = replace(PLAIN, fewest=True), replace(PLAIN, reorder=True)


def costing(copies):
    return Cost(copies, 0, 0, Formula.of(0), Formula.of(0), copies)


@pytest.mark.parametrize(
    ("best", "left", "tried", "taken"),
    [
        (REORDERED, {}, [REORDERED, PLAIN, FEWEST], None),
        (PLAIN, {}, [PLAIN, FEWEST], None),
        (FEWEST, {}, [FEWEST, PLAIN], None),
        (REORDERED, {REORDERED: 2, PLAIN: 1, FEWEST: 0}, [REORDERED, PLAIN, FEWEST], FEWEST),
        (REORDERED, {REORDERED: 1, PLAIN: 1, FEWEST: 2}, [REORDERED, PLAIN, FEWEST], REORDERED),
        (REORDERED, {REORDERED: 3, FEWEST: 2}, [REORDERED, PLAIN, FEWEST], FEWEST),
        (REORDERED, {REORDERED: 3, PLAIN: 3, FEWEST: 3}, [REORDERED, PLAIN, FEWEST], None),
    ],
)
def test_with_which_command_the_edited_program_copies_least(best, left, tried, taken, monkeypatch):
    ran = []

    def run_route(route, module, registry):
        assert route.edits
        plain = replace(route, edits=False)
        ran.append(plain)
        if plain not in left:
            raise BufferizeError(error("no"))
        return SimpleNamespace(memory_report=[plain], buffers="buffers")

    def outcome_of(route, records, place, buffers):
        return SimpleNamespace(route=route, cost=costing(left[records[0]]), buffers=buffers)

    monkeypatch.setattr(fix, "run_route", run_route)
    monkeypatch.setattr(RouteOutcome, "of", outcome_of)
    made, before = edited(monkeypatch, best)
    assert ran == tried
    if taken is None:
        assert made.best is before.best and made.tried_edits
    else:
        assert made == ("finished", replace(taken, edits=True))


def edited(
    monkeypatch, best=PLAIN, options=OPTIONS, rules=(), flags=(), applied=("change",), may=True, text=CHANGED
):
    """The plan after edits that were made, and before."""
    fixed = Fixed(text, applied=list(applied))
    monkeypatch.setattr(fix, "fix", lambda *_, **how: fixed)
    monkeypatch.setattr(fix, "_may_change", lambda finding, plan: may)
    planner = SimpleNamespace(
        options=options,
        registry=SimpleNamespace(rules=rules, flags=flags),
        finished=lambda plan: ("finished", plan.best.route),
    )
    outcome = SimpleNamespace(route=best, cost=costing(3))
    plan = CopyPlan(costing(5), outcome, "t", PLAIN)
    return with_edits(plan, planner, ["finding"], Source("t", TEXT), None), plan


@pytest.mark.parametrize(
    ("given", "is_tried"),
    [
        ({}, True),
        ({"may": False}, False),
        ({"applied": ()}, False),
        ({"text": "no program"}, False),
        ({"rules": ("rule",)}, False),
        ({"rules": ("rule",), "flags": ("--rules", "x")}, True),
        ({"options": replace(OPTIONS, allow_return_allocs_from_loops=True)}, True),
        ({"options": replace(OPTIONS, nested_modules=True)}, True),
        ({"options": replace(OPTIONS, analysis_heuristic="top-down")}, False),
        ({"options": AnalysisOptions()}, False),
    ],
)
def test_edits_are_tried_if_the_command_can_repeat_them(given, is_tried, monkeypatch):
    def run_route(*_):
        raise BufferizeError(error("no"))

    monkeypatch.setattr(fix, "run_route", run_route)
    made, before = edited(monkeypatch, **given)
    assert made.tried_edits is is_tried and made.best is before.best


def test_a_loop_that_two_findings_would_unroll_is_unrolled_once(tmp_path, capsys):
    type, rows = "tensor<4x4xf32>", "[1, 0] [2, 4] [1, 1]"
    half = "tensor<2x4xf32>"
    path = tmp_path / "p.mlir"
    path.write_text(f"""\
func.func @main(%u0: {type}, %v0: {type}, %n: index) -> {type} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %u0, %v = %v0) -> ({type}, {type}) {{
    %a = tensor.extract_slice %u[0, 0] [2, 4] [1, 1] : {type} to {half}
    %d = tensor.extract_slice %v{rows} : {type} to {half}
    %s = linalg.exp ins(%a : {half}) outs(%d : {half}) -> {half}
    %w = tensor.insert_slice %s into %v{rows} : {half} into {type}
    scf.yield %w, %u : {type}, {type}
  }}
  return %r#0 : {type}
}}
""")
    main(["fix", str(path), "--diff"])
    assert (
        "unroll 'scf.for' by two: %u and %v are then back in their initial buffers\n"
        in capsys.readouterr().err
    )
