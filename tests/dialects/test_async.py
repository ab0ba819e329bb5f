"""The `async` dialect: the forms that MLIR's definitions leave to C++."""

from bufferize.ir.text.parser import parse_text
from bufferize.ir.text.printer import print_operation

# as mlir-opt 22 prints it
PROGRAM = """\
module {
  func.func @f(%arg0: f32) {
    %token, %bodyResults = async.execute -> !async.value<f32> {
      async.yield %arg0 : f32
    }
    %token_0 = async.execute [%token, %token] (%bodyResults as %arg1: !async.value<f32>, %bodyResults as %arg2: !async.value<f32>) attributes {a = 1 : i64} {
      %0 = arith.addf %arg1, %arg2 : f32
      async.yield
    }
    %token_1, %bodyResults_2:2 = async.execute -> (!async.value<f32>, !async.value<f32>) {
      async.yield %arg0, %arg0 : f32, f32
    }
    return
  }
  async.func @g(%arg0: f32) -> (!async.token, !async.value<f32>) attributes {x} {
    return %arg0 : f32
  }
  async.func private @h(f32) -> !async.value<f32>
}
"""


def test_regions_and_functions() -> None:
    module = parse_text(PROGRAM)
    assert print_operation(module).rstrip() == PROGRAM.rstrip()
