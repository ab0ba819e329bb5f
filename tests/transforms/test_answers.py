"""What parts of passes answer where a whole program seldom shows it: each of these was once changed and nothing else noticed."""

import pytest
from bufferize import parse, run_passes
from bufferize.analysis.graphs import comes_before
from bufferize.analysis.liveness import Liveness
from bufferize.ir.defects import MLIR_22, mirrored
from bufferize.ir.program.core import Operation
from bufferize.transforms.canonicalize import Canonicalize
from bufferize.transforms.cse import Cse
from bufferize.transforms.fewest_copies.slice_forwarding import reduce_rank
from bufferize.transforms.freeing.buffer_deallocation import buffer_flow, last_use
from bufferize.transforms.pass_manager import Dumps


def first(module: Operation, name: str) -> Operation:
    return next(op for op in module.walk() if op.name == name)


def test_canonicalization_visits_in_textual_order_unless_told_otherwise():
    assert Canonicalize().top_down is True


@pytest.mark.parametrize(
    ("after", "failed", "shown"),
    [
        (None, True, True),
        (set(), True, False),
        ({"cse"}, True, True),
        ({"canonicalize"}, True, False),
        (None, False, True),
        (set(), False, False),
        ({"cse"}, False, True),
    ],
)
def test_what_is_dumped_behind_a_pass(after, failed, shown):
    written: list[str] = []
    module = parse("func.func @f() { return }")
    dumps = Dumps(written.append, str, after=after)
    dumps.leave(Cse(), module, (0,), failed)
    assert bool(written) is shown


def test_what_comes_before_what():
    module = parse(
        """
        func.func @f(%c: i1) {
          %a = arith.constant 1 : index
          scf.if %c {
            %b = arith.constant 2 : index
          }
          cf.cond_br %c, ^bb1, ^bb2
        ^bb1:
          %d = arith.constant 3 : index
          cf.br ^bb2
        ^bb2:
          %e = arith.constant 4 : index
          return
        }"""
    )
    a, b, d, e = (op for op in module.walk() if op.name == "arith.constant")
    pairs = {(x, y): comes_before(x, y) for x in (a, b, d, e) for y in (a, b, d, e)}
    before = {pair for pair, yes in pairs.items() if yes}
    assert before == {(a, b), (a, d), (a, e)}


@pytest.mark.parametrize(
    ("size", "collapsed", "changed"),
    [("1, 4", "4", 1), ("2, 4", "8", 0), ("4, 1", "4", 1), ("4, %n", "?", 0), ("1, %n", "?", 1)],
)
def test_slices_lose_only_dimensions_of_size_one(size, collapsed, changed):
    kept = "x".join(size.replace("%n", "?").split(", "))
    module = parse(
        f"""
        func.func @f(%t: tensor<8x8xf32>, %n: index) -> tensor<{collapsed}xf32> {{
          %s = tensor.extract_slice %t[0, 0] [{size}] [1, 1] : tensor<8x8xf32> to tensor<{kept}xf32>
          %c = tensor.collapse_shape %s [[0, 1]] : tensor<{kept}xf32> into tensor<{collapsed}xf32>
          return %c : tensor<{collapsed}xf32>
        }}"""
    )
    assert sum(reduce_rank(op) for op in list(module.walk())) == changed


FLOW = """
func.func @f(%c: i1, %m: memref<4xf32>, %n: memref<4xf32>) {
  %s = arith.select %c, %m, %n : memref<4xf32>
  %base, %offset, %size, %stride = memref.extract_strided_metadata %m : memref<4xf32> -> memref<f32>, index, index, index
  return
}"""


@pytest.mark.parametrize("mirror", [False, True])
def test_which_results_may_be_the_buffer_of_an_operand(mirror):
    module = parse(FLOW)
    m = first(module, "func.func").regions[0].entry.args[1]
    names = {
        value.defining_op.name
        for value in buffer_flow(module, mirrored(MLIR_22 if mirror else None)).resolve(m)
        if value.defining_op
    }
    assert names == {"arith.select"} | (set() if mirror else {"memref.extract_strided_metadata"})


def test_what_lives_on_is_used_to_the_end_of_the_block():
    module = parse(
        """
        func.func @f(%c: i1, %i: index) -> f32 {
          %m = memref.alloc() : memref<4xf32>
          cf.br ^bb1
        ^bb1:
          %x = arith.constant 1.0 : f32
          cf.br ^bb2
        ^bb2:
          %y = memref.load %m[%i] : memref<4xf32>
          return %y : f32
        }"""
    )
    function = first(module, "func.func")
    m = first(module, "memref.alloc").results[0]
    liveness = Liveness(function, lambda value: value is m)
    start, middle, end = function.regions[0]
    assert last_use([m], start, liveness) == (start.last_op, True)
    assert last_use([m], middle, liveness) == (middle.last_op, True)
    assert last_use([m], end, liveness) == (first(module, "memref.load"), True)


RECURSIVE = """
func.func private @again(%n: index) {
  %c0 = arith.constant 0 : index
  %f = arith.constant 1.0 : f32
  %m = memref.alloc() : memref<4xf32>
  memref.store %f, %m[%c0] : memref<4xf32>
  %x = memref.load %m[%c0] : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  CALL
  return
}
func.func @f(%n: index) {
  func.call @again(%n) : (index) -> ()
  return
}"""


@pytest.mark.parametrize(
    ("call", "inputs"), [("", 2), ("func.call @again(%n) : (index) -> ()", 1)], ids=["once", "recursive"]
)
def test_a_recursive_function_is_given_no_arena(call, inputs):
    module = parse(RECURSIVE.replace("CALL", call))
    run_passes(module, "plan-memory{arena=argument}")
    function = first(module, "func.func")
    assert len(function.regions[0].entry.args) == inputs


REUSED = """
func.func private @make() -> memref<4xf32>
func.func @f(%m: memref<4xf32>, %i: index, %f: f32) -> memref<4xf32> {
  MADE
  memref.dealloc %b : memref<4xf32>
  %a = memref.alloc() ALIGNED : memref<4xf32>
  memref.store %f, %a[%i] : memref<4xf32>
  return %a : memref<4xf32>
}"""


@pytest.mark.parametrize(
    ("buffer", "aligned", "reused"),
    [
        ("%m", "", True),
        ("%m", "{alignment = 64 : i64}", False),
        ("call", "", False),
        ("memref.alloc()", "", True),
        ("memref.alloc()", "{alignment = 64 : i64}", False),
        ("memref.alloc() {alignment = 64 : i64}", "{alignment = 64 : i64}", True),
    ],
)
def test_which_buffers_are_used_again(buffer, aligned, reused):
    made = (
        "%b = func.call @make() : () -> memref<4xf32>"
        if buffer == "call"
        else f"%b = {buffer} : memref<4xf32>"
    )
    text = REUSED.replace("MADE", "" if buffer == "%m" else made).replace("ALIGNED", aligned)
    module = parse(text.replace("dealloc %b", "dealloc %m") if buffer == "%m" else text)
    run_passes(module, "buffer-reuse")
    assert ("memref.dealloc" not in str(module)) is reused
