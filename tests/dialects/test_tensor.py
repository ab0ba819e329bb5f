"""The `tensor` dialect: notation, and what is rejected. The expected texts and messages are those of mlir-opt 22."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PROGRAM = """\
module {
  func.func @a(%arg0: tensor<8x?xf32>, %arg1: index, %arg2: f32, %arg3: tensor<4x1xindex>) {
    %extracted_slice = tensor.extract_slice %arg0[0, %arg1] [4, 1] [1, 1] : tensor<8x?xf32> to tensor<4xf32>
    %inserted_slice = tensor.insert_slice %extracted_slice into %arg0[%arg1, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<8x?xf32>
    %0 = tensor.empty(%arg1) {a} : tensor<?xf32>
    %padded = tensor.pad %arg0 nofold low[1, %arg1] high[0, 2] {
    ^bb0(%arg4: index, %arg5: index):
      tensor.yield %arg2 : f32
    } : tensor<8x?xf32> to tensor<9x?xf32>
    %generated = tensor.generate %arg1 {
    ^bb0(%arg4: index):
      tensor.yield %arg2 : f32
    } : tensor<?xf32>
    %dim = tensor.dim %arg0, %arg1 : tensor<8x?xf32>
    %extracted = tensor.extract %arg0[%arg1, %arg1] : tensor<8x?xf32>
    %inserted = tensor.insert %arg2 into %arg0[%arg1, %arg1] : tensor<8x?xf32>
    %from_elements = tensor.from_elements %arg2, %arg2 : tensor<2xf32>
    %from_elements_0 = tensor.from_elements %arg2 : tensor<f32>
    %splat = tensor.splat %arg2[%arg1] : tensor<?xf32>
    %splat_1 = tensor.splat %arg2 : tensor<4xf32>
    %cast = tensor.cast %arg0 : tensor<8x?xf32> to tensor<*xf32>
    %rank = tensor.rank %cast : tensor<*xf32>
    %collapsed = tensor.collapse_shape %arg0 [[0, 1]] : tensor<8x?xf32> into tensor<?xf32>
    %expanded = tensor.expand_shape %collapsed [[0, 1]] output_shape [%arg1, 4] : tensor<?xf32> into tensor<?x4xf32>
    %concat = tensor.concat dim(0) %arg0, %arg0 : (tensor<8x?xf32>, tensor<8x?xf32>) -> tensor<16x?xf32>
    %gather = tensor.gather %arg0[%arg3] gather_dims([0]) unique : (tensor<8x?xf32>, tensor<4x1xindex>) -> tensor<4x1x?xf32>
    %scatter = tensor.scatter %gather into %arg0[%arg3] scatter_dims([0]) unique : (tensor<4x1x?xf32>, tensor<8x?xf32>, tensor<4x1xindex>) -> tensor<8x?xf32>
    %from_elements_2 = tensor.from_elements %arg1 : tensor<1xindex>
    %reshape = tensor.reshape %arg0(%from_elements_2) : (tensor<8x?xf32>, tensor<1xindex>) -> tensor<?xf32>
    %1 = tensor.bitcast %arg0 : tensor<8x?xf32> to tensor<8x?xi32>
    %collapsed_3 = tensor.collapse_shape %from_elements_0 [] : tensor<f32> into tensor<f32>
    %extracted_4 = tensor.extract %from_elements_0[] : tensor<f32>
    %extracted_slice_5 = tensor.extract_slice %from_elements_0[] [] [] : tensor<f32> to tensor<f32>
    %expanded_6 = tensor.expand_shape %from_elements_0 [] output_shape [1] : tensor<f32> into tensor<1xf32>
    return
  }
}
"""


def test_program_is_printed_as_it_was_read(round_trip: Callable[[str], str]) -> None:
    assert round_trip(PROGRAM) == PROGRAM


REJECTED = [
    (
        "func.func @a(%t: tensor<8xf32>) { %0 = tensor.extract_slice %t[0,0][4][1] : tensor<8xf32> to tensor<4xf32> return }",
        "expected mixed offsets rank to match mixed sizes rank (2 vs 1) so the rank of the result type is well-formed.",
    ),
    (
        "func.func @a(%t: tensor<8xf32>) { %0 = tensor.extract_slice %t[0,0][4,1][1,1] : tensor<8xf32> to tensor<4xf32> return }",
        "expected 1 offset values, got 2",
    ),
    (
        "func.func @a(%t: tensor<8xf32>) { %0 = tensor.extract_slice %t[-1][4][1] : tensor<8xf32> to tensor<4xf32> return }",
        "expected offsets to be non-negative, but got -1",
    ),
    (
        "func.func @a(%t: tensor<8xf32>) { %0 = tensor.extract_slice %t[0][-4][1] : tensor<8xf32> to tensor<4xf32> return }",
        "expected sizes to be non-negative, but got -4",
    ),
    (
        "func.func @a(%t: tensor<8xf32>) { %0 = tensor.extract_slice %t[9][4][1] : tensor<8xf32> to tensor<4xf32> return }",
        "offset 0 is out-of-bounds: 9 >= 8",
    ),
    (
        "func.func @a(%t: tensor<8xf32>) { %0 = tensor.extract_slice %t[6][4][1] : tensor<8xf32> to tensor<4xf32> return }",
        "slice along dimension 0 runs out-of-bounds: 9 >= 8",
    ),
    (
        "func.func @a(%t: tensor<8xf32>) { %0 = tensor.extract_slice %t[0][4][1] : tensor<8xf32> to tensor<4x1xf32> return }",
        "expected rank to be smaller or equal to the other rank. ",
    ),
    (
        "func.func @a(%t: tensor<8xf32>) { %0 = tensor.extract_slice %t[0][4][1] : tensor<8xf32> to tensor<3xf32> return }",
        "expected type to be 'tensor<4xf32>' or a rank-reduced version. (size mismatch) ",
    ),
    (
        "func.func @a(%t: tensor<8xf32>) { %0 = tensor.extract_slice %t[0][4][1] : tensor<8xf32> to tensor<4xf16> return }",
        "expected element type to be 'f32'",
    ),
    (
        "func.func @a(%t: tensor<8xf32>) { %0 = tensor.extract_slice %t[0,1][4][1,2] : tensor<8xf32> to tensor<4xf16> return }",
        "expected mixed offsets rank to match mixed sizes rank (2 vs 1) so the rank of the result type is well-formed.",
    ),
    (
        "func.func @a(%t: tensor<8xf32>) { %0 = tensor.extract_slice %t[0][4,2][1] : tensor<8xf32> to tensor<4xf16> return }",
        "expected mixed sizes rank to match mixed strides rank (2 vs 1) so the rank of the result type is well-formed.",
    ),
    (
        "func.func @a(%t: tensor<8xf32>) { %0 = tensor.extract_slice %t[0][4][1, 2] : tensor<8xf32> to tensor<4xf16> return }",
        "expected mixed sizes rank to match mixed strides rank (1 vs 2) so the rank of the result type is well-formed.",
    ),
    (
        'func.func @a(%t: tensor<8xf32>) { %0 = "tensor.extract_slice"(%t) {operandSegmentSizes = array<i32: 1,0,0,0>, static_offsets = array<i64: 0>, static_sizes=array<i64: -9223372036854775808>, static_strides=array<i64: 1>} : (tensor<8xf32>) -> tensor<4xf16> return }',
        "expected the number of 'sizes' to match the number of dynamic entries in 'static_sizes' (0 vs 1)",
    ),
    (
        "func.func @a(%t: tensor<8xf32>, %s: tensor<4xf32>) { %0 = tensor.insert_slice %s into %t[6][4][1] : tensor<4xf32> into tensor<8xf32> return }",
        "slice along dimension 0 runs out-of-bounds: 9 >= 8",
    ),
    (
        "func.func @a(%t: tensor<8xf32>, %s: tensor<4xf32>) { %0 = tensor.insert_slice %s into %t[6][3][1] : tensor<4xf32> into tensor<8xf32> return }",
        "expected type to be 'tensor<3xf32>' or a rank-reduced version. (size mismatch) ",
    ),
    (
        "func.func @a(%t: tensor<8xf32>, %s: tensor<4xf16>) { %0 = tensor.insert_slice %s into %t[0][4][1] : tensor<4xf16> into tensor<8xf32> return }",
        "expected element type to be 'f32'",
    ),
    (
        'func.func @a(%t: tensor<8xf32>, %s: tensor<4xf32>) { %0 = "tensor.insert_slice"(%s, %t) {operandSegmentSizes = array<i32: 1,1,0,0,0>, static_offsets = array<i64: 0>, static_sizes=array<i64: 4>, static_strides=array<i64: 1>} : (tensor<4xf32>,tensor<8xf32>) -> tensor<9xf32> return }',
        "'tensor.insert_slice' op failed to verify that expected result type to match dest type",
    ),
    (
        "func.func @a(%t: tensor<8xf32>, %s: tensor<4xf32>) { tensor.parallel_insert_slice %s into %t[0][4][1] : tensor<4xf32> into tensor<8xf32> return }",
        "expected InParallelOpInterface parent, got:",
    ),
    (
        "func.func @a(%t: tensor<?xf32>) { %0 = tensor.cast %t : tensor<?xf32> to tensor<?x?xf32> return }",
        "'tensor.cast' op operand type 'tensor<?xf32>' and result type 'tensor<?x?xf32>' are cast incompatible",
    ),
    (
        "func.func @a(%t: tensor<?xf32>) { %0 = tensor.bitcast %t : tensor<?xf32> to tensor<?xi8> return }",
        "'tensor.bitcast' op operand type 'tensor<?xf32>' and result type 'tensor<?xi8>' are cast incompatible",
    ),
    (
        "func.func @a(%t: tensor<f32>, %i: index) { %0 = tensor.dim %t, %i : tensor<f32> return }",
        "'tensor.dim' op operand #0 must be non-0-ranked or unranked tensor, but got 'tensor<f32>'",
    ),
    (
        "func.func @a(%i: index) { %0 = tensor.empty(%i) : tensor<2xf32> return }",
        "'tensor.empty' op incorrect number of dynamic sizes, has 1, expected 0",
    ),
    (
        "func.func @a(%t: tensor<2xf32>, %i: index) { %0 = tensor.extract %t[%i,%i] : tensor<2xf32> return }",
        "'tensor.extract' op incorrect number of indices for extract_element",
    ),
    (
        'func.func @a(%t: tensor<2xf32>, %i: index) { %0 = "tensor.extract"(%t, %i) : (tensor<2xf32>, index) -> f16 return }',
        "'tensor.extract' op failed to verify that result type matches element type of tensor",
    ),
    (
        'func.func @a(%f: f16, %t: tensor<2xf32>, %i: index) { %0 = "tensor.insert"(%f, %t, %i) : (f16, tensor<2xf32>, index) -> tensor<2xf32> return }',
        "'tensor.insert' op failed to verify that scalar type matches element type of dest",
    ),
    (
        "func.func @a(%f: f32, %t: tensor<2xf32>, %i: index) { %0 = tensor.insert %f into %t[%i,%i] : tensor<2xf32> return }",
        "'tensor.insert' op incorrect number of indices",
    ),
    (
        "func.func @a(%f: f32) { %0 = tensor.from_elements %f : tensor<2xf32> return }",
        "custom op 'tensor.from_elements' number of operands and types do not match: got 1 operands and 2 types",
    ),
    (
        'func.func @a(%f: f32) { %0 = "tensor.from_elements"(%f) : (f32) -> tensor<2xf32> return }',
        "'tensor.from_elements' op failed to verify that operand types match result element type",
    ),
    (
        'func.func @a(%f: f32) { %0 = "tensor.from_elements"(%f) : (f32) -> tensor<?xf32> return }',
        "'tensor.from_elements' op result #0 must be statically shaped tensor of any type values, but got 'tensor<?xf32>'",
    ),
    (
        "func.func @a(%t: tensor<2x3xf32>) { %0 = tensor.collapse_shape %t [[0,1]] : tensor<2x3xf32> into tensor<5xf32> return }",
        "'tensor.collapse_shape' op expected dimension 0 of collapsed type to be static value of 6",
    ),
    (
        "func.func @a(%t: tensor<2x3xf32>) { %0 = tensor.collapse_shape %t [[0]] : tensor<2x3xf32> into tensor<6xf32> return }",
        "'tensor.collapse_shape' op expected reassociation map #0 to have size equal to the expanded rank (2), but it is  1.",
    ),
    (
        "func.func @a(%t: tensor<2x3xf32>) { %0 = tensor.collapse_shape %t [[1, 0]] : tensor<2x3xf32> into tensor<6xf32> return }",
        "'tensor.collapse_shape' op expected reassociation map #0 to be valid and contiguous.",
    ),
    (
        "func.func @a(%t: tensor<2x3xf32>) { %0 = tensor.collapse_shape %t [[0], [1], []] : tensor<2x3xf32> into tensor<6xf32> return }",
        "'tensor.collapse_shape' op reassociation indices must not be empty",
    ),
    (
        "func.func @a(%t: tensor<2x?xf32>) { %0 = tensor.collapse_shape %t [[0,1]] : tensor<2x?xf32> into tensor<6xf32> return }",
        "'tensor.collapse_shape' op expected dimension 0 of collapsed type to be dynamic since one or more of the corresponding dimensions in the expanded type is dynamic",
    ),
    (
        "func.func @a(%t: tensor<6xf32>) { %0 = tensor.collapse_shape %t [[0,1]] : tensor<6xf32> into tensor<2x3xf32> return }",
        "'tensor.collapse_shape' op expected the expanded type, 'tensor<6xf32>' to have a higher (or same) rank than the collapsed type, 'tensor<2x3xf32>'.",
    ),
    (
        "func.func @a(%t: tensor<2x3xf32>) { %0 = tensor.collapse_shape %t [[0,1]] : tensor<2x3xf32> into tensor<6xf16> return }",
        "'tensor.collapse_shape' op expected collapsed type to be 'tensor<6xf32>', but got 'tensor<6xf16>'",
    ),
    (
        "func.func @a(%t: tensor<6xf32>) { %0 = tensor.expand_shape %t [[0,1]] output_shape [2] : tensor<6xf32> into tensor<2x3xf32> return }",
        "'tensor.expand_shape' op expected number of static shape dims to be equal to the output rank (2) but found 1 inputs instead",
    ),
    (
        "func.func @a(%t: tensor<?xf32>, %i: index) { %0 = tensor.expand_shape %t [[0,1]] output_shape [%i, 4] : tensor<?xf32> into tensor<2x4xf32> return }",
        "'tensor.expand_shape' op expected dimension 0 of collapsed type to be static value of 8",
    ),
    (
        'func.func @a(%t: tensor<?xf32>, %i: index) { %0 = "tensor.expand_shape"(%t) {reassociation=[[0,1]], static_output_shape = array<i64: -9223372036854775808, 4>} : (tensor<?xf32>) -> tensor<?x4xf32> return }',
        "'tensor.expand_shape' op mismatch in dynamic dims in output_shape and static_output_shape: static_output_shape has 1 dynamic dims while output_shape has 0 values",
    ),
    (
        "func.func @a(%t: tensor<3x3xf32>) { %0 = tensor.concat dim(2) %t, %t : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<6x3xf32> return }",
        "'tensor.concat' op concatenation dim must be less than the tensor rank",
    ),
    (
        "func.func @a(%t: tensor<3x3xf32>) { %0 = tensor.concat dim(0) %t, %t : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<5x3xf32> return }",
        "'tensor.concat' op result type 'tensor<5x3xf32>'does not match inferred shape 'tensor<6x3xf32>' static sizes",
    ),
    (
        "func.func @a(%t: tensor<3x3xf32>, %u: tensor<3x4xf32>) { %0 = tensor.concat dim(0) %t, %u : (tensor<3x3xf32>, tensor<3x4xf32>) -> tensor<6x3xf32> return }",
        "'tensor.concat' op static concatenation size mismatch along non-concatenated dimension 1",
    ),
    (
        "func.func @a(%t: tensor<3x3xf32>, %u: tensor<3xf32>) { %0 = tensor.concat dim(0) %t, %u : (tensor<3x3xf32>, tensor<3xf32>) -> tensor<6x3xf32> return }",
        "'tensor.concat' op rank of concatenated inputs must match result rank",
    ),
    (
        "func.func @a(%t: tensor<3x3xf32>, %u: tensor<3x3xf16>) { %0 = tensor.concat dim(0) %t, %u : (tensor<3x3xf32>, tensor<3x3xf16>) -> tensor<6x3xf32> return }",
        "'tensor.concat' op inputs and result element type must match",
    ),
    (
        'func.func @a() { %0 = "tensor.concat"() {dim = 0 : i64} : () -> tensor<6x3xf32> return }',
        "'tensor.concat' op requires at least one input",
    ),
    (
        "func.func @a(%t: tensor<3x3xf32>) { %0 = tensor.concat dim(0) %t : (tensor<3x3xf32>) -> tensor<3xf32> return }",
        "'tensor.concat' op rank of concatenated inputs must match result rank",
    ),
    (
        "func.func @a(%t: tensor<3x3xf32>) { %0 = tensor.concat dim(0) %t : (tensor<3x3xf32>) -> tensor<3x3xf16> return }",
        "'tensor.concat' op inputs and result element type must match",
    ),
    (
        "func.func @a(%t: tensor<3x?xf32>, %u : tensor<3x4xf32>) { %0 = tensor.concat dim(0) %t, %u : (tensor<3x?xf32>, tensor<3x4xf32>) -> tensor<6x5xf32> return }",
        "'tensor.concat' op result type 'tensor<6x5xf32>'does not match inferred shape 'tensor<6x4xf32>' static sizes",
    ),
]


@pytest.mark.parametrize(("text", "message"), REJECTED)
def test_rejected_with_the_message_of_mlir_opt(
    first_error: Callable[[str], str], text: str, message: str
) -> None:
    assert first_error(text).partition("\n")[0] == message
