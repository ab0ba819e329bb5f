"""Contents only where they are looked at: what is filled, copied or read as a scalar, and that programs compute the same."""

import pytest
from bufferize import parse, prove, run_passes
from bufferize.analysis.cost_model import traffic
from bufferize.interpreter.verify import Options, verify_module
from bufferize.transforms.changes.rewrites import (
    CARRY_BORDER,
    FILL_REMAINDER,
    FOLD_ONTO_ITSELF,
    INSERT_ELEMENTS,
    READ_PARTS,
    UNROLL,
    apply_all,
)

FEWEST = "one-shot-bufferize=bufferize-function-boundaries allow-return-allocs-from-loops fewest-copies"
SHOWN_BETWEEN = """
func.func @f(%a: tensor<4xf32>, %b: tensor<2xf32>) -> (tensor<10xf32>, tensor<4xf32>) {
  %z = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<10xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<10xf32>) -> tensor<10xf32>
  %g = tensor.insert_slice %a into %f[0] [4] [1] : tensor<4xf32> into tensor<10xf32>
  %r = tensor.extract_slice %g[0] [4] [1] : tensor<10xf32> to tensor<4xf32>
  %h = tensor.insert_slice %b into %g[4] [2] [1] : tensor<2xf32> into tensor<10xf32>
  return %h, %r : tensor<10xf32>, tensor<4xf32>
}
"""
SCALARS = """
func.func @f(%a: f32, %b: f32, %t: tensor<2x3xf32>) -> tensor<4x3xf32> {
  %v = tensor.from_elements %a, %b, %a, %b, %b, %a : tensor<6xf32>
  %h = tensor.expand_shape %v [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  %c = tensor.concat dim(0) %h, %t : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  return %c : tensor<4x3xf32>
}
"""
PADDED = """
func.func @f(%t: tensor<4x6xf32>, %w: tensor<3x3xf32>) -> tensor<4x6xf32> {
  %z = arith.constant 1.0 : f32
  %p = tensor.pad %t low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<4x6xf32> to tensor<6x8xf32>
  %e = tensor.empty() : tensor<4x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %c = linalg.conv_2d ins(%p, %w : tensor<6x8xf32>, tensor<3x3xf32>) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %c : tensor<4x6xf32>
}
"""
DYNAMIC_PAD = """
func.func @f(%t: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %z = arith.constant 1.0 : f32
  %p = tensor.pad %t low[%n] high[2] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %p : tensor<?xf32>
}
"""
TWO_PARTS = """
func.func @f(%a: tensor<3xf32>, %b: tensor<2xf32>) -> tensor<9xf32> {
  %z = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<9xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<9xf32>) -> tensor<9xf32>
  %0 = tensor.insert_slice %a into %f[1] [3] [1] : tensor<3xf32> into tensor<9xf32>
  %1 = tensor.insert_slice %b into %0[6] [2] [1] : tensor<2xf32> into tensor<9xf32>
  return %1 : tensor<9xf32>
}
"""
EMPTY_PART = """
func.func @f(%a: tensor<0x3xf32>) -> tensor<4x4xf32> {
  %z = arith.constant 1.0 : f32
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = tensor.insert_slice %a into %f[%c4, 0] [0, 3] [1, 1] : tensor<0x3xf32> into tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
"""
READ_BETWEEN = TWO_PARTS.replace(
    "return", "%c2 = arith.constant 2 : index\n  %x = tensor.extract %f[%c2] : tensor<9xf32>\n  return"
)
EVERY_SECOND = """
func.func @f(%a: tensor<3xf32>) -> tensor<9xf32> {
  %z = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<9xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<9xf32>) -> tensor<9xf32>
  %0 = tensor.insert_slice %a into %f[1] [3] [2] : tensor<3xf32> into tensor<9xf32>
  return %0 : tensor<9xf32>
}
"""
PREFIX = """
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %z = arith.constant dense<0.0> : tensor<2xf32>
  %a = tensor.extract_slice %x[0] [6] [1] : tensor<8xf32> to tensor<6xf32>
  %s = tensor.concat dim(0) %z, %a : (tensor<2xf32>, tensor<6xf32>) -> tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x, %s : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %n = arith.addf %p, %q : f32
    linalg.yield %n : f32
  } -> tensor<8xf32>
  return %y : tensor<8xf32>
}
"""
STENCIL_OF_PADDED = """
#m = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%t: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %z = arith.constant 0.5 : f32
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%x = %t) -> (tensor<4x4xf32>) {
    %p = tensor.pad %x low[1, 0] high[1, 0] {
    ^bb0(%a: index, %b: index):
      tensor.yield %z : f32
    } : tensor<4x4xf32> to tensor<6x4xf32>
    %u = tensor.extract_slice %p[0, 0] [4, 4] [1, 1] : tensor<6x4xf32> to tensor<4x4xf32>
    %d = tensor.extract_slice %p[2, 0] [4, 4] [1, 1] : tensor<6x4xf32> to tensor<4x4xf32>
    %e = tensor.empty() : tensor<4x4xf32>
    %w = linalg.generic {indexing_maps=[#m,#m,#m], iterator_types=["parallel","parallel"]} ins(%u, %d : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
    ^bb0(%l: f32, %q: f32, %o: f32):
      %s = arith.subf %l, %q : f32
      linalg.yield %s : f32
    } -> tensor<4x4xf32>
    scf.yield %w : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}
"""
THREE_BUFFERS = """
#m = affine_map<(d0) -> (d0)>
func.func @f(%a: tensor<6xf32>, %b: tensor<6xf32>, %n: index) -> (tensor<6xf32>, tensor<6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<6xf32>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b, %z = %e) -> (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) {
    %w = linalg.generic {indexing_maps=[#m,#m,#m], iterator_types=["parallel"]} ins(%x, %y : tensor<6xf32>, tensor<6xf32>) outs(%z : tensor<6xf32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %s = arith.subf %p, %q : f32
      linalg.yield %s : f32
    } -> tensor<6xf32>
    scf.yield %y, %w, %x : tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
  }
  return %r#0, %r#1 : tensor<6xf32>, tensor<6xf32>
}
"""
WAVE = """
#m = affine_map<(d0) -> (d0)>
func.func @f(%u0: tensor<?xf32>, %v0: tensor<?xf32>, %steps: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %u0, %c0 : tensor<?xf32>
  %l = arith.subi %n, %c2 : index
  %r:2 = scf.for %i = %c0 to %steps step %c1 iter_args(%u = %u0, %v = %v0) -> (tensor<?xf32>, tensor<?xf32>) {
    %a = tensor.extract_slice %u[0] [%l] [1] : tensor<?xf32> to tensor<?xf32>
    %b = tensor.extract_slice %u[2] [%l] [1] : tensor<?xf32> to tensor<?xf32>
    %c = tensor.extract_slice %v[1] [%l] [1] : tensor<?xf32> to tensor<?xf32>
    %e = tensor.empty(%l) : tensor<?xf32>
    %w = linalg.generic {indexing_maps=[#m,#m,#m,#m], iterator_types=["parallel"]} ins(%a, %b, %c : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) {
    ^bb0(%p: f32, %q: f32, %rr: f32, %o: f32):
      %s = arith.addf %p, %q : f32
      %x = arith.subf %s, %rr : f32
      linalg.yield %x : f32
    } -> tensor<?xf32>
    %y = tensor.insert_slice %w into %u[1] [%l] [1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %y, %u : tensor<?xf32>, tensor<?xf32>
  }
  return %r#0 : tensor<?xf32>
}
"""
PUT_BACK = """
func.func @f(%t: tensor<8x16xf32>, %i: index) -> tensor<8x16xf32> {
  %e = tensor.expand_shape %t [[0], [1, 2]] output_shape [8, 4, 4] : tensor<8x16xf32> into tensor<8x4x4xf32>
  %z = tensor.extract_slice %e[2, 1, 0] [1, 1, 4] [1, 1, 1] : tensor<8x4x4xf32> to tensor<4xf32>
  %w = tensor.insert_slice %z into %t[2, 4] [1, 4] [1, 1] : tensor<4xf32> into tensor<8x16xf32>
  return %w : tensor<8x16xf32>
}
"""


HISTOGRAM = """
func.func @f(%x: tensor<8xindex>, %h0: tensor<1x16xi32> {bufferization.writable = true}) -> tensor<1x16xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 8 : index
  %most = arith.constant 15 : index
  %one = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%h = %h0) -> (tensor<1x16xi32>) {
    %v = tensor.extract %x[%i] : tensor<8xindex>
    %b = arith.remui %v, %most : index
    %q = tensor.extract %h[%c0, %b] : tensor<1x16xi32>
    %s = arith.addi %q, %one : i32
    %f = tensor.from_elements %s : tensor<1x1xi32>
    %g = tensor.insert_slice %f into %h[0, %b] [1, 1] [1, 1] : tensor<1x1xi32> into tensor<1x16xi32>
    scf.yield %g : tensor<1x16xi32>
  }
  return %r : tensor<1x16xi32>
}
"""


def check_same(text, module, inputs=4):
    module = parse(str(module))
    for finding in verify_module(parse(text), module, Options(inputs=inputs)):
        assert not finding.failed, finding.diagnostic


def cost_of(text, options=FEWEST):
    module = parse(text)
    run_passes(module, [options, "cse", "canonicalize"])
    return traffic(module)


@pytest.mark.parametrize(
    ("kind", "text", "changed"),
    [
        pytest.param(FILL_REMAINDER, PADDED, 1, id="padding"),
        pytest.param(FILL_REMAINDER, DYNAMIC_PAD, 1, id="padding of unknown size"),
        pytest.param(FILL_REMAINDER, TWO_PARTS, 1, id="two parts"),
        pytest.param(FILL_REMAINDER, READ_BETWEEN, 0, id="filled, and read"),
        pytest.param(FILL_REMAINDER, EVERY_SECOND, 0, id="every second element"),
        pytest.param(READ_PARTS, PREFIX, 1, id="zeros and a slice"),
        pytest.param(UNROLL, THREE_BUFFERS, 1, id="three buffers, any number of times"),
        pytest.param(CARRY_BORDER, WAVE, 1, id="a border of unknown place"),
        pytest.param(CARRY_BORDER, WAVE.replace("%v[1]", "%v[2]"), 0, id="asked for outside of the part"),
        pytest.param(
            CARRY_BORDER,
            WAVE.replace("return %r#0 :", "return %r#1 :"),
            0,
            id="the older one of a loop that may not run",
        ),
        pytest.param(FILL_REMAINDER, SHOWN_BETWEEN, 1, id="what was inserted is read"),
        pytest.param(
            FILL_REMAINDER,
            SHOWN_BETWEEN.replace("%g[0] [4]", "%g[1] [4]"),
            1,
            id="what is overwritten later is read, too",
        ),
        pytest.param(
            FILL_REMAINDER,
            SHOWN_BETWEEN.replace("[4] [2] [1]", "[3] [2] [1]"),
            1,
            id="insertions that overlap",
        ),
        pytest.param(FILL_REMAINDER, EMPTY_PART, 0, id="an insertion of nothing"),
        pytest.param(INSERT_ELEMENTS, HISTOGRAM, 1, id="one element"),
        pytest.param(
            INSERT_ELEMENTS,
            HISTOGRAM.replace("%s : tensor<1x1xi32>\n", "%s, %s : tensor<1x2xi32>\n").replace(
                "[0, %b] [1, 1] [1, 1] : tensor<1x1xi32>", "[0, %b] [1, 2] [1, 1] : tensor<1x2xi32>"
            ),
            1,
            id="two elements",
        ),
        pytest.param(
            INSERT_ELEMENTS,
            HISTOGRAM.replace("%s : tensor<1x1xi32>\n", "%s, %s : tensor<1x2xi32>\n").replace(
                "[0, %b] [1, 1] [1, 1] : tensor<1x1xi32>", "[0, 1] [1, 2] [1, 2] : tensor<1x2xi32>"
            ),
            0,
            id="two elements that are apart",
        ),
        pytest.param(INSERT_ELEMENTS, SCALARS, 1, id="a concatenation of elements"),
        pytest.param(INSERT_ELEMENTS, SCALARS.replace("%h, %t", "%t, %t"), 0, id="no elements"),
        pytest.param(FOLD_ONTO_ITSELF, PUT_BACK, 1, id="put back where it was"),
        pytest.param(FOLD_ONTO_ITSELF, PUT_BACK.replace("%t[2, 4]", "%t[2, 5]"), 0, id="put elsewhere"),
        pytest.param(FOLD_ONTO_ITSELF, PUT_BACK.replace("%t[2, 4]", "%t[%i, 4]"), 0, id="put anywhere"),
    ],
)
def test_each_rewrite_keeps_what_a_program_computes(kind, text, changed):
    module = parse(text)
    assert apply_all(module, kind) == changed
    check_same(text, module)


@pytest.mark.parametrize(
    ("text", "copied", "filled"),
    [
        pytest.param(PADDED, 4 * 6 * 4, (4 * 6 + 2 * 8 + 2 * 4) * 4, id="padding"),
        pytest.param(PREFIX, 0, 0, id="zeros and a slice"),
        pytest.param(STENCIL_OF_PADDED, 0, 0, id="a stencil of what is padded"),
        pytest.param(PUT_BACK, 0, 0, id="put back where it was"),
        pytest.param(HISTOGRAM, 0, 0, id="one element"),
        pytest.param(SCALARS, 24, 0, id="elements"),
        pytest.param(THREE_BUFFERS, 48, 0, id="three buffers, of arguments that are left alone"),
        pytest.param(WAVE, 264, 0, id="a border, and the inside of a new tensor"),
    ],
)
def test_what_is_left_to_move(text, copied, filled):
    cost = cost_of(text)
    assert (cost.copied, cost.filled) == (copied, filled)
    module = parse(text)
    run_passes(module, [FEWEST])
    check_same(text, module)


@pytest.mark.parametrize(("read", "filled"), [("%g[0] [4]", 16), ("%g[1] [4]", 24)])
def test_what_is_read_between_insertions_is_filled(read, filled):
    module = parse(SHOWN_BETWEEN.replace("%g[0] [4]", read))
    apply_all(module, FILL_REMAINDER)
    sizes = [op.results[0].type.shape[0] for op in module.walk() if op.name == "linalg.fill"]
    assert 4 * sum(sizes) == filled


@pytest.mark.parametrize("runs", range(7))
def test_three_buffers_however_often_the_loop_runs(runs):
    count = f"  %m = arith.constant {runs} : index\n  %n = arith.addi %m, %c0 : index\n  %c1 ="
    text = THREE_BUFFERS.replace(", %n: index", "").replace("  %c1 =", count, 1)
    unrolled = parse(text)
    assert apply_all(unrolled, UNROLL) == 1
    assert sum(op.name == "scf.if" for op in unrolled.walk()) == 2
    check_same(text, unrolled, inputs=1)


PADDED_LATE = """func.func @f(%x: tensor<3xf32>, %a: tensor<8xf32>, %i: index) -> tensor<32xf32> {{
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[2] high[3] {{
  ^bb0(%k: index):
    tensor.yield %z : f32
  }} : tensor<3xf32> to tensor<8xf32>
  %e = tensor.empty() : tensor<32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<32xf32>) -> tensor<32xf32>
  %0 = tensor.insert_slice %a into %f[%i] [8] [1] : tensor<8xf32> into tensor<32xf32>
  {}
  %1 = tensor.insert_slice %p into %0[16] [8] [1] : tensor<8xf32> into tensor<32xf32>
  return %1 : tensor<32xf32>
}}"""


@pytest.mark.parametrize(
    ("between", "copied"),
    [
        # the padding moves to its insertion, past one that may write the same elements
        ("", 4 * (8 + 3)),
        ("%j = tensor.extract %x[%i] : tensor<3xf32> %d = tensor.dim %x, %i : tensor<3xf32>", 4 * (8 + 3)),
        # it stays where another operation reads it, or may overwrite its source in between
        ('"test.use"(%p) : (tensor<8xf32>) -> ()', 4 * (8 + 3 + 8)),
        (
            "%w = linalg.fill ins(%z : f32) outs(%x : tensor<3xf32>) -> tensor<3xf32>"
            ' "test.use"(%w) : (tensor<3xf32>) -> ()',
            4 * (8 + 3 + 8),
        ),
    ],
)
def test_a_computation_moves_to_its_insertion(between, copied):
    module = parse(PADDED_LATE.format(between), allow_unregistered=True)
    run_passes(module, [FEWEST + " allow-unknown-ops"])
    assert traffic(module).copied == copied


OVERWRITTEN = """
func.func @f(%t: tensor<?xf32> {attribute}, %x: f32) -> tensor<?xf32> {{
  %c0 = arith.constant 0 : index
  %u = tensor.insert %x into %t[%c0] : tensor<?xf32>
  %r = linalg.fill ins(%x : f32) outs(%u : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}}"""


@pytest.mark.parametrize(
    ("attribute", "option", "allocates"),
    [
        # returned, the caller's buffer would be cloned by deallocation
        ("", " peak-percent=0", True),
        ("", "", False),
        ("{tf.aliasing_output = 0 : i32}", " peak-percent=0", False),
    ],
)
def test_a_result_that_overwrites_the_callers_buffer_gets_its_own(attribute, option, allocates):
    module = parse(OVERWRITTEN.format(attribute=attribute))
    run_passes(module, [FEWEST + option])
    assert bool(traffic(module).allocated) is allocates
    assert traffic(module).copied == 0


INTO_A_COPY = """
func.func @f(%t: tensor<8xf32>, %s: tensor<3xf32>, %n: index) -> (tensor<8xf32>, tensor<8xf32>{more_types}) {{
  %part = tensor.extract_slice %t[0] [3] [1] : tensor<8xf32> to tensor<3xf32>
  %e = tensor.empty() : tensor<3xf32>
  %x = linalg.exp ins({input} : tensor<3xf32>) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %w = tensor.insert_slice %x into %t[%n] [3] [1] : tensor<3xf32> into tensor<8xf32>
  return %w, %t{more} : tensor<8xf32>, tensor<8xf32>{more_types}
}}
"""


@pytest.mark.parametrize(
    ("input", "more", "copied"),
    [
        ("%s", "", 4 * 8),
        # what it reads is still there after the copy
        ("%part", "", 4 * 8),
        # another use of the result needs it elsewhere
        ("%s", ", %x", 4 * (8 + 3)),
    ],
)
def test_a_tensor_is_computed_in_the_copy_that_it_is_inserted_into(input, more, copied):
    types = ", tensor<3xf32>" if more else ""
    text = INTO_A_COPY.format(input=input, more=more, more_types=types)
    module = parse(text)
    run_passes(module, [FEWEST + " peak-percent=0"])
    assert traffic(module).copied == copied
    assert prove(parse(text), module, leaks=False).proved


def test_an_expanded_result_is_computed_in_its_rows_and_not_copied_onto_itself():
    text = """
func.func @f(%a: tensor<16xf32>, %o: tensor<8x4xf32> {bufferization.writable = false}) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<16xf32>
  %r = linalg.exp ins(%a : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %x = tensor.expand_shape %r [[0, 1]] output_shape [4, 4] : tensor<16xf32> into tensor<4x4xf32>
  %w = tensor.insert_slice %x into %o[2, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x4xf32>
  return %w : tensor<8x4xf32>
}
"""
    module = parse(text)
    run_passes(module, [FEWEST + " peak-percent=0"])
    copied = [op.op_operands[0].value.type.num_elements for op in module.walk() if op.name == "memref.copy"]
    assert copied == [8, 8]
    assert prove(parse(text), module, leaks=False).proved
