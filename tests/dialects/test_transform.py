"""Programs with scripts and device grids in them are read and printed as mlir-opt 22 does."""

import pytest
from bufferize.ir.text.parser import parse_text
from bufferize.ir.text.printer import print_module
from bufferize.ir.verifier import verify

NAMED = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %arg0 : (!transform.any_op) -> !transform.any_op
    %tiled_linalg_op, %loops:2 = transform.structured.tile_using_for %0 tile_sizes [4, [8]] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %1 = transform.structured.generalize %tiled_linalg_op : (!transform.any_op) -> !transform.any_op
    transform.foreach %1 : !transform.any_op {
    ^bb0(%arg1: !transform.any_op):
      transform.print %arg1 {name = "one"} : !transform.any_op
    }
    transform.yield
  }
}
"""
SEQUENCE = """\
module {
  transform.sequence  failures(propagate) {
  ^bb0(%arg0: !transform.any_op):
    %0 = transform.bufferization.one_shot_bufferize %arg0 {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.bufferization.eliminate_empty_tensors %0 : !transform.any_op
  }
}
"""
GRID = """\
module {
  shard.grid @grid(shape = 2x?x4)
  func.func @f(%arg0: tensor<4x8xf32>) -> tensor<4x16xf32> {
    %sharding = shard.sharding @grid split_axes = [[0], [1]] : !shard.sharding
    %sharding_annotated = shard.shard %arg0 to %sharding : tensor<4x8xf32>
    %all_gather = shard.all_gather %sharding_annotated on @grid grid_axes = [0] gather_axis = 1 : tensor<4x8xf32> -> tensor<4x16xf32>
    return %all_gather : tensor<4x16xf32>
  }
}
"""


@pytest.mark.parametrize("text", [NAMED, SEQUENCE, GRID])
def test_scripts_and_grids_are_read_and_printed(text):
    module = parse_text(text)
    verify(module)
    assert [line.rstrip() for line in print_module(module).rstrip().splitlines()] == text.splitlines()
    again = parse_text(print_module(module, generic=True))
    assert print_module(again) == print_module(module)
