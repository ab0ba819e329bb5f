"""Numbers: the `arith`, `math`, `complex`, `index` and `ub` dialects.

The expected texts and messages are those of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

PROGRAM = """\
module {
  func.func @f(%arg0: f64, %arg1: i32, %arg2: memref<3xi32>, %arg3: vector<4xf64>, %arg4: index, %arg5: i1, %arg6: vector<4xi1>, %arg7: tensor<?xf64>, %arg8: complex<f32>) {
    %0 = arith.truncf %arg0 to_nearest_even fastmath<nnan,ninf,nsz> {foo = 1 : i64} : f64 to f32
    %1 = arith.addi %arg1, %arg1 overflow<nsw, nuw> {foo} : i32
    %2 = arith.addi %arg1, %arg1 : i32
    %3 = arith.mulf %arg0, %arg0 fastmath<fast> : f64
    %4 = arith.mulf %arg0, %arg0 : f64
    %5 = arith.mulf %arg0, %arg0 fastmath<fast> : f64
    %6 = arith.cmpi slt, %arg1, %arg1 : i32
    %7 = arith.cmpi slt, %arg1, %arg1 : i32
    %8 = arith.cmpf ueq, %arg0, %arg0 : f64
    %9 = arith.select %arg5, %arg3, %arg3 : vector<4xf64>
    %10 = arith.select %arg6, %arg3, %arg3 : vector<4xi1>, vector<4xf64>
    %11 = arith.index_cast %arg2 : memref<3xi32> to memref<3xindex>
    %12 = arith.divui %arg1, %arg1 exact : i32
    %c3_i32 = arith.constant {foo = 1 : i64} 3 : i32
    %cst = arith.constant dense<1.000000e+00> : tensor<4xf32>
    %c-3_i64 = arith.constant -3 : i64
    %true = arith.constant true
    %cst_0 = arith.constant 1.000000e+00 : f32
    %c4 = arith.constant 4 : index
    %c-1 = arith.constant -1 : index
    %c4_i64 = arith.constant 4 : i64
    %cst_1 = arith.constant dense<true> : vector<4xi1>
    %sum, %overflow = arith.addui_extended %arg1, %arg1 : i32, i1
    %low, %high = arith.mulsi_extended %arg1, %arg1 : i32
    %true_2 = arith.constant true
    %cst_3 = arith.constant 4.000000e+00 : f64
    %cst_4 = complex.constant [1.000000e+00 : f32, 2.000000e+00 : f32] : complex<f32>
    %13 = ub.poison : i32
    %14 = ub.poison : f32
    %15 = math.fpowi %arg0, %arg1 : f64, i32
    %16 = math.clampf %arg0 to [%arg0, %arg0] : f64
    %sin, %cos = math.sincos %arg0 : f64
    %17 = math.isnan %arg3 : vector<4xf64>
    %18 = index.cmp slt(%arg4, %arg4)
    %idx4 = index.constant 4
    %true_5 = index.bool.constant true
    %19 = index.sizeof
    %20 = index.casts %arg4 : index to i32
    %21 = complex.powi %arg8, %arg1 : complex<f32>, i32
    %cst_6 = complex.constant [1.000000e+00 : f32, 2.000000e+00 : f32] {foo} : complex<f32>
    return
  }
}
"""


def test_prints_as_written(round_trip: Callable[[str], str]):
    assert round_trip(PROGRAM) == PROGRAM


REJECTED = [
    (
        'func.func @f(%a: i32, %f: f32) { %0 = "arith.addi"(%a, %f) : (i32, f32) -> i32 return }',
        "'arith.addi' op operand #1 must be signless-integer-like, but got 'f32'",
    ),
    (
        'func.func @f(%a: i32, %f: f32) { %0 = "arith.addi"(%a, %a) : (i32, i32) -> i64 return }',
        "'arith.addi' op requires the same type for all operands and results",
    ),
    (
        "func.func @f(%a: i32, %f: f32) { %0 = arith.addi %f, %f  : f32 return }",
        "'arith.addi' op operand #0 must be signless-integer-like, but got 'f32'",
    ),
    (
        "func.func @f(%a: i32, %f: f32) { %0 = arith.cmpi foo, %a, %a  : i32 return }",
        "custom op 'arith.cmpi' expected string or keyword containing one of the following enum values for attribute 'predicate' [eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge]",
    ),
    (
        "func.func @f(%a: i32, %f: f32) { %0 = arith.cmpi foo %a, %a  : i32 return }",
        "custom op 'arith.cmpi' expected string or keyword containing one of the following enum values for attribute 'predicate' [eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge]",
    ),
    (
        'func.func @f(%a: i32, %f: f32) { %0 = "arith.cmpi"(%a, %a) {predicate = 77 : i64} : (i32, i32) -> i1 return }',
        "'arith.cmpi' op attribute 'predicate' failed to satisfy constraint: allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9",
    ),
    (
        'func.func @f(%a: i32, %f: f32) { %0 = "arith.cmpi"(%a, %a) {predicate = 1 : i64} : (i32, i32) -> i2 return }',
        "'arith.cmpi' op result #0 must be bool-like, but got 'i2'",
    ),
    (
        'func.func @f(%a: i32, %f: f32) { %0 = "arith.cmpi"(%a, %a) {predicate = 1 : i64} : (i32, i32) -> vector<4xi1> return }',
        "'arith.cmpi' op failed to verify that result type has i1 element type and same shape as operands",
    ),
    (
        "func.func @f(%a: i32, %f: f32) { %0 = arith.constant 1 : f32 return }",
        "unexpected decimal integer literal for a floating point value",
    ),
    (
        'func.func @f(%a: i32, %f: f32) { %0 = arith.constant "foo" return }',
        "'arith.constant' op value must be an integer, float, or elements attribute",
    ),
    (
        "func.func @f(%a: i32, %f: f32) { %0 = arith.constant 1.0 : i32 return }",
        "floating point value not valid for specified type",
    ),
    (
        'func.func @f(%a: i32, %f: f32) { %0 = "arith.constant"() {value = 1 : i32} : () -> i64 return }',
        "'arith.constant' op failed to verify that all of {value, result} have same type",
    ),
    (
        'func.func @f(%a: i32, %f: f32) { %0 = "arith.constant"() {value = "x"} : () -> none return }',
        "'arith.constant' op value must be an integer, float, or elements attribute",
    ),
    (
        "func.func @f(%a: i32, %f: f32) { %0 = arith.constant dense<1> : vector<[4]xi32> \n %1 = arith.constant dense<[1,2,3,4]> : vector<[4]xi32> return }",
        "'arith.constant' op intializing scalable vectors with elements attribute is not supported unless it's a vector splat",
    ),
    (
        "func.func @f(%a: i32, %f: f32) { %0 = arith.extsi %a : i32 to i32 return }",
        "'arith.extsi' op operand type 'i32' and result type 'i32' are cast incompatible",
    ),
    (
        "func.func @f(%a: i32, %f: f32) { %0 = arith.extsi %a : i32 to i16 return }",
        "'arith.extsi' op operand type 'i32' and result type 'i16' are cast incompatible",
    ),
    (
        "func.func @f(%a: i32, %f: f32) { %0 = arith.trunci %a : i32 to i64 return }",
        "'arith.trunci' op operand type 'i32' and result type 'i64' are cast incompatible",
    ),
    (
        "func.func @f(%a: i32, %f: f32) { %0 = arith.truncf %f : f32 to f64 return }",
        "'arith.truncf' op operand type 'f32' and result type 'f64' are cast incompatible",
    ),
    (
        "func.func @f(%a: i32, %f: f32) { %0 = arith.extf %f : f32 to f16 return }",
        "'arith.extf' op operand type 'f32' and result type 'f16' are cast incompatible",
    ),
    (
        "func.func @f(%a: i32, %f: f32) { %0 = arith.sitofp %f : f32 to f16 return }",
        "'arith.sitofp' op operand #0 must be signless-fixed-width-integer-like, but got 'f32'",
    ),
    (
        "func.func @f(%a: i32, %f: f32) { %0 = arith.index_cast %a : i32 to i64 return }",
        "'arith.index_cast' op operand type 'i32' and result type 'i64' are cast incompatible",
    ),
    (
        "func.func @f(%a: i32, %f: f32) { %0 = arith.bitcast %a : i32 to f64 return }",
        "'arith.bitcast' op operand type 'i32' and result type 'f64' are cast incompatible",
    ),
    (
        "func.func @f(%a: i32, %f: f32) { %0 = arith.extsi %a : i32 to tensor<4xi64> return }",
        "'arith.extsi' op failed to verify that input and output have the same tensor dimensions",
    ),
    (
        "func.func @f(%a: tensor<4xi32>, %f: f32) { %0 = arith.extsi %a : tensor<4xi32> to tensor<5xi64> return }",
        "'arith.extsi' op failed to verify that input and output have the same tensor dimensions",
    ),
    (
        "func.func @f(%a: tensor<4xi32>, %f: f32) { %0 = arith.index_cast %a : tensor<4xi32> to tensor<?xindex> return }",
        "'arith.index_cast' op failed to verify that input and output have the same tensor dimensions",
    ),
    (
        "func.func @f(%a: tensor<4xi32>, %c: tensor<?xi1>) { %0 = arith.select %c, %a, %a : tensor<?xi1>, tensor<4xi32> return }",
        "'arith.select' op failed to verify that condition is signless i1 or has matching shape",
    ),
    (
        "func.func @f(%a: i32, %c: tensor<?xi1>) { %0 = arith.select %a, %a, %a : i32, i32 return }",
        "'arith.select' op operand #0 must be bool-like, but got 'i32'",
    ),
    (
        "func.func @f(%a: vector<4xi32>, %c: vector<3xi1>) { %0 = arith.select %c, %a, %a : vector<3xi1>, vector<4xi32> return }",
        "'arith.select' op failed to verify that condition is signless i1 or has matching shape",
    ),
    (
        "func.func @f(%a: i32, %f: f32) { %0 = arith.addf %f, %f fastmath<foo> : f32 return }",
        "custom op 'arith.addf' expected ::mlir::arith::FastMathFlags to be one of: none, reassoc, nnan, ninf, nsz, arcp, contract, afn, fast",
    ),
    (
        "func.func @f(%a: i32, %f: f32) { %0 = arith.addi %a, %a overflow<foo> : i32 return }",
        "custom op 'arith.addi' expected ::mlir::arith::IntegerOverflowFlags to be one of: none, nsw, nuw",
    ),
    (
        'func.func @f(%a: tensor<4xf32>, %b: tensor<5xf32>) { %0 = "arith.addf"(%a, %b) : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32> return }',
        "'arith.addf' op requires the same type for all operands and results",
    ),
    (
        'func.func @f(%a: i32) { "builtin.unrealized_conversion_cast"(%a): (i32) -> () return }',
        "'builtin.unrealized_conversion_cast' op expected at least one result for cast operation",
    ),
    (
        "func.func @f(%a: i32) {  %0 = math.sqrt %a : i32  return }",
        "'math.sqrt' op operand #0 must be floating-point-like, but got 'i32'",
    ),
]


@pytest.mark.parametrize(("text", "message"), REJECTED, ids=[text for text, _ in REJECTED])
def test_rejects(text: str, message: str, first_error: Callable[[str], str]):
    assert first_error(text) == message
