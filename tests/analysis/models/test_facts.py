"""Models given as facts: what they change, and what is wrong with texts that are none."""

from __future__ import annotations

import pytest
from bufferize.analysis.models.facts import registry_with
from bufferize.analysis.one_shot import AnalysisOptions
from bufferize.analysis.one_shot.analyze import analyze
from bufferize.ir.source.diagnostics import ParseError
from bufferize.ir.source.locations import Source
from bufferize.ir.text.parser import parse_text

PROGRAM = """
func.func @f(%t: tensor<8xf32>, %i: index) -> (tensor<8xf32>, f32) {
  %r = "my.update"(%t) : (tensor<8xf32>) -> tensor<8xf32>
  %x = tensor.extract %r[%i] : tensor<8xf32>
  return %r, %x : tensor<8xf32>, f32
}
"""
FACTS = """
// Updates its operand.
reads("my.update", 0).  writes("my.update", 0).
aliases("my.update", 0, 0, "equivalent").
"""


def update_is_in_place(facts: str) -> bool:
    module = parse_text(PROGRAM, allow_unregistered=True)
    registry = registry_with([Source("facts.dl", facts)])
    result = analyze(module, AnalysisOptions(bufferize_function_boundaries=True), registry)
    op = next(op for op in module.walk() if op.name == "my.update")
    return result.is_in_place(op.op_operands[0])


def test_described_operation_is_updated_in_place() -> None:
    assert not update_is_in_place("")
    assert update_is_in_place(FACTS)


@pytest.mark.parametrize(
    ("text", "message", "line", "column"),
    [
        ('reads("my.op").', "'reads' takes 2 arguments, 1 given", 1, 1),
        (
            '\n  reads("my.op", "a").',
            "'a' is not a position: operands, results and regions are numbered from 0",
            2,
            3,
        ),
        (
            'reads("my", 0).',
            "the first argument of 'reads' is the name of an operation, such as \"mydialect.op\"",
            1,
            1,
        ),
        ('aliases("my.op", 0, 0, "same").', '\'same\' should be "equivalent" or "unknown"', 1, 1),
        ('reads("my.op", 0) :- writes("my.op", 0).', "only facts are allowed here, not rules", 1, 1),
        ("reads(my, 0).", "'my' is not a constant; write names of operations in quotes", 1, 1),
        ('reads("my.op", 0)', "unexpected end of the rules, a '.' may be missing", 1, 18),
    ],
)
def test_mistakes_are_told_where_they_are(text: str, message: str, line: int, column: int) -> None:
    with pytest.raises(ParseError) as failure:
        registry_with([Source("facts.dl", text)])
    diagnostic = failure.value.diagnostic
    assert diagnostic.message == message
    assert diagnostic.span is not None
    assert (diagnostic.span.line, diagnostic.span.column) == (line, column)
