"""Parallel loops that reduce: each iteration gives a value, and the same function puts them together."""

import bufferize
import pytest

BEFORE = """
func.func @f(%t: tensor<16xf32>, %n: index, %v: f32) -> (f32, tensor<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w = tensor.insert %v into %t[%c0] : tensor<16xf32>
  %s = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%v) -> f32 {
    %a = tensor.extract %t[%i] : tensor<16xf32>
    scf.reduce(%a : f32) {
    ^bb0(%x: f32, %y: f32):
      %z = arith.addf %x, %y : f32
      scf.reduce.return %z : f32
    }
  }
  return %s, %w : f32, tensor<16xf32>
}
"""


def after(
    init: str = "%v", read: str = "%t", how: str = "addf %x, %y", upper: str = "%n", inside: str = ""
) -> str:
    return f"""
func.func @f(%t: memref<16xf32>, %n: index, %v: f32) -> (f32, memref<16xf32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %w = memref.alloc() : memref<16xf32>
  memref.copy %t, %w : memref<16xf32> to memref<16xf32>
  memref.store %v, %w[%c0] : memref<16xf32>
  %s = scf.parallel (%i) = (%c0) to ({upper}) step (%c1) init ({init}) -> f32 {{
    %a = memref.load {read}[%i] : memref<16xf32>
    scf.reduce(%a : f32) {{
    ^bb0(%x: f32, %y: f32):
      {inside}
      %z = arith.{how} : f32
      scf.reduce.return %z : f32
    }}
  }}
  return %s, %w : f32, memref<16xf32>
}}
"""


@pytest.mark.parametrize(
    ("changed", "is_right"),
    [
        ({}, True),
        ({"init": "%zero"}, False),
        ({"read": "%w"}, False),
        ({"how": "mulf %x, %y"}, False),
        ({"how": "addf %x, %x"}, False),
        ({"upper": "%c1"}, False),
        ({"inside": "memref.store %x, %w[%c1] : memref<16xf32>"}, False),
    ],
    ids=["right", "first value", "what is read", "operation", "operands", "iterations", "writes"],
)
@pytest.mark.parametrize("count", ["%n", "%c1"])
def test_reductions_are_proved_if_nothing_differs(changed, is_right, count):
    before = BEFORE.replace("to (%n)", f"to ({count})")
    given = {"upper": count, **changed}
    proof = bufferize.prove(bufferize.parse(before), bufferize.parse(after(**given)))
    same = given["upper"] == count if changed.keys() == {"upper"} else is_right
    assert proof.proved == same
