"""Where results are computed: what that saves, that it is not done where its conditions fail, and that the program computes the same."""

import numpy as np
import pytest
from bufferize import parse, prove, run_passes
from bufferize.analysis.cost_model import traffic
from bufferize.interpreter.generate_programs import tensor_program
from bufferize.interpreter.machine import Machine
from bufferize.interpreter.verify import Options, verify_module
from bufferize.ir.source.diagnostics import BufferizeError
from bufferize.ir.verifier import verify
from bufferize.transforms.changes.rewrites import (
    CARRY_BORDER,
    EXPAND_UNITS,
    FORWARD_RELAYOUT,
    FORWARD_SLICE,
    FUSE_FRESH,
    UNROLL,
    YIELD_PAST,
    apply_all,
)
from bufferize.transforms.fewest_copies.destinations import choose_dying_operands

FEWEST = (
    "one-shot-bufferize=bufferize-function-boundaries allow-return-allocs-from-loops fewest-copies {}",
    "cse",
    "canonicalize",
)


IDENTITY = "function-boundary-type-conversion=identity-layout-map"


def bufferized(text, options=""):
    module = parse(text)
    run_passes(module, [each.format(options).strip() for each in FEWEST])
    for finding in verify_module(parse(text), module, Options(inputs=3)):
        assert not finding.failed, finding.diagnostic
    return traffic(module)


def loop(trips, carried, body, yielded):
    """A loop over tensors of 8 elements that returns all that it carries."""
    args = ", ".join(f"%{name}0: tensor<8xf32>" for name in carried)
    inits = ", ".join(f"%{name} = %{name}0" for name in carried)
    types = ", ".join(["tensor<8xf32>"] * len(carried))
    results = ", ".join(f"%r#{i}" for i in range(len(carried)))
    return f"""
func.func @f({args}) -> ({types}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant {trips} : index
  %r:{len(carried)} = scf.for %i = %c0 to %n step %c1 iter_args({inits}) -> ({types}) {{
    %e = tensor.empty() : tensor<8xf32>
    {body}
    scf.yield {yielded} : {types}
  }}
  return {results} : {types}
}}"""


def binary(name, one, other, outs="%e"):
    return (
        f"{name} = linalg.sub ins({one}, {other} : tensor<8xf32>, tensor<8xf32>)"
        f" outs({outs} : tensor<8xf32>) -> tensor<8xf32>"
    )


CHAIN = """
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %a = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %e1 = tensor.empty() : tensor<8xf32>
  %b = linalg.tanh ins(%a : tensor<8xf32>) outs(%e1 : tensor<8xf32>) -> tensor<8xf32>
  %e2 = tensor.empty() : tensor<8xf32>
  %c = linalg.exp ins(%b : tensor<8xf32>) outs(%e2 : tensor<8xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}"""
ROW = """
func.func @f(%t: tensor<6x8xf32>, %i: index) -> tensor<6x8xf32> {
  %c = tensor.extract_slice %t[3, 0] [1, 8] [1, 1] : tensor<6x8xf32> to tensor<1x8xf32>
  %e = tensor.empty() : tensor<1x8xf32>
  %s = linalg.exp ins(%c : tensor<1x8xf32>) outs(%e : tensor<1x8xf32>) -> tensor<1x8xf32>
  %w = tensor.insert_slice %s into %t[3, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<6x8xf32>
  return %w : tensor<6x8xf32>
}"""
CELL = """
func.func @f(%t: tensor<8xf32>, %x: tensor<f32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<f32>
  %v = linalg.exp ins(%x : tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s = tensor.expand_shape %v [] output_shape [1] : tensor<f32> into tensor<1xf32>
  %r = tensor.insert_slice %s into %t[5] [1] [1] : tensor<1xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}"""
WAVE = """
func.func @f(%u0: tensor<6x6xf32>, %v0: tensor<6x6xf32>) -> tensor<6x6xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 5 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %u0, %v = %v0) -> (tensor<6x6xf32>, tensor<6x6xf32>) {
    %a = tensor.extract_slice %u[0, 1] [4, 4] [1, 1] : tensor<6x6xf32> to tensor<4x4xf32>
    %b = tensor.extract_slice %u[2, 1] [4, 4] [1, 1] : tensor<6x6xf32> to tensor<4x4xf32>
    %p = tensor.extract_slice %v[1, 1] [4, 4] [1, 1] : tensor<6x6xf32> to tensor<4x4xf32>
    %e = tensor.empty() : tensor<4x4xf32>
    %s = linalg.add ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    %m = linalg.sub ins(%s, %p : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    %w = tensor.insert_slice %m into %u[1, 1] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<6x6xf32>
    scf.yield %w, %u : tensor<6x6xf32>, tensor<6x6xf32>
  }
  return %r#0 : tensor<6x6xf32>
}"""
CORNER = """
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%t: tensor<6x6xf32>) -> tensor<6x6xf32> {
  %e = tensor.empty() : tensor<6x6xf32>
  %a = tensor.extract_slice %t[1, 0] [5, 6] [1, 1] : tensor<6x6xf32> to tensor<5x6xf32>
  %b = tensor.extract_slice %t[0, 0] [1, 6] [1, 1] : tensor<6x6xf32> to tensor<1x6xf32>
  %p = tensor.insert_slice %a into %e[0, 0] [5, 6] [1, 1] : tensor<5x6xf32> into tensor<6x6xf32>
  %q = tensor.insert_slice %b into %p[5, 0] [1, 6] [1, 1] : tensor<1x6xf32> into tensor<6x6xf32>
  %c = tensor.extract_slice %q[0, 1] [6, 5] [1, 1] : tensor<6x6xf32> to tensor<6x5xf32>
  %d = tensor.extract_slice %q[0, 0] [6, 1] [1, 1] : tensor<6x6xf32> to tensor<6x1xf32>
  %r = tensor.insert_slice %c into %e[0, 0] [6, 5] [1, 1] : tensor<6x5xf32> into tensor<6x6xf32>
  %s = tensor.insert_slice %d into %r[0, 5] [6, 1] [1, 1] : tensor<6x1xf32> into tensor<6x6xf32>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %t : tensor<6x6xf32>, tensor<6x6xf32>) outs(%e : tensor<6x6xf32>) {
  ^bb0(%in: f32, %other: f32, %out: f32):
    %sum = arith.addf %in, %other : f32
    linalg.yield %sum : f32
  } -> tensor<6x6xf32>
  return %y : tensor<6x6xf32>
}"""
TURNED = """
#id = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
func.func @f(%x: tensor<3x4xf32>, %w: tensor<5x4xf32>, %b: tensor<5xf32>) -> tensor<3x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x5xf32>
  %t = linalg.generic {indexing_maps = [#turned, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<5x4xf32>) outs(%e : tensor<4x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x5xf32>
  %e2 = tensor.empty() : tensor<3x5xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e2 : tensor<3x5xf32>) -> tensor<3x5xf32>
  %p = linalg.matmul ins(%x, %t : tensor<3x4xf32>, tensor<4x5xf32>) outs(%z : tensor<3x5xf32>) -> tensor<3x5xf32>
  %rows = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<5xf32>) outs(%e2 : tensor<3x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x5xf32>
  %y = linalg.add ins(%p, %rows : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e2 : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %y : tensor<3x5xf32>
}"""
SWAP = loop(7, "uv", binary("%m", "%v", "%u"), "%v, %m")
SWAP_GIVEN = loop(7, "uv", binary("%m", "%v", "%u", "%u"), "%v, %m")
TURN_OF_THREE = loop(8, "uvw", binary("%m", "%u", "%w"), "%m, %u, %v")


@pytest.mark.parametrize(
    ("text", "copied", "relaid", "peak"),
    [
        pytest.param(CHAIN, 0, 0, 32, id="an operand that dies"),
        pytest.param(ROW, 0, 0, 0, id="the slice that it goes into, which is read"),
        pytest.param(CELL, 0, 0, 0, id="a scalar expanded"),
        pytest.param(WAVE, 4 * (6 + 6 + 4 + 4), 0, 0, id="only the border, once"),
        pytest.param(CORNER, 0, 0, 144, id="parts of parts"),
        pytest.param(TURNED, 0, 0, 60, id="a transposition and a broadcast"),
        # the result in a buffer of its own needs no clone
        pytest.param(SWAP_GIVEN, 0, 0, 32, id="buffers that trade places"),
        pytest.param(TURN_OF_THREE, 0, 0, 32 * 3, id="three buffers that rotate"),
    ],
)
def test_what_destinations_save(text, copied, relaid, peak):
    found = bufferized(text)
    assert (found.copied, found.relayout_written) == (copied, relaid)
    assert found.peak <= peak


def test_arguments_that_were_only_read_are_not_written():
    """The two arguments are the caller's: the loop trades two buffers of its own."""
    found = bufferized(SWAP)
    assert found.copied <= 64
    module = parse(SWAP)
    run_passes(module, [each.format("").strip() for each in FEWEST])
    assert "outs(%arg0" not in str(module)
    assert "outs(%arg1" not in str(module)


def without_change(change, text):
    """Whether a rewrite leaves a program alone."""
    module = parse(text)
    before = str(module)
    return not apply_all(module, change) and str(module) == before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("%v[1, 1] [4, 4]", "%v[0, 0] [4, 4]", id="the border of the older one is read"),
        pytest.param("return %r#0", "return %r#1", id="what the older one becomes is wanted"),
        pytest.param("scf.yield %w, %u", "scf.yield %w, %v", id="the older one stays"),
        pytest.param("%m into %u[1, 1]", "%m into %u[%i, 1]", id="another part each time"),
    ],
)
def test_borders_are_carried_only_where_they_are_the_same(old, new):
    assert old in WAVE
    text = WAVE.replace(old, new)
    if "return" in old:  # the result in its place is only wanted of a loop that runs
        assert not without_change(CARRY_BORDER, text)
        text = text.replace("constant 5", "constant 0")
    assert without_change(CARRY_BORDER, text)


def test_an_operand_that_is_needed_is_no_destination():
    module = parse(CHAIN.replace("return %c", "return %a"))
    chosen = choose_dying_operands(module, lambda argument: True)
    assert [op.name for choice in chosen if (op := choice.use.value.defining_op)] == ["linalg.tanh"]


def test_loops_are_unrolled_until_buffers_are_where_they_were():
    for text, step in ((SWAP, 2), (TURN_OF_THREE, 3)):
        module = parse(text)
        assert apply_all(module, UNROLL) == 1
        assert f"arith.constant {step} : index" in str(module)
        for finding in verify_module(parse(text), module, Options(inputs=2)):
            assert not finding.failed, finding.diagnostic


@pytest.mark.parametrize(
    "text",
    [loop(7, "uv", binary("%m", "%v", "%u"), "%m, %v"), loop(1, "uv", binary("%m", "%v", "%u"), "%v, %m")],
)
def test_other_loops_are_not_unrolled(text):
    assert without_change(UNROLL, text)


def test_what_a_reduction_needs_to_know_its_length_is_not_forwarded():
    text = TURNED.replace(
        "%y = linalg.add ins(%p, %rows : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e2 : tensor<3x5xf32>) -> tensor<3x5xf32>\n"
        "  return %y : tensor<3x5xf32>",
        "%e5 = tensor.empty() : tensor<5xf32>\n"
        "  %s = linalg.reduce { arith.addf } ins(%rows : tensor<3x5xf32>) outs(%e5 : tensor<5xf32>) dimensions = [0]\n"
        "  return %p : tensor<3x5xf32>",
    )
    module = parse(text)
    assert apply_all(module, FORWARD_RELAYOUT) == 1  # the transposition
    assert "linalg.reduce" in str(module)


def test_only_what_is_read_once_is_fused():
    module = parse(CHAIN)
    assert apply_all(module, FUSE_FRESH) == 2
    assert str(module).count("linalg.generic") == 1
    twice = CHAIN.replace("return %c : tensor<8xf32>", "return %a : tensor<8xf32>")
    module = parse(twice)
    assert apply_all(module, FUSE_FRESH) == 1


def test_a_slice_of_what_was_computed_stays():
    text = CORNER.replace("ins(%s, %t", "ins(%q, %t").replace(
        "%c = tensor.extract_slice %q", "%c = tensor.extract_slice %e"
    )
    text = text.replace("%d = tensor.extract_slice %q", "%d = tensor.extract_slice %e")
    assert without_change(FORWARD_SLICE, text)


UNKNOWN = loop("N", "uv", binary("%m", "%u", "%u", "%v"), "%m, %u")
UNKNOWN = UNKNOWN.replace("  %n = arith.constant N : index\n", "").replace(
    "%v0: tensor<8xf32>)", "%v0: tensor<8xf32>, %n: index)"
)


@pytest.mark.parametrize("start", [0, 3])
@pytest.mark.parametrize("end", [-5, 0, 1, 2, 5, 8, 9])
def test_loops_of_unknown_length_are_unrolled_by_two(start, end):
    text = UNKNOWN.replace("constant 0 : index", f"constant {start} : index").replace(
        "%c1 = arith.constant 1", "%c1 = arith.constant 2"
    )
    before, after = parse(text), parse(text)
    assert apply_all(after, UNROLL) == 1
    verify(after)
    found = []
    for module in (before, after):
        machine = Machine(module)
        arguments = [np.arange(8, dtype=np.float32), np.arange(8, dtype=np.float32) ** 2, end]
        found.append(machine.call(machine.function("f"), arguments))
    for one, other in zip(*found, strict=True):
        assert np.array_equal(one.data, other.data)


def test_what_trades_places_in_a_loop_of_unknown_length_is_not_copied():
    text = UNKNOWN.replace("return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>", "return %r#0 : tensor<8xf32>")
    text = text.replace("-> (tensor<8xf32>, tensor<8xf32>) {\n  %c0", "-> tensor<8xf32> {\n  %c0")
    assert bufferized(text).copied == 0


@pytest.mark.parametrize(
    ("old", "new"),
    [("%c0 = arith.constant 0", "%c0 = arith.constant -1"), ("step %c1", "step %n")],
    ids=["it begins below zero", "nobody knows the step"],
)
def test_other_loops_of_unknown_length_stay(old, new):
    assert without_change(UNROLL, UNKNOWN.replace(old, new))


T64 = "tensor<64xf32>"


def proved(text):
    """What is copied, where what the options make is proved, and computes the same."""
    module = parse(text)
    run_passes(module, [each.format("").strip() for each in FEWEST])
    assert prove(parse(text), module, leaks=False).proved
    return bufferized(text).copied


def test_of_what_a_loop_begins_with_twice_one_copy_is_enough():
    text = f"""
func.func @f(%x: {T64}, %n: index, %v: f32, %w: f32) -> ({T64}, {T64}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> ({T64}, {T64}) {{
    %p = tensor.insert %v into %a[%i] : {T64}
    %q = tensor.insert %w into %b[%i] : {T64}
    scf.yield %p, %q : {T64}, {T64}
  }}
  return %r#0, %r#1 : {T64}, {T64}
}}"""
    assert proved(text) == 256


def forall(read, written):
    return f"""
func.func @f(%t: {T64}) -> {T64} {{
  %r = scf.forall (%i) in (7) shared_outs(%o = %t) -> {T64} {{
    %j = affine.apply affine_map<(d0) -> (d0 * 8)>(%i)
    %k = affine.apply affine_map<(d0) -> (d0 * 8 + 8)>(%i)
    %s = tensor.extract_slice %t[{read}] [8] [1] : {T64} to tensor<8xf32>
    %e = tensor.empty() : tensor<8xf32>
    %m = linalg.exp ins(%s : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.forall.in_parallel {{
      tensor.parallel_insert_slice %m into %o[{written}] [8] [1] : tensor<8xf32> into {T64}
    }}
  }}
  return %r : {T64}
}}"""


def test_a_parallel_loop_may_read_what_each_iteration_replaces():
    assert proved(forall("%j", "%j")) == 0


def test_a_parallel_loop_that_reads_what_others_replace_keeps_what_it_began_with():
    assert proved(forall("%k", "%j")) == 256


def yields_from_outside(upper, body="", yielded="%u"):
    return f"""
func.func @f(%x: {T64}, %y: {T64}, %n: index, %v: f32) -> {T64} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %e = tensor.empty() : {T64}
  %t = linalg.exp ins(%x : {T64}) outs(%e : {T64}) -> {T64}
  %u = linalg.exp ins(%y : {T64}) outs(%e : {T64}) -> {T64}
  %r = scf.for %i = %c0 to {upper} step %c1 iter_args(%a = %t) -> {T64} {{
    {body}
    scf.yield %u : {T64}
  }}
  return %r : {T64}
}}"""


@pytest.mark.parametrize("upper", ["%n", "%c9", "%c0"])
def test_what_a_loop_yields_from_outside_is_not_copied(upper):
    assert proved(yields_from_outside(upper)) == 0


def test_a_carried_tensor_that_is_read_stays_with_the_loop():
    module = parse(
        yields_from_outside("%n", f"%q = tensor.extract %a[%i] : {T64}\n    vector.print %q : f32")
    )
    assert not apply_all(module, YIELD_PAST)


ROW_AFTER_READ = """
func.func @f(%cache: tensor<64x16xf32>, %x: tensor<1x16xf32>, %p: index) -> (tensor<64x16xf32>, tensor<16xf32>{more}) {{
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c63 = arith.constant 63 : index
  %low = arith.maxsi %p, %c0 : index
  %at = arith.minsi %low, %c63 : index
  %e = tensor.empty() : tensor<1x16xf32>
  %row = linalg.exp ins(%x : tensor<1x16xf32>) outs(%e : tensor<1x16xf32>) -> tensor<1x16xf32>
  {use}
  %s = tensor.empty() : tensor<16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%s : tensor<16xf32>) -> tensor<16xf32>
  %sum = linalg.reduce ins(%cache : tensor<64x16xf32>) outs(%z : tensor<16xf32>) dimensions = [0]
    (%in: f32, %out: f32) {{ %a = arith.addf %in, %out : f32  linalg.yield %a : f32 }}
  %new = tensor.insert_slice %row into %cache[%at, 0] [1, 16] [1, 1] : tensor<1x16xf32> into tensor<64x16xf32>
  return %new, %sum{also} : tensor<64x16xf32>, tensor<16xf32>{more}
}}"""


@pytest.mark.parametrize(
    ("use", "also", "more", "copied"),
    [
        ("", "", "", 0),
        # the row itself is returned, too
        ("", ", %row", ", tensor<1x16xf32>", 64),
        # another operation needs the row before the cache is read
        ("%o = tensor.extract %row[%c0, %c0] : tensor<1x16xf32>", ", %o", ", f32", 64),
    ],
)
def test_a_row_is_computed_behind_the_read_of_what_it_replaces(use, also, more, copied):
    """The row is computed before the cache is read and inserted after it: in its place only if it is computed later."""
    text = ROW_AFTER_READ.format(use=use, also=also, more=more)
    assert bufferized(text, "peak-percent=0").copied == copied


def product_then_exp(read_later="", more=""):
    """Half of the result is the exponential of a product, which `read_later` may use, too."""
    return f"""
func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> (tensor<4x8xf32>{", tensor<4x4xf32>" if more else ""}) {{
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %z = linalg.fill ins(%c : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %p = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = linalg.exp ins(%p : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  {read_later}
  %d = tensor.concat dim(1) %a, %r : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x8xf32>
  return %d{more} : tensor<4x8xf32>{", tensor<4x4xf32>" if more else ""}
}}"""


READ_LATER = (
    "%s = linalg.sub ins(%p, %r : tensor<4x4xf32>, tensor<4x4xf32>)"
    " outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>"
)


def test_what_an_operation_replaces_is_computed_in_the_slice_that_it_goes_to():
    assert bufferized(product_then_exp()).peak == 4 * 32


def test_what_is_read_afterwards_is_not_replaced():
    assert bufferized(product_then_exp(READ_LATER, ", %s")).peak >= 4 * (32 + 16)


def test_rows_around_parts_of_one_empty_tensor_are_not_shared():
    part = "tensor<4x4xf32> into tensor<6x6xf32>"
    text = f"""
func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %c: f32) -> (tensor<6x6xf32>, tensor<6x6xf32>) {{
  %e = tensor.empty() : tensor<6x6xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<6x6xf32>) -> tensor<6x6xf32>
  %x = tensor.insert_slice %a into %f[1, 1] [4, 4] [1, 1] : {part}
  %g = linalg.fill ins(%c : f32) outs(%e : tensor<6x6xf32>) -> tensor<6x6xf32>
  %y = tensor.insert_slice %b into %g[1, 1] [4, 4] [1, 1] : {part}
  return %x, %y : tensor<6x6xf32>, tensor<6x6xf32>
}}"""
    found = bufferized(text)
    assert (found.copied, found.filled) == (2 * 64, 2 * 80)


def test_an_argument_is_not_written_to_be_cloned():
    """`%b` is overwritten and then free, but its caller keeps it: returned, it would be cloned."""
    text = f"""
func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {{
  %e = tensor.empty() : tensor<8xf32>
  {binary("%w", "%a", "%b", "%b")}
  {binary("%s", "%w", "%a")}
  {binary("%r", "%s", "%a")}
  return %r, %s : tensor<8xf32>, tensor<8xf32>
}}"""
    assert bufferized(text).cloned == 0
    assert (
        bufferized(text.replace("%b: tensor<8xf32>", "%b: tensor<8xf32> {jax.buffer_donor = true}")).allocated
        == 32
    )


def spread(source, target, map, shapes):
    return f"""
func.func @f(%a: tensor<{shapes[0]}xf32>, %t: tensor<{shapes[1]}xf32>, %i: index) -> tensor<{shapes[1]}xf32> {{
  %e = tensor.empty() : tensor<{target}xf32>
  %e1 = tensor.empty() : tensor<{source}xf32>
  %n = linalg.exp ins(%a : tensor<{source}xf32>) outs(%e1 : tensor<{source}xf32>) -> tensor<{source}xf32>
  %r = linalg.generic {{indexing_maps = [affine_map<{map}>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]}} ins(%n : tensor<{source}xf32>) outs(%e : tensor<{target}xf32>) {{
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }} -> tensor<{target}xf32>
  %y = tensor.insert_slice %r into %t[0, %i, 0] [{", ".join(target.split("x"))}] [1, 1, 1]
    : tensor<{target}xf32> into tensor<{shapes[1]}xf32>
  return %y : tensor<{shapes[1]}xf32>
}}"""


@pytest.mark.parametrize(
    ("text", "applies"),
    [
        pytest.param(
            spread("4x4", "4x1x4", "(i, j, k) -> (i, k)", ("4x4", "4x9x4")), True, id="in the middle"
        ),
        pytest.param(spread("4", "1x1x4", "(i, j, k) -> (k)", ("4", "3x9x4")), True, id="before"),
        pytest.param(spread("4", "4x1x1", "(i, j, k) -> (i)", ("4", "4x9x3")), True, id="behind"),
        pytest.param(spread("4x4", "4x1x4", "(i, j, k) -> (k, i)", ("4x4", "4x9x4")), False, id="turned"),
        pytest.param(spread("4x4", "4x2x4", "(i, j, k) -> (i, k)", ("4x4", "4x9x4")), False, id="twice"),
        pytest.param(
            spread("4x4", "4x1x4", "(i, j, k) -> (i, k)", ("4x4", "4x9x4"))
            .replace("ins(%n : tensor<4x4xf32>)", "ins(%v : tensor<?x4xf32>)")
            .replace("  %r =", "  %v = tensor.cast %n : tensor<4x4xf32> to tensor<?x4xf32>\n  %r ="),
            False,
            id="of unknown size",
        ),
        pytest.param(
            spread("4x1", "4x1x4", "(i, j, k) -> (i, j)", ("4x1", "4x9x4")), False, id="along another"
        ),
    ],
)
def test_a_broadcast_along_dimensions_of_size_one_is_a_reshape(text, applies):
    module = parse(text)
    assert bool(apply_all(module, EXPAND_UNITS)) is applies
    verify(module)
    assert not applies or "expand_shape" in str(module)
    for finding in verify_module(parse(text), module, Options(inputs=3)):
        assert not finding.failed, finding.diagnostic
    assert not applies or bufferized(text, IDENTITY).traffic == 0


@pytest.mark.parametrize("seed", range(40))
def test_no_plain_options_copy_or_move_less(seed):
    one_shot = "one-shot-bufferize=bufferize-function-boundaries allow-return-allocs-from-loops"
    text = tensor_program(seed)
    costs = []
    for passes in ([f"{one_shot} fewest-copies"], [one_shot], ["eliminate-empty-tensors", one_shot]):
        module = parse(text)
        try:
            run_passes(module, passes)
        except BufferizeError:
            pytest.skip("refused")
        costs.append(traffic(module))
    found, *plain = costs
    for other in plain:
        assert found.peak > other.peak or (found.copied <= other.copied and found.traffic <= other.traffic)


def copied_part(target, source, size, shape):
    part = f"tensor<{shape}xf32>"
    return f"""
func.func @f(%t: tensor<16x8xf32>, %i: index, %j: index) -> tensor<16x8xf32> {{
  %c7 = arith.constant 7 : index
  %p = arith.andi %i, %c7 : index
  %q = arith.andi %j, %c7 : index
  %b = tensor.extract_slice %t[{source}] [{size}] [1, 1] : tensor<16x8xf32> to {part}
  %x = tensor.insert_slice %b into %t[{target}] [{size}] [1, 1] : {part} into tensor<16x8xf32>
  return %x : tensor<16x8xf32>
}}"""


@pytest.mark.parametrize(
    ("text", "copies"),
    [
        pytest.param(copied_part("%p, 0", "%q, 0", "1, 8", "1x8"), 1, id="rows"),
        pytest.param(copied_part("%p, 0", "%q, 0", "1, 8", "8"), 1, id="rows of less rank"),
        pytest.param(copied_part("%p, %q", "%q, %p", "1, 1", "1x1"), 1, id="elements"),
        pytest.param(copied_part("%p, 0", "%q, 0", "2, 8", "2x8"), 2, id="two rows may overlap"),
        pytest.param(copied_part("%p, 0", "%q, 1", "1, 7", "1x7"), 2, id="rows of other columns"),
        pytest.param(copied_part("%p, 0", "%p, 1", "1, 7", "1x7"), 2, id="one row, moved"),
    ],
)
def test_a_row_is_copied_to_another_without_a_buffer_between(text, copies):
    assert bufferized(text).copies == copies
    proved(text)


def test_two_rows_trade_places_with_one_buffer():
    text = """
func.func @f(%t: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%u = %t) -> (tensor<16x8xf32>) {
    %j = arith.subi %c9, %i : index
    %a = tensor.extract_slice %u[%i, 0] [1, 8] [1, 1] : tensor<16x8xf32> to tensor<8xf32>
    %b = tensor.extract_slice %u[%j, 0] [1, 8] [1, 1] : tensor<16x8xf32> to tensor<8xf32>
    %x = tensor.insert_slice %b into %u[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<16x8xf32>
    %y = tensor.insert_slice %a into %x[%j, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<16x8xf32>
    scf.yield %y : tensor<16x8xf32>
  }
  return %r : tensor<16x8xf32>
}"""
    found = bufferized(text)
    assert (found.copied, found.peak) == (9 * 3 * 32, 32)
    proved(text)
