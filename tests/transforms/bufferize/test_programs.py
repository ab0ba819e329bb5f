"""Programs and what mlir-opt 22 bufferizes them to, in programs.mlir: operations, order and names.

Each part of the file is a line with a name and options, a program, `// =>`, and the result. Where mlir-opt is installed it
is asked again.
"""

import shutil
import subprocess
from pathlib import Path

import pytest
from bufferize.ir.text.parser import parse_text
from bufferize.ir.text.printer import print_operation
from bufferize.ir.verifier import verify
from bufferize.transforms.pass_base import Context
from bufferize.transforms.pass_manager import PassManager, make_pass


def cases():
    text = Path(__file__).with_name("programs.mlir").read_text(encoding="utf-8")
    for part in text.split("// -----\n"):
        header, _, rest = part.partition("\n")
        name, _, options = header.removeprefix("// ").rpartition(": ")
        program, _, result = rest.partition("// =>\n")
        yield pytest.param(options.strip(), program, result.strip(), id=name)


CASES = list(cases())


def bufferized(options, program):
    module = parse_text(program, allow_unregistered=True)
    steps = [make_pass("one-shot-bufferize", options)]
    PassManager(steps, Context(), allow_unregistered=True).run(module)
    verify(module, allow_unregistered=True)
    return print_operation(module).strip()


@pytest.mark.parametrize(("options", "program", "result"), CASES)
def test_program_is_bufferized_as_recorded(options, program, result):
    assert bufferized(options, program) == result


@pytest.mark.parametrize(("options", "program", "result"), CASES)
def test_result_is_a_fixed_point_of_reading_and_printing(options, program, result):
    assert print_operation(parse_text(result, allow_unregistered=True)).strip() == result


@pytest.mark.mlir
@pytest.mark.skipif(shutil.which("mlir-opt-22") is None, reason="mlir-opt-22 is not installed")
@pytest.mark.parametrize(("options", "program", "result"), CASES)
def test_record_is_what_mlir_opt_prints(options, program, result):
    command = ["mlir-opt-22", "-allow-unregistered-dialect", f"-one-shot-bufferize={options}"]
    answer = subprocess.run(command, input=program, capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == result
