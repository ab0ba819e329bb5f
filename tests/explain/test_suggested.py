"""Suggestions, step by step: what is tried for a finding within which budget, what is suggested, and in which order."""

from types import SimpleNamespace

import pytest
from bufferize import parse
from bufferize.analysis.one_shot import TOP_DOWN
from bufferize.analysis.sizes import Formula
from bufferize.cli.main import main
from bufferize.explain import suggest
from bufferize.explain.suggest import Trials
from bufferize.ir.source.diagnostics import Applicability
from bufferize.transforms.changes.trial import Totals

from .test_judged import BEFORE, OPTIONS, trials


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


def tried(copies=2, allocations=2, bytes=32, overwrites=(), clones=0, edits=("edit",), is_here=True):
    """What a change makes of a program with 3 copies and 2 allocations."""
    totals = Totals(copies, allocations, Formula.of(bytes))
    return SimpleNamespace(
        totals=totals,
        program=edits,
        overwrites=list(overwrites),
        clones=clones,
        bufferized=None,
        is_here=is_here,
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
    "another copy than that of the operand": ([tried(is_here=False), tried(1, bytes=16)], "10", "1"),
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
    monkeypatch.setattr(Trials, "_saves_at", lambda self, operand, outcome: outcome.is_here)
    monkeypatch.setattr(Trials, "_more_clones", lambda self, outcome: (outcome.clones, None))
    monkeypatch.setattr(Trials, "_price", lambda self, outcome, *clones: "; price")
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


def test_a_change_that_leaves_the_copy_of_a_finding_does_not_make_it_avoidable(tmp_path, capsys):
    """%t is needed by both calls, whether or not they write it: marking one argument saves other copies."""
    path = tmp_path / "twice.mlir"
    path.write_text("""
func.func private @ext(tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
func.func @f(%t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %w = tensor.insert %f into %t[%i] : tensor<8xf32>
  %a = func.call @ext(%w, %t) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %b = func.call @ext(%t, %w) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %a, %b : tensor<8xf32>, tensor<8xf32>
}""")
    assert main(["explain", str(path)]) == 0
    said = capsys.readouterr().out
    assert "4 copies" in said and "1 is avoidable as shown below: line 5" in said
