"""What loop nests of any number of iterations write."""

import pytest
from bufferize import parse
from bufferize.transforms.fewest_copies.overwritten import written_by_loop

NEST = """
func.func @f(%a: tensor<300x200xf32>) -> tensor<300x200xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c50 = arith.constant 50 : index
  %c300 = arith.constant 300 : index
  %r = scf.for %i = %c0 to %c300 step %c1 iter_args(%t = %a) -> (tensor<300x200xf32>) {
    %q = scf.for %j = %c0 to %c50 step %c1 iter_args(%u = %t) -> (tensor<300x200xf32>) {
      %p = scf.for %h = %c0 to %c2 step %c1 iter_args(%v = %u) -> (tensor<300x200xf32>) {
        %x = tensor.extract_slice %a[%j, %i] [1, 4] [1, 1] : tensor<300x200xf32> to tensor<1x4xf32>
        %at = arith.muli %j, %c4 : index
        %w = tensor.insert_slice %x into %v[%i, %at] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<300x200xf32>
        scf.yield %w : tensor<300x200xf32>
      }
      scf.yield %p : tensor<300x200xf32>
    }
    scf.yield %q : tensor<300x200xf32>
  }
  return %r : tensor<300x200xf32>
}"""


@pytest.mark.parametrize(
    ("factor", "last", "written"),
    [
        pytest.param(4, "%i, %at", [((0, 300), (0, 200))], id="all of it"),
        pytest.param(3, "%i, %at", [((0, 300), (0, 151))], id="slices that overlap"),
        pytest.param(5, "%i, %at", [], id="slices with gaps"),
        pytest.param(4, "%j, %at", [], id="two dimensions that follow one variable"),
        pytest.param(1, "%at, %i", [((0, 50), (0, 303))], id="exchanged"),
    ],
)
def test_nests_of_many_iterations(factor, last, written):
    """Each dimension follows its own loop, so that the iterations are not enumerated."""
    text = NEST.replace("%c50 =", f"%c4 = arith.constant {factor} : index\n  %c50 =")
    module = parse(text.replace("%i, %at", last))
    loop = next(op for op in module.walk() if op.name == "scf.for")
    assert written_by_loop(loop, loop.op_operands[3], {}) == written
    assert written_by_loop(loop, loop.op_operands[3], {}, exactly=True) == (written or None)
