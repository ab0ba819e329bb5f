"""A constant that a function returns is not written by its caller; mlir-opt 22 writes it, and every later call sees that."""

import bufferize
import pytest
from bufferize.analysis.one_shot.analyze import may_be_decided_otherwise

TEXT = """
func.func private @table() -> tensor<4xf32> {
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  return %c : tensor<4xf32>
}
func.func private @fresh(%v: f32) -> tensor<4xf32> {
  %c = tensor.splat %v : tensor<4xf32>
  return %c : tensor<4xf32>
}
func.func @f(%v: f32, %i: index) -> tensor<4xf32> {
  %t = call @CALLEE : SIGNATURE -> tensor<4xf32>
  %u = tensor.insert %v into %t[%i] : tensor<4xf32>
  return %u : tensor<4xf32>
}
"""


def decision(callee, signature, **options):
    module = bufferize.parse(TEXT.replace("CALLEE", callee).replace("SIGNATURE", signature))
    insert = next(op for op in module.walk() if op.name == "tensor.insert")
    return bufferize.analyze(module, **options).is_in_place(insert.op_operands[1])


def test_a_returned_constant_is_copied_before_it_is_written():
    assert not decision("table()", "()")
    assert decision("table()", "()", compat="mlir-22")


def test_a_fresh_buffer_is_not():
    assert decision("fresh(%v)", "(f32)")


@pytest.mark.parametrize(
    ("callee", "signature", "otherwise"), [("table()", "()", True), ("fresh(%v)", "(f32)", False)]
)
def test_only_calls_that_may_give_a_constant_are_looked_at_for_differences(callee, signature, otherwise):
    module = bufferize.parse(TEXT.replace("CALLEE", callee).replace("SIGNATURE", signature))
    state = bufferize.analyze(module, bufferize_function_boundaries=True).state
    call = next(op for op in module.walk() if op.name == "func.call")
    assert may_be_decided_otherwise(state, call) is otherwise
