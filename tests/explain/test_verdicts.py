"""The verdict on each copy of small programs."""

import pytest
from bufferize import parse
from bufferize.analysis.one_shot.options import AnalysisOptions
from bufferize.explain.verdicts import Word, verdicts

T = "tensor<4xf32>"
ROWS = {
    "both values are returned": (
        f"%w = tensor.insert %f into %t[%i] : {T}\nreturn %w, %t : {T}, {T}",
        Word.NECESSARY,
    ),
    "the read could come first": (
        f"%w = tensor.insert %f into %t[%i] : {T}\n%x = tensor.extract %t[%i] : {T}\n"
        f"%v = tensor.insert %x into %w[%i] : {T}\nreturn %v, %v : {T}, {T}",
        Word.NOT_KNOWN,
    ),
    "a fill": (
        f"%e = tensor.empty() : {T}\n%z = linalg.fill ins(%f : f32) outs(%e : {T}) -> {T}\n"
        f"%w = tensor.insert %f into %z[%i] : {T}\nreturn %w, %z : {T}, {T}",
        Word.AVOIDABLE,
    ),
    "an unknown operation": (
        f'%w = tensor.insert %f into %t[%i] : {T}\n"mine.op"(%t) : ({T}) -> ()\nreturn %w, %w : {T}, {T}',
        Word.NOT_KNOWN,
    ),
}


@pytest.mark.parametrize("name", ROWS)
def test_verdict(name):
    body, word = ROWS[name]
    text = f"func.func @f(%t: {T}, %f: f32, %i: index) -> ({T}, {T}) {{\n{body}\n}}"
    options = AnalysisOptions(bufferize_function_boundaries=True)
    found = verdicts(parse(text, allow_unregistered=True), options)
    assert {verdict.word for _, verdict in found} == {word}
    assert all(verdict.data()["why"] for _, verdict in found)
