"""The `linalg` dialect: notation, and what is rejected. The expected texts and messages are those of mlir-opt 22."""

# ruff: noqa: W291  (programs are kept as they are written and printed)

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from bufferize.ir.declaration.declare import REGISTRY
from bufferize.ir.program.interfaces import READ, WRITE
from bufferize.ir.text.parser import parse_text
from bufferize.ir.text.printer import print_module

PROGRAM = """\
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map6 = affine_map<(d0, d1, d2) -> (d2)>
module {
  func.func @a(%arg0: tensor<4x8xf32>, %arg1: tensor<8x16xf32>, %arg2: tensor<4x16xf32>, %arg3: f32, %arg4: memref<4xf32>, %arg5: memref<4xf64>, %arg6: tensor<4xf32>, %arg7: tensor<4x8xi8>, %arg8: tensor<8x16xi8>, %arg9: tensor<4x16xi32>, %arg10: tensor<2x4x8xf32>, %arg11: tensor<2x8x16xf32>, %arg12: tensor<2x4x16xf32>) {
    %0 = linalg.matmul ins(%arg0, %arg1 : tensor<4x8xf32>, tensor<8x16xf32>) outs(%arg2 : tensor<4x16xf32>) -> tensor<4x16xf32>
    %1 = linalg.fill ins(%arg3 : f32) outs(%arg2 : tensor<4x16xf32>) -> tensor<4x16xf32>
    linalg.fill ins(%arg3 : f32) outs(%arg4 : memref<4xf32>)
    linalg.copy ins(%arg4 : memref<4xf32>) outs(%arg5 : memref<4xf64>)
    %2 = linalg.add ins(%arg0, %arg0 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%arg0 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg6 : tensor<4xf32>) outs(%arg6 : tensor<4xf32>) attrs =  {foo = 1 : i64} {
    ^bb0(%in: f32, %out: f32):
      %16 = arith.addf %in, %out : f32
      linalg.yield %16 : f32
    } -> tensor<4xf32>
    linalg.generic {doc = "hi", indexing_maps = [#map, #map], iterator_types = ["parallel"], library_call = "x"} ins(%arg4 : memref<4xf32>) outs(%arg4 : memref<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %16 = linalg.index 0 : index
      linalg.yield %out : f32
    }
    %mapped = linalg.map { arith.addf } ins(%arg6, %arg6 : tensor<4xf32>, tensor<4xf32>) outs(%arg6 : tensor<4xf32>)
    %mapped_0 = linalg.map ins(%arg6, %arg6 : tensor<4xf32>, tensor<4xf32>) outs(%arg6 : tensor<4xf32>)
      (%in: f32, %in_4: f32, %init: f32) {
        %16 = arith.addf %in, %in : f32
        linalg.yield %16 : f32
      }
    %mapped_1 = linalg.map { math.exp {fastmath = #arith.fastmath<fast>} } ins(%arg6 : tensor<4xf32>) outs(%arg6 : tensor<4xf32>) {a}
    %4 = tensor.empty() : tensor<f32>
    %reduced = linalg.reduce { arith.addf } ins(%arg6 : tensor<4xf32>) outs(%4 : tensor<f32>) dimensions = [0] 
    %reduced_2 = linalg.reduce ins(%arg6 : tensor<4xf32>) outs(%4 : tensor<f32>) dimensions = [0]  {b}
      (%in: f32, %init: f32) {
        %16 = arith.addf %in, %in : f32
        linalg.yield %16 : f32
      }
    %5 = tensor.empty() : tensor<16x4xf32>
    %transposed = linalg.transpose ins(%arg2 : tensor<4x16xf32>) outs(%5 : tensor<16x4xf32>) permutation = [1, 0] 
    %broadcasted = linalg.broadcast ins(%arg6 : tensor<4xf32>) outs(%arg2 : tensor<4x16xf32>) dimensions = [1]  {d}
    %6 = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%arg7, %arg8 : tensor<4x8xi8>, tensor<8x16xi8>) outs(%arg9 : tensor<4x16xi32>) -> tensor<4x16xi32>
    %7 = linalg.batch_matmul ins(%arg10, %arg11 : tensor<2x4x8xf32>, tensor<2x8x16xf32>) outs(%arg12 : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
    %8 = linalg.batch_reduce_matmul ins(%arg10, %arg11 : tensor<2x4x8xf32>, tensor<2x8x16xf32>) outs(%arg2 : tensor<4x16xf32>) -> tensor<4x16xf32>
    %9 = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%arg6 : tensor<4xf32>) outs(%arg6 : tensor<4xf32>) -> tensor<4xf32>
    %10 = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#map1, #map2, #map2] ins(%arg6, %arg2 : tensor<4xf32>, tensor<4x16xf32>) outs(%arg2 : tensor<4x16xf32>) -> tensor<4x16xf32>
    %11 = linalg.contract indexing_maps = [#map3, #map4, #map5] ins(%arg0, %arg1 : tensor<4x8xf32>, tensor<8x16xf32>) outs(%arg2 : tensor<4x16xf32>) -> tensor<4x16xf32>
    %12 = linalg.softmax dimension(1) ins(%arg2 : tensor<4x16xf32>) outs(%arg2 : tensor<4x16xf32>) -> tensor<4x16xf32>
    %13 = linalg.matmul indexing_maps = [#map6, #map4, #map5] {z} ins(%arg6, %arg2 : tensor<4xf32>, tensor<4x16xf32>) outs(%arg2 : tensor<4x16xf32>) -> tensor<4x16xf32>
    %14 = tensor.empty() : tensor<1x4x4x4xf32>
    %pack = linalg.pack %arg2 inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %14 : tensor<4x16xf32> -> tensor<1x4x4x4xf32>
    %pack_3 = linalg.pack %arg2 padding_value(%arg3 : f32) outer_dims_perm = [0, 1] inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %14 : tensor<4x16xf32> -> tensor<1x4x4x4xf32>
    %unpack = linalg.unpack %pack inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %arg2 : tensor<1x4x4x4xf32> -> tensor<4x16xf32>
    %15 = linalg.dot ins(%arg6, %arg6 : tensor<4xf32>, tensor<4xf32>) outs(%4 : tensor<f32>) -> tensor<f32>
    return
  }
}
"""


def test_program_is_printed_as_it_was_read(round_trip: Callable[[str], str]) -> None:
    assert round_trip(PROGRAM) == PROGRAM


REJECTED = [
    (
        "func.func @a(%m: memref<4xf32>, %t: tensor<4xf32>) { linalg.copy ins(%m : memref<4xf32>) outs(%t : tensor<4xf32>) return }",
        "'linalg.copy' op expected the number of tensor results (0) to be equal to the number of output tensors (1)",
    ),
    (
        "func.func @a(%m: memref<4xf32>, %t: tensor<4xf32>) { %0 = linalg.copy ins(%m : memref<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32> return }",
        "'linalg.copy' op expected to have pure tensor or buffer semantics",
    ),
    (
        "func.func @a(%m: memref<4xf32>, %t: tensor<4xf32>) { %0 = linalg.copy ins(%t : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<5xf32> return }",
        "'linalg.copy' op expected type of operand #1 ('tensor<4xf32>') to match type of corresponding result ('tensor<5xf32>')",
    ),
    (
        "func.func @a(%m: memref<4xf32>, %t: tensor<4xf32>) { linalg.copy ins(%t : tensor<4xf32>) outs(%t : tensor<4xf32>) return }",
        "'linalg.copy' op expected the number of tensor results (0) to be equal to the number of output tensors (1)",
    ),
    (
        "func.func @a(%m: memref<4xf32>, %t: memref<5xf32>) { linalg.copy ins(%m : memref<4xf32>) outs(%t : memref<5xf32>) return }",
        "'linalg.copy' op inferred input/output operand #1 has shape's dimension #0 to be 4, but found 5",
    ),
    (
        "func.func @a(%m: memref<4xf32>, %t: memref<4x5xf32>) { linalg.copy ins(%m : memref<4xf32>) outs(%t : memref<4x5xf32>) return }",
        "'linalg.copy' op expected operand #0 rank (1) to match the result rank of indexing_map (2)",
    ),
    (
        "func.func @a(%m: memref<4xf32>, %t: memref<4x5xf32>) { linalg.copy ins(%m, %m : memref<4xf32>, memref<4xf32>) outs(%t : memref<4x5xf32>) return }",
        "custom op 'linalg.copy' [parseNamedStructuredOpRegion] ods-gen generated region expects 2 args, got 3",
    ),
    (
        "func.func @a(%m: memref<4x5xf32>, %t: memref<4x5xf32>) { linalg.matmul ins(%m, %m : memref<4x5xf32>, memref<4x5xf32>) outs(%t : memref<4x5xf32>) return }",
        "'linalg.matmul' op inferred input/output operand #1 has shape's dimension #0 to be 5, but found 4",
    ),
    (
        "func.func @a(%m: memref<4x5xf32>, %t: memref<4x5xf32>) { linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%m, %m : memref<4x5xf32>, memref<4x5xf32>) outs(%t : memref<4x5xf32>) return }",
        "'linalg.matmul' op Unexpected dim expression in map result.",
    ),
    (
        "func.func @a(%m: memref<4xf32>, %k: memref<4x5xf32>, %t: memref<4x5xf32>) { linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%m, %k : memref<4xf32>, memref<4x5xf32>) outs(%t : memref<4x5xf32>) return }",
        "'linalg.matmul' op Invalid broadcast requested, should be (d2).",
    ),
    (
        "func.func @a(%f: f32, %t: memref<4xi32>) { linalg.fill ins(%f : f32) outs(%t : memref<4xi32>) return }",
        "'linalg.fill' op expected fill value type ('f32') to match output element type ('i32')",
    ),
    (
        "func.func @a(%f: memref<4xf32>, %t: memref<4xf32>) { linalg.fill ins(%f : memref<4xf32>) outs(%t : memref<4xf32>) return }",
        "expected op with scalar input",
    ),
    (
        "func.func @a(%f: memref<4xi32>, %t: memref<4xi32>) { linalg.exp ins(%f : memref<4xi32>) outs(%t : memref<4xi32>) return }",
        "custom op 'linalg.exp' unsupported non numeric type",
    ),
    (
        "func.func @a(%f: memref<4xi32>, %t: memref<4xf32>) { linalg.add ins(%f, %t : memref<4xi32>, memref<4xf32>) outs(%t : memref<4xf32>) return }",
        "custom op 'linalg.add' Cannot build binary Linalg operation: expects allComplex, allFloatingPoint, or allInteger, got 'i32' and 'f32'",
    ),
    (
        "func.func @a(%f: memref<4xi1>) { linalg.sub ins(%f, %f : memref<4xi1>, memref<4xi1>) outs(%f : memref<4xi1>) return }",
        "custom op 'linalg.sub' unsupported operation: sub with bools",
    ),
    (
        'func.func @a(%f: memref<4xf32>) { linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>], iterator_types = ["parallel"]} ins(%f : memref<4xf32>) outs(%f: memref<4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 } return }',
        "'linalg.generic' op expected the number of indexing_map (1) to be equal to the number of input/output operands (2)",
    ),
    (
        'func.func @a(%f: memref<4xf32>) { linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->(d0)>], iterator_types = ["parallel", "reduction"]} ins(%f : memref<4xf32>) outs(%f: memref<4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 } return }',
        "'linalg.generic' op expected indexing_map #0 to have 2 dim(s) to match the number of loops",
    ),
    (
        'func.func @a(%f: memref<4xf32>) { linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->(d0,d0)>], iterator_types = ["parallel"]} ins(%f : memref<4xf32>) outs(%f: memref<4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 } return }',
        "'linalg.generic' op expected operand #1 rank (1) to match the result rank of indexing_map (2)",
    ),
    (
        'func.func @a(%f: memref<4xf32>) { linalg.generic {indexing_maps = [affine_map<(d0)->(0)>, affine_map<(d0)->(0)>], iterator_types = ["parallel"]} ins(%f : memref<4xf32>) outs(%f: memref<4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 } return }',
        "'linalg.generic' op invalid indexing maps are non-invertible: ((d0) -> (0, 0))",
    ),
    (
        'func.func @a(%f: memref<4xf32>) { linalg.generic {indexing_maps = [affine_map<(d0)[s0]->(d0)>, affine_map<(d0)->(d0)>], iterator_types = ["parallel"]} ins(%f : memref<4xf32>) outs(%f: memref<4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 } return }',
        "'linalg.generic' op unexpected symbols in indexing_map #0",
    ),
    (
        'func.func @a(%f: memref<4xf32>) { linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->(d0)>], iterator_types = ["parallel"]} ins(%f : memref<4xf32>) outs(%f: memref<4xf32>) { ^bb0(%x: f32): linalg.yield %x : f32 } return }',
        "'linalg.generic' op expected as many non-induction variable region arguments as the number of input/output operands",
    ),
    (
        'func.func @a(%f: memref<4xf32>) { linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->(d0)>], iterator_types = ["parallel"]} ins(%f : memref<4xf32>) outs(%f: memref<4xf32>) { ^bb0(%x: f32, %y: f16): linalg.yield %x : f32 } return }',
        "'linalg.generic' op expected type of bb argument #1 ('f16') to match element or self type of the corresponding operand ('f32')",
    ),
    (
        'func.func @a(%f: memref<4xf32>) { linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->(d0)>], iterator_types = ["parallel"]} ins(%f : memref<4xf32>) outs(%f: memref<4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x, %x : f32, f32 } return }',
        "'linalg.yield' op expected number of yield values (2) to match the number of inits / outs operands of the enclosing LinalgOp (1)",
    ),
    (
        'func.func @a(%f: memref<4xf32>, %i: i32) { linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->(d0)>], iterator_types = ["parallel"]} ins(%f : memref<4xf32>) outs(%f: memref<4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %i : i32 } return }',
        "'linalg.yield' op type of yield operand 1 ('i32') doesn't match the element type of the enclosing linalg.generic op ('f32')",
    ),
    (
        'func.func @a(%f: memref<4xf32>, %i: i32) { linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->(d0)>], iterator_types = ["paralel"]} ins(%f : memref<4xf32>) outs(%f: memref<4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %i : i32 } return }',
        "custom op 'linalg.generic' unexpected iterator_type (paralel)",
    ),
    (
        "func.func @a(%f: memref<4xf32>, %i: i32) { linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->(d0)>]} ins(%f : memref<4xf32>) outs(%f: memref<4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %i : i32 } return }",
        "custom op 'linalg.generic' expected \"iterator_types\" array attribute",
    ),
    (
        'func.func @a(%f: memref<4xf32>, %g: memref<5xf32>) { linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->(d0)>], iterator_types = ["parallel"]} ins(%f : memref<4xf32>) outs(%g: memref<5xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 } return }',
        "'linalg.generic' op inferred input/output operand #1 has shape's dimension #0 to be 4, but found 5",
    ),
    (
        'func.func @a(%f: memref<4xf32>, %g: memref<5xf32>) { linalg.generic {indexing_maps = [affine_map<(d0)->(d0+3)>, affine_map<(d0)->(d0)>], iterator_types = ["parallel"]} ins(%f : memref<4xf32>) outs(%g: memref<5xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 } return }',
        "'linalg.generic' op inferred input/output operand #0 has shape's dimension #0 to be greater than or equal to 8, but found 4",
    ),
    (
        'func.func @a(%f: memref<4xf32>, %g: memref<5xf32>) { linalg.generic {indexing_maps = [affine_map<(d0)->(d0-3)>, affine_map<(d0)->(d0)>], iterator_types = ["parallel"]} ins(%f : memref<4xf32>) outs(%g: memref<5xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 } return }',
        "'linalg.generic' op unexpected result less than 0 at expression #0 in (d0) -> (d0 - 3)",
    ),
    (
        'func.func @a(%f: memref<4xf32>, %g: f32) { linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types = ["parallel"]} ins(%f : memref<4xf32>) outs(%g: f32) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 } return }',
        "'linalg.generic' op operand #1 must be variadic of shaped of any type values, but got 'f32'",
    ),
    (
        'func.func @a(%f: memref<4xf32>) { linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->(d0)>], iterator_types = ["parallel"]} ins(%f : memref<4xf32>) outs(%f: memref<4xf32>) { ^bb0(%x: f32, %y: f32): %i = linalg.index 1 : index linalg.yield %x : f32 } return }',
        "'linalg.index' op expected dim (1) to be lower than the number of loops (1) of the enclosing LinalgOp",
    ),
    (
        "func.func @a(%f: memref<4xf32>) { %i = linalg.index 1 : index return }",
        "'linalg.index' op expected parent op with LinalgOp interface",
    ),
    (
        "func.func @a(%f: memref<4xf32>) { linalg.yield }",
        "'linalg.yield' op expected parent op with LinalgOp interface",
    ),
    (
        "func.func @a(%f: memref<4xf32>) { linalg.map ins(%f : memref<4xf32>) outs(%f : memref<4xf32>) (%x: f32, %y: f32, %z: f32) { linalg.yield %x : f32 } return }",
        "'linalg.map' op expects number of operands to match the arity of mapper, but got: 2 and 3",
    ),
    (
        "func.func @a(%f: memref<4xf32>) { linalg.map ins(%f : memref<4xf32>) outs(%f : memref<4xf32>) (%x: f16, %y: f32) { linalg.yield %y : f32 } return }",
        "'linalg.map' op expected element type of input 'f32' to match bbArg type 'f16'",
    ),
    (
        "func.func @a(%f: memref<4xf32>, %g: memref<5xf32>) { linalg.map ins(%f : memref<4xf32>) outs(%g : memref<5xf32>) (%x: f32, %y: f32) { linalg.yield %x : f32 } return }",
        "'linalg.map' op expected shape of input (4) to match shape of output (5)",
    ),
    (
        "func.func @a(%f: memref<4xf32>, %g: memref<5xf32>) { linalg.map { arith.addf } ins(%f : memref<4xf32>) outs(%f : memref<4xf32>) return }",
        "'arith.addf' op expected 2 operands, but found 1",
    ),
    (
        "func.func @a(%f: memref<4x3xf32>, %g: memref<5xf32>) { linalg.reduce { arith.addf } ins(%f : memref<4x3xf32>) outs(%g : memref<5xf32>) dimensions = [1] return }",
        "'linalg.reduce' op init dimensions [5] doesn't match input dimensions after reduction [4]",
    ),
    (
        "func.func @a(%f: memref<4x3xf32>, %g: memref<4xf32>) { linalg.reduce { arith.addf } ins(%f : memref<4x3xf32>) outs(%g : memref<4xf32>) dimensions = [2] return }",
        "'linalg.reduce' op dimensions for reduction should be in the range [0, 1].",
    ),
    (
        "func.func @a(%f: memref<4x3xf32>, %g: memref<4xf32>) { linalg.reduce { arith.addf } ins(%f : memref<4x3xf32>) outs(%g : memref<4xf32>) dimensions = [1, 0] return }",
        "'linalg.reduce' op attribute 'dimensions' failed to satisfy constraint: i64 dense array attribute should be in increasing order",
    ),
    (
        "func.func @a(%f: memref<4x3xf32>, %g: memref<4xf32>) { linalg.reduce { arith.addf } ins(%f : memref<4x3xf32>) outs(%f : memref<4x3xf32>) dimensions = [1] return }",
        "'linalg.reduce' op number of dimensions after reduction 1 doesn't match the init rank 2",
    ),
    (
        "func.func @a(%f: memref<4x3xf32>, %g: memref<4xf32>) { linalg.reduce ins(%f : memref<4x3xf32>) outs(%g : memref<4xf32>) dimensions = [1] (%x: f32) { linalg.yield %x : f32} return }",
        "'linalg.reduce' op mismatching number of operands and block arguments",
    ),
    (
        "func.func @a(%f: memref<4x3xf32>, %g: memref<4xf32>) { linalg.reduce ins(%f : memref<4x3xf32>) outs(%g : memref<4xf32>) dimensions = [1] (%x: f16, %y: f32) { linalg.yield %y : f32} return }",
        "'linalg.reduce' op input element type 'f32' does not match corresponding block argument type 'f16'",
    ),
    (
        "func.func @a(%f: memref<4x3xf32>, %g: memref<3x4xf32>) { linalg.transpose ins(%f : memref<4x3xf32>) outs(%g : memref<3x4xf32>) permutation = [0, 1] return }",
        "'linalg.transpose' op dim(result, 0) = 3 doesn't match dim(input, permutation[0]) = 4",
    ),
    (
        "func.func @a(%f: memref<4x3xf32>, %g: memref<3x4xf32>) { linalg.transpose ins(%f : memref<4x3xf32>) outs(%g : memref<3x4xf32>) permutation = [0, 0] return }",
        "'linalg.transpose' op permutation is not valid",
    ),
    (
        "func.func @a(%f: memref<4x3xf32>, %g: memref<3x4xf32>) { linalg.transpose ins(%f : memref<4x3xf32>) outs(%g : memref<3x4xf32>) permutation = [0] return }",
        "'linalg.transpose' op size of permutation 1 does not match the argument rank 2",
    ),
    (
        "func.func @a(%f: memref<4x3xf32>, %g: memref<3xf32>) { linalg.transpose ins(%f : memref<4x3xf32>) outs(%g : memref<3xf32>) permutation = [0, 1] return }",
        "'linalg.transpose' op input rank 2 does not match init rank 1",
    ),
    (
        "func.func @a(%f: memref<4xf32>, %g: memref<4x3xf32>) { linalg.broadcast ins(%f : memref<4xf32>) outs(%g : memref<4x3xf32>) dimensions = [0] return }",
        "'linalg.broadcast' op input dim 0 should match init dim 1. input: 4, init: 3",
    ),
    (
        "func.func @a(%f: memref<4xf32>, %g: memref<4x3xf32>) { linalg.broadcast ins(%f : memref<4xf32>) outs(%g : memref<4x3xf32>) dimensions = [2] return }",
        "'linalg.broadcast' op dimension 0 is out of range. expected range: [0, 1], got: 2",
    ),
    (
        "func.func @a(%f: memref<4xf32>, %g: memref<4x3xf32>) { linalg.broadcast ins(%f : memref<4xf32>) outs(%g : memref<4x3xf32>) dimensions = [0, 1] return }",
        "'linalg.broadcast' op input rank plus added dimensions does not match init rank. input rank: 1, dimensions size: 2, init rank: 2",
    ),
    (
        "func.func @a(%i: memref<1x4x4x1xf32>, %k: memref<3x3x1x1xf32>, %o: memref<1x3x2x1xf32>) { linalg.conv_2d_nhwc_hwcf ins(%i, %k : memref<1x4x4x1xf32>, memref<3x3x1x1xf32>) outs(%o : memref<1x3x2x1xf32>) return }",
        "'linalg.conv_2d_nhwc_hwcf' op inferred input/output operand #0 has shape's dimension #1 to be greater than or equal to 5, but found 4",
    ),
    (
        "func.func @a(%a: memref<4x8xf32>, %b: memref<8x3xf32>, %o: memref<4x3xf32>) { linalg.contract ins(%a, %b : memref<4x8xf32>, memref<8x3xf32>) outs(%o : memref<4x3xf32>) return }",
        "custom op 'linalg.contract' expected 'indexing_maps' attribute",
    ),
    (
        "func.func @a(%a: memref<4x8xf32>, %b: memref<8x3xf32>, %o: memref<4x3xf32>) { linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (m, n)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : memref<4x8xf32>, memref<8x3xf32>) outs(%o : memref<4x3xf32>) return }",
        "iteration space dim at index 2 is neither a contracting dim nor of parallel iteration type",
    ),
    (
        "func.func @a(%a: memref<4x8xf32>, %b: memref<8x3xf32>, %o: memref<4x3xf32>) { linalg.elementwise kind=#linalg.elementwise_kind<add> ins(%a, %b : memref<4x8xf32>, memref<8x3xf32>) outs(%o : memref<4x3xf32>) return }",
        "'linalg.elementwise' op inferred input/output operand #1 has shape's dimension #0 to be 4, but found 8",
    ),
    (
        "func.func @a(%a: memref<4x8xf32>, %b: memref<8x3xf32>, %o: memref<4x3xf32>) { linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%a, %b : memref<4x8xf32>, memref<8x3xf32>) outs(%o : memref<4x3xf32>) return }",
        "custom op 'linalg.elementwise' [parseNamedStructuredOpRegion] ods-gen generated region expects 2 args, got 3",
    ),
    (
        "func.func @a(%a: tensor<4x8xf32>, %o: tensor<4x9xf32>) { %0 = linalg.softmax dimension(1) ins(%a : tensor<4x8xf32>) outs(%o : tensor<4x9xf32>) -> tensor<4x9xf32> return }",
        "'linalg.softmax' op incompatible output shape",
    ),
    (
        "func.func @a(%a: tensor<4x8xf32>, %o: tensor<4x8xf32>) { %0 = linalg.softmax dimension(2) ins(%a : tensor<4x8xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32> return }",
        "'linalg.softmax' op incorrect dimension specified",
    ),
]


@pytest.mark.parametrize(("text", "message"), REJECTED)
def test_rejected_with_the_message_of_mlir_opt(
    first_error: Callable[[str], str], text: str, message: str
) -> None:
    assert first_error(text).partition("\n")[0] == message


def _op(text: str, name: str):
    return next(op for op in parse_text(text).walk() if op.name == name)


def _maps(op) -> list[str]:
    return [str(m) for m in op.indexing_maps()]


CONVOLUTION = """
func.func @f(%i: memref<1x9x9x2xi8>, %k: memref<3x3x2x4xi8>, %o: memref<1x3x3x4xi32>) {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<2> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>}
    ins(%i, %k : memref<1x9x9x2xi8>, memref<3x3x2x4xi8>) outs(%o : memref<1x3x3x4xi32>)
  return
}
"""


def test_maps_of_a_convolution_follow_from_strides_and_dilations() -> None:
    op = _op(CONVOLUTION, "linalg.conv_2d_nhwc_hwcf")
    loops = "(d0, d1, d2, d3, d4, d5, d6)"
    assert _maps(op) == [
        f"{loops} -> (d0, d1 * 2 + d4 * 2, d2 + d5 * 2, d6)",
        f"{loops} -> (d4, d5, d6, d3)",
        f"{loops} -> (d0, d1, d2, d3)",
    ]
    assert op.iterator_types() == ["parallel"] * 4 + ["reduction"] * 3


def test_a_body_converts_to_the_element_type_of_the_output() -> None:
    op = _op(CONVOLUTION, "linalg.conv_2d_nhwc_hwcf")
    names = [inner.name for inner in op.regions[0].ops()]
    assert names == ["arith.extsi", "arith.extsi", "arith.muli", "arith.addi", "linalg.yield"]


PAYLOADS = [
    ("linalg.fill ins(%f : f32) outs(%m : memref<4xf32>)", False, [(WRITE, 1)]),
    ("linalg.copy ins(%m : memref<4xf32>) outs(%n : memref<4xf32>)", False, [(READ, 0), (WRITE, 1)]),
    ("linalg.exp ins(%m : memref<4xf32>) outs(%n : memref<4xf32>)", False, [(READ, 0), (WRITE, 1)]),
    (
        "linalg.reduce { arith.addf } ins(%m : memref<4xf32>) outs(%s : memref<f32>) dimensions = [0]",
        True,
        [(READ, 0), (READ, 1), (WRITE, 1)],
    ),
    (
        "linalg.dot ins(%m, %n : memref<4xf32>, memref<4xf32>) outs(%s : memref<f32>)",
        True,
        [(READ, 0), (READ, 1), (READ, 2), (WRITE, 2)],
    ),
]


@pytest.mark.parametrize(("text", "reads_init", "effects"), PAYLOADS)
def test_a_destination_is_read_only_if_its_old_element_is_used(
    text: str, reads_init: bool, effects: list[tuple[str, int]]
) -> None:
    args = "%f: f32, %m: memref<4xf32>, %n: memref<4xf32>, %s: memref<f32>"
    op = _op(f"func.func @f({args}) {{\n  {text}\n  return\n}}", text.split()[0])
    init = op.dps_inits()[0]
    assert op.has_user_of_payload_arg(init) == reads_init
    found = [(effect.kind, op.operands.index(effect.value)) for effect in op.memory_effects()]
    assert found == effects


def test_spellings_of_2020_are_read() -> None:
    old = """
    #map0 = affine_map<(d0) -> (d0)>
    func.func @f(%a: memref<2xf32>, %b: memref<2xf32>) {
      linalg.generic {args_in = 1 : i64, args_out = 1 : i64, indexing_maps = [#map0, #map0],
                      iterator_types = ["parallel"]} %a, %b {
      ^bb0(%x: f32, %y: f32):
        linalg.yield %x : f32
      }: memref<2xf32>, memref<2xf32>
      linalg.copy(%a, %b) : memref<2xf32>, memref<2xf32>
      "linalg.copy"(%a, %b) : (memref<2xf32>, memref<2xf32>) -> ()
      return
    }
    """
    text = print_module(parse_text(old))
    assert "ins(%arg0 : memref<2xf32>) outs(%arg1 : memref<2xf32>) {" in text
    assert text.count("linalg.copy ins(%arg0 : memref<2xf32>) outs(%arg1 : memref<2xf32>)") == 2


def test_every_operation_of_the_tables_has_maps_for_its_operands() -> None:
    from bufferize.dialects.linalg import OPERATIONS
    from bufferize.dialects.linalg.named import IndexedNamedOp

    rows = [cls for cls in OPERATIONS.values() if issubclass(cls, IndexedNamedOp)]
    assert len(rows) > 50
    for cls in rows:
        loops = cls.loops.split()
        assert len(cls.indices) == cls.arg_count
        used = {
            part
            for row in cls.indices
            for word in row.replace("~", " ").replace("+", " ").split()
            for part in [word]
        }
        assert used == set(loops), cls.name


def test_every_operation_is_found_by_its_name():
    """By the text reader, as a class with MLIR's name, and by whoever searches the source for it."""
    from bufferize.dialects import linalg
    from bufferize.ir.text.registry import default_registry

    for name, cls in linalg.OPERATIONS.items():
        assert getattr(linalg, cls.__name__) is cls
        assert default_registry().find(name) is cls
    assert linalg.AddOp.name == "linalg.add"
    assert linalg.Conv2DNhwcHwcfQOp.name == "linalg.conv_2d_nhwc_hwcf_q"
    source = "".join(file.read_text("utf-8") for file in Path(linalg.__file__).parent.glob("*.py"))
    names = [name for name in REGISTRY if name.startswith("linalg.")]
    assert len(names) > 90
    assert [name for name in names if f'"{name}"' not in source] == []
    with pytest.raises(AttributeError, match="has no attribute 'NoSuchOp'"):
        linalg.NoSuchOp  # noqa: B018
