"""Trying a change on the functions that it touches gives what trying it on the whole program gives."""

import pytest
from bufferize.analysis.naming import function_name
from bufferize.analysis.one_shot import AnalysisOptions
from bufferize.analysis.one_shot.analyze import analyze
from bufferize.explain.report import explain
from bufferize.explain.suggest import Trials
from bufferize.ir.source.locations import Source
from bufferize.ir.text.parser import parse_source
from bufferize.transforms.bufferize.on_copy import bufferize_copy
from bufferize.transforms.changes import Target
from bufferize.transforms.changes.search import changes_at
from bufferize.transforms.changes.trial import Totals

OPTIONS = AnalysisOptions(bufferize_function_boundaries=True)
SWAP = """
func.func private @swap{n}(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {{
  %0 = tensor.insert %f into %t[%i] : tensor<4xf32>
  %1 = tensor.extract %t[%i] : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, f32
}}
"""
USE = """
func.func @use(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>, f32) {
  %0, %1 = call @swap1(%t, %f, %i) : (tensor<4xf32>, f32, index) -> (tensor<4xf32>, f32)
  %2, %3 = call @swap2(%0, %f, %i) : (tensor<4xf32>, f32, index) -> (tensor<4xf32>, f32)
  return %2, %t, %3 : tensor<4xf32>, tensor<4xf32>, f32
}
"""
EXTERNAL = """
func.func private @ext(tensor<4xf32>) -> f32
#map = affine_map<(d0) -> (d0)>
func.func @one(%t: tensor<4xf32>) -> (f32, tensor<4xf32>) {
  %0 = call @ext(%t) : (tensor<4xf32>) -> f32
  return %0, %t : f32, tensor<4xf32>
}
memref.global "private" @g : memref<4xf32>
func.func @two(%t: tensor<4xf32>) -> (f32, tensor<4xf32>) {
  %0 = call @ext(%t) : (tensor<4xf32>) -> f32
  return %0, %t : f32, tensor<4xf32>
}
"""
PROGRAMS = {
    "nothing in common": SWAP.format(n=1) + SWAP.format(n=2) + SWAP.format(n=3),
    "a caller learns that its argument is written": SWAP.format(n=1)
    + SWAP.format(n=2)
    + USE
    + SWAP.format(n=3),
    "a declaration that several call": EXTERNAL + SWAP.format(n=1),
    "places": "".join(
        f'func.func @f{n}(%t: tensor<4xf32> loc("a")) -> tensor<4xf32> {{\n'
        f"%c = arith.constant 0 : index loc(#a)\n%f = arith.constant 1.0 : f32\n"
        f"%u = tensor.insert %f into %t[%c] : tensor<4xf32> loc(#a)\n%x = tensor.extract %t[%c] : tensor<4xf32>\n"
        f"%v = tensor.insert %x into %u[%c] : tensor<4xf32>\nreturn %v : tensor<4xf32>\n}} loc(#a)\n"
        for n in range(3)
    )
    + '#a = loc("x.py":1:2)\n',
}


MAX_TRIED = 20


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_a_part_stands_for_the_whole(text):
    source = Source("t", text)
    tried = 0
    for number in range(MAX_TRIED):
        module = parse_source(source)
        plain = explain(module, OPTIONS, source=source, with_help=False)
        trials = Trials(plain.result, source, None, plain.memory_report, plain.bufferized)
        assert trials.parts is not None
        found = [
            change
            for finding in plain.findings
            if finding.operand is not None
            for change in changes_at(plain.result, finding.operand, finding.reasons)
        ]
        if number >= len(found):
            break
        outcome = trials.attempt([found[number]])
        assert outcome is not None and outcome.program.size < trials.size
        assert found[number].apply(Target())
        assert outcome.totals == Totals.of(bufferize_copy(analyze(module, OPTIONS)).memory_report)
        tried += 1
    assert tried >= 2


def test_help_is_found_for_one_function_among_several():
    source = Source("t", PROGRAMS["nothing in common"])
    found = explain(
        parse_source(source), OPTIONS, source=source, wanted=lambda op: function_name(op) == "swap2"
    )
    assert any(finding.diagnostic.suggestions for finding in found.findings)
