"""Contents written in parts, by loops or piece by piece, are followed; what leaves a part out, or puts it elsewhere, is not proved."""

import bufferize
import pytest
from bufferize.proof.certificate import certificate_of
from bufferize.proof.check import prove_modules
from bufferize.proof.checker import check_certificate

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
    "fewest-copies analysis-heuristic=fewest-copies allow-return-allocs-from-loops"
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


@pytest.mark.parametrize(
    ("before", "after", "is_right"),
    [
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


PADDED = """
func.func @f(%x: tensor<8xi32>) -> tensor<8xi32> {
  %z = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %x) -> (tensor<8xi32>) {
    %p = tensor.pad %a low[1] high[1] {
    ^bb0(%k: index):
      tensor.yield %z : i32
    } : tensor<8xi32> to tensor<10xi32>
    %e = tensor.empty() : tensor<8xi32>
    %f = linalg.fill ins(%z : i32) outs(%e : tensor<8xi32>) -> tensor<8xi32>
    %w = tensor.empty() : tensor<3xi32>
    %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%p, %w : tensor<10xi32>, tensor<3xi32>) outs(%f : tensor<8xi32>) {
    ^bb0(%u: i32, %v: i32, %o: i32):
      %s = arith.addi %u, %o : i32
      linalg.yield %s : i32
    } -> tensor<8xi32>
    scf.yield %y : tensor<8xi32>
  }
  return %r : tensor<8xi32>
}
"""
GROWN = """
#m = affine_map<(i, j, k) -> (i, k)>
#n = affine_map<(i, j, k) -> (k, j)>
#o = affine_map<(i, j, k) -> (i, j)>
func.func @f(%x: tensor<2x4xf32>, %w: tensor<4x2xf32>) -> tensor<2x8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8xf32>
  %b = linalg.fill ins(%z : f32) outs(%e : tensor<2x8xf32>) -> tensor<2x8xf32>
  %b0 = tensor.insert_slice %x into %b[0, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<2x8xf32>
  %e0 = tensor.empty() : tensor<2x2xf32>
  %f0 = linalg.fill ins(%z : f32) outs(%e0 : tensor<2x2xf32>) -> tensor<2x2xf32>
  %y0 = linalg.matmul ins(%x, %w : tensor<2x4xf32>, tensor<4x2xf32>) outs(%f0 : tensor<2x2xf32>) -> tensor<2x2xf32>
  %b1 = tensor.insert_slice %y0 into %b0[0, 4] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<2x8xf32>
  %x1 = tensor.extract_slice %b1[0, 2] [2, 4] [1, 1] : tensor<2x8xf32> to tensor<2x4xf32>
  %y1 = linalg.matmul ins(%x1, %w : tensor<2x4xf32>, tensor<4x2xf32>) outs(%f0 : tensor<2x2xf32>) -> tensor<2x2xf32>
  %b2 = tensor.insert_slice %y1 into %b1[0, 6] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<2x8xf32>
  return %b2 : tensor<2x8xf32>
}
"""
ONE_ELEMENT = """
#m = affine_map<(i) -> (i)>
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = tensor.extract_slice %x[0] [1] [2] : tensor<4xf32> to tensor<1xf32>
  %b = tensor.extract_slice %x[1] [1] [2] : tensor<4xf32> to tensor<1xf32>
  %e = tensor.empty() : tensor<1xf32>
  %d = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel"]} ins(%a, %b : tensor<1xf32>, tensor<1xf32>) outs(%e : tensor<1xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.subf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<1xf32>
  %y = tensor.insert_slice %d into %x[1] [1] [1] : tensor<1xf32> into tensor<4xf32>
  return %y : tensor<4xf32>
}
"""
GATHERED = """
#m = affine_map<(i, j) -> (i, j)>
#l = affine_map<(i) -> (i)>
func.func @f(%x: tensor<8xf32>, %n: tensor<8xi32>) -> tensor<8xf32> {
  %k = tensor.expand_shape %n [[0, 1]] output_shape [8, 1] : tensor<8xi32> into tensor<8x1xi32>
  %e = tensor.empty() : tensor<8x1xf32>
  %g = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%k : tensor<8x1xi32>) outs(%e : tensor<8x1xf32>) {
  ^bb0(%p: i32, %o: f32):
    %i = arith.index_cast %p : i32 to index
    %v = tensor.extract %x[%i] : tensor<8xf32>
    linalg.yield %v : f32
  } -> tensor<8x1xf32>
  %c = tensor.collapse_shape %g [[0, 1]] : tensor<8x1xf32> into tensor<8xf32>
  %d = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#l, #l, #l], iterator_types = ["parallel"]} ins(%c, %x : tensor<8xf32>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.subf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
"""
WITH_UNIT_DIMENSION = """
#m = affine_map<(i, j) -> (j)>
#n = affine_map<(i, j) -> (i, j)>
func.func @f(%h: tensor<6xf32>, %t: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %t, %x = %h) -> (tensor<4x6xf32>, tensor<6xf32>) {
    %e = tensor.empty() : tensor<1x6xf32>
    %b = linalg.generic {indexing_maps = [#m, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<6xf32>) outs(%e : tensor<1x6xf32>) {
    ^bb0(%p: f32, %o: f32):
      linalg.yield %p : f32
    } -> tensor<1x6xf32>
    %w = tensor.insert_slice %b into %a[%i, 0] [1, 6] [1, 1] : tensor<1x6xf32> into tensor<4x6xf32>
    %f = tensor.empty() : tensor<6xf32>
    %y = linalg.exp ins(%x : tensor<6xf32>) outs(%f : tensor<6xf32>) -> tensor<6xf32>
    scf.yield %w, %y : tensor<4x6xf32>, tensor<6xf32>
  }
  return %r#0, %r#1 : tensor<4x6xf32>, tensor<6xf32>
}
"""
SCATTERED = """
func.func @f(%x: tensor<8xf32>, %n: index, %u: tensor<1xf32>, %k: tensor<1x1xi32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%i = %n, %a = %x) : (index, tensor<8xf32>) -> (index, tensor<8xf32>) {
    %more = arith.cmpi sgt, %i, %c0 : index
    scf.condition(%more) %i, %a : index, tensor<8xf32>
  } do {
  ^bb0(%i: index, %a: tensor<8xf32>):
    %w = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true) ins(%u, %k : tensor<1xf32>, tensor<1x1xi32>) outs(%a : tensor<8xf32>) {
    ^bb0(%p: f32, %q: f32):
      iree_linalg_ext.yield %p : f32
    } -> tensor<8xf32>
    %j = arith.subi %i, %c1 : index
    scf.yield %j, %w : index, tensor<8xf32>
  }
  return %r#1 : tensor<8xf32>
}
"""


FEWEST_COPIES = (
    "one-shot-bufferize=bufferize-function-boundaries allow-return-allocs-from-loops fewest-copies "
    "function-boundary-type-conversion=identity-layout-map"
)


@pytest.mark.parametrize(
    ("before", "old", "new"),
    [
        pytest.param(
            PADDED,
            "linalg.fill ins(%c0_i32 : i32) outs(%subview : memref<1xi32, strided<[1]>>)",
            "",
            id="a padded loop-carried tensor",
        ),
        pytest.param(
            PADDED,
            "linalg.fill ins(%c0_i32 : i32) outs(%subview_1 : memref<1xi32, strided<[1], offset: 9>>)",
            "",
            id="the other end of the padding",
        ),
        pytest.param(
            GROWN,
            "linalg.fill ins(%cst : f32) outs(%subview_4 : memref<2x2xf32, strided<[8, 1], offset: 4>>)",
            "",
            id="a slice of slices that were inserted",
        ),
        pytest.param(GROWN, "offset: 2", "offset: 3", id="another slice"),
        pytest.param(ONE_ELEMENT, "[1] [1] [1]", "[2] [1] [1]", id="strides of one element"),
        pytest.param(GATHERED, "index_cast %in", "index_castui %in", id="a trailing unit dimension"),
        pytest.param(WITH_UNIT_DIMENSION, "%arg3[%arg2, 0]", "%arg3[%c0, 0]", id="a leading unit dimension"),
        pytest.param(SCATTERED, "indices(true)", "indices(false)", id="static sizes in a loop"),
    ],
)
def test_outputs_with_the_fewest_copies(before, old, new):
    program = bufferize.parse(before)
    after = bufferize.parse(before)
    bufferize.run_passes(after, [FEWEST_COPIES])
    proof = prove_modules(program, after)
    assert proof.proved, [question.text for question in proof.questions]
    check_certificate(program, after, certificate_of(program, after, proof, leaks=False))
    text = str(after)
    assert old in text
    wrong = text.replace(old, new)
    if before is ONE_ELEMENT:
        wrong = wrong.replace("strided<[1], offset: 1>", "strided<[1], offset: 2>")
    elif new == "offset: 3":
        wrong = wrong.replace("%alloc[0, 2]", "%alloc[0, 3]")
    assert not prove_modules(program, bufferize.parse(wrong)).proved


def reversed_scan(init, upper="%c4", first="%c3"):
    return f"""
func.func @f(%f: f32) -> tensor<4xf32> {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.empty() : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r:2 = scf.for %i = %c0 to {upper} step %c1 iter_args(%a = {init}, %x = %f) -> (tensor<4xf32>, f32) {{
    %k = arith.subi {first}, %i : index
    %w = tensor.insert %x into %a[%k] : tensor<4xf32>
    %y = math.exp %x : f32
    scf.yield %w, %y : tensor<4xf32>, f32
  }}
  return %r#0 : tensor<4xf32>
}}
"""


@pytest.mark.parametrize(("upper", "is_right"), [("%c4", True), ("%c3", False)])
def test_a_loop_that_goes_down_overwrites_what_it_passes(upper, is_right):
    before, after = (bufferize.parse(reversed_scan(init, upper)) for init in ("%z", "%n"))
    bufferize.one_shot(after, bufferize_function_boundaries=True)
    assert prove_modules(before, after).proved == is_right


INSERTED_LATER = """
func.func @f(%f: f32) -> tensor<5xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = tensor.empty() : tensor<4xf32>
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %n, %x = %f) -> (tensor<4xf32>, f32) {
    %w = tensor.insert %x into %a[%i] : tensor<4xf32>
    %y = math.exp %x : f32
    scf.yield %w, %y : tensor<4xf32>, f32
  }
  %e = tensor.empty() : tensor<5xf32>
  %g = tensor.insert %f into %e[%c0] : tensor<5xf32>
  %h = tensor.insert_slice %r#0 into %g[1] [4] [1] : tensor<4xf32> into tensor<5xf32>
  return %h : tensor<5xf32>
}
"""


@pytest.mark.parametrize(("place", "is_right"), [("%j", True), ("%i", False)])
def test_a_loop_may_write_a_part_of_a_larger_buffer(place, is_right):
    after = f"""
func.func @f(%f: f32) -> memref<5xf32> {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = memref.alloc() : memref<5xf32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %f) -> (f32) {{
    %j = arith.addi %i, %c1 : index
    memref.store %x, %n[{place}] : memref<5xf32>
    %y = math.exp %x : f32
    scf.yield %y : f32
  }}
  memref.store %f, %n[%c0] : memref<5xf32>
  return %n : memref<5xf32>
}}
"""
    assert prove_modules(bufferize.parse(INSERTED_LATER), bufferize.parse(after)).proved == is_right


def summed(parts):
    """The sum of products of a row with what lies one to its left, around the end; computed at once or in two parts."""
    return f"""
#m = affine_map<(i) -> (i)>
#o = affine_map<(i) -> ()>
func.func @f(%x: tensor<4xf32>) -> tensor<f32> {{
  %zero = arith.constant 0.0 : f32
  %s = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%s : tensor<f32>) -> tensor<f32>
  %e = tensor.empty() : tensor<4xf32>
  %a = tensor.extract_slice %x[3] [1] [1] : tensor<4xf32> to tensor<1xf32>
  %b = tensor.extract_slice %x[0] [3] [1] : tensor<4xf32> to tensor<3xf32>
  {parts}
  %r = linalg.generic {{indexing_maps = [#m, #o], iterator_types = ["reduction"]}} ins(%p : tensor<4xf32>) outs(%z : tensor<f32>) {{
  ^bb0(%u: f32, %v: f32):
    %t = arith.addf %v, %u : f32
    linalg.yield %t : f32
  }} -> tensor<f32>
  return %r : tensor<f32>
}}
"""


AT_ONCE = """
  %r0 = tensor.insert_slice %a into %e[0] [1] [1] : tensor<1xf32> into tensor<4xf32>
  %r1 = tensor.insert_slice %b into %r0[1] [3] [1] : tensor<3xf32> into tensor<4xf32>
  %p = linalg.mul ins(%x, %r1 : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>"""
IN_TWO_PARTS = """
  %x0 = tensor.extract_slice %x[0] [1] [1] : tensor<4xf32> to tensor<1xf32>
  %x1 = tensor.extract_slice %x[1] [3] [1] : tensor<4xf32> to tensor<3xf32>
  %e0 = tensor.empty() : tensor<1xf32>
  %e1 = tensor.empty() : tensor<3xf32>
  %m0 = linalg.mul ins(%x0, %a : tensor<1xf32>, tensor<1xf32>) outs(%e0 : tensor<1xf32>) -> tensor<1xf32>
  %m1 = linalg.mul ins(%x1, %b : tensor<3xf32>, tensor<3xf32>) outs(%e1 : tensor<3xf32>) -> tensor<3xf32>
  %p0 = tensor.insert_slice %m0 into %e[0] [1] [1] : tensor<1xf32> into tensor<4xf32>
  %p = tensor.insert_slice %m1 into %p0[1] [3] [1] : tensor<3xf32> into tensor<4xf32>"""


@pytest.mark.parametrize(
    ("old", "new"),
    [("", ""), ("%x[1] [3]", "%x[0] [3]"), ("(%x0, %a :", "(%x0, %x0 :"), ("(%x1, %b :", "(%b, %b :")],
)
def test_a_reduction_of_what_is_computed_in_parts(old, new):
    before = bufferize.parse(summed(AT_ONCE))
    after = bufferize.parse(summed(IN_TWO_PARTS.replace(old, new) if old else IN_TWO_PARTS))
    bufferize.one_shot(after, bufferize_function_boundaries=True)
    proof = prove_modules(before, after)
    assert proof.proved == (not old), [question.text for question in proof.questions]
    if not old:
        check_certificate(before, after, certificate_of(before, after, proof, leaks=False))
