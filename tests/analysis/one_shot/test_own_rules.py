"""Rules of users' own: exceptions take copies away, conflicts make them, and mistakes have places."""

import bufferize
import pytest
from bufferize.analysis.one_shot import AnalysisOptions
from bufferize.analysis.one_shot.analyze import analyze
from bufferize.ir.source.diagnostics import BufferizeError

from .helpers import find_conflict_exhaustively

PROGRAM = """func.func @f(%t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
  %n = tensor.insert %f into %t[%i] : tensor<8xf32>
  %o = tensor.extract %t[%i] {debug} : tensor<8xf32>
  %m = tensor.insert %f into %n[%i] : tensor<8xf32>
  return %m, %o : tensor<8xf32>, f32
}
"""
EXCEPTION = """// X1: What only a debugger looks at may see anything.
unaffected(read, write) :- owner(read, op), attribute(op, "debug", _), owner(write, _).
"""
CONFLICT = """// X2: The engine cannot read and write the same buffer.
forbidden(use, value) :- owner(use, op), op_name(op, "tensor.insert"), written(use), holds(use, value), second(value).

// Relations of one's own may be declared.
.decl second(value: value)
second(value) :- defining_op(value, _), result_number(value, 0), function_of(value, "f").
.decl function_of(value: value, name: symbol)
function_of(value, name) :- defining_op(value, op), function(op, name).
"""


def copies(*rules: str) -> list[str]:
    explanation = bufferize.explain(
        bufferize.parse(PROGRAM), models=bufferize.models_from_facts(rules=rules), with_help=False
    )
    return [f.diagnostic.message for f in explanation.findings if f.copies and f.id != "not-owned"]


def test_an_exception_takes_a_copy_away_and_a_conflict_makes_one():
    (before,) = copies()
    assert "%t is copied" in before
    assert copies(EXCEPTION) == []
    added = [message for message in copies(EXCEPTION, CONFLICT) if "%n is copied" in message]
    assert added == [
        "%n is copied (32 bytes), as rule <rules>.X2 requires: the engine cannot read and write the same buffer"
    ]


def test_the_former_name_of_a_relation_is_accepted():
    assert copies(EXCEPTION.replace("unaffected", "kept_apart")) == []


def test_the_slow_judge_agrees_and_the_proof_names_the_rule():
    registry = bufferize.models_from_facts(rules=[EXCEPTION, CONFLICT])
    options = AnalysisOptions(bufferize_function_boundaries=True)
    module = bufferize.parse(PROGRAM)
    fast, slow = (analyze(module, options, registry, judge) for judge in (None, find_conflict_exhaustively))
    assert fast.out_of_place() == slow.out_of_place() and len(fast.out_of_place()) == 1
    (operand,) = fast.out_of_place()
    (reason,) = fast.reasons(operand)
    proof = fast.prove(operand, reason)
    assert reason.rule == "<rules>.X2" and "second(" in proof.render()


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (
            "may_alias(a, b) :- known_equivalent(a, b).",
            "1:1: error: rules of your own cannot derive 'may_alias'",
        ),
        ("unaffected(r, w) :- nonsense(r, w).", "1:21: error: relation 'nonsense' is not declared"),
        ("unaffected(r, w) :- owner(r, _).", "error: "),
        ("unaffected(r w).", "1:14: error: "),
        ("forbidden(u, u) :- written(u), holds(u, _).", "error: "),
        (".extern mine(a: value)", "error: "),
    ],
)
def test_mistakes_have_places(rule: str, said: str):
    with pytest.raises(BufferizeError) as caught:
        bufferize.models_from_facts(rules=[rule])
    shown = str(caught.value)
    assert said in shown and "<rules>:1:" in shown
