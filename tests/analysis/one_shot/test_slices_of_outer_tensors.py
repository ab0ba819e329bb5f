"""A slice of an outer tensor that a loop takes, changes and puts back is another one in the next iteration.

The outer tensor is read there again, so the slice must not be changed in its place; mlir-opt 22 does not see that.
"""

import pytest
from bufferize.analysis.one_shot.analyze import remarks_on_differences
from bufferize.cli.fuzz_command import transform
from bufferize.interpreter.verify import Options, verify_module
from bufferize.ir.text.parser import parse_text

from .helpers import analyzed, decisions

TEXT = """
func.func @main(%f: f32, %n: index) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %t = tensor.splat %zero : tensor<8xf32>
  %last = tensor.splat %f : tensor<8xf32>
  %r = scf.for %i = %c0 to %c6 step %c2 iter_args(%a = INIT) -> (tensor<8xf32>) {
    %s = tensor.extract_slice TAKEN[%i] [2] [1] : tensor<8xf32> to tensor<2xf32>
    %u = linalg.fill ins(%f : f32) outs(%s : tensor<2xf32>) -> tensor<2xf32>
    %v = tensor.insert_slice %u into TAKEN[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
    scf.yield %v : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
"""
OUTER = TEXT.replace("INIT", "%last").replace("TAKEN", "%t")
CARRIED = TEXT.replace("INIT", "%t").replace("TAKEN", "%a")
BUFFERIZE = "-one-shot-bufferize=bufferize-function-boundaries allow-return-allocs-from-loops"


def failures(text, compat=""):
    before = parse_text(text)
    after = before.clone()
    transform(after, (BUFFERIZE,), compat)
    return [f for f in verify_module(before, after, Options()) if f.failed]


@pytest.mark.parametrize(("text", "in_place"), [(OUTER, False), (CARRIED, True)])
def test_only_a_slice_of_what_is_carried_is_changed_in_its_place(text, in_place):
    result = analyzed(text, allow_return_allocs_from_loops=True)
    taken = decisions(result, "tensor.extract_slice")[0][0] == "T"
    filled = decisions(result, "linalg.fill")[0][1] == "T"
    assert (taken and filled) == in_place
    assert failures(text) == []
    assert bool(remarks_on_differences(result)) != in_place


def test_the_reference_loses_data():
    assert failures(OUTER, "mlir-22") != []
    assert failures(CARRIED, "mlir-22") == []
