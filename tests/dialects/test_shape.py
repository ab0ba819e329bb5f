"""The `shape` and `ml_program` dialects.

The expected texts and messages are those of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from bufferize.ir.source.diagnostics import VerifyError
from bufferize.ir.text.parser import parse_text
from bufferize.ir.verifier import verify

PROGRAM = """\
module {
  func.func @f(%arg0: vector<4xf32>, %arg1: f32, %arg2: vector<4x4xf32>, %arg3: !shape.shape, %arg4: index) {
    %head, %tail = "shape.split_at"(%arg3, %arg4) : (!shape.shape, index) -> (!shape.shape, !shape.shape)
    %0 = shape.const_shape [1, 2] : tensor<2xindex>
    %1 = shape.const_shape [1, 2] : !shape.shape
    %2 = shape.const_shape [] : !shape.shape
    %c4 = shape.const_size 4
    %3 = shape.const_witness true
    %4 = shape.assuming %3 -> (index) {
      shape.assuming_yield %arg4 : index
    }
    shape.assuming %3 {
    }
    %5 = shape.broadcast %0, %1 : tensor<2xindex>, !shape.shape -> !shape.shape
    %6 = shape.meet %0, %1, error = "foo" : tensor<2xindex>, !shape.shape -> !shape.shape
    %7 = shape.reduce(%0, %arg4) : tensor<2xindex> -> index {
    ^bb0(%arg5: index, %arg6: index, %arg7: index):
      shape.yield %arg7 : index
    }
    %8 = shape.any %0, %1 : tensor<2xindex>, !shape.shape -> !shape.shape
    %9 = shape.from_extents %arg4, %c4 : index, !shape.size
    %10 = shape.shape_of %arg0 : vector<4xf32> -> tensor<1xindex>
    %11 = shape.with_shape %arg0, %0 : vector<4xf32>, tensor<2xindex>
    %12 = shape.value_of %11 : tensor<4xf32>
    %13 = shape.dim %arg0, %arg4 : vector<4xf32>, index -> index
    %true = arith.constant true
    return
  }
  shape.function_library @lib {
    func @k(%arg0: !shape.value_shape) -> !shape.shape {
      %0 = shape_of %arg0 : !shape.value_shape -> !shape.shape
      return %0 : !shape.shape
    }
  } mapping {foo.bar = @k}
  ml_program.global public mutable @b(dense<4> : tensor<4xi32>) : tensor<4xi32>
  ml_program.global private @c(3 : i32) : i32
  ml_program.func @fu(%arg0: i32) -> i32 {
    %b = ml_program.global_load @b : tensor<4xi32>
    %c = ml_program.global_load_const @c : i32
    %0 = ml_program.token
    %result, %produceToken = ml_program.global_load_graph @b ordering(%0 -> !ml_program.token) : tensor<4xi32>
    ml_program.global_store @b = %b : tensor<4xi32>
    %1 = ml_program.global_store_graph @b = %b ordering(() -> !ml_program.token) : tensor<4xi32>
    ml_program.return %arg0 : i32
  }
  ml_program.subgraph @g(%arg0: i32) -> i32 {
    ml_program.output %arg0 : i32
  }
}
"""


def test_prints_as_written(round_trip: Callable[[str], str]):
    assert round_trip(PROGRAM) == PROGRAM


@pytest.mark.parametrize("type", ["tensor<?xindex>", "tensor<3xindex>"])
def test_a_constant_shape_has_its_extents(type: str) -> None:
    module = parse_text(f"func.func @f() {{\n%0 = shape.const_shape [1, 2] : {type}\nreturn\n}}")
    with pytest.raises(VerifyError, match="'tensor<2xindex>' are incompatible"):
        verify(module)
