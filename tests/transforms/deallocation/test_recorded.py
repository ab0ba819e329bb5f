"""Deallocation passes on small programs, each beside the program they make of it.

A file of `data` begins with the passes to run. Then come cases, each a reason, a program, and behind `// ==>` the result, or
the first error. The results are mlir-opt's; where it is installed, that is checked too. Where it is known to be unsound we
only agree with it on request (`--compat=mlir-22`), which is why the cases run with it; `test_soundness` has the others.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from bufferize.ir.defects import MLIR_22
from bufferize.ir.source.diagnostics import BufferizeError
from bufferize.ir.text.parser import parse_text
from bufferize.ir.text.printer import print_module
from bufferize.ir.verifier import verify
from bufferize.transforms.pass_base import Context
from bufferize.transforms.pass_manager import PassManager, make_pass, parse_pipeline

DATA = Path(__file__).parent / "data"
MLIR_OPT = shutil.which("mlir-opt-22")


def _cases() -> list:
    found = []
    for path in sorted(DATA.glob("*.mlir")):
        head, *cases = re.split(r"^// =====\n", path.read_text(), flags=re.MULTILINE)
        flags = head.partition(":")[2].split()
        for number, case in enumerate(cases):
            program, result = case.split("// ==>\n")
            found.append(pytest.param(flags, program, result.strip(), id=f"{path.stem}-{number}"))
    return found


def _run(flags: list[str], program: str) -> str:
    steps = []
    for flag in flags:
        name, _, options = flag.lstrip("-").partition("=")
        steps.append(parse_pipeline(options) if name == "pass-pipeline" else make_pass(name, options))
    try:
        module = parse_text(program, allow_unregistered=True)
        verify(module, allow_unregistered=True)
        PassManager(steps, Context(compat=MLIR_22), allow_unregistered=True).run(module)
    except BufferizeError as failure:
        return f"error: {failure.diagnostic.message}"
    return print_module(module).strip()


@pytest.mark.parametrize(("flags", "program", "result"), _cases())
def test_passes_give_the_recorded_program(flags, program, result):
    assert _run(flags, program) == result


@pytest.mark.mlir
@pytest.mark.skipif(MLIR_OPT is None, reason="mlir-opt-22 is not installed")
@pytest.mark.parametrize(("flags", "program", "result"), _cases())
def test_the_record_is_what_mlir_opt_gives(flags, program, result):
    assert MLIR_OPT is not None
    command = [MLIR_OPT, "--allow-unregistered-dialect", *flags, "-"]
    done = subprocess.run(command, input=program, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode:
        found = re.search(r"error: (.*)", done.stderr)
        assert found is not None, done.stderr
        assert f"error: {found.group(1)}" == result
    else:
        assert done.stdout.strip() == result
