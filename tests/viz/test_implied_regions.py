"""What is not written in a program is not drawn: named structured operations have no visible body."""

import bufferize
import pytest
from bufferize.viz.graph import draw

TEXT = """
func.func @f(%t: tensor<8xf32>, %f: f32) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %a = linalg.fill ins(%f : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %b = linalg.add ins(%a, %t : tensor<8xf32>, tensor<8xf32>) outs(%t : tensor<8xf32>) -> tensor<8xf32>
  return %b : tensor<8xf32>
}
"""


@pytest.mark.parametrize("kind", ["cfg", "regions"])
def test_no_picture_shows_an_implied_yield(kind):
    text = draw(bufferize.parse(TEXT), kind).to_dot()
    assert "linalg.fill" in text
    assert "linalg.yield" not in text
