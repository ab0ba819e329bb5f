"""Programs that are valid, and stay so."""

from __future__ import annotations

import pytest
from bufferize.ir.text.parser import parse_text
from bufferize.ir.text.printer import print_module
from bufferize.ir.verifier import verify
from bufferize.transforms.pass_manager import PassManager, make_pass

PACK = """
func.func @f(%s: tensor<16x8xf32>) -> tensor<2x1x?x8xf32> {
  %c8 = arith.constant 8 : index
  %e = tensor.empty(%c8) : tensor<2x1x?x8xf32>
  %0 = linalg.pack %s inner_dims_pos = [0, 1] inner_tiles = [%c8, 8] into %e : tensor<16x8xf32> -> tensor<2x1x?x8xf32>
  return %0 : tensor<2x1x?x8xf32>
}
"""
UNPACK = """
func.func @f(%s: tensor<2x1x8x8xf32>, %e: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %c8 = arith.constant 8 : index
  %d = tensor.cast %s : tensor<2x1x8x8xf32> to tensor<2x1x?x8xf32>
  %0 = linalg.unpack %d inner_dims_pos = [0, 1] inner_tiles = [%c8, 8] into %e : tensor<2x1x?x8xf32> -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}
"""
UNKNOWN_TILE = UNPACK.replace("  %c8 = arith.constant 8 : index\n", "").replace(
    "%e: tensor<16x8xf32>)", "%e: tensor<16x8xf32>, %c8: index)"
)
FILLED_WITH_VECTORS = """
func.func @f(%v: vector<4xf32>, %t: tensor<8xvector<4xf32>>) -> tensor<8xvector<4xf32>> {
  %0 = linalg.fill ins(%v : vector<4xf32>) outs(%t : tensor<8xvector<4xf32>>) -> tensor<8xvector<4xf32>>
  return %0 : tensor<8xvector<4xf32>>
}
"""
TRANSPOSED_BUFFER = """
func.func @f(%m: memref<?x?xf32>) -> memref<?x?xf32, affine_map<(d0, d1)[s0] -> (d1 * s0 + d0)>> {
  %0 = memref.transpose %m (i, j) -> (j, i) : memref<?x?xf32> to memref<?x?xf32, affine_map<(d0, d1)[s0] -> (d1 * s0 + d0)>>
  return %0 : memref<?x?xf32, affine_map<(d0, d1)[s0] -> (d1 * s0 + d0)>>
}
"""
FILL_IN_PLACE = """
func.func @f(%v: f32, %t: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.fill ins(%v : f32) outs(%t : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.transpose ins(%0 : tensor<4x4xf32>) outs(%0 : tensor<4x4xf32>) permutation = [1, 0]
  return %1 : tensor<4x4xf32>
}
"""
DECLARATIONS = """
func.func private @a(tensor<4xf32>, i32) -> f32
func.func private @b(tensor<4xf32> {llvm.noalias}) -> (f32 {llvm.noundef})
func.func private @c((i32) -> f32, tensor<4xf32>)
func private @d(tensor<4xf32>) -> f32
"""
BRANCH_THAT_PASSES_WHAT_IS_NOT_NEEDED = """
func.func @f(%x: i32) -> i32 {
  %a = arith.constant 10 : i32
  %r = "test.merge_blocks"() ({
  ^bb0:
    "test.br"(%x, %a)[^bb1] : (i32, i32) -> ()
  ^bb1(%p: i32, %q: i32):
    "test.return"(%p) : (i32) -> ()
  }) : () -> i32
  return %r : i32
}
"""
ONE_OF_TWO_UNIT_DIMENSIONS_DROPPED = """
func.func @f(%m: memref<1x2xf32>, %t: memref<2x3x2xf32, strided<[?, ?, ?], offset: ?>>) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %s = memref.subview %t[%c1, %c0, %c0] [1, 2, 1] [1, 1, 1]
      : memref<2x3x2xf32, strided<[?, ?, ?], offset: ?>> to memref<1x2xf32, strided<[?, ?], offset: ?>>
  %u = memref.cast %s : memref<1x2xf32, strided<[?, ?], offset: ?>> to memref<1x?xf32, strided<[?, ?], offset: ?>>
  %v = memref.cast %u : memref<1x?xf32, strided<[?, ?], offset: ?>> to memref<1x2xf32, strided<[?, ?], offset: ?>>
  memref.copy %m, %v : memref<1x2xf32> to memref<1x2xf32, strided<[?, ?], offset: ?>>
  return
}
"""


@pytest.mark.parametrize(
    ("text", "part"),
    [
        (ONE_OF_TWO_UNIT_DIMENSIONS_DROPPED, "[1, 0, 0] [1, 2, 1]"),
        (PACK, "inner_tiles = [8, 8]"),
        (UNPACK, "inner_tiles = [8, 8]"),
        (UNKNOWN_TILE, "inner_tiles = [%arg2, 8]"),
        (FILLED_WITH_VECTORS, "linalg.fill"),
        (TRANSPOSED_BUFFER, "memref.transpose"),
        (FILL_IN_PLACE, "outs(%0 : tensor<4x4xf32>)"),
        (
            FILL_IN_PLACE.replace("transpose ins", "copy ins").replace(
                " permutation = [1, 0]", " -> tensor<4x4xf32>"
            ),
            "linalg.fill",
        ),
        (DECLARATIONS, "@d(tensor<4xf32>) -> f32"),
        (BRANCH_THAT_PASSES_WHAT_IS_NOT_NEEDED, "test.return"),
    ],
)
def test_canonical_forms_are_valid(text, part):
    module = parse_text(text, allow_unregistered=True)
    verify(module, allow_unregistered=True)
    PassManager([make_pass("canonicalize")], allow_unregistered=True).run(module)
    verify(module, allow_unregistered=True)
    assert part in print_module(module)


def test_a_function_of_several_blocks_is_not_inlined_into_a_branch():
    module = parse_text("""
func.func private @g(%n: index, %c: i1) {
  cf.br ^a(%n : index)
^a(%v: index):
  cf.cond_br %c, ^a(%n : index), ^b
^b:
  return
}
func.func @f(%n: index, %c: i1) {
  scf.if %c {
    func.call @g(%n, %c) : (index, i1) -> ()
  }
  return
}
""")
    PassManager([make_pass("inline")]).run(module)
    assert "call @g" in print_module(module)


def test_inlined_operations_lose_the_alias_scopes_of_their_function():
    """Of two copies each scope would otherwise promise that the other's accesses are elsewhere."""
    module = parse_text("""
#d = #llvm.alias_scope_domain<id = distinct[0]<>>
#s = #llvm.alias_scope<id = distinct[1]<>, domain = #d>
llvm.func @scoped(%p: !llvm.ptr, %x: i32) attributes {sym_visibility = "private"} {
  llvm.intr.experimental.noalias.scope.decl #s
  llvm.store %x, %p {alias_scopes = [#s]} : i32, !llvm.ptr
  llvm.return
}
llvm.func @copied(%p: !llvm.ptr {llvm.byval = i64}) {
  llvm.return
}
llvm.func @user(%p: !llvm.ptr, %x: i32) {
  llvm.call @scoped(%p, %x) : (!llvm.ptr, i32) -> ()
  llvm.call @copied(%p) : (!llvm.ptr) -> ()
  llvm.return
}
""")
    PassManager([make_pass("inline")]).run(module)
    text = print_module(module)
    assert "llvm.store %arg1, %arg0 : i32" in text
    assert "scope" not in text
    assert "llvm.call @copied" in text


def test_a_body_that_does_not_return_is_inlined_only_where_blocks_may_follow():
    module = parse_text("""
func.func @f(%x: i32) -> i32 {
  ub.unreachable
}
func.func @g(%x: i32, %c: i1) -> i32 {
  %0 = scf.if %c -> i32 {
    %1 = func.call @f(%x) : (i32) -> i32
    scf.yield %1 : i32
  } else {
    scf.yield %x : i32
  }
  return %0 : i32
}
func.func @h(%x: i32) -> i32 {
  %0 = call @f(%x) : (i32) -> i32
  return %0 : i32
}
""")
    PassManager([make_pass("inline")]).run(module)
    verify(module)
    text = print_module(module)
    assert text.count("call @f") == 1
    assert text.count("ub.unreachable") == 2
