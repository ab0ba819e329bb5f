"""Regions that run once for each element: what one element does to a tensor, the next must not see."""

from __future__ import annotations

import pytest
from bufferize.cli.fuzz_command import transform
from bufferize.interpreter.verify import DIFFERENT, SAME, Options, verify_module
from bufferize.ir.text.parser import parse_text

BUFFERIZE = "-one-shot-bufferize=bufferize-function-boundaries"
CONSTANTS = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k = arith.constant 100 : i32
"""
ELEMENT = """
    %x = tensor.extract %t[%c3] : tensor<8xi32>
    %y = arith.addi %x, %k : i32
    %w = tensor.insert %y into %t[%c3] : tensor<8xi32>
    %f = tensor.extract %w[%c3] : tensor<8xi32>
"""
SLICE = """
    %p = tensor.extract_slice %t[2] [4] [1] : tensor<8xi32> to tensor<4xi32>
    %x = tensor.extract %p[%c1] : tensor<4xi32>
    %y = arith.addi %x, %k : i32
    %w = tensor.insert %y into %p[%c1] : tensor<4xi32>
    %f = tensor.extract %w[%c1] : tensor<4xi32>
"""
FILL = """
    %x = tensor.extract %t[%c3] : tensor<8xi32>
    %y = arith.addi %x, %k : i32
    %w = linalg.fill ins(%y : i32) outs(%t : tensor<8xi32>) -> tensor<8xi32>
    %f = tensor.extract %w[%c3] : tensor<8xi32>
"""
CALL = """
    %w = func.call @bump(%t) : (tensor<8xi32>) -> tensor<8xi32>
    %f = tensor.extract %w[%c3] : tensor<8xi32>
"""
LOOP = """
    %w = scf.for %n = %c0 to %c1 step %c1 iter_args(%v = %t) -> (tensor<8xi32>) {
      %x = tensor.extract %v[%c3] : tensor<8xi32>
      %y = arith.addi %x, %k : i32
      %u = tensor.insert %y into %v[%c3] : tensor<8xi32>
      scf.yield %u : tensor<8xi32>
    }
    %f = tensor.extract %w[%c3] : tensor<8xi32>
"""
BUMP = """
func.func private @bump(%t: tensor<8xi32>) -> tensor<8xi32> {
  %c3 = arith.constant 3 : index
  %k = arith.constant 100 : i32
  %x = tensor.extract %t[%c3] : tensor<8xi32>
  %y = arith.addi %x, %k : i32
  %w = tensor.insert %y into %t[%c3] : tensor<8xi32>
  return %w : tensor<8xi32>
}
"""
OPERATIONS = {
    "tensor.generate": (
        "tensor.generate {\n^bb0(%i: index):",
        "tensor.yield %f : i32 } : tensor<8xi32>",
    ),
    "tensor.pad": (
        "tensor.pad %s low[4] high[4] {\n^bb0(%i: index):",
        "tensor.yield %f : i32 } : tensor<0xi32> to tensor<8xi32>",
    ),
    "linalg.generic": (
        'linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} '
        "outs(%e : tensor<8xi32>) {\n^bb0(%o: i32):",
        "linalg.yield %f : i32 } -> tensor<8xi32>",
    ),
    "linalg.map": (
        "linalg.map ins(%e : tensor<8xi32>) outs(%e : tensor<8xi32>) (%in: i32, %o: i32) {",
        "linalg.yield %f : i32 }",
    ),
    "linalg.reduce": (
        "linalg.reduce ins(%two : tensor<8x2xi32>) outs(%e : tensor<8xi32>) dimensions = [1] (%in: i32, %o: i32) {",
        "linalg.yield %f : i32 }",
    ),
}
BODIES = {"an element": ELEMENT, "a slice": SLICE, "a fill": FILL, "a call": CALL, "a loop": LOOP}


def program(operation: str, body: str) -> str:
    """A function that gives 103 eight times for 0 to 7, if no element changes the tensor for another."""
    start, end = OPERATIONS[operation]
    return f"""{BUMP}
func.func @f(%t: tensor<8xi32>) -> tensor<8xi32> {{{CONSTANTS}
  %e = tensor.empty() : tensor<8xi32>
  %s = tensor.empty() : tensor<0xi32>
  %two = tensor.empty() : tensor<8x2xi32>
  %r = {start}{BODIES[body]}
    {end}
  return %r : tensor<8xi32>
}}
"""


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_elements_do_not_see_what_others_wrote(read, operation, body):
    before = read(program(operation, body))
    after = before.clone()
    transform(after, [BUFFERIZE, "-buffer-deallocation-pipeline"], "")
    findings = verify_module(before, after, Options(inputs=2, leaks=True))
    assert [(finding.function, finding.status) for finding in findings] == [("f", SAME)]


@pytest.mark.parametrize("operation", OPERATIONS)
def test_results_are_those_of_the_loops(run, operation):
    assert run(program(operation, "an element"), list(range(8)))[0] == [103] * 8


@pytest.mark.parametrize("operation", ["tensor.generate", "linalg.generic"])
def test_mlir_opt_22_is_mirrored_on_request(read, operation):
    before = read(program(operation, "an element"))
    after = before.clone()
    transform(after, [BUFFERIZE], "mlir-22")
    assert [finding.status for finding in verify_module(before, after, Options(inputs=2))] == [DIFFERENT]


REPEATED_UNSEEN = """
func.func @f(%t: tensor<8xi32>, %shape: tensor<3xindex>) -> i32 {
  %c3 = arith.constant 3 : index
  %k = arith.constant 100 : i32
  %zero = arith.constant 0 : i32
  %r = shape.reduce(%shape, %zero) : tensor<3xindex> -> i32 {
  ^bb0(%i: index, %size: index, %sum: i32):
    %x = tensor.extract %t[%c3] : tensor<8xi32>
    %y = arith.addi %x, %k : i32
    %w = tensor.insert %y into %t[%c3] : tensor<8xi32>
    %z = tensor.extract %w[%c3] : tensor<8xi32>
    shape.yield %z : i32
  }
  return %r : i32
}
"""


def test_regions_of_operations_without_a_model_may_run_again(read):
    after = read(REPEATED_UNSEEN)
    transform(after, [BUFFERIZE + " allow-unknown-ops"], "")
    names = [op.name for op in after.walk()]
    assert "memref.copy" in names


NESTED_INDEX = """
func.func @f(%t: tensor<2xindex>) -> tensor<2xindex> {
  %c0 = arith.constant 0 : index
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      outs(%t : tensor<2xindex>) {
  ^bb0(%o: index):
    %e = tensor.empty() : tensor<3xindex>
    %n = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        outs(%e : tensor<3xindex>) {
    ^bb0(%p: index):
      %j = linalg.index 0 : index
      %d = tensor.dim %t, %c0 : tensor<2xindex>
      linalg.yield %j : index
    } -> tensor<3xindex>
    %i = linalg.index 0 : index
    linalg.yield %i : index
  } -> tensor<2xindex>
  return %r : tensor<2xindex>
}
"""


def test_the_point_of_a_loop_nest_is_its_own(run):
    assert run(NESTED_INDEX, [7, 7])[0] == [0, 1]


NESTED = """
#id = affine_map<(d0) -> (d0)>
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["reduction"]} ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) {
  ^bb0(%x: f32, %out: f32):
    %lost = linalg.fill ins(%x : f32) outs(%b : tensor<4xf32>) -> tensor<4xf32>
    linalg.yield %x : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
"""
"""Points of a reduction come one after the other: none races another, and yet each destroys what those before it gave."""

INDICES = """
#id = affine_map<(d0) -> (d0)>
func.func @main(%b: tensor<4xindex>, %c: tensor<3xindex>) -> tensor<4xindex> {
  %c2 = arith.constant 2 : index
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%b : tensor<4xindex>) {
  ^bb0(%out: index):
    %i = linalg.index 0 : index
    %n = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%c : tensor<3xindex>) {
    ^bb0(%inner: index):
      %j = linalg.index 0 : index
      %s = arith.addi %i, %j : index
      linalg.yield %s : index
    } -> tensor<3xindex>
    %e = tensor.extract %n[%c2] : tensor<3xindex>
    linalg.yield %e : index
  } -> tensor<4xindex>
  return %r : tensor<4xindex>
}
"""


@pytest.mark.parametrize(
    ("program", "flag"), [(NESTED, BUFFERIZE), (INDICES, "-cse")], ids=["destination", "linalg.index"]
)
@pytest.mark.parametrize("compat", ["", "mlir-22"])
def test_nested_structured_operations_are_right_unless_the_reference_is_mirrored(program, flag, compat):
    before = parse_text(program)
    after = before.clone()
    transform(after, (flag,), compat)
    (found,) = verify_module(before, after, Options())
    assert found.status == (DIFFERENT if compat else SAME)
