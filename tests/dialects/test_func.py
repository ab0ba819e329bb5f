"""Functions, calls, branches and modules: notation, and what is rejected.

The expected texts and messages are those of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

PROGRAM = """\
module {
  func.func private @d(i32, f32 {x.a = 1 : i64}) -> (i32 {x.b}, f32)
  func.func private @d1(i32 {x.a}) -> i32 attributes {foo}
  func.func public @d2(%arg0: i32 {x.b}, %arg1: f32) -> (i32 {x.c}) attributes {no_inline, x.d} {
    return %arg0 : i32
  }
  func.func nested @d3() attributes {no_inline} {
    return
  }
  func.func @d4(%arg0: i32) -> (i32, i32) {
    return %arg0, %arg0 : i32, i32
  }
  func.func @"weird name"() {
    return {foo}
  }
  func.func @d5() -> (() -> ()) {
    %f = constant @d5x : () -> ()
    return %f : () -> ()
  }
  func.func @d5x() {
    return
  }
  func.func @d6(%arg0: (i32) -> i32, %arg1: i32) {
    %4 = call_indirect %arg0(%arg1) : (i32) -> i32
    %5:2 = call @d4(%arg1) : (i32) -> (i32, i32)
    %6:2 = call @d4(%arg1) {foo} : (i32) -> (i32, i32)
    %7 = call @d1(%arg1) {arg_attrs = [{x.k}], res_attrs = [{x.l}]} : (i32) -> i32
    %8 = call @d1(%arg1) {no_inline} : (i32) -> i32
    return
  }
  func.func @d7(%arg0: i32, %arg1: tensor<?xf32> {bufferization.writable = true}) {
    cf.br ^bb1(%arg0 : i32)
  ^bb1(%4: i32):  // 5 preds: ^bb0, ^bb1, ^bb3, ^bb3, ^bb4
    %true = arith.constant true
    cf.cond_br %true, ^bb1(%4 : i32), ^bb2
  ^bb2:  // 3 preds: ^bb1, ^bb2, ^bb3
    cf.cond_br %true weights([10, 20]), ^bb2, ^bb3 {foo}
  ^bb3:  // pred: ^bb2
    cf.switch %arg0 : i32, [
      default: ^bb1(%arg0 : i32),
      42: ^bb2,
      43: ^bb1(%arg0 : i32)
    ] {foo}
  ^bb4:  // no predecessors
    cf.switch %arg0 : i32, [
      default: ^bb1(%arg0 : i32)]
  ^bb5:  // no predecessors
    cf.assert %true, "foo\\0A bar" {foo}
    return
  }
  module @foo attributes {x.y} {
    func.func private @x()
  }
  module {
  }
  module attributes {x.foo} {
  }
  %0 = unrealized_conversion_cast to i32
  %1 = unrealized_conversion_cast %0 : i32 to f32
  %2:2 = unrealized_conversion_cast %0, %1 : i32, f32 to i64, f64 {foo}
  %3 = unrealized_conversion_cast %0 : i32 to f32
}
"""


def test_prints_as_written(round_trip: Callable[[str], str]):
    assert round_trip(PROGRAM) == PROGRAM


REJECTED = [
    (
        "func.func @f(%a: i32) -> f32 { return }",
        "'func.return' op has 0 operands, but enclosing function (@f) returns 1",
    ),
    (
        "func.func @f(%a: i32) { call @g(%a) : (i32) -> () return }",
        "'func.call' op 'g' does not reference a valid function",
    ),
    (
        "func.func @f(%a: i32) { call @f(%a, %a) : (i32, i32) -> () return }",
        "'func.call' op incorrect number of operands for callee",
    ),
    (
        "func.func @f(%a: f32) { func.call @g(%a) : (f32) -> () return }\nfunc.func private @g(i32)",
        "'func.call' op operand type mismatch: expected operand type 'i32', but provided 'f32' for operand number 0",
    ),
    (
        "func.func @f(%a: i32) { %0 = func.call @g(%a) : (i32) -> i32 return }\nfunc.func private @g(i32)",
        "'func.call' op incorrect number of results for callee",
    ),
    (
        "func.func @f(%a: i32) { %0 = func.call @g(%a) : (i32) -> i32 return }\nfunc.func private @g(i32) -> f32",
        "'func.call' op result type mismatch at index 0",
    ),
    (
        "func.func @f() { %0 = func.constant @g : () -> () return }",
        "'func.constant' op reference to undefined function 'g'",
    ),
    (
        "func.func @f() { %0 = func.constant @g : () -> () return }\nfunc.func private @g(i32) -> f32",
        "'func.constant' op reference to function with mismatched type",
    ),
    (
        "func.func @f() { %0 = func.constant @g : i32 return }\nfunc.func private @g(i32) -> f32",
        "'func.constant' op reference to function with mismatched type",
    ),
    (
        "func.func private @f(i32 {foo})",
        "'func.func' op arguments may only have dialect attributes",
    ),
    (
        "func.func @f(i32)",
        "'func.func' op symbol declaration cannot have public visibility",
    ),
    (
        "func.func public @f(i32)",
        "'func.func' op symbol declaration cannot have public visibility",
    ),
    (
        "func.func @f(%a: i32, f32) { return }",
        "custom op 'func.func' expected SSA identifier",
    ),
    (
        "func.func private @f(i32, %a: i32) ",
        "custom op 'func.func' expected type instead of SSA identifier",
    ),
    (
        '"func.func"() <{function_type = (i32) -> (), sym_name = "d"}> ({\n^bb0: \n  "func.return"() : () -> ()\n}) : () -> ()',
        "'func.func' op entry block must have 1 arguments to match function signature",
    ),
    (
        '"func.func"() <{function_type = (i32) -> (), sym_name = "d"}> ({\n^bb0(%x: f32): \n  "func.return"() : () -> ()\n}) : () -> ()',
        "'func.func' op type of entry block argument #0('f32') must match the type of the corresponding argument in function signature('i32')",
    ),
    (
        '"func.func"() <{function_type = i32, sym_name = "d"}> ({\n^bb0(%x: f32): \n  "func.return"() : () -> ()\n}) : () -> ()',
        "'func.func' op attribute 'function_type' failed to satisfy constraint: type attribute of function type",
    ),
    (
        '"func.func"() <{function_type = (i32) -> (), arg_attrs = [{}, {}], sym_name = "d", sym_visibility = "private"}> ({\n}) : () -> ()',
        "'func.func' op expects argument attribute array to have the same number of elements as the number of function arguments, got 2, but expected 1",
    ),
    (
        '"func.func"() <{function_type = (i32) -> (), arg_attrs = [1], sym_name = "d", sym_visibility = "private"}> ({\n}) : () -> ()',
        "'func.func' op attribute 'arg_attrs' failed to satisfy constraint: Array of dictionary attributes",
    ),
    (
        '"func.func"() <{function_type = (i32) -> (), res_attrs = [{}], sym_name = "d", sym_visibility = "private"}> ({\n}) : () -> ()',
        "'func.func' op expects result attribute array to have the same number of elements as the number of function results, got 1, but expected 0",
    ),
    (
        '"func.func"() <{function_type = (i32) -> i32, res_attrs = [{foo}], sym_name = "d", sym_visibility = "private"}> ({\n}) : () -> ()',
        "'func.func' op results may only have dialect attributes",
    ),
    (
        '"func.func"() <{function_type = (i32) -> i32, sym_name = "d", sym_visibility = "privat"}> ({\n}) : () -> ()',
        '\'func.func\' op visibility expected to be one of ["public", "private", "nested"], but got "privat"',
    ),
    (
        'func.func private @f(i32) attributes {sym_name = "g"}',
        "custom op 'func.func' 'sym_name' is an inferred attribute and should not be specified in the explicit attribute dictionary",
    ),
    (
        "func.func @f() { \n  func.func @g() { return }\n  return \n}",
        "'func.func' op symbol's parent must have the SymbolTable trait",
    ),
    (
        "func.func private @f() \nfunc.func private @f() ",
        "redefinition of symbol named 'f'",
    ),
    (
        "func.func @f(%a: i1) { cf.cond_br %a, ^bb1(%a: i1), ^bb1(%a : i1) \n^bb1(%x: i32): return }",
        "type mismatch for bb argument #0 of successor #0",
    ),
    (
        "func.func @f(%a: i1) { cf.cond_br %a, ^bb1, ^bb1\n^bb1(%x: i32): return }",
        "branch has 0 operands for successor #0, but target block has 1",
    ),
    (
        "func.func @f(%a: i1) { cf.br ^bb1(%a : i1)\n^bb1: return }",
        "branch has 1 operands for successor #0, but target block has 0",
    ),
    (
        "func.func @f(%a: i1) { cf.cond_br %a weights([1]), ^bb1, ^bb1\n^bb1: return }",
        "expects number of branch weights to match number of successors: 1 vs 2",
    ),
    (
        'func.func @f(%a: i32) { "cf.switch"(%a)[^bb1, ^bb1] <{case_values = dense<[1, 2]> : vector<2xi32>, case_operand_segments = array<i32: 0>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()\n^bb1: return }',
        "'cf.switch' op number of case values (2) should match number of case destinations (1)",
    ),
    (
        'func.func @f(%a: i32) { "cf.switch"(%a)[^bb1, ^bb1] <{case_values = dense<[1]> : vector<1xi64>, case_operand_segments = array<i32: 0>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()\n^bb1: return }',
        "'cf.switch' op 'flag' type ('i32') should match case value type ('i64')",
    ),
    (
        "func.func @f(%a: i32) { cf.switch %a : i32, [ 42: ^bb1 ]\n^bb1: return }",
        "custom op 'cf.switch' expected 'default'",
    ),
    (
        "func.func @f(%a: i32 {x.a, x.a}) -> i32 { return %a : i32 } ",
        "duplicate key 'x.a' in dictionary attribute",
    ),
]


@pytest.mark.parametrize(("text", "message"), REJECTED, ids=[text for text, _ in REJECTED])
def test_rejects(text: str, message: str, first_error: Callable[[str], str]):
    assert first_error(text) == message


def test_attributes_of_arguments_use_aliases_but_ask_for_none(round_trip: Callable[[str], str]):
    alone = """\
module {
  func.func @f(%arg0: tensor<?xf32> {x.layout = affine_map<(d0) -> (d0 + 5)>}) {
    return
  }
}
"""
    assert round_trip(alone) == alone
    defined_later = """\
#map = affine_map<(d0) -> (d0 + 5)>
module {
  func.func @f(%arg0: tensor<?xf32> {x.layout = #map}) {
    return
  }
  func.func private @g(memref<3xf32, #map>)
}
"""
    assert round_trip(defined_later) == defined_later
