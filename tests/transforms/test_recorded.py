"""Canonicalization, CSE, placement and sums of sizes in One-Shot Bufferize give what mlir-opt gave: programs and results in data/PASS.mlir and data/PASS.PART.mlir.

A part that names an option of the pass (see OPTIONS) is about that option.
Each part of a file is a program, `// =>`, and what mlir-opt 22 (for `buffer-deallocation`, 16) made of it. The texts are
compared as they are, names included. Where mlir-opt is installed, it is asked again.
"""

import shutil
import subprocess
from pathlib import Path

import pytest
from bufferize.ir.defects import MLIR_22
from bufferize.ir.text.parser import parse_text
from bufferize.ir.text.printer import print_operation
from bufferize.ir.verifier import verify
from bufferize.transforms.pass_base import Context
from bufferize.transforms.pass_manager import PassManager, make_pass

SEPARATOR = "// -----\n"
DATA = Path(__file__).parent / "data"
OPTIONS = {
    "canonicalize.aggressive": "region-simplify=aggressive",
    "one-shot-bufferize.blocks": "bufferize-function-boundaries allow-return-allocs-from-loops",
    "one-shot-bufferize.symbols": "bufferize-function-boundaries allow-return-allocs-from-loops",
    "test-tensor-copy-insertion.boundaries": "bufferize-function-boundaries allow-return-allocs-from-loops",
}
CASES = [
    pytest.param(
        path.name.split(".")[0],
        OPTIONS.get(path.stem, ""),
        *part.split("// =>\n"),
        id=f"{path.stem}-{number}",
    )
    for path in sorted(DATA.glob("*.mlir"))
    for number, part in enumerate(path.read_text(encoding="utf-8").split(SEPARATOR))
]
REFERENCE = {"buffer-deallocation": "mlir-opt-16"}
MIRRORED = {"convert-scf-to-cf", "loop-invariant-code-motion"}
"""Passes that mlir-opt records with its defects."""


def run(name: str, options: str, text: str) -> str:
    module = parse_text(text, allow_unregistered=True)
    context = Context(compat=MLIR_22 if name in MIRRORED else "")
    PassManager([make_pass(name, options)], context, allow_unregistered=True).run(module)
    verify(module, allow_unregistered=True)
    return print_operation(module)


@pytest.mark.parametrize(("name", "options", "before", "after"), CASES)
def test_pass_gives_the_recorded_program(name, options, before, after):
    assert run(name, options, before).strip() == after.strip()


@pytest.mark.parametrize(
    ("name", "options", "before", "after"),
    [case for case in CASES if case.values[0] in ("canonicalize", "cse")],
)
def test_a_second_run_changes_nothing(name, options, before, after):
    once = run(name, options, after)
    assert run(name, options, once) == once


@pytest.mark.mlir
@pytest.mark.parametrize(("name", "options"), sorted({case.values[:2] for case in CASES}))
def test_the_record_is_what_mlir_opt_prints(name, options):
    """mlir-opt starts once for all programs of a pass: starting takes longer than the pass."""
    tool = shutil.which(REFERENCE.get(name, "mlir-opt-22"))
    if tool is None:
        pytest.skip(f"{REFERENCE.get(name, 'mlir-opt-22')} is not installed")
    command = [tool, "--allow-unregistered-dialect", "--split-input-file"]
    command.append(f"-{name}={options}" if options else f"-{name}")
    cases = [case.values[2:] for case in CASES if case.values[:2] == (name, options)]
    text = SEPARATOR.join(str(before) for before, _ in cases)
    answer = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    assert [part.strip() for part in answer.stdout.split(SEPARATOR)] == [
        str(after).strip() for _, after in cases
    ]
