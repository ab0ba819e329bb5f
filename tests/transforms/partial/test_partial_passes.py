"""Partial passes: what each makes of its dialect, that they compose in any order, and what is said of what is left."""

import random
import re
import shutil
import subprocess
from pathlib import Path

import bufferize
import pytest
from bufferize.interpreter.generate_programs import tensor_program
from bufferize.interpreter.verify import Options, verify_module
from bufferize.ir.source.diagnostics import PassFailed
from bufferize.transforms.conversion import ConversionTarget, apply_full_conversion
from bufferize.transforms.conversion.structure import (
    populate_func_bufferize_patterns,
    populate_scf_bufferize_patterns,
)
from bufferize.transforms.partial.passes import BufferTypeConverter

RECORD = Path(__file__).parent / "passes.mlir"
PART = re.compile(r"^// PASS: ([^\n]*)\n// WHY: ([^\n]*)\n(.*?)^// AFTER\n(.*?)(?=^// PASS|\Z)", re.M | re.S)
CASES = {
    f"{name}: {why}": (name, *rest) for name, why, *rest in PART.findall(RECORD.read_text(encoding="utf-8"))
}

MLIR_OPT = shutil.which("mlir-opt-16")

PARTIAL = [
    "arith-bufferize",
    "bufferization-bufferize",
    "func-bufferize",
    "linalg-bufferize",
    "scf-bufferize",
    "shape-bufferize",
    "tensor-bufferize",
    "vector-bufferize",
]


def parse(text):
    return bufferize.parse(text, allow_unregistered=True)


@pytest.mark.parametrize("case", CASES)
def test_a_pass(case):
    name, before, after = CASES[case]
    module = parse(before)
    bufferize.run_passes(module, [name])
    assert str(module) == after.strip()


@pytest.mark.mlir
@pytest.mark.skipif(MLIR_OPT is None, reason="mlir-opt-16 is not installed")
@pytest.mark.parametrize("case", CASES)
def test_mlir_opt_16_agrees(case):
    name, before, after = CASES[case]
    command = [str(MLIR_OPT), "--allow-unregistered-dialect", "-" + name, "-"]
    printed = subprocess.run(command, input=before, capture_output=True, text=True, check=True).stdout
    assert str(parse(printed)) == after.strip()


def test_every_pass_is_recorded():
    assert {case.partition("=")[0].partition(":")[0] for case in CASES} == {*PARTIAL, "finalizing-bufferize"}


def test_only_constants():
    text = """func.func @f(%c: i1, %t: tensor<2xf32>) -> tensor<2xf32> {
      %a = arith.constant dense<1.0> : tensor<2xf32>
      %s = arith.select %c, %a, %t : tensor<2xf32>
      return %s : tensor<2xf32>
    }"""
    module = parse(text)
    bufferize.run_passes(module, ["tensor-constant-bufferize=alignment=8"])
    printed = str(module)
    assert "memref.global" in printed and "alignment = 8" in printed
    assert "arith.select %arg0, %1, %arg1 : tensor<2xf32>" in printed


@pytest.mark.parametrize(
    ("passes", "inside", "message"),
    [
        (
            ["tensor-bufferize"],
            "%e = tensor.empty() : tensor<4xf32> %s = tensor.extract %e[%i] : tensor<4xf32>",
            "'tensor.empty' op cannot be bufferized, but can be converted to bufferization.alloc_tensor",
        ),
        (
            ["tensor-bufferize"],
            "%e = tensor.empty() : tensor<4xf32>",
            "'tensor.empty' op cannot be bufferized, but can be converted to bufferization.alloc_tensor",
        ),
        (
            ["func-bufferize", "finalizing-bufferize"],
            "%s = tensor.extract %t[%i] : tensor<4xf32>",
            "failed to legalize operation 'tensor.extract'",
        ),
        (
            ["finalizing-bufferize"],
            '%u = bufferization.to_tensor %m : memref<4xf32, 1> to tensor<4xf32> "my.op"(%u) : (tensor<4xf32>) -> ()',
            "failed to legalize operation 'my.op'",
        ),
        (
            ["finalizing-bufferize"],
            "%u = bufferization.to_tensor %m : memref<4xf32, 1> to tensor<4xf32> "
            "%n = bufferization.to_buffer %u : tensor<4xf32> to memref<4xf32> memref.store %f, %n[%i] : memref<4xf32>",
            "failed to legalize unresolved materialization from 'memref<4xf32, 1>' to 'memref<4xf32>' "
            "that remained live after conversion",
        ),
    ],
)
def test_what_is_left_is_an_error(passes, inside, message):
    module = parse(
        f"func.func @f(%t: tensor<4xf32>, %m: memref<4xf32, 1>, %f: f32, %i: index) {{ {inside} return }}"
    )
    with pytest.raises(bufferize.BufferizeError) as failure:
        bufferize.run_passes(module, passes)
    assert failure.value.diagnostic.message == message
    assert failure.value.diagnostic.span is not None


def test_a_finalizing_pass_that_fails_leaves_the_program_alone():
    module = parse(
        """func.func @f(%m: memref<4xf32>, %i: index) -> f32 {
          %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
          %n = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
          %x = memref.load %n[%i] : memref<4xf32>
          %y = tensor.extract %t[%i] : tensor<4xf32>
          return %y : f32
        }"""
    )
    before = str(module)
    with pytest.raises(bufferize.BufferizeError):
        bufferize.run_passes(module, ["finalizing-bufferize"])
    assert str(module) == before


def test_a_copy_is_made_of_what_the_tensor_held():
    """The buffer has another layout than wanted, so it is copied: where the tensor was, behind the store."""
    module = parse(
        """func.func @f(%m: memref<4xf32, strided<[1], offset: ?>>, %f: f32, %i: index) -> memref<4xf32> {
          memref.store %f, %m[%i] : memref<4xf32, strided<[1], offset: ?>>
          %t = bufferization.to_tensor %m : memref<4xf32, strided<[1], offset: ?>> to tensor<4xf32>
          %n = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
          return %n : memref<4xf32>
        }"""
    )
    bufferize.run_passes(module, ["finalizing-bufferize"])
    lines = [line.split("=")[-1].split()[0] for line in str(module).splitlines()[2:6]]
    assert lines == ["memref.store", "memref.alloc()", "memref.copy", "return"]


def test_what_a_parallel_loop_inserts_is_left_to_the_loop():
    """Written to a buffer of its own, it would be lost: the loop yields its tensor."""
    module = parse(
        """func.func @f(%t: tensor<8xf32>, %s: tensor<1xf32>) -> tensor<8xf32> {
          %r = scf.forall (%i) in (8) shared_outs(%o = %t) -> (tensor<8xf32>) {
            scf.forall.in_parallel {
              tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
            }
          }
          return %r : tensor<8xf32>
        }"""
    )
    before = str(module)
    bufferize.run_passes(module, ["tensor-bufferize"])
    assert str(module) == before


def random_program(seed):
    """A program of allocations, since a partial pass refuses `tensor.empty`; None if it has what no partial pass knows."""
    text = tensor_program(seed).replace("tensor.empty(", "bufferization.alloc_tensor(")
    unknown = r"scf\.(forall|execute_region|index_switch)|materialize|tensor\.(splat|concat|pad|generate)|linalg\.map|outs\(%\w+ : tensor<\?"
    return None if re.search(unknown, text) else parse(text)


SEEDS = [seed for seed in range(150) if random_program(seed) is not None][:16]


@pytest.mark.parametrize("seed", SEEDS)
def test_in_any_order_the_program_computes_the_same(seed):
    before = random_program(seed)
    after = before.clone()
    order = random.Random(seed).sample(PARTIAL, len(PARTIAL))
    bufferize.run_passes(after, [*order, "finalizing-bufferize"])
    assert "tensor<" not in str(after), order
    assert not [f for f in verify_module(before, after, Options(inputs=2)) if f.failed], order


@pytest.mark.parametrize("seed", SEEDS)
def test_with_one_shot_first_the_program_computes_the_same(seed):
    before = random_program(seed)
    after = before.clone()
    choose = random.Random(seed)
    dialects = ["arith", "bufferization", "linalg", "scf", "tensor", "vector"]
    some = ",".join(choose.sample(dialects, choose.randint(1, len(dialects))))
    options = f"allow-unknown-ops allow-return-allocs-from-loops dialect-filter={some}"
    try:
        bufferize.run_passes(after, [f"one-shot-bufferize={options}"])
    except bufferize.BufferizeError:
        pytest.skip("One-Shot Bufferize refuses the program")
    order = choose.sample(PARTIAL, len(PARTIAL))
    bufferize.run_passes(after, [*order, "finalizing-bufferize"])
    assert "tensor<" not in str(after), order
    assert not [f for f in verify_module(before, after, Options(inputs=2)) if f.failed], (some, order)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_conversion_that_fails_late_is_taken_back_entirely(seed):
    """Functions and loops have been converted when the last return turns out to be illegal."""
    module = random_program(seed)
    bufferize.run_passes(module, ["tensor-bufferize", "linalg-bufferize"])
    before = str(module)
    converter, target = BufferTypeConverter(), ConversionTarget()
    patterns = []
    populate_func_bufferize_patterns(converter, patterns, target)
    populate_scf_bufferize_patterns(converter, patterns, target)
    target.add_legal_ops("builtin.module")
    target.add_illegal_ops("func.return")
    without_return = [pattern for pattern in patterns if pattern.root != "func.return"]
    with pytest.raises(bufferize.BufferizeError, match=r"'func\.return'"):
        apply_full_conversion(module, target, without_return)
    assert str(module) == before
    bufferize.verify(module)
    bufferize.run_passes(module, ["func-bufferize"])


def test_a_pass_that_fails_leaves_the_program_as_it_was():
    module = bufferize.parse("""
    func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<?xf32> {
      %k = arith.constant dense<1.0> : tensor<4xf32>
      %u = tensor.insert %f into %t[%i] : tensor<4xf32>
      %e = tensor.empty(%i) : tensor<?xf32>
      return %e : tensor<?xf32>
    }""")
    before = str(module)
    with pytest.raises(PassFailed, match=r"can be converted to bufferization\.alloc_tensor"):
        bufferize.run_passes(module, ["tensor-bufferize"])
    assert str(module) == before


def test_the_unknown_size_of_a_group_is_what_the_known_ones_leave():
    module = parse(
        """
        func.func @f(%t: tensor<?x4x?xf32>, %x: f32, %n: index) -> tensor<?x2x4x3x?xf32> {
          %0 = tensor.expand_shape %t [[0, 1], [2], [3, 4]] output_shape [%n, 2, 4, 3, %n]
            : tensor<?x4x?xf32> into tensor<?x2x4x3x?xf32>
          %1 = linalg.fill ins(%x : f32) outs(%0 : tensor<?x2x4x3x?xf32>) -> tensor<?x2x4x3x?xf32>
          return %1 : tensor<?x2x4x3x?xf32>
        }"""
    )
    bufferize.run_passes(module, ["linalg-bufferize", "canonicalize"])
    text = str(module)
    assert "(s0 floordiv 2)" in text and "(s0 floordiv 3)" in text
    assert text.count("memref.alloc(") == 1
