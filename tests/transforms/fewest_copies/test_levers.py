"""What each preparation saves, and that the program computes the same on the checked heap."""

import pytest
from bufferize import parse, run_passes
from bufferize.analysis.cost_model import traffic
from bufferize.interpreter.generate_programs import tensor_program
from bufferize.interpreter.verify import Options, verify_module
from bufferize.ir.source.diagnostics import BufferizeError
from bufferize.transforms.changes.rewrites import DROP_DEAD_FILL, apply_all

BASE = "one-shot-bufferize=bufferize-function-boundaries allow-return-allocs-from-loops"

FILLED = """\
func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.matmul ins(%b, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0, %1 : tensor<4x4xf32>, tensor<4x4xf32>
}
"""
SPLAT = """\
func.func @f(%f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c = arith.constant dense<2.0> : tensor<4xf32>
  %c0 = arith.constant 0 : index
  %0 = tensor.insert %f into %c[%c0] : tensor<4xf32>
  return %0, %c : tensor<4xf32>, tensor<4xf32>
}
"""
COUNTING = """\
func.func @f(%f: i32) -> (tensor<4xi32>, tensor<4xi32>) {
  %e = tensor.empty() : tensor<4xi32>
  %c0 = arith.constant 0 : index
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<4xi32>) {
  ^bb0(%out: i32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    linalg.yield %n : i32
  } -> tensor<4xi32>
  %1 = tensor.insert %f into %0[%c0] : tensor<4xi32>
  return %0, %1 : tensor<4xi32>, tensor<4xi32>
}
"""
ROTATED = """\
func.func @f(%t: tensor<8xf32> {bufferization.writable = false}) -> tensor<8xf32> {
  %a = tensor.extract_slice %t[0] [3] [1] : tensor<8xf32> to tensor<3xf32>
  %b = tensor.extract_slice %t[3] [5] [1] : tensor<8xf32> to tensor<5xf32>
  %0 = tensor.insert_slice %a into %t[5] [3] [1] : tensor<3xf32> into tensor<8xf32>
  %1 = tensor.insert_slice %b into %0[0] [5] [1] : tensor<5xf32> into tensor<8xf32>
  return %1 : tensor<8xf32>
}
"""
JOINED = """\
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.exp ins(%b : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.concat dim(0) %0, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
"""
PREFIXES = """\
func.func @f(%a: tensor<4xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.exp ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.concat dim(0) %0, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %e8 = tensor.empty() : tensor<8xf32>
  %3 = linalg.exp ins(%2 : tensor<8xf32>) outs(%e8 : tensor<8xf32>) -> tensor<8xf32>
  %4 = tensor.concat dim(0) %0, %1, %3 : (tensor<4xf32>, tensor<4xf32>, tensor<8xf32>) -> tensor<16xf32>
  return %4 : tensor<16xf32>
}
"""
PADDED = """\
func.func @f(%a: tensor<4x4xf32>) -> tensor<6x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %0 = linalg.exp ins(%a : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = tensor.pad %0 low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x4xf32> to tensor<6x6xf32>
  return %1 : tensor<6x6xf32>
}
"""
HALVES = """\
func.func @f(%t: tensor<10xf32>, %f: f32) -> (tensor<10xf32>, f32) {
  %c1 = arith.constant 1 : index
  %e = tensor.extract_slice %t[0] [5] [1] : tensor<10xf32> to tensor<5xf32>
  %o = tensor.extract_slice %t[5] [5] [1] : tensor<10xf32> to tensor<5xf32>
  %w = tensor.insert %f into %e[%c1] : tensor<5xf32>
  %x = tensor.extract %o[%c1] : tensor<5xf32>
  %r = tensor.insert_slice %w into %t[0] [5] [1] : tensor<5xf32> into tensor<10xf32>
  return %r, %x : tensor<10xf32>, f32
}
"""
COLUMN = """\
func.func @f(%t: tensor<4x4xf32>, %i: index) -> f32 {
  %c1 = arith.constant 1 : index
  %s = tensor.extract_slice %t[0, 2] [4, 1] [1, 1] : tensor<4x4xf32> to tensor<4x1xf32>
  %c = tensor.collapse_shape %s [[0, 1]] : tensor<4x1xf32> into tensor<4xf32>
  %x = tensor.extract %c[%c1] : tensor<4xf32>
  return %x : f32
}
"""
BRANCHES = """\
func.func @f(%a: tensor<4x4xf32>, %c: i1, %f: f32) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %r = scf.if %c -> tensor<4x4xf32> {
    %e = tensor.empty() : tensor<4x4xf32>
    %z = linalg.fill ins(%f : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    %0 = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %0 : tensor<4x4xf32>
  } else {
    %1 = tensor.insert %f into %a[%c0, %c0] : tensor<4x4xf32>
    scf.yield %1 : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}
"""
BRANCHED = """\
func.func @f(%a: tensor<8xf32>, %big: tensor<16xf32>, %c: i1) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %r = scf.if %c -> tensor<8xf32> {
    %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %0 : tensor<8xf32>
  } else {
    %0 = linalg.tanh ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %0 : tensor<8xf32>
  }
  %1 = tensor.insert_slice %r into %big[8] [8] [1] : tensor<8xf32> into tensor<16xf32>
  return %1 : tensor<16xf32>
}
"""
LOOPED = """\
func.func @f(%a: tensor<8xf32>, %big: tensor<16xf32>, %f: f32) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 3 : index
  %e = tensor.empty() : tensor<8xf32>
  %z = linalg.fill ins(%f : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%x = %z) -> tensor<8xf32> {
    %0 = linalg.add ins(%x, %a : tensor<8xf32>, tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %0 : tensor<8xf32>
  }
  %1 = tensor.insert_slice %r into %big[8] [8] [1] : tensor<8xf32> into tensor<16xf32>
  return %1 : tensor<16xf32>
}
"""
SPREAD = """\
func.func @f(%s: tensor<f32>, %f: f32, %i: index) -> (tensor<64xf32>, tensor<64xf32>) {
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<64xf32>
  %c = linalg.broadcast ins(%s : tensor<f32>) outs(%e : tensor<64xf32>) dimensions = [0]
  %0 = tensor.insert %f into %c[%c1] : tensor<64xf32>
  return %0, %c : tensor<64xf32>, tensor<64xf32>
}
"""
SPREAD_BY_BODY = SPREAD.replace(
    "linalg.broadcast ins(%s : tensor<f32>) outs(%e : tensor<64xf32>) dimensions = [0]",
    """linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%s : tensor<f32>) outs(%e : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %n = arith.addf %in, %in : f32
      linalg.yield %n : f32
    } -> tensor<64xf32>""",
)
SWAPPED = """\
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant TRIPS : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (tensor<4xf32>, tensor<4xf32>) {
    %e = tensor.extract %x[%c1] : tensor<4xf32>
    %w = tensor.insert %e into %y[%c0] : tensor<4xf32>
    %j = arith.remui %i, %n : index
    %k = arith.index_cast %j : index to i32
    %g = arith.sitofp %k : i32 to f32
    %v = tensor.insert %g into %w[%c1] : tensor<4xf32>
    scf.yield %v, %x : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}
"""
WRITTEN_ELSEWHERE = """\
func.func @f(%t: tensor<8xf32>, %x: vector<4xf32>, %i: index) -> (tensor<8xf32>, f32) {
  %c1 = arith.constant 1 : index
  %0 = vector.transfer_write %x, %t[%c1] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
  %1 = tensor.extract %t[%c1] : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, f32
}
"""


PLACED = """\
func.func @f(%a: tensor<4xf32>, %t: tensor<16xf32>, %i: index) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %c3 = arith.constant 3 : index
  %at = arith.minui %i, %c3 : index
  %1 = tensor.insert_slice %0 into %t[%at] [4] [1] : tensor<4xf32> into tensor<16xf32>
  return %1 : tensor<16xf32>
}
"""


def bufferized(text: str, options: str):
    module = parse(text)
    run_passes(module, [f"{BASE} {options}".strip(), "cse", "canonicalize"])
    return module


@pytest.mark.parametrize(
    ("text", "transformation", "before", "after"),
    [
        pytest.param(FILLED, "make-again", 64, 0, id="a fill is rematerialized"),
        pytest.param(SPLAT, "make-again", 16, 0, id="a constant of one element is filled"),
        pytest.param(COUNTING, "make-again", 16, 0, id="indices are counted again"),
        pytest.param(SPREAD, "make-again", 256, 0, id="a scalar is spread again"),
        pytest.param(SPREAD_BY_BODY, "make-again", 256, 0, id="and by a body of one's own"),
        pytest.param(ROTATED, "empty-overwritten", 64, 32, id="a rotation into another buffer"),
        pytest.param(JOINED, "build-in-place compare-parts", 32, 0, id="parts of a concatenation"),
        pytest.param(BRANCHED, "build-in-place compare-parts", 32, 0, id="what branches compute"),
        pytest.param(PLACED, "build-in-place compare-parts", 16, 0, id="where is computed later"),
        pytest.param(LOOPED, "build-in-place compare-parts", 32, 0, id="what a loop computes"),
        pytest.param(PREFIXES, "build-in-place compare-parts", 96, 0, id="a concatenation in another"),
        pytest.param(PADDED, "build-in-place compare-parts", 64, 0, id="what is padded"),
        pytest.param(COLUMN, "build-in-place", 16, 0, id="a column without its dimension of size 1"),
        pytest.param(HALVES, "compare-parts", 40, 0, id="halves do not disturb each other"),
        pytest.param(BRANCHES, "compare-parts", 64, 0, id="a new tensor is not an argument"),
        pytest.param(SWAPPED.replace("TRIPS", "4"), "unroll-swaps", 128, 0, id="two buffers of a loop"),
        pytest.param(SWAPPED.replace("TRIPS", "5"), "unroll-swaps", 160, 0, id="with an iteration left over"),
        pytest.param(WRITTEN_ELSEWHERE, "fewest-copies", 32, 0, id="what is read later is read before"),
    ],
)
def test_bytes_copied(text, transformation, before, after):
    assert traffic(bufferized(text, "")).copied == before
    for options in (transformation, "fewest-copies"):
        module = bufferized(text, options)
        assert traffic(module).copied == after
        for finding in verify_module(parse(text), module, Options(inputs=2)):
            assert not finding.failed, finding.diagnostic


def test_without_options_nothing_is_saved():
    assert "linalg.fill" in str(bufferized(FILLED, ""))
    assert str(bufferized(FILLED, "")).count("linalg.fill") == 1
    assert str(bufferized(FILLED, "make-again")).count("linalg.fill") == 2


EARLY = """\
func.func @f(%a: tensor<64xf32>, %b: tensor<4096xf32>) -> tensor<4160xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %0 = linalg.exp ins(%a : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %big = tensor.empty() : tensor<4096xf32>
  %1 = linalg.exp ins(%b : tensor<4096xf32>) outs(%big : tensor<4096xf32>) -> tensor<4096xf32>
  %2 = linalg.exp ins(%1 : tensor<4096xf32>) outs(%big : tensor<4096xf32>) -> tensor<4096xf32>
  %s = tensor.extract_slice %2[0] [64] [1] : tensor<4096xf32> to tensor<64xf32>
  %3 = linalg.add ins(%s, %0 : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %4 = tensor.concat dim(0) %0, %b : (tensor<64xf32>, tensor<4096xf32>) -> tensor<4160xf32>
  %5 = tensor.insert_slice %3 into %4[64] [64] [1] : tensor<64xf32> into tensor<4160xf32>
  return %5 : tensor<4160xf32>
}
"""


def test_memory_held_at_once_is_guarded():
    base = traffic(bufferized(EARLY, "")).peak
    assert traffic(bufferized(EARLY, "fewest-copies")).peak <= base * 1.1
    free = traffic(bufferized(EARLY, "fewest-copies peak-percent=0"))
    assert free.peak > base * 1.1
    assert free.copied < traffic(bufferized(EARLY, "fewest-copies")).copied


@pytest.mark.parametrize("seed", range(4100, 4112))
def test_random_programs_compute_the_same_and_copy_no_more(seed):
    text = tensor_program(seed)
    before = parse(text)
    modules = []
    for options in ("", "fewest-copies"):
        module = parse(text)
        try:
            run_passes(module, [f"{BASE} {options}".strip()])
        except BufferizeError:
            pytest.skip("refused")
        modules.append(module)
    assert traffic(modules[1]).copied <= traffic(modules[0]).copied
    for finding in verify_module(before, modules[1], Options(seed=seed, inputs=2, tries=6)):
        assert not finding.failed, finding.diagnostic


def test_what_cannot_be_bufferized_is_refused_with_the_same_words():
    text = """\
func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "test.foo"(%t) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
    messages = []
    for options in ("", "fewest-copies"):
        module = parse(text, allow_unregistered=True)
        with pytest.raises(BufferizeError) as failure:
            run_passes(module, [f"{BASE} {options}".strip()])
        messages.append(str(failure.value))
    assert messages[0] == messages[1]


IN_PLACE_ALREADY = """\
func.func @f(%t: tensor<8xf32>, %i: index, %f: f32) -> tensor<8xf32> {
  %s = tensor.extract_slice %t[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %0 = linalg.fill ins(%f : f32) outs(%s : tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.insert_slice %0 into %t[%i] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %1 : tensor<8xf32>
}
"""


def test_a_part_is_never_copied_onto_itself():
    for options, copies in (("", 1), ("fewest-copies", 0), ("build-in-place", 0)):
        module = parse(IN_PLACE_ALREADY)
        run_passes(module, [f"{BASE} {options}".strip()])
        assert sum(op.name == "memref.copy" for op in module.walk()) == copies


def test_the_peak_is_held_against_the_order_of_mlir_opt():
    """Also where the search alone, without preparations, would hold more at once."""
    base = traffic(bufferized(EARLY, "")).peak
    assert traffic(bufferized(EARLY, "fewest-copies")).peak <= base * 1.1


def butterfly(sum_of="%lo, %hi", difference_of="%lo, %hi", second="%x[32]", more=""):
    """The halves of a tensor replaced by their sum and their difference."""
    half, whole = "tensor<32xf32>", "tensor<64xf32>"
    return f"""
func.func @f(%t: {whole}, %w: {half}) -> ({whole}, {half}) {{
  %lo = tensor.extract_slice %t[0] [32] [1] : {whole} to {half}
  %hi = tensor.extract_slice %t[32] [32] [1] : {whole} to {half}
  %e = tensor.empty() : {half}
  %q = linalg.mul ins(%w, %hi : {half}, {half}) outs(%e : {half}) -> {half}
  %s = linalg.add ins({sum_of} : {half}, {half}) outs(%e : {half}) -> {half}
  %d = linalg.sub ins({difference_of} : {half}, {half}) outs(%e : {half}) -> {half}
  %x = tensor.insert_slice %s into %t[0] [32] [1] : {half} into {whole}
  {more}
  %y = tensor.insert_slice %d into {second} [32] [1] : {half} into {whole}
  return %y, %w : {whole}, {half}
}}"""


READ_BETWEEN = "%w1 = tensor.extract_slice %x[32] [32] [1] : tensor<64xf32> to tensor<32xf32>"


@pytest.mark.parametrize(
    ("text", "copied"),
    [
        pytest.param(butterfly(), 0, id="sum and difference"),
        pytest.param(butterfly(difference_of="%hi, %lo"), 0, id="the other way round"),
        pytest.param(butterfly("%lo, %q", "%lo, %q"), 0, id="with a factor"),
        pytest.param(butterfly(difference_of="%lo, %s"), 0, id="one reads the other"),
        pytest.param(butterfly(second="%x[31]"), 128, id="the second overlaps the first"),
        pytest.param(
            butterfly(more=READ_BETWEEN).replace("%y, %w", "%y, %w1"), 384, id="what is overwritten is read"
        ),
    ],
)
def test_butterflies_in_place(text, copied):
    module = parse(text)
    before = parse(str(module))
    run_passes(module, [f"{BASE} fewest-copies", "cse", "canonicalize"])
    assert traffic(module).copied <= copied
    assert copied or traffic(module).allocated <= 128
    for finding in verify_module(before, module, Options(inputs=2)):
        assert not finding.failed, finding.diagnostic


def two_buffers(
    yielded="%w, %u, %j", forwarded="%u, %v, %i", test="%i, %n", into="%v", results="%r#0, %r#1", add="%u, %v"
):
    """A loop until a condition no longer holds, on two buffers that trade places."""
    type = "tensor<32xf32>"
    return f"""
func.func @f(%a: {type}, %b: {type}, %n0: index) -> ({type}, {type}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %n = arith.andi %n0, %c7 : index
  %r:3 = scf.while (%u = %a, %v = %b, %i = %c0) : ({type}, {type}, index) -> ({type}, {type}, index) {{
    %c = arith.cmpi slt, {test} : index
    scf.condition(%c) {forwarded} : {type}, {type}, index
  }} do {{
  ^bb0(%u: {type}, %v: {type}, %i: index):
    %e = tensor.empty() : {type}
    %w = linalg.sub ins({add} : {type}, {type}) outs({into} : {type}) -> {type}
    %j = arith.addi %i, %c1 : index
    scf.yield {yielded} : {type}, {type}, index
  }}
  return {results} : {type}, {type}
}}"""


@pytest.mark.parametrize(
    ("text", "copied"),
    [
        pytest.param(two_buffers(), 256, id="new and old"),
        pytest.param(two_buffers(into="%e"), 256, id="into a new tensor"),
        pytest.param(two_buffers("%v, %w, %j", into="%u"), 256, id="old and new"),
        pytest.param(two_buffers("%v, %u, %j"), 256, id="only exchanged"),
        pytest.param(two_buffers(forwarded="%v, %u, %i"), 2560, id="exchanged by the condition"),
        pytest.param(two_buffers(results="%r#1, %r#1"), 384, id="one is used"),
        pytest.param(two_buffers(test="%c0, %c0"), 256, id="does not run"),
        pytest.param(two_buffers("%w, %v, %j"), 256, id="both stay"),
        pytest.param(two_buffers("%u, %u, %j"), 2560, id="one goes to both"),
    ],
)
def test_two_buffers_of_a_while_loop(text, copied):
    module = parse(text)
    before = parse(str(module))
    run_passes(module, [f"{BASE} fewest-copies", "cse", "canonicalize"])
    assert traffic(module).copied <= copied
    for passes in ([], ["buffer-deallocation-pipeline"]):
        run_passes(module, passes)
        for finding in verify_module(before, module, Options(inputs=8)):
            assert not finding.failed, finding.diagnostic


def reshaped_fill(payload="%in", more="", given="%x : tensor<8xf32>"):
    """A filled tensor, collapsed and computed into."""
    return f"""
func.func @f(%x: tensor<8xf32>, %f: f32) -> (tensor<8xf32>, f32) {{
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<1x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8xf32>) -> tensor<1x8xf32>
  %k = tensor.collapse_shape %z [[0, 1]] : tensor<1x8xf32> into tensor<8xf32>
  {more}
  %r = linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}}
    ins({given}) outs(%k : tensor<8xf32>) {{
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf {payload}, %f : f32
    linalg.yield %s : f32
  }} -> tensor<8xf32>
  return %r, {"%w" if more else "%f"} : tensor<8xf32>, f32
}}
"""


@pytest.mark.parametrize(
    ("text", "fills"),
    [
        (reshaped_fill(), 0),
        (reshaped_fill("%out"), 1),
        (reshaped_fill(given="%k : tensor<8xf32>"), 1),
        (reshaped_fill(more="%w = tensor.extract %k[%c0] : tensor<8xf32>"), 1),
    ],
    ids=["overwritten", "payload reads it", "input, too", "read elsewhere"],
)
def test_a_fill_overwritten_through_a_reshape(text, fills):
    module = parse(text)
    assert apply_all(module, DROP_DEAD_FILL) == 1 - fills
    assert sum(op.name == "linalg.fill" for op in module.walk()) == fills
    assert all(
        report.runs and not report.failed for report in verify_module(parse(text), module, Options(inputs=2))
    )


def powers(before="%e = tensor.empty() : T", yielded="%x, %q", other="%r", into="%e"):
    """A loop that carries a product, which a branch may keep, and a square."""
    text = f"""
func.func @f(%a: T, %n: index) -> (T, T) {{
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  {before}
  %one = tensor.splat %zero : T
  %r:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%r = %one, %b = %a) -> (T, T) {{
    %c = arith.cmpi slt, %i, %n : index
    %x = scf.if %c -> (T) {{
      scf.yield {other} : T
    }} else {{
      %z = linalg.fill ins(%zero : f32) outs({into} : T) -> T
      %p = linalg.matmul ins(%r, %b : T, T) outs(%z : T) -> T
      scf.yield %p : T
    }}
    %y = linalg.fill ins(%zero : f32) outs({into} : T) -> T
    %q = linalg.matmul ins(%b, %b : T, T) outs(%y : T) -> T
    scf.yield {yielded} : T, T
  }}
  return %r#0, %r#1 : T, T
}}"""
    return text.replace("T", "tensor<4x4xf32>")


FROM_OUTSIDE = "%e = tensor.empty() : T %o = linalg.fill ins(%zero : f32) outs(%e : T) -> T"


@pytest.mark.parametrize(
    ("text", "copied"),
    [
        pytest.param(powers(), 0, id="one empty tensor outside of the loop"),
        pytest.param(powers(yielded="%q, %x"), 320, id="the buffers trade places"),
        pytest.param(powers(yielded="%x, %x"), 320, id="one is yielded twice"),
        pytest.param(powers(other="%b", yielded="%x, %q"), 320, id="the branch keeps the other"),
        pytest.param(powers(FROM_OUTSIDE, other="%o"), 320, id="the branch yields a value from outside"),
        pytest.param(powers(FROM_OUTSIDE, into="%o"), 0, id="a filled tensor from outside"),
    ],
)
def test_an_iteration_writes_its_own_buffers(text, copied):
    """A buffer allocated after a value is another buffer, though a branch may yield either."""
    module = parse(text)
    before = parse(str(module))
    run_passes(module, [f"{BASE} fewest-copies", "cse", "canonicalize"])
    assert traffic(module).copied <= copied
    for passes in ([], ["buffer-deallocation-pipeline"]):
        run_passes(module, passes)
        for finding in verify_module(before, module, Options(inputs=4)):
            assert not finding.failed, finding.diagnostic


def stages(first="%e", second="%e", source="%a"):
    """Two tensors, each assembled from results that are computed in its halves; both may begin with one empty tensor."""
    half, whole = "tensor<32xf32>", "tensor<64xf32>"
    return f"""
func.func @f(%a: {half}, %b: {half}) -> ({whole}, {whole}) {{
  %e = tensor.empty() : {whole}
  %e2 = tensor.empty() : {whole}
  %h = tensor.empty() : {half}
  %0 = linalg.add ins(%a, %b : {half}, {half}) outs(%h : {half}) -> {half}
  %1 = linalg.sub ins(%a, %b : {half}, {half}) outs(%h : {half}) -> {half}
  %2 = linalg.mul ins({source}, %b : {half}, {half}) outs(%h : {half}) -> {half}
  %3 = linalg.max ins(%a, %b : {half}, {half}) outs(%h : {half}) -> {half}
  %x = tensor.insert_slice %0 into {first}[0] [32] [1] : {half} into {whole}
  %y = tensor.insert_slice %1 into %x[32] [32] [1] : {half} into {whole}
  %z = tensor.insert_slice %2 into {second}[0] [32] [1] : {half} into {whole}
  %w = tensor.insert_slice %3 into %z[32] [32] [1] : {half} into {whole}
  return %y, %w : {whole}, {whole}
}}"""


@pytest.mark.parametrize("text", [stages(), stages(second="%e2"), stages(source="%0")])
def test_tensors_assembled_in_one_empty_tensor_get_their_own(text):
    module = parse(text)
    before = parse(str(module))
    run_passes(module, [f"{BASE} fewest-copies", "cse", "canonicalize"])
    assert (traffic(module).copied, traffic(module).allocated) == (0, 512)
    for finding in verify_module(before, module, Options(inputs=2)):
        assert not finding.failed, finding.diagnostic


PAIRS = """\
func.func @f(%t: tensor<32xf32>) -> tensor<32xf32> {
  %inf = arith.constant 0x7F800000 : f32
  %minus = arith.constant 0xFF800000 : f32
  %p = tensor.extract_slice %t[1] [30] [1] : tensor<32xf32> to tensor<30xf32>
  %q = tensor.expand_shape %p [[0, 1]] output_shape [15, 2] : tensor<30xf32> into tensor<15x2xf32>
  %e = tensor.empty() : tensor<15xf32>
  %0 = linalg.fill ins(%inf : f32) outs(%e : tensor<15xf32>) -> tensor<15xf32>
  %lo = linalg.reduce { arith.minimumf } ins(%q : tensor<15x2xf32>) outs(%0 : tensor<15xf32>) dimensions = [1]
  %1 = linalg.fill ins(%minus : f32) outs(%e : tensor<15xf32>) -> tensor<15xf32>
  %hi = linalg.reduce { arith.maximumf } ins(%q : tensor<15x2xf32>) outs(%1 : tensor<15xf32>) dimensions = [1]
  %a = tensor.expand_shape %lo [[0, 1]] output_shape [15, 1] : tensor<15xf32> into tensor<15x1xf32>
  %b = tensor.expand_shape %hi [[0, 1]] output_shape [15, 1] : tensor<15xf32> into tensor<15x1xf32>
  %f = tensor.empty() : tensor<15x2xf32>
  %x = tensor.insert_slice %a into %f[0, 0] [15, 1] [1, 1] : tensor<15x1xf32> into tensor<15x2xf32>
  %y = tensor.insert_slice %b into %x[0, 1] [15, 1] [1, 1] : tensor<15x1xf32> into tensor<15x2xf32>
  %c = tensor.collapse_shape %y [[0, 1]] : tensor<15x2xf32> into tensor<30xf32>
  %r = tensor.insert_slice %c into %t[1] [30] [1] : tensor<30xf32> into tensor<32xf32>
  return %r : tensor<32xf32>
}
"""


def test_an_insertion_is_not_computed_in_place_where_that_makes_more_copies():
    module = parse(PAIRS)
    before = parse(str(module))
    run_passes(module, [f"{BASE} fewest-copies", "cse", "canonicalize"])
    assert traffic(module).copied <= 120
    for finding in verify_module(before, module, Options(inputs=2)):
        assert not finding.failed, finding.diagnostic
