"""The test dialect.

The expected text is that of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable

import bufferize
import pytest

PROGRAM = """\
module {
  func.func @a(%arg0: memref<4xf32>, %arg1: memref<4xf32>, %arg2: i32, %arg3: tensor<4xf32>, %arg4: index, %arg5: f32) {
    test.copy(%arg0, %arg1) : (memref<4xf32>, memref<4xf32>)
    test.copy(%arg0, %arg1) : (memref<4xf32>, memref<4xf32>) {a}
    test.buffer_based in(%arg0 : memref<4xf32>) out(%arg1 : memref<4xf32>) {a}
    test.region_buffer_based in(%arg0 : memref<4xf32>) out(%arg1 : memref<4xf32>) {
    ^bb0(%arg6: i32):
      test.region_yield %arg6 : i32
    } {a}
    %0 = test.tensor_based in(%arg3 : tensor<4xf32>) -> tensor<4xf32> {b}
    %1 = "test.make_tuple"(%arg3, %arg2) : (tensor<4xf32>, i32) -> tuple<tensor<4xf32>, i32>
    %2 = "test.get_tuple_element"(%1) <{index = 1 : i32}> : (tuple<tensor<4xf32>, i32>) -> i32
    %index, %memref = test.alloc_with_multiple_results : index, memref<64xf32>
    %3 = test.region_if %arg0: memref<4xf32> -> memref<4xf32> then {
    ^bb0(%arg6: memref<4xf32>):
      test.region_if_yield %arg6 : memref<4xf32>
    } else {
    ^bb0(%arg6: memref<4xf32>):
      test.region_if_yield %arg6 : memref<4xf32>
    } join {
    ^bb0(%arg6: memref<4xf32>):
      test.region_if_yield %arg6 : memref<4xf32>
    }
    %4 = test.loop_block %arg2 : (i32) -> f32 {
    ^bb0(%arg6: i32):
      test.loop_block_term iter %arg6 exit %arg5
    }
    %5 = test.isolated_one_region_op %arg2 {
    ^bb0(%arg6: i32):
      "test.finish"() : () -> ()
    } : i32 -> i32
    test.isolated_regions {
      "test.finish"() : () -> ()
    }, {
      "test.finish"() : () -> ()
    }
    test.alloca_scope_region {
      "test.finish"() : () -> ()
    }
    test.single_no_terminator_op : {
      "foo.x"() : () -> ()
    }
    test.graph_region {
      "foo.x"() : () -> ()
    }
    "test.ssacfg_region"() ({
      "test.finish"() : () -> ()
    }) : () -> ()
    test.affine_scope {
      "test.finish"() : () -> ()
    }
    "test.one_region_op"() ({
      "test.finish"() : () -> ()
    }) : () -> ()
    "test.SingleBlockImplicitTerminator"() ({
      "test.finish"() : () -> ()
    }) : () -> ()
    %6 = "test.always_speculatable_op"() : () -> i32
    %7 = "test.op_with_memread"() : () -> i32
    "test.op_with_memwrite"() : () -> ()
    %8 = "test.side_effect_op"() {effects = [{effect = "allocate", on_result, test_resource}]} : () -> i32
    %9 = test.destination_style_op ins(%arg3 : tensor<4xf32>) outs(%arg3 : tensor<4xf32>) -> tensor<4xf32>
    %10 = test.destination_style_op {a} ins(%arg3 : tensor<4xf32>) outs(%arg3 : tensor<4xf32>) (%arg2 : i32) -> tensor<4xf32>
    test.destination_style_op
    "test.op_norm"(%arg0, %arg0) : (memref<4xf32>, memref<4xf32>) -> ()
    "test.op_nonnorm"(%arg0, %arg0) : (memref<4xf32>, memref<4xf32>) -> ()
    %11 = "test.dummy_tensor_op"(%arg3) : (tensor<4xf32>) -> tensor<4xf32>
    %12 = "test.create_tensor_op"() : () -> !test.test_tensor<[32, 64], f64>
    %13 = "test.dummy_memref_op"(%arg0) : (memref<4xf32>) -> !test.test_memref<[32, 64], f64>
    %14 = test.graph_loop %arg2 {
      "foo.x"(%arg2) : (i32) -> ()
    } : (i32) -> i32
    %15 = "test.constant"() <{value = 3 : i32}> : () -> i32
    "test.internal_br"(%arg2, %arg2)[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 1>}> : (i32, i32) -> ()
  ^bb1(%16: i32):  // 3 preds: ^bb0, ^bb1, ^bb2
    "test.br"(%arg2)[^bb1] : (i32) -> ()
  ^bb2(%17: i32, %18: i32):  // pred: ^bb0
    "test.br"(%arg2)[^bb1] : (i32) -> ()
  }
  func.func @b(%arg0: i32) -> i32 {
    %0 = "test.producing_br"(%arg0, %arg0)[^bb1, ^bb1] <{operandSegmentSizes = array<i32: 1, 1>}> {foo} : (i32, i32) -> i32
  ^bb1(%1: i32):  // 2 preds: ^bb0, ^bb0
    return %1 : i32
  }
}
"""


def test_prints_as_written(round_trip: Callable[[str], str]):
    assert round_trip(PROGRAM) == PROGRAM


CARRIED = """
func.func @f(%t: !test.test_tensor<[4, 4], f64>, %n: index) -> !test.test_tensor<[4, 4], f64> {
  %r = scf.for %i = %n to %n step %n iter_args(%a = %t) -> (!test.test_tensor<[4, 4], f64>) {
    %u = "test.dummy_tensor_op"(%a) : (!test.test_tensor<[4, 4], f64>) -> !test.test_tensor<[4, 4], f64>
    scf.yield %u : !test.test_tensor<[4, 4], f64>
  }
  return %r : !test.test_tensor<[4, 4], f64>
}"""


@pytest.mark.parametrize("layout", ["infer-layout-map", "fully-dynamic-layout-map", "identity-layout-map"])
def test_a_loop_carries_a_tensor_of_another_dialect(layout):
    """mlir-opt 22 crashes here: it asks for the element type of a builtin tensor."""
    options = f"bufferize-function-boundaries allow-return-allocs-from-loops function-boundary-type-conversion={layout}"
    text = str(bufferize.opt(CARRIED, f"one-shot-bufferize{{{options}}}"))
    assert "iter_args(%arg3 = %arg0) -> (!test.test_memref<[4, 4], f64>)" in text


@pytest.mark.parametrize(
    ("tensor", "buffer"),
    [
        ("!test.test_tensor<[4], f32>", "!test.test_memref<[5], f32>"),
        ("!test.test_tensor<[4], f32>", "memref<4xf32>"),
        ("tensor<4xf32>", "!test.test_memref<[4], f32>"),
    ],
)
def test_tensor_and_buffer_of_another_dialect_belong_together(tensor, buffer):
    text = f"func.func @f(%t: {tensor}) {{\n  %b = bufferization.to_buffer %t : {tensor} to {buffer}\n  return\n}}"
    with pytest.raises(bufferize.BufferizeError, match="specified tensor and buffer types match"):
        bufferize.parse(text)
