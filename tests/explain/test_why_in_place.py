"""`--why` of an operand in place names the exception that keeps each read from harm."""

import bufferize
from bufferize.explain.why import why

TEXT = """
func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %x = tensor.extract %t[%i] : tensor<4xf32>
  %u = tensor.insert %f into %t[%i] : tensor<4xf32>
  return %u, %x : tensor<4xf32>, f32
}
"""


def test_the_rule_is_named_with_its_reason():
    found = why(bufferize.explain(bufferize.parse(TEXT)), "%t")
    notes = [note.text for diagnostic in found for note in diagnostic.notes]
    assert "'tensor.extract' is not clobbered (conflict.K1): the read comes first" in notes
    assert any("conflict.D3" in note for note in notes)
