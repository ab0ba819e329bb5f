"""What decides a finding of lint is a rule: each finding has a proof, and no rule can be left out."""

from functools import cache

import pytest
from bufferize.analysis import causes
from bufferize.analysis.datalog.program import Program
from bufferize.analysis.one_shot import AnalysisOptions
from bufferize.ir.source.locations import Source
from bufferize.ir.text.parser import parse_source
from bufferize.lint.lint import lint

from .programs import PROGRAMS
from .test_lint import expected, found, run

FILES = ("lifetimes", "pipelines", "parallel", "promises")


@cache
def proofs(name):
    module = parse_source(Source("test.mlir", PROGRAMS[name]), allow_unregistered=True)
    diagnostics = lint(module, AnalysisOptions(bufferize_function_boundaries=True), run=run)
    return [diagnostic.prove().data.get("proof", "") for diagnostic in diagnostics]


@pytest.mark.parametrize("name", PROGRAMS)
def test_each_finding_has_a_proof_by_a_labelled_rule(name):
    labels = {rule.id for file in FILES for rule in causes.rules_of(file).rules}
    for proof in proofs(name):
        assert proof.split("\n")[0].split()[-1] in labels


@pytest.mark.parametrize("rule", [rule.id for file in FILES for rule in causes.rules_of(file).rules])
def test_no_rule_can_be_left_out(rule, monkeypatch):
    file = rule.partition(".")[0]
    whole = causes.rules_of(file)
    less = Program(whole.declarations.values(), [other for other in whole.rules if other.id != rule])
    mentioned = sorted(PROGRAMS, key=lambda name: rule not in "".join(proofs(name)))
    rules_of = causes.rules_of
    monkeypatch.setattr(causes, "rules_of", lambda name: less if name == file else rules_of(name))
    assert any(sorted(found(PROGRAMS[name])) != sorted(expected(PROGRAMS[name])) for name in mentioned), (
        f"without {rule} nothing is found otherwise"
    )
