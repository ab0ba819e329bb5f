"""Results agree with those of MLIR's own runner, on programs bufferized here and lowered by `mlir-opt`."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from bufferize.cli.fuzz_command import transform
from bufferize.interpreter.fuzz import read
from bufferize.interpreter.generate_programs import tensor_program
from bufferize.interpreter.machine import Machine
from bufferize.ir.source.diagnostics import BufferizeError
from bufferize.ir.text.printer import print_module

OPT, RUNNER = shutil.which("mlir-opt-22"), shutil.which("mlir-runner-22")
LIBRARY = Path("/usr/lib/llvm-22/lib/libmlir_c_runner_utils.so")

PASSES = (
    "-one-shot-bufferize=bufferize-function-boundaries allow-return-allocs-from-loops",
    "-buffer-deallocation-pipeline",
)
LOWERING = [
    "-convert-bufferization-to-memref",
    "-convert-linalg-to-loops",
    "-convert-vector-to-scf",
    "-scf-forall-to-for",
    "-expand-strided-metadata",
    "-lower-affine",
    "-convert-scf-to-cf",
    "-convert-vector-to-llvm",
    "-convert-arith-to-llvm",
    "-convert-index-to-llvm",
    "-finalize-memref-to-llvm",
    "-convert-func-to-llvm",
    "-convert-cf-to-llvm",
    "-reconcile-unrealized-casts",
]


def with_entry(text: str, seed: int) -> str:
    """The program with a function that calls `main` on constants and adds up what it gives, each element weighed."""
    signature = re.search(r"func\.func @main\((.*)\) -> \((.*)\) \{", text)
    assert signature is not None
    inputs = [re.sub(r" \{.*\}", "", arg).partition(": ")[2] for arg in signature[1].split(", %")]
    outputs = signature[2].split(", ")
    random = np.random.default_rng(seed)
    lines = ["func.func @entry() -> f32 {", "  %total0 = arith.constant 0.0 : f32"]
    for i, type in enumerate(inputs):
        if type.startswith("tensor"):
            shape = [int(n) for n in type[7:].split("x")[:-1]]
            values = random.integers(-4, 5, shape).astype(float).tolist()
            lines.append(f"  %p{i} = arith.constant dense<{values}> : {type}")
            lines.append(f"  %x{i} = bufferization.alloc_tensor() copy(%p{i}) : {type}")
        else:
            value = {"f32": "2.0 : f32", "index": "3 : index", "i1": "true"}[type]
            lines.append(f"  %x{i} = arith.constant {value}")
    args = ", ".join(f"%x{i}" for i in range(len(inputs)))
    results = f"%r:{len(outputs)}" if len(outputs) > 1 else "%r"
    lines.append(f"  {results} = func.call @main({args}) : ({', '.join(inputs)}) -> ({', '.join(outputs)})")
    total, count = "%total0", 0
    for i, type in enumerate(outputs):
        result = f"%r#{i}" if len(outputs) > 1 else "%r"
        shape = [int(n) for n in type[7:].split("x")[:-1]] if type.startswith("tensor") else None
        for weight, index in enumerate(np.ndindex(*shape) if shape is not None else [()]):
            count += 1
            value = result
            if shape is not None:
                for d, at in enumerate(index):
                    lines.append(f"  %i{count}_{d} = arith.constant {at} : index")
                place = ", ".join(f"%i{count}_{d}" for d in range(len(index)))
                lines.append(f"  %e{count} = tensor.extract {result}[{place}] : {type}")
                value = f"%e{count}"
            lines.append(f"  %w{count} = arith.constant {weight + 1}.0 : f32")
            lines.append(f"  %m{count} = arith.mulf {value}, %w{count} : f32")
            lines.append(f"  %total{count} = arith.addf {total}, %m{count} : f32")
            total = f"%total{count}"
    lines += [f"  return {total} : f32", "}", ""]
    return text.replace("func.func @main", "func.func private @main") + "\n".join(lines)


def run_natively(text: str) -> float:
    assert OPT is not None
    assert RUNNER is not None
    lowered = subprocess.run([OPT, *LOWERING], input=text, capture_output=True, text=True, check=False)
    assert lowered.returncode == 0, lowered.stderr[:2000]
    command = [RUNNER, "-e", "entry", "-entry-point-result=f32", f"-shared-libs={LIBRARY}"]
    ran = subprocess.run(
        command, input=lowered.stdout, capture_output=True, text=True, check=False, timeout=600
    )
    assert ran.returncode == 0, ran.stderr[:2000]
    return float(ran.stdout.strip().splitlines()[-1])


def compare(seed: int) -> tuple[float, float] | None:
    """The sum of a program's results: run here on tensors, and natively after bufferization; None if that is refused."""
    module = read(with_entry(tensor_program(seed), seed), f"seed-{seed}.mlir")
    machine = Machine(module)
    (here,) = machine.call(machine.function("entry"), [])
    try:
        transform(module, PASSES, "")
    except BufferizeError:
        return None
    return float(here), run_natively(print_module(module))


@pytest.mark.mlir
@pytest.mark.skipif(
    OPT is None or RUNNER is None or not LIBRARY.exists(), reason="mlir-runner-22 is not installed"
)
@pytest.mark.parametrize("seed", (0, 3, 4, 5, 6, 7))
def test_results_agree_with_the_runner(seed):
    sums = compare(seed)
    if sums is None:
        pytest.skip("bufferization refuses this program")
    here, there = sums
    assert there == pytest.approx(here, rel=1e-5) or (np.isnan(here) and np.isnan(there))
