"""`-convert-elementwise-to-linalg` prints what mlir-opt 22 prints, and `fewest-copies` bufferizes arithmetic on tensors."""

import shutil
import subprocess

import pytest
from bufferize import parse, run_passes
from bufferize.analysis.cost_model import traffic
from bufferize.interpreter.verify import Options, verify_module

MLIR_OPT = shutil.which("mlir-opt-22")

FLOATS = [
    f"arith.{n}"
    for n in ["addf", "subf", "mulf", "divf", "remf", "maximumf", "minimumf", "maxnumf", "minnumf"]
]
FLOATS += [f"math.{n}" for n in ["copysign", "atan2", "powf"]]
UNARY = [
    f"math.{n}"
    for n in [
        "absf",
        "ceil",
        "floor",
        "cos",
        "sin",
        "exp",
        "exp2",
        "expm1",
        "log",
        "log1p",
        "rsqrt",
        "sqrt",
        "tanh",
        "erf",
        "round",
        "trunc",
    ]
]
INTEGERS = [
    f"arith.{n}"
    for n in [
        "addi",
        "subi",
        "muli",
        "divsi",
        "remui",
        "andi",
        "ori",
        "xori",
        "shli",
        "shrsi",
        "maxsi",
        "minui",
        "ceildivsi",
        "floordivsi",
    ]
]
CASTS = ["extf 2x?xf32 2x?xf64 a", "fptosi 2x?xf32 2x?xi32 a", "sitofp 3xi32 3xf32 i", "trunci 3xi32 3xi8 i"]


def program():
    lines: list[str] = []

    def use(text, type):
        name = f"%x{len(lines)}"
        lines.append(f'  {name} = {text}\n  "test.use"({name}) : (tensor<{type}>) -> ()')

    for name in FLOATS:
        use(f"{name} %a, %b : tensor<2x?xf32>", "2x?xf32")
    for name in UNARY:
        use(f"{name} %a : tensor<2x?xf32>", "2x?xf32")
    for name in INTEGERS:
        use(f"{name} %i, %j : tensor<3xi32>", "3xi32")
    for cast in CASTS:
        name, source, target, value = cast.split()
        use(f"arith.{name} %{value} : tensor<{source}> to tensor<{target}>", target)
    use("arith.cmpi slt, %i, %j : tensor<3xi32>", "3xi1")
    use("arith.select %k, %i, %j : tensor<3xi32>", "3xi32")
    use("arith.select %m, %i, %j : tensor<3xi1>, tensor<3xi32>", "3xi32")
    use("arith.addf %s, %s fastmath<fast> : tensor<f32>", "f32")
    args = "%a: tensor<2x?xf32>, %b: tensor<2x?xf32>, %i: tensor<3xi32>, %j: tensor<3xi32>, %k: i1, %m: tensor<3xi1>"
    return f"func.func @f({args}, %s: tensor<f32>) {{\n" + "\n".join(lines) + "\n  return\n}\n"


def converted(text):
    module = parse(text, allow_unregistered=True)
    run_passes(module, ["convert-elementwise-to-linalg"])
    return str(module)


@pytest.mark.mlir
@pytest.mark.skipif(MLIR_OPT is None, reason="mlir-opt-22 is not installed")
def test_it_is_what_mlir_opt_prints():
    done = subprocess.run(
        [MLIR_OPT or "", "-allow-unregistered-dialect", "-convert-elementwise-to-linalg", "-"],
        input=program(),
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )
    assert converted(program()).split() == done.stdout.split()


def test_destinations_are_operands_of_the_type_or_new():
    text = converted(program())
    assert text.count("linalg.generic") == len(FLOATS) + len(UNARY) + len(INTEGERS) + len(CASTS) + 4
    assert text.count("tensor.empty") == len(CASTS) + 1  # all others have an operand of their type
    assert "affine_map<(d0) -> ()>" in text  # the condition that is no tensor


def test_tensors_of_unknown_rank_stay():
    text = "func.func @f(%u: tensor<*xf32>) {\n  %0 = arith.addf %u, %u : tensor<*xf32>\n  return\n}\n"
    assert "arith.addf %arg0, %arg0 : tensor<*xf32>" in converted(text)


ROW = """
func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>, %t: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = arith.addf %a, %b : tensor<8xf32>
  %1 = math.exp %0 : tensor<8xf32>
  %2 = arith.mulf %1, %a : tensor<8xf32>
  %w = tensor.insert_slice %2 into %t[1, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<4x8xf32>
  return %w : tensor<4x8xf32>
}"""


def test_arithmetic_on_tensors_is_computed_in_its_place():
    module = parse(ROW)
    run_passes(
        module, ["one-shot-bufferize=bufferize-function-boundaries fewest-copies", "cse", "canonicalize"]
    )
    for finding in verify_module(parse(ROW), module, Options(inputs=2)):
        assert not finding.failed, finding.diagnostic
    found = traffic(module)
    assert (found.copied, found.peak) == (0, 0)


PADDED = """
func.func @f(%a: tensor<4x4xf32>, %x: f32) -> tensor<?x?xf32> {
  %c4 = arith.constant 4 : index
  %s = tensor.extract_slice %a[0, 0] [%c4, %c4] [1, 1] : tensor<4x4xf32> to tensor<?x?xf32>
  %p = tensor.pad %s low[2, 0] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}
"""


def test_nothing_is_added_to_a_known_size_without_padding():
    module = parse(PADDED)
    run_passes(module, "-convert-tensor-to-linalg")
    text = str(module)
    assert "tensor.empty(%c6, %c5)" in text
    assert text.count("arith.constant 6") == text.count("arith.constant 5") == 1
