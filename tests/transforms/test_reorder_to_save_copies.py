"""Reads that move before writes: which copies that saves, what stays where it is, and that programs compute the same."""

import pytest
from bufferize import parse, run_passes
from bufferize.analysis.cost_model import traffic
from bufferize.analysis.moving import dependent_sets, depends_on
from bufferize.benchmarks.families import FAMILIES
from bufferize.interpreter.generate_programs import tensor_program
from bufferize.interpreter.verify import Options, verify_module
from bufferize.ir.source.diagnostics import BufferizeError

PASS = "reorder-to-save-copies"
BASE = "one-shot-bufferize=bufferize-function-boundaries"
LOOPS = "allow-return-allocs-from-loops"
T = "tensor<8xf32>"
ROWS = {
    "a read of the old value": (
        f"%w = tensor.insert %f into %t[%i] : {T}\n%x = tensor.extract %t[%i] : {T}\nreturn %w, %x : {T}, f32",
        1,
        0,
    ),
    "with what it needs": (
        f"%w = tensor.insert %f into %t[%i] : {T}\n%c = arith.constant 3 : index\n"
        f"%s = tensor.extract_slice %t[2] [4] [1] : {T} to tensor<4xf32>\n"
        f"%x = tensor.extract %s[%c] : tensor<4xf32>\nreturn %w, %x : {T}, f32",
        1,
        0,
    ),
    "one that needs what is written": (
        f"%w = tensor.insert %f into %t[%i] : {T}\n%s = linalg.dot ins(%t, %w : {T}, {T}) outs(%a : tensor<f32>)"
        f" -> tensor<f32>\n%x = tensor.extract %s[] : tensor<f32>\nreturn %w, %x : {T}, f32",
        1,
        1,
    ),
    "all or none": (
        f"%w = tensor.insert %f into %t[%i] : {T}\n%x = tensor.extract %t[%i] : {T}\n"
        f"%s = linalg.dot ins(%t, %w : {T}, {T}) outs(%a : tensor<f32>) -> tensor<f32>\n"
        f"%y = tensor.extract %s[] : tensor<f32>\n%z = arith.addf %x, %y : f32\nreturn %w, %z : {T}, f32",
        1,
        1,
    ),
}

CYCLE = f"""func.func @f(%t: {T}, %u: tensor<LARGExf32>, %f: f32, %i: index) -> ({T}, tensor<LARGExf32>, f32, f32) {{
  %c0 = arith.constant 0 : index
  %w = tensor.insert %f into %t[%i] : {T}
  %v = tensor.insert %f into %u[%i] : tensor<LARGExf32>
  %a = tensor.extract %v[%c0] : tensor<LARGExf32>
  %b = arith.cmpf ogt, %a, %f : f32
  %j = arith.select %b, %i, %c0 : index
  %x = tensor.extract %t[%j] : {T}
  %c = tensor.extract %w[%c0] : {T}
  %d = arith.cmpf ogt, %c, %f : f32
  %k = arith.select %d, %i, %c0 : index
  %y = tensor.extract %u[%k] : tensor<LARGExf32>
  return %w, %v, %x, %y : {T}, tensor<LARGExf32>, f32, f32
}}"""


@pytest.mark.parametrize("large", [2, 32])
def test_of_orders_that_close_a_cycle_the_one_that_saves_most_is_chosen(large):
    """Each read might come before the write that destroys what it reads, but it depends on the other write."""
    text = CYCLE.replace("LARGE", str(large))
    assert traffic(bufferized(text)).copied == 4 * (8 + large)
    assert traffic(bufferized(text, PASS)).copied == 4 * min(8, large)
    moved = parse(text)
    run_passes(moved, [PASS])
    assert all(f.runs and not f.failed for f in verify_module(parse(text), moved, Options(inputs=2, tries=4)))


def bufferized(text, *passes):
    module = parse(text)
    run_passes(module, [*passes, BASE])
    return module


@pytest.mark.parametrize("name", ROWS)
def test_what_an_order_saves(name):
    body, before, after = ROWS[name]
    text = f"func.func @f(%t: {T}, %a: tensor<f32>, %f: f32, %i: index) -> ({T}, f32) {{\n{body}\n}}"
    assert traffic(bufferized(text)).copies == before
    assert traffic(bufferized(text, PASS)).copies == after
    moved = parse(text)
    run_passes(moved, [PASS])
    if before == after:
        assert str(moved) == str(parse(text))
    assert all(f.runs and not f.failed for f in verify_module(parse(text), moved, Options(inputs=2, tries=4)))


@pytest.mark.parametrize("seed", range(5200, 5208))
def test_random_programs_copy_no_more_and_compute_the_same(seed):
    text = tensor_program(seed)
    before, after = parse(text), parse(text)
    try:
        run_passes(before, [f"{BASE} {LOOPS}"])
    except BufferizeError:
        pytest.skip("refused")
    run_passes(after, [f"{PASS}={LOOPS}", f"{BASE} {LOOPS}"])
    assert traffic(after).copied <= traffic(before).copied
    for finding in verify_module(parse(text), after, Options(seed=seed, inputs=2, tries=6)):
        assert not finding.failed, finding.diagnostic


def test_what_cannot_be_bufferized_stays_as_it_is():
    text = f"""func.func @f(%t: {T}, %i: index) -> {T} {{
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %i to %i step %c1 iter_args(%a = %t) -> ({T}) {{
    %e = tensor.empty() : {T}
    scf.yield %e : {T}
  }}
  return %r : {T}
}}"""
    module = parse(text)
    run_passes(module, [PASS])
    assert str(module) == str(parse(text))


@pytest.mark.parametrize("family", ["conflicts", "butterflies", "loops", "branches"])
def test_sets_of_dependents_are_the_dependences_of_each_pair(family):
    for block in {op.block for op in parse(FAMILIES[family](60)).walk() if op.block is not None}:
        ops = list(block)
        found = dependent_sets(block, ops)
        for op in ops:
            depend = {other for other in ops if other is op or depends_on(other, op)}
            assert {other for i, other in enumerate(ops) if found[op] >> i & 1} == depend
