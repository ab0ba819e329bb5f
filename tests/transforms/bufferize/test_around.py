"""The passes around bufferization, against what mlir-opt 22 gives."""

import pytest
from bufferize.ir.source.diagnostics import BufferizeError
from bufferize.ir.text.parser import parse_text
from bufferize.ir.text.printer import print_operation
from bufferize.ir.verifier import verify
from bufferize.transforms.pass_base import Context
from bufferize.transforms.pass_manager import PassManager, make_pass

RETURNS = """
func.func private @a(%m: memref<4xf32>, %i: index, %n: index) -> (memref<4xf32>, index, memref<?xf32>, memref<4xf32>) {
  %2 = memref.alloc(%n) : memref<?xf32>
  %3 = memref.alloc() : memref<4xf32>
  return %m, %i, %2, %3 : memref<4xf32>, index, memref<?xf32>, memref<4xf32>
}
func.func @b(%m: memref<4xf32>, %i: index) -> memref<4xf32> {
  %0:4 = call @a(%m, %i, %i) : (memref<4xf32>, index, index) -> (memref<4xf32>, index, memref<?xf32>, memref<4xf32>)
  return %0#0 : memref<4xf32>
}
"""


def run(name, options, text):
    module = parse_text(text)
    PassManager([make_pass(name, options)], Context()).run(module)
    verify(module)
    return print_operation(module)


def test_results_that_are_arguments_are_dropped():
    text = run("drop-equivalent-buffer-results", "", RETURNS)
    assert "@a(%arg0: memref<4xf32>, %arg1: index, %arg2: index) -> (memref<?xf32>, memref<4xf32>)" in text
    assert "return %arg0 : memref<4xf32>" in text


def test_sizes_of_out_params_must_be_known_to_the_caller():
    with pytest.raises(BufferizeError, match="cannot create out param for dynamically shaped result"):
        run("buffer-results-to-out-params", "", RETURNS)


def test_hoisted_allocations_become_out_params():
    text = run(
        "buffer-results-to-out-params", "hoist-dynamic-allocs hoist-static-allocs add-result-attr", RETURNS
    )
    callee, caller = text.split("func.func @b")
    assert callee.count("bufferize.result") == 3
    assert callee.count("memref.copy %arg0, %arg3") == 1
    assert "memref.alloc" not in callee
    assert caller.count("memref.alloc") == 3
    assert "memref.alloc(%arg1) : memref<?xf32>" in caller


def test_results_that_are_one_buffer_stay():
    text = run(
        "buffer-results-to-out-params",
        "",
        "func.func private @g() -> (memref<4xf32>, memref<4xf32>) {"
        "  %m = memref.alloc() : memref<4xf32>"
        "  return %m, %m : memref<4xf32>, memref<4xf32> }"
        "func.func @f(%v: f32, %i: index) -> f32 {"
        "  %x, %y = call @g() : () -> (memref<4xf32>, memref<4xf32>)"
        "  memref.store %v, %y[%i] : memref<4xf32>"
        "  %0 = memref.load %x[%i] : memref<4xf32>"
        "  return %0 : f32 }",
    )
    assert "@g() -> (memref<4xf32>, memref<4xf32>)" in text


ALLOC = "%m = memref.alloc() : memref<4xf32> linalg.fill ins(%v : f32) outs(%m : memref<4xf32>)"


@pytest.mark.parametrize(
    ("before", "after", "is_kept"),
    [
        (ALLOC, "memref.store %v, %m[%i] : memref<4xf32> %0 = memref.load %r[%i] : memref<4xf32>", True),
        (ALLOC, "memref.store %v, %r[%i] : memref<4xf32> %0 = memref.load %m[%i] : memref<4xf32>", True),
        (ALLOC, "memref.store %v, %r[%i] : memref<4xf32> %0 = memref.load %r[%i] : memref<4xf32>", False),
        (ALLOC, "%1 = memref.load %m[%i] : memref<4xf32> %0 = memref.load %r[%i] : memref<4xf32>", False),
        ("%m = memref.cast %a : memref<4xf32> to memref<4xf32>", "memref.store %v, %r[%i] : memref<4xf32> %0 = arith.negf %v : f32", True),
    ],
)  # fmt: skip
def test_a_result_that_is_an_argument_stays_if_that_can_be_seen(before, after, is_kept):
    text = run(
        "buffer-results-to-out-params",
        "",
        "func.func private @g(%m: memref<4xf32>) -> memref<4xf32> { return %m : memref<4xf32> }"
        "func.func @f(%a: memref<4xf32>, %v: f32, %i: index) -> f32 {"
        f"  {before} %r = call @g(%m) : (memref<4xf32>) -> memref<4xf32> {after} return %0 : f32 }}",
    )
    assert ("@g(%arg0: memref<4xf32>) -> memref<4xf32>" in text) == is_kept


def test_sizes_of_a_concatenation_are_known_before_it_is_allocated():
    text = run(
        "tensor-bufferize",
        "",
        "func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {"
        "  %0 = tensor.concat dim(0) %a, %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>"
        "  return %0 : tensor<?xf32> }",
    )
    assert "memref.alloc" in text


def test_unsupported_layouts_are_refused():
    with pytest.raises(BufferizeError, match="cannot create out param for result with unsupported layout"):
        run(
            "buffer-results-to-out-params",
            "",
            "func.func private @f(%m: memref<4xf32, strided<[2]>>) -> memref<4xf32, strided<[2]>> {"
            "  return %m : memref<4xf32, strided<[2]>> }",
        )


def test_an_empty_tensor_becomes_the_part_it_is_inserted_into():
    text = run(
        "eliminate-empty-tensors",
        "",
        "func.func @f(%t: tensor<10xf32>, %f: f32, %o: index) -> tensor<10xf32> {"
        "  %e = tensor.empty() : tensor<5xf32>"
        "  %0 = linalg.fill ins(%f : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>"
        "  %1 = tensor.insert_slice %0 into %t[%o] [5] [1] : tensor<5xf32> into tensor<10xf32>"
        "  return %1 : tensor<10xf32> }",
    )
    assert "tensor.extract_slice %arg0[%arg2] [5] [1]" in text
    assert "outs(%extracted_slice" in text


def test_a_destination_in_memory_hands_over_its_promise():
    text = run(
        "eliminate-empty-tensors",
        "",
        "func.func @f(%m: memref<5xf32>, %f: f32) {"
        "  %e = tensor.empty() : tensor<5xf32>"
        "  %0 = linalg.fill ins(%f : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>"
        "  bufferization.materialize_in_destination %0 in restrict writable %m : (tensor<5xf32>, memref<5xf32>) -> ()"
        "  return }",
    )
    assert "to_tensor %arg0 restrict writable" in text
    assert "materialize_in_destination %1 in writable %arg0" in text or "in writable %arg0" in text


def test_empty_tensors_get_buffers():
    text = run(
        "empty-tensor-to-alloc-tensor",
        "",
        "func.func @f(%n: index) -> tensor<?xf32> { %e = tensor.empty(%n) : tensor<?xf32> return %e : tensor<?xf32> }",
    )
    assert "bufferization.alloc_tensor(%arg0) : tensor<?xf32>" in text


def test_clones_become_copies():
    text = run(
        "convert-bufferization-to-memref",
        "",
        "func.func @f(%m: memref<?xf32>) -> memref<?xf32> {"
        "  %0 = bufferization.clone %m : memref<?xf32> to memref<?xf32> return %0 : memref<?xf32> }",
    )
    assert "memref.alloc(%dim) : memref<?xf32>" in text
    assert "memref.copy %arg0, %alloc" in text


def test_tensors_cannot_become_memory_alone():
    with pytest.raises(BufferizeError, match=r"failed to legalize operation 'bufferization\.to_tensor'"):
        run(
            "convert-bufferization-to-memref",
            "",
            "func.func @f(%m: memref<4xf32>) -> tensor<4xf32> {"
            "  %0 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32> return %0 : tensor<4xf32> }",
        )


RETURNS_A_CAST = """
func.func private @same(%t: tensor<4xf32>) -> tensor<4xf32> {
  %u = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %v = tensor.cast %u : tensor<?xf32> to tensor<4xf32>
  return %v : tensor<4xf32>
}
func.func @f(%t: tensor<4xf32>, %i: index, %x: f32) -> (tensor<4xf32>, f32) {
  %r = call @same(%t) : (tensor<4xf32>) -> tensor<4xf32>
  %w = tensor.insert %x into %r[%i] : tensor<4xf32>
  %y = tensor.extract %r[%i] : tensor<4xf32>
  return %w, %y : tensor<4xf32>, f32
}
"""


def test_a_buffer_that_a_call_returns_without_its_sizes_is_given_them_back():
    module = parse_text(run("one-shot-bufferize", "bufferize-function-boundaries", RETURNS_A_CAST))
    call = next(op for op in module.walk() if op.name == "func.call")
    assert call.results[0].type.shape == (None,)
    copied = next(op for op in module.walk() if op.name == "memref.copy").operands[0]
    assert copied.type.shape == (4,)
    assert copied.defining_op.operands[0] is call.results[0]


def test_empty_tensors_of_functions_that_never_return_are_refused():
    with pytest.raises(BufferizeError, match=r"cannot bufferize func\.func without func\.return"):
        run("eliminate-empty-tensors", "", "func.func @f(%t: tensor<4xf32>) { cf.br ^a ^a: cf.br ^a }")
