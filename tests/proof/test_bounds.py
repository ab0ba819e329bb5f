"""What the original accesses bounds sizes, and what is overwritten does not matter; one element more, less or elsewhere is not proved."""

import pytest
from bufferize import parse, prove
from bufferize.proof.checker import certificate_of, check_certificate
from bufferize.semantics.frees import leaks_matter

V = "memref<?xf32, strided<[1], offset: ?>>"
PREFIX = """func.func @f(%t: tensor<?xf32> {bufferization.writable = true}, %n: index, %v: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty(%n) : tensor<?xf32>
  %x = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  AT
  %r = tensor.insert_slice %x into %t[FIRST] [%n] [1] : tensor<?xf32> into tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func private @ext()
"""
IN_PARTS = f"""func.func @f(%t: memref<?xf32>, %n: index, %v: f32) -> memref<?xf32> {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.dim %t, %c0 : memref<?xf32>
  %a = memref.alloc(%d) : memref<?xf32>
  BEFORE
  %s = memref.subview %a[FIRST] [%n] [1] : memref<?xf32> to {V}
  linalg.fill ins(%v : f32) outs(%s : {V})
  %m = arith.subi %d, %n : index
  %k = arith.addi %m, MORE : index
  %p = memref.subview %t[FROM] [%k] [1] : memref<?xf32> to {V}
  %q = memref.subview %a[TO] [%k] [1] : memref<?xf32> to {V}
  memref.copy %p, %q : {V} to {V}
  AFTER
  return %a : memref<?xf32>
}}
func.func private @ext()
"""
CALL = "func.call @ext() : () -> ()"
CONCATENATED = """func.func @f(%a: tensor<4x?xf32>, %b: tensor<4x?xf32>, %i: index, %j: index, %v: f32) -> tensor<?x?xf32> {
  %x = tensor.empty(%i, %j) : tensor<?x?xf32>
  %y = tensor.empty(%j, %i) : tensor<?x?xf32>
  %p = linalg.fill ins(%v : f32) outs(%x : tensor<?x?xf32>) -> tensor<?x?xf32>
  %q = linalg.fill ins(%v : f32) outs(%y : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = tensor.concat dim(DIM) %p, %q : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
"""
W = "memref<?x?xf32, strided<[?, 1], offset: ?>>"
FILLED = f"""func.func @f(%a: memref<4x?xf32>, %b: memref<4x?xf32>, %i: index, %j: index, %v: f32) -> memref<?x?xf32> {{
  %n = arith.addi %i, %j : index
  %c0 = arith.constant 0 : index
  %r = memref.alloc(%n, SIZE) : memref<?x?xf32>
  %s = memref.subview %r[%c0, %c0] [%i, %j] [1, 1] : memref<?x?xf32> to {W}
  linalg.fill ins(%v : f32) outs(%s : {W})
  %z = memref.subview %r[FIRST, %c0] [%j, %i] [1, 1] : memref<?x?xf32> to {W}
  linalg.fill ins(%v : f32) outs(%z : {W})
  return %r : memref<?x?xf32>
}}
"""
INSERTED = """func.func @f(%t: tensor<?xf32> {bufferization.writable = true}, %a: index, %b: index, %n: index, %v: f32, %w: f32) -> tensor<?xf32> {
  %e = bufferization.alloc_tensor(%n) : tensor<?xf32>
  %i = tensor.insert %v into %e[%a] : tensor<?xf32>
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %a to %b step %c1 iter_args(%x = %t) -> (tensor<?xf32>) {
    %j = tensor.insert %w into %i[%k] : tensor<?xf32>
    %y = tensor.insert_slice %j into %x[%k] [%n] [1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
"""
STORED = f"""func.func @f(%t: memref<?xf32>, %a: index, %b: index, %n: index, %v: f32, %w: f32) -> memref<?xf32> {{
  %e = memref.alloc(%n) : memref<?xf32>
  BEFORE
  %c1 = arith.constant 1 : index
  scf.for %k = %a to %b step %c1 {{
    %g = memref.alloc(%n) : memref<?xf32>
    INSIDE
    %s = memref.subview %t[%k] [%n] [1] : memref<?xf32> to {V}
    memref.copy %g, %s : memref<?xf32> to {V}
  }}
  return %t : memref<?xf32>
}}
"""
V_TO_E, V_TO_G = ("memref.store %v, %" + to + "[%a] : memref<?xf32>" for to in "eg")
W_TO_G, COPIED = (
    "memref.store %w, %g[%k] : memref<?xf32>",
    "memref.copy %e, %g : memref<?xf32> to memref<?xf32>",
)
VECTOR = """func.func @f(%x: vector<NxM>, %t: tensor<4x2xf32>, %i: index) -> tensor<4x2xf32> {
  %c0 = arith.constant 0 : index
  %r = vector.transfer_write %x, %t[PLACE] {permutation_map = affine_map<MAP>} : vector<NxM>, tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}
"""
TRANSFERRED = """func.func @f(%x: vector<NxM>, %t: memref<4x2xf32>, %i: index) -> memref<4x2xf32> {
  %c0 = arith.constant 0 : index
  %e = memref.alloc() : memref<4x2xf32>
  vector.transfer_write %x, %e[PLACE] {permutation_map = affine_map<MAP>} : vector<NxM>, memref<4x2xf32>
  return %e : memref<4x2xf32>
}
"""
SAME, TURNED = "(d0, d1) -> (d0, d1)", "(d0, d1) -> (d1, d0)"
CONSTANT = """func.func @f() -> tensor<2x2xf32> {
  %a = arith.constant dense<[[1.0, 2.0], [3.0, 0.1]]> : tensor<2x2xf32>
  %b = arith.constant dense<[[2.0, 2.0], [-3.0, 0.2]]> : tensor<2x2xf32>
  %c = arith.addf %a, %b : tensor<2x2xf32>
  return %c : tensor<2x2xf32>
}
"""
FOLDED = """func.func @f() -> tensor<2x2xf32> {
  %c = arith.constant dense<NUMBERS> : tensor<2x2xf32>
  return %c : tensor<2x2xf32>
}
"""
UNRANKED = """func.func @f(%a: tensor<*xf32>, %b: tensor<*xf32>) -> tensor<2xf32> {
  %c = tensor.cast %a : tensor<*xf32> to tensor<2xf32>
  return %c : tensor<2xf32>
}
"""
LESS_STATIC = """func.func @f(%a: memref<*xf32>, %b: memref<*xf32>) -> memref<*xf32> {
  %c = memref.cast %a : memref<*xf32> to memref<2xf32>
  %n = memref.alloc() : memref<SIZExf32>
  PART
  memref.copy %c, %p : memref<2xf32> to memref<2xf32, strided<[1]>>
  %d = memref.cast %n : memref<SIZExf32> to memref<*xf32>
  return RESULT : memref<*xf32>
}
"""
WHOLE = "%p = memref.cast %n : memref<2xf32> to memref<2xf32, strided<[1]>>"
NEGATIVE = """func.func @f(%b: i1) -> tensor<?xf32> {
  %c = arith.constant -1 : index
  %e = tensor.empty(%c) : tensor<?xf32>
  return %e : tensor<?xf32>
}
"""
ALLOCATED = """func.func @f(%b: i1) -> memref<?xf32> {
  %c = arith.constant SIZE : index
  %e = memref.alloc(%c) : memref<?xf32>
  return %e : memref<?xf32>
}
"""
SIZES = """#m = affine_map<(d0) -> (d0)>
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>, %d: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %x = linalg.mul ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %y = linalg.mul ins(%c, %d : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = linalg.add ins(%x, LAST : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
"""
FUSED = """#m = affine_map<(d0) -> (d0)>
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>, %d: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %n = memref.dim FROM, %c0 : memref<?xf32>
  %e = memref.alloc(%n) : memref<?xf32>
  linalg.generic {indexing_maps = [#m, #m, #m, #m, #m], iterator_types = ["parallel"]}
    ins(%a, %b, %c, %d : memref<?xf32>, memref<?xf32>, memref<?xf32>, memref<?xf32>) outs(%e : memref<?xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32, %s: f32, %o: f32):
    %x = arith.mulf %p, %q : f32
    %y = arith.mulf %r, %s : f32
    %z = arith.addf %x, %y : f32
    linalg.yield %z : f32
  }
  return %e : memref<?xf32>
}
"""
BITS = """func.func @f(%x: tensor<2xTYPE>) -> tensor<2xTYPE> {
  %c = arith.constant dense<[NUMBER, NUMBER]> : tensor<2xTYPE>
  %r = arith.OP %x, %c : tensor<2xTYPE>
  return %r : tensor<2xTYPE>
}
"""
UNUSED_BITS = """func.func @f(%x: tensor<2xTYPE>) -> tensor<2xTYPE> {
  return %x : tensor<2xTYPE>
}
"""

SPLAT = """func.func @f(%i: index, %j: index) -> tensor<?xMxNxf32> {
  %m = arith.addi %i, %j : index
  %n = arith.subi %i, %j : index
  %z = arith.constant 0.0 : f32
  %p = tensor.splat %z[%i, %m, %n] : tensor<?x?x?xf32>
  %c = tensor.cast %p : tensor<?x?x?xf32> to tensor<?xMxNxf32>
  return %c : tensor<?xMxNxf32>
}
"""
STRIDED = """func.func @f(%i: index, %j: index) -> memref<?xAxBxf32> {
  %m = arith.addi %i, %j : index
  %n = arith.subi %i, %j : index
  %z = arith.constant 0.0 : f32
  %p = memref.alloc(%i, %m, %n) : memref<?x?x?xf32>
  linalg.fill ins(%z : f32) outs(%p : memref<?x?x?xf32>)
  %c = memref.cast %p : memref<?x?x?xf32> to memref<?xAxBxf32>
  return %c : memref<?xAxBxf32>
}
"""

SPLIT = """func.func @f(%x: tensor<?x4xTYPE>, %k: index) -> tensor<?xNxTYPE> {
  %c = tensor.collapse_shape %x [[0, 1]] : tensor<?x4xTYPE> into tensor<?xTYPE>
  %e = tensor.expand_shape %c [[0, 1]] output_shape [%k, N] : tensor<?xTYPE> into tensor<?xNxTYPE>
  return %e : tensor<?xNxTYPE>
}
"""
UNCHANGED = """func.func @f(%x: memref<?x4xTYPE>, %k: index) -> memref<?x4xTYPE> {
  %c0 = arith.constant 0 : index
  %d = memref.dim %x, %c0 : memref<?x4xTYPE>
  %a = memref.alloc(%d) : memref<?x4xTYPE>
  memref.copy %x, %a : memref<?x4xTYPE> to memref<?x4xTYPE>
  return %a : memref<?x4xTYPE>
}
"""

SPLATS = """func.func @f() -> vector<4xTYPE> {
  %a = arith.constant dense<LEFT> : vector<4xTYPE>
  %b = arith.constant dense<RIGHT> : vector<4xTYPE>
  %c = arith.OP %a, %b : vector<4xTYPE>
  return %c : vector<4xTYPE>
}
"""
SPLAT_RESULT = """func.func @f() -> vector<4xTYPE> {
  %c = arith.constant dense<RESULT> : vector<4xTYPE>
  return %c : vector<4xTYPE>
}
"""
MASK = """func.func @f() -> vector<2x[4]xi1> {
  %m = vector.constant_mask [SIZES] : vector<2x[4]xi1>
  return %m : vector<2x[4]xi1>
}
"""
BITS_OF_MASK = """func.func @f() -> vector<2x[4]xi1> {
  %m = arith.constant dense<BITS> : vector<2x[4]xi1>
  return %m : vector<2x[4]xi1>
}
"""


def parts(first="%c0", start="%n", to="%n", more="%c0", before="", after=""):
    return {"FIRST": first, "FROM": start, "TO": to, "MORE": more, "BEFORE": before, "AFTER": after}


CASES = [
    # before, after, what stands for the names in both, whether that is proved
    (PREFIX, IN_PARTS, {**parts(), "AT": ""}, True),
    (PREFIX, IN_PARTS, {**parts(more="%c1"), "AT": ""}, False),
    (PREFIX, IN_PARTS, {**parts(start="%c0"), "AT": ""}, False),
    (PREFIX, IN_PARTS, {**parts(to="%c0"), "AT": ""}, False),
    (PREFIX, IN_PARTS, {**parts(first="%c1"), "AT": ""}, False),
    (PREFIX, IN_PARTS, {**parts(before=CALL), "AT": CALL}, True),
    (PREFIX, IN_PARTS, {**parts(after=CALL), "AT": CALL}, False),
    (CONCATENATED, FILLED, {"DIM": "0", "SIZE": "%j", "FIRST": "%i"}, True),
    (CONCATENATED, FILLED, {"DIM": "0", "SIZE": "%i", "FIRST": "%i"}, True),
    (CONCATENATED, FILLED, {"DIM": "0", "SIZE": "%j", "FIRST": "%c0"}, False),
    (CONCATENATED, FILLED, {"DIM": "0", "SIZE": "%n", "FIRST": "%i"}, False),
    (CONCATENATED, FILLED, {"DIM": "1", "SIZE": "%n", "FIRST": "%i"}, False),
    (INSERTED, STORED, {"BEFORE": V_TO_E, "INSIDE": f"{COPIED}\n{W_TO_G}"}, True),
    (INSERTED, STORED, {"BEFORE": "", "INSIDE": f"{COPIED}\n{V_TO_G}\n{W_TO_G}"}, True),
    (INSERTED, STORED, {"BEFORE": V_TO_E, "INSIDE": f"{W_TO_G}\n{COPIED}"}, False),
    (INSERTED, STORED, {"BEFORE": "", "INSIDE": f"{COPIED}\n{W_TO_G}"}, False),
    (INSERTED, STORED, {"BEFORE": V_TO_E, "INSIDE": COPIED}, False),
    (INSERTED, STORED, {"BEFORE": "", "INSIDE": f"{COPIED}\n{W_TO_G}\n{V_TO_G}"}, False),
    (INSERTED, STORED, {"BEFORE": V_TO_E, "INSIDE": f"{W_TO_G.replace('%g', '%e')}\n{COPIED}"}, False),
    (VECTOR, TRANSFERRED, {"NxM": "4x2xf32", "PLACE": "%c0, %c0", "MAP": SAME}, True),
    (VECTOR, TRANSFERRED, {"NxM": "2x4xf32", "PLACE": "%c0, %c0", "MAP": TURNED}, True),
    (VECTOR, TRANSFERRED, {"NxM": "4x2xf32", "PLACE": "%c0, %c0", "MAP": TURNED}, False),
    (VECTOR, TRANSFERRED, {"NxM": "4x2xf32", "PLACE": "%i, %c0", "MAP": SAME}, False),
    (VECTOR, TRANSFERRED, {"NxM": "4x1xf32", "PLACE": "%c0, %c0", "MAP": SAME}, False),
    (VECTOR, TRANSFERRED, {"NxM": "[4]x2xf32", "PLACE": "%c0, %c0", "MAP": SAME}, False),
    (VECTOR, TRANSFERRED, {"NxM": "4xf32", "PLACE": "%c0, %c0", "MAP": "(d0, d1) -> (d0)"}, False),
    (CONSTANT, FOLDED, {"NUMBERS": "[[3.0, 4.0], [0.0, 0.3]]"}, True),
    (CONSTANT, FOLDED, {"NUMBERS": "[[3.0, 0.0], [4.0, 0.3]]"}, False),
    (CONSTANT, FOLDED, {"NUMBERS": "[[3.0, 4.0], [-0.0, 0.3]]"}, False),
    (CONSTANT, FOLDED, {"NUMBERS": "[[3.0, 4.0], [0.0, 0.30000005]]"}, False),
    (UNRANKED, LESS_STATIC, {"SIZE": "2", "PART": WHOLE, "RESULT": "%a"}, True),
    (UNRANKED, LESS_STATIC, {"SIZE": "2", "PART": WHOLE, "RESULT": "%d"}, True),
    (UNRANKED, LESS_STATIC, {"SIZE": "2", "PART": WHOLE, "RESULT": "%b"}, False),
    (UNRANKED, LESS_STATIC, {"SIZE": "3", "PART": "%p = memref.subview %n[0] [2] [1] : memref<3xf32> to memref<2xf32, strided<[1]>>", "RESULT": "%d"}, False),
    (UNRANKED, LESS_STATIC, {"SIZE": "1x2", "PART": "%o = memref.collapse_shape %n [[0, 1]] : memref<1x2xf32> into memref<2xf32> %p = memref.cast %o : memref<2xf32> to memref<2xf32, strided<[1]>>", "RESULT": "%d"}, False),
    (NEGATIVE, ALLOCATED, {"SIZE": "-1"}, True),
    (NEGATIVE, ALLOCATED, {"SIZE": "-2"}, False),
    (SIZES, FUSED, {"FROM": "%a", "LAST": "%y"}, True),
    (SIZES, FUSED, {"FROM": "%d", "LAST": "%y"}, True),
    (SIZES, FUSED, {"FROM": "%a", "LAST": "%x"}, False),
    (BITS, UNUSED_BITS, {"TYPE": "i8", "OP": "andi", "NUMBER": "-1"}, True),
    (BITS, UNUSED_BITS, {"TYPE": "i8", "OP": "andi", "NUMBER": "255"}, True),
    (BITS, UNUSED_BITS, {"TYPE": "i8", "OP": "andi", "NUMBER": "127"}, False),
    (BITS, UNUSED_BITS, {"TYPE": "i16", "OP": "andi", "NUMBER": "255"}, False),
    (BITS, UNUSED_BITS, {"TYPE": "i8", "OP": "ori", "NUMBER": "-1"}, False),
    (BITS, UNUSED_BITS, {"TYPE": "i8", "OP": "xori", "NUMBER": "-1"}, False),
    (SPLAT, STRIDED, {"M": "32", "N": "8", "A": "32", "B": "8"}, True),
    (SPLAT, STRIDED, {"M": "32", "N": "?", "A": "32", "B": "8"}, False),
    (SPLAT, STRIDED, {"M": "32", "N": "8", "A": "8", "B": "32"}, False),
    (SPLIT, UNCHANGED, {"TYPE": "f32", "N": "4"}, True),
    (SPLIT, UNCHANGED, {"TYPE": "f32", "N": "2"}, False),
    (SPLATS, SPLAT_RESULT, {"TYPE": "i8", "LEFT": "100", "RIGHT": "3", "OP": "muli", "RESULT": "44"}, True),
    (SPLATS, SPLAT_RESULT, {"TYPE": "i8", "LEFT": "100", "RIGHT": "3", "OP": "muli", "RESULT": "43"}, False),
    (SPLATS, SPLAT_RESULT, {"TYPE": "i8", "LEFT": "100", "RIGHT": "3", "OP": "subi", "RESULT": "-97"}, False),
    (SPLATS, SPLAT_RESULT, {"TYPE": "i8", "LEFT": "100", "RIGHT": "0", "OP": "divsi", "RESULT": "0"}, False),
    (SPLATS, SPLAT_RESULT, {"TYPE": "f32", "LEFT": "0.1", "RIGHT": "0.2", "OP": "addf", "RESULT": "0.3"}, True),
    (SPLATS, SPLAT_RESULT, {"TYPE": "f64", "LEFT": "0.1", "RIGHT": "0.2", "OP": "addf", "RESULT": "0.3"}, False),
    (MASK, BITS_OF_MASK, {"SIZES": "2, 4", "BITS": "true"}, True),
    (MASK, BITS_OF_MASK, {"SIZES": "0, 0", "BITS": "false"}, True),
    (MASK, BITS_OF_MASK, {"SIZES": "1, 4", "BITS": "true"}, False),
    (MASK, BITS_OF_MASK, {"SIZES": "2, 4", "BITS": "false"}, False),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "names", "is_right"), CASES)
def test_what_the_original_accesses_bounds_what_is_compared(before, after, names, is_right):
    one, other = (parse(named(text, names)) for text in (before, after))
    proof = prove(one, other)
    assert proof.proved == is_right, [question.text for question in proof.questions]
    if is_right:
        check_certificate(one, other, certificate_of(one, other, proof, leaks_matter(one, other)))


def named(text, names):
    for name, stands_for in names.items():
        text = text.replace(name, stands_for)
    return text


@pytest.mark.parametrize(
    ("after", "is_proved"), [("[4] [1]", True), ("[4] [2]", True), ("[4] [0]", False), ("[1] [0]", True)]
)
def test_a_slice_with_a_stride_of_zero_is_not_proved_though_all_elements_are_the_same(after, is_proved):
    """`verify` refuses it, and so must the prover."""
    size, stride = after[1], after[-2]
    text = """func.func @f(%v: f32) -> tensor<SIZExf32> {
      %x = tensor.splat %v : tensor<8xf32>
      %s = tensor.extract_slice %x[0] [SIZE] [STRIDE] : tensor<8xf32> to tensor<SIZExf32>
      return %s : tensor<SIZExf32>
    }""".replace("SIZE", size)
    before, after = (parse(text.replace("STRIDE", step)) for step in ("1", stride))
    assert prove(before, after).proved is is_proved
