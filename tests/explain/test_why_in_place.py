"""`--why` of an operand in place names the exception that keeps each read from harm."""

import bufferize
import pytest
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
    assert "'tensor.extract' is not clobbered (conflict.K1): the read happens before the write" in notes
    assert any("conflict.D3" in note for note in notes)


RETURNS = """\
func.func private @g(%a: memref<4xf32>, %k: index) -> (memref<4xf32>, memref<4xf32>) {
  %n = memref.alloc() : memref<4xf32>
  memref.copy %a, %n : memref<4xf32> to memref<4xf32>
  return %n, %a : memref<4xf32>, memref<4xf32>
}
func.func @p(%a: memref<4xf32>, %k: index) -> memref<?xf32> {
  %m = memref.alloc(%k) : memref<?xf32>
  %s = memref.alloc() : memref<4xf32>
  memref.copy %a, %s : memref<4xf32> to memref<4xf32>
  %y:2 = call @g(%a, %k) : (memref<4xf32>, index) -> (memref<4xf32>, memref<4xf32>)
  return %m : memref<?xf32>
}
"""


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "%n",
            "-buffer-results-to-out-params copies it into a buffer that callers allocate: without hoist-static",
        ),
        ("%n", "-drop-equivalent-buffer-results keeps the result: it is not an argument"),
        ("%n", "-buffer-deallocation-pipeline: %n is returned: the caller frees it"),
        ("%a", "-drop-equivalent-buffer-results drops the result: callers have the argument"),
        (
            "%m",
            "-buffer-results-to-out-params leaves it a result without modify-public-functions: the function is public",
        ),
        ("%s", "-buffer-deallocation-pipeline: %s is"),
    ],
)
def test_passes_on_buffers_say_what_decided(name: str, said: str) -> None:
    (found,) = why(bufferize.explain(bufferize.parse(RETURNS)), name)
    assert any(note.text.startswith(said) for note in found.notes), [note.text for note in found.notes]
