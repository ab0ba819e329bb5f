"""`-canonicalize` on numbers, packed tensors and reshapes: each row is a body and what it becomes, as in mlir-opt 22."""

import pytest
from bufferize.ir.text.parser import parse_text
from bufferize.ir.text.printer import print_operation
from bufferize.transforms.canonicalize import Canonicalize
from bufferize.transforms.convert_bufferization_to_memref import ExpandRealloc
from bufferize.transforms.pass_base import Context, Pass

NUMBERS = {
    "a sum that both widths agree on": (
        "() -> index",
        "%a = index.constant 7\n%b = index.constant -3\n%0 = index.add %a, %b\nreturn %0 : index",
        "%idx4 = index.constant 4",
    ),
    "a quotient that depends on the width": (
        "() -> index",
        "%a = index.constant 6442450945\n%b = index.constant 7\n%0 = index.divs %a, %b\nreturn %0 : index",
        "index.divs",
    ),
    "constants of a chain of indices": (
        "(%x: index) -> index",
        "%a = index.constant 7\n%0 = index.mul %x, %a\n%1 = index.mul %0, %a\nreturn %1 : index",
        "index.mul %arg0, %idx49",
    ),
    "a difference that is zero": (
        "(%x: index, %y: index) -> i1",
        "%a = index.constant 0\n%0 = index.sub %x, %y\n%1 = index.cmp eq(%0, %a)\nreturn %1 : i1",
        "index.cmp eq(%arg0, %arg1)",
    ),
    "an ordering of a difference, which may wrap": (
        "(%x: index, %y: index) -> i1",
        "%a = index.constant 0\n%0 = index.sub %x, %y\n%1 = index.cmp slt(%0, %a)\nreturn %1 : i1",
        "index.sub %arg0, %arg1",
    ),
    "constants of an affine map that overflow": (
        "(%x: index) -> index",
        "%0 = affine.apply affine_map<(d0) -> ((d0 + 9223372036854775807) + (d0 + 9223372036854775806))>(%x)\nreturn %0 : index",
        "affine_map<()[s0] -> (s0 * 2 - 3)>",
    ),
    "a bound decides a comparison": (
        "(%x: index) -> i1",
        "%a = index.constant 3\n%0 = index.maxs %x, %a\n%b = index.constant 2\n%1 = index.cmp sgt(%0, %b)\nreturn %1 : i1",
        "index.bool.constant true",
    ),
    "a cosine": (
        "() -> f32",
        "%a = arith.constant 0.5 : f32\n%0 = math.cos %a : f32\nreturn %0 : f32",
        "0.87758255 : f32",
    ),
    "a square root that is no number": (
        "() -> f32",
        "%a = arith.constant -4.0 : f32\n%0 = math.sqrt %a : f32\nreturn %0 : f32",
        "math.sqrt",
    ),
    "bits counted": (
        "() -> i8",
        "%a = arith.constant 5 : i8\n%0 = math.ctlz %a : i8\nreturn %0 : i8",
        "constant 5 : i8",
    ),
    "an upper half nobody wants": (
        "(%x: i32, %y: i32) -> i32",
        "%0:2 = arith.mulsi_extended %x, %y : i32\nreturn %0#0 : i32",
        "arith.muli %arg0, %arg1",
    ),
    "a carry": (
        "() -> (i8, i1)",
        "%a = arith.constant -1 : i8\n%0:2 = arith.addui_extended %a, %a : i8, i1\nreturn %0#0, %0#1 : i8, i1",
        "constant true",
    ),
    "a float of an integer against a fraction": (
        "(%x: i8) -> i1",
        "%a = arith.constant 4.5 : f32\n%0 = arith.sitofp %x : i8 to f32\n%1 = arith.cmpf olt, %0, %a : f32\nreturn %1 : i1",
        "arith.cmpi sle, %arg0, %c4_i8",
    ),
    "a float of an integer beyond its range": (
        "(%x: i8) -> i1",
        "%a = arith.constant 400.0 : f32\n%0 = arith.sitofp %x : i8 to f32\n%1 = arith.cmpf olt, %0, %a : f32\nreturn %1 : i1",
        "constant true",
    ),
    "a float that may have been rounded": (
        "(%x: i32) -> i1",
        "%a = arith.constant 134217728.0 : f32\n%0 = arith.sitofp %x : i32 to f32\n%1 = arith.cmpf olt, %0, %a : f32\nreturn %1 : i1",
        "arith.cmpf olt",
    ),
    "promises that only one addition makes": (
        "(%x: i32) -> i32",
        "%a = arith.constant 4 : i32\n%0 = arith.addi %x, %a overflow<nsw> : i32\n%1 = arith.addi %0, %a : i32\nreturn %1 : i32",
        "arith.addi %arg0, %c8_i32 : i32",
    ),
}

RELAID = {
    "packed and unpacked": (
        "(%x: tensor<8x8xf32>, %p: tensor<2x2x4x4xf32>) -> tensor<8x8xf32>",
        "%0 = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %p : tensor<8x8xf32> -> tensor<2x2x4x4xf32>\n"
        "%1 = linalg.unpack %0 inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %x : tensor<2x2x4x4xf32> -> tensor<8x8xf32>\n"
        "return %1 : tensor<8x8xf32>",
        "return %arg0 : tensor<8x8xf32>",
    ),
    "a tile size that the type states": (
        "(%x: tensor<8xf32>, %p: tensor<2x4xf32>) -> tensor<?x?xf32>",
        "%c4 = arith.constant 4 : index\n%q = tensor.cast %p : tensor<2x4xf32> to tensor<?x?xf32>\n"
        "%0 = linalg.pack %x inner_dims_pos = [0] inner_tiles = [%c4] into %q : tensor<8xf32> -> tensor<?x?xf32>\n"
        "return %0 : tensor<?x?xf32>",
        "inner_tiles = [4] into %arg1 : tensor<8xf32> -> tensor<2x4xf32>",
    ),
    "a tile size that nobody knows": (
        "(%x: tensor<8xf32>, %p: tensor<2x4xf32>, %t: index) -> tensor<?x?xf32>",
        "%q = tensor.cast %p : tensor<2x4xf32> to tensor<?x?xf32>\n"
        "%0 = linalg.pack %x inner_dims_pos = [0] inner_tiles = [%t] into %q : tensor<8xf32> -> tensor<?x?xf32>\n"
        "return %0 : tensor<?x?xf32>",
        "inner_tiles = [%arg2] into %cast",
    ),
    "expanded, then collapsed less far": (
        "(%x: memref<?xf32>, %a: index, %b: index) -> memref<8x?xf32>",
        "%0 = memref.expand_shape %x [[0, 1, 2, 3]] output_shape [4, 2, %a, 32] : memref<?xf32> into memref<4x2x?x32xf32>\n"
        "%1 = memref.collapse_shape %0 [[0, 1], [2, 3]] : memref<4x2x?x32xf32> into memref<8x?xf32>\n"
        "return %1 : memref<8x?xf32>",
        "arith.muli %arg1, %c32",
    ),
    "expanded twice, with strides": (
        "(%x: memref<4x6xf32, strided<[8, 1]>>) -> memref<1x4x3x2xf32, strided<[32, 8, 2, 1]>>",
        "%0 = memref.expand_shape %x [[0], [1, 2]] output_shape [4, 3, 2] : memref<4x6xf32, strided<[8, 1]>> "
        "into memref<4x3x2xf32, strided<[8, 2, 1]>>\n"
        "%1 = memref.expand_shape %0 [[0, 1], [2], [3]] output_shape [1, 4, 3, 2] : memref<4x3x2xf32, strided<[8, 2, 1]>> "
        "into memref<1x4x3x2xf32, strided<[32, 8, 2, 1]>>\n"
        "return %1 : memref<1x4x3x2xf32, strided<[32, 8, 2, 1]>>",
        "memref.expand_shape %expand_shape [[0, 1], [2], [3]]",
    ),
    "a grid with a single point": (
        "(%x: tensor<8xf32>, %y: tensor<4xf32>) -> tensor<8xf32>",
        "%0 = scf.forall (%i) in (1) shared_outs(%o = %x) -> (tensor<8xf32>) {\n"
        "scf.forall.in_parallel { tensor.parallel_insert_slice %y into %o[%i] [4] [1] : tensor<4xf32> into tensor<8xf32> } }\n"
        "return %0 : tensor<8xf32>",
        "tensor.insert_slice %arg1 into %arg0[0] [4] [1]",
    ),
}


@pytest.mark.parametrize("name", [*NUMBERS, *RELAID])
def test_body_becomes(name: str) -> None:
    signature, body, expected = (NUMBERS | RELAID)[name]
    module = parse_text(f"func.func @f{signature} {{\n{body}\n}}")
    Canonicalize().run(module, Context())
    assert expected in print_operation(module)


def test_values_from_further_out_are_dropped_with_the_argument_they_are_passed_to() -> None:
    """The constant is erased before the branch that passes it is looked at, in a region further in."""
    module = parse_text(
        """
        func.func @f(%x: i32) -> i32 {
          %c = arith.constant 10 : i32
          %0 = scf.execute_region -> i32 no_inline {
            cf.br ^bb1(%x, %c : i32, i32)
          ^bb1(%a: i32, %b: i32):
            cf.br ^bb1(%a, %b : i32, i32)
          }
          return %0 : i32
        }
        """
    )
    Canonicalize().run(module, Context())
    assert "10 : i32" not in print_operation(module)


CHAIN = """
func.func @f(%t: tensor<8xf32>) -> tensor<8xi32> {
  %0 = tensor.bitcast %t : tensor<8xf32> to tensor<8xi32>
  %1 = tensor.bitcast %0 : tensor<8xi32> to tensor<8xf32>
  %2 = tensor.bitcast %1 : tensor<8xf32> to tensor<8xi32>
  return %2 : tensor<8xi32>
}
"""


@pytest.mark.parametrize(("kind", "left"), [(ExpandRealloc, 3), (Canonicalize, 1)])
def test_chains_of_bitcasts_are_for_patterns_and_stay_in_a_conversion(kind: type[Pass], left: int) -> None:
    module = parse_text(CHAIN)
    kind().run(module, Context())
    assert print_operation(module).count("tensor.bitcast") == left
