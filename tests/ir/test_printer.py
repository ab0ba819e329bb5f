"""Printed text: names, aliases, generic form, blocks and depth; what is expected was printed by mlir-opt 22."""

import shutil
import subprocess

import pytest
from bufferize.ir.source.locations import Source
from bufferize.ir.text.parser import parse_source
from bufferize.ir.text.printer import print_module

MLIR_OPT = shutil.which("mlir-opt-22")

CASES: dict[str, tuple[str, bool, str]] = {
    "names come from operations, equal ones are numbered": (
        """\
func.func @f(%x: memref<?xf32>, %y: index) -> index {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %c = arith.constant 1 : index
  %d = arith.constant 1 : index
  %e = arith.constant -1 : index
  %t = arith.constant true
  %g = arith.constant 1.5 : f32
  %h = memref.dim %x, %c : memref<?xf32>
  %s = arith.addi %h, %y : index
  return %s : index
}
""",
        False,
        """\
module {
  func.func @f(%arg0: memref<?xf32>, %arg1: index) -> index {
    %alloc = memref.alloc() : memref<4xf32>
    %alloc_0 = memref.alloc() : memref<4xf32>
    %c1 = arith.constant 1 : index
    %c1_1 = arith.constant 1 : index
    %c-1 = arith.constant -1 : index
    %true = arith.constant true
    %cst = arith.constant 1.500000e+00 : f32
    %dim = memref.dim %arg0, %c1 : memref<?xf32>
    %0 = arith.addi %dim, %arg1 : index
    return %0 : index
  }
}
""",
    ),
    "names start anew in each function, results are groups": (
        """\
func.func private @g() -> (i32, i32)
func.func @f() -> i32 {
  %a:2 = call @g() : () -> (i32, i32)
  %b:2 = call @g() : () -> (i32, i32)
  %c = arith.addi %a#1, %b#0 : i32
  return %c : i32
}
func.func @h() -> i32 {
  %a:2 = call @g() : () -> (i32, i32)
  return %a#1 : i32
}
""",
        False,
        """\
module {
  func.func private @g() -> (i32, i32)
  func.func @f() -> i32 {
    %0:2 = call @g() : () -> (i32, i32)
    %1:2 = call @g() : () -> (i32, i32)
    %2 = arith.addi %0#1, %1#0 : i32
    return %2 : i32
  }
  func.func @h() -> i32 {
    %0:2 = call @g() : () -> (i32, i32)
    return %0#1 : i32
  }
}
""",
    ),
    "maps become aliases, in front of the module": (
        """\
func.func @f(%x: memref<4x4xf32, affine_map<(a, b) -> (b, a)>>, %i: index) -> index {
  %0 = affine.apply affine_map<(d) -> (d + 1)>(%i)
  %1 = affine.apply affine_map<(e) -> (e + 1)>(%0)
  return %1 : index
}
""",
        False,
        """\
#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0) -> (d0 + 1)>
module {
  func.func @f(%arg0: memref<4x4xf32, #map>, %arg1: index) -> index {
    %0 = affine.apply #map1(%arg1)
    %1 = affine.apply #map1(%0)
    return %1 : index
  }
}
""",
    ),
    "blocks are numbered and say where they come from": (
        """\
func.func @f(%c: i1, %x: i32) -> i32 {
  cf.cond_br %c, ^left(%x : i32), ^right
^left(%a: i32):
  cf.br ^end(%a : i32)
^right:
  cf.br ^end(%x : i32)
^nobody:
  cf.br ^end(%x : i32)
^end(%r: i32):
  return %r : i32
}
""",
        False,
        """\
module {
  func.func @f(%arg0: i1, %arg1: i32) -> i32 {
    cf.cond_br %arg0, ^bb1(%arg1 : i32), ^bb2
  ^bb1(%0: i32):  // pred: ^bb0
    cf.br ^bb4(%0 : i32)
  ^bb2:  // pred: ^bb0
    cf.br ^bb4(%arg1 : i32)
  ^bb3:  // no predecessors
    cf.br ^bb4(%arg1 : i32)
  ^bb4(%1: i32):  // 3 preds: ^bb1, ^bb2, ^bb3
    return %1 : i32
  }
}
""",
    ),
    "generic form": (
        """\
func.func @f(%x: memref<8xf32>, %c: i1) -> f32 {
  %i = arith.constant 0 : index
  %r = scf.if %c -> f32 {
    %v = memref.load %x[%i] : memref<8xf32>
    scf.yield %v : f32
  } else {
    %z = arith.constant 0.0 : f32
    scf.yield %z : f32
  }
  return %r : f32
}
""",
        True,
        """\
"builtin.module"() ({
  "func.func"() <{function_type = (memref<8xf32>, i1) -> f32, sym_name = "f"}> ({
  ^bb0(%arg0: memref<8xf32>, %arg1: i1):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "scf.if"(%arg1) ({
      %3 = "memref.load"(%arg0, %0) : (memref<8xf32>, index) -> f32
      "scf.yield"(%3) : (f32) -> ()
    }, {
      %2 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
      "scf.yield"(%2) : (f32) -> ()
    }) : (i1) -> f32
    "func.return"(%1) : (f32) -> ()
  }) : () -> ()
}) : () -> ()
""",
    ),
    "attributes and escapes": (
        """\
func.func private @"strange name"() attributes {a, "b c" = "x\\22y\\0Az", list = [1, 2.0 : f32, @s::@t], none = {}}
""",
        False,
        """\
module {
  func.func private @"strange name"() attributes {a, "b c" = "x\\22y\\0Az", list = [1, 2.000000e+00 : f32, @s::@t], none = {}}
}
""",
    ),
}
"""Program, whether in generic form, and what is printed."""


def printed(text: str, generic: bool = False) -> str:
    return print_module(parse_source(Source("case.mlir", text), allow_unregistered=True), generic=generic)


@pytest.mark.parametrize("name", CASES)
def test_printed_text(name):
    program, generic, expected = CASES[name]
    assert printed(program, generic).rstrip("\n") == expected.rstrip("\n")


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("generic", [False, True])
def test_what_is_printed_reads_back_as_itself(name, generic):
    text = printed(CASES[name][0], generic)
    assert printed(text, generic) == text
    assert printed(text) == printed(CASES[name][0])


@pytest.mark.mlir
@pytest.mark.skipif(MLIR_OPT is None, reason="mlir-opt-22 is not installed")
@pytest.mark.parametrize("name", CASES)
def test_mlir_opt_prints_the_same(name):
    program, generic, expected = CASES[name]
    command = [MLIR_OPT or "", *(["-mlir-print-op-generic"] if generic else []), "-"]
    done = subprocess.run(command, input=program, capture_output=True, text=True, timeout=600)
    assert done.stdout.rstrip("\n") == expected.rstrip("\n")


def test_depth_is_limited_by_memory_only():
    depth = 3000
    text = '"a.b"() ({\n' * depth + '"c.d"() : () -> ()\n' + "}) : () -> ()\n" * depth
    lines = printed(text).splitlines()
    assert len(lines) == 2 * depth + 4  # and an empty one at the end
    assert lines[depth + 1] == "  " * (depth + 1) + '"c.d"() : () -> ()'
