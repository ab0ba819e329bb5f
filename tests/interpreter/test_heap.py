"""The checked heap: each misuse is found at its operation, with the history of the allocation."""

from __future__ import annotations

import pytest
from bufferize.interpreter import Fault
from bufferize.interpreter.boundary import prepare
from bufferize.interpreter.machine import Machine
from bufferize.interpreter.verify import check_leaks
from bufferize.ir.source.diagnostics import format_plain

M = "memref<4xf32>"
ALLOC = f"%m = memref.alloc() : {M}"
FREE = f"memref.dealloc %m : {M}"
LOAD = f"%x = memref.load %m[%c0] : {M}"
STORE = f"memref.store %v, %m[%c0] : {M}"
VIEW = f"%w = memref.subview %m[0] [2] [1] : {M} to memref<2xf32, strided<[1]>>"

FAULTS = [
    ("use-after-free", [ALLOC, STORE, FREE, LOAD], "reads memory that was freed before"),
    ("use-after-free", [ALLOC, FREE, STORE], "writes memory that was freed before"),
    ("use-after-free", [ALLOC, VIEW, FREE, "memref.store %v, %w[%c0] : memref<2xf32, strided<[1]>>"], "writes memory"),
    ("double-free", [ALLOC, FREE, FREE], "frees memory that was freed before"),
    ("invalid-free", [ALLOC, VIEW, "memref.dealloc %w : memref<2xf32, strided<[1]>>"], "frees a view"),
    ("invalid-free", [f"%m = memref.alloca() : {M}", FREE], "frees stack memory"),
    ("invalid-free", [f"%m = memref.get_global @g : {M}", FREE], "frees a global"),
    ("invalid-free", [f"memref.dealloc %a : {M}"], "frees memory that the caller owns"),
    ("write-to-read-only", [f"%m = memref.get_global @g : {M}", STORE], "writes a constant global"),
    ("uninitialised-read", [ALLOC, LOAD], "reads an element that was never written"),
    ("uninitialised-read", [ALLOC, f"linalg.add ins(%m, %m : {M}, {M}) outs(%a : {M})"], "never written"),
    ("out-of-bounds", [ALLOC, f"memref.store %v, %m[%c4] : {M}"], "writes index 4 of dimension 0, whose size is 4"),
    ("out-of-bounds", [ALLOC, f"%w = memref.subview %m[%c4] [2] [1] : {M} to memref<2xf32, strided<[1], offset: ?>>"],
     "takes a view of elements 4 to 5"),
    ("out-of-bounds", [ALLOC, f"%w = memref.reinterpret_cast %m to offset: [2], sizes: [4], strides: [1] : {M} to "
                       "memref<4xf32, strided<[1], offset: 2>>",
                       "linalg.fill ins(%v : f32) outs(%w : memref<4xf32, strided<[1], offset: 2>>)"], "elements 2 to 5"),
    ("leak", [ALLOC], "neither freed nor returned"),
    ("overlapping-copy", [f"%w = memref.subview %a[0] [2] [1] : {M} to memref<2xf32, strided<[1]>>",
                          f"%u = memref.subview %a[1] [2] [1] : {M} to memref<2xf32, strided<[1], offset: 1>>",
                          "memref.copy %w, %u : memref<2xf32, strided<[1]>> to memref<2xf32, strided<[1], offset: 1>>"],
     "overlap"),
    ("overlapping-copy", ["%m = memref.alloc() : memref<20xi8>",
                          f"%w = memref.view %m[%c0][] : memref<20xi8> to {M}",
                          f"%u = memref.view %m[%c4][] : memref<20xi8> to {M}",
                          f"linalg.fill ins(%v : f32) outs(%w : {M})",
                          f"memref.copy %w, %u : {M} to {M}"], "overlap"),
    ("use-after-scope", [f"%m = memref.alloca_scope -> ({M}) {{", f"%s = memref.alloca() : {M}",
                         f"memref.alloca_scope.return %s : {M}", "}", STORE], "ended with its scope"),
    ("layout-mismatch", [f"%w = memref.cast %a : {M} to memref<4xf32, strided<[?], offset: ?>>",
                         "%z = memref.subview %w[1] [2] [1] : memref<4xf32, strided<[?], offset: ?>> to "
                         "memref<2xf32, strided<[?], offset: ?>>",
                         "%y = memref.cast %z : memref<2xf32, strided<[?], offset: ?>> to memref<2xf32>"],
     "is not of type"),
    ("double-free", [ALLOC, "%t = arith.constant true", f"bufferization.dealloc (%m : {M}) if (%t)", FREE], "freed before"),
]  # fmt: skip


def execute(read, lines):
    body = "\n  ".join(lines)
    text = f"""
memref.global "private" constant @g : {M} = dense<1.0>
func.func @f(%a: {M}, %v: f32) {{
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  {body}
  return
}}
"""
    machine = Machine(read(text), strict=True)
    function = machine.function("f")
    from bufferize.interpreter.inputs import Input, materialize

    values = materialize(Input(((4,), None), (None, None), 0), function.function_type.inputs)
    prepared = prepare(values, function.function_type.inputs, machine.heap)
    results = machine.call(function, prepared.values)
    check_leaks(machine, results, "f")


@pytest.mark.parametrize(("code", "lines", "message"), FAULTS)
def test_misuse_is_found(read, code, lines, message):
    with pytest.raises(Fault) as caught:
        execute(read, lines)
    assert caught.value.code == code
    assert message in caught.value.message


@pytest.mark.parametrize(
    "lines",
    [
        [ALLOC, STORE, LOAD, FREE],
        [ALLOC, STORE, FREE, ALLOC.replace("%m", "%n"), FREE.replace("%m", "%n")],
        [ALLOC, f"memref.copy %m, %a : {M} to {M}", FREE],
        [f"%m = memref.alloca() : {M}", STORE, LOAD],
        [f"memref.copy %a, %a : {M} to {M}"],
        ["%m = memref.alloc() : memref<8xi8>", "%w = memref.view %m[%c4][] : memref<8xi8> to memref<4xi8>",
         "%d = memref.cast %w : memref<4xi8> to memref<?xi8>", "memref.dealloc %m : memref<8xi8>"],
        [ALLOC, "%t = arith.constant true", f"bufferization.dealloc (%m, %m : {M}, {M}) if (%t, %t)"],
        [ALLOC, "%t = arith.constant true", f"%o = bufferization.dealloc (%m : {M}) if (%t) retain (%m : {M})",
         f"bufferization.dealloc (%m : {M}) if (%o)"],
    ],
)  # fmt: skip
def test_proper_use_is_not_objected_to(read, lines):
    execute(read, lines)


def test_a_violation_tells_the_history_of_the_allocation(read):
    with pytest.raises(Fault) as caught:
        execute(read, [ALLOC, STORE, FREE, LOAD])
    text = format_plain(caught.value.diagnostic)
    assert text.splitlines()[0] == "test.mlir:9:8: error: reads memory that was freed before"
    assert "test.mlir:6:8: note: allocated here" in text
    assert "test.mlir:8:3: note: freed here" in text


def test_memory_and_copies_are_measured(read):
    text = """
func.func @f() {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  return
}
"""
    machine = Machine(read(text))
    machine.call(machine.function("f"), [])
    assert (machine.heap.peak, machine.heap.bytes, machine.heap.copied, machine.heap.allocations) == (
        64,
        0,
        32,
        2,
    )
