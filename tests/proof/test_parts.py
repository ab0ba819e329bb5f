"""Contents written in parts, by loops or piece by piece, are followed; what leaves a part out, or puts it elsewhere, is not proved."""

import bufferize
import pytest
from bufferize.proof.check import prove_modules
from bufferize.proof.checker import certificate_of, check_certificate

WAVE = """
func.func @f(%u0: tensor<64x64xf32>, %v0: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %r:2 = scf.for %i = %c0 to %c20 step %c1 iter_args(%u = %u0, %v = %v0) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
    %a = tensor.extract_slice %u[0, 1] [62, 62] [1, 1] : tensor<64x64xf32> to tensor<62x62xf32>
    %b = tensor.extract_slice %u[2, 1] [62, 62] [1, 1] : tensor<64x64xf32> to tensor<62x62xf32>
    %p = tensor.extract_slice %v[1, 1] [62, 62] [1, 1] : tensor<64x64xf32> to tensor<62x62xf32>
    %e = tensor.empty() : tensor<62x62xf32>
    %n0 = linalg.add ins(%a, %b : tensor<62x62xf32>, tensor<62x62xf32>) outs(%e : tensor<62x62xf32>) -> tensor<62x62xf32>
    %n = linalg.sub ins(%n0, %p : tensor<62x62xf32>, tensor<62x62xf32>) outs(%e : tensor<62x62xf32>) -> tensor<62x62xf32>
    %w = tensor.insert_slice %n into %u[1, 1] [62, 62] [1, 1] : tensor<62x62xf32> into tensor<64x64xf32>
    scf.yield %w, %u : tensor<64x64xf32>, tensor<64x64xf32>
  }
  return %r#0 : tensor<64x64xf32>
}
"""
ROWS = """
#s = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %z = arith.constant 0 : index
  %m = arith.constant 7 : index
  %cst = arith.constant dense<0.0> : tensor<8x4xf32>
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %cst) -> (tensor<8x4xf32>) : i32 {
    %x = arith.index_cast %i : i32 to index
    %y = arith.maxsi %x, %z : index
    %k = arith.minsi %y, %m : index
    %row = tensor.extract_slice %a[%k, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<1x4xf32>
    %e = tensor.empty() : tensor<1x4xf32>
    %n = linalg.exp ins(%row : tensor<1x4xf32>) outs(%e : tensor<1x4xf32>) -> tensor<1x4xf32>
    %w = tensor.insert_slice %n into %t[%k, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<8x4xf32>
    scf.yield %w : tensor<8x4xf32>
  }
  return %r : tensor<8x4xf32>
}
"""
ROLLED = """
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %head = tensor.extract_slice %a[0] [7] [1] : tensor<8xf32> to tensor<7xf32>
  %last = tensor.extract_slice %a[7] [1] [1] : tensor<8xf32> to tensor<1xf32>
  %r0 = tensor.insert_slice %last into %e[0] [1] [1] : tensor<1xf32> into tensor<8xf32>
  %r = tensor.insert_slice %head into %r0[1] [7] [1] : tensor<7xf32> into tensor<8xf32>
  %s = linalg.add ins(%a, %r : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %s : tensor<8xf32>
}
"""
TILES = """
func.func @f(%a: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c32 = arith.constant 32 : index
  %e = tensor.empty() : tensor<64x32xf32>
  %cst = arith.constant 0.0 : f32
  %z = linalg.fill ins(%cst : f32) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
  %r = scf.for %i = %c0 to %c64 step %c16 iter_args(%t = %z) -> (tensor<64x32xf32>) {
    %q = scf.for %j = %c0 to %c32 step %c16 iter_args(%s = %t) -> (tensor<64x32xf32>) {
      %x = tensor.extract_slice %a[%i, %j] [16, 16] [1, 1] : tensor<64x32xf32> to tensor<16x16xf32>
      %n = linalg.exp ins(%x : tensor<16x16xf32>) outs(%x : tensor<16x16xf32>) -> tensor<16x16xf32>
      %w = tensor.insert_slice %n into %s[%i, %j] [16, 16] [1, 1] : tensor<16x16xf32> into tensor<64x32xf32>
      scf.yield %w : tensor<64x32xf32>
    }
    scf.yield %q : tensor<64x32xf32>
  }
  return %r : tensor<64x32xf32>
}
"""
PIPELINE = (
    "one-shot-bufferize=bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map "
    "fewest-copies allow-return-allocs-from-loops"
)


def saved(text):
    """The program, and what fewest-copies makes of it."""
    before, after = bufferize.parse(text), bufferize.parse(text)
    bufferize.run_passes(after, [PIPELINE])
    return before, str(after)


@pytest.mark.parametrize("name", ["WAVE", "ROWS", "ROLLED", "TILES"])
def test_loops_and_pieces_are_followed(name):
    before, text = saved(globals()[name])
    after = bufferize.parse(text)
    proof = prove_modules(before, after)
    assert proof.proved, [question.text for question in proof.questions]
    check_certificate(before, after, certificate_of(before, after, proof, leaks=False))


def without(text, what, number):
    """Without one of the lines that have a word."""
    lines = text.splitlines()
    found = [line for line in lines if what in line]
    lines.remove(found[number])
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        *(("WAVE", lambda text, k=k: without(text, "memref.copy", k)) for k in range(2)),
        ("WAVE", lambda text: text.replace("constant 20", "constant 18")),
        ("WAVE", lambda text: text.replace("constant 2 :", "constant 4 :")),
        ("WAVE", lambda text: text.replace("copy %subview, %subview_0", "copy %subview_0, %subview")),
        ("ROWS", lambda text: text.replace("constant 8 : i32", "constant 7 : i32")),
        ("ROWS", lambda text: text.replace("constant 0 : i32", "constant 1 : i32")),
        ("ROWS", lambda text: text.replace("constant 1 : i32", "constant 2 : i32")),
        ("ROWS", lambda text: text.replace("constant 7 : index", "constant 6 : index")),
        *(("ROLLED", lambda text, k=k: without(text, "linalg.add", k)) for k in range(2)),
        ("ROLLED", lambda text: text.replace("%arg0[7] [1]", "%arg0[6] [1]").replace("offset: 7", "offset: 6")),
        ("TILES", lambda text: text.replace("constant 32 : index", "constant 16 : index")),
        ("TILES", lambda text: text.replace("constant 64 : index", "constant 48 : index")),
    ],
)  # fmt: skip
def test_a_part_that_is_left_out_or_elsewhere_stays_open(name, change):
    before, text = saved(globals()[name])
    changed = change(text)
    assert changed != text
    assert not prove_modules(before, bufferize.parse(changed)).proved


FOLD = """
#a = affine_map<(i, k, l) -> (i, k, l)>
#o = affine_map<(i, k, l) -> (i)>
func.func @f(%a: memref<4x3x5xf32>, %z: f32) -> memref<4xf32> {
  %o = memref.alloc() : memref<4xf32>
  linalg.fill ins(%z : f32) outs(%o : memref<4xf32>)
  linalg.generic {indexing_maps = [#a, #o], iterator_types = ["parallel", "reduction", "reduction"]} ins(%a : memref<4x3x5xf32>) outs(%o : memref<4xf32>) {
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %q, %p : f32
    linalg.yield %s : f32
  }
  return %o : memref<4xf32>
}
"""
MERGED_FOLD = """
#a = affine_map<(i, k) -> (i, k)>
#o = affine_map<(i, k) -> (i)>
func.func @f(%a: memref<4x3x5xf32>, %z: f32) -> memref<4xf32> {
  %o = memref.alloc() : memref<4xf32>
  linalg.fill ins(%z : f32) outs(%o : memref<4xf32>)
  %m = memref.collapse_shape %a [[0], [1, 2]] : memref<4x3x5xf32> into memref<4x15xf32>
  linalg.generic {indexing_maps = [#a, #o], iterator_types = ["parallel", "reduction"]} ins(%m : memref<4x15xf32>) outs(%o : memref<4xf32>) {
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %q, %p : f32
    linalg.yield %s : f32
  }
  return %o : memref<4xf32>
}
"""
OTHER_ORDER = FOLD.replace("(i, k, l) -> (i, k, l)", "(i, l, k) -> (i, k, l)").replace(
    "(i, k, l) -> (i)", "(i, l, k) -> (i)"
)
PAIR = """
#m = affine_map<(d0) -> (d0)>
#s = affine_map<(d0) -> ()>
func.func @f(%a: tensor<8xf32>, %z: tensor<f32>, %w: tensor<i32>) -> tensor<i32> {
  %r:2 = linalg.generic {indexing_maps = [#m, #s, #s], iterator_types = ["reduction"]} ins(%a : tensor<8xf32>) outs(%z, %w : tensor<f32>, tensor<i32>) {
  ^bb0(%x: f32, %p: f32, %q: i32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %c = arith.cmpf ogt, %x, %p : f32
    %v = arith.select %c, %x, %p : f32
    %k = arith.select %c, %n, %q : i32
    linalg.yield %v, %k : f32, i32
  } -> (tensor<f32>, tensor<i32>)
  return %r#1 : tensor<i32>
}
"""
SPLIT = """
func.func @f(%a: memref<8xf32>, %b: memref<2x4xf32>) -> memref<2x4xf32> {
  %o = memref.alloc() : memref<2x4xf32>
  %e = memref.expand_shape %a [[0, 1]] output_shape [2, 4] : memref<8xf32> into memref<2x4xf32>
  linalg.add ins(%e, %b : memref<2x4xf32>, memref<2x4xf32>) outs(%o : memref<2x4xf32>)
  return %o : memref<2x4xf32>
}
"""
WHOLE = """
func.func @f(%a: memref<8xf32>, %b: memref<2x4xf32>) -> memref<2x4xf32> {
  %o = memref.alloc() : memref<2x4xf32>
  %c = memref.collapse_shape %b [[0, 1]] : memref<2x4xf32> into memref<8xf32>
  %r = memref.collapse_shape %o [[0, 1]] : memref<2x4xf32> into memref<8xf32>
  linalg.add ins(%a, %c : memref<8xf32>, memref<8xf32>) outs(%r : memref<8xf32>)
  return %o : memref<2x4xf32>
}
"""
SORTED = """
func.func @f(%a: tensor<4x16xf32>, %x: i32, %y: i32) -> tensor<4x16xf32> {
  %0 = tm_tensor.sort dimension(1) outs(%a : tensor<4x16xf32>) {
  ^bb0(%p: f32, %q: f32):
    %u = arith.addi %x, %y : i32
    %v = arith.cmpi slt, %u, %x : i32
    %w = arith.cmpf oge, %p, %q : f32
    %z = arith.andi %v, %w : i1
    tm_tensor.yield %z : i1
  } -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}
"""


WINDOWS = """
func.func @f(%a: tensor<7xf32>, %w: tensor<3xf32>, %m: tensor<5xf32>, %k: tensor<5xi32>) -> (tensor<5xf32>, tensor<5xi32>) {
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 + d1)>, affine_map<(d0, d1) -> (d1)>,
      affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%a, %w : tensor<7xf32>, tensor<3xf32>) outs(%m, %k : tensor<5xf32>, tensor<5xi32>) {
  ^bb0(%x: f32, %y: f32, %p: f32, %q: i32):
    %c = arith.cmpf ogt, %x, %p : f32
    %n = arith.fptosi %y : f32 to i32
    %u = arith.select %c, %x, %p : f32
    %v = arith.select %c, %n, %q : i32
    linalg.yield %u, %v : f32, i32
  } -> (tensor<5xf32>, tensor<5xi32>)
  return %r#0, %r#1 : tensor<5xf32>, tensor<5xi32>
}
"""
NUMBERED = """
func.func @f(%e: tensor<4x4xindex>) -> tensor<4x4xindex> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<4x4xindex>) {
  ^bb0(%o: index):
    %i = linalg.index 0 : index
    linalg.yield %i : index
  } -> tensor<4x4xindex>
  return %r : tensor<4x4xindex>
}
"""


@pytest.mark.parametrize(
    ("before", "after", "is_right"),
    [
        (WINDOWS, WINDOWS, True),
        (WINDOWS, WINDOWS.replace("%c, %x, %p", "%c, %p, %x"), False),
        (WINDOWS, WINDOWS.replace("%c, %n, %q", "%c, %q, %n"), False),
        (WINDOWS, WINDOWS.replace("r#0, %r#1", "r#0, %k"), False),
        (NUMBERED, NUMBERED, True),
        (NUMBERED, NUMBERED.replace("(d1, d0)", "(d0, d1)"), False),
        (FOLD, MERGED_FOLD, True),
        (FOLD, OTHER_ORDER, False),
        (MERGED_FOLD, OTHER_ORDER, False),
        (FOLD, MERGED_FOLD.replace("addf %q, %p", "subf %q, %p"), False),
        (SPLIT, WHOLE, True),
        (SPLIT, WHOLE.replace("ins(%a, %c", "ins(%c, %c"), False),
        (PAIR, PAIR, True),
        (PAIR, PAIR.replace("select %c, %x, %p", "select %c, %p, %x"), False),
        (SORTED, SORTED, True),
        (SORTED, SORTED.replace("oge", "ogt"), False),
        (SORTED, SORTED.replace("%x, %y : i32\n", "%x, %y overflow<nsw> : i32\n"), False),
        (SORTED, SORTED.replace("slt, %u, %x", "slt, %u, %y"), False),
        (SORTED, SORTED.replace("dimension(1)", "dimension(0)"), False),
    ],
)  # fmt: skip
def test_folds_reshapes_and_bodies(before, after, is_right):
    first, second = bufferize.parse(before), bufferize.parse(after)
    proof = prove_modules(first, second)
    assert proof.proved == is_right, [question.text for question in proof.questions]
    if is_right:
        check_certificate(first, second, certificate_of(first, second, proof, leaks=False))


STEP = """
#i = affine_map<(d0) -> (d0)>
func.func @f(%w: tensor<1024xf32>, %g: tensor<1024xf32>, %k: tensor<1024xindex>) -> (tensor<1024xf32>, tensor<f32>, tensor<1024xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024xf32>
  %p = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]} ins(%k : tensor<1024xindex>) outs(%e : tensor<1024xf32>) {
  ^bb0(%j: index, %o: f32):
    %x = tensor.extract %g[%j] : tensor<1024xf32>
    %y = math.exp %x : f32
    linalg.yield %y : f32
  } -> tensor<1024xf32>
  %q = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]} ins(%p : tensor<1024xf32>) outs(%e : tensor<1024xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = math.tanh %x : f32
    linalg.yield %y : f32
  } -> tensor<1024xf32>
  %w1 = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]} ins(%g : tensor<1024xf32>) outs(%w : tensor<1024xf32>) {
  ^bb0(%a: f32, %b: f32):
    %x = arith.subf %b, %a : f32
    linalg.yield %x : f32
  } -> tensor<1024xf32>
  %s = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%z : f32) outs(%s : tensor<f32>) -> tensor<f32>
  %n = linalg.generic {indexing_maps = [#i, #i, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%w, %w1 : tensor<1024xf32>, tensor<1024xf32>) outs(%f : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %x = arith.divf %a, %b : f32
    %y = arith.addf %o, %x : f32
    linalg.yield %y : f32
  } -> tensor<f32>
  return %w1, %n, %q : tensor<1024xf32>, tensor<f32>, tensor<1024xf32>
}
"""
STEP_IN_PLACE = """
#i = affine_map<(d0) -> (d0)>
func.func @f(%w: memref<1024xf32>, %g: memref<1024xf32>, %k: memref<1024xindex>) -> (memref<1024xf32>, memref<f32>, memref<1024xf32>) {
  %z = arith.constant 0.0 : f32
  %q = memref.alloc() : memref<1024xf32>
  linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]} ins(%k : memref<1024xindex>) outs(%q : memref<1024xf32>) {
  ^bb0(%j: index, %o: f32):
    %x = memref.load %g[%j] : memref<1024xf32>
    %y = math.exp %x : f32
    %t = math.tanh %y : f32
    linalg.yield %t : f32
  }
  %v = memref.alloc() : memref<1024xf32>
  memref.copy %w, %v : memref<1024xf32> to memref<1024xf32>
  %n = memref.alloc() : memref<f32>
  linalg.fill ins(%z : f32) outs(%n : memref<f32>)
  linalg.generic {indexing_maps = [#i, #i, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%g : memref<1024xf32>) outs(%v, %n : memref<1024xf32>, memref<f32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %x = arith.subf %b, %a : f32
    %c = arith.divf %b, %x : f32
    %y = arith.addf %o, %c : f32
    linalg.yield %x, %y : f32, f32
  }
  return %v, %n, %q : memref<1024xf32>, memref<f32>, memref<1024xf32>
}
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ("divf %b, %x", "divf %x, %b"),
        ("divf %b, %x", "divf %a, %x"),
        ("divf %b, %x", "divf %o, %x"),
        ("linalg.yield %x, %y", "linalg.yield %c, %y"),
        ("memref.load %g[%j]", "memref.load %w[%j]"),
        ("%y = math.exp %x", "%y = math.exp %o"),
        ("copy %w, %v", "copy %g, %v"),
    ],
)  # fmt: skip
def test_folds_beside_destinations_with_a_place_for_each_iteration(old, new):
    before, after = (
        bufferize.parse(STEP),
        bufferize.parse(STEP_IN_PLACE.replace(old, new) if old else STEP_IN_PLACE),
    )
    proof = prove_modules(before, after)
    assert proof.proved == (not old), [question.text for question in proof.questions]
    if not old:
        check_certificate(before, after, certificate_of(before, after, proof, leaks=False))


CALLED = """
func.func private @g(%t: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %f = arith.constant 1.0 : f32
  BODY
  %r = tensor.insert %f into %t[%c0] : tensor<8xf32>
  return %r : tensor<8xf32>
}
func.func @f(%t: tensor<8xf32>, %i: index) -> (tensor<8xf32>, f32) {
  %r = func.call @g(%t, %i) : (tensor<8xf32>, index) -> tensor<8xf32>
  %a = tensor.extract %t[%i] : tensor<8xf32>
  return %r, %a : tensor<8xf32>, f32
}
"""
WAITS = """%x = scf.while (%k = %n) : (index) -> index {
    %c = arith.cmpi slt, %k, %c0 : index
    scf.condition(%c) %k : index
  } do {
  ^bb0(%k: index):
    scf.yield %k : index
  }"""
ASSERTS = """%c = arith.cmpi slt, %n, %c0 : index
  cf.assert %c, "small" """


@pytest.mark.parametrize(("body", "returns"), [("", True), (WAITS, False), (ASSERTS, False)])
def test_a_read_moves_over_a_call_only_if_that_comes_back(body, returns):
    before, text = saved(CALLED.replace("BODY", body))
    function = text[text.index("@f(") :]
    assert function.index("memref.load") < function.index("call @g")
    after = bufferize.parse(text)
    proof = prove_modules(before, after)
    assert proof.proved == returns
    assert returns or proof.questions[0].text == (
        "the element read is in bounds (the original does it only after 'g', which may not terminate)"
    )
    if returns:
        check_certificate(before, after, certificate_of(before, after, proof, leaks=False))


DIVIDED = """
#i = affine_map<(d0) -> (d0)>
func.func @f(%a: tensor<64xi32>, %b: tensor<64xi32>) -> tensor<64xi32> {
  %e = tensor.empty() : tensor<64xi32>
  %p = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]} ins(%a : tensor<64xi32>) outs(%e : tensor<64xi32>) {
  ^bb0(%x: i32, %o: i32):
    %y = math.absi %x : i32
    linalg.yield %y : i32
  } -> tensor<64xi32>
  %q = linalg.generic {indexing_maps = [#i, #i, #i], iterator_types = ["parallel"]} ins(%b, %p : tensor<64xi32>, tensor<64xi32>) outs(%e : tensor<64xi32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %z = arith.remsi %x, %y : i32
    linalg.yield %z : i32
  } -> tensor<64xi32>
  return %q : tensor<64xi32>
}
"""
DIVIDED_AT_ONCE = """
#i = affine_map<(d0) -> (d0)>
#r = affine_map<(d0) -> (63 - d0)>
func.func @f(%a: memref<64xi32>, %b: memref<64xi32>) -> memref<64xi32> {
  %q = memref.alloc() : memref<64xi32>
  %d = memref.alloc() : memref<64xi32>
  linalg.generic {indexing_maps = [#i, #i, #i], iterator_types = ["parallel"]} ins(%a, %b : memref<64xi32>, memref<64xi32>) outs(%q : memref<64xi32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %z = math.absi %x : i32
    %w = arith.remsi %y, %z : i32
    linalg.yield %w : i32
  }
  return %q : memref<64xi32>
}
"""
DEAD = """  linalg.generic {indexing_maps = [#i, #i, #i], iterator_types = ["parallel"]} ins(%a, %b : memref<64xi32>, memref<64xi32>) outs(%d : memref<64xi32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %w = arith.remsi %y, %x : i32
    linalg.yield %w : i32
  }
  return"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ("  return", DEAD),
        ("  return", DEAD.replace("[#i, #i, #i]", "[#r, #i, #i]").replace("remsi %y, %x", "remsi %y, %z").replace("    %w", "    %z = math.absi %x : i32\n    %w")),
        ("%z = math.absi %x", "%z = arith.addi %x, %x"),
        ("absi %x : i32", "absi %y : i32"),
    ],
)  # fmt: skip
def test_what_a_body_divides_by_is_what_the_original_divides_by(old, new):
    before = bufferize.parse(DIVIDED)
    after = bufferize.parse(DIVIDED_AT_ONCE.replace(old, new) if old else DIVIDED_AT_ONCE)
    proof = prove_modules(before, after)
    assert proof.proved == (not old), [question.text for question in proof.questions]
    if not old:
        check_certificate(before, after, certificate_of(before, after, proof, leaks=False))
    elif old == "  return":
        assert "the divisor is not zero" in [question.text for question in proof.questions]


FILLED = """
func.func @f(%x: f32) -> memref<4x4xf32> {
  %g = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%g : memref<4x4xf32>)
  return %g : memref<4x4xf32>
}
"""
RESHAPED_TWICE = """
  %s = memref.subview %g[0, 1] [4, 1] [1, 1] : memref<4x4xf32> to memref<4x1xf32, strided<[4, 1], offset: 1>>
  %c = memref.collapse_shape %s [[0, 1]] : memref<4x1xf32, strided<[4, 1], offset: 1>> into memref<4xf32, strided<[4], offset: 1>>
  %e = memref.expand_shape %c [[0, 1]] output_shape [4, 1] : memref<4xf32, strided<[4], offset: 1>> into memref<4x1xf32, strided<[4, 4], offset: 1>>
  memref.copy %e, %s : memref<4x1xf32, strided<[4, 4], offset: 1>> to memref<4x1xf32, strided<[4, 1], offset: 1>>
"""
TRANSPOSED = """
  %c = memref.collapse_shape %g [[0, 1]] : memref<4x4xf32> into memref<16xf32>
  %e = memref.expand_shape %c [[0, 1]] output_shape [4, 4] : memref<16xf32> into memref<4x4xf32>
  %t = memref.transpose %e (i, j) -> (j, i) : memref<4x4xf32> to memref<4x4xf32, strided<[1, 4]>>
  memref.copy %t, %g : memref<4x4xf32, strided<[1, 4]>> to memref<4x4xf32>
"""


@pytest.mark.parametrize(("copy", "open_questions"), [(RESHAPED_TWICE, 0), (TRANSPOSED, 1)])
def test_copies_onto_the_same_elements_in_the_same_order_are_defined(copy: str, open_questions: int):
    """Reshapes that undo each other lead to the same elements, whatever the strides of their dimensions of size 1."""
    copied = FILLED.replace("  return", copy + "  return")
    proof = prove_modules(bufferize.parse(FILLED), bufferize.parse(copied))
    assert sum("do not overlap" in question.text for question in proof.questions) == open_questions
    assert proof.proved == (not open_questions)
