# ruff: noqa: W291  (trailing white space is part of the notation)
"""The `scf` dialect: notation, and what is rejected.

The expected texts and messages are those of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable

import bufferize
import pytest

PROGRAM = """\
module {
  func.func @f(%arg0: f64, %arg1: i32, %arg2: index, %arg3: i1, %arg4: tensor<?xf64>, %arg5: i32) {
    scf.for %arg6 = %arg2 to %arg2 step %arg2 {
    }
    scf.for %arg6 = %arg2 to %arg2 step %arg2 {
    }
    scf.for %arg6 = %arg2 to %arg2 step %arg2 {
      "test.foo"() : () -> ()
    }
    scf.for %arg6 = %arg5 to %arg5 step %arg5  : i32 {
      "test.foo"() : () -> ()
    } {foo}
    scf.for unsigned %arg6 = %arg5 to %arg5 step %arg5  : i32 {
      "test.foo"() : () -> ()
    } {foo}
    %0:2 = scf.for %arg6 = %arg2 to %arg2 step %arg2 iter_args(%arg7 = %arg4, %arg8 = %arg0) -> (tensor<?xf64>, f64) {
      scf.yield %arg7, %arg8 : tensor<?xf64>, f64
    }
    %1 = scf.if %arg3 -> (f64) {
      scf.yield %arg0 : f64
    } else {
      scf.yield %arg0 : f64
    }
    %2 = scf.if %arg3 -> (f64) {
      scf.yield %arg0 : f64
    } else {
      scf.yield %arg0 : f64
    } {foo}
    scf.if %arg3 {
    }
    scf.if %arg3 {
    } else {
    }
    scf.if %arg3 {
    } else {
    } {foo}
    scf.if %arg3 {
    } else {
      "test.x"() : () -> ()
    }
    %3 = scf.while (%arg6 = %arg0) : (f64) -> f64 {
      scf.condition(%arg3) %arg6 : f64
    } do {
    ^bb0(%arg6: f64):
      scf.yield %arg6 : f64
    }
    %4:2 = scf.while (%arg6 = %arg0, %arg7 = %arg1) : (f64, i32) -> (f64, f64) {
      scf.condition(%arg3) %arg6, %arg6 : f64, f64
    } do {
    ^bb0(%arg6: f64, %arg7: f64):
      scf.yield %arg6, %arg1 : f64, i32
    } attributes {foo}
    scf.while : () -> () {
      scf.condition(%arg3)
    } do {
      scf.yield
    }
    scf.while : () -> () {
      scf.condition(%arg3)
    } do {
      scf.yield
    }
    scf.parallel (%arg6, %arg7) = (%arg2, %arg2) to (%arg2, %arg2) step (%arg2, %arg2) {
      scf.reduce 
    }
    scf.parallel (%arg6, %arg7) = (%arg2, %arg2) to (%arg2, %arg2) step (%arg2, %arg2) {
      scf.reduce 
    } {foo}
    scf.parallel (%arg6, %arg7) = (%arg2, %arg2) to (%arg2, %arg2) step (%arg2, %arg2) {
      scf.reduce 
    }
    %5 = scf.parallel (%arg6) = (%arg2) to (%arg2) step (%arg2) init (%arg0) -> f64 {
      scf.reduce(%arg0 : f64) {
      ^bb0(%arg7: f64, %arg8: f64):
        %11 = arith.addf %arg7, %arg8 : f64
        scf.reduce.return %11 : f64
      }
    }
    %6:2 = scf.parallel (%arg6) = (%arg2) to (%arg2) step (%arg2) init (%arg0, %arg1) -> (f64, i32) {
      scf.reduce(%arg0, %arg1 : f64, i32) {
      ^bb0(%arg7: f64, %arg8: f64):
        %11 = arith.addf %arg7, %arg8 : f64
        scf.reduce.return %11 : f64
      }, {
      ^bb0(%arg7: i32, %arg8: i32):
        scf.reduce.return %arg7 : i32
      }
    }
    %7 = scf.forall (%arg6, %arg7) in (4, %arg2) shared_outs(%arg8 = %arg4) -> (tensor<?xf64>) {
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %arg4 into %arg8[%arg6] [%arg2] [1] : tensor<?xf64> into tensor<?xf64>
      }
    }
    scf.forall (%arg6, %arg7) in (4, %arg2) {
    }
    scf.forall (%arg6) in (4) {
    } {mapping = [#gpu.thread<x>]}
    scf.forall (%arg6, %arg7) = (%arg2, 0) to (4, %arg2) step (1, 2) {
      "test.x"() : () -> ()
    } {foo, mapping = [#gpu.thread<x>, #gpu.thread<y>]}
    scf.forall (%arg6) in (4) {
    }
    %8 = scf.execute_region -> f64 {
      scf.yield %arg0 : f64
    }
    scf.execute_region {
      scf.yield
    }
    scf.execute_region no_inline {
      scf.yield
    } {foo}
    scf.execute_region {
      cf.br ^bb1
    ^bb1:  // pred: ^bb0
      scf.yield
    }
    %9 = scf.index_switch %arg2 -> f64 
    case 2 {
      scf.yield %arg0 : f64
    }
    case 5 {
      scf.yield %arg0 : f64
    }
    default {
      scf.yield %arg0 : f64
    }
    %10:2 = scf.index_switch %arg2 {foo} -> f64, f64 
    case 2 {
      scf.yield %arg0, %arg0 : f64, f64
    }
    default {
      scf.yield %arg0, %arg0 : f64, f64
    }
    scf.index_switch %arg2 
    default {
    }
    scf.index_switch %arg2 
    case 4 {
      scf.yield
    }
    default {
    }
    return
  }
}
"""


def test_prints_as_written(round_trip: Callable[[str], str]):
    assert round_trip(PROGRAM) == PROGRAM


SIGNATURE = (
    "func.func @f(%a: f64, %b: i32, %i: index, %c: i1, %t: tensor<?xf64>, %m: memref<?xf32>, "
    "%u: tensor<4xf64>) {\n"
)
REJECTED = [
    (
        "scf.for %x = %a to %a step %a : f64 { }",
        "'scf.for' op operand #0 must be signless integer or index, but got 'f64'",
    ),
    (
        "%0 = scf.for %x = %i to %i step %i iter_args(%p = %t) -> tensor<?xf64> { scf.yield }",
        "'scf.for' op along control flow edge from Operation scf.yield to Region #0: region branch point has 0 operands, but region successor needs 1 inputs",
    ),
    (
        "%0:2 = scf.for %x = %i to %i step %i iter_args(%p = %t) -> (tensor<?xf64>, f64) { scf.yield %p, %a : tensor<?xf64>, f64}",
        "custom op 'scf.for' mismatch in number of loop-carried values and defined values",
    ),
    (
        "%0 = scf.for %x = %i to %i step %i iter_args(%p = %t) -> (tensor<?xf64>) { scf.yield %p, %p : tensor<?xf64>, tensor<?xf64> }",
        "'scf.for' op different number of region iter_args and yielded values: 1 != 2",
    ),
    (
        "%0 = scf.for %x = %i to %i step %i iter_args(%p = %t) -> (tensor<?xf64>) { scf.yield %a : f64 }",
        "'scf.for' op 0-th region iter_arg and 0-th yielded value have different type: 'tensor<?xf64>' != 'f64'",
    ),
    (
        '%0 = scf.for %x = %i to %i step %i iter_args(%p = %t) -> (tensor<?xf64>) { "x.x"() : () -> () }',
        "'scf.for' op along control flow edge from Operation scf.yield to Region #0: region branch point has 0 operands, but region successor needs 1 inputs",
    ),
    (
        "scf.for %x = %i to %i step %i { scf.yield %i : index }",
        "'scf.for' op different number of region iter_args and yielded values: 0 != 1",
    ),
    (
        '%0 = "scf.for"(%i, %i, %i) ({ ^bb0(%x: index): scf.yield }) : (index, index, index) -> (i32)',
        "'scf.for' op mismatch in number of loop-carried values and defined values",
    ),
    (
        '"scf.for"(%i, %i, %i) ({ ^bb0: scf.yield }) : (index, index, index) -> ()',
        "'scf.for' op different number of inits and region iter_args: 0 != 18446744073709551615",
    ),
    (
        '"scf.for"(%i, %i, %i) ({ ^bb0(%x: i32): scf.yield }) : (index, index, index) -> ()',
        "'scf.for' op expected induction variable to be same type as bounds and step",
    ),
    (
        '"scf.for"(%i, %i, %i, %a) ({ ^bb0(%x: index): scf.yield }) : (index, index, index, f64) -> ()',
        "'scf.for' op mismatch in number of loop-carried values and defined values",
    ),
    (
        '%0 = "scf.for"(%i, %i, %i, %a) ({ ^bb0(%x: index): scf.yield }) : (index, index, index, f64) -> (f64)',
        "'scf.for' op different number of inits and region iter_args: 1 != 0",
    ),
    (
        '%0 = "scf.for"(%i, %i, %i, %a) ({ ^bb0(%x: index, %y: f32): scf.yield }) : (index, index, index, f64) -> (f64)',
        "'scf.for' op 0-th init and 0-th region iter_arg have different type: 'f64' != 'f32'",
    ),
    (
        '%0 = "scf.for"(%i, %i, %i, %a) ({ ^bb0(%x: index, %y: f64): scf.yield %y: f64 }) : (index, index, index, f64) -> (f32)',
        "'scf.for' op 0-th region iter_arg and 0-th loop result have different type: 'f64' != 'f32'",
    ),
    (
        '"scf.for"(%i, %i, %i) ({ ^bb0(%x: index): "x.y"() : () -> () }) : (index, index, index) -> ()',
        "'scf.for' op expects regions to end with 'scf.yield', found 'x.y'",
    ),
    (
        '"scf.for"(%i, %i, %i) ({ }) : (index, index, index) -> ()',
        "'scf.for' op region #0 ('region') failed to verify constraint: region with 1 blocks",
    ),
    (
        '"scf.for"(%i, %i, %i) ({ ^bb0(%x: index): cf.br ^bb1 ^bb1: scf.yield }) : (index, index, index) -> ()',
        "'scf.for' op expects region #0 to have 0 or 1 blocks",
    ),
    (
        '"scf.for"(%i, %i, %i) ({ ^bb0(%x: index): "func.return"() : () -> () }) : (index, index, index) -> ()',
        "'func.return' op expects parent op 'func.func'",
    ),
    (
        '"scf.if"(%c) ({ }, { }) : (i1) -> ()',
        "'scf.if' op region #0 ('thenRegion') failed to verify constraint: region with 1 blocks",
    ),
    (
        '"scf.for"(%i, %i, %b) ({ ^bb0(%x: index): scf.yield }) : (index, index, i32) -> ()',
        "'scf.for' op failed to verify that all of {lowerBound, upperBound, step} have same type",
    ),
    (
        "scf.if %c { ^bb0(%x: i32): scf.yield }",
        "'scf.if' op region #0 should have no arguments",
    ),
    (
        "%0 = scf.if %c -> f64 { scf.yield %a : f64 }",
        "'scf.if' op must have an else block if defining values",
    ),
    (
        "%0 = scf.if %c -> f64 { scf.yield %a : f64 } else { }",
        "'scf.if' op along control flow edge from Operation scf.yield to parent: region branch point has 0 operands, but region successor needs 1 inputs",
    ),
    (
        "%0 = scf.if %c -> f64 { scf.yield %a : f64 } else { scf.yield %i: index }",
        "'scf.if' op along control flow edge from Operation scf.yield to parent: successor operand type #0 'index' should match successor input type #0 'f64'",
    ),
    (
        "%0 = scf.if %c -> f64 { scf.yield } else { scf.yield %a: f64 }",
        "'scf.if' op along control flow edge from Operation scf.yield to parent: region branch point has 0 operands, but region successor needs 1 inputs",
    ),
    (
        "scf.if %c { scf.yield %a : f64 }",
        "'scf.if' op along control flow edge from Operation scf.yield to parent: region branch point has 1 operands, but region successor needs 0 inputs",
    ),
    (
        '"scf.if"(%c) ({ scf.yield }) : (i1) -> ()',
        "'scf.if' op expected 2 regions",
    ),
    (
        '"scf.if"(%c) ({ "x.y"() : () -> () }, {}) : (i1) -> ()',
        "'scf.if' op expects regions to end with 'scf.yield', found 'x.y'",
    ),
    (
        "%0 = scf.while (%p = %a) : (f64) -> f64 { scf.condition(%c) %p : f64} do { ^bb0: scf.yield %a : f64 }",
        "'scf.while' op along control flow edge from Operation scf.condition to Region #1: region branch point has 1 operands, but region successor needs 0 inputs",
    ),
    (
        "%0 = scf.while (%p = %a) : (f64, f64) -> f64 { scf.condition(%c) %p : f64} do { ^bb0(%u: f64): scf.yield %a : f64 }",
        "custom op 'scf.while' expected as many input types as operands (expected 1 got 2)",
    ),
    (
        "%0 = scf.while (%p = %a) : f64 { scf.condition(%c) %p : f64} do { ^bb0(%u: f64): scf.yield }",
        "custom op 'scf.while' invalid kind of type specified: expected builtin.function, but found 'f64'",
    ),
    (
        '%0 = "scf.while"(%a) ({ ^bb0(%x: i32): scf.condition(%c) %a : f64 }, {^bb0(%x: f64): scf.yield %x : f64}) : (f64) -> f64',
        "'scf.while' op along control flow edge from parent to Region #0: successor operand type #0 'f64' should match successor input type #0 'i32'",
    ),
    (
        '%0 = "scf.while"(%a) ({ ^bb0: scf.condition(%c) %a : f64 }, {^bb0(%x: f64): scf.yield %x : f64}) : (f64) -> f64',
        "'scf.while' op along control flow edge from parent to Region #0: region branch point has 1 operands, but region successor needs 0 inputs",
    ),
    (
        '%0 = "scf.while"(%a) ({ }, {^bb0(%x: f64): scf.yield %x : f64}) : (f64) -> f64',
        "'scf.while' op region #0 ('before') failed to verify constraint: region with 1 blocks",
    ),
    (
        "scf.parallel (%x) = (%i, %i) to (%i) step (%i) { }",
        "custom op 'scf.parallel' expected 1 operands",
    ),
    (
        "scf.parallel () = () to () step () { }",
        "'scf.parallel' op needs at least one tuple element for lowerBound, upperBound and step",
    ),
    (
        "%0 = scf.parallel (%x) = (%i) to (%i) step (%i) init(%a) -> f64 { scf.reduce }",
        "'scf.parallel' op expects number of results: 1 to be the same as number of reductions: 0",
    ),
    (
        "%0:2 = scf.parallel (%x) = (%i) to (%i) step (%i) init(%a) -> (f64, f64) { scf.reduce }",
        "custom op 'scf.parallel' number of operands and types do not match: got 1 operands and 2 types",
    ),
    (
        "%0 = scf.parallel (%x) = (%i) to (%i) step (%i) init(%a) -> (f64) { scf.reduce(%b: i32) { ^bb0(%l: i32, %r: i32): scf.reduce.return %l : i32 } }",
        "'scf.reduce' op expects type of 0-th reduction operand: 'i32' to be the same as the 0-th result type: 'f64'",
    ),
    (
        "%0 = scf.parallel (%x) = (%i) to (%i) step (%i) init(%a) -> (f64) { scf.reduce(%a: f64) { ^bb0(%l: i32, %r: i32): scf.reduce.return %l : i32 } }",
        "'scf.reduce' op expected two block arguments with type 'f64' in the 0-th reduction region",
    ),
    (
        "%0 = scf.parallel (%x) = (%i) to (%i) step (%i) init(%a) -> (f64) { scf.reduce(%a: f64) { ^bb0(%l: f64, %r: f64): scf.reduce.return %b : i32 } }",
        "'scf.reduce.return' op must have type 'f64' (the type of the reduction inputs)",
    ),
    (
        "%0 = scf.parallel (%x) = (%i) to (%i) step (%i) init(%a) -> (f64) { scf.reduce(%a: f64) { ^bb0(%l: f64): scf.reduce.return %a : f64 } }",
        "'scf.reduce' op expected two block arguments with type 'f64' in the 0-th reduction region",
    ),
    (
        '%0 = scf.parallel (%x) = (%i) to (%i) step (%i) init(%a) -> (f64) { scf.reduce(%a: f64) { ^bb0(%l: f64, %r: f64): "x.y"() : () -> () } }',
        "'scf.reduce' op reduction bodies must be terminated with an 'scf.reduce.return' op",
    ),
    (
        "%0 = scf.parallel (%x) = (%i) to (%i) step (%i) init(%a) -> (f64) { scf.reduce(%a: f64) }",
        "'scf.parallel' op expects number of results: 1 to be the same as number of reductions: 0",
    ),
    (
        "%0 = scf.parallel (%x) = (%i) to (%i) step (%i) init(%a) -> (f64) { scf.reduce(%a: f64) {} }",
        "'scf.reduce' op region #0 ('reductions') failed to verify constraint: region with 1 blocks",
    ),
    (
        "%0 = scf.forall (%x) in (4, 5) shared_outs(%o = %t) -> (tensor<?xf64>) { scf.forall.in_parallel {} }",
        "expected 1 upper bound values, got 2",
    ),
    (
        "%0 = scf.forall (%x) in (4) shared_outs(%o = %a) -> (f64) { scf.forall.in_parallel {} }",
        "'scf.forall' op operand #0 must be variadic of ranked tensor of any type values, but got 'f64'",
    ),
    (
        "scf.forall (%x) in (4) shared_outs(%o = %t) { scf.forall.in_parallel {} }",
        "custom op 'scf.forall' number of operands and types do not match: got 1 operands and 0 types",
    ),
    (
        'scf.forall (%x) in (4) { "x.y"() : () -> () scf.yield }',
        "'scf.yield' op expects parent op to be one of 'scf.execute_region, scf.for, scf.if, scf.index_switch, scf.while'",
    ),
    (
        'scf.forall (%x) in (4) { "x.y"() : () -> () } {mapping = [1]}',
        "'scf.forall' op attribute 'mapping' failed to satisfy constraint: Device Mapping array attribute",
    ),
    (
        'scf.forall (%x) in (4) { "x.y"() : () -> () } {mapping = [#gpu.thread<x>, #gpu.thread<y>]}',
        "'scf.forall' op mapping attribute size must match op rank",
    ),
    (
        'scf.forall (%x) in (4) { scf.forall.in_parallel { "x.y"() : () -> ()} }',
        "'scf.forall.in_parallel' op expected only ParallelCombiningOpInterface ops",
    ),
    (
        "scf.forall (%x) = (0) to (4, 4) step (1) {  }",
        "expected 1 upper bound values, got 2",
    ),
    (
        "%0 = scf.execute_region -> f64 { scf.yield }",
        "'scf.execute_region' op along control flow edge from Operation scf.yield to parent: region branch point has 0 operands, but region successor needs 1 inputs",
    ),
    (
        "%0 = scf.execute_region -> f64 { scf.yield %i : index }",
        "'scf.execute_region' op along control flow edge from Operation scf.yield to parent: successor operand type #0 'index' should match successor input type #0 'f64'",
    ),
    (
        "scf.execute_region { }",
        "'scf.execute_region' op region needs to have at least one block",
    ),
    (
        "scf.execute_region { ^bb0(%x: i32): scf.yield }",
        "'scf.execute_region' op region cannot have any arguments",
    ),
    (
        '"scf.execute_region"() ({}) : () -> ()',
        "'scf.execute_region' op region needs to have at least one block",
    ),
    (
        "%0 = scf.index_switch %i -> f64 case 2 { scf.yield %a : f64 } case 2 { scf.yield %a : f64 } default { scf.yield %a : f64 }",
        "'scf.index_switch' op has duplicate case value: 2",
    ),
    (
        "%0 = scf.index_switch %i -> f64 case 2 { scf.yield } default { scf.yield %a : f64 }",
        "'scf.index_switch' op expected each region to return 1 values, but case region #0 returns 0",
    ),
    (
        "%0 = scf.index_switch %i -> f64 case 2 { scf.yield %i : index } default { scf.yield %a : f64 }",
        "'scf.index_switch' op expected result #0 of each region to be 'f64'",
    ),
    (
        '%0 = scf.index_switch %i -> f64 case 2 { scf.yield %a : f64 } default { "x.y"() : () -> () }',
        "'scf.index_switch' op expected each region to return 1 values, but default region returns 0",
    ),
    (
        "%0 = scf.index_switch %i -> f64 case 2 { scf.yield %a : f64 } ",
        "custom op 'scf.index_switch' expected 'default'",
    ),
    (
        '"scf.index_switch"(%i) <{cases = array<i64: 1, 2>}> ({ scf.yield }) : (index) -> ()',
        "'scf.index_switch' op has 0 case regions but 2 case values",
    ),
    (
        "scf.yield",
        "'scf.yield' op expects parent op to be one of 'scf.execute_region, scf.for, scf.if, scf.index_switch, scf.while'",
    ),
    (
        "scf.condition(%c)",
        "'scf.condition' op expects parent op 'scf.while'",
    ),
    (
        "scf.reduce.return %a : f64",
        "'scf.reduce.return' op expects parent op 'scf.reduce'",
    ),
    (
        '"x.r"() ({ scf.yield }) : () -> ()',
        "'scf.yield' op expects parent op to be one of 'scf.execute_region, scf.for, scf.if, scf.index_switch, scf.while'",
    ),
]


@pytest.mark.parametrize(("text", "message"), REJECTED, ids=[text for text, _ in REJECTED])
def test_rejects(text: str, message: str, first_error: Callable[[str], str]):
    assert first_error(SIGNATURE + text + "\nreturn\n}") == message


def test_a_loop_without_signs_is_not_counted_with_some():
    loop = (
        "func.func @f() {{ %a = arith.constant {} : i8 %b = arith.constant {} : i8 %c = arith.constant 1 : i8 "
        "scf.for {} %i = %a to %b step %c : i8 {{ scf.yield }} return }}"
    )
    counts = [
        next(
            op for op in bufferize.parse(loop.format(*parts)).walk() if op.name == "scf.for"
        ).static_trip_count()
        for parts in ((0, -56, "unsigned"), (-2, 3, "unsigned"), (-2, 3, ""), (0, 3, "unsigned"))
    ]
    assert counts == [None, None, 5, 3]
