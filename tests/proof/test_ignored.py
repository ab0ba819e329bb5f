"""Arguments that a callee ignores may hold anything; those that it uses may not."""

import bufferize
import pytest

BEFORE = """
func.func private @g(%a: tensor<4xf32>, %b: tensor<4xf32>, %i: index) -> f32 {{
  %x = tensor.extract {0}[%i] : tensor<4xf32>
  return %x : f32
}}
func.func @f(%t: tensor<4xf32>, %i: index, %v: f32) -> (f32, tensor<4xf32>) {{
  %w = tensor.insert %v into %t[%i] : tensor<4xf32>
  %x = call @g(%t, %w, %i) : (tensor<4xf32>, tensor<4xf32>, index) -> f32
  return %x, %w : f32, tensor<4xf32>
}}
"""
AFTER = """
func.func private @g(%a: memref<4xf32>, %b: memref<4xf32>, %i: index) -> f32 {{
  %x = memref.load {0}[%i] : memref<4xf32>
  return %x : f32
}}
func.func @f(%t: memref<4xf32>, %i: index, %v: f32) -> (f32, memref<4xf32>) {{
  memref.store %v, %t[%i] : memref<4xf32>
  %x = call @g(%t, %t, %i) : (memref<4xf32>, memref<4xf32>, index) -> f32
  return %x, %t : f32, memref<4xf32>
}}
"""


@pytest.mark.parametrize(("used", "is_right"), [("%b", True), ("%a", False)])
def test_only_what_a_callee_uses_must_be_what_it_was(used, is_right):
    before, after = bufferize.parse(BEFORE.format(used)), bufferize.parse(AFTER.format(used))
    assert bufferize.prove(before, after).proved == is_right


WRITES = """
func.func private @g(%a: memref<4xf32>, %b: memref<4xf32>, %i: index, %v: f32) -> f32 {{
  memref.store %v, %b[%i] : memref<4xf32>
  %x = memref.load {0}[%i] : memref<4xf32>
  return %x : f32
}}
func.func @f(%t: memref<4xf32>, %i: index, %v: f32) -> f32 {{
  %x = call @g(%t, %t, %i, %v) : (memref<4xf32>, memref<4xf32>, index, f32) -> f32
  return %x : f32
}}
"""
READS = """
func.func private @g(%a: tensor<4xf32>, %b: tensor<4xf32>, %i: index, %v: f32) -> f32 {{
  %w = tensor.insert %v into %b[%i] : tensor<4xf32>
  %x = tensor.extract {0}[%i] : tensor<4xf32>
  return %x : f32
}}
func.func @f(%t: tensor<4xf32> {{bufferization.writable = true}}, %i: index, %v: f32) -> f32 {{
  %x = call @g(%t, %t, %i, %v) : (tensor<4xf32>, tensor<4xf32>, index, f32) -> f32
  return %x : f32
}}
"""


@pytest.mark.parametrize(("used", "loaded", "is_right"), [("%w", "%b", True), ("%a", "%a", False)])
def test_one_buffer_given_twice_is_right_if_the_other_one_is_not_looked_at(used, loaded, is_right):
    before, after = bufferize.parse(READS.format(used)), bufferize.parse(WRITES.format(loaded))
    assert bufferize.prove(before, after).proved == is_right


CHOICES = """
func.func @f(%c: i1, %a: tensor<4xf32>, %b: tensor<4xf32>, %i: index, %v: f32) -> tensor<4xf32> {
  %s = arith.select %c, %a, %b : tensor<4xf32>
  %w = tensor.insert %v into %s[%i] : tensor<4xf32>
  return %w : tensor<4xf32>
}
"""


@pytest.mark.parametrize(
    ("then", "otherwise", "is_right"),
    [("%a", "%b", True), ("%b", "%a", False), ("%a", "%a", False)],
    ids=["the same", "swapped", "one for both"],
)
def test_a_write_to_a_choice_is_a_choice_of_writes(then, otherwise, is_right):
    after = f"""
    func.func @f(%c: i1, %a: memref<4xf32>, %b: memref<4xf32>, %i: index, %v: f32) -> memref<4xf32> {{
      %r = scf.if %c -> (memref<4xf32>) {{
        %x = memref.alloc() : memref<4xf32>
        memref.copy {then}, %x : memref<4xf32> to memref<4xf32>
        memref.store %v, %x[%i] : memref<4xf32>
        scf.yield %x : memref<4xf32>
      }} else {{
        %y = memref.alloc() : memref<4xf32>
        memref.copy {otherwise}, %y : memref<4xf32> to memref<4xf32>
        memref.store %v, %y[%i] : memref<4xf32>
        scf.yield %y : memref<4xf32>
      }}
      return %r : memref<4xf32>
    }}"""
    assert bufferize.prove(bufferize.parse(CHOICES), bufferize.parse(after)).proved == is_right
