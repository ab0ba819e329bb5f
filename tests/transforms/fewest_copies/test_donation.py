"""Arguments that callers give up: they are overwritten and returned as they are, where that is what the caller was told."""

import pytest
from bufferize import parse, prove, run_passes
from bufferize.dialects.function_like import FunctionLikeOp
from bufferize.interpreter.verify import Options, verify_module
from bufferize.ir.source.diagnostics import BufferizeError

FREEING = ["buffer-deallocation-pipeline", "buffer-deallocation-static"]
FEWEST = "one-shot-bufferize=bufferize-function-boundaries fewest-copies"
T = "tensor<64xf32>"
ELEMENTWISE = """
  %e = tensor.empty() : tensor<64xf32>
  %n = linalg.add ins(%w, %g : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>"""


def function(body, mark, types=(T, T), returned="%n", results=T):
    return f"func.func @f(%w: {types[0]} {mark}, %g: {types[1]}, %v: f32) -> ({results}) {{{body}\n  return {returned} : {results}\n}}"


def freed(text, freeing, bufferize=FEWEST):
    """The program in the end, which gives the same results without leaks, and is proved."""
    module = parse(text)
    run_passes(module, [bufferize, "canonicalize", freeing, "canonicalize"])
    for finding in verify_module(parse(text), module, Options(inputs=3)):
        assert not finding.failed, finding.diagnostic
    proof = prove(parse(text), module, leaks=True)
    assert proof.proved, proof.questions
    return str(module)


@pytest.mark.parametrize("freeing", FREEING)
@pytest.mark.parametrize(
    "mark", ["{tf.aliasing_output = 0 : i32}", "{iree.abi.output = 0 : index}", "{jax.buffer_donor = true}"]
)
def test_a_result_is_the_donated_argument(freeing, mark):
    text = freed(function(ELEMENTWISE, mark), freeing)
    assert "alloc" not in text and "clone" not in text and "copy" not in text
    assert "bufferization.owned = false" in text


@pytest.mark.parametrize("freeing", FREEING)
def test_without_the_option_nothing_changes(freeing):
    plain = "one-shot-bufferize=bufferize-function-boundaries"
    body = "\n  %c0 = arith.constant 0 : index\n  %n = tensor.insert %v into %w[%c0] : tensor<64xf32>"
    text = freed(function(body, "{tf.aliasing_output = 0 : i32}"), freeing, plain)
    assert "clone" in text and "bufferization.owned" not in text


@pytest.mark.parametrize("mark", ["", "{tf.aliasing_output = 1 : i32}", "{jax.buffer_donor = false}"])
def test_an_argument_that_is_not_donated_for_the_result_is_left_alone(mark):
    text = freed(function(ELEMENTWISE, mark, returned="%n, %v", results=f"{T}, f32"), FREEING[0])
    assert "memref.alloc" in text and "bufferization.owned" not in text


def test_what_was_donated_for_another_result_is_not_returned_as_this_one():
    body = (
        ELEMENTWISE
        + "\n  %m = linalg.exp ins(%g : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>"
    )
    text = freed(
        function(body, "{tf.aliasing_output = 1 : i32}", returned="%n, %m", results=f"{T}, {T}"), FREEING[0]
    )
    assert "clone" not in text and "bufferization.owned" not in text


def test_an_argument_of_another_type_is_not_donated():
    text = f"func.func @f(%a: tensor<4xf32> {{tf.aliasing_output = 0 : i32}}, %b: {T}) -> {T} {{ return %b : {T} }}"
    [op] = [op for op in parse(text).walk() if isinstance(op, FunctionLikeOp)]
    assert op.donated() == {}


@pytest.mark.parametrize("freeing", FREEING)
def test_an_argument_that_is_returned_twice_is_cloned_once(freeing):
    body = "\n  %c0 = arith.constant 0 : index\n  %n = tensor.insert %v into %w[%c0] : tensor<64xf32>"
    text = freed(function(body, "{jax.buffer_donor = true}", returned="%n, %n", results=f"{T}, {T}"), freeing)
    assert text.count("bufferization.clone") == 1


@pytest.mark.parametrize("freeing", FREEING)
def test_a_caller_that_reads_the_argument_later_keeps_it(freeing):
    text = function(ELEMENTWISE, "{tf.aliasing_output = 0 : i32}") + (
        f"\nfunc.func @caller(%w: {T}, %g: {T}, %v: f32) -> ({T}, f32) {{\n  %c0 = arith.constant 0 : index\n"
        f"  %n = call @f(%w, %g, %v) : ({T}, {T}, f32) -> {T}\n  %x = tensor.extract %w[%c0] : {T}\n"
        f"  %y = tensor.extract %n[%c0] : {T}\n  %z = arith.addf %x, %y : f32\n  return %n, %z : {T}, f32\n}}"
    )
    freed(text, freeing)


@pytest.mark.parametrize("freeing", FREEING)
def test_of_a_private_function_it_is_inferred(freeing):
    body = "\n  %c0 = arith.constant 0 : index\n  %n = tensor.insert %v into %w[%c0] : tensor<64xf32>"
    text = function(body, "").replace("@f", "private @f") + (
        f"\nfunc.func @caller(%g: {T}, %v: f32) -> {T} {{\n  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
        f"  %c9 = arith.constant 9 : index\n  %e = tensor.empty() : {T}\n"
        f"  %z = linalg.fill ins(%v : f32) outs(%e : {T}) -> {T}\n"
        f"  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%t = %z) -> {T} {{\n"
        f"    %n = func.call @f(%t, %g, %v) : ({T}, {T}, f32) -> {T}\n    scf.yield %n : {T}\n  }}\n  return %r : {T}\n}}"
    )
    text = freed(text, freeing)
    assert text.count("memref.alloc()") == 1 and "clone" not in text


M = "memref<4xf32>"


@pytest.mark.parametrize("freeing", FREEING)
@pytest.mark.parametrize(
    "returned",
    [
        f"%n = memref.alloc() : {M}",
        f"%m = memref.alloc() : {M}\n%n = arith.select %c, %a, %m : {M}",
    ],
)
def test_a_function_that_says_so_returns_an_argument(freeing, returned):
    module = parse(
        f"func.func @f(%a: {M}, %c: i1) -> ({M} {{bufferization.owned = false}}) {{\n{returned}\nreturn %n : {M} }}"
    )
    with pytest.raises(BufferizeError, match="declares another owner"):
        run_passes(module, [freeing])


@pytest.mark.parametrize("freeing", FREEING)
def test_a_declaration_gives_the_argument_that_is_donated(freeing):
    module = parse(
        f"func.func private @g({M}, {M} {{tf.aliasing_output = 0 : i32}}) -> ({M} {{bufferization.owned = false}})\n"
        f"func.func @f(%i: index) -> f32 {{\n%a = memref.alloc() : {M}\n%b = memref.alloc() : {M}\n"
        f"%r = call @g(%a, %b) : ({M}, {M}) -> {M}\n%x = memref.load %r[%i] : {M}\nreturn %x : f32 }}"
    )
    run_passes(module, [freeing])
    text = str(module)
    assert text.count("memref.dealloc") == 2 and "scf.if" not in text
    assert text.index("memref.load") < text.rindex("memref.dealloc")
