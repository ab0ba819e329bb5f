"""Rewrites that cross a store, a loop or a view preserve what is computed; --compat=mlir-22 mirrors those of mlir-opt that do not."""

import shutil
import subprocess

import bufferize
import pytest
from bufferize.cli.fuzz_command import transform
from bufferize.interpreter.verify import Options, verify_module
from bufferize.ir.defects import MLIR_22
from bufferize.ir.text.printer import print_operation

MLIR_OPT = shutil.which("mlir-opt-22")
TABLE = """\
func.func private @keep(%table: memref<4xmemref<4xi32>>, %m: memref<4xi32>, %i: index) {
  memref.store %m, %table[%i] : memref<4xmemref<4xi32>>
  return
}
func.func @f() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %table = memref.alloc() : memref<4xmemref<4xi32>>
  scf.for %i = %c0 to %c4 step %c1 {
    %m = memref.alloc() : memref<4xi32>
    %v = arith.index_cast %i : index to i32
    memref.store %v, %m[%c0] : memref<4xi32>
    KEEP
  }
  %m = memref.load %table[%c1] : memref<4xmemref<4xi32>>
  %r = memref.load %m[%c0] : memref<4xi32>
  return %r : i32
}
"""
STORED = TABLE.replace("KEEP", "memref.store %m, %table[%i] : memref<4xmemref<4xi32>>")
STORED_BY_CALLEE = TABLE.replace(
    "KEEP", "func.call @keep(%table, %m, %i) : (memref<4xmemref<4xi32>>, memref<4xi32>, index) -> ()"
)
FREED_LATER = """\
func.func private @keep(%m: memref<4xf32>, %table: memref<1xmemref<4xf32>>) {
  %c0 = arith.constant 0 : index
  memref.store %m, %table[%c0] : memref<1xmemref<4xf32>>
  return
}
func.func @f(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %table = memref.alloc() : memref<1xmemref<4xf32>>
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%c0] : memref<4xf32>
  call @keep(%a, %table) : (memref<4xf32>, memref<1xmemref<4xf32>>) -> ()
  %m = memref.load %table[%c0] : memref<1xmemref<4xf32>>
  %r = memref.load %m[%c0] : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  memref.dealloc %table : memref<1xmemref<4xf32>>
  return %r : f32
}
"""
VECTORS = """\
func.func @f(%m: MEMREF, %o: memref<2x2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = memref.subview %m[SLICE] : MEMREF to memref<4x4xf32, LAYOUT>
  %v = vector.load %o[%c0, %c0] : memref<2x2xf32>, vector<2x2xf32>
  vector.store %v, %s[%c1, %c1] : memref<4x4xf32, LAYOUT>, vector<2x2xf32>
  return
}
"""


def vectors(source: str, slice: str, layout: str) -> str:
    return VECTORS.replace("MEMREF", source).replace("SLICE", slice).replace("LAYOUT", layout)


CASES = {
    "an element of tensor.generate after a store": (
        "canonicalize",
        """\
func.func @f(%m: memref<6xf32>, %v: f32, %i: index) -> f32 {
  %t = tensor.generate {
  ^bb0(%k: index):
    %x = memref.load %m[%k] : memref<6xf32>
    tensor.yield %x : f32
  } : tensor<6xf32>
  memref.store %v, %m[%i] : memref<6xf32>
  %r = tensor.extract %t[%i] : tensor<6xf32>
  return %r : f32
}
""",
    ),
    "a size of a reshape that may not exist": (
        "canonicalize",
        """\
func.func @f(%m: memref<6xf32>, %n: index, %k: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %sizes = memref.alloca() : memref<2xindex>
  memref.store %c1, %sizes[%c0] : memref<2xindex>
  memref.store %c6, %sizes[%c1] : memref<2xindex>
  %r = memref.reshape %m(%sizes) : (memref<6xf32>, memref<2xindex>) -> memref<?x?xf32>
  %exists = arith.cmpi ult, %k, %c2 : index
  %size = scf.if %exists -> index {
    %d = memref.dim %r, %k : memref<?x?xf32>
    scf.yield %d : index
  } else {
    scf.yield %c0 : index
  }
  return %size : index
}
""",
    ),
    "an unused reallocation": (
        "canonicalize",
        """\
func.func @f(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  memref.store %v, %m[%c0] : memref<4xf32>
  %x = memref.load %m[%c0] : memref<4xf32>
  %r = memref.realloc %m : memref<4xf32> to memref<8xf32>
  memref.dealloc %r : memref<8xf32>
  return %x : f32
}
""",
    ),
    "two memrefs of one tensor": (
        "cse",
        """\
func.func @f(%t: tensor<6xf32>, %v: f32, %i: index) -> f32 {
  %m = bufferization.to_buffer %t : tensor<6xf32> to memref<6xf32>
  %n = bufferization.to_buffer %t : tensor<6xf32> to memref<6xf32>
  memref.store %v, %m[%i] : memref<6xf32>
  %r = memref.load %n[%i] : memref<6xf32>
  return %r : f32
}
""",
    ),
    "a memref in each iteration": (
        "loop-invariant-code-motion",
        """\
func.func @f(%t: tensor<6xf32>, %v: f32, %k: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %s = scf.for %i = %c0 to %c3 step %c1 iter_args(%last = %v) -> f32 {
    %m = bufferization.to_buffer %t : tensor<6xf32> to memref<6xf32>
    %r = memref.load %m[%k] : memref<6xf32>
    %q = arith.addf %r, %v : f32
    memref.store %q, %m[%k] : memref<6xf32>
    scf.yield %r : f32
  }
  return %s : f32
}
""",
    ),
    "a vector over rows that are dropped": (
        "fold-memref-alias-ops",
        vectors("memref<4x3x4xf32>", "0, 1, 0] [4, 1, 4] [1, 1, 1", "strided<[12, 1], offset: 4>"),
    ),
    "a vector over every second row": (
        "fold-memref-alias-ops",
        vectors("memref<8x4xf32>", "0, 0] [4, 4] [2, 1", "strided<[8, 1]>"),
    ),
    "a masked vector over every second element": (
        "fold-memref-alias-ops",
        """\
func.func @f(%m: memref<16xf32>, %v: vector<4xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %mask = vector.create_mask %k : vector<4xi1>
  %s = memref.subview %m[0] [8] [2] : memref<16xf32> to memref<8xf32, strided<[2]>>
  vector.maskedstore %s[%c0], %mask, %v : memref<8xf32, strided<[2]>>, vector<4xi1>, vector<4xf32>
  return
}
""",
    ),
    "a vector over collapsed rows": (
        "fold-memref-alias-ops",
        """\
func.func @f(%m: memref<4x4xf32>) -> vector<8xf32> {
  %c2 = arith.constant 2 : index
  %c = memref.collapse_shape %m [[0, 1]] : memref<4x4xf32> into memref<16xf32>
  %v = vector.load %c[%c2] : memref<16xf32>, vector<8xf32>
  return %v : vector<8xf32>
}
""",
    ),
    "a buffer stored in a table, and a loop": ("buffer-loop-hoisting", STORED),
    "a buffer stored in a table, and the stack": ("promote-buffers-to-stack", STORED),
    "a buffer stored in a table by a callee": ("ownership-based-buffer-deallocation", STORED_BY_CALLEE),
    "a buffer stored by a callee, and freed later": ("optimize-allocation-liveness", FREED_LATER),
    "a buffer stored by a callee, without ownership": ("buffer-deallocation", STORED_BY_CALLEE),
}
"""Pass and program."""
UNCOMPARED = ("buffer-deallocation", "promote-buffers-to-stack")
"""Passes that mlir-opt 22 does not have, or in which it crashes on memrefs of memrefs."""


def after(name: str, compat: str = "") -> tuple[bool, str]:
    """Whether what the pass made computes the same and, except for tables that are never freed, frees all memory."""
    flag, text = CASES[name]
    module = bufferize.parse(text)
    made = module.clone()
    transform(made, (f"-{flag}",), compat)
    (found,) = verify_module(module, made, Options(leaks="realloc" in text))
    assert found.failed or found.runs
    return not found.failed, print_operation(made)


@pytest.mark.parametrize("name", CASES)
def test_the_program_computes_the_same(name: str):
    same, _ = after(name)
    assert same


@pytest.mark.parametrize("name", CASES)
def test_what_is_mirrored_does_not(name: str):
    same, _ = after(name, MLIR_22)
    assert not same


@pytest.mark.mlir
@pytest.mark.skipif(MLIR_OPT is None, reason="mlir-opt-22 is not installed")
@pytest.mark.parametrize("name", [name for name in CASES if CASES[name][0] not in UNCOMPARED])
def test_what_is_mirrored_is_what_mlir_opt_does(name: str):
    flag, text = CASES[name]
    done = subprocess.run([str(MLIR_OPT), f"-{flag}"], input=text, capture_output=True, text=True)
    assert done.stdout.strip() == after(name, MLIR_22)[1].strip()


INVALID = {
    "a column of a transposed matrix": (
        "vector<4xf32>",
        """\
  %c = memref.subview %m[0, 3] [8, 1] [1, 1] : memref<8x8xf32, strided<[1, 8]>> to memref<8xf32, strided<[1], offset: 24>>
  %v = vector.load %c[%i] : memref<8xf32, strided<[1], offset: 24>>, vector<4xf32>
""",
    ),
    "more dimensions than the source": (
        "vector<2x2xf32>",
        """\
  %e = memref.expand_shape %n [[0, 1]] output_shape [4, 4] : memref<16xf32> into memref<4x4xf32>
  %v = vector.load %e[%i, %i] : memref<4x4xf32>, vector<2x2xf32>
""",
    ),
}


@pytest.mark.parametrize("name", INVALID)
def test_a_vector_that_the_source_has_no_place_for_is_loaded_from_the_view(name: str):
    type, body = INVALID[name]
    module = bufferize.parse(f"""\
func.func @f(%m: memref<8x8xf32, strided<[1, 8]>>, %n: memref<16xf32>, %i: index) -> {type} {{
{body}  return %v : {type}
}}
""")
    before = str(module)
    transform(module, ("-fold-memref-alias-ops",), "")
    assert str(module) == before


@pytest.mark.parametrize("dimension", [-1, 5])
def test_a_dimension_that_does_not_exist_has_no_size(dimension: int):
    module = bufferize.parse(f"""\
func.func @f(%m: memref<16xf32>, %t: tensor<?x?xf32>, %n: index) -> (index, index) {{
  %c = arith.constant {dimension} : index
  %e = memref.expand_shape %m [[0, 1]] output_shape [4, 4] : memref<16xf32> into memref<4x4xf32>
  %d = memref.dim %e, %c : memref<4x4xf32>
  %s = tensor.extract_slice %t[0, 0] [%n, 4] [1, 1] : tensor<?x?xf32> to tensor<?x4xf32>
  %x = tensor.dim %s, %c : tensor<?x4xf32>
  return %d, %x : index, index
}}
""")
    before = str(module)
    transform(module, ("-resolve-shaped-type-result-dims",), "")
    assert str(module) == before


def test_a_size_is_not_loaded_before_its_dimension_is_known():
    module = bufferize.parse("""\
func.func @f(%m: memref<6xf32>, %s: memref<2xindex>, %k: index) -> index {
  %r = memref.reshape %m(%s) : (memref<6xf32>, memref<2xindex>) -> memref<?x?xf32>
  cf.br ^next
^next:
  %i = arith.addi %k, %k : index
  %d = memref.dim %r, %i : memref<?x?xf32>
  return %d : index
}
""")
    before = str(module)
    transform(module, ("-convert-linalg-to-loops",), "")
    assert str(module) == before


def test_what_a_callee_frees_is_not_freed_again():
    module = bufferize.parse("""\
func.func private @release(%m: memref<4xf32>) {
  memref.dealloc %m : memref<4xf32>
  return
}
func.func @f() {
  %m = memref.alloc() : memref<4xf32>
  call @release(%m) : (memref<4xf32>) -> ()
  return
}
""")
    before = str(module)
    transform(module, ("-buffer-deallocation",), "")
    assert str(module) == before
