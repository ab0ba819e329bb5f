"""Tensors that a program only copies are used themselves, where that is the same and copies less."""

import pytest
from bufferize import parse
from bufferize.transforms.changes.rewrites import FORWARD_COPY, apply_all

from .test_remainders import check_same, cost_of

COPIED = """
func.func @f(%t: tensor<4x4xf32>, %v: f32, %i: index) -> (tensor<4x4xf32>, f32) {
  %e = tensor.empty() : tensor<4x4xf32>
  %a = linalg.exp ins(%t : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %d = tensor.empty() : tensor<4x4xf32>
  %c = linalg.copy ins(%a : tensor<4x4xf32>) outs(%d : tensor<4x4xf32>) -> tensor<4x4xf32>
  %w = linalg.fill ins(%v : f32) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %s = linalg.add ins(%c, %w : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %x = tensor.extract %a[%i, %i] : tensor<4x4xf32>
  return %s, %x : tensor<4x4xf32>, f32
}"""
LINE = "linalg.copy ins(%a : tensor<4x4xf32>) outs(%d : tensor<4x4xf32>) -> tensor<4x4xf32>"
GENERIC = """linalg.generic {{indexing_maps = [{0}, {1}], iterator_types = ["parallel", "parallel"]}}
      ins(%a : tensor<4x4xf32>) outs(%d : tensor<4x4xf32>) {{
  ^bb0(%in: f32, %out: f32):
    linalg.yield {2} : f32
  }} -> tensor<4x4xf32>"""
SAME, TURNED = "affine_map<(i, j) -> (i, j)>", "affine_map<(i, j) -> (j, i)>"
OF_MEMORY = """
func.func @f(%m: memref<4xf32>, %v: f32, %i: index) -> f32 {
  %a = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %d = tensor.empty() : tensor<4xf32>
  %c = linalg.copy ins(%a : tensor<4xf32>) outs(%d : tensor<4xf32>) -> tensor<4xf32>
  memref.store %v, %m[%i] : memref<4xf32>
  %x = tensor.extract %c[%i] : tensor<4xf32>
  return %x : f32
}"""
CONVERTED = """
func.func @f(%a: tensor<4xf32>, %i: index) -> f64 {
  %d = tensor.empty() : tensor<4xf64>
  %c = linalg.copy ins(%a : tensor<4xf32>) outs(%d : tensor<4xf64>) -> tensor<4xf64>
  %x = tensor.extract %c[%i] : tensor<4xf64>
  return %x : f64
}"""


def generic(*parts):
    return COPIED.replace(LINE, GENERIC.format(*parts))


@pytest.mark.parametrize(
    ("text", "forwarded"),
    [
        pytest.param(COPIED, 1, id="linalg.copy"),
        pytest.param(generic(SAME, SAME, "%in"), 1, id="an identity"),
        pytest.param(generic(TURNED, TURNED, "%in"), 1, id="an identity, in another order"),
        pytest.param(generic(TURNED, SAME, "%in"), 0, id="a transposition"),
        pytest.param(generic(SAME, SAME, "%v"), 0, id="a fill"),
        pytest.param(generic(SAME, SAME, "%out"), 0, id="what the destination holds"),
        pytest.param(COPIED.replace("return %s", "return %c"), 0, id="returned"),
        pytest.param(OF_MEMORY, 0, id="of memory that changes"),
        pytest.param(CONVERTED, 0, id="a conversion"),
    ],
)
def test_what_only_copies_is_forwarded(text, forwarded):
    module = parse(text)
    assert apply_all(module, FORWARD_COPY) == forwarded
    if "%out :" not in text:
        check_same(text, module)


def test_copies_that_pay_are_forwarded():
    assert cost_of(COPIED).copied == 0
    kept = COPIED.replace("outs(%d :", "outs(%e :").replace("%a[%i, %i]", "%t[%i, %i]")
    assert cost_of(kept).copied == 0


def test_a_copy_whose_payload_has_effects_stays():
    text = generic(SAME, SAME, "%in").replace(
        "    linalg.yield", "    vector.print %in : f32\n    linalg.yield"
    )
    assert "vector.print" in text and not apply_all(parse(text), FORWARD_COPY)
