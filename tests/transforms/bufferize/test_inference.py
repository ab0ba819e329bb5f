"""Types of buffers, asked about before the operations that make them are rewritten."""

from __future__ import annotations

from bufferize.ir.text.parser import parse_text
from bufferize.ir.verifier import verify
from bufferize.transforms.bufferize import inference
from bufferize.transforms.bufferize.inference import TypeInference
from bufferize.transforms.pass_manager import PassManager, make_pass

T = "tensor<8xf32>"


def nest(depth: int) -> str:
    """Conditionals nested in one another, each with a fresh tensor in its other branch."""
    lines = [f"func.func @f(%t: {T}, %c: i1) -> {T} {{"]
    lines += [f"%r{k} = scf.if %c -> ({T}) {{" for k in range(depth)]
    inner = "%t"
    for k in reversed(range(depth)):
        lines += [f"scf.yield {inner} : {T}", "} else {", f"%e{k} = tensor.empty() : {T}"]
        lines += [f"scf.yield %e{k} : {T}", "}"]
        inner = f"%r{k}"
    return "\n".join([*lines, f"return %r0 : {T}", "}"])


def test_each_branch_of_a_nest_is_asked_about_a_few_times(monkeypatch) -> None:
    depth = 200
    asked = []
    start = TypeInference._start

    def counted(self, value):
        asked.append(value)
        return start(self, value)

    monkeypatch.setattr(TypeInference, "_start", counted)
    module = parse_text(nest(depth))
    PassManager([make_pass("one-shot-bufferize", "bufferize-function-boundaries")]).run(module)
    verify(module)
    assert len(asked) < 20 * depth


def loops(depth: int) -> str:
    """Loops in one another, each carrying the tensor of the one around it."""
    lines = [f"func.func @f(%t: {T}, %n: index, %f: f32) -> {T} {{", "%c0 = arith.constant 0 : index"]
    lines += [
        f"%r{k} = scf.for %i{k} = %c0 to %n step %n iter_args(%a{k} = {f'%a{k - 1}' if k else '%t'}) -> ({T}) {{"
        for k in range(depth)
    ]
    lines.append(f"%u = tensor.insert %f into %a{depth - 1}[%c0] : {T}")
    handed = "%u"
    for k in reversed(range(depth)):
        lines += [f"scf.yield {handed} : {T}", "}"]
        handed = f"%r{k}"
    return "\n".join([*lines, f"return %r0 : {T}", "}"])


def test_beyond_a_number_of_steps_answers_on_the_way_are_kept(monkeypatch) -> None:
    """Asked anew each time, loops nested 40 deep would take 2**40 steps."""
    asked = 0
    start = TypeInference._start

    def counted(self, value):
        nonlocal asked
        asked += 1
        assert asked < 100_000, "each loop is asked about twice as often as the one around it"
        return start(self, value)

    monkeypatch.setattr(TypeInference, "_start", counted)
    monkeypatch.setattr(inference, "EXACT_STEPS", 100)
    module = parse_text(loops(40))
    PassManager([make_pass("one-shot-bufferize", "bufferize-function-boundaries")]).run(module)
    verify(module)
    assert str(module).count("memref<8xf32, strided<[?], offset: ?>>") == str(module).count("memref<8xf32")


GUESSED = """
func.func @f(%t: tensor<4xf32>, %c: i1, %n: index, %x: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %loop = scf.for %i = %c0 to %n step %n iter_args(%a = %t) -> (tensor<4xf32>) {
    %made = tensor.generate {
    ^bb0(%j: index):
      %e = tensor.extract %a[%j] : tensor<4xf32>
      tensor.yield %e : f32
    } : tensor<4xf32>
    %either = scf.if %c -> (tensor<4xf32>) {
      scf.yield %made : tensor<4xf32>
    } else {
      %new = tensor.insert %x into %a[%i] : tensor<4xf32>
      scf.yield %new : tensor<4xf32>
    }
    scf.yield %either : tensor<4xf32>
  }
  return %t : tensor<4xf32>
}
"""


def test_a_nest_of_loops_is_asked_about_a_few_times(monkeypatch) -> None:
    depth = 100
    asked = []
    start = TypeInference._start
    monkeypatch.setattr(
        TypeInference, "_start", lambda self, value: (asked.append(value), start(self, value))[1]
    )
    module = parse_text(loops(depth))
    PassManager([make_pass("one-shot-bufferize", "bufferize-function-boundaries")]).run(module)
    verify(module)
    assert len(asked) < 20 * depth


def test_a_type_that_was_inferred_from_a_wrong_guess_is_inferred_again():
    """`%a` is asked about before `tensor.generate` has a buffer; what comes after must not build on that, as in mlir-opt."""
    options = "bufferize-function-boundaries allow-return-allocs-from-loops"
    module = parse_text(GUESSED)
    PassManager([make_pass("one-shot-bufferize", options)]).run(module)
    verify(module)
    loop, either = (op for op in module.walk() if op.name in ("scf.for", "scf.if"))
    assert str(loop.results[0].type) == str(either.results[0].type) == "memref<4xf32>"
