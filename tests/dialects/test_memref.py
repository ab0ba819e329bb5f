"""The `memref` dialect: notation, and what is rejected. The expected texts and messages are those of mlir-opt 22."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from bufferize.ir.source.diagnostics import BufferizeError
from bufferize.ir.text.parser import parse_text
from bufferize.ir.verifier import verify

PROGRAM = """\
module {
  func.func @a(%arg0: memref<8xf32>, %arg1: index, %arg2: f32, %arg3: memref<8xi32>) {
    %0 = memref.load %arg0[%arg1] : memref<8xf32>
    memref.store %arg2, %arg0[%arg1] {nontemporal = true} : memref<8xf32>
    %1 = memref.generic_atomic_rmw %arg0[%arg1] : memref<8xf32> {
    ^bb0(%arg4: f32):
      memref.atomic_yield %arg4 : f32
    } {foo}
    %2 = memref.alloca_scope  -> (f32) {
      memref.alloca_scope.return %arg2 : f32
    }
    memref.alloca_scope  {
      %alloca = memref.alloca() : memref<2xf32>
    }
    memref.prefetch %arg0[%arg1], write, locality<0>, instr : memref<8xf32>
    %transpose = memref.transpose %arg0 (d0) -> (d0) : memref<8xf32> to memref<8xf32, strided<[1]>>
    memref.dma_start %arg0[%arg1], %arg0[%arg1], %arg1, %arg3[%arg1] : memref<8xf32>, memref<8xf32>, memref<8xi32>
    memref.dma_start %arg0[%arg1], %arg0[%arg1], %arg1, %arg3[%arg1], %arg1, %arg1 : memref<8xf32>, memref<8xf32>, memref<8xi32>
    memref.dma_wait %arg3[%arg1], %arg1 : memref<8xi32>
    %3 = memref.atomic_rmw addf %arg2, %arg0[%arg1] : (f32, memref<8xf32>) -> f32
    %assume_align = memref.assume_alignment %arg0, 64 : memref<8xf32>
    %memspacecast = memref.memory_space_cast %arg0 : memref<8xf32> to memref<8xf32, 1>
    return
  }
  memref.global "private" constant @x : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]> {alignment = 64 : i64}
  memref.global @y : memref<2xf32> = uninitialized
  memref.global @z : memref<2xf32>
  func.func @strided_by_one(%arg0: memref<8xi8, strided<[1]>>, %arg1: index) -> memref<?xi8, strided<[1]>> {
    %view = memref.view %arg0[%arg1][] : memref<8xi8, strided<[1]>> to memref<1xf32>
    %collapse_shape = memref.collapse_shape %arg0 [[0]] : memref<8xi8, strided<[1]>> into memref<8xi8>
    %0 = memref.realloc %arg0(%arg1) : memref<8xi8, strided<[1]>> to memref<?xi8, strided<[1]>>
    return %0 : memref<?xi8, strided<[1]>>
  }
}
"""


def test_program_is_printed_as_it_was_read(round_trip: Callable[[str], str]) -> None:
    assert round_trip(PROGRAM) == PROGRAM


REJECTED = [
    (
        "func.func @a(%i: index) { %0 = memref.alloc(%i) : memref<2xf32> return }",
        "'memref.alloc' op incorrect number of dynamic sizes, has 1, expected 0",
    ),
    (
        "func.func @a(%i: index) { %0 = memref.alloc()[%i] : memref<2xf32> return }",
        "'memref.alloc' op symbol operand count does not equal memref symbol count: expected 0, got 1",
    ),
    (
        "%0 = memref.alloca() : memref<2xf32>",
        "'memref.alloca' op requires an ancestor op with AutomaticAllocationScope trait",
    ),
    (
        "func.func @a(%m: memref<2xf32>, %i: index) { %0 = memref.load %m[%i, %i] : memref<2xf32> return }",
        "'memref.load' op incorrect number of indices for load, expected 1 but got 2",
    ),
    (
        "func.func @a(%m: memref<2xf32>, %f: f32, %i: index) { memref.store %f, %m[%i, %i] : memref<2xf32> return }",
        "'memref.store' op store index operand count not equal to memref rank",
    ),
    (
        'func.func @a(%m: memref<2xf32>, %f: f16, %i: index) { "memref.store"(%f, %m, %i) : (f16, memref<2xf32>, index) -> () return }',
        "'memref.store' op failed to verify that type of 'value' matches element type of 'memref'",
    ),
    (
        "func.func @a(%m: memref<2xf32>, %n: memref<3xf32>) { memref.copy %m, %n : memref<2xf32> to memref<3xf32> return }",
        "'memref.copy' op requires the same shape for all operands",
    ),
    (
        "func.func @a(%m: memref<2xf32>, %n: memref<2xf16>) { memref.copy %m, %n : memref<2xf32> to memref<2xf16> return }",
        "'memref.copy' op requires the same element type for all operands",
    ),
    (
        "func.func @a(%m: memref<2xf32>) { %0 = memref.cast %m : memref<2xf32> to memref<3xf32> return }",
        "'memref.cast' op operand type 'memref<2xf32>' and result type 'memref<3xf32>' are cast incompatible",
    ),
    (
        "func.func @a(%m: memref<2xf32, strided<[2]>>) { %0 = memref.cast %m : memref<2xf32, strided<[2]>> to memref<?xf32> return }",
        "'memref.cast' op operand type 'memref<2xf32, strided<[2]>>' and result type 'memref<?xf32>' are cast incompatible",
    ),
    (
        "func.func @a(%m: memref<2xf32>) { %0 = memref.cast %m : memref<2xf32> to memref<?xf32, 1> return }",
        "'memref.cast' op operand type 'memref<2xf32>' and result type 'memref<?xf32, 1>' are cast incompatible",
    ),
    (
        "func.func @a(%m: memref<*xf32>) { %0 = memref.cast %m : memref<*xf32> to memref<*xf32> return }",
        "'memref.cast' op operand type 'memref<*xf32>' and result type 'memref<*xf32>' are cast incompatible",
    ),
    (
        "func.func @a(%m: memref<2xf32>) { %0 = memref.memory_space_cast %m : memref<2xf32> to memref<3xf32, 1> return }",
        "'memref.memory_space_cast' op operand type 'memref<2xf32>' and result type 'memref<3xf32, 1>' are cast incompatible",
    ),
    (
        "func.func @a(%m: memref<2x3xf32>) { %0 = memref.collapse_shape %m [[0]] : memref<2x3xf32> into memref<6xf32> return }",
        "'memref.collapse_shape' op collapsed dim size (6) must equal reassociation group size (2)",
    ),
    (
        "func.func @a(%m: memref<2x3xf32>) { %0 = memref.collapse_shape %m [[0,1]] : memref<2x3xf32> into memref<5xf32> return }",
        "'memref.collapse_shape' op collapsed dim size (5) must equal reassociation group size (6)",
    ),
    (
        "func.func @a(%m: memref<2x3xf32>) { %0 = memref.collapse_shape %m [[0],[1],[]] : memref<2x3xf32> into memref<6xf32> return }",
        "'memref.collapse_shape' op invalid number of reassociation groups: found 3, expected 1",
    ),
    (
        "func.func @a(%m: memref<2x3xf32, strided<[4,1]>>) { %0 = memref.collapse_shape %m [[0,1]] : memref<2x3xf32, strided<[4,1]>> into memref<6xf32> return }",
        "'memref.collapse_shape' op invalid source layout map or collapsing non-contiguous dims",
    ),
    (
        "func.func @a(%m: memref<2x3xf32, strided<[3,1]>>) { %0 = memref.collapse_shape %m [[0,1]] : memref<2x3xf32, strided<[3,1]>> into memref<6xf32> return }",
        "'memref.collapse_shape' op expected collapsed type to be 'memref<6xf32, strided<[1]>>' but found 'memref<6xf32>'",
    ),
    (
        "func.func @a(%m: memref<6xf32>) { %0 = memref.expand_shape %m [[0,1]] output_shape [2, 3] : memref<6xf32> into memref<3x2xf32> return }",
        "'memref.expand_shape' op invalid output shape provided at pos 0",
    ),
    (
        "func.func @a(%m: memref<6xf32>) { %0 = memref.expand_shape %m [[0,1]] output_shape [2] : memref<6xf32> into memref<3x2xf32> return }",
        "'memref.expand_shape' op expected number of static shape bounds to be equal to the output rank (2) but found 1 inputs instead",
    ),
    (
        "func.func @a(%m: memref<6xf32>) { %0 = memref.expand_shape %m [[0,1]] output_shape [2, 3] : memref<6xf32> into memref<2x3xf32, strided<[4,1]>> return }",
        "'memref.expand_shape' op expected expanded type to be 'memref<2x3xf32>' but found 'memref<2x3xf32, strided<[4, 1]>>'",
    ),
    (
        "func.func @a(%m: memref<2x3xf32>) { %0 = memref.expand_shape %m [[0,1]] output_shape [6] : memref<2x3xf32> into memref<6xf32> return }",
        "'memref.expand_shape' op has source rank 2 and result rank 1. This is not an expansion (2 > 1).",
    ),
    (
        "func.func @a(%m: memref<6xf32>) { %0 = memref.collapse_shape %m [[0,1]] : memref<6xf32> into memref<2x3xf32> return }",
        "'memref.collapse_shape' op has source rank 1 and result rank 2. This is not a collapse (1 < 2).",
    ),
    (
        "func.func @a(%m: memref<8xf32>) { %0 = memref.subview %m[0][4][1] : memref<8xf32> to memref<4xf32, 1> return }",
        "different memory spaces specified for base memref type 'memref<8xf32>' and subview memref type 'memref<4xf32, 1>'",
    ),
    (
        "func.func @a(%m: memref<8xf32>) { %0 = memref.subview %m[0][4][1] : memref<8xf32> to memref<3xf32> return }",
        "expected result type to be 'memref<4xf32, strided<[1]>>' or a rank-reduced version. (mismatch of result sizes), but got 'memref<3xf32>'",
    ),
    (
        "func.func @a(%m: memref<8xf32>) { %0 = memref.subview %m[0][4][1] : memref<8xf32> to memref<4x1xf32> return }",
        "expected result rank to be smaller or equal to the source rank, but got 'memref<4x1xf32>'",
    ),
    (
        "func.func @a(%m: memref<8xf32>) { %0 = memref.subview %m[0][4][1] : memref<8xf32> to memref<4xf16> return }",
        "expected result element type to be 'f32', but got 'memref<4xf16>'",
    ),
    (
        "func.func @a(%m: memref<8xf32>) { %0 = memref.subview %m[1][4][1] : memref<8xf32> to memref<4xf32> return }",
        "expected result type to be 'memref<4xf32, strided<[1], offset: 1>>' or a rank-reduced version. (mismatch of result layout), but got 'memref<4xf32>'",
    ),
    (
        "func.func @a(%m: memref<8xf32>) { %0 = memref.subview %m[1][4][2] : memref<8xf32> to memref<4xf32, strided<[1], offset: 1>> return }",
        "expected result type to be 'memref<4xf32, strided<[2], offset: 1>>' or a rank-reduced version. (mismatch of result layout), but got 'memref<4xf32, strided<[1], offset: 1>>'",
    ),
    (
        "func.func @a(%m: memref<8xf32>) { %0 = memref.subview %m[5][4][1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 5>> return }",
        "slice along dimension 0 runs out-of-bounds: 8 >= 8",
    ),
    (
        "func.func @a(%m: memref<8xf32, affine_map<(d0) -> (d0 floordiv 2)>>) { %0 = memref.subview %m[5][4][1] : memref<8xf32, affine_map<(d0) -> (d0 floordiv 2)>> to memref<4xf32, strided<[1], offset: 5>> return }",
        "base type 'memref<8xf32, affine_map<(d0) -> (d0 floordiv 2)>>' is not strided",
    ),
    (
        "func.func @a(%m: memref<?xf32>) { %0 = memref.reinterpret_cast %m to offset: [0], sizes: [10], strides: [1] : memref<?xf32> to memref<10xf32, strided<[2], offset: 0>> return }",
        "expected result type with stride = 1 instead of 2 in dim = 0",
    ),
    (
        "func.func @a(%m: memref<?xf32>) { %0 = memref.reinterpret_cast %m to offset: [1], sizes: [10], strides: [1] : memref<?xf32> to memref<10xf32, strided<[1], offset: 0>> return }",
        "expected result type with offset = 1 instead of 0",
    ),
    (
        "func.func @a(%m: memref<?xf32>) { %0 = memref.reinterpret_cast %m to offset: [0], sizes: [11], strides: [1] : memref<?xf32> to memref<10xf32, strided<[1], offset: 0>> return }",
        "expected result type with size = 11 instead of 10 in dim = 0",
    ),
    (
        "func.func @a(%m: memref<?xf32>) { %0 = memref.reinterpret_cast %m to offset: [0], sizes: [10], strides: [1] : memref<?xf32> to memref<10xf16, strided<[1], offset: 0>> return }",
        "different element types specified for source type 'memref<?xf32>' and result memref type 'memref<10xf16, strided<[1]>>'",
    ),
    (
        "func.func @a(%m: memref<?xf32>) { %0 = memref.reinterpret_cast %m to offset: [0], sizes: [10], strides: [1] : memref<?xf32> to memref<10xf32, strided<[1], offset: 0>, 1> return }",
        "different memory spaces specified for source type 'memref<?xf32>' and result memref type 'memref<10xf32, strided<[1]>, 1>'",
    ),
    (
        "func.func @a(%m: memref<?xf32>) { %0 = memref.reinterpret_cast %m to offset: [0], sizes: [10, 1], strides: [1] : memref<?xf32> to memref<10xf32, strided<[1], offset: 0>> return }",
        "expected mixed sizes rank to match mixed strides rank (2 vs 1) so the rank of the result type is well-formed.",
    ),
    (
        "func.func @a(%m: memref<?xf32>) { %0 = memref.reinterpret_cast %m to offset: [0, 1], sizes: [10], strides: [1] : memref<?xf32> to memref<10xf32, strided<[1], offset: 0>> return }",
        "expected mixed offsets rank to match mixed sizes rank (2 vs 1) so the rank of the result type is well-formed.",
    ),
    (
        "func.func @a(%m: memref<2xf32>, %s: memref<1xi32>) { %0 = memref.reshape %m(%s) : (memref<2xf32>, memref<1xi32>) -> memref<3x2xf32> return }",
        "'memref.reshape' op length of shape operand differs from the result's memref rank",
    ),
    (
        "func.func @a(%m: memref<2xf32>, %s: memref<?xi32>) { %0 = memref.reshape %m(%s) : (memref<2xf32>, memref<?xi32>) -> memref<2xf32> return }",
        "'memref.reshape' op cannot use shape operand with dynamic length to reshape to statically-ranked memref type",
    ),
    (
        "func.func @a(%m: memref<2xf32>, %s: memref<1xi32>) { %0 = memref.reshape %m(%s) : (memref<2xf32>, memref<1xi32>) -> memref<?xf16> return }",
        "'memref.reshape' op element types of source and destination memref types should be the same",
    ),
    (
        "func.func @a(%m: memref<2xf32, strided<[2]>>, %s: memref<1xi32>) { %0 = memref.reshape %m(%s) : (memref<2xf32, strided<[2]>>, memref<1xi32>) -> memref<?xf32> return }",
        "'memref.reshape' op source memref type should have identity affine map",
    ),
    (
        "func.func @a(%m: memref<2xf32>, %s: memref<1xi32>) { %0 = memref.reshape %m(%s) : (memref<2xf32>, memref<1xi32>) -> memref<?xf32, strided<[2]>> return }",
        "'memref.reshape' op result memref type should have identity affine map",
    ),
    (
        "func.func @a(%m: memref<2x3xf32>) { %0 = memref.transpose %m (i, j) -> (j, i) : memref<2x3xf32> to memref<3x2xf32> return }",
        "'memref.transpose' op result type 'memref<3x2xf32>' is not equivalent to the canonical transposed input type 'memref<3x2xf32, affine_map<(d0, d1) -> (d0 + d1 * 3)>>'",
    ),
    (
        "func.func @a(%m: memref<2x3xf32>) { %0 = memref.transpose %m (i, j) -> (i, i) : memref<2x3xf32> to memref<3x2xf32> return }",
        "'memref.transpose' op expected a permutation map",
    ),
    (
        "func.func @a(%m: memref<2x3xf32>) { %0 = memref.transpose %m (i) -> (i) : memref<2x3xf32> to memref<3x2xf32> return }",
        "'memref.transpose' op expected a permutation map of same rank as the input",
    ),
    (
        "func.func @a(%m: memref<8xi8>, %i: index) { %0 = memref.view %m[%i][%i] : memref<8xi8> to memref<3xf32> return }",
        "'memref.view' op incorrect number of dynamic sizes, has 1, expected 0",
    ),
    (
        "func.func @a(%m: memref<8xi8>, %i: index) { %0 = memref.view %m[%i][] : memref<8xi8> to memref<3xf32, 1> return }",
        "different memory spaces specified for base memref type 'memref<8xi8>' and view memref type 'memref<3xf32, 1>'",
    ),
    (
        "func.func @a(%m: memref<8xi8>, %i: index) { %0 = memref.view %m[%i][] : memref<8xi8> to memref<3xf32, strided<[2]>> return }",
        "unsupported map for result memref type 'memref<3xf32, strided<[2]>>'",
    ),
    (
        "func.func @a(%m: memref<8xf32>, %i: index) { %0 = memref.view %m[%i][] : memref<8xf32> to memref<3xf32> return }",
        "'memref.view' op operand #0 must be 1D memref of 8-bit signless integer values, but got 'memref<8xf32>'",
    ),
    (
        "func.func @a(%m: memref<8xf32>, %i: index) { %0 = memref.realloc %m(%i) : memref<8xf32> to memref<9xf32> return }",
        "unnecessary dimension operand for result type 'memref<9xf32>'",
    ),
    (
        "func.func @a(%m: memref<8xf32>, %i: index) { %0 = memref.realloc %m : memref<8xf32> to memref<?xf32> return }",
        "missing dimension operand for result type 'memref<?xf32>'",
    ),
    (
        "func.func @a(%m: memref<8xf32>, %i: index) { %0 = memref.realloc %m : memref<8xf32> to memref<9xf16> return }",
        "different element types specified for source memref type 'memref<8xf32>' and result memref type 'memref<9xf16>'",
    ),
    (
        "func.func @a(%m: memref<8xf32>, %i: index) { %0 = memref.realloc %m : memref<8xf32> to memref<9xf32, 1> return }",
        "different memory spaces specified for source memref type 'memref<8xf32>' and result memref type 'memref<9xf32, 1>'",
    ),
    (
        "func.func @a(%m: memref<8xf32, strided<[2]>>, %i: index) { %0 = memref.realloc %m : memref<8xf32, strided<[2]>> to memref<9xf32> return }",
        "unsupported layout for source memref type 'memref<8xf32, strided<[2]>>'",
    ),
    (
        "func.func @a(%m: memref<8xf32>, %i: index) { %0 = memref.realloc %m : memref<8xf32> to memref<9xf32, strided<[2]>> return }",
        "unsupported layout for result memref type 'memref<9xf32, strided<[2]>>'",
    ),
    (
        "func.func @a() { %0 = memref.get_global @x : memref<2xf32> return }",
        "'memref.get_global' op 'x' does not reference a valid global memref",
    ),
    (
        """memref.global @x : memref<3xf32>
func.func @a() { %0 = memref.get_global @x : memref<2xf32> return }""",
        "'memref.get_global' op result type 'memref<2xf32>' does not match type 'memref<3xf32>' of the global memref @x",
    ),
    (
        "memref.global @x : memref<?xf32>",
        "custom op 'memref.global' type should be static shaped memref, but got 'memref<?xf32>'",
    ),
    (
        "memref.global @x : memref<2xf32> = 3 : i32",
        "integer literal not valid for specified type",
    ),
    (
        "memref.global @x : i32",
        "custom op 'memref.global' type should be static shaped memref, but got 'i32'",
    ),
    (
        "func.func @a(%m: memref<8xf32>, %i: index) { memref.prefetch %m[%i], read, locality<4>, data : memref<8xf32> return }",
        "'memref.prefetch' op attribute 'localityHint' failed to satisfy constraint: 32-bit signless integer attribute whose minimum value is 0 whose maximum value is 3",
    ),
    (
        "func.func @a(%m: memref<8xf32>, %i: index) { memref.prefetch %m[%i,%i], read, locality<3>, data : memref<8xf32> return }",
        "'memref.prefetch' op too few indices",
    ),
    (
        "func.func @a(%m: memref<8xf32>, %i: index) { memref.prefetch %m[%i], rad, locality<3>, data : memref<8xf32> return }",
        "custom op 'memref.prefetch' rw specifier has to be 'read' or 'write'",
    ),
    (
        "func.func @a(%m: memref<8xf32>, %i: index) { memref.prefetch %m[%i], read, locality<3>, dta : memref<8xf32> return }",
        "custom op 'memref.prefetch' cache type has to be 'data' or 'instr'",
    ),
    (
        "func.func @a(%m: memref<8xf32>, %i: index, %f: f32) { memref.atomic_rmw addi %f, %m[%i] : (f32, memref<8xf32>) -> f32 return }",
        "'memref.atomic_rmw' op with kind 'addi' expects an integer type",
    ),
    (
        "func.func @a(%m: memref<8xi32>, %i: index, %f: i32) { memref.atomic_rmw addf %f, %m[%i] : (i32, memref<8xi32>) -> i32 return }",
        "'memref.atomic_rmw' op with kind 'addf' expects a floating-point type",
    ),
    (
        "func.func @a(%m: memref<8xf32>, %i: index, %f: f32) { memref.atomic_rmw addf %f, %m[%i,%i] : (f32, memref<8xf32>) -> f32 return }",
        "'memref.atomic_rmw' op expects the number of subscripts to be equal to memref rank",
    ),
    (
        "func.func @a(%m: memref<8xf32>, %i: index, %f: f32) { %0 = memref.generic_atomic_rmw %m[%i] : memref<8xf32> { ^bb0(%x: f16): memref.atomic_yield %x : f16 } return }",
        "'memref.generic_atomic_rmw' op expected block argument of the same type result type",
    ),
    (
        "func.func @a(%m: memref<8xf32>, %i: index, %f: f32) { %0 = memref.generic_atomic_rmw %m[%i] : memref<8xf32> { ^bb0(%x: f32): %i2 = arith.constant 1 : i32 memref.atomic_yield %i2 : i32 } return }",
        "'memref.atomic_yield' op types mismatch between yield op: 'i32' and its parent: 'f32'",
    ),
    (
        "func.func @a(%m: memref<8xf32>, %i: index, %f: f32) { %0 = memref.generic_atomic_rmw %m[%i] : memref<8xf32> { ^bb0(%x: f32): %q = memref.alloc() : memref<1xf32> memref.atomic_yield %x : f32 } return }",
        "body of 'memref.generic_atomic_rmw' should contain only operations with no side effects",
    ),
    (
        "func.func @a(%m: memref<8xf32>) { %0 = memref.assume_alignment %m, 3 : memref<8xf32> return }",
        "'memref.assume_alignment' op alignment must be power of 2",
    ),
    (
        'func.func @a() { "memref.distinct_objects"() : () -> () return }',
        "'memref.distinct_objects' op expected at least one operand",
    ),
    (
        "func.func @a(%m: memref<f32>, %i: index) { %0 = memref.dim %m, %i : memref<f32> return }",
        "'memref.dim' op operand #0 must be unranked.memref of any type values or non-0-ranked.memref of any type values, but got 'memref<f32>'",
    ),
    (
        "func.func @a(%m: memref<2x3xf32, affine_map<(i,j)->(i floordiv 2, j)>>, %i: index) { %b, %o, %s:2, %st:2 = memref.extract_strided_metadata %m : memref<2x3xf32, affine_map<(i,j)->(i floordiv 2, j)>> -> memref<f32>, index, index, index, index, index return }",
        "'memref.extract_strided_metadata' op operand #0 must be strided memref of any type values, but got 'memref<2x3xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>'",
    ),
    (
        "func.func @a(%m: memref<2x3xf32>, %i: index) { %b, %o, %s, %st = memref.extract_strided_metadata %m : memref<2x3xf32> -> memref<f32>, index, index, index return }",
        "'memref.extract_strided_metadata' op inferred type(s) 'memref<f32>', 'index', 'index', 'index', 'index', 'index' are incompatible with return type(s) of operation 'memref<f32>', 'index', 'index', 'index'",
    ),
    (
        "func.func @a(%m: memref<2xf32>) { memref.alloca_scope.return }",
        "'memref.alloca_scope.return' op expects parent op 'memref.alloca_scope'",
    ),
    (
        "func.func @a(%m: memref<2xf32>) { memref.dealloc %m : memref<3xf32> return }",
        "use of value '%m' expects different type than prior uses: 'memref<3xf32>' vs 'memref<2xf32>'",
    ),
]


@pytest.mark.parametrize(("text", "message"), REJECTED)
def test_rejected_with_the_message_of_mlir_opt(
    first_error: Callable[[str], str], text: str, message: str
) -> None:
    assert first_error(text).partition("\n")[0] == message


PAST = """
func.func @f(%a: memref<?x?xf32>, %b: memref<?x?x?xf32>, %n: index) -> memref<4x4xf32, strided<[?, 1], offset: ?>> {{
  %0 = memref.subview %a[0, 0] [4, 4] [1, 1] : memref<?x?xf32> to memref<4x4xf32, strided<[?, 1], offset: {0}>>
  %1 = memref.subview %0[0, 1] [1, 2] [1, 1] : memref<4x4xf32, strided<[?, 1], offset: {0}>> to memref<2xf32, strided<[1], offset: {1}>>
  %x = memref.subview %1[1] [1] [1] : memref<2xf32, strided<[1], offset: {1}>> to memref<1xf32, strided<[1], offset: {2}>>
  %2 = memref.load %x[%n] : memref<1xf32, strided<[1], offset: {2}>>
  %3 = memref.subview %b[0, 0, 2] [1, %n, 1] [1, 1, 1] : memref<?x?x?xf32> to memref<?xf32, strided<[?], offset: {2}>>
  linalg.fill ins(%2 : f32) outs(%3 : memref<?xf32, strided<[?], offset: {2}>>)
"""


def test_subviews_typed_as_until_mlir_19_get_the_types_of_today():
    returned = "  return %0 : memref<4x4xf32, strided<[?, 1], offset: ?>>\n}\n"
    cast = (
        "  %9 = memref.cast %0 : memref<4x4xf32, strided<[?, 1]>> to memref<4x4xf32, strided<[?, 1], offset: ?>>\n"
        "  return %9 : memref<4x4xf32, strided<[?, 1], offset: ?>>\n}\n"
    )
    past = parse_text(PAST.format("?", "?", "?") + returned)
    verify(past)
    today = parse_text(PAST.replace(", offset: {0}", "").format("", 1, 2) + cast)
    verify(today)
    assert str(past) == str(today)


def test_a_subview_typed_as_in_no_year_is_refused():
    module = parse_text("""
    func.func @f(%a: memref<8x8xf32>) {
      %0 = memref.subview %a[0, 1] [4, 4] [1, 1] : memref<8x8xf32> to memref<4x4xf32, strided<[8, 1], offset: ?>>
      return
    }
    """)
    with pytest.raises(BufferizeError, match="mismatch of result layout"):
        verify(module)
