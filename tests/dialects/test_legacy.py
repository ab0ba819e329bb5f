"""Spellings of 2020 and 2021: each program means what today's spelling beside it says."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from bufferize.dialects.legacy import LEGACY, resolve
from bufferize.ir.source.diagnostics import ParseError, VerifyError
from bufferize.ir.text.parser import parse_text
from bufferize.ir.text.registry import default_registry
from bufferize.ir.verifier import verify

SPELLINGS = [
    (
        "func @f(%arg0: i32) -> i32 {\n  %x = call @f(%arg0) : (i32) -> i32\n  return %x : i32\n}",
        "func.func @f(%arg0: i32) -> i32 {\n  %0 = call @f(%arg0) : (i32) -> i32\n  return %0 : i32\n}",
    ),
    (
        "func @f(%a: i1, %b: index) {\n  cond_br %a, ^bb1, ^bb2(%b: index)\n^bb1:\n  br ^bb2(%b : index)\n"
        "^bb2(%x: index):\n  return\n}",
        "func.func @f(%arg0: i1, %arg1: index) {\n  cf.cond_br %arg0, ^bb1, ^bb2(%arg1 : index)\n"
        "^bb1:  // pred: ^bb0\n  cf.br ^bb2(%arg1 : index)\n^bb2(%0: index):  // 2 preds: ^bb0, ^bb1\n  return\n}",
    ),
    (
        "func @f(%a: index, %m: memref<?xf32>, %t: tensor<?xf32>) {\n  %c0 = constant 0 : index\n"
        "  %0 = dim %m, %c0 : memref<?xf32>\n  %1 = dim %t, %c0 : tensor<?xf32>\n"
        '  %2 = cmpi "eq", %0, %1 : index\n  %3 = load %m[%0] : memref<?xf32>\n'
        "  %4 = std.addf %3, %3 : f32\n  store %4, %m[%1] : memref<?xf32>\n  return\n}",
        "func.func @f(%arg0: index, %arg1: memref<?xf32>, %arg2: tensor<?xf32>) {\n"
        "  %c0 = arith.constant 0 : index\n  %dim = memref.dim %arg1, %c0 : memref<?xf32>\n"
        "  %dim_0 = tensor.dim %arg2, %c0 : tensor<?xf32>\n  %0 = arith.cmpi eq, %dim, %dim_0 : index\n"
        "  %1 = memref.load %arg1[%dim] : memref<?xf32>\n  %2 = arith.addf %1, %1 : f32\n"
        "  memref.store %2, %arg1[%dim_0] : memref<?xf32>\n  return\n}",
    ),
    (
        "func @f() {\n  %0 = constant @f : () -> ()\n  %1 = alloc() : memref<2xf32>\n  use(%1)\n"
        "  dealloc %1 : memref<2xf32>\n  return\n}",
        "func.func @f() {\n  %f = constant @f : () -> ()\n  %alloc = memref.alloc() : memref<2xf32>\n"
        '  "legacy.use"(%alloc) : (memref<2xf32>) -> ()\n  memref.dealloc %alloc : memref<2xf32>\n  return\n}',
    ),
    (
        "func @f(%i: index, %n: i64) -> i64 {\n"
        "  %0 = scf.parallel (%p) = (%i) to (%i) step (%i) init (%n) -> i64 {\n"
        "    scf.reduce(%n) : i64 {\n    ^bb0(%a: i64, %b: i64):\n      %s = addi %a, %b : i64\n"
        "      scf.reduce.return %s : i64\n    }\n    scf.yield\n  }\n  return %0 : i64\n}",
        "func.func @f(%arg0: index, %arg1: i64) -> i64 {\n"
        "  %0 = scf.parallel (%arg2) = (%arg0) to (%arg0) step (%arg0) init (%arg1) -> i64 {\n"
        "    scf.reduce(%arg1 : i64) {\n    ^bb0(%arg3: i64, %arg4: i64):\n"
        "      %1 = arith.addi %arg3, %arg4 : i64\n      scf.reduce.return %1 : i64\n    }\n  }\n"
        "  return %0 : i64\n}",
    ),
]


def _in_module(text: str) -> str:
    lines = ["  " + line for line in text.split("\n")]
    return "module {\n" + "\n".join(lines) + "\n}\n"


@pytest.mark.parametrize(("old", "new"), SPELLINGS)
def test_old_spellings_are_printed_as_todays(old: str, new: str, round_trip: Callable[[str], str]):
    assert round_trip(old) == _in_module(new)


def test_several_reductions_are_gathered_in_one(round_trip: Callable[[str], str]):
    text = """
func @f(%i: index, %n: i64) -> (i64, i64) {
  %0:2 = scf.parallel (%p) = (%i) to (%i) step (%i) init (%n, %n) -> (i64, i64) {
    scf.reduce(%n) : i64 {
    ^bb0(%a: i64, %b: i64):
      scf.reduce.return %a : i64
    }
    scf.reduce(%n) : i64 {
    ^bb0(%a: i64, %b: i64):
      scf.reduce.return %b : i64
    }
    scf.yield
  }
  return %0#0, %0#1 : i64, i64
}
"""
    assert "scf.reduce(%arg1, %arg1 : i64, i64) {" in round_trip(text)


def test_every_old_name_leads_to_an_operation_of_today_unless_it_is_gone():
    gone = {
        *("memref.tensor_store", "memref.dma_start", "memref.dma_wait", "memref.global_memref"),
        *("memref.prefetch", "vector.splat", "vector.extract"),
    }
    registry = default_registry()
    for name, candidates in LEGACY.items():
        for full in candidates:
            assert full in gone or registry.find(full) is not None, (name, full)


def test_the_prefix_of_the_standard_dialect_is_optional():
    assert resolve("std.addf") == resolve("addf") == ("arith.addf",)
    assert resolve("nothing_of_the_kind") == ()


CALL = (
    "func.func private @g()\n{} @f(%c: i1) {{\n  scf.if %c {{\n    call @g() : () -> ()\n  }}\n  return\n}}\n"
)


def test_a_call_inside_of_another_operation_names_its_dialect_but_in_a_program_of_2020(
    round_trip: Callable[[str], str],
):
    assert "func.call @g()" in round_trip(CALL.format("func"))
    with pytest.raises(ParseError, match="Dialect `' not found for custom op 'call'"):
        round_trip(CALL.format("func.func"))


@pytest.mark.parametrize(
    "text",
    [
        '%0 = "memref.subview"() : () -> index',
        '"memref.subview"() : () -> ()',
        '%a = memref.alloc() : memref<4xf32>\n%0 = "memref.subview"(%a) : (memref<4xf32>) -> memref<2xf32>',
    ],
)
def test_a_subview_without_its_parts_is_left_to_the_verifier(text):
    with pytest.raises(VerifyError):
        verify(parse_text(text))
