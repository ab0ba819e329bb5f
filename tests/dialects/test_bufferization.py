"""The `bufferization` dialect: notation, and what is rejected. The expected texts and messages are those of mlir-opt 22."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from bufferize.ir.text.parser import parse_text
from bufferize.ir.text.printer import print_module

PROGRAM = """\
module {
  func.func @a(%arg0: memref<8xf32>, %arg1: memref<*xf32>, %arg2: index, %arg3: f32, %arg4: memref<8xi32>, %arg5: tensor<?x4xf32>) {
    %0 = bufferization.alloc_tensor(%arg2) : tensor<?xf32>
    %1 = bufferization.alloc_tensor() copy(%arg5) {memory_space = 1 : i64} : tensor<?x4xf32>
    %2 = bufferization.alloc_tensor(%arg2) size_hint=%arg2 : tensor<?xf32>
    %3 = bufferization.clone %arg0 : memref<8xf32> to memref<?xf32>
    bufferization.dealloc_tensor %arg5 : tensor<?x4xf32>
    %4 = bufferization.to_tensor %arg0 restrict writable : memref<8xf32> to tensor<8xf32>
    %5 = bufferization.to_buffer %arg5 read_only : tensor<?x4xf32> to memref<?x4xf32, 1>
    bufferization.materialize_in_destination %4 in restrict writable %arg0 : (tensor<8xf32>, memref<8xf32>) -> ()
    %6 = bufferization.materialize_in_destination %4 in %4 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %true = arith.constant true
    bufferization.dealloc
    bufferization.dealloc (%arg0, %arg1 : memref<8xf32>, memref<*xf32>) if (%true, %true)
    %7 = bufferization.dealloc (%arg0 : memref<8xf32>) if (%true) retain (%arg0 : memref<8xf32>) {a}
    %8 = bufferization.dealloc retain (%arg0 : memref<8xf32>)
    return
  }
}
"""


def test_program_is_printed_as_it_was_read(round_trip: Callable[[str], str]) -> None:
    assert round_trip(PROGRAM) == PROGRAM


REJECTED = [
    (
        "func.func @a(%i: index) { %0 = bufferization.alloc_tensor(%i) : tensor<4xf32> return }",
        "'bufferization.alloc_tensor' op incorrect number of dynamic sizes, has 1, expected 0",
    ),
    (
        "func.func @a(%i: index) { %0 = bufferization.alloc_tensor() : tensor<?xf32> return }",
        "'bufferization.alloc_tensor' op incorrect number of dynamic sizes, has 0, expected 1",
    ),
    (
        "func.func @a(%i: index, %t: tensor<?xf32>) { %0 = bufferization.alloc_tensor(%i) copy(%t) : tensor<?xf32> return }",
        "dynamic sizes not needed when copying a tensor",
    ),
    (
        "func.func @a(%i: index, %t: tensor<?xf32>) { %0 = bufferization.alloc_tensor() copy(%t) : tensor<?xf16> return }",
        "use of value '%t' expects different type than prior uses: 'tensor<?xf16>' vs 'tensor<?xf32>'",
    ),
    (
        'func.func @a(%i: index, %t: tensor<?xf32>) { %0 = "bufferization.alloc_tensor"(%t) {operandSegmentSizes=array<i32: 0,1,0>} : (tensor<?xf32>) -> tensor<4xf32> return }',
        "expected that `copy` and return type match",
    ),
    (
        "func.func @a(%t: tensor<5xf32>, %m: memref<4xf32>) { bufferization.materialize_in_destination %t in writable %m : (tensor<5xf32>, memref<4xf32>) -> () return }",
        "'bufferization.materialize_in_destination' op source/destination shapes are incompatible",
    ),
    (
        "func.func @a(%t: tensor<5xf32>, %m: memref<5xf32>) { bufferization.materialize_in_destination %t in %m : (tensor<5xf32>, memref<5xf32>) -> () return }",
        "'bufferization.materialize_in_destination' op 'writable' must be specified if and only if the destination is of memref type",
    ),
    (
        "func.func @a(%t: tensor<5xf32>, %m: memref<5xf16>) { bufferization.materialize_in_destination %t in writable %m : (tensor<5xf32>, memref<5xf16>) -> () return }",
        "'bufferization.materialize_in_destination' op failed to verify that all of {source, dest} have same element type",
    ),
    (
        "func.func @a(%t: tensor<5xf32>, %m: memref<5xf32>) { %0 = bufferization.materialize_in_destination %t in writable %m : (tensor<5xf32>, memref<5xf32>) -> tensor<5xf32> return }",
        "'bufferization.materialize_in_destination' op memref 'dest' implies zero results",
    ),
    (
        "func.func @a(%t: tensor<5xf32>, %m: tensor<5xf32>) { %0 = bufferization.materialize_in_destination %t in writable %m : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32> return }",
        "'bufferization.materialize_in_destination' op 'writable' must be specified if and only if the destination is of memref type",
    ),
    (
        "func.func @a(%t: tensor<5xf32>, %m: tensor<5xf32>) { %0 = bufferization.materialize_in_destination %t in restrict %m : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32> return }",
        "'bufferization.materialize_in_destination' op 'restrict' is valid only for memref destinations",
    ),
    (
        "func.func @a(%t: tensor<5xf32>, %m: tensor<5xf32>) { bufferization.materialize_in_destination %t in %m : (tensor<5xf32>, tensor<5xf32>) -> () return }",
        "'bufferization.materialize_in_destination' op tensor 'dest' implies exactly one tensor result",
    ),
    (
        "func.func @a(%t: tensor<5xf32>, %m: tensor<5x1xf32>) { %0 = bufferization.materialize_in_destination %t in %m : (tensor<5xf32>, tensor<5x1xf32>) -> tensor<5x1xf32> return }",
        "'bufferization.materialize_in_destination' op rank mismatch between source and destination shape",
    ),
    (
        "func.func @a(%t: tensor<5xf32>, %m: tensor<?xf32>) { %0 = bufferization.materialize_in_destination %t in %m : (tensor<5xf32>, tensor<?xf32>) -> tensor<5xf32> return }",
        "'bufferization.materialize_in_destination' op result and 'dest' types must match",
    ),
    (
        "func.func @a(%t: memref<5xf32>, %m: tensor<?xf32>) { %0 = bufferization.materialize_in_destination %m in %m : (tensor<?xf32>, tensor<?xf32>) -> tensor<5xf32> return }",
        "'bufferization.materialize_in_destination' op result and 'dest' types must match",
    ),
    (
        "func.func @a(%t: memref<5xf32>, %m: tensor<?xf32>) { %0 = bufferization.to_tensor %t : memref<5xf32> to tensor<6xf32> return }",
        "shapes do not match",
    ),
    (
        "func.func @a(%t: memref<5xf32>, %m: tensor<?xf32>) { %0 = bufferization.to_tensor %t : memref<5xf32> to tensor<5xf16> return }",
        "element types do not match",
    ),
    (
        "func.func @a(%t: memref<5xf32>, %m: tensor<?xf32>) { %0 = bufferization.to_tensor %t : memref<5xf32> to tensor<?xf32> return }",
        "shapes do not match",
    ),
    (
        "func.func @a(%t: memref<5xf32>, %m: tensor<?xf32>) { %0 = bufferization.to_buffer %m : tensor<?xf32> to memref<5xf32> return }",
        "shapes do not match",
    ),
    (
        "func.func @a(%t: memref<5xf32>, %m: tensor<?xf32>) { %0 = bufferization.to_buffer %m : tensor<?xf32> to memref<*xf32> return }",
        "shapes do not match",
    ),
    (
        "func.func @a(%t: memref<5xf32>, %c: i1) { bufferization.dealloc (%t, %t : memref<5xf32>, memref<5xf32>) if (%c) return }",
        "'bufferization.dealloc' op must have the same number of conditions as memrefs to deallocate",
    ),
    (
        'func.func @a(%t: memref<5xf32>, %c: i1) { %0 = "bufferization.dealloc"(%t, %c) {operandSegmentSizes=array<i32: 1,1,0>} : (memref<5xf32>, i1) -> i1 return }',
        "'bufferization.dealloc' op must have the same number of updated conditions (results) as retained operands",
    ),
    (
        "func.func @a(%t: memref<5xf32>, %c: i1) attributes {bufferization.foo} { return }",
        "attribute '\"bufferization.foo\"' not supported as an op attribute by the bufferization dialect",
    ),
    (
        "func.func @a(%t: tensor<5xf32> {bufferization.writable}, %c: i1) { return }",
        "'bufferization.writable' is expected to be a boolean attribute",
    ),
    (
        "func.func @a(%t: tensor<5xf32> {bufferization.writable = 3}, %c: i1) { return }",
        "'bufferization.writable' is expected to be a boolean attribute",
    ),
    (
        "func.func @a(%t: tensor<5xf32> {bufferization.buffer_layout = 3}, %c: i1) { return }",
        "'bufferization.buffer_layout' is expected to be a memref layout attribute",
    ),
    (
        'func.func @a(%t: tensor<5xf32> {bufferization.access = "foo"}, %c: i1) { return }',
        "invalid value for 'bufferization.access'",
    ),
    (
        "func.func @a(%t: tensor<5xf32> {bufferization.access = 3}, %c: i1) { return }",
        "'bufferization.access' is expected to be a string attribute",
    ),
    (
        'func.func @a(%t: i32 {bufferization.xyz = "read"}, %c: i1) { return }',
        "attribute 'bufferization.buffer_layout' not supported as a region arg attribute by the bufferization dialect",
    ),
    (
        "func.func @a(%t: tensor<5xf32>, %c: i1) { %0 = tensor.empty() {bufferization.manual_deallocation} : tensor<4xf32> return }",
        "'tensor.empty' op attribute 'bufferization.manual_deallocation' can be used only on ops that have an allocation and/or free side effect",
    ),
    (
        "func.func @a(%t: tensor<5xf32>, %c: i1) { %0 = memref.alloc() {bufferization.writable} : memref<4xf32> return }",
        "attribute '\"bufferization.writable\"' not supported as an op attribute by the bufferization dialect",
    ),
    (
        "func.func @a(%t: tensor<5xf32>) attributes {bufferization.writable} { return }",
        "attribute '\"bufferization.writable\"' not supported as an op attribute by the bufferization dialect",
    ),
    (
        "func.func private @a(%t: tensor<5xf32> {bufferization.writable=false}) attributes {bufferization.manual_deallocation}",
        "'func.func' op attribute 'bufferization.manual_deallocation' can be used only on ops that have an allocation and/or free side effect",
    ),
    (
        'func.func private @a(%t: tensor<5xf32>, %m: memref<5xf32>) { %0 = "test.foo"() {bufferization.manual_deallocation} : () -> i32 return }',
        "'test.foo' op attribute 'bufferization.manual_deallocation' can be used only on ops that have an allocation and/or free side effect",
    ),
    (
        'func.func private @a(%t: tensor<5xf32>, %m: memref<5xf32>) { %0 = "test.foo"() {bufferization.escape = [true]} : () -> i32 return }',
        "attribute '\"bufferization.escape\"' not supported as an op attribute by the bufferization dialect",
    ),
    (
        'func.func private @a(%t: tensor<5xf32>, %m: memref<5xf32>) { %0 = "test.foo"() {bufferization.escape = [true]} : () -> tensor<3xf32> return }',
        "attribute '\"bufferization.escape\"' not supported as an op attribute by the bufferization dialect",
    ),
]


@pytest.mark.parametrize(("text", "message"), REJECTED)
def test_rejected_with_the_message_of_mlir_opt(
    first_error: Callable[[str], str], text: str, message: str
) -> None:
    assert first_error(text).partition("\n")[0] == message


def test_borders_may_be_written_as_before_mlir_20() -> None:
    old = """
    func.func @f(%m: memref<4xf32>) -> memref<4xf32> {
      %t = bufferization.to_tensor %m restrict : memref<4xf32>
      %n = bufferization.to_memref %t : memref<4xf32>
      return %n : memref<4xf32>
    }
    """
    text = print_module(parse_text(old))
    assert "bufferization.to_tensor %arg0 restrict : memref<4xf32> to tensor<4xf32>" in text
    assert "bufferization.to_buffer %0 : tensor<4xf32> to memref<4xf32>" in text


def test_an_allocation_makes_its_free_and_its_clone():
    from bufferize.ir.program.interfaces import AllocationOp, CopyOpInterface

    module = parse_text("""
    func.func @f() {
      %a = memref.alloc() : memref<4xf32>
      %s = memref.alloca() : memref<4xf32>
      %c = bufferization.clone %a : memref<4xf32> to memref<4xf32>
      return
    }""")
    made = [op for op in module.walk() if isinstance(op, AllocationOp)]
    assert [free and free.name for op in made if (free := op.build_free(op.results[0])) or True] == [
        "memref.dealloc",
        None,
        "memref.dealloc",
    ]
    clone = made[0].build_clone(made[0].results[0])
    assert (clone.name, clone.results[0].type) == ("bufferization.clone", made[0].results[0].type)
    assert isinstance(made[2], CopyOpInterface)
    assert (made[2].copy_source(), made[2].copy_target()) == (made[0].results[0], made[2].results[0])
